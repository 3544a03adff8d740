// Flat space, the sphere, and products of sets. (Frames, which need more, are in stiefel.cpp.)
//
// Sphere |x| = 1: tangent vectors are orthogonal to x, geodesics are great circles,
//   x(d) = cos|d| x + sin|d| d/|d|,
// and a step's length is the angle turned. In one dimension the sphere is {+1, -1}: nothing to move along.
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "cda/error.hpp"
#include "cda/extend/manifold.hpp"

namespace cda {
namespace {

void require_size(Index size, const char* what) {
  if (size < 1) throw Error(Fault::internal, "manifold.size", std::string(what) + " needs at least one number");
}

class Euclidean final : public Manifold {
 public:
  explicit Euclidean(Index size) : size_(size) { require_size(size, "a flat space"); }

  Index size() const override { return size_; }
  Index dimension() const override { return size_; }
  Vector tangent(const Vector&, const Vector& gradient) const override { return gradient; }
  Vector retract(const Vector& point, const Vector& step) const override { return point + step; }
  Vector nearest(const Vector& point) const override { return point; }
  Index constraints() const override { return 0; }
  Vector residual(const Vector&) const override { return Vector(0); }
  Matrix jacobian(const Vector&) const override { return Matrix(0, size_); }
  double longest_step() const override { return std::numeric_limits<double>::infinity(); }
  Vector random_point(Random& random) const override { return random.normals(size_, 1); }

 private:
  Index size_;
};

class Sphere final : public Manifold {
 public:
  explicit Sphere(Index size) : size_(size) { require_size(size, "a sphere"); }

  Index size() const override { return size_; }
  Index dimension() const override { return size_ - 1; }

  Vector tangent(const Vector& point, const Vector& gradient) const override {
    if (size_ == 1) return Vector::Zero(1);
    Vector along = gradient - point * point.dot(gradient);
    // Once more: where the gradient is nearly radial, the first subtraction leaves rounding of its size behind.
    along -= point * point.dot(along);
    return along;
  }

  Vector retract(const Vector& point, const Vector& step) const override {
    const double angle = step.stableNorm();
    if (size_ == 1 || angle == 0.0) return point;
    const Vector reached = std::cos(angle) * point + (std::sin(angle) / angle) * step;
    return reached / reached.norm();  // rounding of many steps would add up
  }

  Vector nearest(const Vector& point) const override {
    if (!point.allFinite()) return point;
    const double norm = point.stableNorm();
    if (norm == 0.0) return Vector::Unit(size_, 0);  // every point is as near as any other
    return point.stableNormalized();
  }

  Index constraints() const override { return 1; }
  Vector residual(const Vector& point) const override { return Vector::Constant(1, point.squaredNorm() - 1.0); }
  Matrix jacobian(const Vector& point) const override { return 2.0 * point.transpose(); }
  double longest_step() const override { return std::numbers::pi; }

  Vector random_point(Random& random) const override { return nearest(random.normals(size_, 1)); }

 private:
  Index size_;
};

class Product final : public Manifold {
 public:
  explicit Product(std::vector<std::shared_ptr<const Manifold>> factors) : factors_(std::move(factors)) {
    if (factors_.empty()) throw Error(Fault::internal, "manifold.size", "a product needs at least one factor");
    for (const auto& factor : factors_) {
      size_ += factor->size();
      dimension_ += factor->dimension();
      constraints_ += factor->constraints();
    }
  }

  Index size() const override { return size_; }
  Index dimension() const override { return dimension_; }
  Index constraints() const override { return constraints_; }

  // A product of flat spaces is flat, and nothing has to be taken apart.
  Vector tangent(const Vector& point, const Vector& gradient) const override {
    if (flat()) return gradient;
    return in_parts([&](const Manifold& factor, Index at, Index n) {
      return factor.tangent(point.segment(at, n), gradient.segment(at, n));
    });
  }
  Vector natural(const Vector& point, const Vector& gradient) const override {
    if (flat()) return gradient;
    return in_parts([&](const Manifold& factor, Index at, Index n) {
      return factor.natural(point.segment(at, n), gradient.segment(at, n));
    });
  }
  Vector retract(const Vector& point, const Vector& step) const override {
    if (flat()) return point + step;
    return in_parts([&](const Manifold& factor, Index at, Index n) {
      return factor.retract(point.segment(at, n), step.segment(at, n));
    });
  }
  Vector nearest(const Vector& point) const override {
    if (flat()) return point;
    return in_parts([&](const Manifold& factor, Index at, Index n) { return factor.nearest(point.segment(at, n)); });
  }

  Vector residual(const Vector& point) const override {
    Vector all(constraints_);
    Index at = 0, row = 0;
    for (const auto& factor : factors_) {
      all.segment(row, factor->constraints()) = factor->residual(point.segment(at, factor->size()));
      at += factor->size();
      row += factor->constraints();
    }
    return all;
  }

  Matrix jacobian(const Vector& point) const override {
    Matrix all = Matrix::Zero(constraints_, size_);
    Index at = 0, row = 0;
    for (const auto& factor : factors_) {
      all.block(row, at, factor->constraints(), factor->size()) = factor->jacobian(point.segment(at, factor->size()));
      at += factor->size();
      row += factor->constraints();
    }
    return all;
  }

  double longest_step() const override {
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto& factor : factors_) shortest = std::min(shortest, factor->longest_step());
    return shortest;
  }

  Vector random_point(Random& random) const override {
    return in_parts([&](const Manifold& factor, Index, Index) { return factor.random_point(random); });
  }

 private:
  bool flat() const { return constraints_ == 0; }

  // One part per factor, in order: part(factor, first entry, entries).
  template <class Part>
  Vector in_parts(const Part& part) const {
    Vector whole(size_);
    Index at = 0;
    for (const auto& factor : factors_) {
      whole.segment(at, factor->size()) = part(*factor, at, factor->size());
      at += factor->size();
    }
    return whole;
  }

  std::vector<std::shared_ptr<const Manifold>> factors_;
  Index size_ = 0, dimension_ = 0, constraints_ = 0;
};

}  // namespace

std::shared_ptr<const Manifold> euclidean(Index size) { return std::make_shared<Euclidean>(size); }
std::shared_ptr<const Manifold> sphere(Index size) { return std::make_shared<Sphere>(size); }
std::shared_ptr<const Manifold> product(std::vector<std::shared_ptr<const Manifold>> factors) {
  return std::make_shared<Product>(std::move(factors));
}

}  // namespace cda
