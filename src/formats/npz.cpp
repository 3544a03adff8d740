// Several NumPy arrays in a zip archive, as numpy.savez writes it. An array of texts called `columns` that has one for
// each column names them.
#include <fmt/format.h>

#include <cstring>

#include "data/array_choice.hpp"
#include "data/input_file.hpp"
#include "data/npy_array.hpp"
#include "data/zip.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

constexpr std::string_view ending = ".npy";
constexpr const char* names_array = "columns";

class Npz final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"npz"}; }
  // Other zip archives (xlsx, ods) begin alike, but not with an array.
  bool recognises(std::string_view head) const override {
    if (head.size() < 30 || head.substr(0, 4) != "PK\x03\x04") return false;
    const std::size_t length = static_cast<unsigned char>(head[26]) + 256U * static_cast<unsigned char>(head[27]);
    const std::string_view name = head.substr(30, length);
    return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
  }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const std::string archive = file.bytes();
    std::vector<NamedArray> arrays;
    std::vector<ZipEntry> entries;
    const ZipEntry* names = nullptr;
    const std::vector<ZipEntry> all = zip_entries(archive, file.shown());
    for (const ZipEntry& entry : all) {
      if (entry.name.size() <= ending.size() || entry.name.substr(entry.name.size() - ending.size()) != ending)
        continue;
      const std::string name = entry.name.substr(0, entry.name.size() - ending.size());
      if (name == names_array && options.variable != names_array) {
        names = &entry;
        continue;
      }
      arrays.push_back({name, ""});
      entries.push_back(entry);
    }
    if (arrays.empty() && names != nullptr) {  // nothing but an array that happens to be called that
      arrays.push_back({names_array, ""});
      entries.push_back(*names);
      names = nullptr;
    }
    if (arrays.empty())
      throw Error(Fault::input, "npz.empty", "the zip archive holds no NumPy array",
                  "numpy.savez writes such archives; a spreadsheet has to be saved as CSV", {.file = file.shown()});
    const std::size_t chosen = chosen_array(arrays, options.variable, file.shown());
    RawTable table = array_in(archive, entries[chosen], file);
    if (names != nullptr) take_names(table, array_in(archive, *names, file));
    return table;
  }

 private:
  static RawTable array_in(const std::string& archive, const ZipEntry& entry, const InputFile& file) {
    const std::string content = zip_content(archive, entry, file.most_bytes(), file.shown());
    std::size_t at = 0;
    return read_npy({.read =
                         [&](char* to, std::size_t count) {
                           count = std::min(count, content.size() - at);
                           std::memcpy(to, content.data() + at, count);
                           at += count;
                           return count;
                         },
                     .size = content.size(),
                     .most_bytes = file.most_bytes(),
                     .file = file.shown()});
  }

  static void take_names(RawTable& table, const RawTable& names) {
    if (names.columns.size() != 1 || names.columns[0].texts.size() != table.columns.size()) {
      table.warnings.push_back(
          fmt::format("{}: the array \"columns\" does not hold {} texts and does not name the columns", table.file,
                      table.columns.size()));
      return;
    }
    for (std::size_t j = 0; j < table.columns.size(); ++j) table.columns[j].name = names.columns[0].texts[j];
  }
};

}  // namespace

CDA_PART(Format, npz) {
  return {
      .info = {.name = {},
               .summary = "NumPy arrays in a zip archive; --variable chooses one, an array `columns` names its columns",
               .reference = "numpy.savez, numpy.savez_compressed",
               .options = {}},
      .make = [](const Settings&) { return std::make_unique<Npz>(); }};
}
