#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "base/over_ranks.hpp"
#include "cda/extend/projection.hpp"

namespace cda {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9e3779b97f4a7c15ULL + b;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::vector<std::uint64_t> numbered_columns(Index columns) {
  std::vector<std::uint64_t> hashes;
  for (Index j = 0; j < columns; ++j) hashes.push_back(static_cast<std::uint64_t>(j) + 1);
  return hashes;
}

// Directions along which rows do not vary are the null vectors of the covariance, found after each coordinate has been
// brought to unit variance so that its unit does not matter. What is orthogonal to them is left.
Matrix varying_space(const Sample& sample) {
  constexpr double nothing = 1e-10;  // of the largest variance
  const Index p = sample.dimension();
  if (sample.few_rows()) {
    // What is orthogonal to all null vectors is spanned by the rows themselves.
    const Matrix centred = gathered(sample.rows(), sample.executor()).rowwise() - sample.mean().transpose();
    const Vector widths = (centred.colwise().squaredNorm() / static_cast<double>(sample.size())).cwiseSqrt();
    const Vector inverse = widths.unaryExpr([](double sd) { return sd > 0.0 ? 1.0 / sd : 1.0; });
    const Axes axes = axes_of_few_rows(centred * inverse.asDiagonal());
    Index rank = 0;
    const Index found = axes.values.size();
    while (rank < found && axes.values[found - 1 - rank] > nothing * axes.values[found - 1]) ++rank;
    if (rank == 0) return Matrix(p, 0);
    return orthonormal_factor(widths.asDiagonal() * axes.vectors.rightCols(rank).rowwise().reverse(), rank).basis;
  }
  const Vector deviations = sample.covariance().diagonal().cwiseSqrt();
  const Vector inverse = deviations.unaryExpr([](double sd) { return sd > 0.0 ? 1.0 / sd : 1.0; });
  const Axes axes = principal_axes(inverse.asDiagonal() * sample.covariance() * inverse.asDiagonal());
  Index null = 0;
  while (null < p && axes.values[null] <= nothing * axes.values[p - 1]) ++null;
  if (null == 0) return Matrix::Identity(p, p);
  const Matrix directions = inverse.asDiagonal() * axes.vectors.leftCols(null);
  return orthonormal_frame(directions).rightCols(p - null);
}

}  // namespace

std::vector<std::uint64_t> row_keys(const Matrix& rows, const std::vector<std::uint64_t>& column_hashes,
                                    const Executor& executor) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(rows.rows()), 0);
  const Matrix ranges = column_ranges(rows, executor);
  executor.for_rows(rows.rows(), [&](Index begin, Index end) {
    for (Index j = 0; j < rows.cols(); ++j) {
      // Halved, so that a range of twice the largest double does not overflow.
      const double lowest = 0.5 * ranges(0, j), range = 0.5 * ranges(1, j) - lowest;
      for (Index i = begin; i < end; ++i) {
        const double share = range > 0.0 ? (0.5 * rows(i, j) - lowest) / range : 0.0;
        const auto cell = static_cast<std::uint64_t>(std::llround(share * 0x1.0p20));
        keys[static_cast<std::size_t>(i)] += mixed(cell, column_hashes[static_cast<std::size_t>(j)]);
      }
    }
  });
  return keys;
}

std::vector<Index> canonical_order(const Matrix& rows, const std::vector<std::uint64_t>& keys) {
  std::vector<std::pair<std::uint64_t, Index>> places(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) places[i] = {keys[i], static_cast<Index>(i)};
  std::sort(places.begin(), places.end());
  std::vector<Index> order(keys.size());
  for (std::size_t i = 0; i < places.size(); ++i) order[i] = places[i].second;
  // Rows that share a key, by content; those that are all the same stay as they came.
  const auto precedes = [&](Index a, Index b) {
    for (Index j = 0; j < rows.cols(); ++j)
      if (rows(a, j) != rows(b, j)) return rows(a, j) < rows(b, j);
    return false;
  };
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && places[end].first == places[begin].first) ++end;
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    if (end - begin > 1) std::stable_sort(first, order.begin() + static_cast<std::ptrdiff_t>(end), precedes);
  }
  return order;
}

