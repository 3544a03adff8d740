// The electricity of one building, learnt from another one's meters (experiment/two_buildings.hpp). Beside the paper's
// figure on its pair of office buildings, which is not public.
#include "experiment/real_data.hpp"
#include "experiment/transfer_study.hpp"
#include "experiment/two_buildings.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

class BuildingRegression final : public Experiment {
 public:
  explicit BuildingRegression(const Settings& settings)
      : folder_(data_folder(settings.text("data"))), study_(transfer_study("building_regression", settings)) {
    study_.sizes = {1, 2, 4, 6, 8};
  }

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Results results;
    results.title =
        "Electricity of a room, learnt from another building: mean |y - prediction| in its standard deviations";
    auto buildings = two_buildings(folder_, results.notes);
    if (!buildings) return results;
    TransferData data{.x = std::move(buildings->x), .y = std::move(buildings->y)};
    data.x_targets = take_column(data.x, "electricity");
    const Vector electricity = take_column(data.y, "electricity");
    // Only a unit to report in: kWh of one room say little.
    const double sd = std::sqrt((electricity.array() - electricity.mean()).square().mean());
    data.y_targets = electricity / sd;
    run_transfer_study(study_, data, options, observer, results);
    return results;
  }

 private:
  std::string folder_;
  TransferStudy study_;
};

}  // namespace

CDA_PART(Experiment, building_regression) {
  return {.info = {.name = {},
                   .summary = "cross-domain regression: electricity of a room from another building's meters",
                   .reference = "docs/transfer.md",
                   .options = transfer_study_options("20")},
          .make = [](const Settings& settings) -> std::unique_ptr<Experiment> {
            return std::make_unique<BuildingRegression>(settings);
          }};
}
