// The first narrow waist: two projected samples in, a value and two gradients out. A divergence knows nothing of
// tables, directions, scales or threads. Its author picks the statistic it looks at, and with it the cost
// (cda/extend/statistics.hpp), and writes between(): the value, and its gradient with respect to the two statistics. In
// more than one dimension a divergence on a one-dimensional statistic is averaged over fixed directions ("sliced").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/projection.hpp"
#include "cda/extend/statistics.hpp"
#include "cda/types.hpp"

namespace cda {

class Divergence {
 public:
  virtual ~Divergence() = default;

  // The value; with_gradient adds the gradients to both projections. Where there is no sensible answer it throws a
  // numerical Error, at which an optimiser tries a shorter step.
  virtual double evaluate(Projection& x, Projection& y, bool with_gradient) const = 0;

  // This divergence with what the data decide (bandwidths, regularisation, centres) decided at these projections and
  // then held fixed, so that an optimiser sees one smooth function. nullptr: there is nothing to decide. The seed names
  // the draw of centres. Where needs_tuning(), evaluate() tunes at its own arguments first.
  virtual std::unique_ptr<Divergence> tuned(const Projection& x, const Projection& y, std::uint64_t seed) const;
  virtual bool needs_tuning() const { return false; }
  // True where one evaluation takes milliseconds rather than microseconds at a thousand rows: searches are then
  // shorter.
  virtual bool costly() const { return false; }

  // False where D(p, p) > 0, so that a small value is not by itself agreement.
  virtual bool zero_on_itself() const { return true; }
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

// A divergence that is a sum over parts of both samples says into which; between() then sees one part of each, and what
// it returns is added up. Others see whole samples, and run only where all rows are in one place.
template <>
class DivergenceOf<SortedValues> : public Divergence {
 public:
  double evaluate(Projection& x, Projection& y, bool with_gradient) const final;

  enum class Cut {
    none,
    by_mass,  // x from place `first` on, and y as far as it covers the same shares; a value of y may be in several
    by_value  // values of x and of y between the same bounds; equal ones stay together
  };
  virtual Cut cut() const { return Cut::none; }

 protected:
  virtual double between(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                         Gradient<SortedValues>* dy) const = 0;
};
template <>
double DivergenceOf<Moments>::evaluate(Projection& x, Projection& y, bool with_gradient) const;
template <>
double DivergenceOf<Samples>::evaluate(Projection& x, Projection& y, bool with_gradient) const;

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
