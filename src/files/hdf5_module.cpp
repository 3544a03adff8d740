#include "files/hdf5_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "cda/extend/modules.hpp"
#include "cda/extend/version.hpp"
#include "files/input_file.hpp"

namespace cda {
namespace {

constexpr const char* module_name = "cda_hdf5.so";

}  // namespace

bool has_hdf5_module() { return !module_path(module_name).empty(); }

const Hdf5Module& hdf5_module(const InputFile& file, const std::string& format, const std::string& hint) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(Fault::usage, "hdf5.module",
                fmt::format("{} files are read by the module {}, which {}", format, module_name, reason), hint,
                {.file = file.shown()});
  };
  const std::string path = module_path(module_name);
  if (path.empty()) refuse("is not installed");
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) refuse("cannot be loaded: " + in_quotes(::dlerror(), 300));
  const auto get = reinterpret_cast<GetHdf5Module>(::dlsym(library, get_hdf5_module_name));
  if (get == nullptr || std::string_view(get()->version()) != version()) refuse("is that of another version");
  return *get();
}

}  // namespace cda
