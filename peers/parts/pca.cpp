// Whitened principal components, the first of X beside the first of Y, and so on: what any method that looks at shapes
// has to beat. Component i of a table with covariance E D E' is E_i / sqrt(D_i), largest variance first, so that values
// have variance one on both sides. A component's sign says nothing; it is set so that the tables can be compared:
//   skewness  the third moment is positive
//   energy    the values of the larger half by magnitude have a positive sum
#include <algorithm>
#include <cmath>

#include "base/part.hpp"
#include "cda/error.hpp"
#include "cda/extend/baseline.hpp"
#include "peers/whitened_components.hpp"

using namespace cda;

namespace {

// The sum over the half of the rows that lie farthest out.
double outer_sum(const Vector& values) {
  Vector magnitudes = values.cwiseAbs();
  const auto middle = magnitudes.size() / 2;
  std::nth_element(magnitudes.begin(), magnitudes.begin() + middle, magnitudes.end());
  const double median = magnitudes[middle];
  return (values.array().abs() >= median).select(values.array(), 0.0).sum();
}

class Pca final : public Baseline {
 public:
  explicit Pca(const Settings& settings) : energy_(settings.choice("sign", {"skewness", "energy"}) == "energy") {}

  BaselineMaps fit(const BaselineTask& task) const override {
    const WhitenedComponents x = components(task.x, task.components), y = components(task.y, task.components);
    return {.directions = {x.directions, y.directions, Vector::Ones(task.components)},
            .figures = 0.5 * (x.shares + y.shares)};
  }
  std::string figure_name() const override { return "share of the variance, mean of both tables"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }

 private:
  WhitenedComponents components(const Matrix& rows, Index count) const {
    WhitenedComponents found = whitened_components(rows, count);
    if (found.directions.cols() < count)
      throw Error(Fault::numerical, "data.rank", "a table varies in fewer dimensions than pairs are asked for");
    if (energy_)
      for (Index j = 0; j < count; ++j) {
        auto direction = found.directions.col(j);
        if (outer_sum((rows * direction).array() - found.mean.dot(direction)) < 0.0) direction *= -1.0;
      }
    return found;
  }

  bool energy_;
};

}  // namespace

CDA_PART(Baseline, pca) {
  return {.info = {.name = {},
                   .summary = "whitened principal components of each table, paired by rank",
                   .reference = "Hotelling, J. Educ. Psychol. 24 (1933); signs are our choice",
                   .options = {{"sign", "skewness", "what makes a component positive: skewness or energy"}}},
          .make = [](const Settings& settings) { return std::make_unique<Pca>(settings); }};
}
