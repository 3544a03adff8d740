// The first narrow waist: two projected samples in, a value and two gradients out. A divergence knows nothing of
// tables, directions, scales or threads. Its author picks the statistic it looks at, and with it the cost:
//
//   Moments       mean and covariance; from stored p x p moments, never touches the rows again
//   SortedValues  the values in increasing order: O(n log n)
//   FourierSums   the characteristic function on a grid of frequencies: O(M n), sums only
//   Samples       every value, n x r
//
// and writes between(): the value, and the gradient with respect to the two statistics. In more than one dimension the
// one-dimensional statistics are averaged over fixed directions of the projected space ("sliced").
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cda/catalogue.hpp"
#include "cda/projection.hpp"
#include "cda/types.hpp"

namespace cda {

// ---- Statistics -------------------------------------------------------------------------------------------------

struct Moments {
  Vector mean;        // r
  Matrix covariance;  // r x r
};

struct SortedValues {
  Vector values;  // increasing
};

// a_q = mean_i exp(i w_q (x_i - centre)), w_q = q * step, q = 0 .. count - 1.
struct FrequencyGrid {
  double centre = 0.0;
  double step = 1.0;
  Index count = 1;
};
struct FourierSums {
  FrequencyGrid grid;
  ComplexVector at;          // count
  double total_scale = 1.0;  // for bandwidths that follow the scale
};

struct Samples {
  const Matrix* values = nullptr;      // n x r
  const Executor* executor = nullptr;  // sums over rows go through it: fixed chunks, any number of threads
  double total_scale = 1.0;
};

// Derivatives of the value with respect to a statistic; sized and zero when between() is called.
template <class Statistic>
struct Gradient;
template <>
struct Gradient<Moments> {
  Vector mean;
  Matrix covariance;
};
template <>
struct Gradient<SortedValues> {
  Vector values;
};
template <>
struct Gradient<FourierSums> {
  ComplexVector at;  // d value = sum_q Re(conj(at_q) d a_q)
  double total_scale = 0.0;
};
template <>
struct Gradient<Samples> {
  Matrix values;
  double total_scale = 0.0;
};

// ---- The interface ----------------------------------------------------------------------------------------------

class Divergence {
 public:
  virtual ~Divergence() = default;

  // The value; with_gradient adds the gradients to both projections.
  virtual double evaluate(Projection& x, Projection& y, bool with_gradient) const = 0;

  // What the data decide (bandwidths, regularisation, centres), decided at these projections and then held fixed, so
  // that an optimiser sees one smooth function. nullptr: nothing to decide. The seed names the draw of centres.
  virtual std::unique_ptr<Divergence> tuned(const Projection& x, const Projection& y, std::uint64_t seed) const;

  // False where D(p, p) > 0, so that a small value is not by itself agreement.
  virtual bool zero_on_itself() const { return true; }
  // How far D(p, p) may be from 0 by estimation, for samples of these sizes (0: exactly zero).
  virtual bool symmetric() const { return true; }

  // Where D(u'X, scale v'Y) = z'Mz with z = (u, v), the matrix M: then the optimiser `exact` applies.
  virtual std::optional<Matrix> quadratic_form(const Sample& x, const Sample& y, double scale) const;
};

// What an author derives from.
template <class Statistic>
class DivergenceOf : public Divergence {
 public:
  double evaluate(Projection& x, Projection& y, bool with_gradient) const final;

 protected:
  // The value; where dx and dy are given, fills the derivatives.
  virtual double between(const Statistic& x, const Statistic& y, Gradient<Statistic>* dx,
                         Gradient<Statistic>* dy) const = 0;
};

// The grid has to be common to both sides and depends on what is done with it, so authors on FourierSums say which.
template <>
class DivergenceOf<FourierSums> : public Divergence {
 public:
  double evaluate(Projection& x, Projection& y, bool with_gradient) const final;

 protected:
  struct Extent {
    double lowest, highest;  // of both projected samples together
    double x_total_scale, y_total_scale;
  };
  virtual FrequencyGrid grid(const Extent& extent) const = 0;
  virtual double between(const FourierSums& x, const FourierSums& y, Gradient<FourierSums>* dx,
                         Gradient<FourierSums>* dy) const = 0;
};

Catalogue<Divergence>& divergences();

}  // namespace cda
