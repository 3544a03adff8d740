// The module cda_hdf5.so. It has a copy of what it needs of the library; types pass, for both are of one build.
#include "cda/extend/version.hpp"
#include "files/hdf5/mat73.hpp"
#include "files/hdf5/table.hpp"
#include "files/hdf5_module.hpp"

namespace cda::hdf5 {
namespace {

RawTable read_mat73(const InputFile& input, const ReadOptions& options) {
  const File file(input);
  return table_of(mat73_variables(file), options, input.shown());
}

constexpr Hdf5Module offered{.version = version, .read_table = read_table, .read_mat73 = read_mat73};

}  // namespace
}  // namespace cda::hdf5

extern "C" __attribute__((visibility("default"))) const cda::Hdf5Module* cda_hdf5_module() {
  return &cda::hdf5::offered;
}
