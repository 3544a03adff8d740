// A formulation turns "make these two projections agree" into a Problem: which directions are free, what holds them
// away from zero, whether pairs are found one after another or together. It is the only code that knows both waists.
#pragma once

#include <memory>
#include <string>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/directions.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/types.hpp"

namespace cda {

// How the scale of the second table is set: by the paper's lemma, sqrt(non-zeros of u / non-zeros of v), as one more
// variable, or to a value.
struct ScaleRule {
  enum class Kind { lemma, optimised, fixed };
  Kind kind = Kind::lemma;
  double value = 1.0;

  static ScaleRule parse(const std::string& text);  // "lemma", "optimised" or a positive number
  std::string to_string() const;
};

// sqrt(#{|u_a| > 1e-8 max|u|} / #{|v_b| > 1e-8 max|v|}), column by column.
Vector lemma_scales(const Matrix& x_directions, const Matrix& y_directions);

// The two samples and what is asked of them.
struct Comparison {
  const Sample& x;
  const Sample& y;
  std::shared_ptr<const Divergence> divergence;
  ScaleRule scale;
  std::uint64_t seed = 0;
};

// The smallest norm of a direction among all pairs or, where scales are optimised, share of the spread of X that the
// scale leaves to Y.
double shortest(const Comparison& comparison, const Directions& directions);

// True where a direction or an optimised scale has gone to zero: an optimum that is no answer.
inline bool vanishes(const Comparison& comparison, const Directions& directions) {
  return shortest(comparison, directions) < 1e-3;
}

// What keeps directions away from zero where their norm is not fixed: a cost and its gradient.
class NormCost {
 public:
  virtual ~NormCost() = default;
  virtual double value(const Matrix& directions, Matrix* gradient) const = 0;
};

// One or more pairs as a problem for an optimiser: the divergence of the two projections, plus the norm costs where
// there are any, over directions u = basis * w. A basis of the complement of earlier directions makes the new ones
// orthogonal to them by construction. A point is (w of x, w of y, log scales where they are optimised).
// With a contrast weight g the value is D - g (C_x + C_y): shapes are to agree, but only those count that differ from a
// bell curve (C, the divergence to the normal).
class NormalReference;

class PairProblem {
 public:
  struct Parts {
    const Comparison& comparison;
    Index pairs = 1;
    Matrix x_basis, y_basis;                         // p x a, q x b, orthonormal columns
    std::shared_ptr<const NormCost> x_cost, y_cost;  // both, or neither: then directions are orthonormal
    double contrast = 0.0;                           // g, for one pair of whitened tables
    double judged_contrast = 0.0;                    // the weight by which optima are chosen from
  };
  explicit PairProblem(Parts parts);

  Problem problem() const;  // under the divergence as it is tuned now
  Directions directions(const Vector& point) const;
  Vector point(const Directions& directions) const;  // the point with these directions (in the span of the bases)
  bool tune(const Vector& point);  // decides bandwidths and the like at this point; false: nothing to decide
  bool finite_set() const;         // no direction is left to vary: only signs
  // Principal axes and random directions, both signs; with a contrast, the most promising of all pairs of them.
  std::vector<Vector> starts(int random, const Random& draw) const;
  // What local optima are compared by: the value, with the weight of the contrast that is for judging.
  double judged(const Vector& point) const;
  bool judges() const { return judged_contrast_ != contrast_; }

 private:
  // The divergence with what the data decide decided: between the samples, and of each from the normal.
  struct Tuned {
    std::shared_ptr<const Divergence> divergence, x_contrast, y_contrast;
  };
  // What a search along lines has projected, where the tables are long enough for that to pay.
  struct Memory {
    ProjectionMemory x, y;
  };
  double value(const Tuned& tuned, double contrast, const Vector& point, Vector* gradient,
               Memory* memory = nullptr) const;
  std::vector<Vector> screened_starts(int random, const Random& draw) const;

  const Comparison* comparison_;
  Index pairs_;
  Matrix x_basis_, y_basis_;
  std::shared_ptr<const NormCost> x_cost_, y_cost_;
  double contrast_, judged_contrast_;
  std::shared_ptr<const NormalReference> x_normal_, y_normal_;  // where there is a contrast
  Tuned tuned_;
  std::shared_ptr<const Manifold> manifold_;
};

class Formulation {
 public:
  virtual ~Formulation() = default;
  // The problem of the next pairs, given the `found` ones. Must not outlive the comparison.
  virtual PairProblem pose(const Comparison& comparison, const Directions& found, Index components) const = 0;
  // True where one problem yields all pairs.
  virtual bool joint() const = 0;
  // True where each table's own informative components are found first and then matched; pose() is then for what
  // follows: refining a match, and pairs beyond the informative ones.
  virtual bool components_first() const { return false; }
  virtual bool refines_matches() const { return false; }
};

Catalogue<Formulation>& formulations();

}  // namespace cda
