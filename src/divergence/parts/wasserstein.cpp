// The exact t-th power of the Wasserstein (Mallows) distance in one dimension,
//
//   W = int_0^1 |F^-1(s) - G^-1(s)|^t ds,
//
// for any n and k: both quantile functions are step functions, and the steps are merged in whole numbers of 1/(nk), so
// that no mass is lost to rounding. dW/dx_(i) = sum over its steps of w t |d|^(t-1) sign d, with the order held fixed.
// W is a minimum over couplings of smooth functions: continuous, with concave kinks where the order changes. The power
// is returned, not its root, whose slope at 0 is infinite. O(n log n) for the sorting, then O(n + k).
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/part.hpp"
#include "cda/extend/divergence.hpp"

using namespace cda;

namespace {

class Wasserstein : public DivergenceOf<SortedValues> {
 public:
  explicit Wasserstein(double order) : order_(order) {}
  Cut cut() const override { return Cut::by_mass; }

 protected:
  double between(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                 Gradient<SortedValues>* dy) const override {
    const std::int64_t n = x.total, k = y.total, end = x.first + x.values.size();
    const double unit = 1.0 / (static_cast<double>(n) * static_cast<double>(k));
    double total = 0.0;
    std::int64_t i = x.first, j = y.first, reached = i * k;
    while (i < end && j < k) {
      const std::int64_t next = std::min((i + 1) * k, (j + 1) * n);
      const double mass = static_cast<double>(next - reached) * unit;
      const double gap = x.values[i - x.first] - y.values[j - y.first];
      total += mass * power(gap);
      if (dx != nullptr) {
        const double slope = mass * power_slope(gap);
        dx->values[i - x.first] += slope;
        dy->values[j - y.first] -= slope;
      }
      // Equal ends share one step of both quantile functions, so advance both (else mass is counted twice).
      const bool x_ends = next == (i + 1) * k, y_ends = next == (j + 1) * n;
      if (x_ends) ++i;
      if (y_ends) ++j;
      reached = next;
    }
    return total;
  }

 private:
  double power(double gap) const { return order_ == 2.0 ? gap * gap : std::pow(std::abs(gap), order_); }
  double power_slope(double gap) const {
    if (gap == 0.0) return 0.0;
    return order_ == 2.0 ? 2.0 * gap : std::copysign(order_ * std::pow(std::abs(gap), order_ - 1.0), gap);
  }

  double order_;
};

}  // namespace

CDA_PART(Divergence, wasserstein) {
  return {.info = {.name = {},
                   .summary = "exact t-th power of the Wasserstein distance (sliced in more than one dimension)",
                   .reference = "Levina and Bickel 2001; the Mallows distance the paper starts from",
                   .options = {{"order", "2", "the power t, from 1 to 20"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Divergence> {
            return std::make_unique<Wasserstein>(settings.number("order", 1.0, 20.0));
          }};
}
