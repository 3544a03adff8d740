#include "divergence/observe.hpp"

namespace cda {

// mean = B U'm, covariance = B U'SU B with B = diag(scales): p x p work, no pass over the rows unless they are few.
Moments observe_moments(const Projection& projection) {
  const Sample& sample = projection.sample();
  const Matrix scaled = projection.directions() * projection.scales().asDiagonal();
  return {scaled.transpose() * sample.mean(), sample.covariance_of(scaled)};
}

void pull_back(const Gradient<Moments>& gradient, Projection& projection) {
  const Sample& sample = projection.sample();
  const Matrix& directions = projection.directions();
  const auto scales = projection.scales().asDiagonal();
  const Matrix symmetric = gradient.covariance + gradient.covariance.transpose();
  // With respect to the scaled directions, then on to directions and scales.
  const Matrix d_scaled = sample.mean() * gradient.mean.transpose() + sample.spread(directions * scales) * symmetric;
  projection.add_gradient(d_scaled * scales, directions.cwiseProduct(d_scaled).colwise().sum().transpose());
}

Vector pull_back(const Gradient<SortedValues>& gradient, const RowNumbers& order, const Executor& executor) {
  Vector d_values(gradient.values.size());
  executor.for_rows(order.size(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) d_values[order[i]] = gradient.values[i];
  });
  return d_values;
}

}  // namespace cda
