// The truth.json of `cda synth`, not to be believed before it was checked.
#include "base/json_field.hpp"
#include "cda/score.hpp"

namespace cda {
namespace {

// A list of directions, each a list by column.
Matrix directions(const Field& field) {
  const std::vector<Field> list = field.items();
  if (list.empty()) return {};
  const auto columns = static_cast<Index>(list.front().items().size());
  return field.matrix(static_cast<Index>(list.size()), columns).transpose();
}

}  // namespace

TrueDirections true_directions(const std::string& text, const std::string& source) {
  JsonSource origin{.file = source, .kind = "a file of true directions", .code = "truth"};
  const Json json = parsed_json(text, origin);
  const Field file(json, "", origin);
  TrueDirections truth{directions(file.at("x_directions")), directions(file.at("y_directions"))};
  if (truth.x.size() == 0 || truth.y.size() == 0)
    throw Error(Fault::input, "score.truth", "there are no directions that carry what both tables share", {}, {source});
  return truth;
}

}  // namespace cda
