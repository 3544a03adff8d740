// How a table's columns are looked at, chosen, ordered and prepared. The rows are read from where they are, column by
// column and in any order asked for, into one copy; that copy is then prepared in place, so that beside the table
// itself no more than the result is ever in memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cda/error.hpp"
#include "cda/preparation.hpp"
#include "foundation/moments.hpp"

namespace cda {
namespace {

using Column = Eigen::Ref<const Vector>;

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

Index few_values(const Column& column) {
  constexpr std::size_t most = 8;
  constexpr Index rows_per_value = 5;
  std::vector<double> seen;
  for (const double value : column) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() > most) return 0;
  }
  const auto count = static_cast<Index>(seen.size());
  return count * rows_per_value <= column.size() ? count : 0;
}

// Cells rounded to 2^-20 of their range, each stirred, added up.
std::uint64_t content_key(const Column& column, const ColumnFacts& facts) {
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

ColumnFacts facts_of(const Column& column) {
  ColumnFacts facts;
  facts.finite = column.allFinite();
  if (!facts.finite) return facts;
  facts.lowest = column.minCoeff();
  facts.highest = column.maxCoeff();
  facts.few_values = few_values(column);
  if (facts.varies()) facts.content = content_key(column, facts);
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

double mean_in_order(const PreparedColumns::Source& source, Index column) {
  return (in_order(source, column) / static_cast<double>(source.rows.rows())).sum();  // cannot overflow
}

void check_bent(const Matrix& rows, const std::string& step) {
  for (Index j = 0; j < rows.cols(); ++j) {
    const ColumnFacts facts{rows.col(j).minCoeff(), rows.col(j).maxCoeff()};
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
  std::vector<ColumnFacts> facts(static_cast<std::size_t>(rows.cols()));
  executor.for_each(rows.cols(), [&](Index j) { facts[static_cast<std::size_t>(j)] = facts_of(rows.col(j)); });
  for (const ColumnFacts& column : facts)
    if (!column.finite)
      throw Error(Fault::input, "data.not_finite", "a table holds missing or infinite cells",
                  "fill or drop them first, e.g. --missing drop-rows");
  const bool free_of_units = !steps.empty() && preparations().make(steps.front())->forgets_units();
  std::vector<Index> kept;
  std::vector<int> exponents;
  Vector constants = Vector::Zero(rows.cols());
  std::vector<std::string> few;
  for (Index j = 0; j < rows.cols(); ++j) {
    const ColumnFacts& column = facts[static_cast<std::size_t>(j)];
    if (!choice.only.empty()) {
      constants[j] = mean_in_order(source, j);
    } else if (!choice.few_valued && column.varies() && column.few_values > 0) {
      constants[j] = mean_in_order(source, j);
      few.push_back(quoted(names[static_cast<std::size_t>(j)]));
    } else if (column.varies()) {
      kept.push_back(j);
    } else {
      constants[j] = rows(source.order.empty() ? 0 : source.order.front(), j);
      if (remarks != nullptr)
        remarks->push_back(fmt::format("column {} does not vary: set aside with weight 0",
                                       quoted(names[static_cast<std::size_t>(j)])));
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
  current.resize(rows.rows(), static_cast<Index>(columns.kept_.size()));
  executor.for_each(current.cols(), [&](Index j) {
    const auto k = static_cast<std::size_t>(j);
    current.col(j) = in_order(source, columns.kept_[k]);
    columns.equilibrate(k, current.col(j));
  });
  fitted.deviations = column_variances(current, column_means(current, executor), executor).cwiseSqrt();
  for (const PartSpec& spec : steps) {
    const PartSpec whole = preparations().complete(spec);
    PreparationMap map = preparations().make(whole)->fit(current, executor);
    if (const auto* affine = std::get_if<AffineMap>(&map)) {
      affine->apply_in_place(current, executor);
    } else {
      current = std::get<BendingMap>(map).apply(current);
      check_bent(current, whole.name);
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
