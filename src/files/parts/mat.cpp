// MATLAB files of all versions. Those up to 7.2 are read here, 7.3 is HDF5.
#include "base/part.hpp"
#include "files/hdf5_module.hpp"
#include "files/input_file.hpp"
#include "files/isolated.hpp"
#include "files/mat_variable.hpp"

using namespace cda;

namespace {

using namespace std::string_view_literals;

// "MATLAB 5.0 MAT-file", 7.3 and the like. Version 4 has no mark.
bool has_mark(std::string_view head) {
  return head.substr(0, 7) == "MATLAB "sv && head.size() > 10 && head.substr(10, 9) == " MAT-file"sv;
}
bool is_hdf5(std::string_view head) { return head.size() > 520 && head.substr(512, 8) == "\x89HDF\r\n\x1a\n"sv; }

class Mat final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"mat"}; }
  bool recognises(std::string_view head) const override { return has_mark(head); }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    if (is_hdf5(file.head())) return read_73(file, options);
    const bool version_5 = has_mark(file.head());
    const std::string bytes = file.bytes();
    if (bytes.empty()) throw Error(Fault::input, "mat.empty-file", "the file is empty", "", {.file = file.shown()});
    return table_of(version_5 ? mat5_variables(bytes, file.shown(), file.most_bytes())
                              : mat4_variables(bytes, file.shown(), file.most_bytes()),
                    options, file.shown());
  }

 private:
  static RawTable read_73(InputFile& file, const ReadOptions& options) {
    const Hdf5Module& module = hdf5_module(file, "MATLAB 7.3", "scripts/add hdf5 adds it; or in MATLAB: save -v7");
    return read_isolated(file, "HDF5", [&] { return module.read_mat73(file, options); });
  }
};

constexpr const char* what = "MATLAB: a matrix of numbers, full or sparse, of files of versions 4 to 7.3";
constexpr const char* without_73 =
    "MATLAB: a matrix of numbers, full or sparse, of files of versions 4 to 7.2; 7.3: not installed (scripts/add hdf5)";

}  // namespace

CDA_PART(Format, mat) {
  return {.info = {.name = {},
                   .summary = has_hdf5_module() ? what : without_73,
                   .reference = "The MathWorks, MAT-File Format",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Mat>(); }};
}
