// Matching columns: describe every column by its shape, compare all pairs, choose the best one-to-one partners, and ask
// of each match how far it can be trusted (column_shapes.hpp: shapes and their similarity; match_verdict.hpp:
// verdicts).
//
// Partners minimise the sum of sqrt(W2), that is (1 - similarity)^(1/4). A root so flat makes good pairs count and bad
// ones hardly matter, because a column without a counterpart must not break up others' matches for a better place of
// its own. Measured on nine real tables cut into halves of their rows, share of columns found again when both halves
// keep all columns / a random 80 % / 60 % of them: with W2^2 .67 / .54 / .53, with W2 .67 / .62 / .63, with
// sqrt(W2) .67 / .63 / .66.
//
// Resamples are compared and assigned in the same way. A match's frequency is the share of them with the same partners;
// the mean of 1 - similarity between a column and its resamples is what sampling does to it, and for two samples of one
// distribution both add up.
//
// Cost: sorting, then per resample about 1000 random numbers per column, O(256 m l) for the comparison and at most
// O(m^2 l) for the assignment. 500 x 500 columns of 10000 rows with 99 resamples: a few seconds.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/assignment.hpp"
#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/random.hpp"
#include "cda/match.hpp"
#include "use/column_shapes.hpp"
#include "use/match_verdict.hpp"

namespace cda {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Hands on the share done, in rough seconds of work, and remembers whether the caller wants to stop.
class MatchProgress {
 public:
  MatchProgress(const MatchObserver& observer, double whole) : observer_(observer), whole_(whole) {}

  bool stopped() const { return stopped_; }
  void add(double work) {
    if (!observer_) return;
    const std::lock_guard lock(mutex_);
    done_ += work;
    if (!stopped_ && !observer_(std::min(1.0, done_ / whole_))) stopped_ = true;
  }
  void throw_if_stopped() const {
    if (stopped_) throw Error(Fault::usage, "interrupted", "stopped before it was finished");
  }

 private:
  const MatchObserver& observer_;
  double whole_, done_ = 0.0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
};

double describing_work(const Table& table) { return 1e-7 * static_cast<double>(table.rows()); }

double resampling_work(const Table& x, const Table& y) {
  const auto m = static_cast<double>(x.columns()), l = static_cast<double>(y.columns());
  return 5e-5 * (m + l) + 1e-7 * m * l;
}

// The columns of one table that vary, and the others as unmatched.
std::vector<Column> describe(const Table& table, std::optional<int> common, const Executor& executor,
                             MatchProgress& progress, std::vector<UnmatchedColumn>& unmatched) {
  std::vector<Column> all(at(table.columns()));
  executor.for_each(table.columns(), [&](Index j) {
    if (progress.stopped()) return;
    all[at(j)] = describe_column(table, j, common ? *common : largest_exponent(table.values.col(j)).value_or(0));
    progress.add(describing_work(table));
  });
  progress.throw_if_stopped();
  std::vector<Column> varying;
  for (Column& column : all) {
    if (column.varies())
      varying.push_back(std::move(column));
    else
      unmatched.push_back({column.number, column.rows == 0 ? "empty" : "constant", {}});
  }
  return varying;
}

Assignment assign(const Similarities& found) {
  return cheapest_assignment((1.0 - found.values.array()).sqrt().sqrt().matrix());
}

int sign_of(double skewed) { return skewed < 0.0 ? -1 : 1; }

// What resamples say, of one or added up.
struct Resampling {
  Vector same_partner;              // per column of X: in how many resamples it has its partner ...
  Vector same_sign;                 // ... and its sign
  Vector x_distances, y_distances;  // sums of 1 - similarity of a column and its resamples

  Resampling(std::size_t m, std::size_t l)
      : same_partner(Vector::Zero(static_cast<Index>(m))),
        same_sign(same_partner),
        x_distances(same_partner),
        y_distances(Vector::Zero(static_cast<Index>(l))) {}
  void operator+=(const Resampling& other) {
    same_partner += other.same_partner;
    same_sign += other.same_sign;
    x_distances += other.x_distances;
    y_distances += other.y_distances;
  }
};

class Matching {
 public:
  Matching(std::vector<Column> x, std::vector<Column> y, const MatchOptions& options)
      : x_(std::move(x)), y_(std::move(y)), options_(options) {
    x_shapes_ = shapes_of(x_, options.units);
    y_shapes_ = shapes_of(y_, options.units);
    observed_ = similarities(x_shapes_, y_shapes_, options.units);
    partners_ = assign(observed_);
  }

