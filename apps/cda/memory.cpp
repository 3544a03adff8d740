#include "memory.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdio>

#include "cda/error.hpp"

namespace cda::command {
namespace {

std::atomic<std::uint64_t> estimate{0};  // for out_of_memory(), which has nobody to ask

// Of control groups, version 2; "max" where there is none.
std::optional<std::uint64_t> group_limit() {
  std::FILE* file = std::fopen("/sys/fs/cgroup/memory.max", "re");
  if (file == nullptr) return std::nullopt;
  unsigned long long bytes = 0;
  const int found = std::fscanf(file, "%llu", &bytes);
  std::fclose(file);
  if (found != 1) return std::nullopt;
  return bytes;
}

std::optional<std::uint64_t> resource_limit(__rlimit_resource which) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// Tables are copied when rows and columns are put in order, brought to magnitude one, and prepared; at the end columns
// are standardised once more for loadings. Beside these stand the covariance, its axes and both ways of a dense
// preparation, as wide as the smaller of rows and columns.
double side_bytes(const Table& table) {
  constexpr double cell = sizeof(double), row_keys = 64.0, copies = 6.0;
  const auto rows = static_cast<double>(table.rows()), columns = static_cast<double>(table.columns());
  const double rank = std::min(rows, columns);
  return cell * (copies * rows * columns + 4.0 * rank * rank + 3.0 * columns * rank) + row_keys * rows;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr double step = 1024.0;
  auto amount = static_cast<double>(bytes);
  for (const char* unit : {"bytes", "KiB", "MiB", "GiB"}) {
    if (amount < step) return bytes < 1024 ? fmt::format("{} {}", bytes, unit) : fmt::format("{:.1f} {}", amount, unit);
    amount /= step;
  }
  return fmt::format("{:.1f} TiB", amount);
}

std::uint64_t fit_memory(const Table& x, const Table& y) {
  constexpr double program = 8.0 * 1024 * 1024;  // what it takes with empty tables
  return static_cast<std::uint64_t>(program + side_bytes(x) + side_bytes(y));
}

std::optional<std::uint64_t> memory_allowed() {
  std::optional<std::uint64_t> least;
  for (const auto& limit : {resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA), group_limit()})
    if (limit) least = std::min(least.value_or(*limit), *limit);
  return least;
}

void keep_freed_memory() {
  constexpr int longest_kept = 32 << 20, most_kept = 96 << 20;  // the first is the largest there is
  mallopt(M_MMAP_THRESHOLD, longest_kept);
  mallopt(M_TRIM_THRESHOLD, most_kept);
}

void limit_memory(std::uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  setrlimit(RLIMIT_DATA, &limit);  // where it fails the estimate is all there is
}

void check_memory(std::uint64_t needed, const std::optional<std::uint64_t>& asked) {
  estimate = needed;
  const auto group = group_limit();
  const std::uint64_t allowed = std::min(asked.value_or(UINT64_MAX), group.value_or(UINT64_MAX));
  if (needed <= allowed) return;
  throw Error(Fault::resource, "memory",
              fmt::format("the fit needs about {} ({} bytes) of memory, allowed are {} ({} bytes)", bytes_text(needed),
                          needed, bytes_text(allowed), allowed),
              asked ? "raise --max-memory, or use fewer rows or columns" : "use fewer rows or columns");
}

std::string allowed_memory() {
  const auto allowed = memory_allowed();
  return allowed ? fmt::format("allowed are {} ({} bytes)", bytes_text(*allowed), *allowed) : std::string();
}

std::string out_of_memory() {
  const std::string allowed = allowed_memory();
  const std::uint64_t needed = estimate;
  std::string text = "there is not enough memory for this";
  if (needed > 0) text += fmt::format(": the fit needs about {} ({} bytes)", bytes_text(needed), needed);
  if (!allowed.empty()) text += fmt::format("{} {}", needed > 0 ? "," : ":", allowed);
  return text;
}

}  // namespace cda::command
