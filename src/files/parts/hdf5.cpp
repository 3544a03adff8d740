// HDF5, and AnnData in it. The HDF5 library reads in a process of its own: it was not made for files from strangers.
#include "base/part.hpp"
#include "files/hdf5_module.hpp"
#include "files/input_file.hpp"
#include "files/isolated.hpp"

using namespace cda;

namespace {

class Hdf5 final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"h5", "hdf5", "hdf", "he5", "h5ad"}; }
  bool recognises(std::string_view head) const override {
    using namespace std::string_view_literals;
    return head.substr(0, 8) == "\x89HDF\r\n\x1a\n"sv;
  }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const Hdf5Module& module = hdf5_module(file, "HDF5", "scripts/add hdf5 adds it");
    return read_isolated(file, "HDF5", [&] { return module.read_table(file, options); });
  }
};

constexpr const char* what =
    "HDF5: a dataset of numbers or records; AnnData (.h5ad): X, layers, obsm, obs and the like";
constexpr const char* not_installed = "HDF5 and AnnData (.h5ad): not installed (scripts/add hdf5)";

}  // namespace

CDA_PART(Format, hdf5) {
  return {.info = {.name = {},
                   .summary = has_hdf5_module() ? what : not_installed,
                   .reference = "The HDF Group; Virshup et al. 2024, anndata",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Hdf5>(); }};
}
