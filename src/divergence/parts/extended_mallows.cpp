// The paper's extended Mallows distance, divided by its number of terms:
//
//   D = (1/nk) sum_ij |x_i - y_j|^t                                                                  t >= 1
//
// It is the cost of the independent coupling, not of the best one. For t = 2,
//
//   D = Var x + Var y + (mean x - mean y)^2,
//
// so D(p, p) = 2 Var p > 0: minimising it finds directions of small variance with equal means, and on whitened data it
// is constant. Costs: t = 2 from moments, independent of n; whole t up to 8 from sorted values and prefix sums of
// powers, O(n log n); any other t by the plain double sum, O(nk) time and no array.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/part.hpp"
#include "cda/extend/divergence.hpp"

using namespace cda;

namespace {

class MeanSquare : public DivergenceOf<Moments> {
 public:
  bool zero_on_itself() const override { return false; }

  // [Sx + mx mx', -s mx my'; -s my mx', s^2 (Sy + my my')].
  std::optional<Matrix> quadratic_form(const Sample& x, const Sample& y, double scale) const override {
    const Index p = x.dimension(), q = y.dimension();
    Matrix form(p + q, p + q);
    form.topLeftCorner(p, p) = x.covariance() + x.mean() * x.mean().transpose();
    form.bottomRightCorner(q, q) = scale * scale * (y.covariance() + y.mean() * y.mean().transpose());
    form.topRightCorner(p, q) = -scale * x.mean() * y.mean().transpose();
    form.bottomLeftCorner(q, p) = form.topRightCorner(p, q).transpose();
    return form;
  }

 protected:
  double between(const Moments& x, const Moments& y, Gradient<Moments>* dx, Gradient<Moments>* dy) const override {
    const Vector gap = x.mean - y.mean;
    if (dx != nullptr) {
      dx->mean = 2.0 * gap;
      dy->mean = -2.0 * gap;
      dx->covariance.diagonal().setOnes();
      dy->covariance.diagonal().setOnes();
    }
    return x.covariance.trace() + y.covariance.trace() + gap.squaredNorm();
  }
};

class MeanPower : public DivergenceOf<SortedValues> {
 public:
  explicit MeanPower(double order) : order_(order) {}
  bool zero_on_itself() const override { return false; }

 protected:
  double between(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                 Gradient<SortedValues>* dy) const override {
    const bool whole = order_ == std::floor(order_) && order_ <= largest_order;
    return whole ? from_prefix_sums(x.values, y.values, dx, dy) : from_double_sum(x.values, y.values, dx, dy);
  }

 private:
  static constexpr int largest_order = 8;
  using Powers = std::array<double, largest_order + 1>;

  // Sums of the powers 0..order of the first j values, for every j.
  static std::vector<Powers> prefix_sums(const Vector& values, int order) {
    std::vector<Powers> sums(static_cast<std::size_t>(values.size()) + 1, Powers{});
    for (Index j = 0; j < values.size(); ++j) {
      double power = 1.0;
      const auto row = static_cast<std::size_t>(j);
      for (int a = 0; a <= order; ++a, power *= values[j])
        sums[row + 1][static_cast<std::size_t>(a)] = sums[row][static_cast<std::size_t>(a)] + power;
    }
    return sums;
  }

  // sum_j sign(a - b_j)^t (a - b_j)^power over all b_j != a, by the binomial theorem on the sums below and above a.
  static double power_sum(double a, int power, bool odd, const Powers& below, const Powers& not_above,
                          const Powers& all) {
    double sum = 0.0, binomial = 1.0;
    for (int c = 0; c <= power; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const double above = all[at] - not_above[at];
      const double signed_sum = below[at] + (odd ? -above : above);
      sum += (c % 2 == 0 ? 1.0 : -1.0) * binomial * std::pow(a, power - c) * signed_sum;
      binomial *= static_cast<double>(power - c) / static_cast<double>(c + 1);
    }
    return sum;
  }

  double from_prefix_sums(const Vector& x, const Vector& y, Gradient<SortedValues>* dx,
                          Gradient<SortedValues>* dy) const {
    // Powers of values far from zero cancel: compare about the common middle, in units of the common range.
    const double lowest = std::min(x[0], y[0]), highest = std::max(x[x.size() - 1], y[y.size() - 1]);
    const double middle = 0.5 * (lowest + highest), unit = highest > lowest ? 0.5 * (highest - lowest) : 1.0;
    const Vector xs = (x.array() - middle) / unit, ys = (y.array() - middle) / unit;
    const int order = static_cast<int>(order_);
    const bool odd = order % 2 == 1;
    const double terms = static_cast<double>(x.size()) * static_cast<double>(y.size());

    // One walk gives the value and the derivatives of the side walked along.
    const auto walk = [&](const Vector& a, const Vector& b, Vector* derivative) {
      const std::vector<Powers> sums = prefix_sums(b, order);
      double total = 0.0;
      std::size_t below = 0, not_above = 0;
      const auto size = static_cast<std::size_t>(b.size());
      for (Index i = 0; i < a.size(); ++i) {
        while (below < size && b[static_cast<Index>(below)] < a[i]) ++below;
        while (not_above < size && b[static_cast<Index>(not_above)] <= a[i]) ++not_above;
        total += power_sum(a[i], order, odd, sums[below], sums[not_above], sums[size]);
        if (derivative != nullptr)
          (*derivative)[i] = order_ * std::pow(unit, order - 1) / terms *
                             power_sum(a[i], order - 1, odd, sums[below], sums[not_above], sums[size]);
      }
      return total;
    };
    if (dx != nullptr) walk(ys, xs, &dy->values);
    return walk(xs, ys, dx != nullptr ? &dx->values : nullptr) * std::pow(unit, order) / terms;
  }

  double from_double_sum(const Vector& x, const Vector& y, Gradient<SortedValues>* dx,
                         Gradient<SortedValues>* dy) const {
    const double terms = static_cast<double>(x.size()) * static_cast<double>(y.size());
    double total = 0.0;
    for (Index i = 0; i < x.size(); ++i) {
      double row = 0.0;
      for (Index j = 0; j < y.size(); ++j) {
        const double gap = x[i] - y[j];
        const double power = std::pow(std::abs(gap), order_ - 1.0);
        row += power * std::abs(gap);
        if (dx == nullptr || gap == 0.0) continue;
        const double slope = order_ * std::copysign(power, gap) / terms;
        dx->values[i] += slope;
        dy->values[j] -= slope;
      }
      total += row;
    }
    return total / terms;
  }

  double order_;
};

}  // namespace

CDA_PART(Divergence, extended_mallows) {
  return {.info = {.name = {},
                   .summary = "mean of |x - y|^t over all pairs of values (not zero on itself: small variances win)",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, section 4.1",
                   .options = {{"order", "2", "the power t, from 1 to 20"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Divergence> {
            const double order = settings.number("order", 1.0, 20.0);
            if (order == 2.0) return std::make_unique<MeanSquare>();
            return std::make_unique<MeanPower>(order);
          }};
}
