// What a plan spends its time with: columns of single numbers, eight side by side. Sums are added up in eight lanes and
// in an order of their own, which is the same on every processor.
#pragma once

#include <Eigen/Core>

#include "cda/types.hpp"

namespace cda {

using FloatMatrix = Eigen::MatrixXf;
using FloatVector = Eigen::VectorXf;

float dot(const float* a, const float* b, Index count);

// to += factor * column
void add_scaled(float factor, const float* column, float* to, Index count);

// The same for a few columns at a time, of which a matrix has `first` to `first + count`, at most `together`: so the
// other vector is read once for all of them. dots[c] = column c * with; to += sum_c factors[c] column c.
constexpr Index together = 4;
void column_dots(const FloatMatrix& columns, Index first, Index count, const FloatVector& with, float* dots);
void add_columns(const FloatMatrix& columns, Index first, Index count, const float* factors, FloatVector& to);

// The sums of mass * column and of mass * column^2.
struct WeightedMoments {
  float sum = 0.0F, square = 0.0F;
};
WeightedMoments weighted_moments(const float* column, const float* mass, Index count);

// most[i] = max(most[i], column[i])
void raise_to(const float* column, float* most, Index count);

// The largest of scale * column - shift.
float largest_difference(float scale, const float* column, const float* shift, Index count);

// out = exp(scale * column - shift - further) to within two units in the last place, and exp(-80) where it would be
// less: as good as none, and still an ordinary number. The exponents are at most 80.
void exponentials(float scale, const float* column, const float* shift, float further, float* out, Index count);

// a * b. For products of few columns, or with few columns.
FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b);

}  // namespace cda
