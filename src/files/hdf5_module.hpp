// What reads HDF5 is a module (src/files/hdf5): the HDF5 library is large, not on every machine, and not needed by
// most.
#pragma once

#include <string>

#include "cda/extend/format.hpp"

namespace cda {

// Both read in a child process only (files/isolated.hpp).
struct Hdf5Module {
  const char* (*version)();                                                   // of the library it was made with
  RawTable (*read_table)(const InputFile& file, const ReadOptions& options);  // HDF5 and AnnData
  RawTable (*read_mat73)(const InputFile& file, const ReadOptions& options);  // MATLAB 7.3
};

// The one function of the module, and its name.
using GetHdf5Module = const Hdf5Module* (*)();
constexpr const char* get_hdf5_module_name = "cda_hdf5_module";

bool has_hdf5_module();

// Loaded now, so that a child process need not. Throws where it cannot be; `format` and `hint` are for the message.
const Hdf5Module& hdf5_module(const InputFile& file, const std::string& format, const std::string& hint);

}  // namespace cda
