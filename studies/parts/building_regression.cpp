// The electricity of one building, learnt from another one's meters (studies/two_buildings.hpp). Beside the paper's
// figure on its pair of office buildings, which is not public.
#include <cmath>

#include "base/part.hpp"
#include "studies/real_data.hpp"
#include "studies/transfer_study.hpp"
#include "studies/two_buildings.hpp"

using namespace cda;

namespace {

std::optional<TransferData> electricity_of_a_room(const std::string& folder, std::vector<std::string>& notes) {
  auto buildings = two_buildings(folder, notes);
  if (!buildings) return std::nullopt;
  TransferData data{.x = std::move(buildings->x), .y = std::move(buildings->y)};
  data.x_targets = take_column(data.x, "electricity");
  const Vector electricity = take_column(data.y, "electricity");
  // Only a unit to report in: kWh of one room say little.
  const double sd = std::sqrt((electricity.array() - electricity.mean()).square().mean());
  data.y_targets = electricity / sd;
  return data;
}

}  // namespace

CDA_PART(Experiment, building_regression) {
  return transfer_experiment(
      {.name = "building_regression",
       .summary = "cross-domain regression: electricity of a room from another building's meters",
       .title = "Electricity of a room, learnt from another building: mean |y - prediction| in its standard deviations",
       .train_rows = "20",
       .sizes = {1, 2, 4, 6, 8},
       .data = electricity_of_a_room});
}
