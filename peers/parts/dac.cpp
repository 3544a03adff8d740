// Domain adaptation with coupled subspaces, for real-valued tables of the same columns. As in scl.cpp every pivot is
// predicted from the other columns, but in each table by itself: W_x and W_y (d x pivots). What they share is found in
// the space of the pivots,
//
//   [W_x; W_y] = A D B',   U = the first d rows of A's first r columns, V the others,
//
// and each of their columns is scaled so that its values have variance one on its own table. Where both tables behave
// alike, W_x = W_y and U = V span what SCL finds.
//
// After Blitzer, Foster and Kakade (2011), whose text gives the idea of coupled subspaces; everything else is our own.
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/part.hpp"
#include "cda/extend/baseline.hpp"
#include "peers/pivots.hpp"

using namespace cda;

namespace {

// Directions scaled so that the values of the (centred) rows have variance one; those without any values are left.
Matrix unit_variance(const Matrix& rows, Matrix directions) {
  const Matrix values = rows * directions;
  for (Index j = 0; j < directions.cols(); ++j) {
    const double variance = values.col(j).squaredNorm() / static_cast<double>(rows.rows());
    if (variance > 0.0) directions.col(j) /= std::sqrt(variance);
  }
  return directions;
}

class Dac final : public Baseline {
 public:
  explicit Dac(Index pivots) : pivots_(pivots) {}

  BaselineMaps fit(const BaselineTask& task) const override {
    const std::vector<Index> pivots = choose_pivots(task.x, task.y, pivots_);
    const Matrix x = pivot_predictors(task.x, pivots, task.executor).weights;
    const Matrix y = pivot_predictors(task.y, pivots, task.executor).weights;
    const LeftVectors common = left_vectors(stacked(x, y), task.components);
    return {.directions = {unit_variance(task.x, common.vectors.topRows(x.rows())),
                           unit_variance(task.y, common.vectors.bottomRows(y.rows())), Vector::Ones(task.components)},
            .figures = common.values};
  }
  std::string figure_name() const override { return "singular value of both tables' predictors"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }
  bool equal_columns() const override { return true; }

 private:
  Index pivots_;
};

}  // namespace

CDA_PART(Baseline, dac) {
  return {
      .info = {.name = {},
               .summary = "domain adaptation with coupled subspaces, for the same columns (a reconstruction)",
               .reference = "after Blitzer, Foster and Kakade, AISTATS 2011; docs/baselines.md tells what is ours",
               .options = {{"pivots", "0", "how many columns are pivots, those most alike in both; 0: all"}}},
      .make = [](const Settings& settings) { return std::make_unique<Dac>(settings.count("pivots", 0, 1'000'000)); }};
}
