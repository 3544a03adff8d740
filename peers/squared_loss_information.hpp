// Squared-loss mutual information of paired values, by fitting the density ratio (LSMI: Suzuki, Sugiyama, Kanamori and
// Sese, BMC Bioinformatics 10, 2009).
//
//   SMI = 1/2 int int p(x) p(y) (w(x, y) - 1)^2 dx dy,   w = p(x, y) / (p(x) p(y)),
//
// zero for independent values only. The ratio is modelled by w(x, y) = theta_0 + sum_c theta_c K(x, x_c) K(y, y_c) with
// K(z, z_c) = exp(-|z - z_c|^2 / (2 sigma^2)) and paired centres c among the rows. With Kx, Ky (n x b, the constant's
// column of ones in front), theta = (H + lambda R)^-1 h in closed form, R = I but 0 for the constant:
//
//   h = column means of Kx o Ky,   H = (Kx'Kx) o (Ky'Ky) / n^2,   SMI = h'theta - theta'H theta / 2 - 1/2
//
// so that H, a mean over all n^2 pairs of rows, costs O(n b^2). Gradient, with t = A^-1 H theta, p = 2 theta - t,
// s = 3/2 theta - t, S = (theta s' + s theta') / 2:
//
//   Wx = Ky o (1 p') / n - 2/n^2 Kx (S o Ky'Ky),  and Wy with x and y exchanged;  T_ac = (W o K)_ac (z_a - z_c) /
//   sigma^2 dSMI/dz_a = -sum_c T_ac,   dSMI/dz_c += sum_a T_ac   (centres are rows: they move with the projection)
//
// Without the constant (which the literature does not have) far rows, where all kernels vanish, count as w = 0: in some
// eight dimensions that is most of the value, and the estimate of independent values falls far below zero.
#pragma once

#include <cstdint>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/types.hpp"

namespace cda {

struct InformationModel {
  std::vector<Index> centres;  // rows of both
  double sigma = 1.0;
  double lambda = 0.1;
  bool constant_basis = true;
};

struct InformationGradient {
  Matrix x, y;  // n x r, n x s
};

// Of row i of x with row i of y. The gradient where asked for.
double squared_loss_information(const Matrix& x, const Matrix& y, const InformationModel& model,
                                InformationGradient* gradient = nullptr, const Executor& executor = Executor(1));

// Where sigma and lambda are looked for.
struct InformationGrid {
  std::vector<double> sigmas, lambdas;
};

struct InformationChoice {
  std::size_t sigma = 0, lambda = 0;  // places in the grid
  double held_out = 0.0;              // SMI by the held-out criterion: what 5 folds say of models fitted without them
};

// The choice with the best held-out criterion h'theta - theta'H theta / 2, where theta is fitted without the fold and
// h, H are the fold's own. `order` deals rows to folds in turn. O(n b^2) per sigma, O(b^3) per sigma, lambda and fold.
InformationChoice cross_validated(const Matrix& x, const Matrix& y, const InformationModel& model,
                                  const InformationGrid& grid, const std::vector<Index>& order,
                                  const Executor& executor = Executor(1));

// The median distance of the given rows, x and y taken together: sqrt(|x_i - x_j|^2 + |y_i - y_j|^2). A tenth of the
// root mean square distance where rows repeat so often that it is zero; 1 where all are equal.
double median_joint_distance(const Matrix& x, const Matrix& y, const std::vector<Index>& rows);

}  // namespace cda
