#include "studies/paired_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cda {
namespace {

struct Ranked {
  std::vector<long> doubled;   // twice the rank of each magnitude, a whole number also where ties share a rank
  std::vector<bool> positive;  // of each difference, in the same order
  double tie_sum = 0.0;        // of t^3 - t over groups of t ties
};

Ranked ranked(std::vector<double> differences) {
  std::erase(differences, 0.0);
  std::sort(differences.begin(), differences.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  Ranked all;
  for (std::size_t first = 0; first < differences.size();) {
    std::size_t last = first;
    while (last < differences.size() && std::abs(differences[last]) == std::abs(differences[first])) ++last;
    const auto ties = static_cast<double>(last - first);
    all.tie_sum += ties * ties * ties - ties;
    for (; first < last; ++first) {
      // Ranks first + 1 ... last have the mean (first + 1 + last) / 2.
      all.doubled.push_back(static_cast<long>(last - static_cast<std::size_t>(ties) + 1 + last));
      all.positive.push_back(differences[first] > 0.0);
    }
  }
  return all;
}

// How likely a sum of at most `sum` is where every rank is in it or not with equal chance.
double chance_of_at_most(const std::vector<long>& ranks, long sum) {
  const long total = std::accumulate(ranks.begin(), ranks.end(), 0L);
  std::vector<double> chances(static_cast<std::size_t>(total) + 1, 0.0);
  chances[0] = 1.0;
  long reached = 0;
  for (const long rank : ranks) {
    for (long s = reached; s >= 0; --s) {
      const double half = 0.5 * chances[static_cast<std::size_t>(s)];
      chances[static_cast<std::size_t>(s)] = half;
      chances[static_cast<std::size_t>(s + rank)] += half;
    }
    reached += rank;
  }
  return std::accumulate(chances.begin(), chances.begin() + sum + 1, 0.0);
}

}  // namespace

MeanAndSpread spread(const std::vector<double>& values) {
  return mean_and_spread(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
}

double signed_rank_p(const std::vector<double>& differences) {
  const Ranked all = ranked(differences);
  if (all.doubled.empty()) return 1.0;
  long positive = 0, total = 0;
  for (std::size_t i = 0; i < all.doubled.size(); ++i) {
    total += all.doubled[i];
    if (all.positive[i]) positive += all.doubled[i];
  }
  const long smaller = std::min(positive, total - positive);
  if (all.doubled.size() <= 50) return std::min(1.0, 2.0 * chance_of_at_most(all.doubled, smaller));
  const auto n = static_cast<double>(all.doubled.size());
  const double mean = n * (n + 1.0) / 4.0;
  const double variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - all.tie_sum / 48.0;
  const double distance = std::max(0.0, mean - 0.5 * static_cast<double>(smaller) - 0.5);
  return std::erfc(distance / std::sqrt(2.0 * variance));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double last = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    last = std::max(last, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    corrected[order[i]] = last;
  }
  return corrected;
}

}  // namespace cda
