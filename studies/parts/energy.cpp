// One building in two periods: is it weekend?
//
// X is September to December, Y January and February, nine hourly readings each. A stand-in for the paper's data for
// cross-domain classification, which are not public: the Great Energy Predictor Shootout's building, as in Proben1.
#include "base/part.hpp"
#include "studies/real_data.hpp"
#include "studies/transfer_study.hpp"

using namespace cda;

namespace {

std::optional<TransferData> two_periods(const std::string& folder, std::vector<std::string>& notes) {
  const std::string origin = "the Great Energy Predictor Shootout, as in Proben1 (buildings A)";
  auto tables = read_data(folder,
                          {{"buildings/Z_period1_1989_09_12.csv", origin, {"weekday"}},
                           {"buildings/Z_period2_1990_01_02.csv", origin, {"weekday"}}},
                          notes);
  if (!tables) return std::nullopt;
  TransferData data{.x = std::move((*tables)[0]), .y = std::move((*tables)[1]), .prediction = Prediction::classes};
  data.x_targets = take_column(data.x, "weekend");
  data.y_targets = take_column(data.y, "weekend");
  return data;
}

}  // namespace

CDA_PART(Experiment, energy) {
  return transfer_experiment(
      {.name = "energy",
       .summary = "cross-domain classification: weekend or not, one building in two periods",
       .title = "Weekend or not in one building, learnt from another period: classification error",
       .train_rows = "20",
       .sizes = {1, 2, 3, 5, 7, 9},
       .data = two_periods});
}
