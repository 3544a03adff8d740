#include "cda/extend/modules.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace cda {
namespace {

namespace fs = std::filesystem;

// Of the file that this code was loaded from, which the loader calls by no name if it is the program.
fs::path own_folder() {
  Dl_info information{};
  void* found = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&module_path), &information, &found, RTLD_DL_LINKMAP) == 0) return {};
  const char* const name = static_cast<const link_map*>(found)->l_name;
  std::error_code error;
  const fs::path file = *name != '\0' ? fs::absolute(name, error) : fs::read_symlink("/proc/self/exe", error);
  return file.parent_path();
}

std::vector<fs::path> folders() {
  const char* const asked = std::getenv("CDA_MODULES");
  if (asked != nullptr && *asked != '\0') return {fs::path(asked)};
  const fs::path own = own_folder(), installed = CDA_INSTALLED_MODULES;
  if (own.empty()) return {installed};
  return {own, own / CDA_MODULES_FROM_PROGRAM, installed};
}

}  // namespace

std::string module_path(const std::string& name) {
  std::error_code error;
  for (const fs::path& folder : folders())
    if (const fs::path path = fs::absolute(folder / name, error); fs::exists(path, error)) return path;
  return "";
}

}  // namespace cda
