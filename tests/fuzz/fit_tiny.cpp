// Tables of at most 6 rows and 4 columns with the numbers that break things: zeros of both signs, the largest, the
// smallest, near ties. A fit is finite with directions of length 1, or an Error that says whose fault it is.
#include <cmath>
#include <limits>

#include "cda/cda.hpp"
#include "fuzz/targets.hpp"

namespace cda::fuzz {
namespace {

constexpr double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();
constexpr std::array<double, 20> special{
    0.0,   -0.0,    1.0,  -1.0,    0.5,      2.0,         3.0,      1.0 + 2e-16, 1e-16,
    1e9,   1e9 + 1, -1e9, largest, -largest, largest / 2, smallest, -smallest,   2.2250738585072014e-308,
    1e300, 1e-300};

Table tiny_table(Choices& choices, const char* prefix) {
  const Index rows = 1 + choices.next(6), columns = 1 + choices.next(4);
  Matrix values(rows, columns);
  for (double& value : values.reshaped()) value = special.at(choices.next(special.size()));
  return make_table(values, {}, prefix);
}

void check(const Model& model, bool unit, bool frames) {
  require(!model.pairs.empty(), "a model without pairs");
  for (const Pair& pair : model.pairs) {
    const bool finite = pair.x_weights.allFinite() && pair.y_weights.allFinite() && pair.x_direction.allFinite() &&
                        pair.y_direction.allFinite() && std::isfinite(pair.x_intercept) &&
                        std::isfinite(pair.y_intercept) && std::isfinite(pair.scale) &&
                        std::isfinite(pair.divergence) && std::isfinite(pair.objective) &&
                        pair.x_loadings.allFinite() && pair.y_loadings.allFinite();
    require(finite, "a number of the model is not finite");
    if (!unit) continue;
    require(std::abs(pair.x_direction.norm() - 1.0) < 1e-6 && std::abs(pair.y_direction.norm() - 1.0) < 1e-6,
            "a direction that is not of length 1");
  }
  if (!frames) return;
  for (const Matrix& directions : {model.directions.x, model.directions.y}) {
    const Matrix gram = directions.transpose() * directions;
    require((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < 1e-6,
            "directions that are not orthonormal");
  }
}

}  // namespace

void fit_tiny(std::string_view input) {
  Choices choices(input);
  static constexpr std::array<const char*, 9> methods{"iCDA",   "CDA_M",  "CDA_Q",  "CDA_P",  "rCDA_M",
                                                      "rCDA_Q", "rCDA_P", "mCDA_P", "mrCDA_P"};
  FitOptions options;
  options.method = methods.at(choices.next(methods.size()));
  options.components = static_cast<Index>(choices.next(3));
  options.starts = 2;
  options.refined = 1;
  options.stopping.iterations = 5;
  options.threads = 1;
  options.few_valued = choices.next(2) == 1 ? FewValued::keep : FewValued::drop;
  const Table x = tiny_table(choices, "x"), y = tiny_table(choices, "y");
  try {
    const Model model = fit(x, y, options);
    const std::string method = options.method;
    check(model, method[0] != 'r' && method != "mrCDA_P", method == "mCDA_P");
    const std::string text = model.to_json();
    require(Model::from_json(text, "fit.json").to_json() == text, "a model that cannot be kept");
  } catch (const Error& error) {
    require(error.fault() != Fault::internal, std::string("an internal error: ") + error.what());
    require(harmless(error.what()), "a message that is not harmless: " + in_quotes(error.what(), 400));
  }
}

}  // namespace cda::fuzz
