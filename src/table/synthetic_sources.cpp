// Planted sources under general mixing: the case in which matching shapes can be right or wrong, and one can tell.
// A row of X is A s, where s holds independent sources: `shared` with shapes that Y has as well, `own` with shapes only
// X has, the rest normal. Y is made likewise with its own A and its own draws: no row of X belongs to a row of Y.
// The directions that undo the mixing are the rows of A^-1, so x'u_i is source i up to length and known shape.
#include <cmath>

#include "base/linear_algebra.hpp"
#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

// Any matrix is a rotation, a stretch and a rotation. With stretches from 1 to 10 (uniform in logarithm) the mixing is
// general and its condition number at most 10, however many columns there are.
Matrix random_mixing(Index size, Random random) {
  const Matrix left = orthonormal_frame(random.normals(size, size));
  const Matrix right = orthonormal_frame(random.normals(size, size));
  Vector stretch(size);
  for (double& s : stretch) s = std::pow(10.0, random.uniform());
  return left * stretch.asDiagonal() * right.transpose();
}

struct SourceSide {
  Matrix rows, sources, own, directions;
};

// Each source has a stream of its own, so asking for more columns or sources leaves the earlier ones as they were.
SourceSide mixed_side(const Random& random, Index rows, Index columns, const std::vector<std::string>& shapes,
                      Index shared) {
  Matrix sources(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    Random stream = random.stream("source " + std::to_string(j + 1));
    const bool planted = j < static_cast<Index>(shapes.size());
    for (double& value : sources.col(j))
      value = planted ? draw_shape(shapes[static_cast<std::size_t>(j)], stream) : stream.normal();
  }
  const Matrix mixing = random_mixing(columns, random.stream("mixing"));
  SourceSide side;
  side.rows = sources * mixing.transpose();
  side.directions = inverse(mixing).transpose().leftCols(shared).colwise().normalized();
  side.sources = sources.leftCols(shared);
  side.own = sources.middleCols(shared, static_cast<Index>(shapes.size()) - shared);
  return side;
}

}  // namespace

Planted mixed_sources(const Random& random, const SourceShapes& shapes, const SyntheticOptions& size) {
  const auto side = [&](const char* name, Index rows, Index columns, const std::vector<std::string>& own) {
    std::vector<std::string> planted = shapes.shared;
    planted.insert(planted.end(), own.begin(), own.end());
    return mixed_side(random.stream(name), rows, columns, planted, static_cast<Index>(shapes.shared.size()));
  };
  SourceSide x = side("x", size.n, size.m, shapes.x_own);
  SourceSide y = side("y", size.k, size.l, shapes.y_own);
  Planted planted;
  planted.pair.x = make_table(std::move(x.rows), {}, "x");
  planted.pair.y = make_table(std::move(y.rows), {}, "y");
  planted.x_sources = std::move(x.sources);
  planted.y_sources = std::move(y.sources);
  planted.x_own = std::move(x.own);
  planted.y_own = std::move(y.own);
  Truth& truth = planted.pair.truth;
  truth.x_directions = std::move(x.directions);
  truth.y_directions = std::move(y.directions);
  truth.sources = shapes.shared;
  truth.x_own = shapes.x_own;
  truth.y_own = shapes.y_own;
  for (const std::string& shape : truth.sources) truth.pairs.emplace_back(shape + " source", shape + " source");
  return planted;
}

Planted mixed_sources(const SyntheticOptions& options) {
  const Random random(options.seed, "sources");
  std::vector<std::string> drawn;
  for (const Index i : random.stream("shapes").permutation(static_cast<Index>(source_shapes().size())))
    drawn.push_back(source_shapes()[static_cast<std::size_t>(i)]);
  const auto own_begin = drawn.begin() + options.shared;
  SourceShapes shapes;
  shapes.shared.assign(drawn.begin(), own_begin);
  shapes.x_own.assign(own_begin, own_begin + options.own);
  shapes.y_own.assign(own_begin + options.own, own_begin + 2 * options.own);
  return mixed_sources(random, shapes, options);
}

}  // namespace cda
