// A model that can be loaded can be saved, and loading that gives the same again. Everything else is an Error.
#include "cda/error.hpp"
#include "cda/model.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {

void model_json(std::string_view input) {
  Model model;
  try {
    model = Model::from_json(std::string(input), "fuzz.json");
  } catch (const Error& error) {
    require(error.fault() == Fault::input, std::string("not an error of input: ") + error.what());
    require(harmless(error.what()), "a message that is not harmless: " + in_quotes(error.what(), 400));
    return;
  }
  const std::string saved = model.to_json();
  const std::string again = Model::from_json(saved, "again.json").to_json();
  require(saved == again, "saved twice, and not the same");
}

}  // namespace cda::fuzz
