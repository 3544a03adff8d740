// How a table's columns are looked at, chosen, ordered and prepared. The rows are read from where they are, column by
// column and in any order asked for, into one copy; that copy is then prepared in place, so that beside the table
// itself no more than the result is ever in memory. Rows that are given up are put in order where they are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/moments.hpp"
#include "base/over_ranks.hpp"
#include "cda/error.hpp"
#include "cda/extend/preparation.hpp"

namespace cda {
namespace {

using ColumnValues = Eigen::Ref<const Vector>;

// What decides about a column, whatever the order of its rows.
struct ColumnFacts {
  double lowest = 0.0, highest = 0.0;
  Index few_values = 0;       // how many different values, where that is few and rows are many enough to tell; else 0
  std::uint64_t content = 0;  // a number that says what it holds, in any units
  bool finite = true;

  double half_range() const { return 0.5 * highest - 0.5 * lowest; }  // half, so that it cannot overflow
  double magnitude() const { return std::max(std::abs(lowest), std::abs(highest)); }
  // A few units in the last place are rounding, not variation.
  bool varies() const { return half_range() > 4.0 * std::numeric_limits<double>::epsilon() * magnitude(); }
};

// The different values of a column, in the order they come in, where they are few; of more, one more than is few.
constexpr std::size_t most_few_values = 8;
std::vector<double> seen_values(const ColumnValues& column) {
  std::vector<double> seen;
  for (const double value : column) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() > most_few_values) break;
  }
  return seen;
}

Index few_values(const std::vector<double>& seen, Index rows) {
  constexpr Index rows_per_value = 5;
  const auto count = static_cast<Index>(seen.size());
  return seen.size() <= most_few_values && count * rows_per_value <= rows ? count : 0;
}

// Cells rounded to 2^-20 of their range, each stirred, added up.
std::uint64_t content_key(const ColumnValues& column, const ColumnFacts& facts) {
  const double lowest = 0.5 * facts.lowest, range = facts.half_range();
  std::uint64_t key = 0;
  for (const double value : column) {
    const double share = range > 0.0 ? (0.5 * value - lowest) / range : 0.0;
    auto stirred = static_cast<std::uint64_t>(std::llround(share * 0x1.0p20)) * 0x9e3779b97f4a7c15ULL;
    stirred = (stirred ^ (stirred >> 30)) * 0xbf58476d1ce4e5b9ULL;
    stirred = (stirred ^ (stirred >> 27)) * 0x94d049bb133111ebULL;
    key += stirred ^ (stirred >> 31);
  }
  return key;
}

// Adds the values that other ranks have seen, until there are more than few.
void join_over_ranks(std::vector<std::vector<double>>& seen, const Executor& executor) {
  const Communicator* ranks = executor.ranks();
  if (ranks == nullptr) return;
  constexpr Index room = static_cast<Index>(most_few_values) + 2;  // how many, and which
  Matrix all = Matrix::Zero(room * ranks->size(), static_cast<Index>(seen.size()));
  for (std::size_t j = 0; j < seen.size(); ++j) {
    auto own = all.col(static_cast<Index>(j)).segment(room * ranks->rank(), room);
    own[0] = static_cast<double>(seen[j].size());
    for (std::size_t i = 0; i < seen[j].size(); ++i) own[static_cast<Index>(i) + 1] = seen[j][i];
  }
  executor.add_over_ranks(all);
  for (std::size_t j = 0; j < seen.size(); ++j) {
    std::vector<double> told;
    for (Index r = 0; r < ranks->size(); ++r) {
      const auto of_rank = all.col(static_cast<Index>(j)).segment(room * r, room);
      told.insert(told.end(), of_rank.data() + 1, of_rank.data() + 1 + static_cast<Index>(of_rank[0]));
    }
    seen[j] = seen_values(Eigen::Map<const Vector>(told.data(), static_cast<Index>(told.size())));
  }
}

