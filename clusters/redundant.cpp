#include "clusters/redundant.hpp"

#include <string_view>
#include <unordered_map>

namespace cda {

void drop_redundant(std::vector<Region>& regions, double share, Index columns, const Executor& executor) {
  std::unordered_map<std::string_view, std::vector<const Region*>> of_subspace;
  for (const Region& region : regions) of_subspace[region.columns.bytes()].push_back(&region);
  std::vector<char> redundant(regions.size(), 0);
  const auto repeats = [&](const Region& region, Index column) {
    RowSet larger = region.columns;
    larger.add(column);
    const auto there = of_subspace.find(larger.bytes());
    if (there == of_subspace.end()) return false;
    for (const Region* other : there->second)
      if (static_cast<double>(region.rows.common(other->rows)) >= share * static_cast<double>(region.size)) return true;
    return false;
  };
  constexpr Index chunk = 256;
  const auto count = static_cast<Index>(regions.size());
  executor.for_each((count + chunk - 1) / chunk, [&](Index part) {
    for (Index i = part * chunk; i < std::min(count, (part + 1) * chunk); ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (Index column = 0; column < columns && redundant[at] == 0; ++column)
        if (!regions[at].columns.has(column) && repeats(regions[at], column)) redundant[at] = 1;
    }
  });
  of_subspace.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (redundant[i] == 0) {
      if (kept != i) regions[kept] = std::move(regions[i]);
      ++kept;
    }
  regions.resize(kept);
}

}  // namespace cda
