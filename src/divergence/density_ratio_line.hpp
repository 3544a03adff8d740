// The density ratio in one dimension, without the N x b kernel matrix. On the range of the values the kernel is a
// polynomial to rounding: with T the Chebyshev polynomials of degree below P and t the value scaled to [-1, 1],
//
//   exp(-(z - c)^2 / (2 sigma^2)) = T(t_z)' B T(t_c),    P about 14 + 3.3 range/sigma   (error below 1e-12)
//
// so the basis functions at all rows are F M with F = T(rows), N x P, and M = [e_0, B T(centres)'], P x b. Everything
// the fit needs is in F'F and F'1: O(N P^2) time, and the gradients with respect to centres and sigma need no further
// pass over the rows. dT/dt is taken on the coefficients.
#pragma once

#include "cda/statistics.hpp"

namespace cda {

class KernelOnLine {
 public:
  // The kernel of width sigma between lowest and highest.
  KernelOnLine(double lowest, double highest, double sigma);

  Index size() const { return kernel_.rows(); }                         // P
  Matrix features(const Eigen::Ref<const Vector>& values) const;        // n x P
  const Matrix& kernel() const { return kernel_; }                      // B, symmetric
  const Matrix& sigma_derivative() const { return sigma_derivative_; }  // dB/dsigma
  Matrix derivative(const Matrix& coefficients) const;  // of T'coefficients, column by column, with respect to values

  // How many polynomials a range and width need.
  static Index size_for(double lowest, double highest, double sigma);

 private:
  double middle_, half_;
  Matrix kernel_, sigma_derivative_;
};

// Sums of F'F and F'1 over all values.
struct FeatureMoments {
  Matrix second;  // P x P
  Vector first;   // P
  double rows = 0.0;
};
FeatureMoments feature_moments(const KernelOnLine& line, const Samples& samples);

}  // namespace cda
