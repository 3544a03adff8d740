// A sample of rows, and the sample seen through directions. Everything that touches rows happens here, in fixed chunks
// on the sample's threads; nothing above knows about either. Where rows are split over ranks, a sample holds those of
// this rank, and all that it says is said of all of them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

// n x p rows with their moments, computed once when first asked for. Population moments (divided by n). Of several
// ranks each holds some blocks of the rows in the order of their keys (Executor::rank_begins; model/spread_tables sees
// to it).
class Sample {
 public:
  // `keys` identify rows for choose(); without them they are made from the rows' content.
  explicit Sample(Matrix rows, Executor executor = Executor(1), std::vector<std::uint64_t> keys = {});

  // Some rows of a larger table, with the moments of the whole: for divergences that look at moments only.
  Sample(Matrix rows, Vector mean, Matrix covariance, Executor executor);

  const Matrix& rows() const { return rows_; }  // those that are here
  Index size() const { return size_; }          // of all ranks together
  Index dimension() const { return rows_.cols(); }
  const Executor& executor() const { return executor_; }
  const Vector& mean() const;        // p
  const Matrix& covariance() const;  // p x p; where rows are few and columns many, the next three do without it
  Matrix spread(const Matrix& directions) const;         // covariance * directions
  Matrix covariance_of(const Matrix& directions) const;  // directions' * covariance * directions
  double total_variance() const;                         // its trace
  bool few_rows() const { return size() < dimension() && !given_moments_; }
  bool given_moments() const { return given_moments_; }  // those of more rows than it has
  std::uint64_t fingerprint() const;                     // of the rows' content, in any order
  // How often all rows were gone through to project them or to bring a gradient back.
  Index passes() const;
  void count_pass() const;
  // p x rank: an orthonormal basis of the directions along which the rows vary. Outside it projections are constant,
  // and two constants would match perfectly and mean nothing.
  const Matrix& space() const;

  // `count` rows (all if there are fewer) chosen by their keys, never by their position: the same rows in another
  // order give the same choice, in the same order. A row that another rank has is -1 here.
  std::vector<Index> choose(Index count, std::uint64_t seed) const;
  // The sample of these rows alone, for a first look; it keeps the space of the whole. Every rank has all of them.
  Sample subset(const std::vector<Index>& chosen) const;

 private:
  const Matrix& centred() const;  // n x p, kept where rows are few

  Matrix rows_;
  Executor executor_;
  Index size_;
  std::vector<std::uint64_t> keys_;
  bool given_moments_ = false;
  struct Lazy;
  std::shared_ptr<Lazy> lazy_;
};

// A key per row from its content, independent of the order of rows and of columns, and of the columns' units: cells are
// rounded to 2^-20 of their column's range. Column j enters by the name hash given for it.
std::vector<std::uint64_t> row_keys(const Matrix& rows, const std::vector<std::uint64_t>& column_hashes,
                                    const Executor& executor = Executor(1));

// The order of rows by their keys, equal keys by content. Taken in this order, the same rows add up to the same bits
// whatever order they came in.
std::vector<Index> canonical_order(const Matrix& rows, const std::vector<std::uint64_t>& keys);

constexpr Index rows_worth_remembering = 50'000;  // with fewer, passes are not what a search takes

// Projections of one sample seen before, kept by one who goes along lines: a direction in the plane of two earlier ones
// needs no pass over the rows, X (a u + b w) = a X u + b X w. The values are those of a pass but for some roundings,
// which are counted: more than a few hundred of them, and the rows are gone through again. For one direction at a time,
// and for one thread.
class ProjectionMemory {
 public:
  std::shared_ptr<const Matrix> values(const Sample& sample, const Matrix& direction);  // n x 1: rows * direction

 private:
  struct Seen {
    Vector direction;
    std::shared_ptr<const Matrix> values;
    double roundings;  // a bound on the error of the values, in units of the last digit
  };
  const Seen* same(const Vector& direction) const;
  std::optional<Seen> combined(const Sample& sample, const Vector& direction) const;

  std::deque<Seen> seen_;  // the last few
};

// scale_j * rows * directions_j: what a divergence compares. Gradients flow back through it: whatever reads the
// projected values adds its gradient here, and the formulation collects it.
class Projection {
 public:
  // With a memory of this sample, values may come from what was projected before.
  Projection(const Sample& sample, Matrix directions, Vector scales, ProjectionMemory* memory = nullptr);

  const Sample& sample() const { return *sample_; }
  const Matrix& directions() const { return directions_; }  // p x r
  const Vector& scales() const { return scales_; }          // r (beta)
  Index size() const { return sample_->size(); }
  Index dimension() const { return directions_.cols(); }
  double total_scale() const { return scales_.sum(); }

  const Matrix& values() const;  // n x r, those of the rows that are here, computed when first asked for

  void add_gradient(const Matrix& d_directions, const Vector& d_scales);
  void add_value_gradient(const Matrix& d_values);  // n x r: one pass over the rows
  void add_total_scale_gradient(double d_total_scale);
  const Matrix& d_directions() const { return d_directions_; }  // p x r
  const Vector& d_scales() const { return d_scales_; }          // r

 private:
  const Sample* sample_;
  Matrix directions_;
  Vector scales_;
  ProjectionMemory* memory_;
  mutable std::shared_ptr<const Matrix> values_;
  Matrix d_directions_;
  Vector d_scales_;
};

}  // namespace cda
