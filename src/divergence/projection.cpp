#include "cda/extend/projection.hpp"

#include <cmath>

namespace cda {
namespace {

Matrix projected(const Sample& sample, const Matrix& directions) {  // one pass over the rows
  Matrix values(sample.rows().rows(), directions.cols());
  sample.count_pass();
  sample.executor().for_rows(values.rows(), [&](Index begin, Index end) {
    values.middleRows(begin, end - begin).noalias() = sample.rows().middleRows(begin, end - begin) * directions;
  });
  return values;
}

// direction = a u + b w up to rounding, where it lies in their plane.
std::optional<std::pair<double, double>> within_plane(const Vector& direction, const Vector& u, const Vector& w) {
  constexpr double rounding = 1e-14;
  // What is left of both once u is taken out: of directions that hardly differ that is little, and has to be exact.
  const double length = u.norm(), along = u.dot(w) / (length * length),
               along_too = u.dot(direction) / (length * length);
  const Vector across = w - along * u, across_too = direction - along_too * u;
  const double width = across.norm();
  if (!(length > 0.0) || !(width > rounding * w.norm())) return std::nullopt;
  const double b = across.dot(across_too) / (width * width);
  const double a = along_too - b * along;
  if ((direction - a * u - b * w).norm() > rounding * direction.norm()) return std::nullopt;
  return std::pair{a, b};
}

}  // namespace

std::shared_ptr<const Matrix> ProjectionMemory::values(const Sample& sample, const Matrix& direction) {
  constexpr std::size_t kept = 3;  // where a line begins, and two trials on it
  if (const Seen* known = same(direction.col(0))) return known->values;
  std::optional<Seen> next = combined(sample, direction.col(0));
  if (!next) next = Seen{direction.col(0), std::make_shared<const Matrix>(projected(sample, direction)), 1.0};
  if (seen_.size() == kept) seen_.pop_front();
  seen_.push_back(std::move(*next));
  return seen_.back().values;
}

const ProjectionMemory::Seen* ProjectionMemory::same(const Vector& direction) const {
  for (const Seen& each : seen_)
    if (each.direction == direction) return &each;
  return nullptr;
}

// From the two that lose the fewest digits, if they do not lose too many.
std::optional<ProjectionMemory::Seen> ProjectionMemory::combined(const Sample& sample, const Vector& direction) const {
  double roundings = 300.0;
  const Seen *first = nullptr, *second = nullptr;
  std::pair<double, double> weights;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (std::size_t j = i + 1; j < seen_.size(); ++j) {
      const auto found = within_plane(direction, seen_[i].direction, seen_[j].direction);
      if (!found) continue;
      const double lost =
          1.0 + std::abs(found->first) * seen_[i].roundings + std::abs(found->second) * seen_[j].roundings;
      if (!(lost < roundings)) continue;
      roundings = lost;
      first = &seen_[i];
      second = &seen_[j];
      weights = *found;
    }
  }
  if (first == nullptr) return std::nullopt;
  Matrix values(first->values->rows(), 1);
  sample.executor().for_rows(values.rows(), [&](Index begin, Index end) {
    values.middleRows(begin, end - begin) = weights.first * first->values->middleRows(begin, end - begin) +
                                            weights.second * second->values->middleRows(begin, end - begin);
  });
  return Seen{direction, std::make_shared<const Matrix>(std::move(values)), roundings};
}

Projection::Projection(const Sample& sample, Matrix directions, Vector scales, ProjectionMemory* memory)
    : sample_(&sample), directions_(std::move(directions)), scales_(std::move(scales)), memory_(memory) {
  d_directions_.setZero(directions_.rows(), directions_.cols());
  d_scales_.setZero(scales_.size());
}

const Matrix& Projection::values() const {
  if (values_ != nullptr) return *values_;
  if (memory_ == nullptr || dimension() != 1) {
    values_ = std::make_shared<const Matrix>(projected(*sample_, directions_ * scales_.asDiagonal()));
  } else {
    values_ = memory_->values(*sample_, directions_);
    if (scales_[0] != 1.0) values_ = std::make_shared<const Matrix>(scales_[0] * *values_);
  }
  return *values_;
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
