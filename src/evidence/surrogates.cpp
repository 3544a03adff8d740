#include "evidence/surrogates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence/quantiles.hpp"
#include "evidence/tail.hpp"
#include "find/components/components.hpp"

namespace cda {

NullStatistics refit(const Study& study, const Surrogates& surrogates, int count, const Random& draw) {
  constexpr double reaches_everything = -std::numeric_limits<double>::infinity();
  const Matrix none = Matrix::Constant(count, surrogates.statistics, reaches_everything);
  NullStatistics null{none, none};
  study.executor.for_each(2 * static_cast<Index>(count), [&](Index at) {
    const bool of_x = at % 2 == 0;
    const Index b = at / 2;
    Random random = draw.stream(fmt::format("{} {}", of_x ? "x" : "y", b));
    const Table foreign = of_x ? surrogates.foreign_x(random) : surrogates.foreign_y(random);
    const Table& x = of_x ? foreign : surrogates.x;
    const Table& y = of_x ? surrogates.y : foreign;
    try {
      const Model model = fit(x, y, surrogates.options, study.progress.fit_observer());
      (of_x ? null.foreign_x : null.foreign_y).row(b) = surrogates.statistics_of(model, x, y);
    } catch (const Error& error) {
      if (!has_no_answer(error)) throw;
    }
    study.progress.done();
  });
  return null;
}

NullAnswer compared(double observed, const Vector& foreign_x, const Vector& foreign_y) {
  // What differs by rounding is the same.
  const double reached = observed + 1e-12 * std::abs(observed);
  NullAnswer worse;
  worse.p = 0.0;
  for (const Vector* side : {&foreign_x, &foreign_y}) {
    const auto reaching = static_cast<double>((side->array() <= reached).count());
    const double p = (1.0 + reaching) / (1.0 + static_cast<double>(side->size()));
    if (p <= worse.p) continue;
    std::vector<double> answers;
    std::copy_if(side->begin(), side->end(), std::back_inserter(answers), [](double t) { return std::isfinite(t); });
    worse = {p, answers.empty() ? Vector() : null_quantiles(std::move(answers))};
  }
  return worse;
}

PairShapes shapes_of_pairs(const Model& model, const Table& x, const Table& y) {
  const auto shapes = [&](Side side, const Table& table) {
    const Matrix values = model.transform(side, table.values);
    Shapes all(quantile_blocks, values.cols());
    for (Index i = 0; i < values.cols(); ++i) all.col(i) = shape_deviation(values.col(i));
    return all;
  };
  return {shapes(Side::x, x), shapes(Side::y, y)};
}

double mismatch(const Vector& a, const Vector& b, double weight) {
  return ((1.0 - weight) * (a.squaredNorm() + b.squaredNorm()) - 2.0 * a.dot(b)) / static_cast<double>(a.size());
}

Vector shape_statistics(const PairShapes& shapes, Index pairs) {
  Vector statistics = Vector::Zero(pairs + 1);
  for (Index i = 0; i < pairs; ++i) {
    statistics[i] = mismatch(shapes.x.col(i), shapes.y.col(i), pair_weight);
    if (i < global_pairs) statistics[pairs] += mismatch(shapes.x.col(i), shapes.y.col(i), global_weight);
  }
  return statistics;
}

Index block_count(Index rows, Index block) { return (rows + block - 1) / block; }

Matrix in_blocks(const Matrix& independent, Index rows, Index block) {
  if (block == 1) return independent;
  std::vector<Index> from(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) from[static_cast<std::size_t>(i)] = i / block;
  return independent(from, Eigen::all);
}

}  // namespace cda
