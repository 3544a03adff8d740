// A sample of rows, and the sample seen through directions. Everything that touches rows happens here, in fixed chunks
// on the sample's threads; nothing above knows about either.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cda/executor.hpp"
#include "cda/types.hpp"

namespace cda {

// n x p rows with their moments, computed once when first asked for. Population moments (divided by n).
class Sample {
 public:
  explicit Sample(Matrix rows, Executor executor = Executor(1));

  const Matrix& rows() const { return rows_; }
  Index size() const { return rows_.rows(); }
  Index dimension() const { return rows_.cols(); }
  const Executor& executor() const { return executor_; }
  const Vector& mean() const;        // p
  const Matrix& covariance() const;  // p x p

  // `count` rows (all if there are fewer), chosen by a hash of their content, never by their position: the same rows
  // in another order give the same choice. Increasing hash; equal rows are told apart by how often they occurred.
  std::vector<Index> choose(Index count, std::uint64_t seed) const;

 private:
  Matrix rows_;
  Executor executor_;
  struct Lazy;
  std::shared_ptr<Lazy> lazy_;
};

// scale_j * rows * directions_j: what a divergence compares. Gradients flow back through it: whatever reads the
// projected values adds its gradient here, and the formulation collects it.
class Projection {
 public:
  Projection(const Sample& sample, Matrix directions, Vector scales);

  const Sample& sample() const { return *sample_; }
  const Matrix& directions() const { return directions_; }  // p x r
  const Vector& scales() const { return scales_; }          // r (beta)
  Index size() const { return sample_->size(); }
  Index dimension() const { return directions_.cols(); }
  double total_scale() const { return scales_.sum(); }

  const Matrix& values() const;  // n x r, computed when first asked for

  void add_gradient(const Matrix& d_directions, const Vector& d_scales);
  void add_value_gradient(const Matrix& d_values);  // n x r: one pass over the rows
  void add_total_scale_gradient(double d_total_scale);
  const Matrix& d_directions() const { return d_directions_; }  // p x r
  const Vector& d_scales() const { return d_scales_; }          // r

  // The one-dimensional projection along a direction of the projected space (r), sharing the values.
  Projection slice(const Vector& along) const;
  // Adds the gradient of a slice taken along `along` to this projection.
  void add_slice_gradient(const Projection& slice, const Vector& along);

 private:
  const Sample* sample_;
  Matrix directions_;
  Vector scales_;
  double total_scale_override_ = 0.0;
  mutable Matrix values_;
  Matrix d_directions_;
  Vector d_scales_;
};

}  // namespace cda
