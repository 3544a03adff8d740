// Columns prepared without their rows. Preparations that shift and stretch each column by itself learn from its
// extremes, mean and variance, and do to these what they would do to every row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cda/error.hpp"
#include "cda/extend/preparation.hpp"

namespace cda {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// As for columns with rows: halves, so that a range cannot overflow; a few units in the last place are rounding.
bool varies(const ColumnMoments& columns, Index j) {
  const double magnitude = std::max(std::abs(columns.lowest[j]), std::abs(columns.highest[j]));
  return 0.5 * columns.highest[j] - 0.5 * columns.lowest[j] > 4.0 * std::numeric_limits<double>::epsilon() * magnitude;
}

// A number that says what a column holds, whatever the order of rows, of columns, and its units: cells of the rows that
// are kept, rounded to 2^-20 of the column's range, each stirred, added up.
std::uint64_t content_key(const TableMoments& table, Index j) {
  const double lowest = 0.5 * table.columns.lowest[j], range = 0.5 * table.columns.highest[j] - lowest;
  std::uint64_t key = 0;
  for (const double cell : table.some_rows.values.col(j)) {
    auto stirred = static_cast<std::uint64_t>(std::llround((0.5 * cell - lowest) / range * 0x1.0p20));
    stirred *= 0x9e3779b97f4a7c15ULL;
    stirred = (stirred ^ (stirred >> 30)) * 0xbf58476d1ce4e5b9ULL;
    stirred = (stirred ^ (stirred >> 27)) * 0x94d049bb133111ebULL;
    key += stirred ^ (stirred >> 31);
  }
  return key;
}

const AffineMap& diagonal(const PreparedColumns::Step& step) {
  const auto* map = std::get_if<AffineMap>(&step.map);
  if (map == nullptr || map->factor.size() == 0)
    throw Error(Fault::internal, "preparation.rows", "a preparation that needs rows was asked about moments");
  return *map;
}

}  // namespace

ColumnMoments AffineMap::apply(const ColumnMoments& columns) const {
  const auto moved = [&](const Vector& values) -> Vector { return (values - centre).cwiseProduct(factor); };
  return {moved(columns.lowest), moved(columns.highest), moved(columns.mean),
          factor.asDiagonal() * columns.covariance * factor.asDiagonal()};
}

ColumnMoments PreparedColumns::apply(ColumnMoments columns) const {
  const auto count = static_cast<Index>(kept_.size());
  Vector unit(count);
  for (Index j = 0; j < count; ++j) unit[j] = std::ldexp(1.0, std::clamp(-exponents_[at(j)], -1000, 1000));
  const auto chosen = [&](const Vector& values) -> Vector { return Vector(values(kept_)).cwiseProduct(unit); };
  const Matrix covariance = columns.covariance(kept_, kept_);
  columns = {chosen(columns.lowest), chosen(columns.highest), chosen(columns.mean),
             unit.asDiagonal() * covariance * unit.asDiagonal()};
  for (const Step& step : steps_) columns = diagonal(step).apply(columns);
  return columns;
}

PreparedColumns PreparedColumns::fit(const TableMoments& table, const std::vector<PartSpec>& steps,
                                     std::vector<std::string>* remarks) {
  const ColumnMoments& columns = table.columns;
  const Index count = columns.mean.size();
  const bool free_of_units = !steps.empty() && preparations().make(steps.front())->forgets_units();
  std::vector<Index> kept;
  std::vector<std::uint64_t> keys(at(count));
  Vector constants = Vector::Zero(count);
  for (Index j = 0; j < count; ++j) {
    if (varies(columns, j)) {
      kept.push_back(j);
      keys[at(j)] = content_key(table, j);
      continue;
    }
    constants[j] = columns.lowest[j];
    if (remarks != nullptr)
      remarks->push_back(
          fmt::format("column {} does not vary: set aside with weight 0", in_quotes(table.some_rows.names[at(j)])));
  }
  if (kept.empty()) throw Error(Fault::numerical, "data.constant", "no column varies");
  std::stable_sort(kept.begin(), kept.end(), [&](Index a, Index b) {
    return keys[at(a)] != keys[at(b)] ? keys[at(a)] < keys[at(b)]
                                      : table.some_rows.names[at(a)] < table.some_rows.names[at(b)];
  });
  std::vector<int> exponents;
  for (const Index j : kept) {
    int exponent = 0;
    if (free_of_units) std::frexp(std::max(std::abs(columns.lowest[j]), std::abs(columns.highest[j])), &exponent);
    exponents.push_back(exponent);
  }
  PreparedColumns prepared(count, std::move(kept), std::move(exponents), std::move(constants), {});
  ColumnMoments current = prepared.apply(columns);
  for (const PartSpec& spec : steps) {
    const PartSpec whole = preparations().complete(spec);
    std::optional<AffineMap> map = preparations().make(whole)->fit_moments(current);
    if (!map)
      throw Error(Fault::usage, "stream.prepare", fmt::format("{} needs the rows of a table", whole.name),
                  "prepare with minmax, standardise or centre");
    current = map->apply(current);
    prepared.steps_.push_back({whole, std::move(*map)});
  }
  return prepared;
}

}  // namespace cda
