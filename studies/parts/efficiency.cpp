// The paper's table on reconstruction costs: unit norm as a constraint against norms held by a cost, which it reports
// to be five times as fast.
#include "studies/durations.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

class Efficiency final : public Experiment {
 public:
  explicit Efficiency(const Settings& settings) : rows_(settings.count("rows", 20, 1'000'000)) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    // CDA_M has a solver of its own; the descent that the paper times is natural gradient.
    Contender mallows = contender("CDA_M");
    mallows.options.optimiser = "natural_gradient";
    mallows.name = "CDA_M, descended";
    std::vector<TimedPair> pairs{
        {contender("CDA_Q"), contender("rCDA_Q")}, {mallows, contender("rCDA_M")}, {mallows, contender("CDA_M")}};
    if (options.effort != ExperimentOptions::Effort::quick)
      pairs.push_back({contender("mCDA_P"), contender("mrCDA_P")});
    Results results = compare_durations("efficiency", pairs, rows_, options, observer);
    results.title = "Norms as a constraint (first) against norms as a cost (second)";
    results.notes.insert(results.notes.begin(),
                         {"the paper reports the second to take about a fifth of the first's time",
                          "CDA_M against itself: the global solver against the descent",
                          "times vary from run to run; everything else is the same on every run"});
    return results;
  }

 private:
  Index rows_;
};

}  // namespace

CDA_PART(Experiment, efficiency) {
  return study<Efficiency>("with and without reconstruction costs: errors, and the ratio of times",
                           "the paper, appendix Efficiency; docs/results.md", {{"rows", "500", "of each table"}});
}
