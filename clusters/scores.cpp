// Scores of clusters against classes, as OpenSubspace computes them, and what chance and a single cluster reach.
//
// Each cluster is given to one class, argmax_k f_k^2 / n_k with f_k its rows of class k and n_k all rows of class k
// (the first of equals). With m(k) all rows of the clusters given to k,
//
//   F1 = mean over classes of 2 |m(k) and class k| / (|m(k)| + n_k)       0 for a class that was given none.
//
// Columns play no part, and nothing is charged for many clusters that say the same. So figures are compared at equal
// numbers of clusters, beside a single cluster of all rows and beside the same clusters with classes dealt at random.
#include <algorithm>
#include <cmath>

#include "cda/cluster.hpp"
#include "cda/extend/random.hpp"

namespace cda {
namespace {

Index class_count(const std::vector<Index>& classes) {
  const auto largest = std::max_element(classes.begin(), classes.end());
  return largest == classes.end() ? 0 : std::max<Index>(0, *largest + 1);
}

Vector sizes_of_classes(const std::vector<Index>& classes) {
  Vector sizes = Vector::Zero(class_count(classes));
  for (const Index one : classes)
    if (one >= 0) sizes[one] += 1.0;
  return sizes;
}

Vector counts_in(const std::vector<Index>& rows, const std::vector<Index>& classes, Index count) {
  Vector counts = Vector::Zero(count);
  for (const Index row : rows)
    if (const Index one = classes[static_cast<std::size_t>(row)]; one >= 0) counts[one] += 1.0;
  return counts;
}

}  // namespace

double cluster_f1(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes) {
  const Vector sizes = sizes_of_classes(classes);
  const Index count = sizes.size();
  const Index present = (sizes.array() > 0.0).count();
  if (present == 0) return 0.0;
  std::vector<std::vector<char>> given(static_cast<std::size_t>(count));
  for (const std::vector<Index>& rows : clusters) {
    const Vector counts = counts_in(rows, classes, count);
    Index best = -1;
    double most = 0.0;
    for (Index k = 0; k < count; ++k)
      if (sizes[k] > 0.0 && (best < 0 || counts[k] * counts[k] / sizes[k] > most)) {
        best = k;
        most = counts[k] * counts[k] / sizes[k];
      }
    std::vector<char>& mapped = given[static_cast<std::size_t>(best)];
    mapped.resize(classes.size(), 0);
    for (const Index row : rows) mapped[static_cast<std::size_t>(row)] = 1;
  }
  double sum = 0.0;
  for (Index k = 0; k < count; ++k) {
    const std::vector<char>& mapped = given[static_cast<std::size_t>(k)];
    double all = 0.0, right = 0.0;
    for (std::size_t row = 0; row < mapped.size(); ++row) {
      if (mapped[row] == 0) continue;
      all += 1.0;
      if (classes[row] == k) right += 1.0;
    }
    if (all > 0.0) sum += 2.0 * right / (all + sizes[k]);
  }
  return sum / static_cast<double>(present);
}

double cluster_coverage(const std::vector<std::vector<Index>>& clusters, Index rows) {
  std::vector<char> covered(static_cast<std::size_t>(rows), 0);
  for (const std::vector<Index>& cluster : clusters)
    for (const Index row : cluster) covered[static_cast<std::size_t>(row)] = 1;
  return rows == 0 ? 0.0
                   : static_cast<double>(std::count(covered.begin(), covered.end(), 1)) / static_cast<double>(rows);
}

// 1 - sum |O| H / sum |O|, with H the entropy of the classes within O over the logarithm of their number.
double cluster_entropy(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes) {
  const Index count = class_count(classes);
  const double largest = std::log(static_cast<double>(std::max<Index>(2, count)));
  double total = 0.0, weighted = 0.0;
  for (const std::vector<Index>& rows : clusters) {
    const Vector counts = counts_in(rows, classes, count);
    const double all = counts.sum();
    double entropy = 0.0;
    for (const double one : counts)
      if (one > 0.0) entropy -= one / all * std::log(one / all);
    total += static_cast<double>(rows.size());
    weighted += static_cast<double>(rows.size()) * entropy / largest;
  }
  return total > 0.0 ? 1.0 - weighted / total : 0.0;
}

ClusterScores score_clusters(const std::vector<std::vector<Index>>& clusters, const std::vector<Index>& classes,
                             Index permutations, std::uint64_t seed) {
  ClusterScores scores;
  scores.f1 = cluster_f1(clusters, classes);
  scores.entropy = cluster_entropy(clusters, classes);
  scores.coverage = cluster_coverage(clusters, static_cast<Index>(classes.size()));
  std::vector<Index> everything(classes.size());
  for (std::size_t i = 0; i < everything.size(); ++i) everything[i] = static_cast<Index>(i);
  scores.baseline_f1 = cluster_f1({everything}, classes);
  if (permutations < 1) return scores;
  const Random random(seed, "classes at random");
  Vector f1(permutations), entropy(permutations);
  Index as_good = 1;
  for (Index i = 0; i < permutations; ++i) {
    Random stream = random.stream(std::to_string(i));
    const std::vector<Index> order = stream.permutation(static_cast<Index>(classes.size()));
    std::vector<Index> dealt(classes.size());
    for (std::size_t row = 0; row < classes.size(); ++row) dealt[row] = classes[static_cast<std::size_t>(order[row])];
    f1[i] = cluster_f1(clusters, dealt);
    entropy[i] = cluster_entropy(clusters, dealt);
    as_good += f1[i] >= scores.f1 ? 1 : 0;
  }
  const double mean = f1.mean();
  scores.null_f1 = mean;
  scores.null_f1_sd =
      permutations > 1 ? std::sqrt((f1.array() - mean).square().sum() / static_cast<double>(permutations - 1)) : 0.0;
  scores.null_entropy = entropy.mean();
  scores.p_f1 = static_cast<double>(as_good) / static_cast<double>(permutations + 1);
  return scores;
}

}  // namespace cda
