#include "table/row_choice.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "cda/extend/random.hpp"

namespace cda {
namespace {

std::uint64_t stirred(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

RowChoice::RowChoice(Index most, const std::vector<std::string>& names)
    : most_(most), limit_(std::numeric_limits<std::uint64_t>::max()), kept_(0, static_cast<Index>(names.size())) {
  for (const std::string& name : names) factors_.push_back(stable_hash(name, 0x524f5753) | 1);
}

// A sum of cells times odd numbers, stirred at the end: one multiplication a cell. Halves are exchanged first, since
// the lower half of short numbers is zero and a product carries only upwards. Four columns at a time: sums are touched
// less.
void RowChoice::add_hashes(const Eigen::Ref<const Matrix>& rows, std::uint64_t* hashes) const {
  const auto turned = [](double cell) { return std::rotl(std::bit_cast<std::uint64_t>(cell), 32); };
  const auto factor = [&](Index j) { return factors_[static_cast<std::size_t>(j)]; };
  Index j = 0;
  for (; j + 4 <= rows.cols(); j += 4) {
    const double *a = rows.col(j).data(), *b = rows.col(j + 1).data(), *c = rows.col(j + 2).data(),
                 *d = rows.col(j + 3).data();
    const std::uint64_t fa = factor(j), fb = factor(j + 1), fc = factor(j + 2), fd = factor(j + 3);
    for (Index i = 0; i < rows.rows(); ++i)
      hashes[i] += turned(a[i]) * fa + turned(b[i]) * fb + (turned(c[i]) * fc + turned(d[i]) * fd);
  }
  for (; j < rows.cols(); ++j)
    for (Index i = 0; i < rows.rows(); ++i) hashes[i] += turned(rows(i, j)) * factor(j);
}

void RowChoice::offer(const Eigen::Ref<const Matrix>& rows, const std::vector<std::uint64_t>& hashes, Index first,
                      const Executor& executor) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::uint64_t hash = stirred(hashes[static_cast<std::size_t>(i)]);
    if (hash > limit_) continue;
    entries_.push_back({hash, first + i, 1, -1});
    if (static_cast<Index>(entries_.size()) >= 2 * most_ + 1024) settle();
  }
  settle();
  const bool news = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.slot < 0; });
  if (!news) return;
  Matrix kept(static_cast<Index>(entries_.size()), kept_.cols());
  std::vector<std::pair<Index, Index>> found;  // row here and place, down the rows: memory likes that
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].slot < 0) found.emplace_back(entries_[i].row - first, static_cast<Index>(i));
  std::sort(found.begin(), found.end());
  executor.for_each(kept.cols(), [&](Index j) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].slot >= 0) kept(static_cast<Index>(i), j) = kept_(entries_[i].slot, j);
    for (const auto& [row, place] : found) kept(place, j) = rows(row, j);
  });
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].slot = static_cast<Index>(i);
  kept_ = std::move(kept);
}

void RowChoice::settle() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.hash != b.hash ? a.hash < b.hash : a.row < b.row; });
  std::size_t count = 0;
  for (const Entry& entry : entries_) {
    if (count > 0 && entries_[count - 1].hash == entry.hash)
      entries_[count - 1].count += entry.count;
    else if (static_cast<Index>(count) == most_)
      break;
    else
      entries_[count++] = entry;
  }
  entries_.resize(count);
  if (static_cast<Index>(count) == most_) limit_ = entries_.back().hash;
}

Matrix RowChoice::rows(Index most) const {
  Index total = 0;
  for (const Entry& entry : entries_) total += entry.count;
  const Index wanted = std::min(most, total);
  Matrix chosen(wanted, kept_.cols());
  // Places spread evenly over all of them, so that shares stay as they are.
  Index next = 0, passed = 0;
  for (const Entry& entry : entries_) {
    passed += entry.count;
    const auto place = [&](Index i) {
      return (static_cast<double>(i) + 0.5) * (static_cast<double>(total) / static_cast<double>(wanted));
    };
    for (; next < wanted && place(next) < static_cast<double>(passed); ++next) chosen.row(next) = kept_.row(entry.slot);
  }
  return chosen;
}

}  // namespace cda
