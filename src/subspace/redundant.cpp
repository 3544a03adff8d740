#include "subspace/redundant.hpp"

#include <algorithm>
#include <map>

namespace cda {
namespace {

Index common_rows(const std::vector<Index>& a, const std::vector<Index>& b) {
  Index count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      ++count;
      ++i;
      ++j;
    } else if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return count;
}

}  // namespace

std::vector<SubspaceCluster> without_redundant(std::vector<SubspaceCluster> clusters, double share, Index columns,
                                               const Executor& executor) {
  std::map<std::vector<Index>, std::pair<std::size_t, std::size_t>> places;  // of the clusters of a subspace
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto place = places.try_emplace(clusters[i].columns, i, i).first;
    place->second.second = i + 1;
  }
  std::vector<char> redundant(clusters.size(), 0);
  constexpr std::size_t chunk = 256;
  executor.for_each(static_cast<Index>((clusters.size() + chunk - 1) / chunk), [&](Index part) {
    const std::size_t begin = static_cast<std::size_t>(part) * chunk, end = std::min(begin + chunk, clusters.size());
    for (std::size_t i = begin; i < end; ++i) {
      const SubspaceCluster& one = clusters[i];
      const double needed = share * static_cast<double>(one.rows.size());
      for (Index column = 0; column < columns && redundant[i] == 0; ++column) {
        std::vector<Index> larger = one.columns;
        const auto at = std::lower_bound(larger.begin(), larger.end(), column);
        if (at != larger.end() && *at == column) continue;
        larger.insert(at, column);
        const auto place = places.find(larger);
        if (place == places.end()) continue;
        for (std::size_t j = place->second.first; j < place->second.second && redundant[i] == 0; ++j)
          if (static_cast<double>(common_rows(one.rows, clusters[j].rows)) >= needed) redundant[i] = 1;
      }
    }
  });
  std::vector<SubspaceCluster> kept;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    if (redundant[i] == 0) kept.push_back(std::move(clusters[i]));
  return kept;
}

}  // namespace cda
