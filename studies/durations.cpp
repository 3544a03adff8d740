#include "studies/durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cda/score.hpp"
#include "studies/paired_tests.hpp"

namespace cda {
namespace {

struct Timed {
  std::optional<RetrievalError> first, second;

  static auto fields(auto& self) { return std::tie(self.first, self.second); }
};

Cell mean_of(const std::vector<double>& values) { return spread(values).mean; }

}  // namespace

Results compare_durations(const char* experiment, const std::vector<TimedPair>& pairs, Index rows,
                          const ExperimentOptions& options, const ExperimentObserver& observer) {
  Replicates replicates(experiment, options, observer);
  Results results;
  results.runs = options.runs_or(2, 10, 10);
  results.columns = {{"setting", "shuffled: as many rows of Y as of X; removed: a tenth of Y's rows is gone"},
                     {"relation", ""},
                     {"first", ""},
                     {"second", ""},
                     {"runs", "in which both had a result"},
                     {"first_x", "error of X, as in table1", 3},
                     {"second_x", "", 3},
                     {"chance_x", "", 3},
                     {"p_x", "that the two differ (Wilcoxon)", 3},
                     {"first_y", "error of Y", 3},
                     {"second_y", "", 3},
                     {"chance_y", "", 3},
                     {"p_y", "", 3},
                     {"ratio", "time of the second by time of the first: geometric mean"},
                     {"ratio_low", "smallest of the runs"},
                     {"ratio_high", "largest of the runs"}};
  results.plots = {{.title = "time of the second by time of the first",
                    .label = "first",
                    .value = "ratio",
                    .panels = {"setting", "relation"},
                    .low = "ratio_low",
                    .high = "ratio_high",
                    .against = "second",
                    .standard = 1.0,
                    .standard_words = "equally fast"}};
  for (const auto& [side, letter] : {std::pair{"X", "x"}, {"Y", "y"}})
    results.plots.push_back({.title = fmt::format("error of {}: 0 found, at chance nothing found", side),
                             .label = "first",
                             .value = fmt::format("first_{}", letter),
                             .reference = fmt::format("chance_{}", letter),
                             .panels = {"setting", "relation"},
                             .against = "second",
                             .against_value = fmt::format("second_{}", letter)});
  const std::vector<const char*> relations = options.effort == Effort::quick
                                                 ? std::vector<const char*>{"linear"}
                                                 : std::vector<const char*>{"linear", "mixed", "nonlinear"};
  const double share = 1.0 / static_cast<double>(2 * relations.size() * pairs.size());
  for (const char* setting : {"shuffled", "removed"})
    for (const char* relation : relations)
      for (const TimedPair& pair : pairs) {
        const auto tables = [&](std::uint64_t seed) {
          return synthesise({.kind = relation,
                             .n = rows,
                             .k = rows,
                             .remove = std::string(setting) == "removed" ? 0.1 : 0.0,
                             .seed = seed});
        };
        const auto what = fmt::format("{} {}: {} and {}", setting, relation, pair.first.name, pair.second.name);
        const std::vector<Timed> runs = replicates.of(what, share, results.runs, [&](const Replicate& replicate) {
          const SyntheticPair data = tables(replicate.seed);
          return Timed{retrieval_error(pair.first, data, replicate), retrieval_error(pair.second, data, replicate)};
        });
        std::vector<double> first_x, second_x, first_y, second_y, difference_x, difference_y, ratios;
        for (const Timed& run : runs) {
          if (!run.first || !run.second) continue;
          first_x.push_back(*run.first->x);
          second_x.push_back(*run.second->x);
          first_y.push_back(*run.first->y);
          second_y.push_back(*run.second->y);
          difference_x.push_back(*run.second->x - *run.first->x);
          difference_y.push_back(*run.second->y - *run.first->y);
          ratios.push_back(std::log(run.second->seconds / run.first->seconds));
        }
        const Truth truth = tables(0).truth;
        const auto chance = [](const Matrix& directions) {
          return chance_subspace_error(directions.rows(), directions.cols(), directions.cols());
        };
        const bool any = !ratios.empty();
        results.rows.push_back({std::string(setting), std::string(relation), pair.first.name, pair.second.name,
                                static_cast<Index>(ratios.size()), mean_of(first_x), mean_of(second_x),
                                chance(truth.x_directions), signed_rank_p(difference_x), mean_of(first_y),
                                mean_of(second_y), chance(truth.y_directions), signed_rank_p(difference_y),
                                std::exp(spread(ratios).mean),
                                any ? std::exp(*std::min_element(ratios.begin(), ratios.end())) : std::nan(""),
                                any ? std::exp(*std::max_element(ratios.begin(), ratios.end())) : std::nan("")});
      }
  results.notes.push_back(smallest_p_note(results.runs));
  return results;
}

}  // namespace cda