namespace {

// How many rows on the ranks below have the lowest key that is here. Ranks hold rows in the order of their keys, so
// that these are the last ones there. `at` gives the keys of this rank in order.
template <class Keys>
std::uint64_t equal_on_lower_ranks(std::size_t count, const Keys& at, const Executor& executor) {
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return 0;
  constexpr std::size_t room = 3;  // how many rows, the highest key, how many have it
  std::vector<std::uint64_t> told(room * static_cast<std::size_t>(ranks->size()), 0);
  auto* own = told.data() + room * static_cast<std::size_t>(ranks->rank());
  own[0] = count;
  if (count > 0) {
    own[1] = at(count - 1);
    while (own[2] < count && at(count - 1 - own[2]) == own[1]) ++own[2];
  }
  ranks->sum(told.data(), static_cast<Index>(told.size()));
  std::uint64_t equal = 0;
  for (int r = ranks->rank() - 1; r >= 0 && count > 0; --r) {
    const auto* other = told.data() + room * static_cast<std::size_t>(r);
    if (other[0] == 0) continue;
    if (other[1] != at(0)) break;
    equal += other[2];
    if (other[2] < other[0]) break;
  }
  return equal;
}

}  // namespace

struct Sample::Lazy {
  std::once_flag mean_once, covariance_once, centred_once, space_once;
  Vector mean;
  Matrix covariance, space;
  Matrix centred;  // n x p, where rows are few
  std::atomic<Index> passes{0};
};

Sample::Sample(Matrix rows, Executor executor, std::vector<std::uint64_t> keys)
    : rows_(std::move(rows)),
      executor_(executor),
      size_(executor.total(rows_.rows())),
      keys_(std::move(keys)),
      lazy_(std::make_shared<Lazy>()) {
  // A rank without rows has no keys either way, but the others may be waiting for it.
  if (executor_.total(static_cast<Index>(keys_.size())) == 0)
    keys_ = row_keys(rows_, numbered_columns(rows_.cols()), executor_);
  // Rows with equal keys are numbered, so that repeated rows are chosen as often as their share, not all or none.
  // Tables on their way to a fit are in order already.
  const bool in_order = std::is_sorted(keys_.begin(), keys_.end());
  const std::vector<Index> order = in_order ? std::vector<Index>() : canonical_order(rows_, keys_);
  const auto at = [&](std::size_t i) -> std::uint64_t& {
    return keys_[in_order ? i : static_cast<std::size_t>(order[i])];
  };
  const std::uint64_t before = equal_on_lower_ranks(keys_.size(), at, executor_);
  std::uint64_t shared = 0, number = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    std::uint64_t& key = at(i);
    if (i == 0)
      number = before;
    else
      number = key == shared ? number + 1 : 0;
    shared = key;
    key = mixed(key, number);
  }
}

Sample::Sample(Matrix rows, Vector mean, Matrix covariance, Executor executor) : Sample(std::move(rows), executor) {
  given_moments_ = true;
  std::call_once(lazy_->mean_once, [&] { lazy_->mean = std::move(mean); });
  std::call_once(lazy_->covariance_once, [&] { lazy_->covariance = std::move(covariance); });
}

const Vector& Sample::mean() const {
  std::call_once(lazy_->mean_once, [this] { lazy_->mean = column_means(rows_, executor_); });
  return lazy_->mean;
}

const Matrix& Sample::covariance() const {
  std::call_once(lazy_->covariance_once, [this] { lazy_->covariance = covariance_about(rows_, mean(), executor_); });
  return lazy_->covariance;
}

const Matrix& Sample::centred() const {
  std::call_once(lazy_->centred_once, [this] { lazy_->centred = rows_.rowwise() - mean().transpose(); });
  return lazy_->centred;
}

Matrix Sample::spread(const Matrix& directions) const {
  if (!few_rows()) return covariance() * directions;
  Matrix sums = centred().transpose() * (centred() * directions);
  executor_.add_over_ranks(sums);
  return sums / static_cast<double>(size());
}

