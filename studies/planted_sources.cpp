#include "studies/planted_sources.hpp"

#include <cmath>

namespace cda {
namespace {

constexpr double recovered = 0.9;

Matrix standardised(Matrix values) {
  values.rowwise() -= values.colwise().mean();
  for (Index j = 0; j < values.cols(); ++j)
    if (const double norm = values.col(j).norm(); norm > 0.0) values.col(j) /= norm;
  return values;
}

// |correlation| of each column of one with each of the other.
Matrix absolute_correlations(const Matrix& a, const Matrix& b) {
  return (standardised(a).transpose() * standardised(b)).cwiseAbs();
}

}  // namespace

std::vector<Index> sources_of_pairs(const SyntheticPair& data, const Matrix& x_values, const Matrix& y_values) {
  const Matrix x = absolute_correlations(x_values, data.x.values * data.truth.x_directions);  // pairs x sources
  const Matrix y = absolute_correlations(y_values, data.y.values * data.truth.y_directions);
  std::vector<Index> sources(static_cast<std::size_t>(x.rows()), -1);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      if (x(i, j) > recovered && y(i, j) > recovered) sources[static_cast<std::size_t>(i)] = j;
  return sources;
}

std::vector<Index> sources_of_pairs(const SyntheticPair& data, const Model& model) {
  return sources_of_pairs(data, model.transform(Side::x, data.x.values), model.transform(Side::y, data.y.values));
}

std::vector<bool> found_sources(const std::vector<Index>& sources_of_pairs, Index sources) {
  std::vector<bool> found(static_cast<std::size_t>(sources), false);
  for (const Index source : sources_of_pairs)
    if (source >= 0) found[static_cast<std::size_t>(source)] = true;
  return found;
}

}  // namespace cda
