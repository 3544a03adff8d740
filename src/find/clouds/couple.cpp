#include "find/clouds/couple.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "find/clouds/overlap.hpp"
#include "find/clouds/sliced.hpp"

namespace cda {
namespace {

using Rows = std::vector<Index>;

// So many ties behind the best an optimum has a weight of exp(-10), and is not followed any further.
constexpr double without_weight = 10.0;

// Both halves of a table's rows. They stand in an order given by their content, so that position is content.
struct Halves {
  Rows first, second;
};

Halves halves_of(Index rows, std::uint64_t seed, const std::string& name) {
  const Rows all = Random(seed, name + ", halves").permutation(rows);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((rows + 1) / 2);
  return {Rows(all.begin(), middle), Rows(middle, all.end())};
}

// Some of these rows, in their own order.
Rows drawn(const Rows& from, Index count, std::uint64_t seed, const std::string& name) {
  const Rows order = Random(seed, name).permutation(static_cast<Index>(from.size()));
  const std::size_t taken = std::min(from.size(), static_cast<std::size_t>(count));
  Rows chosen;
  for (std::size_t i = 0; i < taken; ++i) chosen.push_back(from[static_cast<std::size_t>(order[i])]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<Matrix> moments_of(const std::vector<Optimum>& optima) {
  std::vector<Matrix> moments;
  for (const Optimum& one : optima) moments.push_back(one.moment);
  return moments;
}

Matrix mean_moment(const std::vector<Optimum>& optima, double tie) {
  const Vector weights = consensus_weights(optima, tie);
  Matrix mean = Matrix::Zero(optima.front().moment.rows(), optima.front().moment.cols());
  for (std::size_t i = 0; i < optima.size(); ++i) mean += weights[static_cast<Index>(i)] * optima[i].moment;
  return mean;
}

class Coupler {
 public:
  Coupler(const PointCloud& x, const PointCloud& y, const CoupleOptions& options, const Executor& executor,
          const std::function<bool(double)>& proceed)
      : x_(x),
        y_(y),
        options_(options),
        executor_(executor),
        proceed_(proceed),
        x_halves_(halves_of(x.rows(), options.seed, "x")),
        y_halves_(halves_of(y.rows(), options.seed, "y")) {}

  Coupled run() {
    // One subsample of each half of the rows, which also speak for themselves; the others of all rows.
    std::vector<Optimum> first, second, pool;
    const Rows x_rows = everything(x_), y_rows = everything(y_);
    for (Index i = 0; i < options_.subsamples && (i == 0 || more()); ++i) {
      if (i == 0)
        search(i, x_halves_.first, y_halves_.first, first);
      else if (i == 1)
        search(i, x_halves_.second, y_halves_.second, second);
      else
        search(i, x_rows, y_rows, pool);
    }
    const bool halved = !second.empty();
    pool.insert(pool.end(), first.begin(), first.end());
    pool.insert(pool.end(), second.begin(), second.end());
    pool = judged(std::move(pool), x_rows, y_rows, "judging");
    Matrix mean = mean_moment(pool, tie_for(x_rows, y_rows));

    found_.coupling.coherence = mean.norm();
    if (halved && found_.finished) {
      first = judged(std::move(first), x_halves_.first, y_halves_.first, "judging the first half");
      second = judged(std::move(second), x_halves_.second, y_halves_.second, "judging the second half");
      found_.coupling.halves = cosine(mean_moment(first, tie_for(x_halves_.first, y_halves_.first)),
                                      mean_moment(second, tie_for(x_halves_.second, y_halves_.second)));
    }
    found_.coupling.ambiguous = is_ambiguous(found_.coupling.coherence, found_.coupling.halves);
    // Where mirrored optima cancel to nothing the first of them stands for all, and it is ambiguous.
    constexpr double nothing = 1e-6;
    describe(pool, mean.norm() > nothing ? Matrix(mean / mean.norm()) : pool.front().moment);
    found_.optima = std::move(pool);
    return std::move(found_);
  }

 private:
  static Rows everything(const PointCloud& cloud) {
    Rows rows(static_cast<std::size_t>(cloud.rows()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Index>(i);
    return rows;
  }

  bool more() {
    const double total = static_cast<double>((options_.subsamples + 1) * options_.ascent.iterations);
    if (found_.finished && !proceed_(std::min(1.0, done_ / total))) found_.finished = false;
    return found_.finished;
  }
  std::function<bool()> turn() {
    return [this] {
      done_ += 1.0;
      return more();
    };
  }

  // What counts as a tie is a difference of RV by chance, which falls with the root of the rows that judge. `tie` is
  // meant for 600 of them; with more, what optima differ by is no longer chance alone, and it stays.
  double tie_for(const Rows& x_rows, const Rows& y_rows) const {
    const auto wanted = static_cast<double>(std::min<Index>(600, options_.judging));
    return options_.tie *
           std::sqrt(wanted / std::min(wanted, static_cast<double>(std::min(x_rows.size(), y_rows.size()))));
  }

  CloudPart part(const PointCloud& cloud, const Rows& rows, Index count, const std::string& name) const {
    return part_of(cloud, drawn(rows, count, options_.seed, name));
  }

  void search(Index number, const Rows& x_rows, const Rows& y_rows, std::vector<Optimum>& optima) {
    const std::string name = fmt::format("searched {}", number);
    const std::vector<Matrix> starts = sign_starts(x_.dimension(), y_.dimension(), options_.leading);
    for (Optimum& one :
         ascend(part(x_, x_rows, options_.searched, name + " x"), part(y_, y_rows, options_.searched, name + " y"),
                starts, true, options_.ascent, executor_, turn())) {
      found_.iterations += one.iterations;
      optima.push_back(std::move(one));
    }
  }

  // The optima followed on common rows, where their RV can be compared.
  std::vector<Optimum> judged(std::vector<Optimum> pool, const Rows& x_rows, const Rows& y_rows,
                              const std::string& name) {
    constexpr double alike = 0.9, same = 0.97;
    std::stable_sort(pool.begin(), pool.end(),
                     [](const Optimum& a, const Optimum& b) { return a.correlation > b.correlation; });
    pool = distinct(std::move(pool), alike);
    if (pool.size() > static_cast<std::size_t>(options_.candidates))
      pool.resize(static_cast<std::size_t>(options_.candidates));
    AscentOptions polish = options_.ascent;
    polish.iterations = options_.polish;
    polish.behind = std::min(1.0, without_weight * tie_for(x_rows, y_rows));
    return distinct(
        ascend(part(x_, x_rows, options_.judging, name + " x"), part(y_, y_rows, options_.judging, name + " y"),
               moments_of(pool), false, polish, executor_, turn()),
        same);
  }

  void describe(const std::vector<Optimum>& pool, const Matrix& mean) {
    const Vector weights = consensus_weights(pool, tie_for(everything(x_), everything(y_)));
    const CloudPart x_part = part(x_, everything(x_), options_.judging, "judging x");
    const CloudPart y_part = part(y_, everything(y_), options_.judging, "judging y");
    const auto sliced = [&](const Matrix& moment) {
      const AlignedAxes axes = aligned_axes(x_, y_, moment, 3);
      return sliced_ratio(x_part.white.cast<double>() * axes.x, y_part.white.cast<double>() * axes.y);
    };
    AscentOptions once = options_.ascent;
    once.iterations = 1;
    const Optimum consensus = ascend(x_part, y_part, {mean}, false, once, executor_, {}).front();
    found_.moment = mean;
    if (options_.choice > 1) {
      const auto wanted = static_cast<std::size_t>(options_.choice - 2);
      if (wanted >= pool.size())
        throw Error(Fault::usage, "option.choice",
                    fmt::format("alignment {} is asked for, but {} were found", options_.choice, pool.size() + 1),
                    fmt::format("choice=1 to {}", pool.size() + 1));
      found_.moment = pool[wanted].moment;
    }
    const bool single = options_.choice > 1;
    found_.coupling.chosen = {
        single ? pool[static_cast<std::size_t>(options_.choice - 2)].correlation : consensus.correlation,
        sliced(found_.moment), 1.0, 1.0};
    if (const SinkhornOptions& transport = options_.ascent.transport; std::isfinite(transport.reach))
      found_.coupling.overlap =
          overlap(aligned_scores(x_part.scores, y_part.scores, found_.moment), x_part.mass, y_part.mass, transport);
    for (std::size_t i = 0; i < pool.size(); ++i)
      found_.coupling.alternatives.push_back({pool[i].correlation, sliced(pool[i].moment),
                                              weights[static_cast<Index>(i)], cosine(pool[i].moment, found_.moment)});
  }

  const PointCloud& x_;
  const PointCloud& y_;
  const CoupleOptions& options_;
  const Executor& executor_;
  const std::function<bool(double)>& proceed_;
  Halves x_halves_, y_halves_;
  double done_ = 0.0;
  Coupled found_;
};

}  // namespace

Vector consensus_weights(const std::vector<Optimum>& optima, double tie) {
  Vector weights(static_cast<Index>(optima.size()));
  const double best = optima.front().correlation;
  for (std::size_t i = 0; i < optima.size(); ++i)
    weights[static_cast<Index>(i)] = best > 0.0 ? std::exp((optima[i].correlation / best - 1.0) / tie) : 1.0;
  return weights / weights.sum();
}

bool is_ambiguous(double coherence, double halves) {
  return coherence * coherence < 0.5 || 2.0 * halves < 0.5 * (1.0 + halves);
}

AlignedAxes aligned_axes(const PointCloud& x, const PointCloud& y, const Matrix& moment, Index pairs) {
  const SingularParts parts = singular_parts(moment);
  const Index count = std::min(pairs, parts.values.size());
  AlignedAxes axes{x.shares.cast<double>().asDiagonal() * parts.left.leftCols(count),
                   y.shares.cast<double>().asDiagonal() * parts.right.leftCols(count),
                   parts.values.head(count).cwiseAbs2()};
  for (Index j = 0; j < count; ++j) {
    Index largest = 0;
    axes.x.col(j).cwiseAbs().maxCoeff(&largest);
    // A direction that nothing speaks for keeps a trace, so that the map keeps its rank.
    const double strength = std::max(1e-6, parts.values[0] > 0.0 ? parts.values[j] / parts.values[0] : 1.0);
    const double width = axes.x(largest, j) < 0.0 ? -strength : strength;
    axes.x.col(j) *= width / axes.x.col(j).norm();
    axes.y.col(j) *= width / axes.y.col(j).norm();
  }
  return axes;
}

Coupled couple(const PointCloud& x, const PointCloud& y, const CoupleOptions& options, const Executor& executor,
               const std::function<bool(double share)>& proceed) {
  return Coupler(x, y, options, executor, proceed).run();
}

}  // namespace cda
