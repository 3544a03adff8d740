// The values of a side, s, are approximated by at most K of its columns: the subset whose regression explains the most
// of their variance, grown one column at a time and then improved by exchanging one column for another until no
// exchange helps. With R the correlations among the columns and r those with s, a subset S explains
// r_S' R_SS^-1 r_S of the variance, so no row is looked at again: O(K^2 p) subsets of size K a pass.
#include "find/pairs/sparse.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "find/pairs/search.hpp"

namespace cda {
namespace {

using Subset = std::vector<Index>;

// Correlations among columns of length one: all of them at hand or, where columns are more than rows, made when needed.
class Correlations {
 public:
  explicit Correlations(const Matrix& unit) : unit_(unit) {
    if (unit.cols() <= unit.rows()) all_ = unit.transpose() * unit;
  }
  Matrix among(const Subset& subset) const {
    if (all_.size() > 0) return all_(subset, subset);
    const Matrix chosen = unit_(Eigen::all, subset);
    return chosen.transpose() * chosen;
  }

 private:
  const Matrix& unit_;
  Matrix all_;
};

Vector coefficients(const Correlations& columns, const Vector& with, const Subset& subset) {
  return symmetric_solve(columns.among(subset), with(subset));
}

double explained(const Correlations& among, const Vector& with, const Subset& subset) {
  return coefficients(among, with, subset).dot(Vector(with(subset)));
}

// The one column, not in the subset, that explains most together with it.
Index best_addition(const Correlations& among, const Vector& with, Subset subset, double& value) {
  Index best = -1;
  subset.push_back(0);
  for (Index j = 0; j < with.size(); ++j) {
    if (std::find(subset.begin(), subset.end() - 1, j) != subset.end() - 1) continue;
    subset.back() = j;
    const double candidate = explained(among, with, subset);
    if (best >= 0 && candidate <= value) continue;
    best = j;
    value = candidate;
  }
  return best;
}

Subset best_subset(const Correlations& among, const Vector& with, Index most, const Stopping& stopping) {
  constexpr int most_passes = 10;
  Subset subset;
  double value = 0.0;
  while (static_cast<Index>(subset.size()) < std::min(most, with.size()))
    subset.push_back(best_addition(among, with, subset, value));
  bool improved = static_cast<Index>(subset.size()) < with.size();
  for (int pass = 0; improved && pass < most_passes && stopping.asked_enough().empty(); ++pass) {
    improved = false;
    for (std::size_t i = 0; i < subset.size(); ++i) {
      Subset others = subset;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      double exchanged = 0.0;
      const Index instead = best_addition(among, with, others, exchanged);
      if (exchanged <= value * (1.0 + 1e-12) || instead == subset[i]) continue;
      subset[i] = instead;
      value = exchanged;
      improved = true;
    }
  }
  std::sort(subset.begin(), subset.end());
  return subset;
}

// One side of one pair: new direction and weights, of the same norm as before. Returns the share of variance kept.
double limit_side(Index most, const Matrix& columns, const PreparedColumns& preparation, const Vector& values,
                  const Stopping& stopping, Eigen::Ref<Vector> direction, Vector& weights) {
  const Matrix unit = unit_columns(columns);
  const Vector with = unit.transpose() * unit_columns(values);
  const Correlations among(unit);
  const Subset subset = best_subset(among, with, most, stopping);
  const Vector chosen = coefficients(among, with, subset);
  weights = Vector::Zero(preparation.inputs());
  for (std::size_t i = 0; i < subset.size(); ++i) {
    const Index j = subset[i];
    const auto column = columns.col(j).array();
    const double norm = std::sqrt((column - column.mean()).square().sum());
    const auto k = static_cast<std::size_t>(j);
    weights[preparation.kept()[k]] = std::ldexp(chosen[static_cast<Index>(i)] / norm, -preparation.exponents()[k]);
  }
  const Vector shorter = preparation.directions(weights);
  const double factor = direction.norm() / shorter.norm();
  weights *= factor;
  direction = shorter * factor;
  return std::clamp(chosen.dot(Vector(with(subset))), 0.0, 1.0);
}

}  // namespace

Matrix correlations(const Matrix& rows, const PreparedColumns& columns, const Matrix& values,
                    const Executor& executor) {
  Matrix correlation = unit_columns(columns.equilibrated(rows), executor).transpose() * unit_columns(values, executor);
  executor.add_over_ranks(correlation);
  Matrix all = Matrix::Zero(rows.cols(), values.cols());
  for (std::size_t j = 0; j < columns.kept().size(); ++j)
    all.row(columns.kept()[j]) = correlation.row(static_cast<Index>(j));
  return all;
}

void limit_columns(Index most, const Matrix& x_rows, const Matrix& y_rows, const Comparison& comparison,
                   const Stopping& stopping, Model& model) {
  const Matrix x_columns = model.x_preparation.equilibrated(x_rows);
  const Matrix y_columns = model.y_preparation.equilibrated(y_rows);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const auto at = static_cast<Index>(i);
    Pair& pair = model.pairs[i];
    pair.agreement_all_columns = pair.agreement;
    pair.x_kept = limit_side(most, x_columns, model.x_preparation, comparison.x.rows() * model.directions.x.col(at),
                             stopping, model.directions.x.col(at), model.x_sparse[at]);
    pair.y_kept = limit_side(most, y_columns, model.y_preparation, comparison.y.rows() * model.directions.y.col(at),
                             stopping, model.directions.y.col(at), model.y_sparse[at]);
    model.y_sparse[at] *= model.directions.scales[at];
    pair.divergence = divergence_of_pair(comparison, model.directions, at);
  }
}

}  // namespace cda
