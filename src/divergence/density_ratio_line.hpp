// The density ratio in one dimension, without the N x b kernel matrix. On the range of the values the kernel is a
// polynomial to rounding: with T the Chebyshev polynomials of degree below P and t the value scaled to [-1, 1],
//
//   exp(-(z - c)^2 / (2 sigma^2)) = T(t_z)' B T(t_c),    P about 14 + 3.3 range/sigma   (error below 1e-12)
//
// so the basis functions at all rows are F M with F = T(rows), N x P, and M = [e_0, B T(centres)'], P x b. Everything
// the fit needs is in F'F and F'1, and since 2 T_i T_j = T_(i+j) + T_|i-j| both are in the 2P - 1 sums of the T_k over
// the rows: O(N P) time. The gradient with respect to the values is again a series of T_k, of twice the degree, that is
// evaluated at the rows; those with respect to centres and sigma need no further pass. dT/dt is taken on coefficients.
#pragma once

#include "cda/extend/statistics.hpp"

namespace cda {

// Chebyshev polynomials of values between lowest and highest. A series has one coefficient a degree, from 0.
class PolynomialLine {
 public:
  PolynomialLine(double lowest, double highest);

  Matrix features(const Eigen::Ref<const Vector>& values, Index count) const;  // n x count: T_0, T_1, ...
  Vector sums(const Samples& samples, Index count) const;                      // of each T_k over all values
  Vector evaluated(const Vector& series, const Samples& samples) const;        // at every value
  Matrix derivative(const Matrix& series) const;  // column by column, with respect to values
  static Vector product(const Vector& a, const Vector& b);

 private:
  // Calls work(first row, scaled values) for blocks of the rows from begin to end; unused entries are 0.
  template <class Work>
  void for_blocks(const Vector& values, Index begin, Index end, const Work& work) const;

  double middle_, half_;
};

class KernelOnLine {
 public:
  // The kernel of width sigma between lowest and highest.
  KernelOnLine(double lowest, double highest, double sigma);

  Index size() const { return kernel_.rows(); }                         // P
  const Matrix& kernel() const { return kernel_; }                      // B, symmetric
  const Matrix& sigma_derivative() const { return sigma_derivative_; }  // dB/dsigma

  // How many polynomials a range and width need.
  static Index size_for(double lowest, double highest, double sigma);

 private:
  Matrix kernel_, sigma_derivative_;
};

// The mean of F'F over values (P x P), from the means of 2P - 1 polynomials.
Matrix second_moments(const Vector& means, Index size);

}  // namespace cda
