// How a divergence written on a statistic is evaluated on two projections: take the statistic on both sides, let the
// author compare, send the gradients back. One-dimensional statistics of r-dimensional projections are averaged over
// fixed unit directions of that space (slices); one pass over the rows carries all their gradients back.
#include "cda/extend/divergence.hpp"

#include "base/linear_algebra.hpp"
#include "base/over_ranks.hpp"
#include "cda/extend/random.hpp"
#include "cda/extend/values.hpp"
#include "divergence/observe.hpp"
#include "divergence/sorted_parts.hpp"

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

using Values = Eigen::Ref<const Vector>;

// Where gradients with respect to the values of both samples go; null where none are wanted.
struct Slopes {
  Matrix* x;  // n x r
  Matrix* y;  // k x r
};

// Calls compare(values of x, values of y, their gradients) for every slice; it returns the value and fills the
// gradients where they are not null.
template <class Compare>
double average_over_slices(const Matrix& x, const Matrix& y, const Slopes& slopes, const Compare& compare) {
  const bool with_gradient = slopes.x != nullptr;
  if (x.cols() == 1) {
    Vector d_x, d_y;
    const double value = compare(x.col(0), y.col(0), with_gradient ? &d_x : nullptr, with_gradient ? &d_y : nullptr);
    if (with_gradient) {
      *slopes.x = d_x;
      *slopes.y = d_y;
    }
    return value;
  }
  const Matrix slices = slice_directions(x.cols());
  const double share = 1.0 / static_cast<double>(slices.cols());
  if (with_gradient) {
    slopes.x->setZero(x.rows(), x.cols());
    slopes.y->setZero(y.rows(), y.cols());
  }
  double total = 0.0;
  for (Index s = 0; s < slices.cols(); ++s) {
    const Vector x_values = x * slices.col(s), y_values = y * slices.col(s);
    Vector d_x_values, d_y_values;
    total += share *
             compare(x_values, y_values, with_gradient ? &d_x_values : nullptr, with_gradient ? &d_y_values : nullptr);
    if (!with_gradient) continue;
    slopes.x->noalias() += share * d_x_values * slices.col(s).transpose();
    slopes.y->noalias() += share * d_y_values * slices.col(s).transpose();
  }
  return total;
}

// ---- Each statistic of two samples, compared by between(), with the gradients brought back to their values ----

template <class Between>
double compare_sorted(const Matrix& x, const Matrix& y, const Slopes& slopes, const Executor& executor, SortedCut cut,
                      const Between& between) {
  return average_over_slices(x, y, slopes,
                             [&](const Values& x_values, const Values& y_values, Vector* d_x, Vector* d_y) {
                               return compare_in_parts(x_values, y_values, cut, between, executor, d_x, d_y);
                             });
}

// The sum of all directions' scales, and the derivative with respect to it.
struct TotalScale {
  double x = 1.0, y = 1.0;
  double dx = 0.0, dy = 0.0;
};

template <class Grid, class Between>
double compare_fourier_sums(const Projection& of_x_side, const Projection& of_y_side, const Slopes& slopes,
                            TotalScale& scale, const Grid& grid, const Between& between) {
  const Matrix &x = of_x_side.values(), &y = of_y_side.values();
  const Executor &x_executor = of_x_side.sample().executor(), &y_executor = of_y_side.sample().executor();
  const Index n = of_x_side.size(), k = of_y_side.size();
  Index slices = 0;
  const double value =
      average_over_slices(x, y, slopes, [&](const Values& x_values, const Values& y_values, Vector* d_x, Vector* d_y) {
        const Range x_range = range_of(x_values, x_executor), y_range = range_of(y_values, y_executor);
        const FrequencyGrid common =
            grid(std::min(x_range.lowest, y_range.lowest), std::max(x_range.highest, y_range.highest));
        const FourierSums of_x{common, fourier_sums(x_values, n, common, x_executor), scale.x};
        const FourierSums of_y{common, fourier_sums(y_values, k, common, y_executor), scale.y};
        if (d_x == nullptr) return between(of_x, of_y, nullptr, nullptr);
        Gradient<FourierSums> dx{ComplexVector::Zero(common.count), 0.0}, dy = dx;
        const double sliced = between(of_x, of_y, &dx, &dy);
        *d_x = pull_back(dx, x_values, n, common, x_executor);
        *d_y = pull_back(dy, y_values, k, common, y_executor);
        scale.dx += dx.total_scale;
        scale.dy += dy.total_scale;
        ++slices;
        return sliced;
      });
  if (slices > 0) {
    scale.dx /= static_cast<double>(slices);
    scale.dy /= static_cast<double>(slices);
  }
  return value;
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

double DivergenceOf<SortedValues>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  Matrix d_x, d_y;
  const Slopes slopes = with_gradient ? Slopes{&d_x, &d_y} : Slopes{};
  const double value = compare_sorted(x.values(), y.values(), slopes, x.sample().executor(), cut(),
                                      [this](const auto&... statistics) { return between(statistics...); });
  if (with_gradient) {
    x.add_value_gradient(d_x);
    y.add_value_gradient(d_y);
  }
  return value;
}

double DivergenceOf<FourierSums>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  Matrix d_x, d_y;
  const Slopes slopes = with_gradient ? Slopes{&d_x, &d_y} : Slopes{};
  TotalScale scale{x.total_scale(), y.total_scale()};
  const double value = compare_fourier_sums(
      x, y, slopes, scale,
      [&](double lowest, double highest) {
        return grid({lowest, highest, scale.x, scale.y});
      },
      [this](const auto&... statistics) { return between(statistics...); });
  if (with_gradient) {
    x.add_value_gradient(d_x);
    y.add_value_gradient(d_y);
    x.add_total_scale_gradient(scale.dx);
    y.add_total_scale_gradient(scale.dy);
  }
  return value;
}

