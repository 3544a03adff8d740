#include "base/over_ranks.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cda {

Range range_of(const Eigen::Ref<const Matrix>& values, const Executor& executor) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  const Index length = Executor::block_rows(values.rows()), blocks = (values.rows() + length - 1) / length;
  Matrix of_blocks = Matrix::Constant(2, std::max<Index>(1, blocks), nothing);
  if (values.size() > 0)
    executor.for_each(blocks, [&](Index i) {
      const auto block = values.middleRows(i * length, std::min(length, values.rows() - i * length));
      of_blocks.col(i) << -block.minCoeff(), block.maxCoeff();
    });
  Vector ends = of_blocks.rowwise().maxCoeff();
  if (const Communicator* ranks = executor.ranks()) ranks->largest(ends.data(), ends.size());
  return {-ends[0], ends[1]};
}

Matrix column_ranges(const Matrix& rows, const Executor& executor) {
  Matrix ends = Matrix::Constant(2, rows.cols(), -std::numeric_limits<double>::infinity());
  if (rows.rows() > 0)
    executor.for_each(rows.cols(), [&](Index j) { ends.col(j) << -rows.col(j).minCoeff(), rows.col(j).maxCoeff(); });
  if (const Communicator* ranks = executor.ranks()) ranks->largest(ends.data(), ends.size());
  ends.row(0) *= -1.0;
  return ends;
}

Matrix chosen_rows(const Matrix& rows, const std::vector<Index>& chosen, const Executor& executor) {
  Matrix found = Matrix::Zero(static_cast<Index>(chosen.size()), rows.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != elsewhere) found.row(static_cast<Index>(i)) = rows.row(chosen[i]);
  executor.add_over_ranks(found);  // one rank has the row, the others add zero
  return found;
}

std::vector<Index> told_by_each(Index number, const Communicator& ranks) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()), 0);
  all[static_cast<std::size_t>(ranks.rank())] = static_cast<std::uint64_t>(number);
  ranks.sum(all.data(), static_cast<Index>(all.size()));
  return {all.begin(), all.end()};
}

Index told_by_lower_ranks(Index number, const Communicator& ranks) {
  const std::vector<Index> all = told_by_each(number, ranks);
  return std::accumulate(all.begin(), all.begin() + ranks.rank(), Index{0});
}

std::string told_by_first(const std::string& text, const Communicator& ranks) {
  const bool here = ranks.rank() == 0;
  std::uint64_t length = here ? text.size() : 0;
  ranks.sum(&length, 1);
  if (length == 0) return "";
  std::vector<std::uint64_t> letters(length, 0);
  for (std::size_t i = 0; here && i < length; ++i) letters[i] = static_cast<unsigned char>(text[i]);
  ranks.sum(letters.data(), static_cast<Index>(length));
  return {letters.begin(), letters.end()};
}

Communicator::Parts in_a_row(std::vector<Index> counts) {
  Communicator::Parts parts{{}, std::move(counts)};
  Index begin = 0;
  for (const Index count : parts.count) {
    parts.begin.push_back(begin);
    begin += count;
  }
  return parts;
}

Communicator::Parts arriving(const std::vector<Index>& sent, const Communicator& ranks) {
  // Everybody hears how many everybody sends to whom.
  const auto size = static_cast<std::size_t>(ranks.size()), here = static_cast<std::size_t>(ranks.rank());
  std::vector<std::uint64_t> table(size * size, 0);
  for (std::size_t r = 0; r < size; ++r) table[here * size + r] = static_cast<std::uint64_t>(sent[r]);
  ranks.sum(table.data(), static_cast<Index>(table.size()));
  std::vector<Index> counts;
  for (std::size_t r = 0; r < size; ++r) counts.push_back(static_cast<Index>(table[r * size + here]));
  return in_a_row(std::move(counts));
}

Matrix gathered(const Matrix& rows, const Executor& executor) {
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return rows;
  Matrix all = Matrix::Zero(executor.total(rows.rows()), rows.cols());
  all.middleRows(told_by_lower_ranks(rows.rows(), *ranks), rows.rows()) = rows;
  executor.add_over_ranks(all);
  return all;
}

}  // namespace cda
