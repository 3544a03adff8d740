#include "use/folds.hpp"

#include <algorithm>
#include <cmath>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"

namespace cda {

UnitColumns::UnitColumns(const Matrix& rows) : means(rows.colwise().mean()), scales(rows.cols()) {
  for (Index j = 0; j < rows.cols(); ++j) {
    const double sd = std::sqrt((rows.col(j).array() - means[j]).square().mean());
    const double rounding = 1e-12 * rows.col(j).cwiseAbs().maxCoeff();
    scales[j] = sd > rounding ? sd : 0.0;
  }
}

Matrix UnitColumns::apply(const Matrix& rows) const {
  Matrix unit = rows.rowwise() - means.transpose();
  for (Index j = 0; j < unit.cols(); ++j) unit.col(j) *= scales[j] > 0.0 ? 1.0 / scales[j] : 0.0;
  return unit;
}

Vector UnitColumns::weights(const Vector& unit_weights) const {
  return unit_weights.binaryExpr(scales,
                                 [](double weight, double scale) { return scale > 0.0 ? weight / scale : 0.0; });
}

double UnitColumns::intercept(const Vector& unit_weights, double unit_intercept) const {
  return unit_intercept - means.dot(weights(unit_weights));
}

std::vector<Index> deal_folds(Index rows, Index folds, std::uint64_t seed, const Vector* labels) {
  std::vector<Index> order = Random(seed, "folds").permutation(rows);
  if (labels != nullptr)
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return (*labels)[a] < (*labels)[b]; });
  std::vector<Index> fold(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    fold[static_cast<std::size_t>(order[i])] = static_cast<Index>(i) % folds;
  return fold;
}

void check_training_rows(const Matrix& rows, const Vector& targets, const LearningOptions& options) {
  if (rows.rows() != targets.size() || rows.rows() == 0)
    throw Error(Fault::usage, "transfer.rows", "training needs rows, and a target for each of them");
  if (!rows.allFinite() || !targets.allFinite())
    throw Error(Fault::usage, "transfer.rows", "rows for training are complete and finite");
  if (options.folds < 2) throw Error(Fault::usage, "option.value", "cross-validation needs at least 2 folds");
  if (options.parameter && !(*options.parameter > 0.0 && std::isfinite(*options.parameter)))
    throw Error(Fault::usage, "option.value", "the parameter of a rule is a positive number");
}

}  // namespace cda
