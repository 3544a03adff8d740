// How many of the planted sources does a fit with defaults find?
//
// Three sources of random shapes are shared by both tables, each table may have further ones of its own, the rest is
// normal, and everything is mixed (cda synth sources). A source counts as recovered when one and the same pair
// correlates with it by more than .9 (absolute) on both sides. Beside iCDA stand the paper's CDA_Q and CDA_M on the
// same tables, which match bell curve with bell curve and should find none, and pairs of random directions, as many as
// those methods return: the share that chance alone would find. On the other side stand two marks that no fit can be
// expected to exceed by much (studies/true_sources.hpp): matching the true sources, which a perfect search would
// give, and matching them with their very shapes, which no one knows.
//
// Laplace and t sources are counted apart: at a few hundred rows they hardly differ from a bell curve in the middle,
// and no more than their tails could give them away.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "studies/planted_sources.hpp"
#include "studies/replicates.hpp"
#include "studies/study.hpp"
#include "studies/true_sources.hpp"

using namespace cda;

namespace {

struct PlantedProblem {
  Index n, m, l, own;
  bool large;
};
constexpr Index shared = 3;
constexpr PlantedProblem problems[] = {{300, 6, 5, 0, false},   {300, 6, 5, 1, false},   {1000, 8, 6, 0, false},
                                       {1000, 8, 6, 1, false},  {2000, 15, 12, 0, true}, {2000, 15, 12, 2, true},
                                       {5000, 30, 25, 0, true}, {5000, 30, 25, 2, true}};

struct Method {
  const char* name;
  Index every;  // measured on every so many-th of the runs: what is known to find nothing need not be asked as often
  bool optional;
};
constexpr Method methods_compared[] = {{"iCDA", 1, false},  {"true sources", 1, false}, {"known shapes", 1, false},
                                       {"CDA_Q", 10, true}, {"CDA_M", 10, true},        {"random pairs", 10, true}};
constexpr std::size_t method_count = std::size(methods_compared);

bool tails_only(const std::string& shape) { return shape == "laplace" || shape == "t"; }

// One method on one replicate, or on all.
struct Count {
  Index runs = 0;
  std::map<std::string, Share> by_shape;

  static auto fields(auto& self) { return std::tie(self.runs, self.by_shape); }

  void add(const SyntheticPair& data, const std::vector<Index>& sources_of_pairs) {
    const std::vector<bool> found = found_sources(sources_of_pairs, data.truth.x_directions.cols());
    for (std::size_t i = 0; i < found.size(); ++i) by_shape[data.truth.sources[i]].add(found[i]);
    ++runs;
  }
  void add(const Count& other) {
    runs += other.runs;
    for (const auto& [shape, share] : other.by_shape) by_shape[shape] += share;
  }
  // Of the two shapes that differ by their tails only, or of the eight others.
  Share sources(bool tails) const {
    Share all;
    for (const auto& [shape, share] : by_shape)
      if (tails_only(shape) == tails) all += share;
    return all;
  }
  std::string missed() const {
    std::vector<std::string> shapes;
    for (const auto& [shape, share] : by_shape)
      if (share.count < share.of) shapes.push_back(fmt::format("{} {} of {}", shape, share.of - share.count, share.of));
    return shapes.empty() ? "none" : fmt::format("{}", fmt::join(shapes, ", "));
  }
};
using Counts = std::array<Count, method_count>;

// Values of random directions of a whitened table.
Matrix random_values(const Table& table, Index pairs, Random random) {
  const PreparedColumns whitened = PreparedColumns::fit(table.values, table.names, {"whiten"}, nullptr);
  const Matrix rows = whitened.apply(table.values);
  return rows * random.normals(rows.cols(), pairs);
}

std::vector<Index> pairs_of(const std::string& method, const Planted& planted, const Replicate& replicate) {
  if (method == "true sources") return matched_true_sources(planted);
  if (method == "known shapes") return matched_known_shapes(planted);
  const SyntheticPair& data = planted.pair;
  if (method == "random pairs") {
    const Index pairs = std::min<Index>({10, data.x.columns(), data.y.columns()});
    return sources_of_pairs(data, random_values(data.x, pairs, replicate.random.stream("random pairs of X")),
                            random_values(data.y, pairs, replicate.random.stream("random pairs of Y")));
  }
  const FitOptions options{.method = method, .seed = replicate.seed, .threads = 1};
  return sources_of_pairs(data, fit(data.x, data.y, options, replicate.fit_observer));
}

class Recovery final : public Experiment {
 public:
  explicit Recovery(const Settings& settings) : compare_(settings.flag("compare")) {
    const std::string rows = settings.choice("rows", {"all", "300", "1000", "2000", "5000"});
    rows_ = rows == "all" ? 0 : std::stol(rows);
  }

