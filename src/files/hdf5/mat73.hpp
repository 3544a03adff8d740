// MATLAB 7.3 files are HDF5 files.
#pragma once

#include <vector>

#include "files/hdf5/file.hpp"
#include "files/mat_variable.hpp"

namespace cda::hdf5 {

// They refer to `file`. Only for use in a child process (files/isolated.hpp).
std::vector<MatVariable> mat73_variables(const File& file);

}  // namespace cda::hdf5
