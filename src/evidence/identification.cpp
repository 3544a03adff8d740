// Hypothesis: other directions would serve as well. Two looks at it, neither of which draws rows anew (bootstrap.cpp
// does):
//
//   restarts   the search follows several starts to their ends; those that end elsewhere are the model's alternatives
//   flatness   99 pairs of random directions (19 where the divergence is costly), of the norms and in the space of the
//              pair, are evaluated: where the data are invariant under rotation of what is optimised over, they are as
//              good as the optimum
//
// Nearly as good: within a tenth of the value or, where values are near zero, of what two samples of one distribution
// show. Quite different: a |cosine| below .8 on either side; among random directions, a correlation of the values.
// Random directions have no objective of iCDA's, whose contrasts are tested elsewhere: there only restarts are counted.
// Cost: the evaluations.
#include "evidence/identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cda/extend/manifold.hpp"
#include "find/pairs/deflation.hpp"
#include "find/pairs/search.hpp"

namespace cda {
namespace {

constexpr double nearly = 0.1;
constexpr double same_direction = 0.8;

double margin(double value, const PairEvidence& evidence) {
  return nearly * std::max(std::abs(value), std::abs(evidence.divergence_of_chance.value_or(0.0)));
}

void count_restarts(const Pair& pair, const PairEvidence& evidence, Identification& found) {
  for (const Alternative& other : pair.alternatives) {
    if (!other.objective) continue;
    ++found.optima;
    if (!(*other.objective <= pair.objective + margin(pair.objective, evidence))) continue;
    ++found.near_ties;
    if (std::min(other.x_cosine, other.y_cosine) < same_direction) ++found.elsewhere;
  }
}

// |correlation| of the values in two directions.
double likeness(const Sample& sample, const Vector& a, const Vector& b) {
  Matrix both(a.size(), 2);
  both << a, b;
  const Matrix covariance = sample.covariance_of(both);
  const double norms = std::sqrt(covariance(0, 0) * covariance(1, 1));
  return norms > 0.0 ? std::abs(covariance(0, 1)) / norms : 1.0;
}

void try_random_directions(const Study& study, Index i, const PairEvidence& evidence, Identification& found) {
  const Model& model = study.model;
  const Pair& pair = model.pairs[static_cast<std::size_t>(i)];
  const Sample x(model.x_preparation.apply(study.x.values), study.executor);
  const Sample y(model.y_preparation.apply(study.y.values), study.executor);
  const Comparison comparison{x, y, divergences().make(*model.options.divergence),
                              ScaleRule::parse(*model.options.scale), study.options.seed};
  // Pairs found together exclude nothing for each other; those found in turn leave what is orthogonal to them.
  const bool together = formulations().make(*model.options.formulation)->joint();
  const Index earlier = together ? 0 : i;
  const Matrix x_basis = complement(x.space(), model.directions.x.leftCols(earlier));
  const Matrix y_basis = complement(y.space(), model.directions.y.leftCols(earlier));
  const double good = pair.divergence + margin(pair.divergence, evidence);
  const Random draw = study.random("random directions").stream(fmt::format("pair {}", i));
  const Index tries = comparison.divergence->costly() ? 19 : 99;
  std::vector<int> different(static_cast<std::size_t>(tries)), as_good(different.size());
  study.executor.for_each(tries, [&](Index t) {
    Random random = draw.stream(fmt::format("{}", t));
    const Vector u = x_basis * sphere(x_basis.cols())->random_point(random) * pair.x_norm;
    const Vector v = y_basis * sphere(y_basis.cols())->random_point(random) * pair.y_norm;
    const double alike = std::min(likeness(x, u, model.directions.x.col(i)), likeness(y, v, model.directions.y.col(i)));
    if (alike >= same_direction) return;
    different[static_cast<std::size_t>(t)] = 1;
    try {
      const double value = divergence_of_pair(comparison, {u, v, Vector::Constant(1, pair.scale)}, 0);
      as_good[static_cast<std::size_t>(t)] = value <= good ? 1 : 0;
    } catch (const Error& error) {
      if (!has_no_answer(error)) throw;  // no match there
    }
  });
  found.random = static_cast<int>(std::count(different.begin(), different.end(), 1));
  found.as_good = static_cast<int>(std::count(as_good.begin(), as_good.end(), 1));
}

}  // namespace

Identification identification(const Study& study, std::size_t i, const PairEvidence& evidence) {
  Identification found;
  count_restarts(study.model.pairs[i], evidence, found);
  if (study.model.options.formulation->name != "contrast")
    try_random_directions(study, static_cast<Index>(i), evidence, found);
  return found;
}

}  // namespace cda
