// Gaussian kernels of a block of points about centres, and the sums by which a gradient flows back through them:
//
//   K_ac = exp(-|z_a - c_c|^2 / (2 sigma^2)),    d/dz_a sum W K = sum_c W_ac K_ac (c_c - z_a) / sigma^2
//
// Both go through a block column by column, each near the processor, with the same bits on any: O(rows centres r).
#pragma once

#include "cda/types.hpp"

namespace cda {

// points rows x r, centres b x r; fills rows x b. Differences are squared one by one: by way of products, digits would
// be lost where rows lie far from zero.
void gaussian_kernels(const Eigen::Ref<const Matrix>& points, const Matrix& centres, double sigma,
                      Eigen::Ref<Matrix> kernels);

// What weights W o K (rows x b) say of points and centres.
struct KernelSums {
  Vector by_row;     // rows: W o K 1
  Vector by_centre;  // b
  Matrix toward;     // rows x r: (W o K) centres
  Matrix across;     // b x r: (W o K)' points
};
KernelSums kernel_sums(const Matrix& weighted, const Matrix& points, const Matrix& centres);

}  // namespace cda
