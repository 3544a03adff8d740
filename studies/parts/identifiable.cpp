// What can be found without pairs of rows: tables in which an answer exists.
//
//   scales   Two sources, an exponential one and a two-valued one with a little noise, drawn apart for X and Y, beside
//            narrow noise in X (.3) and wide noise in Y (3), all turned at random: a direction of both tables with the
//            same scale and the same shape can only be a source. No rescaling, beta = 1: the sources are told by their
//            scale, which is what a divergence sees first.
//   shapes   Three sources of random shapes and further normal dimensions, mixed at random with general matrices (cda
//            synth sources). Scales say nothing; shapes are all there is. At several sizes; with as many columns on
//            both sides, methods that need equal columns take part, though no column of X is one of Y.
//
// A source is found where one and the same pair correlates with it by more than .9 on both sides. Beside that the
// distance of the spaces of the first pairs, as many as there are sources, from the true ones, and what random
// directions reach in both.
#include <fmt/format.h>

#include <cmath>

#include "base/linear_algebra.hpp"
#include "cda/score.hpp"
#include "studies/paired_tests.hpp"
#include "studies/planted_sources.hpp"
#include "studies/retrieval.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

struct Size {
  const char* kind;
  Index n, m, l;
  bool large;
};
constexpr Size sizes[] = {{"scales", 1500, 7, 5, false},
                          {"shapes", 300, 6, 5, false},
                          {"shapes", 1000, 6, 6, false},
                          {"shapes", 1000, 8, 6, false},
                          {"shapes", 2000, 15, 12, true}};

// X = [S, .3 N] A', Y = [S, 3 N] B' with orthogonal A, B.
SyntheticPair separated_by_scale(Index n, Index m, Index l, const Random& random) {
  const auto side = [&](const char* name, Index columns, double noise, Matrix& truth) {
    Random draw = random.stream(name);
    Matrix rows = draw.normals(n, columns) * noise;
    for (Index i = 0; i < n; ++i) {
      rows(i, 0) = draw.exponential() - 1.0;
      rows(i, 1) = 2.31 * ((draw.uniform() < 0.25 ? 1.0 : 0.0) - 0.25) + 0.2 * draw.normal();
    }
    const Matrix turn = orthonormal_frame(draw.normals(columns, columns));
    truth = turn.leftCols(2);
    return make_table(rows * turn.transpose(), {}, name);
  };
  SyntheticPair pair;
  pair.x = side("x", m, 0.3, pair.truth.x_directions);
  pair.y = side("y", l, 3.0, pair.truth.y_directions);
  return pair;
}

SyntheticPair draw(const Size& size, const Replicate& replicate) {
  if (std::string(size.kind) == "scales") return separated_by_scale(size.n, size.m, size.l, replicate.random);
  return synthesise({.kind = "sources", .n = size.n, .k = size.n, .m = size.m, .l = size.l, .seed = replicate.seed});
}

// The paper's methods on tables whose scales mean something: as they are.
Contender unscaled(Contender made) {
  if (!find_method(made.options.method).baseline.empty() || made.options.method == "iCDA") return made;
  made.options.prepare.emplace();
  made.options.scale = "1";
  made.name += ", unscaled";
  return made;
}

std::vector<Contender> contenders_of(const Size& size, Effort effort) {
  std::vector<Contender> all;
  const bool scales = std::string(size.kind) == "scales";
  std::vector<std::string> methods{"iCDA", "CDA_M", "CDA_Q", "rCDA_M", "rCDA_Q"};
  if (effort == Effort::full && (scales || size.n <= 300)) methods.insert(methods.end(), {"CDA_P", "mCDA_P"});  // slow
  for (const std::string& method : methods) all.push_back(scales ? unscaled(contender(method)) : contender(method));
  if (scales) {
    all.push_back(unscaled(contender("CDA_Q")));
    all.back().options.divergence = "wasserstein";
    all.back().name = "CDA with W2, unscaled";
  }
  all.push_back(contender("PCA"));
  if (effort != Effort::quick && size.n <= 1500) all.push_back(contender("SSC"));
  if (size.m == size.l)
    for (const char* method : {"SCL", "DAC", "TCA"}) all.push_back(contender(method));
  all.push_back(random_directions());
  return all;
}

