// The paper's relations (section "Retrieving Canonical Vectors"). X ~ N(0, I) with m >= 5 columns, and
//
//            linear                 mixed                   nonlinear
//   y1       x1 + 2 x2              x1^2 + 2 x2             x1^2 + 2 x2
//   y2       x3 + 2 x4              x3^3 + 2 x4             x3^3 + 2 x4
//   y3       x5                     x5                      exp(x5)
//   y4       x2 + x5                x2 + x5                 cos(x2 + x5)
//
// each plus noise of variance .5 (y4 of nonlinear: .1); y5, ..., yl ~ N(0, 1). Where another variance is asked for, the
// .1 changes in proportion. Since u'X ~ N(0, 1) for every unit u, the rows' correspondence is all that tells one
// direction of X from another: what a method finds without it, it finds by chance. Hence the truth is the subspace
// only, and by the side of X that of rank 5 wherever x1, ..., x5 all enter on their own.
#include <algorithm>
#include <array>
#include <cmath>

#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

std::array<double, 4> related(const std::string& kind, const Eigen::Ref<const Eigen::RowVectorXd>& x) {
  if (kind == "linear") return {x(0) + 2 * x(1), x(2) + 2 * x(3), x(4), x(1) + x(4)};
  const double first = x(0) * x(0) + 2 * x(1), second = x(2) * x(2) * x(2) + 2 * x(3);
  if (kind == "mixed") return {first, second, x(4), x(1) + x(4)};
  return {first, second, std::exp(x(4)), std::cos(x(1) + x(4))};
}

// Gram-Schmidt on e1 + 2 e2, e3 + 2 e4, e5, e2 + e5.
Matrix linear_directions(Index m) {
  const double root = std::sqrt(5.0);
  Matrix basis = Matrix::Zero(m, 4);
  basis(0, 0) = basis(2, 1) = 1 / root;
  basis(1, 0) = basis(3, 1) = 2 / root;
  basis(4, 2) = 1;
  basis(0, 3) = -2 / root;
  basis(1, 3) = 1 / root;
  return basis;
}

}  // namespace

Planted relations(const SyntheticOptions& options) {
  const Random random(options.seed, options.kind);
  const Index rows = std::max(options.n, options.k);  // X takes the first n of them, Y draws its k
  const Matrix x = random.stream("x").normals(rows, options.m);
  Matrix y = random.stream("y").normals(rows, options.l);  // the first four columns become noise terms
  for (Index j = 0; j < 4; ++j) {
    const bool quieter = options.kind == "nonlinear" && j == 3;
    y.col(j) *= std::sqrt(options.noise * (quieter ? 0.2 : 1.0));
  }
  for (Index i = 0; i < rows; ++i) {
    const auto signal = related(options.kind, x.row(i));
    for (Index j = 0; j < 4; ++j) y(i, j) += signal[static_cast<std::size_t>(j)];
  }

  Planted planted;
  planted.x_sources = x.topRows(options.n).leftCols(5);
  if (options.shuffle) {
    std::vector<Index> order = random.stream("order").permutation(rows);
    order.resize(static_cast<std::size_t>(options.k));
    planted.pair.y = make_table(y(order, Eigen::all), {}, "y");
    planted.y_sources = x(order, Eigen::all).leftCols(5);
  } else {
    planted.pair.y = make_table(y.topRows(options.k), {}, "y");
    planted.y_sources = x.topRows(options.k).leftCols(5);
  }
  planted.pair.x = make_table(x.topRows(options.n), {}, "x");

  Truth& truth = planted.pair.truth;
  truth.y_directions = Matrix::Identity(options.l, 4);
  if (options.kind == "linear") {
    truth.x_directions = linear_directions(options.m);
    truth.pairs = {{"x1 + 2 x2", "y1"}, {"x3 + 2 x4", "y2"}, {"x5", "y3"}, {"x2 + x5", "y4"}};
  } else {
    const bool mixed = options.kind == "mixed";
    truth.x_directions = Matrix::Identity(options.m, 5);
    truth.pairs = {{"x1^2 + 2 x2", "y1"},
                   {"x3^3 + 2 x4", "y2"},
                   {mixed ? "x5" : "exp(x5)", "y3"},
                   {mixed ? "x2 + x5" : "cos(x2 + x5)", "y4"}};
  }
  return planted;
}

}  // namespace cda
