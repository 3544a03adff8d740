// Modules: files such as cda_hdf5.so, for what needs libraries that not everybody has. Nothing links them; they are
// loaded when they are needed, and can be added at any time.
#pragma once

#include <string>

namespace cda {

// The path of the module in the first folder that has it; empty where none has. If the environment variable CDA_MODULES
// is set, only the folder it names is asked. Otherwise these are: that of the program or shared library which this code
// is part of, and where modules are installed, as seen from there and as it was configured.
std::string module_path(const std::string& name);

}  // namespace cda
