// A depth-first walk: {a}, {a, b}, {a, b, c}, ..., {a, b, d}, ... Each subspace takes over the near pairs of the one
// above it and drops those that its last column moves apart; a branch ends where no row can become a core any more
// (density.hpp), which is SUBCLU's Apriori step for a fixed density and the weak density of INSCY for an adaptive one.
// Branches of two columns are the pieces that threads work on.
#include "clusters/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "clusters/step_watch.hpp"

namespace cda {
namespace {

struct TooMany {};

// Lists of two columns are the longest; 16 bytes for each pair.
constexpr std::size_t most_pairs = 150'000'000;

class Walk {
 public:
  Walk(const Matrix& values, const std::vector<Index>& searched, const DensityThreshold& threshold,
       const WalkLimits& limits, StepWatch& watch)
      : values_(values), threshold_(threshold), limits_(limits), watch_(watch) {
    // The column that leaves fewest pairs comes first: it begins the largest branch.
    std::vector<std::pair<Index, std::size_t>> near;
    std::vector<SortedColumn> sorted;
    for (std::size_t i = 0; i < searched.size(); ++i) {
      sorted.emplace_back(values.col(searched[i]).data(), values.rows());
      near.emplace_back(sorted.back().near_count(threshold.limit()), i);
    }
    std::sort(near.begin(), near.end());
    for (const auto& [count, i] : near) {
      searched_.push_back(searched[i]);
      sorted_.push_back(std::move(sorted[i]));
    }
  }

  Index subspaces() const { return subspaces_; }

  void one_column(std::size_t at, std::vector<Region>& found) {
    const auto pairs = [&](const auto& visit) {
      sorted_[at].each(threshold_.limit(), visit, [&] { watch_.going_on(); });
    };
    look_into({searched_[at]}, pairs, found);
  }

  // The subspace of these two columns and all that continue it.
  void branch(std::size_t first, std::size_t second, std::vector<Region>& found) {
    const double* checked = values_.col(searched_[second]).data();
    std::vector<NearPairs> levels(static_cast<std::size_t>(std::min<Index>(limits_.columns, columns())) + 1);
    NearPairs& pairs = levels[2];
    const auto keep = [&](std::uint32_t a, std::uint32_t b, double squared) {
      const double gap = checked[a] - checked[b], distance = squared + gap * gap;
      if (distance <= threshold_.limit()) pairs.add(a, b, distance);
    };
    sorted_[first].each(threshold_.limit(), keep, [&] {
      watch_.going_on();
      if (pairs.size() > most_pairs)
        throw Error(Fault::resource, "cluster.pairs",
                    fmt::format("more than {} million pairs of rows are within the radius in two columns",
                                most_pairs / 1'000'000),
                    "a smaller --radius, or fewer rows");
    });
    descend({searched_[first], searched_[second]}, second, levels, found);
  }

 private:
  Index columns() const { return static_cast<Index>(searched_.size()); }

  template <class Pairs>
  std::vector<double> look_into(const std::vector<Index>& subspace, const Pairs& pairs, std::vector<Region>& found) {
    if (++subspaces_ > limits_.subspaces) throw TooMany();
    watch_.going_on();
    std::vector<double> density = densities(threshold_, pairs);
    std::vector<Region> clusters = clusters_of(threshold_, subspace, density, pairs);
    if ((candidates_ += static_cast<Index>(clusters.size())) > limits_.candidates) throw TooMany();
    found.insert(found.end(), std::make_move_iterator(clusters.begin()), std::make_move_iterator(clusters.end()));
    return density;
  }

  // `last`: place of the last column; its pairs are in levels[columns].
  void descend(const std::vector<Index>& subspace, std::size_t last, std::vector<NearPairs>& levels,
               std::vector<Region>& found) {
    const std::size_t depth = subspace.size();
    const NearPairs& pairs = levels[depth];
    const std::vector<double> density = look_into(
        subspace, [&](const auto& visit) { pairs.each(visit); }, found);
    const auto left = static_cast<Index>(searched_.size() - last - 1);
    const Index deepest = std::min(limits_.columns, static_cast<Index>(depth) + left);
    if (static_cast<Index>(depth) >= deepest) return;
    const double least = threshold_.least(deepest);
    std::vector<char> promising(density.size());
    bool any = false;
    for (std::size_t row = 0; row < density.size(); ++row) {
      promising[row] = density[row] >= least ? 1 : 0;
      any = any || promising[row] != 0;
    }
    if (!any) return;
    for (std::size_t next = last + 1; next < searched_.size(); ++next) {
      const double* column = values_.col(searched_[next]).data();
      NearPairs& nearer = levels[depth + 1];
      nearer.narrow(pairs, column, threshold_.limit(), promising);
      if (static_cast<Index>(nearer.size()) + 1 < std::max<Index>(threshold_.min_size(), 2)) continue;
      std::vector<Index> longer = subspace;
      longer.push_back(searched_[next]);
      descend(longer, next, levels, found);
    }
  }

  const Matrix& values_;
  const DensityThreshold& threshold_;
  WalkLimits limits_;
  StepWatch& watch_;
  std::vector<Index> searched_;
  std::vector<SortedColumn> sorted_;  // of the same columns
  std::atomic<Index> subspaces_{0}, candidates_{0};
};

}  // namespace

std::optional<Walked> walk_subspaces(const Matrix& values, const std::vector<Index>& searched,
                                     const DensityThreshold& threshold, const WalkLimits& limits,
                                     const Executor& executor, const ClusterObserver& observer) {
  struct Piece {
    std::size_t first, second;  // the same: one column
  };
  std::vector<Piece> pieces;
  double total = 0.0;
  const auto weight = [&](const Piece& piece) { return static_cast<double>(searched.size() - piece.second); };
  for (std::size_t i = 0; i < searched.size(); ++i)
    for (std::size_t j = i; j < (limits.columns > 1 ? searched.size() : i + 1); ++j) {
      pieces.push_back({i, j});
      total += weight(pieces.back());
    }
  StepWatch watch(observer, "looking into subspaces", total);
  Walk walk(values, searched, threshold, limits, watch);
  std::vector<std::vector<Region>> found(pieces.size());
  try {
    executor.for_each(static_cast<Index>(pieces.size()), [&](Index i) {
      const Piece& piece = pieces[static_cast<std::size_t>(i)];
      std::vector<Region>& here = found[static_cast<std::size_t>(i)];
      if (piece.first == piece.second)
        walk.one_column(piece.first, here);
      else
        walk.branch(piece.first, piece.second, here);
      watch.done(weight(piece));
    });
  } catch (const TooMany&) {
    return std::nullopt;
  }
  Walked walked;
  for (std::vector<Region>& some : found)
    walked.regions.insert(walked.regions.end(), std::make_move_iterator(some.begin()),
                          std::make_move_iterator(some.end()));
  walked.subspaces = walk.subspaces();
  return walked;
}

}  // namespace cda
