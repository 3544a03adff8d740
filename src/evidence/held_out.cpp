// Each table is dealt into two halves; the method is fitted to one and judged on the other, then the other way round.
// The pair of a half's fit that is most like the reported one is followed. On the rows not used, with the values of
// both sides standardised, W2^2 between them (D) and from the normal (C_x, C_y) come with what samples of that size
// show anyway: D0, the mean over random divisions of the pooled values, and C0, the mean over normal samples.
//
//   A_out = 1 - (D - D0) / ((C_x - C0)+ + (C_y - C0)+),   at most 1
//
// Its standard error comes from resampling the held-out rows at fixed directions and denominator; both halves are
// averaged, and A - 1.645 se is the lower bound. No value where neither side differs from a bell curve.
#include "evidence/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "divergence/quantiles.hpp"
#include "evidence/rows.hpp"
#include "find/components/components.hpp"

namespace cda {
namespace {

constexpr int repetitions = 199;
constexpr Index most_rows = 20000;  // for what is repeated: beyond, sampling noise no longer matters

struct Hands {
  Table used, rest;
};

Hands deal(const Table& table, Index block, Random& random) {
  std::vector<Index> rows = shuffled_rows(table.rows(), block, random);
  const auto half = static_cast<std::ptrdiff_t>(rows.size() / 2);
  return {rows_of(table, {rows.begin(), rows.begin() + half}), rows_of(table, {rows.begin() + half, rows.end()})};
}

// Values in the blocks they came in, cut to a length that can be resampled often.
Vector shortened(const Vector& values) { return values.head(std::min<Index>(values.size(), most_rows)); }

double squared_distance(const Vector& a, const Vector& b) { return contrast_of(a - b); }

// The mean of D when one pool of values is divided at random, in blocks.
double divided_distance(const Vector& x, const Vector& y, Index block, const Random& draw) {
  Vector pool(x.size() + y.size());
  pool << x, y;
  double total = 0.0;
  for (int r = 0; r < repetitions; ++r) {
    Random stream = draw.stream(fmt::format("division {}", r));
    const Vector mixed = pool(shuffled_rows(pool.size(), block, stream));
    total += squared_distance(shape_deviation(mixed.head(x.size())), shape_deviation(mixed.tail(y.size())));
  }
  return total / repetitions;
}

// The mean contrast of normal samples of this size.
double normal_contrast(Index count, const Random& draw) {
  double total = 0.0;
  for (int r = 0; r < repetitions; ++r) {
    Random stream = draw.stream(fmt::format("normal {} {}", count, r));
    total += contrast_of(shape_deviation(stream.normals(count, 1)));
  }
  return total / repetitions;
}

struct Judged {
  double agreement = 0.0, error = 0.0;
};

std::optional<Judged> judge(const Vector& all_x, const Vector& all_y, Index block, const Random& draw) {
  const auto standard = [](const Vector& values) -> Vector {
    const Vector centred = values.array() - values.mean();
    return centred / std::sqrt(centred.squaredNorm() / static_cast<double>(values.size()));
  };
  const Vector x = standard(shortened(all_x)), y = standard(shortened(all_y));
  const Vector a = shape_deviation(x), b = shape_deviation(y);
  const double of_chance = divided_distance(x, y, block, draw);
  const double strength = std::max(0.0, contrast_of(a) - normal_contrast(std::max<Index>(2, x.size() / block), draw)) +
                          std::max(0.0, contrast_of(b) - normal_contrast(std::max<Index>(2, y.size() / block), draw));
  if (!(strength > 0.0)) return std::nullopt;
  const double agreement = 1.0 - (squared_distance(a, b) - of_chance) / strength;
  std::vector<double> redrawn;
  for (int r = 0; r < repetitions; ++r) {
    Random stream = draw.stream(fmt::format("redrawn {}", r));
    const Vector of_x = shape_deviation(x(resampled_rows(x.size(), block, stream)));
    const Vector of_y = shape_deviation(y(resampled_rows(y.size(), block, stream)));
    redrawn.push_back(1.0 - squared_distance(of_x, of_y) / strength);
  }
  std::sort(redrawn.begin(), redrawn.end());
  const double width =
      redrawn[static_cast<std::size_t>(0.84 * repetitions)] - redrawn[static_cast<std::size_t>(0.16 * repetitions)];
  return Judged{std::clamp(agreement, -1.0, 1.0), 0.5 * width};
}

struct Divergences {
  double held_out = 0.0, of_chance = 0.0;
};

// The method's own divergence of the held-out values, and its mean over random divisions of them: what two samples of
// one distribution show.
Divergences divergences_of(const Study& study, const Vector& all_x, const Vector& all_y, const Random& draw) {
  const auto divergence = divergences().make(*study.model.options.divergence);
  const Vector x = shortened(all_x), y = shortened(all_y);
  const auto between = [](const Divergence& by, const Vector& of_x, const Vector& of_y) {
    const Sample x_sample(of_x), y_sample(of_y);
    Projection x_side(x_sample, Matrix::Ones(1, 1), Vector::Ones(1));
    Projection y_side(y_sample, Matrix::Ones(1, 1), Vector::Ones(1));
    return by.evaluate(x_side, y_side, false);
  };
  const Sample x_sample(x), y_sample(y);
  const auto tuned = divergence->tuned(Projection(x_sample, Matrix::Ones(1, 1), Vector::Ones(1)),
                                       Projection(y_sample, Matrix::Ones(1, 1), Vector::Ones(1)), study.options.seed);
  const Divergence& by = tuned != nullptr ? *tuned : *divergence;
  Divergences found{between(by, x, y), 0.0};
  Vector pool(x.size() + y.size());
  pool << x, y;
  const int divisions = divergence->costly() ? 9 : 49;
  for (int r = 0; r < divisions; ++r) {
    Random stream = draw.stream(fmt::format("divergence {}", r));
    const Vector mixed = pool(shuffled_rows(pool.size(), study.options.block_length, stream));
    found.of_chance += between(by, mixed.head(x.size()), mixed.tail(y.size())) / divisions;
  }
  return found;
}

struct Fold {
  std::vector<std::optional<Judged>> agreement;
  std::vector<Divergences> divergence;
};

Fold judge_fold(const Study& study, const Hands& x, const Hands& y, const Random& draw) {
  const Model half = refitted(study, x.used, y.used);
  const Matrix x_values = half.transform(Side::x, x.rest.values), y_values = half.transform(Side::y, y.rest.values);
  const std::vector<Likeness> same = most_alike(study.model.transform(Side::x, x.rest.values),
                                                study.model.transform(Side::y, y.rest.values), x_values, y_values);
  Fold fold;
  for (std::size_t i = 0; i < same.size(); ++i) {
    const Random stream = draw.stream(fmt::format("pair {}", i));
    const Vector of_x = x_values.col(same[i].pair), of_y = y_values.col(same[i].pair);
    fold.agreement.push_back(judge(of_x, of_y, study.options.block_length, stream));
    fold.divergence.push_back(divergences_of(study, of_x, of_y, stream));
  }
  return fold;
}

}  // namespace

void hold_out(const Study& study, std::vector<PairEvidence>& pairs) {
  const Random draw = study.random("held out");
  Random dealing = draw.stream("halves");
  const Hands x = deal(study.x, study.options.block_length, dealing);
  const Hands y = deal(study.y, study.options.block_length, dealing);
  std::vector<Fold> folds(2);
  try {
    study.executor.for_each(2, [&](Index f) {
      const bool first = f == 0;
      folds[static_cast<std::size_t>(f)] =
          judge_fold(study, first ? x : Hands{x.rest, x.used}, first ? y : Hands{y.rest, y.used},
                     draw.stream(first ? "first" : "second"));
      study.progress.done();
    });
  } catch (const Error& error) {
    if (!has_no_answer(error)) throw;  // half of the rows are too few for this method: no value
    return;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double agreement = 0.0, variance = 0.0, held_out = 0.0, of_chance = 0.0;
    bool both = true;
    for (const Fold& fold : folds) {
      both = both && fold.agreement[i].has_value();
      if (!both) break;
      agreement += fold.agreement[i]->agreement / 2.0;
      variance += fold.agreement[i]->error * fold.agreement[i]->error / 4.0;
    }
    for (const Fold& fold : folds) {
      held_out += fold.divergence[i].held_out / 2.0;
      of_chance += fold.divergence[i].of_chance / 2.0;
    }
    if (both) {
      pairs[i].agreement_held_out = agreement;
      pairs[i].agreement_at_least = std::max(-1.0, agreement - 1.645 * std::sqrt(variance));
    }
    pairs[i].divergence_held_out = held_out;
    pairs[i].divergence_of_chance = of_chance;
  }
}

}  // namespace cda
