// Which day of the week is it, Monday to Friday, in one building, learnt from another (studies/two_buildings.hpp)?
#include "base/part.hpp"
#include "studies/real_data.hpp"
#include "studies/transfer_study.hpp"
#include "studies/two_buildings.hpp"

using namespace cda;

namespace {

std::optional<TransferData> days_of_the_week(const std::string& folder, std::vector<std::string>& notes) {
  auto buildings = two_buildings(folder, notes);
  if (!buildings) return std::nullopt;
  // Y has Monday to Friday only.
  std::vector<Index> working_days;
  for (Index i = 0; i < buildings->x_weekday.size(); ++i)
    if (buildings->x_weekday[i] < 5.0) working_days.push_back(i);
  TransferData data{.x = std::move(buildings->x), .y = std::move(buildings->y), .prediction = Prediction::classes};
  keep_rows(data.x, working_days);
  data.x_targets = buildings->x_weekday(working_days);
  data.y_targets = std::move(buildings->y_weekday);
  return data;
}

}  // namespace

CDA_PART(Experiment, building_weekday) {
  return transfer_experiment(
      {.name = "building_weekday",
       .summary = "cross-domain classification: the day of the week from another building's meters",
       .title = "Day of the week of a room's readings, learnt from another building: classification error",
       .train_rows = "50",
       .sizes = {1, 2, 4, 6, 8},
       .data = days_of_the_week});
}