  bool apart() const override { return true; }
  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("recovery", options, observer);
    Results results;
    results.title = "Share of planted sources recovered by a fit with defaults";
    results.columns = {{"n", "rows of each table"},
                       {"m", "columns of X"},
                       {"l", "columns of Y"},
                       {"shared", "sources both tables have"},
                       {"own", "further sources of each table alone"},
                       {"method", ""},
                       {"runs", "fresh pairs of tables"},
                       {"sources", "planted shared sources of the eight shapes other than Laplace and t"},
                       {"recovered", "share of them found, with a 95 % interval", 3},
                       {"laplace_t", "the same for Laplace and t sources", 3}};
    for (const auto& [title, value] : {std::pair{"share of the sources found", "recovered"},
                                       {"share of the Laplace and t sources found", "laplace_t"}})
      results.plots.push_back({.title = title, .label = "method", .value = value, .panels = {"n", "m", "l", "own"}});
    double total = 0.0;
    for (const PlantedProblem& problem : chosen(options)) total += cost(problem, options);
    Count all;
    for (const PlantedProblem& problem : chosen(options)) {
      const Index runs = runs_of(problem, options);
      results.runs = std::max(results.runs, runs);
      const Counts counts = measure(problem, runs, cost(problem, options) / total, replicates);
      all.add(counts.front());
      for (std::size_t i = 0; i < method_count; ++i) {
        const Count& count = counts[i];
        if (count.runs > 0)
          results.rows.push_back({problem.n, problem.m, problem.l, shared, problem.own, methods_compared[i].name,
                                  count.runs, count.sources(false).of, count.sources(false), count.sources(true)});
      }
    }
    const Share sources = all.sources(false), tails = all.sources(true);
    results.notes.push_back(
        fmt::format("iCDA over all sizes: {} of {} sources of the eight shapes, {} of {} Laplace and t; missed: {}",
                    sources.count, sources.of, tails.count, tails.of, all.missed()));
    results.notes.emplace_back(
        "a source is recovered where one and the same pair correlates with it by more than .9 on both sides");
    results.notes.emplace_back(
        "true sources: what matching reaches where the search is spared; known shapes: where each source is matched "
        "with the very shape it was drawn from");
    if (compare_)
      results.notes.emplace_back("the paper's methods and random pairs are measured on every tenth of the runs");
    return results;
  }

 private:
  std::vector<PlantedProblem> chosen(const ExperimentOptions& options) const {
    std::vector<PlantedProblem> list(std::begin(problems), std::end(problems));
    const bool quick = options.effort == Effort::quick;
    std::erase_if(
        list, [&](const PlantedProblem& problem) { return rows_ > 0 ? problem.n != rows_ : quick && problem.large; });
    return list;
  }

  static Index runs_of(const PlantedProblem& problem, const ExperimentOptions& options) {
    const Index usual = problem.large ? 20 : 100;
    return options.runs_or(5, usual, 3 * usual);
  }

  // In any unit: a component costs about n log n per dimension, and as many starts again where there are many.
  static double cost(const PlantedProblem& problem, const ExperimentOptions& options) {
    return static_cast<double>(runs_of(problem, options) * problem.n * (problem.m + problem.l));
  }

  Counts measure(const PlantedProblem& problem, Index runs, double share, Replicates& replicates) const {
    const std::string what =
        fmt::format("n = {}, {} x {} columns, {} own", problem.n, problem.m, problem.l, problem.own);
    const std::vector<Counts> each = replicates.of(what, share, runs, [&](const Replicate& replicate) {
      const Planted planted = plant({.kind = "sources",
                                     .n = problem.n,
                                     .k = problem.n,
                                     .m = problem.m,
                                     .l = problem.l,
                                     .shared = shared,
                                     .own = problem.own,
                                     .seed = replicate.seed});
      Counts counts;
      for (std::size_t i = 0; i < method_count; ++i) {
        const Method& method = methods_compared[i];
        if ((compare_ || !method.optional) && replicate.number % method.every == 0)
          counts[i].add(planted.pair, pairs_of(method.name, planted, replicate));
      }
      return counts;
    });
    Counts all;
    for (const Counts& counts : each)
      for (std::size_t i = 0; i < method_count; ++i) all[i].add(counts[i]);
    return all;
  }

  bool compare_;
  Index rows_ = 0;  // of the tables; 0: all sizes
};

}  // namespace

CDA_PART(Experiment, recovery) {
  return study<Recovery>("share of planted sources that a fit finds, from 300 x (6 + 5) to 5000 x (30 + 25)",
                         "docs/calibration.md",
                         {{"compare", "yes", "also measure CDA_Q, CDA_M and random pairs: yes or no"},
                          {"rows", "all", "of the tables: 300, 1000, 2000, 5000 or all of them"}});
}
