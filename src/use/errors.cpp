// Errors of predictions, and of the same predictions dealt to the rows at random.
//
//   numbers   mean over all i, j of |y_i - p_j|, by sorting: for values in increasing order the distances to all
//             smaller ones are sums of gaps, O(n log n)
//   classes   1 - sum over classes of (share predicted) (share true)
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/transfer.hpp"

namespace cda {
namespace {

void check_sizes(const Vector& predicted, const Vector& truth) {
  if (predicted.size() != truth.size() || truth.size() == 0)
    throw Error(Fault::usage, "transfer.rows", "errors need as many predictions as true values, at least one");
}

}  // namespace

MeanAndSpread mean_and_spread(const Vector& values) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Index n = values.size();
  if (n == 0) return {unknown, unknown};
  const double mean = values.mean();
  const double squared = (values.array() - mean).square().sum();
  return {mean, n < 2 ? unknown : std::sqrt(squared / static_cast<double>(n - 1))};
}

MeanAndSpread average_error(const Vector& predicted, const Vector& truth) {
  check_sizes(predicted, truth);
  return mean_and_spread((predicted - truth).cwiseAbs());
}

MeanAndSpread classification_error(const Vector& predicted, const Vector& truth) {
  check_sizes(predicted, truth);
  return mean_and_spread((predicted.array() != truth.array()).cast<double>());
}

double chance_average_error(const Vector& predicted, const Vector& truth) {
  check_sizes(predicted, truth);
  std::vector<std::pair<double, bool>> values;  // and whether it is a prediction
  for (const double value : predicted) values.emplace_back(value, true);
  for (const double value : truth) values.emplace_back(value, false);
  std::sort(values.begin(), values.end());
  // Between two neighbours lie all pairs with one value on either side.
  const auto n = static_cast<double>(truth.size());
  double below_predicted = 0.0, below_true = 0.0, sum = 0.0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    (values[i].second ? below_predicted : below_true) += 1.0;
    sum += (values[i + 1].first - values[i].first) *
           (below_predicted * (n - below_true) + below_true * (n - below_predicted));
  }
  return sum / (n * n);
}

double chance_classification_error(const Vector& predicted, const Vector& truth) {
  check_sizes(predicted, truth);
  std::map<double, std::pair<double, double>> shares;
  const auto n = static_cast<double>(truth.size());
  for (const double value : predicted) shares[value].first += 1.0 / n;
  for (const double value : truth) shares[value].second += 1.0 / n;
  double same = 0.0;
  for (const auto& [value, share] : shares) same += share.first * share.second;
  return 1.0 - same;
}

}  // namespace cda
