// Weka's attribute-relation format.
#include "base/part.hpp"
#include "files/arff_text.hpp"
#include "files/input_file.hpp"

using namespace cda;

namespace {

class Arff final : public Format {
 public:
  std::vector<std::string> endings() const override { return {"arff"}; }

  RawTable read(InputFile& file, const ReadOptions& options) const override {
    const std::string text = file.text(options.encoding);
    return read_arff(text, file.shown(), options);
  }
};

}  // namespace

CDA_PART(Format, arff) {
  return {.info = {.name = {},
                   .summary = "Weka's text format with declared attributes, dense or sparse; nominal ones are text",
                   .reference = "Weka manual, chapter ARFF",
                   .options = {}},
          .make = [](const Settings&) { return std::make_unique<Arff>(); }};
}
