// The few decompositions the project uses, behind plain functions: compiled once, and with the same care for signs and
// for input that is not finite, for which Eigen returns garbage without a word.
#pragma once

#include "cda/types.hpp"

namespace cda {

// A symmetric matrix's eigenvectors, the largest entry of each made positive; eigenvalues increase. Throws where an
// entry is not finite.
struct Axes {
  Vector values;
  Matrix vectors;
};
Axes principal_axes(const Matrix& symmetric);

// The same as it comes: signs are not settled, and entries have to be finite.
Axes plain_axes(const Matrix& symmetric);

// The same for the covariance Z'Z/n of rows Z (n x m) that have mean zero and are fewer than their columns, from the
// n x n products of the rows: O(n^2 m), and no m x m matrix. Only axes with more than 1e-13 of the largest variance.
Axes axes_of_few_rows(const Matrix& centred);

// An orthonormal basis of what finite columns span (m x rank); a direction below this share of the largest column
// counts as none.
Matrix orthonormal_basis(const Matrix& columns, double none);

// An orthonormal basis of all of R^m (m x m) whose first columns span the given ones (m x r, r <= m).
Matrix orthonormal_frame(const Matrix& columns);

// columns = basis * coefficients with `size` orthonormal columns in the basis: a rank-revealing QR whose rank must not
// exceed size.
struct Factored {
  Matrix basis;         // m x size
  Matrix coefficients;  // size x r
};
Factored orthonormal_factor(const Matrix& columns, Index size);

// The matrix with orthonormal columns nearest to a finite one: PQ' of its singular value decomposition PSQ'.
Matrix polar_factor(const Matrix& any);

// The first singular values of a matrix and their left vectors (m x count, the largest entry of each positive). Beyond
// the smaller side of the matrix values are 0, and vectors any orthonormal ones.
struct LeftVectors {
  Vector values;
  Matrix vectors;
};
LeftVectors left_vectors(const Matrix& any, Index count);

// left * diag(values) * right' with orthonormal columns, as many as the smaller side, values decreasing. By Jacobi's
// method, the most exact one, up to 100 columns; by the faster one beyond.
struct SingularParts {
  Matrix left, right;
  Vector values;
};
SingularParts singular_parts(const Matrix& any);
Vector singular_values(const Matrix& any);

// exp of a small skew matrix, which is orthogonal: Taylor's series on a 2^-k part of it, squared k times. Each square
// doubles the distance from orthogonality, so each is brought back by a step of Newton and Schulz, E (3 I - E'E) / 2.
Matrix skew_exponential(const Matrix& skew);

Matrix stacked(const Matrix& above, const Matrix& below);  // rows of both, of as many columns

Matrix inverse(const Matrix& square);
Vector solved(const Matrix& square, const Vector& right);

// L^{-T} for a lower triangular L.
Matrix inverse_transpose(const Matrix& lower);

// The shortest X with A X = B in the sense of least squares, for symmetric positive semidefinite A of any rank.
Matrix symmetric_solve(const Matrix& symmetric, const Matrix& right);

}  // namespace cda
