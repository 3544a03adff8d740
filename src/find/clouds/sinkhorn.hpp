// Which row of one table goes with which of the other, softly: the plan P (n x k, never negative) with given sums of
// rows and columns that maximises
//
//   sum_ij P_ij S_ij / (blur sd(S)) - KL(P | a b'),    KL(p | q) = sum p log(p / q) - p + q
//
// for similarities S and masses a, b of the rows of both: optimal transport with entropy. P = diag(u) exp(S / (blur
// sd)) diag(v), where u and v are brought in turn to give the sums of rows and of columns (Sinkhorn and Knopp 1967;
// Cuturi 2013). What u and v absorb is kept as logarithms and taken into the exponent (Schmitzer 2019), so that no blur
// is too small for the numbers. With a finite `reach` the sums are only approached, at a cost of reach times the
// divergence of Kullback and Leibler in units of sd(S) (Chizat and others 2018): rows without a counterpart then lose
// mass. Where no similarity is positive the mass is at most 1. O(turns n k), in single precision. The sums of rows are
// exact, those of columns as near as the tolerance says.
#pragma once

#include <limits>

#include "find/clouds/float_columns.hpp"

namespace cda {

struct SinkhornOptions {
  double blur = 0.1;                                       // of the standard deviation of the similarities
  int turns = 100;                                         // of both sides, at most
  double tolerance = 0.02;                                 // of the sums: the mass that may be in the wrong column
  double reach = std::numeric_limits<double>::infinity();  // infinite: sums are met
};

// diag(rows) * kernel * diag(columns), made without ever forming it.
struct Plan {
  FloatMatrix kernel;         // n x k
  FloatVector rows, columns;  // u, v
  FloatVector logarithms;     // of the row factors, the part that was taken into the kernel included

  FloatVector row_sums() const;
  FloatVector column_sums() const;
  Matrix between(const FloatMatrix& x, const FloatMatrix& y) const;  // x'Py, p x q
  FloatMatrix entries() const;                                       // P itself
};

// The standard deviation of similarities, by the masses of rows and columns: the unit of blur and reach.
double deviation(const FloatMatrix& similarities, const FloatVector& x_mass, const FloatVector& y_mass);

// `x_mass` and `y_mass` are positive and sum to one each. `before`, if not empty: the logarithms of a plan for
// similarities that were nearly these, from which it is not far.
Plan sinkhorn(const FloatMatrix& similarities, const FloatVector& x_mass, const FloatVector& y_mass,
              const SinkhornOptions& options, const FloatVector& before = {});

}  // namespace cda
