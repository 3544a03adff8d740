// Whitened principal components, the first of X beside the first of Y, and so on: what any method that looks at shapes
// has to beat. Component i of a table with covariance E D E' is E_i / sqrt(D_i), largest variance first, so that values
// have variance one on both sides. A component's sign says nothing; it is set so that the tables can be compared:
//   skewness  the third moment is positive
//   energy    the values of the larger half by magnitude have a positive sum
#include <algorithm>
#include <cmath>

#include "cda/baseline.hpp"
#include "cda/projection.hpp"
#include "foundation/linear_algebra.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

double third_moment(const Vector& values) { return values.array().cube().sum(); }

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
  explicit Pca(const Settings& settings) : skewness_(settings.choice("sign", {"skewness", "energy"}) == "skewness") {}

  BaselineMaps fit(const BaselineTask& task) const override {
    const Side x = components(task.x, task), y = components(task.y, task);
    return {.directions = {x.directions, y.directions, Vector::Ones(task.components)},
            .figures = 0.5 * (x.shares + y.shares)};
  }
  std::string figure_name() const override { return "share of the variance, mean of both tables"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }

 private:
  struct Side {
    Matrix directions;  // p x r
    Vector shares;      // of the variance
  };

  Side components(const Matrix& rows, const BaselineTask& task) const {
    const Sample sample(rows, task.executor);
    const Index r = task.components;
    const Axes axes = sample.few_rows() ? axes_of_few_rows(rows.rowwise() - sample.mean().transpose())
                                        : principal_axes(sample.covariance());
    const Vector variances = axes.values.tail(r).reverse();
    Side side{axes.vectors.rightCols(r).rowwise().reverse(), variances / sample.total_variance()};
    side.directions *= variances.cwiseSqrt().cwiseInverse().asDiagonal();
    for (Index j = 0; j < r; ++j) {
      const Vector values = (rows * side.directions.col(j)).array() - sample.mean().dot(side.directions.col(j));
      if ((skewness_ ? third_moment(values) : outer_sum(values)) < 0.0) side.directions.col(j) *= -1.0;
    }
    return side;
  }

  bool skewness_;
};

}  // namespace

CDA_PART(Baseline, pca) {
  return {.info = {.name = {},
                   .summary = "whitened principal components of each table, paired by rank",
                   .reference = "Hotelling, J. Educ. Psychol. 24 (1933); signs are our choice",
                   .options = {{"sign", "skewness", "what makes a component positive: skewness or energy"}}},
          .make = [](const Settings& settings) { return std::make_unique<Pca>(settings); }};
}
