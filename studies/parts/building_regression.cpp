// The electricity of one building, learnt from another one's meters (studies/two_buildings.hpp). Beside the paper's
// figure on its pair of office buildings, which is not public.
#include <cmath>

#include "base/part.hpp"
#include "studies/real_data.hpp"
#include "studies/transfer_study.hpp"
#include "studies/two_buildings.hpp"

using namespace cda;

namespace {

class BuildingRegression final : public TransferExperiment {
 public:
  explicit BuildingRegression(const Settings& settings)
      : TransferExperiment("building_regression", {1, 2, 4, 6, 8}, settings) {}

 protected:
  std::string title() const override {
    return "Electricity of a room, learnt from another building: mean |y - prediction| in its standard deviations";
  }

  std::optional<TransferData> data(const std::string& folder, std::vector<std::string>& notes) const override {
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
};

}  // namespace

CDA_PART(Experiment, building_regression) {
  return {.info = {.name = {},
                   .summary = "cross-domain regression: electricity of a room from another building's meters",
                   .reference = "docs/transfer.md",
                   .options = TransferExperiment::options("20")},
          .make = [](const Settings& settings) -> std::unique_ptr<Experiment> {
            return std::make_unique<BuildingRegression>(settings);
          }};
}
