// Structural correspondence learning for real-valued tables of the same columns. Columns that behave alike in both
// tables are pivots; each is predicted from all others on the rows of both tables together (peers/pivots.hpp), and
// what the predictors W (d x pivots) have in common is the space:
//
//   W = A D B',   U = V = the first r columns of A.
//
// From Blitzer, McDonald and Pereira (2006) for text, where pivots are words and predictors are classifiers. Our
// choices for real values: ridge regression as predictor; each table standardised by itself; every column a pivot in
// turn unless `pivots` says how many, chosen by the distance of their distributions in the two tables.
#include "base/linear_algebra.hpp"
#include "base/part.hpp"
#include "cda/extend/baseline.hpp"
#include "peers/pivots.hpp"

using namespace cda;

namespace {

class Scl final : public Baseline {
 public:
  explicit Scl(Index pivots) : pivots_(pivots) {}

  BaselineMaps fit(const BaselineTask& task) const override {
    const std::vector<Index> pivots = choose_pivots(task.x, task.y, pivots_);
    const PivotPredictors predictors = pivot_predictors(stacked(task.x, task.y), pivots, task.executor);
    const LeftVectors common = left_vectors(predictors.weights, task.components);
    return {.directions = {common.vectors, common.vectors, Vector::Ones(task.components)},
            .figures = common.values,
            .warnings = common.values[task.components - 1] > 0.0
                            ? std::vector<std::string>()
                            : std::vector<std::string>{"fewer pivots than pairs: the last pairs mean nothing"}};
  }
  std::string figure_name() const override { return "singular value of the pivots' predictors"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }
  bool equal_columns() const override { return true; }

 private:
  Index pivots_;
};

}  // namespace

CDA_PART(Baseline, scl) {
  return {
      .info = {.name = {},
               .summary = "structural correspondence learning, for the same columns (our version for numbers)",
               .reference = "Blitzer, McDonald and Pereira, EMNLP 2006; docs/baselines.md tells what is ours",
               .options = {{"pivots", "0", "how many columns are pivots, those most alike in both; 0: all"}}},
      .make = [](const Settings& settings) { return std::make_unique<Scl>(settings.count("pivots", 0, 1'000'000)); }};
}
