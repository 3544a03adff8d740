#include "cda/projection.hpp"

namespace cda {

Projection::Projection(const Sample& sample, Matrix directions, Vector scales)
    : sample_(&sample), directions_(std::move(directions)), scales_(std::move(scales)) {
  d_directions_.setZero(directions_.rows(), directions_.cols());
  d_scales_.setZero(scales_.size());
}

const Matrix& Projection::values() const {
  const Index rows = sample_->rows().rows();
  if (values_.size() == 0) {
    const Matrix scaled = directions_ * scales_.asDiagonal();
    values_.resize(rows, dimension());
    sample_->count_pass();
    sample_->executor().for_rows(rows, [&](Index begin, Index end) {
      values_.middleRows(begin, end - begin).noalias() = sample_->rows().middleRows(begin, end - begin) * scaled;
    });
  }
  return values_;
}

void Projection::add_gradient(const Matrix& d_directions, const Vector& d_scales) {
  d_directions_ += d_directions;
  d_scales_ += d_scales;
}

// values = rows * directions * diag(scales), so with P = rows' d_values: d directions = P diag(scales), d scale_j =
// directions_j' P_j.
void Projection::add_value_gradient(const Matrix& d_values) {
  const Matrix zero = Matrix::Zero(sample_->dimension(), dimension());
  sample_->count_pass();
  const Matrix back = sample_->executor().sum_rows(d_values.rows(), zero, [&](Index begin, Index end, Matrix& part) {
    part.noalias() +=
        sample_->rows().middleRows(begin, end - begin).transpose() * d_values.middleRows(begin, end - begin);
  });
  d_directions_ += back * scales_.asDiagonal();
  d_scales_ += (directions_.cwiseProduct(back)).colwise().sum().transpose();
}

void Projection::add_total_scale_gradient(double d_total_scale) { d_scales_.array() += d_total_scale; }

}  // namespace cda
