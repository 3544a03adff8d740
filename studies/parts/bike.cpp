// Rented bicycles by the hour and by the day: is what was learnt from hours of use for days?
//
// X is the table of hours (12 attributes), Y that of days (11, all of them in X as well), the target is how many
// bicycles were rented; in a day there are 24 times as many as in an hour. Bike Sharing of the UCI Machine Learning
// Repository (Fanaee-T and Gama 2013), the paper's data for cross-domain regression.
#include <fmt/format.h>

#include "base/part.hpp"
#include "studies/real_data.hpp"
#include "studies/transfer_study.hpp"

using namespace cda;

namespace {

std::optional<TransferData> hours_and_days(const std::string& folder, std::vector<std::string>& notes) {
  const std::string origin = "the UCI Machine Learning Repository, Bike Sharing";
  const std::vector<std::string> left_out = {"instant", "dteday", "casual", "registered"};  // the last two sum to cnt
  auto tables = read_data(
      folder, {{"bike_sharing/hour.csv", origin, left_out}, {"bike_sharing/day.csv", origin, left_out}}, notes);
  if (!tables) return std::nullopt;
  TransferData data{.x = std::move((*tables)[0]), .y = std::move((*tables)[1]), .decimals = 0};
  data.x_targets = take_column(data.x, "cnt");
  data.y_targets = take_column(data.y, "cnt");
  return data;
}

// The rule of the hours as it stands, and 24 times what it says: no row of Y is needed.
void without_a_map(const TransferData& data, Results& results) {
  const std::vector<std::string> common = common_columns(data.x, data.y);
  const RidgeRule rule = fit_ridge(with_columns(data.x, common).values, data.x_targets);
  const Vector predicted = rule.predict(with_columns(data.y, common).values);
  for (const double factor : {1.0, 24.0}) {
    std::vector<Cell> row(results.columns.size());
    row[0] = fmt::format("no map: hours alone, no unit learnt{}", factor == 1.0 ? "" : ", times 24");
    row[1] = fmt::format("{0} + {0}", common.size());
    row[2] = static_cast<Index>(common.size());
    row[3] = Index{1};
    row[4] = average_error(factor * predicted, data.y_targets).mean;
    row[6] = chance_average_error(factor * predicted, data.y_targets);
    results.rows.push_back(std::move(row));
  }
}

}  // namespace

CDA_PART(Experiment, bike) {
  return transfer_experiment({.name = "bike",
                              .summary = "cross-domain regression: bicycles per day from bicycles per hour (UCI data)",
                              .title = "Bicycles rented per day, learnt from hours: mean |count - prediction|",
                              .train_rows = "20",
                              .sizes = {1, 2, 4, 6, 8, 10},
                              .data = hours_and_days,
                              .add_rows = without_a_map});
}