struct Found {
  Share sources;
  double error_x = 0.0, error_y = 0.0;

  static auto fields(auto& self) { return std::tie(self.sources, self.error_x, self.error_y); }
};

Found found_by(const Contender& contender, const SyntheticPair& data, const Replicate& replicate) {
  const Index sources = data.truth.x_directions.cols();
  const FoundDirections found = found_directions(contender, data, sources, sources, replicate);
  Found result{{0, sources},
               subspace_error(found.x, data.truth.x_directions).error,
               subspace_error(found.y, data.truth.y_directions).error};
  const std::vector<Index> of_pairs = sources_of_pairs(data, data.x.values * found.x, data.y.values * found.y);
  for (const bool there : found_sources(of_pairs, sources)) result.sources.count += there ? 1 : 0;
  return result;
}

class Identifiable final : public Experiment {
 public:
  explicit Identifiable(const Settings& /*settings*/) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("identifiable", options, observer);
    Results results;
    results.title = "What can be found without pairs of rows: planted sources";
    results.runs = options.runs_or(3, 10, 10);
    results.columns = {{"tables", "scales: sources stand out by their scale; shapes: by their shape alone"},
                       {"n", "rows of each table"},
                       {"m", "columns of X"},
                       {"l", "columns of Y"},
                       {"method", ""},
                       {"runs", "with a result"},
                       {"found", "share of the sources found, with a 95 % interval"},
                       {"error_x", "distance of the found space of X from the true one", 3},
                       {"sd_x", "", 3},
                       {"chance_x", "of random directions", 3},
                       {"error_y", "", 3},
                       {"sd_y", "", 3},
                       {"chance_y", "", 3}};
    results.plots = {{.title = "share of the sources found",
                      .label = "method",
                      .value = "found",
                      .panels = {"tables", "n", "m", "l"}}};
    std::vector<Size> chosen;
    double total = 0.0;
    for (const Size& size : sizes)
      if (options.effort != Effort::quick || !size.large) {
        chosen.push_back(size);
        total += cost(size);
      }
    for (const Size& size : chosen) {
      const std::vector<Contender> all = contenders_of(size, options.effort);
      using Run = std::vector<std::optional<Found>>;
      const std::vector<Run> runs =
          replicates.of(fmt::format("{}, n = {}, {} x {} columns", size.kind, size.n, size.m, size.l),
                        cost(size) / total, results.runs, [&](const Replicate& replicate) {
                          const SyntheticPair data = draw(size, replicate);
                          Run run;
                          for (const Contender& contender : all)
                            run.push_back(if_it_can_be([&] { return found_by(contender, data, replicate); }));
                          return run;
                        });
      const Index sources = std::string(size.kind) == "scales" ? 2 : 3;
      for (std::size_t i = 0; i < all.size(); ++i) {
        Share found;
        std::vector<double> x, y;
        for (const Run& run : runs) {
          if (!run[i]) continue;
          found += run[i]->sources;
          x.push_back(run[i]->error_x);
          y.push_back(run[i]->error_y);
        }
        results.rows.push_back({std::string(size.kind), size.n, size.m, size.l, all[i].name,
                                static_cast<Index>(x.size()), found, spread(x).mean, spread(x).sd,
                                chance_subspace_error(size.m, sources, sources), spread(y).mean, spread(y).sd,
                                chance_subspace_error(size.l, sources, sources)});
      }
    }
    results.notes = {
        "a source is found where one and the same pair correlates with it by more than .9 on both sides; each method "
        "was asked for as many pairs as there are sources",
        "unscaled: no preparation and beta = 1, since the tables' scales are what tells the sources",
        "the smallest divergence is that of two projections that are nearly normal, and mixtures nearly are: what the "
        "paper's objective prefers is seldom a source where shapes are all there is"};
    return results;
  }

 private:
  // In any unit.
  static double cost(const Size& size) { return static_cast<double>(size.n * (size.m + size.l)); }
};

}  // namespace

CDA_PART(Experiment, identifiable) {
  return study<Identifiable>(
      "what can be found without pairs of rows: methods on planted sources, by scale or by shape", "docs/results.md");
}