  // In waves, so that memory does not grow with the resamples; added up in order: the same on any number of threads.
  Resampling resample(const Executor& executor, MatchProgress& progress, double work) const {
    constexpr Index wave = 128;
    const Random random(options_.seed, "match");
    Resampling sums(x_.size(), y_.size());
    for (Index first = 0; first < options_.bootstrap; first += wave) {
      const Index count = std::min(wave, options_.bootstrap - first);
      std::vector<Resampling> parts(at(count), Resampling(x_.size(), y_.size()));
      executor.for_each(count, [&](Index i) {
        if (progress.stopped()) return;
        resample_once(random.stream(fmt::format("resample {}", first + i)), parts[at(i)]);
        progress.add(work);
      });
      progress.throw_if_stopped();
      for (const Resampling& part : parts) sums += part;
    }
    return sums;
  }

  void report(const Resampling& resampling, ColumnMatches& result) const {
    const std::vector<double> background = similarities_of_others();
    for (Index i = 0; i < static_cast<Index>(x_.size()); ++i) {
      const Index j = partners_.column_of_row[at(i)];
      if (j < 0)
        result.unmatched_x.push_back({x_[at(i)].number, "left over", best_y(i, -1, {})});
      else
        result.matches.push_back(match(i, j, resampling, background));
    }
    for (Index j = 0; j < static_cast<Index>(y_.size()); ++j)
      if (partners_.row_of_column[at(j)] < 0)
        result.unmatched_y.push_back({y_[at(j)].number, "left over", best_x(j, -1, {})});
    const auto by_number = [](const UnmatchedColumn& a, const UnmatchedColumn& b) { return a.column < b.column; };
    std::sort(result.unmatched_x.begin(), result.unmatched_x.end(), by_number);
    std::sort(result.unmatched_y.begin(), result.unmatched_y.end(), by_number);
    warn_of_few_values(result.warnings);
  }

 private:
  void resample_once(const Random& random, Resampling& one) const {
    const ColumnShapes x = resampled(x_, options_.units, random.stream("x"));
    const ColumnShapes y = resampled(y_, options_.units, random.stream("y"));
    const Similarities found = similarities(x, y, options_.units);
    const Assignment partners = assign(found);
    for (Index i = 0; i < found.values.rows(); ++i) {
      const Index j = partners_.column_of_row[at(i)];
      if (j < 0 || partners.column_of_row[at(i)] != j) continue;
      one.same_partner[i] = 1.0;
      one.same_sign[i] = sign_between(found, i, j) == sign_between(observed_, i, j) ? 1.0 : 0.0;
    }
    one.x_distances = 1.0 - own_similarities(x, x_shapes_, options_.units).array();
    one.y_distances = 1.0 - own_similarities(y, y_shapes_, options_.units).array();
  }

  int sign_between(const Similarities& found, Index i, Index j) const {
    return options_.units == MatchUnits::raw ? 1 : sign_of(found.skewed(i, j));
  }

  // The best partner but one of column i of X; margins are against `similarity`, or 0.
  std::optional<RunnerUp> best_y(Index i, Index but, std::optional<double> similarity) const {
    return best(observed_.values.row(i), y_, but, similarity);
  }
  std::optional<RunnerUp> best_x(Index j, Index but, std::optional<double> similarity) const {
    return best(observed_.values.col(j), x_, but, similarity);
  }
  static std::optional<RunnerUp> best(const Vector& values, const std::vector<Column>& columns, Index but,
                                      std::optional<double> similarity) {
    Index chosen = -1;
    for (Index k = 0; k < values.size(); ++k)
      if (k != but && (chosen < 0 || values[k] > values[chosen])) chosen = k;
    if (chosen < 0) return {};
    return RunnerUp{columns[at(chosen)].number, values[chosen], similarity ? *similarity - values[chosen] : 0.0};
  }

  std::vector<double> similarities_of_others() const {  // of all pairs that are not matched, increasing
    std::vector<double> others;
    for (Index j = 0; j < observed_.values.cols(); ++j)
      for (Index i = 0; i < observed_.values.rows(); ++i)
        if (partners_.column_of_row[at(i)] != j) others.push_back(observed_.values(i, j));
    std::sort(others.begin(), others.end());
    return others;
  }

