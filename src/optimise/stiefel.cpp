// Orthonormal frames: U is m x r with U'U = I, stored column by column.
//
// A tangent vector D at U has U'D skew. Two gradients of a function with Euclidean gradient G:
//   tangent  G - U sym(U'G)   in the metric of the surrounding space,
//   natural  G - U G'U        in the canonical metric, which measures how U turns and nothing else.
// The geodesic of the canonical metric leaving U along D, followed for unit time:
//   A = U'D,  QR = (I - UU')D,  U(1) = [U Q] exp([A, -R'; R, 0]) [I; 0],
// O(m r^2 + r^3); Q has at most min(r, m - r) columns, and none for square U, where U(1) = U exp(A).
// Edelman, Arias and Smith, SIAM J. Matrix Anal. Appl. 20 (1998). For a natural gradient this is U(t) = exp(-t(GU' -
// UG')) U.
#include <limits>
#include <numbers>

#include "base/linear_algebra.hpp"
#include "cda/error.hpp"
#include "cda/extend/manifold.hpp"

namespace cda {
namespace {

constexpr double drift_allowed = 1e-12;  // of U'U from I, before a frame is made orthonormal again

Vector flat(const Matrix& frame) { return frame.reshaped(); }

class Stiefel final : public Manifold {
 public:
  Stiefel(Index rows, Index columns) : rows_(rows), columns_(columns) {
    if (columns < 1 || rows < columns)
      throw Error(Fault::internal, "manifold.size", "an orthonormal frame needs rows >= columns >= 1");
  }

  Index size() const override { return rows_ * columns_; }
  Index dimension() const override { return rows_ * columns_ - constraints(); }

  Vector tangent(const Vector& point, const Vector& gradient) const override {
    const auto u = frame(point), g = frame(gradient);
    const Matrix inner = u.transpose() * g;
    return flat(g - u * (0.5 * (inner + inner.transpose())));
  }

  Vector natural(const Vector& point, const Vector& gradient) const override {
    const auto u = frame(point), g = frame(gradient);
    return flat(g - u * (g.transpose() * u));
  }

  Vector retract(const Vector& point, const Vector& step) const override {
    if (!step.allFinite()) return Vector::Constant(size(), std::numeric_limits<double>::quiet_NaN());
    const auto u = frame(point), d = frame(step);
    const Matrix inside = u.transpose() * d;
    const Index r = columns_, q = std::min(columns_, rows_ - columns_);
    Matrix generator = Matrix::Zero(r + q, r + q);
    generator.topLeftCorner(r, r) = 0.5 * (inside - inside.transpose());
    Matrix basis(rows_, r + q);
    basis.leftCols(r) = u;
    if (q > 0) {
      Matrix outside = d - u * inside;
      outside -= u * (u.transpose() * outside);
      const Factored factored = orthonormal_factor(outside, q);
      basis.rightCols(q) = factored.basis;
      generator.bottomLeftCorner(q, r) = factored.coefficients;
      generator.topRightCorner(r, q) = -generator.bottomLeftCorner(q, r).transpose();
    }
    const Matrix turned = skew_exponential(generator);
    const Matrix reached = basis * turned.leftCols(r);
    const double drift = (reached.transpose() * reached - Matrix::Identity(r, r)).norm();
    if (drift > drift_allowed && reached.allFinite()) return flat(polar_factor(reached));
    return flat(reached);
  }

  Vector nearest(const Vector& point) const override {
    if (!point.allFinite()) return point;
    const double largest = point.cwiseAbs().maxCoeff();
    if (largest == 0.0) return flat(Matrix::Identity(rows_, columns_));
    return flat(polar_factor(frame(point) / largest));
  }

  Index constraints() const override { return columns_ * (columns_ + 1) / 2; }

  // The upper triangle of U'U - I, column by column: no equation twice.
  Vector residual(const Vector& point) const override {
    const auto u = frame(point);
    const Matrix gram = u.transpose() * u;
    Vector upper(constraints());
    Index row = 0;
    for (Index j = 0; j < columns_; ++j)
      for (Index i = 0; i <= j; ++i) upper(row++) = gram(i, j) - (i == j ? 1.0 : 0.0);
    return upper;
  }

  Matrix jacobian(const Vector& point) const override {
    const auto u = frame(point);
    Matrix derivative = Matrix::Zero(constraints(), size());
    Index row = 0;
    for (Index j = 0; j < columns_; ++j)
      for (Index i = 0; i <= j; ++i, ++row) {
        derivative.row(row).segment(j * rows_, rows_) += u.col(i).transpose();
        derivative.row(row).segment(i * rows_, rows_) += u.col(j).transpose();
      }
    return derivative;
  }

  double longest_step() const override { return std::numbers::pi; }

  // The polar factor of a Gaussian matrix is uniform on the frames.
  Vector random_point(Random& random) const override { return nearest(flat(random.normals(rows_, columns_))); }

 private:
  Eigen::Map<const Matrix> frame(const Vector& point) const { return {point.data(), rows_, columns_}; }

  Index rows_, columns_;
};

}  // namespace

std::shared_ptr<const Manifold> stiefel(Index rows, Index columns) { return std::make_shared<Stiefel>(rows, columns); }

}  // namespace cda
