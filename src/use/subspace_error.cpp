// The distance between what two sets of columns span. With orthonormal bases U (m x a) and V (m x b)
//
//   |UU' - VV'|_F^2 = a + b - 2 |U'V|_F^2,    |U'V|_F^2 >= max(0, a + b - m)
//
// and the bound is reached, which gives the divisor. Angles by their sines, from what is left of one basis beside the
// other, as well as their cosines: small ones keep their digits (Bjorck and Golub 1973).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "cda/score.hpp"

namespace cda {
namespace {

constexpr double degrees = 57.29577951308232;

Matrix basis_of(const Matrix& columns) {
  if (!columns.allFinite())
    throw Error(Fault::numerical, "score.directions", "directions to be compared are not finite");
  return orthonormal_basis(columns, 1e-8);
}

double largest_distance(Index dimension, Index a, Index b) {
  return std::sqrt(static_cast<double>(a + b - 2 * std::max<Index>(0, a + b - dimension)));
}

double relative_error(double squared_distance, double largest) {
  return largest == 0.0 ? 0.0 : std::min(1.0, std::sqrt(std::max(0.0, squared_distance)) / largest);
}

}  // namespace

SubspaceError subspace_error(const Matrix& found, const Matrix& truth) {
  if (found.rows() != truth.rows())
    throw Error(
        Fault::input, "score.dimension",
        fmt::format("directions of {} columns cannot be compared with true ones of {}", found.rows(), truth.rows()),
        "the truth belongs to other tables");
  Matrix smaller = basis_of(found), larger = basis_of(truth);
  if (smaller.cols() > larger.cols()) smaller.swap(larger);
  if (smaller.cols() == 0)
    throw Error(Fault::numerical, "score.directions", "directions that are all zero span nothing to be compared");
  const Matrix cosines = larger.transpose() * smaller;  // b x a
  const Matrix rest = smaller - larger * cosines;       // its squared norm is a - |U'V|^2 without the cancellation
  const double squared = 2.0 * rest.squaredNorm() + static_cast<double>(larger.cols() - smaller.cols());
  const double sine = singular_values(rest)[0];
  const Vector singular = singular_values(cosines);
  return {relative_error(squared, largest_distance(found.rows(), smaller.cols(), larger.cols())),
          degrees * std::atan2(sine, singular[singular.size() - 1])};
}

double chance_subspace_error(Index dimension, Index found_rank, Index truth_rank) {
  return chance_subspace(dimension, found_rank, truth_rank).error;
}

SubspaceError chance_subspace(Index dimension, Index found_rank, Index truth_rank) {
  const auto fits = [&](Index rank) { return rank >= 1 && rank <= dimension; };
  if (!fits(found_rank) || !fits(truth_rank))
    throw Error(Fault::usage, "score.dimension",
                fmt::format("spaces of {} and {} dimensions do not fit into {}", found_rank, truth_rank, dimension));
  const double largest = largest_distance(dimension, found_rank, truth_rank);
  // Only how the two lie to each other matters: the larger may be that of the first axes, the smaller is drawn.
  const auto [drawn, fixed] = std::minmax(found_rank, truth_rank);
  if (fixed == dimension) return {largest == 0.0 ? 0.0 : 1.0, 0.0};  // it contains every other
  constexpr int draws = 4000;
  Random random(0, "chance of a subspace");
  SubspaceError sum;
  for (int draw = 0; draw < draws; ++draw) {
    const Matrix basis = basis_of(random.normals(dimension, drawn));
    const Matrix within = basis.topRows(fixed);
    const double cosine = singular_values(within)[std::min(drawn, fixed) - 1];
    sum.error += relative_error(static_cast<double>(drawn + fixed) - 2.0 * within.squaredNorm(), largest) / draws;
    sum.largest_angle += degrees * std::acos(std::min(1.0, cosine)) / draws;
  }
  return sum;
}

}  // namespace cda