  ColumnMatch match(Index i, Index j, const Resampling& resampling, const std::vector<double>& background) const {
    const Column &x = x_[at(i)], &y = y_[at(j)];
    ColumnMatch match;
    match.x = x.number;
    match.y = y.number;
    match.sign = sign_between(observed_, i, j);
    match.similarity = observed_.values(i, j);
    const auto resamples = static_cast<double>(options_.bootstrap);
    match.sampling = (resampling.x_distances[i] + resampling.y_distances[j]) / resamples;
    match.other_y = best_y(i, j, match.similarity);
    match.other_x = best_x(j, i, match.similarity);
    match.frequency = resampling.same_partner[i] / resamples;
    if (match.frequency > 0.0) match.sign_frequency = resampling.same_sign[i] / resampling.same_partner[i];
    if (!background.empty()) {
      const auto first = std::lower_bound(background.begin(), background.end(), match.similarity);
      match.as_similar = static_cast<double>(background.end() - first) / static_cast<double>(background.size());
    }
    judge(x, y, options_.units, match);
    return match;
  }

  void warn_of_few_values(std::vector<std::string>& warnings) const {
    const auto list = [](const char* side, const std::vector<Column>& columns, std::vector<std::string>& parts) {
      constexpr std::size_t shown = 8;
      std::vector<std::string> names;
      for (const Column& column : columns)
        if (column.few_valued()) names.push_back(in_quotes(column.name));
      if (names.empty()) return;
      const std::size_t more = names.size() > shown ? names.size() - shown : 0;
      names.resize(names.size() - more);
      parts.push_back(fmt::format("{} of {}{}", fmt::join(names, ", "), side,
                                  more > 0 ? fmt::format(" and {} more", more) : std::string()));
    };
    std::vector<std::string> parts;
    list("X", x_, parts);
    list("Y", y_, parts);
    if (!parts.empty())
      warnings.push_back(
          fmt::format("columns with fewer than 10 distinct values match easily: {}", fmt::join(parts, "; ")));
  }

  std::vector<Column> x_, y_;
  MatchOptions options_;
  ColumnShapes x_shapes_, y_shapes_;
  Similarities observed_;
  Assignment partners_;
};

// In raw units one power of two serves both tables.
std::optional<int> common_exponent(const Table& x, const Table& y, MatchUnits units) {
  if (units == MatchUnits::standardised) return {};
  std::optional<int> largest;
  for (const Table* table : {&x, &y})
    for (Index j = 0; j < table->columns(); ++j)
      largest = std::max(largest, largest_exponent(table->values.col(j)));  // none is less than any
  return largest.value_or(0);
}

void refuse_constant(const std::vector<Column>& columns, const char* side, const Table& table) {
  if (columns.empty())
    throw Error(Fault::numerical, "match.constant", fmt::format("no column of {} varies, so none has a shape", side),
                {}, {.file = table.source});
}

}  // namespace

MatchUnits match_units(const std::string& name) {
  if (same_name(name, "standardised")) return MatchUnits::standardised;
  if (same_name(name, "raw")) return MatchUnits::raw;
  unknown_name("kind of units", name, {"standardised", "raw"});
}

std::string to_string(MatchUnits units) { return units == MatchUnits::raw ? "raw" : "standardised"; }

ColumnMatches match_columns(const Table& x, const Table& y, const MatchOptions& options,
                            const MatchObserver& observer) {
  if (options.bootstrap < 19)
    throw Error(Fault::usage, "match.bootstrap",
                fmt::format("{} resamples cannot tell nine of ten; at least 19 are needed", options.bootstrap));
  const Executor executor(options.threads);
  const double per_resample = resampling_work(x, y);
  MatchProgress progress(observer, describing_work(x) * static_cast<double>(x.columns()) +
                                       describing_work(y) * static_cast<double>(y.columns()) +
                                       per_resample * static_cast<double>(options.bootstrap));
  ColumnMatches result;
  const std::optional<int> exponent = common_exponent(x, y, options.units);
  std::vector<Column> x_columns = describe(x, exponent, executor, progress, result.unmatched_x);
  std::vector<Column> y_columns = describe(y, exponent, executor, progress, result.unmatched_y);
  refuse_constant(x_columns, "X", x);
  refuse_constant(y_columns, "Y", y);

  const Matching matching(std::move(x_columns), std::move(y_columns), options);
  matching.report(matching.resample(executor, progress, per_resample), result);
  return result;
}

}  // namespace cda
