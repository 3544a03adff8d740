#include "memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdio>

#include "cda/error.hpp"
#include "control_group.hpp"

namespace cda::command {
namespace {

std::atomic<std::uint64_t> estimate{0};  // for out_of_memory(), which has nobody to ask

std::optional<std::uint64_t> resource_limit(__rlimit_resource which) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// What the kernel would hand out without taking it from others.
std::optional<std::uint64_t> free_memory() {
  std::FILE* file = std::fopen("/proc/meminfo", "re");
  if (file == nullptr) return std::nullopt;
  char line[256];
  unsigned long long kilobytes = 0;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file) != nullptr)
    found = std::sscanf(line, "MemAvailable: %llu", &kilobytes) == 1;
  std::fclose(file);
  if (!found) return std::nullopt;
  return 1024 * kilobytes;
}

constexpr double cell = sizeof(double);
constexpr double program = 8.0 * 1024 * 1024;  // what it takes with empty tables

double cells(const TableSize& size) { return static_cast<double>(size.rows) * static_cast<double>(size.columns); }

// Beside the rows: keys, order and projected values, and the covariance, its axes and both ways of a dense preparation,
// as wide as the smaller of rows and columns.
double side_bytes(const TableSize& size) {
  constexpr double row_bytes = 96.0;
  const auto rows = static_cast<double>(size.rows), columns = static_cast<double>(size.columns);
  const double rank = std::min(rows, columns);
  return cell * (4.0 * rank * rank + 3.0 * columns * rank) + row_bytes * rows;
}

// How many cells there are at once. Rows are prepared where they are, unless the tables are wanted again: by what comes
// after the fit, or by a preparation that bends columns. A limit on columns, and methods to compare with, keep rows as
// they came beside what they make of them.
double cells_at_once(const TableSize& x, const TableSize& y, const FitOptions& options, bool rows_kept) {
  constexpr double compared = 6.0;
  const double both = cells(x) + cells(y);
  if (!find_method(options.method).baseline.empty()) return compared * both;
  const std::vector<PartSpec> steps = options.prepare.value_or(std::vector<PartSpec>());
  const bool bent =
      std::any_of(steps.begin(), steps.end(), [](const PartSpec& step) { return preparations().make(step)->bends(); });
  if (options.max_columns > 0) return 3.0 * both;
  return rows_kept || bent ? 2.0 * both : both;
}

// Rows that are kept, a few times over while they are chosen and prepared; and squares of the columns: the sums, a part
// of them for each chunk under way, and what the fit makes of them.
double moment_bytes(Index width, int threads) {
  const auto columns = static_cast<double>(width);
  const double kept =
      std::clamp(0x1.0p23 / std::max(columns, 1.0), 1000.0, static_cast<double>(TableMoments::kept_rows));
  return cell * (7.0 * kept * columns + (4.0 * threads + 12.0) * columns * columns) + 64.0 * kept;
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

std::uint64_t fit_memory(const TableSize& x, const TableSize& y, const FitOptions& options, bool rows_kept) {
  if (!why_not_moments(options).empty() || std::max(x.rows, y.rows) <= TableMoments::long_table)
    return static_cast<std::uint64_t>(program + cell * cells_at_once(x, y, options, rows_kept) + side_bytes(x) +
                                      side_bytes(y));
  const int threads = Executor(options.threads).threads();
  const double hashes = 8.0 * static_cast<double>(std::max(x.rows, y.rows));
  return static_cast<std::uint64_t>(program + cell * (cells(x) + cells(y)) + hashes + moment_bytes(x.columns, threads) +
                                    moment_bytes(y.columns, threads));
}

std::uint64_t reading_memory(const TableSize& x, const TableSize& y) {
  const double first = cell * cells(x), second = cell * cells(y);
  const double text_x = static_cast<double>(x.text_bytes), text_y = static_cast<double>(y.text_bytes);
  return static_cast<std::uint64_t>(program + std::max(text_x + first, first + text_y + second));
}

std::uint64_t streaming_memory(Index x_columns, Index y_columns, const FitOptions& options) {
  constexpr double block = 40.0 * 1024 * 1024;  // of text, its rest, and the rows it holds
  const int threads = Executor(options.threads).threads();
  return static_cast<std::uint64_t>(program + block + moment_bytes(x_columns, threads) +
                                    moment_bytes(y_columns, threads));
}

std::uint64_t memory_at_hand(const std::optional<std::uint64_t>& asked) {
  std::uint64_t least = asked.value_or(UINT64_MAX);
  for (const auto& limit : {memory_allowed(), free_memory()}) least = std::min(least, limit.value_or(UINT64_MAX));
  return least;
}

std::optional<std::uint64_t> memory_allowed() {
  std::optional<std::uint64_t> least;
  for (const auto& limit : {resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA), control_group_limit()})
    if (limit) least = std::min(least.value_or(*limit), *limit);
  return least;
}

void limit_memory(std::uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  setrlimit(RLIMIT_DATA, &limit);  // where it fails the estimate is all there is
}

void check_memory(std::uint64_t needed, const std::optional<std::uint64_t>& asked) {
  estimate = needed;
  const auto group = control_group_limit();
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