template <>
double DivergenceOf<Samples>::evaluate(Projection& x, Projection& y, bool with_gradient) const {
  if (needs_tuning()) return tuned(x, y, 0)->evaluate(x, y, with_gradient);
  const Samples of_x{&x.values(), &x.sample().executor(), x.total_scale(), x.size()};
  const Samples of_y{&y.values(), &y.sample().executor(), y.total_scale(), y.size()};
  if (!with_gradient) return between(of_x, of_y, nullptr, nullptr);
  Gradient<Samples> dx{Matrix::Zero(x.values().rows(), x.dimension()), 0.0},
      dy{Matrix::Zero(y.values().rows(), y.dimension()), 0.0};
  const double value = between(of_x, of_y, &dx, &dy);
  x.add_value_gradient(dx.values);
  y.add_value_gradient(dy.values);
  x.add_total_scale_gradient(dx.total_scale);
  y.add_total_scale_gradient(dy.total_scale);
  return value;
}

// ---- Samples as they stand ----

namespace {

// A divergence's own comparison, which is for those who derive from it.
template <class Statistic>
struct Open : DivergenceOf<Statistic> {
  static auto comparison_of(const DivergenceOf<Statistic>& divergence) {
    return [&divergence](const auto&... statistics) { return (divergence.*(&Open::between))(statistics...); };
  }
};
struct OpenGrid : DivergenceOf<FourierSums> {
  static auto grid_of(const DivergenceOf<FourierSums>& divergence, const TotalScale& scale) {
    return [&divergence, &scale](double lowest, double highest) {
      return (divergence.*(&OpenGrid::grid))({lowest, highest, scale.x, scale.y});
    };
  }
};

double compare_moments(const Projection& x, const Projection& y, const Slopes& slopes,
                       const DivergenceOf<Moments>& divergence) {
  const Index r = x.dimension();
  Gradient<Moments> dx{Vector::Zero(r), Matrix::Zero(r, r)}, dy = dx;
  const double value = Open<Moments>::comparison_of(divergence)(observe_moments(x), observe_moments(y), &dx, &dy);
  const auto back = [](const Projection& side, const Gradient<Moments>& gradient) -> Matrix {
    const Matrix centred = side.values().rowwise() - side.values().colwise().mean();
    const Matrix by_covariance = centred * (gradient.covariance + gradient.covariance.transpose());
    return (by_covariance.rowwise() + gradient.mean.transpose()) / static_cast<double>(side.size());
  };
  *slopes.x = back(x, dx);
  *slopes.y = back(y, dy);
  return value;
}

double compare_samples(const Projection& x, const Projection& y, const Slopes& slopes,
                       const DivergenceOf<Samples>& divergence) {
  Gradient<Samples> dx{Matrix::Zero(x.values().rows(), x.dimension()), 0.0},
      dy{Matrix::Zero(y.values().rows(), y.dimension()), 0.0};
  const Samples of_x{&x.values(), &x.sample().executor(), x.total_scale(), x.size()};
  const Samples of_y{&y.values(), &y.sample().executor(), y.total_scale(), y.size()};
  const double value = Open<Samples>::comparison_of(divergence)(of_x, of_y, &dx, &dy);
  *slopes.x = std::move(dx.values);
  *slopes.y = std::move(dy.values);
  return value;
}

double compare_values(const Divergence& divergence, const Projection& x, const Projection& y, const Slopes& slopes) {
  if (const auto* on_moments = dynamic_cast<const DivergenceOf<Moments>*>(&divergence))
    return compare_moments(x, y, slopes, *on_moments);
  if (const auto* on_samples = dynamic_cast<const DivergenceOf<Samples>*>(&divergence))
    return compare_samples(x, y, slopes, *on_samples);
  const Executor& executor = x.sample().executor();
  if (const auto* on_sorted = dynamic_cast<const DivergenceOf<SortedValues>*>(&divergence))
    return compare_sorted(x.values(), y.values(), slopes, executor, on_sorted->cut(),
                          Open<SortedValues>::comparison_of(*on_sorted));
  if (const auto* on_sums = dynamic_cast<const DivergenceOf<FourierSums>*>(&divergence)) {
    TotalScale scale{x.total_scale(), y.total_scale()};
    return compare_fourier_sums(x, y, slopes, scale, OpenGrid::grid_of(*on_sums, scale),
                                Open<FourierSums>::comparison_of(*on_sums));
  }
  throw Error(Fault::usage, "divergence.gradient", "this divergence gives no derivative by every value");
}

}  // namespace

double divergence_of_values(const Divergence& divergence, const Matrix& x, const Matrix& y, Matrix* dx, Matrix* dy,
                            const Executor& executor) {
  if (x.cols() != y.cols() || x.size() == 0 || y.size() == 0)
    throw Error(Fault::input, "divergence.shape", "a divergence is between samples of the same number of columns");
  if (!x.allFinite() || !y.allFinite())
    throw Error(Fault::input, "data.not_finite", "a divergence is between samples of finite values");
  const Sample x_sample(x, executor), y_sample(y, executor);
  const auto as_it_stands = [](const Sample& sample) {
    return Projection(sample, Matrix::Identity(sample.dimension(), sample.dimension()),
                      Vector::Ones(sample.dimension()));
  };
  Projection of_x = as_it_stands(x_sample), of_y = as_it_stands(y_sample);
  if (dx == nullptr || dy == nullptr) return divergence.evaluate(of_x, of_y, false);
  const auto decided = divergence.needs_tuning() ? divergence.tuned(of_x, of_y, 0) : nullptr;
  return compare_values(decided ? *decided : divergence, of_x, of_y, {dx, dy});
}

}  // namespace cda
