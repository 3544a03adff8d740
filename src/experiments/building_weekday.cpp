// Which day of the week is it, Monday to Friday, in one building, learnt from another (experiment/two_buildings.hpp)?
#include "experiment/real_data.hpp"
#include "experiment/transfer_study.hpp"
#include "experiment/two_buildings.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

class BuildingWeekday final : public Experiment {
 public:
  explicit BuildingWeekday(const Settings& settings)
      : folder_(data_folder(settings.text("data"))), study_(transfer_study("building_weekday", settings)) {
    study_.sizes = {1, 2, 4, 6, 8};
  }

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Results results;
    results.title = "Day of the week of a room's readings, learnt from another building: classification error";
    auto buildings = two_buildings(folder_, results.notes);
    if (!buildings) return results;
    // Y has Monday to Friday only.
    std::vector<Index> working_days;
    for (Index i = 0; i < buildings->x_weekday.size(); ++i)
      if (buildings->x_weekday[i] < 5.0) working_days.push_back(i);
    TransferData data{.x = std::move(buildings->x), .y = std::move(buildings->y), .prediction = Prediction::classes};
    keep_rows(data.x, working_days);
    data.x_targets = buildings->x_weekday(working_days);
    data.y_targets = std::move(buildings->y_weekday);
    run_transfer_study(study_, data, options, observer, results);
    return results;
  }

 private:
  std::string folder_;
  TransferStudy study_;
};

}  // namespace

CDA_PART(Experiment, building_weekday) {
  return {.info = {.name = {},
                   .summary = "cross-domain classification: the day of the week from another building's meters",
                   .reference = "docs/transfer.md",
                   .options = transfer_study_options("50")},
          .make = [](const Settings& settings) -> std::unique_ptr<Experiment> {
            return std::make_unique<BuildingWeekday>(settings);
          }};
}
