// Which rows are near which. Squared distances of a block of rows to a block of others are held at a time, never all of
// them, and are sums in the order of the columns: the same bits whichever block a pair of rows falls into.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/score.hpp"
#include "cda/transfer.hpp"

namespace cda {
namespace {

constexpr Index rows_at_a_time = 128, others_at_a_time = 512;

// others x rows: the distances of one row are contiguous.
void squared_distances(const Matrix& rows, Index row, Index row_count, const Matrix& others, Index other,
                       Index other_count, Matrix& block) {
  block.setZero(other_count, row_count);
  for (Index k = 0; k < rows.cols(); ++k)
    for (Index i = 0; i < row_count; ++i)
      block.col(i).array() += (others.col(k).segment(other, other_count).array() - rows(row + i, k)).square();
}

// task(first row, number of rows, first other, block) for all blocks; those of one group of rows in order, on one
// thread.
template <class Begin, class Task, class End>
void for_blocks(const Matrix& rows, const Matrix& others, const Executor& executor, const Begin& begin,
                const Task& task, const End& end) {
  const Index groups = (rows.rows() + rows_at_a_time - 1) / rows_at_a_time;
  executor.for_each(groups, [&](Index group) {
    const Index first = group * rows_at_a_time, count = std::min(rows_at_a_time, rows.rows() - first);
    auto state = begin(first, count);
    Matrix block;
    for (Index other = 0; other < others.rows(); other += others_at_a_time) {
      squared_distances(rows, first, count, others, other, std::min(others_at_a_time, others.rows() - other), block);
      task(first, other, block, state);
    }
    end(first, state);
  });
}

void check_space(const Matrix& a, const Matrix& b) {
  if (a.cols() != b.cols() || !a.allFinite() || !b.allFinite())
    throw Error(Fault::usage, "score.rows", "rows to be compared are complete and in the same space");
}

// The mean share of others that are nearer to a row than its partner.
double share_closer(const Matrix& rows, const Matrix& others, const Executor& executor) {
  const Index n = rows.rows();
  Vector closer(n);
  for_blocks(
      rows, others, executor,
      [&](Index first, Index count) {
        std::pair<Vector, Vector> own{Vector::Zero(count), Vector::Zero(count)};  // distance to the partner, count
        for (Index k = 0; k < rows.cols(); ++k)
          own.first.array() +=
              (others.col(k).segment(first, count).array() - rows.col(k).segment(first, count).array()).square();
        return own;
      },
      [](Index /*first*/, Index /*other*/, const Matrix& block, auto& own) {
        for (Index i = 0; i < block.cols(); ++i) {
          const double distance = own.first[i];
          own.second[i] += static_cast<double>((block.col(i).array() < distance).count()) +
                           0.5 * static_cast<double>((block.col(i).array() == distance).count());
        }
      },
      [&](Index first, const auto& own) { closer.segment(first, own.second.size()) = own.second.array() - 0.5; });
  return closer.mean() / static_cast<double>(n - 1);  // without the half that each counted for its partner itself
}

double vote(const std::vector<NearRow>& nearest, const Vector& labels) {
  std::map<double, Index> votes;
  Index most = 0;
  for (const NearRow& near : nearest) most = std::max(most, ++votes[labels[near.row]]);
  for (const NearRow& near : nearest)
    if (votes[labels[near.row]] == most) return labels[near.row];
  return labels[nearest.front().row];
}

}  // namespace

PartnerRanks closer_than_partner(const Matrix& x, const Matrix& y, const Executor& executor) {
  check_space(x, y);
  if (x.rows() != y.rows() || x.rows() < 2)
    throw Error(
        Fault::input, "score.rows",
        fmt::format("partners need as many rows of X as of Y, two at least; there are {} and {}", x.rows(), y.rows()));
  return {share_closer(x, y, executor), share_closer(y, x, executor)};
}

std::vector<std::vector<NearRow>> nearest_rows(const Matrix& rows, const Matrix& others, Index count,
                                               const Executor& executor) {
  check_space(rows, others);
  if (count < 1 || others.rows() == 0)
    throw Error(Fault::usage, "score.rows", "the nearest rows are asked for, but there are none");
  const auto wanted = static_cast<std::size_t>(std::min(count, others.rows()));
  std::vector<std::vector<NearRow>> all(static_cast<std::size_t>(rows.rows()));
  const auto nearer = [](const NearRow& a, const NearRow& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.row < b.row;
  };
  for_blocks(
      rows, others, executor, [](Index /*first*/, Index /*count*/) { return 0; },
      [&](Index first, Index other, const Matrix& block, auto& /*state*/) {
        for (Index i = 0; i < block.cols(); ++i) {
          std::vector<NearRow>& nearest = all[static_cast<std::size_t>(first + i)];  // increasing
          for (Index j = 0; j < block.rows(); ++j) {
            if (nearest.size() == wanted && !(block(j, i) < nearest.back().squared)) continue;
            if (nearest.size() == wanted) nearest.pop_back();
            const NearRow entry{block(j, i), other + j};
            nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), entry, nearer), entry);
          }
        }
      },
      [](Index /*first*/, const auto& /*state*/) {});
  return all;
}

Vector vote_of_nearest(const Matrix& rows, const Matrix& labelled_rows, const Vector& labels, Index neighbours,
                       const Executor& executor) {
  check_space(rows, labelled_rows);
  if (labels.size() != labelled_rows.rows() || labels.size() == 0 || neighbours < 1)
    throw Error(Fault::usage, "score.rows", "a vote needs neighbours, and a label for each");
  const auto nearest = nearest_rows(rows, labelled_rows, neighbours, executor);
  Vector votes(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) votes[i] = vote(nearest[static_cast<std::size_t>(i)], labels);
  return votes;
}

LabelTransfer label_transfer(const Matrix& rows, const Vector& truth, const Matrix& labelled_rows, const Vector& labels,
                             Index neighbours, const Executor& executor) {
  if (truth.size() != rows.rows() || truth.size() == 0)
    throw Error(Fault::usage, "score.rows", "votes are compared with a label for each row");
  const Vector votes = vote_of_nearest(rows, labelled_rows, labels, neighbours, executor);
  std::map<double, Index> counts;
  for (const double label : labels) ++counts[label];
  const double most =
      std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  return {1.0 - classification_error(votes, truth).mean, 1.0 - chance_classification_error(votes, truth),
          1.0 - classification_error(Vector::Constant(truth.size(), most), truth).mean, truth.size()};
}

}  // namespace cda
