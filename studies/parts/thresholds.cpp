// Remakes the table of model/contrast_threshold.cpp: how much contrast the search finds in tables in which there is
// nothing to find. For n normal rows and d columns, whitened as the method does, the 95 % quantile t(n, d) of the
// largest contrast. n t(n, d) hardly depends on n; its mean over n, by d, is what the table keeps, and is printed as
// source code. Beside each quantile a 95 % interval from order statistics: with N replicates, the quantile lies between
// the values of rank a and b with the binomial chance of a to b - 1 values below it.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "find/components/components.hpp"
#include "find/request.hpp"
#include "studies/replicates.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

constexpr double quantile_share = 0.95;

struct Grid {
  std::vector<Index> rows, dimensions;
};

// The largest contrast of one Gaussian table, as a fit with defaults would find it.
double largest_of_noise(Index rows, Index dimensions, const Replicate& replicate) {
  const FitOptions options{.seed = replicate.seed, .threads = 1};
  const MethodParts parts = chosen_parts(options);
  const std::shared_ptr<const Divergence> divergence = divergences().make(parts.divergence);
  const auto optimiser = optimisers().make(parts.optimiser);
  const Executor executor(1);
  const Table table = make_table(replicate.random.stream("rows").normals(rows, dimensions));
  const PreparedColumns whitened = PreparedColumns::fit(table.values, table.names, parts.prepare, nullptr);
  const Sample sample(whitened.apply(table.values), executor);
  const Observer watch = [&](const Progress&) { return replicate.fit_observer({}); };
  return largest_contrast(sample,
                          {divergence, *optimiser, search_options(options, parts, *divergence), executor, watch});
}

// Linear between order statistics; values sorted.
double quantile(const std::vector<double>& values) {
  const double at = quantile_share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

// Ranks (from 1) between which the quantile lies with 95 %; beyond the sample where it is too small to tell.
std::pair<double, double> interval(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const boost::math::binomial_distribution<double> below(count, quantile_share);
  std::size_t low = 0, high = values.size() + 1;
  while (low < values.size() && boost::math::cdf(below, static_cast<double>(low)) <= 0.025) ++low;
  while (high > 1 && boost::math::cdf(boost::math::complement(below, static_cast<double>(high) - 2.0)) <= 0.025) --high;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {low >= 1 ? values[low - 1] : unknown, high <= values.size() ? values[high - 1] : unknown};
}

class Thresholds final : public Experiment {
 public:
  explicit Thresholds(const Settings& /*settings*/) {}

  bool apart() const override { return true; }
  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("thresholds", options, observer);
    const Grid grid = chosen_grid(options);
    Results results;
    results.title = "Largest contrast of Gaussian tables: n t(n, d), the 95 % quantile times the rows";
    results.runs = options.runs_or(40, 400, 2000);
    results.columns = {{"n", "rows"},           {"d", "columns"},
                       {"n_t", "n t(n, d)", 3}, {"low", "of a 95 % interval; missing where the runs are too few", 3},
                       {"high", "", 3},         {"t", "t(n, d)", 6}};
    results.plots = {{.title = "largest contrast by chance, times n",
                      .label = "n",
                      .value = "n_t",
                      .along = "d",
                      .low = "low",
                      .high = "high"}};
    double total = 0.0;
    for (const Index n : grid.rows)
      for (const Index d : grid.dimensions)
        if (enough_rows(n, d)) total += cost(n, d);
    std::map<Index, std::vector<double>> by_dimension;
    for (const Index n : grid.rows) {
      for (const Index d : grid.dimensions) {
        if (!enough_rows(n, d)) continue;
        std::vector<double> largest =
            replicates.of(fmt::format("n = {}, d = {}", n, d), cost(n, d) / total, results.runs,
                          [&](const Replicate& replicate) { return largest_of_noise(n, d, replicate); });
        std::sort(largest.begin(), largest.end());
        const auto rows = static_cast<double>(n);
        const double t = quantile(largest);
        const auto [low, high] = interval(largest);
        results.rows.push_back({n, d, rows * t, rows * low, rows * high, t});
        by_dimension[d].push_back(rows * t);
      }
    }
    results.notes.emplace_back("each figure is the search giving all it has, on one thread, with the defaults of iCDA");
    results.notes.emplace_back(
        "the last lines are the mean over n of each d, as in src/find/components/contrast_threshold.cpp");
    results.listing = listing(by_dimension);
    return results;
  }

 private:
  static Grid chosen_grid(const ExperimentOptions& options) {
    if (options.effort == Effort::quick) return {{100, 300}, {2, 5}};
    return {{50, 100, 200, 500, 1000, 3000}, {1, 2, 3, 5, 8, 12, 20, 30, 50}};
  }

  // With hardly more rows than columns every direction can be bent to any shape.
  static bool enough_rows(Index n, Index d) { return n >= 2 * d; }

  // In any unit: as many starts are followed as there are dimensions.
  static double cost(Index n, Index d) { return static_cast<double>(n) * (4.0 + static_cast<double>(d * d)); }

  static std::string listing(const std::map<Index, std::vector<double>>& by_dimension) {
    std::string text;
    for (const auto& [dimensions, figures] : by_dimension) {
      double sum = 0.0;
      for (const double figure : figures) sum += figure;
      text += fmt::format("{{{}, {:.2f}}},\n", dimensions, sum / static_cast<double>(figures.size()));
    }
    return text;
  }
};

}  // namespace

CDA_PART(Experiment, thresholds) {
  return study<Thresholds>("the contrast that chance alone reaches: the table behind contrast_threshold",
                           "docs/calibration.md");
}