Matrix Sample::covariance_of(const Matrix& directions) const {
  if (!few_rows()) return directions.transpose() * covariance() * directions;
  const Matrix values = centred() * directions;
  Matrix products = values.transpose() * values;
  executor_.add_over_ranks(products);
  return products / static_cast<double>(size());
}

double Sample::total_variance() const {
  if (!few_rows()) return covariance().trace();
  double squares = centred().squaredNorm();
  executor_.add_over_ranks(squares);
  return squares / static_cast<double>(size());
}

Index Sample::passes() const { return lazy_->passes; }

void Sample::count_pass() const { ++lazy_->passes; }

std::uint64_t Sample::fingerprint() const {
  std::uint64_t stirred = std::accumulate(keys_.begin(), keys_.end(), std::uint64_t{0});
  if (const Communicator* ranks = executor_.ranks()) ranks->sum(&stirred, 1);
  return stirred;
}

const Matrix& Sample::space() const {
  std::call_once(lazy_->space_once, [this] { lazy_->space = varying_space(*this); });
  return lazy_->space;
}

namespace {

// The ranks whose candidates are the lowest of all, in order: each rank has sent its own lowest, as many as are wanted.
std::vector<int> ranks_of_lowest(const std::vector<std::uint64_t>& own_lowest, std::size_t wanted,
                                 const Communicator& ranks) {
  const std::vector<Index> counts = told_by_each(static_cast<Index>(own_lowest.size()), ranks);
  const auto here = static_cast<std::size_t>(ranks.rank());
  const auto first = static_cast<std::size_t>(
      std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(here), Index{0}));
  std::vector<std::uint64_t> all(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), Index{0})), 0);
  std::copy(own_lowest.begin(), own_lowest.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  ranks.sum(all.data(), static_cast<Index>(all.size()));
  std::vector<std::pair<std::uint64_t, int>> ranked;
  std::size_t at = 0;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (Index i = 0; i < counts[r]; ++i) ranked.emplace_back(all[at++], static_cast<int>(r));
  std::stable_sort(ranked.begin(), ranked.end());
  std::vector<int> owners;
  for (std::size_t i = 0; i < std::min(wanted, ranked.size()); ++i) owners.push_back(ranked[i].second);
  return owners;
}

}  // namespace

std::vector<Index> Sample::choose(Index count, std::uint64_t seed) const {
  std::vector<std::pair<std::uint64_t, Index>> ranked;
  ranked.reserve(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) ranked.emplace_back(mixed(keys_[i], seed), static_cast<Index>(i));
  const auto kept = static_cast<std::size_t>(std::min<Index>(count, rows_.rows()));
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end());
  std::vector<Index> chosen;
  for (std::size_t i = 0; i < kept; ++i) chosen.push_back(ranked[i].second);
  const Communicator* ranks = executor_.ranks();
  if (ranks == nullptr) return chosen;
  std::vector<std::uint64_t> lowest;
  for (std::size_t i = 0; i < kept; ++i) lowest.push_back(ranked[i].first);
  std::vector<Index> of_all;
  std::size_t next = 0;
  for (const int owner : ranks_of_lowest(lowest, static_cast<std::size_t>(count), *ranks))
    of_all.push_back(owner == ranks->rank() ? chosen[next++] : elsewhere);
  return of_all;
}

Sample Sample::subset(const std::vector<Index>& chosen) const {
  std::vector<std::uint64_t> keys;
  for (const Index row : chosen) keys.push_back(row == elsewhere ? 0 : keys_[static_cast<std::size_t>(row)]);
  if (const Communicator* ranks = executor_.ranks()) ranks->sum(keys.data(), static_cast<Index>(keys.size()));
  Sample part(chosen_rows(rows_, chosen, executor_), executor_.without_ranks(), std::move(keys));
  std::call_once(part.lazy_->space_once, [&] { part.lazy_->space = space(); });
  return part;
}

}  // namespace cda
