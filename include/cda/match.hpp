// Which column of one table could be which column of another, judged by the shapes of their distributions alone: no row
// has to be common. For schema matching between databases whose names say little.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cda/table.hpp"

namespace cda {

// standardised: offset and unit of every column are forgotten, and a column may be coded the other way round.
// raw: values are compared as they stand, for columns in the same unit; nothing is mirrored.
enum class MatchUnits { standardised, raw };
MatchUnits match_units(const std::string& name);
std::string to_string(MatchUnits units);

struct MatchOptions {
  MatchUnits units = MatchUnits::standardised;
  Index bootstrap = 99;  // resamples of both tables; at least 19
  std::uint64_t seed = 0;
  int threads = 0;  // 0: as many as this process may use; the result does not depend on it
};

enum class MatchVerdict {
  clear,            // best for both columns and found again in nine of ten resamples; where the shapes differ more than
                    // sampling explains, also twice as near as the runner-up
  ambiguous,        // another partner is about as good, or better for one of the two, or there is no other
  poor,             // the best that is left, but the shapes differ as much as a bell curve from a flat one
  not_distinctive,  // both are bell curves, or both flat: half the world looks like that
};
std::string to_string(MatchVerdict verdict);

// The best other partner of one column of a match.
struct RunnerUp {
  Index column = 0;
  double similarity = 0.0;
  double margin = 0.0;  // by how much it is less similar; negative: it is more similar, but was needed elsewhere
};

// Similarity is in [0, 1]. Plot the quantiles of one column against those of the other: standardised, it is the
// correlation of that plot (1: a straight line); raw, its concordance (1: the diagonal). Unlike shapes still have high
// values: a bell curve and a flat distribution .978, a bell curve and an exponential one .904.
struct ColumnMatch {
  Index x = 0, y = 0;  // columns of the tables
  int sign = 1;        // -1: Y is coded the other way round
  double similarity = 0.0;
  double sampling = 0.0;             // what 1 - similarity would be of two such samples from one distribution
  std::optional<RunnerUp> other_y;   // the best other column of Y for this of X, if there is another
  std::optional<RunnerUp> other_x;   // the best other column of X for this of Y
  double sign_frequency = 1.0;       // share of the resamples with these partners that have this sign
  double frequency = 0.0;            // share of resamples in which these two are partners
  std::optional<double> as_similar;  // share of pairs not matched that are at least as similar, if there are any
  MatchVerdict verdict = MatchVerdict::ambiguous;
  std::vector<std::string> notes;  // for people

  bool sign_determined() const { return sign_frequency >= 0.9; }
  std::optional<double> margin() const;  // the smaller of both
};

struct UnmatchedColumn {
  Index column = 0;
  std::string reason;               // "constant", "empty" or "left over"
  std::optional<RunnerUp> nearest;  // on the other side, where left over; its margin is 0
};

struct ColumnMatches {
  std::vector<ColumnMatch> matches;  // in the order of X's columns
  std::vector<UnmatchedColumn> unmatched_x, unmatched_y;
  std::vector<std::string> warnings;
};

// Called with the share done, by one thread at a time. Return false to stop: an Error with code "interrupted".
using MatchObserver = std::function<bool(double share)>;

// Missing cells (NaN) are left out, each for its own column only.
ColumnMatches match_columns(const Table& x, const Table& y, const MatchOptions& options = {},
                            const MatchObserver& observer = {});

}  // namespace cda
