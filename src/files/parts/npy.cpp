// One NumPy array, as numpy.save writes it.
#include "base/part.hpp"
#include "files/input_file.hpp"
#include "files/npy_array.hpp"

using namespace cda;

namespace {

class Npy final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"npy"}; }
  bool recognises(std::string_view head) const override { return is_npy(head); }
  bool writes() const override { return true; }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    NpySource source{.read = [&](char* to, std::size_t count) { return file.read(to, count); },
                     .size = {},
                     .most_bytes = file.most_bytes(),
                     .file = file.shown()};
    if (file.compression().empty() && file.size() > 0) source.size = file.size();
    if (!options.variable.empty())
      throw Error(Fault::usage, "npy.variable", "a .npy file holds one array without a name", "leave out --variable",
                  {.file = file.shown()});
    return read_npy(source);
  }
  std::string written(const Table& table) const override { return written_npy(table); }
};

}  // namespace

CDA_PART(Format, npy) {
  return {.info = {.name = {},
                   .summary = "one NumPy array: numbers, or records with named fields",
                   .reference = "numpy.lib.format, versions 1 to 3",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Npy>(); }};
}
