// How a divergence written on a statistic is evaluated on two projections: take the statistic on both sides, let the
// author compare, send the gradients back. One-dimensional statistics of r-dimensional projections are averaged over
// fixed unit directions of that space (slices); one pass over the rows carries all their gradients back.
#include "cda/divergence.hpp"

#include "cda/random.hpp"
#include "foundation/linear_algebra.hpp"
#include "projection/observe.hpp"

namespace cda {
namespace {

// Directions in r dimensions: random frames, so that every coordinate counts the same. At least 32, fixed for ever.
Matrix slice_directions(Index dimension) {
  if (dimension == 1) return Matrix::Ones(1, 1);
  Random random(0, "slices");
  const Index frames = (32 + dimension - 1) / dimension;
  Matrix slices(dimension, frames * dimension);
  for (Index frame = 0; frame < frames; ++frame)
    slices.middleCols(frame * dimension, dimension) = orthonormal_frame(random.normals(dimension, dimension));
  return slices;
}

// Calls compare(values of x, values of y, their gradients) for every slice; it returns the value and fills the
// gradients where they are not null.
template <class Compare>
double average_over_slices(Projection& x, Projection& y, bool with_gradient, const Compare& compare) {
  const Matrix slices = slice_directions(x.dimension());
  const double share = 1.0 / static_cast<double>(slices.cols());
  Matrix d_x, d_y;
  if (with_gradient) {
    d_x.setZero(x.size(), x.dimension());
    d_y.setZero(y.size(), y.dimension());
  }
  double total = 0.0;
  for (Index s = 0; s < slices.cols(); ++s) {
    const Vector x_values = x.values() * slices.col(s), y_values = y.values() * slices.col(s);
    Vector d_x_values, d_y_values;
    total += share *
             compare(x_values, y_values, with_gradient ? &d_x_values : nullptr, with_gradient ? &d_y_values : nullptr);
    if (!with_gradient) continue;
    d_x.noalias() += share * d_x_values * slices.col(s).transpose();
    d_y.noalias() += share * d_y_values * slices.col(s).transpose();
  }
  if (with_gradient) {
    x.add_value_gradient(d_x);
    y.add_value_gradient(d_y);
  }
  return total;
}

}  // namespace

std::unique_ptr<Divergence> Divergence::tuned(const Projection&, const Projection&, std::uint64_t) const {
  return nullptr;
}

std::optional<Matrix> Divergence::quadratic_form(const Sample&, const Sample&, double) const { return std::nullopt; }

template <>
double DivergenceOf<Moments>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  const Moments of_x = observe_moments(x), of_y = observe_moments(y);
  if (!with_gradient) return between(of_x, of_y, nullptr, nullptr);
  const Index r = x.dimension();
  Gradient<Moments> dx{Vector::Zero(r), Matrix::Zero(r, r)}, dy = dx;
  const double value = between(of_x, of_y, &dx, &dy);
  pull_back(dx, x);
  pull_back(dy, y);
  return value;
}

template <>
double DivergenceOf<SortedValues>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  return average_over_slices(
      x, y, with_gradient, [&](const Vector& x_values, const Vector& y_values, Vector* d_x, Vector* d_y) {
        constexpr Index worth_a_thread = 20000;
        Sorted of_x, of_y;
        const auto sort_side = [&](Index side) {
          side == 0 ? of_x = sort_values(x_values) : of_y = sort_values(y_values);
        };
        const bool both_long = std::min(x_values.size(), y_values.size()) >= worth_a_thread;
        (both_long ? x.sample().executor() : Executor(1)).for_each(2, sort_side);
        if (d_x == nullptr) return between(of_x.values, of_y.values, nullptr, nullptr);
        Gradient<SortedValues> dx{Vector::Zero(x_values.size())}, dy{Vector::Zero(y_values.size())};
        const double value = between(of_x.values, of_y.values, &dx, &dy);
        *d_x = pull_back(dx, of_x.order);
        *d_y = pull_back(dy, of_y.order);
        return value;
      });
}

double DivergenceOf<FourierSums>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  double d_x_scale = 0.0, d_y_scale = 0.0;
  Index slices = 0;
  const double value = average_over_slices(
      x, y, with_gradient, [&](const Vector& x_values, const Vector& y_values, Vector* d_x, Vector* d_y) {
        const Extent extent{std::min(x_values.minCoeff(), y_values.minCoeff()),
                            std::max(x_values.maxCoeff(), y_values.maxCoeff()), x.total_scale(), y.total_scale()};
        const FrequencyGrid common = grid(extent);
        const Executor& x_executor = x.sample().executor();
        const Executor& y_executor = y.sample().executor();
        const FourierSums of_x{common, fourier_sums(x_values, common, x_executor), x.total_scale()};
        const FourierSums of_y{common, fourier_sums(y_values, common, y_executor), y.total_scale()};
        if (d_x == nullptr) return between(of_x, of_y, nullptr, nullptr);
        Gradient<FourierSums> dx{ComplexVector::Zero(common.count), 0.0}, dy = dx;
        const double sliced = between(of_x, of_y, &dx, &dy);
        *d_x = pull_back(dx, x_values, common, x_executor);
        *d_y = pull_back(dy, y_values, common, y_executor);
        d_x_scale += dx.total_scale;
        d_y_scale += dy.total_scale;
        ++slices;
        return sliced;
      });
  if (with_gradient) {
    x.add_total_scale_gradient(d_x_scale / static_cast<double>(slices));
    y.add_total_scale_gradient(d_y_scale / static_cast<double>(slices));
  }
  return value;
}

template <>
double DivergenceOf<Samples>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  const Samples of_x{&x.values(), &x.sample().executor(), x.total_scale()};
  const Samples of_y{&y.values(), &y.sample().executor(), y.total_scale()};
  if (!with_gradient) return between(of_x, of_y, nullptr, nullptr);
  Gradient<Samples> dx{Matrix::Zero(x.size(), x.dimension()), 0.0}, dy{Matrix::Zero(y.size(), y.dimension()), 0.0};
  const double value = between(of_x, of_y, &dx, &dy);
  x.add_value_gradient(dx.values);
  y.add_value_gradient(dy.values);
  x.add_total_scale_gradient(dx.total_scale);
  y.add_total_scale_gradient(dy.total_scale);
  return value;
}

}  // namespace cda
