// The paper's table on the scale of Y against X: set by its lemma at every step, or one more variable of the search.
#include "studies/durations.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

class Beta final : public Experiment {
 public:
  explicit Beta(const Settings& settings) : rows_(settings.count("rows", 20, 1'000'000)) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    std::vector<std::string> methods{"CDA_Q", "rCDA_M"};
    if (options.effort != ExperimentOptions::Effort::quick) methods.emplace_back("mrCDA_P");
    std::vector<TimedPair> pairs;
    for (const std::string& method : methods) {
      TimedPair pair{contender(method), contender(method)};
      pair.second.name += ", optimised";
      pair.second.options.scale = "optimised";
      pairs.push_back(pair);
    }
    Results results = compare_durations("beta", pairs, rows_, options, observer);
    results.title = "The scale beta: set by the lemma (first) against optimised (second)";
    results.notes.insert(
        results.notes.begin(),
        {"the paper reports that optimising takes 8 to 15 % more time, and no clear winner in its errors",
         "a method without a result collapsed: with the extended Mallows distance the best scale of "
         "centred columns is 0",
         "times vary from run to run; everything else is the same on every run"});
    return results;
  }

 private:
  Index rows_;
};

}  // namespace

CDA_PART(Experiment, beta) {
  return study<Beta>("the scale of Y set by the lemma against optimised: errors, and the ratio of times",
                     "the paper, appendix Optimizing vs. Not Optimizing beta; docs/results.md",
                     {{"rows", "500", "of each table"}});
}
