// Sources are samples, standardised like components. The shape behind a sample is taken from 2^18 draws of it: their
// quantile function strays a thirtieth as far from the true one as that of 300 values does.
#include "studies/true_sources.hpp"

#include <map>

#include "divergence/quantiles.hpp"
#include "find/components/components.hpp"
#include "find/components/matching.hpp"

namespace cda {
namespace {

Shapes shapes_of(const Matrix& sources, const Matrix& own) {
  Shapes shapes(quantile_blocks, sources.cols() + own.cols());
  for (Index j = 0; j < shapes.cols(); ++j)
    shapes.col(j) = shape_deviation(j < sources.cols() ? sources.col(j) : own.col(j - sources.cols()));
  return shapes;
}

Vector deviation_in_population(const std::string& shape) {
  constexpr Index draws = 1 << 18;
  Random random(0, "shape " + shape);
  Vector values(draws);
  for (double& value : values) value = draw_shape(shape, random);
  return shape_deviation(values);
}

Shapes known_shapes(const std::vector<std::string>& shared, const std::vector<std::string>& own) {
  static const std::map<std::string, Vector> known = [] {
    std::map<std::string, Vector> all;
    for (const std::string& shape : source_shapes()) all[shape] = deviation_in_population(shape);
    return all;
  }();
  std::vector<std::string> names = shared;
  names.insert(names.end(), own.begin(), own.end());
  Shapes shapes(quantile_blocks, static_cast<Index>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) shapes.col(static_cast<Index>(j)) = known.at(names[j]);
  return shapes;
}

// For each shape the sample that goes with it; there are as many of both.
std::vector<Index> sample_of_shape(const Shapes& samples, const Shapes& shapes) {
  std::vector<Index> sample(static_cast<std::size_t>(shapes.cols()), -1);
  for (const ShapeMatch& match : match_shapes(samples, shapes)) sample[static_cast<std::size_t>(match.y)] = match.x;
  return sample;
}

// Shared sources stand before own ones, in the same order on both sides.
Index source_of(Index x, Index y, const Planted& planted) { return x == y && x < planted.x_sources.cols() ? x : -1; }

}  // namespace

std::vector<Index> matched_true_sources(const Planted& planted) {
  const Shapes x = shapes_of(planted.x_sources, planted.x_own), y = shapes_of(planted.y_sources, planted.y_own);
  std::vector<Index> sources;
  for (const ShapeMatch& match : kept_matches(match_shapes(x, y), 0))
    sources.push_back(source_of(match.x, match.y, planted));
  return sources;
}

std::vector<Index> matched_known_shapes(const Planted& planted) {
  const Truth& truth = planted.pair.truth;
  const std::vector<Index> x =
      sample_of_shape(shapes_of(planted.x_sources, planted.x_own), known_shapes(truth.sources, truth.x_own));
  const std::vector<Index> y =
      sample_of_shape(shapes_of(planted.y_sources, planted.y_own), known_shapes(truth.sources, truth.y_own));
  std::vector<Index> sources;
  for (std::size_t shape = 0; shape < truth.sources.size(); ++shape)
    sources.push_back(source_of(x[shape], y[shape], planted));
  return sources;
}

}  // namespace cda