// What all ranks' rows say about each column. Ranks differ in their values only; what those of one rank say goes first
// through the same tests, so that little is sent.
std::vector<ColumnFacts> facts_of(const Matrix& rows, const Executor& executor) {
  const auto columns = static_cast<std::size_t>(rows.cols());
  std::vector<ColumnFacts> facts(columns);
  std::vector<std::vector<double>> seen(columns);
  Vector unusable(rows.cols());  // cells that are no numbers
  executor.for_each(rows.cols(), [&](Index j) {
    const auto k = static_cast<std::size_t>(j);
    unusable[j] = rows.col(j).allFinite() ? 0.0 : 1.0;
    if (unusable[j] == 0.0) seen[k] = seen_values(rows.col(j));
  });
  executor.add_over_ranks(unusable);
  const Matrix ranges = column_ranges(rows, executor);
  join_over_ranks(seen, executor);
  const Index count = executor.total(rows.rows());
  executor.for_each(rows.cols(), [&](Index j) {
    ColumnFacts& column = facts[static_cast<std::size_t>(j)];
    column.finite = unusable[j] == 0.0;
    if (!column.finite) return;
    column.lowest = ranges(0, j);
    column.highest = ranges(1, j);
    column.few_values = few_values(seen[static_cast<std::size_t>(j)], count);
    if (column.varies()) column.content = content_key(rows.col(j), column);
  });
  if (const Communicator* ranks = executor.ranks()) {
    std::vector<std::uint64_t> contents;
    for (const ColumnFacts& column : facts) contents.push_back(column.content);
    ranks->sum(contents.data(), static_cast<Index>(contents.size()));
    for (std::size_t j = 0; j < columns; ++j) facts[j].content = contents[j];
  }
  return facts;
}

// Columns in an order given by what they hold, equal ones by name: the same columns in another order are prepared and
// searched in the same way, to the last bit.
void order_by_content(const std::vector<ColumnFacts>& facts, const std::vector<std::string>& names,
                      std::vector<Index>& columns) {
  std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    return facts[i].content != facts[j].content ? facts[i].content < facts[j].content : names[i] < names[j];
  });
}

// A column's cells in the order asked for.
Vector in_order(const PreparedColumns::Source& source, Index column) {
  if (source.order.empty()) return source.rows.col(column);
  return source.rows.col(column)(source.order);
}

// These columns of the rows, in the order asked for.
Matrix chosen_columns(const PreparedColumns::Source& source, const std::vector<Index>& columns) {
  const auto count = static_cast<Index>(columns.size());
  if (source.give_up == nullptr) {
    Matrix chosen(source.rows.rows(), count);
    source.executor.for_each(count,
                             [&](Index j) { chosen.col(j) = in_order(source, columns[static_cast<std::size_t>(j)]); });
    return chosen;
  }
  Matrix& rows = *source.give_up;
  source.executor.for_each(rows.cols(), [&](Index j) { rows.col(j) = in_order(source, j); });
  source.executor.for_rows(rows.rows(), [&](Index begin, Index end) {
    const Matrix part = rows.middleRows(begin, end - begin)(Eigen::all, columns);
    rows.block(begin, 0, end - begin, count) = part;
  });
  rows.conservativeResize(Eigen::NoChange, count);
  return std::move(rows);
}

double mean_in_order(const PreparedColumns::Source& source, Index column) {
  const auto count = static_cast<double>(source.executor.total(source.rows.rows()));
  double mean = (in_order(source, column) / count).sum();  // cannot overflow
  source.executor.add_over_ranks(mean);
  return mean;
}

// The first row of all, which the lowest rank with rows has.
Vector first_row(const PreparedColumns::Source& source) {
  Vector row = Vector::Zero(source.rows.cols());
  const Communicator* ranks = source.executor.ranks();
  const bool here = ranks == nullptr || told_by_lower_ranks(source.rows.rows(), *ranks) == 0;
  if (here && source.rows.rows() > 0) row = source.rows.row(source.order.empty() ? 0 : source.order.front());
  source.executor.add_over_ranks(row);
  return row;
}

void check_bent(const Matrix& rows, const std::string& step, const Executor& executor) {
  const Matrix ranges = column_ranges(rows, executor);
  for (Index j = 0; j < rows.cols(); ++j) {
    const ColumnFacts facts{ranges(0, j), ranges(1, j)};
    if (!facts.varies())
      throw Error(Fault::numerical, "data.constant",
                  fmt::format("after {} {} no longer {}", step, rows.cols() == 1 ? "the only column" : "a column",
                              rows.allFinite() ? "varies" : "holds numbers"),
                  "prepare the columns in another way");
  }
}

}  // namespace

