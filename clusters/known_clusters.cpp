// Found clusters against known ones, by their cells: a cluster is its rows times its columns (Patrikainen and Meila
// 2006). Where clusters overlap, a cell counts as often as it is in one. With a(c) and b(c) how often cell c is in
// found and in known clusters, U = sum max(a, b) and I = sum min(a, b),
//
//   RNIA = I / U,     CE = D / U,     D the most cells that a one-to-one matching of found with known clusters shares.
//
// Both are 1 for the same clusters (the paper's are one less these), and CE <= RNIA: it also notices clusters that are
// split or merged.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/assignment.hpp"
#include "cda/cluster.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

Matrix cell_counts(const std::vector<SubspaceCluster>& clusters, Index rows, Index columns) {
  Matrix counts = Matrix::Zero(rows, columns);
  for (const SubspaceCluster& cluster : clusters)
    for (const Index column : cluster.columns)
      for (const Index row : cluster.rows) counts(row, column) += 1.0;
  return counts;
}

double common(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<Index> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<double>(both.size());
}

// Whole numbers of one line, with errors that name the place.
class Numbers {
 public:
  Numbers(const std::string& line, std::string source, long number)
      : text_(line), source_(std::move(source)), number_(number) {}

  bool more() {
    text_ >> std::ws;
    return !text_.eof();
  }
  Index next(const char* what, Index highest) {
    std::string word;
    Index value = -1;
    if (text_ >> word) {
      const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (failure != std::errc() || end != word.data() + word.size()) value = -1;
    }
    if (value < 0 || value > highest)
      throw Error(Fault::input, "cluster.known",
                  fmt::format("expected {} from 0 to {}, got {}", what, highest, in_quotes(word)),
                  "a line has a 0 or 1 for each column, the number of rows, and the rows, which count from 0",
                  {source_, number_});
    return value;
  }

 private:
  std::istringstream text_;
  std::string source_;
  long number_;
};

}  // namespace

SubspaceScores compare_clusters(const std::vector<SubspaceCluster>& found, const std::vector<SubspaceCluster>& known,
                                Index rows, Index columns) {
  const Matrix a = cell_counts(found, rows, columns), b = cell_counts(known, rows, columns);
  const double all = a.cwiseMax(b).sum();
  if (!(all > 0.0)) return {};
  Matrix costs(static_cast<Index>(found.size()), static_cast<Index>(known.size()));
  for (Index i = 0; i < costs.rows(); ++i)
    for (Index j = 0; j < costs.cols(); ++j) {
      const SubspaceCluster &one = found[static_cast<std::size_t>(i)], &other = known[static_cast<std::size_t>(j)];
      costs(i, j) = -common(one.rows, other.rows) * common(one.columns, other.columns);
    }
  const double matched = costs.size() > 0 ? -cheapest_assignment(costs).cost : 0.0;
  return {a.cwiseMin(b).sum() / all, matched / all};
}

std::vector<SubspaceCluster> known_clusters(const std::string& text, Index rows, Index columns,
                                            const std::string& source) {
  std::istringstream lines(text);
  std::string line;
  std::vector<SubspaceCluster> known;
  for (long number = 1; std::getline(lines, line); ++number) {
    Numbers numbers(line, source, number);
    if (number == 1 || !numbers.more()) continue;  // the first line holds words
    SubspaceCluster cluster;
    for (Index column = 0; column < columns; ++column)
      if (numbers.next("a column's 0 or 1", 1) == 1) cluster.columns.push_back(column);
    const Index size = numbers.next("a number of rows", rows);
    for (Index i = 0; i < size; ++i) cluster.rows.push_back(numbers.next("a row", rows - 1));
    std::sort(cluster.rows.begin(), cluster.rows.end());
    cluster.rows.erase(std::unique(cluster.rows.begin(), cluster.rows.end()), cluster.rows.end());
    if (numbers.more())
      throw Error(Fault::input, "cluster.known", "there are more rows than the line says",
                  fmt::format("or the table has other columns than its {}", columns), {source, number});
    known.push_back(std::move(cluster));
  }
  if (known.empty()) throw Error(Fault::input, "cluster.known", "there is no cluster in this file", {}, {source});
  return known;
}

}  // namespace cda
