// Relative density-ratio fitting (RuLSIF, Yamada et al. 2011; LSDR for the gradient). The ratio p / (a p + (1 - a) q)
// at a = 1/2 is modelled by g(z) = [theta_0 +] sum_c theta_c exp(-|z - z_c|^2 / (2 sigma^2)) with centres z_c among the
// samples of p, and theta = (H + lambda R)^-1 h in closed form:
//
//   H = (1/2n) sum_x phi phi' + (1/2k) sum_y phi phi',   h = (1/n) sum_x phi,   R = I, but 0 for the constant
//
//   J  = mean_x g - (1/4n) sum_x g^2 - (1/4k) sum_y g^2 - 1/2        (the paper's estimate of PE)
//   J2 = h'theta / 2 - 1/2 = J - (lambda/2) theta'R theta            (the regularised maximum; >= 0 with the constant)
//
// The centres are rows, so they move with the projection: their gradient is part of the whole. With p, s the vectors
//   J2: p = s = theta        J: gamma = A^-1 R theta, p = theta + lambda gamma, s = theta + 2 lambda gamma
// W_ac = [a in x] p_c / n - w_a (gs_a theta_c + g_a s_c) / 2, T_ac = W_ac phi_ac (z_a - z_c) / sigma^2:
//   dJ/dz_a = -sum_c T_ac,   dJ/dz_c += sum_a T_ac,   dJ/dsigma = sum_ac W_ac phi_ac |z_a - z_c|^2 / sigma^3.
// Rows are taken in blocks: O(N b^2) time for b centres, O(b^2) memory.
#pragma once

#include <vector>

#include "cda/extend/statistics.hpp"
#include "cda/types.hpp"

namespace cda {

struct RatioModel {
  std::vector<Index> centres;  // rows of p, as Sample::choose gives them
  double sigma = 1.0;
  double lambda = 0.1;
  bool constant_basis = true;
  bool paper_estimate = false;  // J instead of J2
};

struct RatioGradient {
  Matrix p, q;  // n x r, k x r
  double sigma = 0.0, backward_sigma = 0.0;
};

// PE(p || q) estimated with the model `forward`, plus PE(q || p) with `backward` (centres among q) where it is given;
// the gradient where asked for. In one dimension polynomials take the place of the kernel matrix where that is cheaper
// (density_ratio_line.hpp), to the same result.
double relative_pearson(const Samples& p, const Samples& q, const RatioModel& forward, const RatioModel* backward,
                        RatioGradient* gradient, bool allow_polynomials = true);

// The lambda with the best held-out squared loss over 5 folds of the given rows (which are dealt to folds in turn).
double cross_validated_lambda(const Samples& p, const std::vector<Index>& p_rows, const Samples& q,
                              const std::vector<Index>& q_rows, const RatioModel& model);

}  // namespace cda
