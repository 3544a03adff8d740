// One building in two periods: is it weekend?
//
// X is September to December, Y January and February, nine hourly readings each. A stand-in for the paper's data for
// cross-domain classification, which are not public: the Great Energy Predictor Shootout's building, as in Proben1.
#include "experiment/real_data.hpp"
#include "experiment/transfer_study.hpp"
#include "foundation/part.hpp"

using namespace cda;

namespace {

class Energy final : public Experiment {
 public:
  explicit Energy(const Settings& settings)
      : folder_(data_folder(settings.text("data"))), study_(transfer_study("energy", settings)) {
    study_.sizes = {1, 2, 3, 5, 7, 9};
  }

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Results results;
    results.title = "Weekend or not in one building, learnt from another period: classification error";
    const std::string origin = "the Great Energy Predictor Shootout, as in Proben1 (buildings A)";
    auto tables = read_data(folder_,
                            {{"buildings/Z_period1_1989_09_12.csv", origin, {"weekday"}},
                             {"buildings/Z_period2_1990_01_02.csv", origin, {"weekday"}}},
                            results.notes);
    if (!tables) return results;
    TransferData data{.x = std::move((*tables)[0]), .y = std::move((*tables)[1]), .prediction = Prediction::classes};
    data.x_targets = take_column(data.x, "weekend");
    data.y_targets = take_column(data.y, "weekend");
    run_transfer_study(study_, data, options, observer, results);
    return results;
  }

 private:
  std::string folder_;
  TransferStudy study_;
};

}  // namespace

CDA_PART(Experiment, energy) {
  return {.info = {.name = {},
                   .summary = "cross-domain classification: weekend or not, one building in two periods",
                   .reference = "docs/transfer.md",
                   .options = transfer_study_options("20")},
          .make = [](const Settings& settings) -> std::unique_ptr<Experiment> {
            return std::make_unique<Energy>(settings);
          }};
}
