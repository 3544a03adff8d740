// MATLAB 7.3 files are HDF5 files.
#pragma once

#include <vector>

#include "data/mat_variable.hpp"
#include "hdf5/file.hpp"

namespace cda::hdf5 {

// They refer to `file`. Only for use in a child process (data/isolated.hpp).
std::vector<MatVariable> mat73_variables(const File& file);

}  // namespace cda::hdf5
