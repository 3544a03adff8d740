#include "find/prepared_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/over_ranks.hpp"
#include "cda/extend/random.hpp"
#include "divergence/quantiles.hpp"
#include "find/components/components.hpp"
#include "find/pairs/sparse.hpp"

namespace cda {
namespace {

std::vector<std::uint64_t> name_hashes(const std::vector<std::string>& names) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& name : names) hashes.push_back(stable_hash(name));
  return hashes;
}

// Rows that are equal to the one before them; in the order of their content, all that repeat another.
Index repeated_rows(const Matrix& rows, const Executor& executor) {
  Index repeated = 0;
  if (const Communicator* ranks = executor.ranks()) {  // the first may be equal to the last of a rank below
    const std::vector<Index> counts = told_by_each(rows.rows(), *ranks);
    Matrix last = Matrix::Zero(ranks->size(), rows.cols());
    if (rows.rows() > 0) last.row(ranks->rank()) = rows.bottomRows(1);
    executor.add_over_ranks(last);
    int below = ranks->rank() - 1;
    while (below >= 0 && counts[static_cast<std::size_t>(below)] == 0) --below;
    if (below >= 0 && rows.rows() > 0 && rows.row(0) == last.row(below)) ++repeated;
  }
  for (Index i = 1; i < rows.rows(); ++i) repeated += rows.row(i) == rows.row(i - 1) ? 1 : 0;
  return repeated;
}

// Correlation of every original column with the values of every pair. The covariances of columns as they came with the
// values follow from those of the columns they became.
Matrix loadings(const PreparedTable& table, const PreparedColumns& columns, const Matrix& directions,
                const Matrix& values) {
  if (table.rows.cols() > 0) return correlations(table.rows, columns, values, table.sample.executor());
  const Matrix covariances = columns.covariances(table.sample.spread(directions));
  const Vector widths = table.sample.covariance_of(directions).diagonal().cwiseSqrt();
  const auto inverse = [](double width) { return width > 0.0 ? 1.0 / width : 0.0; };
  const Matrix known =
      table.deviations.unaryExpr(inverse).asDiagonal() * covariances * widths.unaryExpr(inverse).asDiagonal();
  Matrix all = Matrix::Zero(columns.inputs(), directions.cols());
  for (std::size_t j = 0; j < columns.kept().size(); ++j) all.row(columns.kept()[j]) = known.row(static_cast<Index>(j));
  return all;
}

void warn_of_side(const std::vector<std::string>& columns, const char* side, Vector Pair::*weights, Model& model) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (const Pair& pair : model.pairs) {
      if ((pair.*weights).size() == 0) continue;  // of a map that is not linear
      if (std::abs((pair.*weights)[static_cast<Index>(j)]) < std::numeric_limits<double>::max()) continue;
      model.warnings.push_back(
          fmt::format("{}: the values of column {} are so small that its weight in their units is beyond the largest "
                      "number; the model maps rows all the same",
                      side, in_quotes(columns[j])));
      break;
    }
}

}  // namespace

void check_table(const Table& table, const std::string& side, const Executor& executor) {
  if (static_cast<Index>(table.names.size()) != table.columns())
    throw Error(Fault::usage, "table.names",
                fmt::format("{} has {} columns but {} names", side, table.columns(), table.names.size()),
                "make_table names the columns of a matrix");
  const Index rows = executor.total(table.rows());
  if (rows < 2)
    throw Error(Fault::input, "data.rows", fmt::format("{} needs at least 2 rows, found {}", side, rows), {},
                {table.source});
  if (executor.total(table.values.allFinite() ? 0 : 1) > 0)
    throw Error(Fault::input, "data.not_finite", side + " holds missing or infinite cells",
                "fill or drop them first, e.g. --missing drop-rows", {table.source});
}

RowKeys content_keys(const Table& table, const Executor& executor) {
  return row_keys(table.values, name_hashes(table.names), executor);
}

RowKeys taken(const RowKeys& keys, const std::vector<Index>& order) {
  RowKeys chosen;
  chosen.reserve(order.size());
  for (const Index row : order) chosen.push_back(keys[static_cast<std::size_t>(row)]);
  return chosen;
}

std::vector<Index> content_order(const Table& table, const Executor& executor) {
  return canonical_order(table.values, content_keys(table, executor));
}

PreparedTable prepared(PreparedColumns::WithRows fitted, RowKeys keys, const std::string& side,
                       const Executor& executor, std::vector<std::string>& warnings) {
  Sample sample(std::move(fitted.rows), executor, std::move(keys));
  if (sample.size() < 5)
    warnings.push_back(fmt::format("{}: {} rows are too few to compare distributions", side, sample.size()));
  if (const Index repeated = executor.total(repeated_rows(sample.rows(), executor)); 2 * repeated > sample.size())
    warnings.push_back(fmt::format(
        "{}: {} of {} rows repeat another; where distances between rows decide a bandwidth, a tenth of the spread "
        "stands in for a median of zero",
        side, repeated, sample.size()));
  if (sample.space().cols() < sample.dimension())
    warnings.push_back(fmt::format("{}: columns depend on each other; {} of {} dimensions vary", side,
                                   sample.space().cols(), sample.dimension()));
  return {std::move(fitted.columns), std::move(sample), std::move(fitted.deviations)};
}

Index component_count(Index asked, const Sample& x, const Sample& y, Index usual) {
  const Index most = std::min(x.space().cols(), y.space().cols());
  if (most == 0)
    throw Error(Fault::numerical, "data.constant", "a table varies by no more than rounding as it is prepared",
                "--prepare standardise");
  if (asked > most)
    throw Error(Fault::usage, "option.components",
                fmt::format("{} pairs asked for, but the smaller rank is {} (X has rank {}, Y {})", asked, most,
                            x.space().cols(), y.space().cols()),
                fmt::format("--pairs 1 to {}", most));
  return asked > 0 ? asked : std::min(most, usual);
}

void describe(const PreparedTable& x, const PreparedTable& y, Model& model) {
  const Matrix x_values = model.x_preparation.projected(x.sample.rows(), model.directions.x);
  const Matrix y_values = model.y_preparation.projected(y.sample.rows(), model.directions.y);
  const Matrix x_loadings = loadings(x, model.x_preparation, model.directions.x, x_values);
  const Matrix y_loadings = loadings(y, model.y_preparation, model.directions.y, y_values);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const auto column = static_cast<Index>(i);
    Pair& pair = model.pairs[i];
    pair.x_loadings = x_loadings.col(column);
    pair.y_loadings = y_loadings.col(column);
    const Vector x_shape = shape_deviation(x_values.col(column), x.sample.executor());
    const Vector y_shape = shape_deviation(y_values.col(column), y.sample.executor());
    pair.x_contrast = contrast_of(x_shape);
    pair.y_contrast = contrast_of(y_shape);
    pair.agreement = agreement(x_shape, y_shape);
  }
}

TableSummary summary(const Table& table, const Sample& sample) {
  return {table.names, table.encodings, sample.size(), sample.space().cols(), {}, {}};
}

void warn_of_largest_weights(Model& model) {
  warn_of_side(model.x.columns, "X", &Pair::x_weights, model);
  warn_of_side(model.y.columns, "Y", &Pair::y_weights, model);
}

}  // namespace cda