PreparedColumns::WithRows PreparedColumns::fit_rows(const Source& source, const std::vector<PartSpec>& steps,
                                                    std::vector<std::string>* remarks, const Choice& choice) {
  const Matrix& rows = source.rows;
  const std::vector<std::string>& names = source.names;
  const Executor& executor = source.executor;
  const std::vector<ColumnFacts> facts = facts_of(rows, executor);
  for (const ColumnFacts& column : facts)
    if (!column.finite)
      throw Error(Fault::input, "data.not_finite", "a table holds missing or infinite cells",
                  "fill or drop them first, e.g. --missing drop-rows");
  const bool free_of_units = !steps.empty() && preparations().make(steps.front())->forgets_units();
  std::vector<Index> kept;
  std::vector<int> exponents;
  Vector constants = Vector::Zero(rows.cols());
  const Vector first = first_row(source);
  std::vector<std::string> few;
  for (Index j = 0; j < rows.cols(); ++j) {
    const ColumnFacts& column = facts[static_cast<std::size_t>(j)];
    if (!choice.only.empty()) {
      constants[j] = mean_in_order(source, j);
    } else if (!choice.few_valued && column.varies() && column.few_values > 0) {
      constants[j] = mean_in_order(source, j);
      few.push_back(in_quotes(names[static_cast<std::size_t>(j)]));
    } else if (column.varies()) {
      kept.push_back(j);
    } else {
      constants[j] = first[j];
      if (remarks != nullptr)
        remarks->push_back(fmt::format("column {} does not vary: set aside with weight 0",
                                       in_quotes(names[static_cast<std::size_t>(j)])));
    }
  }
  if (choice.only.empty())
    order_by_content(facts, names, kept);
  else
    kept = choice.only;
  for (const Index j : kept) {
    int exponent = 0;
    if (free_of_units) std::frexp(facts[static_cast<std::size_t>(j)].magnitude(), &exponent);
    exponents.push_back(exponent);
  }
  if (!few.empty() && kept.empty())
    throw Error(Fault::numerical, "data.few_valued", "every column that varies has 8 values or fewer",
                "shapes of such columns mean little; --few-valued keep matches them all the same");
  if (!few.empty() && remarks != nullptr)
    remarks->push_back(fmt::format("set aside with weight 0, having 8 values or fewer (--few-valued keep uses {}): {}",
                                   few.size() == 1 ? "it" : "them", fmt::join(few, ", ")));
  WithRows fitted{
      PreparedColumns(rows.cols(), std::move(kept), std::move(exponents), std::move(constants), {}), {}, {}};
  PreparedColumns& columns = fitted.columns;
  if (columns.kept_.empty()) throw Error(Fault::numerical, "data.constant", "no column varies");
  Matrix& current = fitted.rows;
  current = chosen_columns(source, columns.kept_);
  executor.for_each(current.cols(), [&](Index j) { columns.equilibrate(static_cast<std::size_t>(j), current.col(j)); });
  fitted.deviations = column_variances(current, column_means(current, executor), executor).cwiseSqrt();
  for (const PartSpec& spec : steps) {
    const PartSpec whole = preparations().complete(spec);
    PreparationMap map = preparations().make(whole)->fit(current, executor);
    if (const auto* affine = std::get_if<AffineMap>(&map)) {
      affine->apply_in_place(current, executor);
    } else {
      current = std::get<BendingMap>(map).apply(current);
      check_bent(current, whole.name, executor);
    }
    columns.steps_.push_back({whole, std::move(map)});
  }
  return fitted;
}

PreparedColumns PreparedColumns::fit(const Matrix& rows, const std::vector<std::string>& names,
                                     const std::vector<PartSpec>& steps, std::vector<std::string>* remarks,
                                     const Choice& choice) {
  return fit_rows({rows, names}, steps, remarks, choice).columns;
}

}  // namespace cda
