// Rows matched so that the tables become correlated, and the canonical directions of the matched rows, in turn
// (peers/self_matching.hpp). It needs no correspondence of rows and finds one; whether that is the true one the
// correlations do not tell.
#include <fmt/format.h>

#include "base/part.hpp"
#include "cda/extend/baseline.hpp"
#include "peers/self_matching.hpp"

using namespace cda;

namespace {

class Ssc final : public Baseline {
 public:
  explicit Ssc(const Settings& settings)
      : options_{.kappa = settings.number("kappa", 1e-8, 1e6),
                 .iterations = settings.count("iterations", 1, 100000),
                 .random_starts = settings.count("starts", 0, 10000),
                 .scouts = settings.count("scouts", 20, 3000),
                 .many_to_one = settings.flag("many_to_one"),
                 .weighted = settings.flag("weighted"),
                 .limits = {}} {}

  BaselineMaps fit(const BaselineTask& task) const override {
    const auto starts = static_cast<double>(options_.random_starts + 8);
    Pace pace(task, static_cast<double>(options_.iterations) * (starts + 5.0));
    SelfMatching found =
        match_by_correlation(task.x, task.y, task.components, options_, task.seed, task.executor, pace);
    if (found.x.cols() < task.components)
      throw Error(
          Fault::numerical, "data.rank",
          fmt::format("{} pairs asked for, but matched rows have no more than {}", task.components, found.x.cols()),
          fmt::format("--components {}", found.x.cols()));
    BaselineMaps maps{.directions = {std::move(found.x), std::move(found.y), Vector::Ones(task.components)},
                      .figures = std::move(found.held_out),
                      .converged = found.converged,
                      .stopped = std::move(found.why),
                      .iterations = found.iterations};
    if (found.judged_in_sample)
      maps.warnings.emplace_back("too few rows to hold half of them out: correlations are of the rows fitted");
    if (found.excess > 0.0)
      maps.warnings.push_back(fmt::format(
          "the matching of rows is not the cheapest one: that could cost up to {:.2g} % less", 100.0 * found.excess));
    return maps;
  }
  std::string figure_name() const override { return "correlation of rows matched by it, held out"; }
  bool joint() const override { return true; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }

 private:
  SelfMatchingOptions options_;
};

}  // namespace

CDA_PART(Baseline, ssc) {
  return {.info = {.name = {},
                   .summary = "canonical correlations and a one-to-one matching of rows, each given the other in turn",
                   .reference = "Tripathi, Klami, Oresic and Kaski, Data Min. Knowl. Discov. 23 (2011); starts and "
                                "their choice are ours",
                   .options = {{"kappa", "0.05", "added to every variance, relative to their mean"},
                               {"iterations", "50", "turns per start, at most"},
                               {"starts", "10", "random matchings to start from, beside eight of components"},
                               {"scouts", "500", "rows of each half that starts are run and judged on"},
                               {"many_to_one", "no", "yes: each row of X with the nearest of Y, however often"},
                               {"weighted", "no", "yes: pairs with weak correlations count less in the matching"}}},
          .make = [](const Settings& settings) { return std::make_unique<Ssc>(settings); }};
}
