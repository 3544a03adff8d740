// HDF5, and AnnData in it. The HDF5 library reads in a process of its own: it was not made for files from strangers.
#include "data/input_file.hpp"
#include "data/isolated.hpp"
#include "foundation/part.hpp"
#ifdef CDA_WITH_HDF5
#include "data/hdf5_table.hpp"
#endif

using namespace cda;

namespace {

class Hdf5 final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"h5", "hdf5", "hdf", "he5", "h5ad"}; }
  bool recognises(std::string_view head) const override {
    using namespace std::string_view_literals;
    return head.substr(0, 8) == "\x89HDF\r\n\x1a\n"sv;
  }

#ifdef CDA_WITH_HDF5
  RawTable read(InputFile& file, const ReadOptions& options) const override {
    return read_isolated(file, "HDF5", [&] { return hdf5::read_table(file, options); });
  }
#else
  RawTable read(InputFile& file, const ReadOptions& /*options*/) const override {
    throw Error(Fault::usage, "format.not-built", "this is an HDF5 file, and this cda was built without HDF5",
                "build it with -DCDA_WITH_HDF5=ON", {.file = file.shown()});
  }
#endif
};

#ifdef CDA_WITH_HDF5
constexpr const char* what =
    "HDF5: a dataset of numbers or records; AnnData (.h5ad): X, layers, obsm, obs and the like";
#else
constexpr const char* what = "HDF5 and AnnData (.h5ad): not in this build (-DCDA_WITH_HDF5=ON)";
#endif

}  // namespace

CDA_PART(Format, hdf5) {
  return {
      .info = {.name = {}, .summary = what, .reference = "The HDF Group; Virshup et al. 2024, anndata", .options = {}},
      .make = [](const Settings&) { return std::make_unique<Hdf5>(); }};
}
