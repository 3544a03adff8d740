// Contrast: how far projected values are from a bell curve. For whitened rows and a unit direction u,
//
//   C(u) = D(u'X, normal of mean 0 and variance 1),
//
// with the normal represented by the n means of its quantile function over equal blocks (divergence/quantiles.hpp).
// For W2^2 this is the exact distance to the normal but for a constant, and its gradient is exact:
// dC/ds_(i) = 2 (s_(i) - z_i) / n. Any other divergence serves as well. One evaluation costs what the divergence costs.
#pragma once

#include <memory>
#include <vector>

#include "cda/extend/divergence.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/random.hpp"

namespace cda {

// The normal distribution as a sample of one column.
class NormalReference {
 public:
  // Spread over the executor's ranks, if there are any.
  explicit NormalReference(Index size, const Executor& executor = Executor(1));

  // The contrast of a one-dimensional projection; adds its gradient to the projection where one is asked for.
  double contrast(const Divergence& divergence, Projection& projection, bool with_gradient) const;
  // The divergence with what data decide decided for this projection against the normal, or nullptr.
  std::unique_ptr<Divergence> tuned(const Divergence& divergence, const Projection& projection,
                                    std::uint64_t seed) const;

 private:
  Projection normal() const { return {sample_, Matrix::Ones(1, 1), Vector::Ones(1)}; }
  Sample sample_;
};

// The direction of largest contrast as a problem for an optimiser: min -C(basis w) over |w| = 1. A basis of the
// complement of earlier directions makes the new one orthogonal to them: in whitened space, uncorrelated with them.
class ComponentProblem {
 public:
  ComponentProblem(const Sample& sample, std::shared_ptr<const NormalReference> reference,
                   std::shared_ptr<const Divergence> divergence, Matrix basis);

  Problem problem() const;  // must not outlive this
  Vector direction(const Vector& point) const { return basis_ * point; }
  Vector point(const Vector& direction) const { return (basis_.transpose() * direction).normalized(); }
  bool tune(const Vector& point, std::uint64_t seed);  // false: nothing to decide
  std::vector<Vector> starts(int count, const Random& draw) const;

 private:
  double value(const Vector& point, Vector* gradient, ProjectionMemory* memory = nullptr) const;

  const Sample* sample_;
  std::shared_ptr<const NormalReference> reference_;
  std::shared_ptr<const Divergence> divergence_;
  Matrix basis_;
};

}  // namespace cda
