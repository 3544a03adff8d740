// A table's rows as a cloud of points: scores on the principal components, each with variance one, and the share of
// their spread that each keeps when clouds are compared,
//
//   z = (row - mean) axes,   s_i = z_i (variance_i / variance_1)^(emphasis / 2).
//
// Components without variance are dropped, and no more than `most` are kept. By the p x p covariance, O(n p^2 + p^3);
// by the products of rows where rows are fewer; where both are many, by random projections with power iterations
// (Halko, Martinsson and Tropp 2011), O(n p most).
#pragma once

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"
#include "find/clouds/sinkhorn.hpp"

namespace cda {

struct PointCloud {
  Matrix axes;         // p x d
  Vector mean;         // p
  Vector variances;    // d, decreasing
  FloatMatrix white;   // n x d: z
  FloatVector shares;  // d: what z is multiplied with to give s

  Index rows() const { return white.rows(); }
  Index dimension() const { return white.cols(); }
};

struct CloudOptions {
  Index most = 20;
  double emphasis = 0.5;
  Index exact_columns = 1500;  // beyond, components are found by random projections
};

PointCloud point_cloud(const Matrix& rows, const CloudOptions& options, const Executor& executor);

// Some rows of a cloud.
struct CloudPart {
  FloatMatrix white, scores;  // z and s
  FloatVector mass;           // sums to one
};
CloudPart part_of(const PointCloud& cloud, const std::vector<Index>& rows);

}  // namespace cda
