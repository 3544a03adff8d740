// Comma-separated values and their kin: a line of names, then one line of numbers per row. Strict as RFC 4180, the
// delimiter found among comma, tab, semicolon and pipe.
#include "base/part.hpp"
#include "files/csv_reader.hpp"
#include "files/input_file.hpp"

using namespace cda;

namespace {

class Csv final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"csv", "tsv", "txt"}; }
  bool writes() const override { return true; }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const std::string text = file.text(options.encoding);
    return read_csv(text, file.shown(), options, {.threads = options.threads});
  }
  std::string written(const Table& table) const override { return to_csv(table); }
};

}  // namespace

CDA_PART(Format, csv) {
  return {.info = {.name = {},
                   .summary = "text: a line of column names, then one line of numbers per row (CSV, TSV and the like)",
                   .reference = "RFC 4180",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Csv>(); }};
}
