// The energy distance (Szekely and Rizzo),
//
//   D = 2 E|x - y| - E|x - x'| - E|y - y'|  =  2 int (F - G)^2 >= 0,  zero only for equal distributions.
//
// From sorted values in O(n + k): sum_ij |x_i - y_j| = sum_i x_i (#{y < x_i} + #{y <= x_i} - k) + the same for y, and
// within one sample the counts are the ranks. In r dimensions the sliced form is proportional to the energy distance
// of the Euclidean norm, averaged over finitely many directions.
#include "base/part.hpp"
#include "cda/extend/divergence.hpp"

using namespace cda;

namespace {

class Energy : public DivergenceOf<SortedValues> {
 public:
  Cut cut() const override { return Cut::by_value; }

 protected:
  double between(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                 Gradient<SortedValues>* dy) const override {
    const double middle = 0.25 * (x.lowest + x.highest) + 0.25 * (y.lowest + y.highest);
    return half(x, y, middle, dx) + half(y, x, middle, dy);
  }

 private:
  // The terms in which `a` stands in front: linear in a with these slopes, which are also the derivatives.
  static double half(const SortedValues& of_a, const SortedValues& of_b, double middle,
                     Gradient<SortedValues>* derivative) {
    const Vector &a = of_a.values, &b = of_b.values;
    const auto n = static_cast<double>(of_a.total), k = static_cast<double>(of_b.total);
    double total = 0.0;
    Index below = 0, not_above = 0, own_below = 0, own_not_above = 0;
    for (Index i = 0; i < a.size(); ++i) {
      while (below < b.size() && b[below] < a[i]) ++below;
      while (not_above < b.size() && b[not_above] <= a[i]) ++not_above;
      while (own_below < a.size() && a[own_below] < a[i]) ++own_below;
      while (own_not_above < a.size() && a[own_not_above] <= a[i]) ++own_not_above;
      const double across = (static_cast<double>(2 * of_b.first + below + not_above) - k) / (n * k);
      const double within = (static_cast<double>(2 * of_a.first + own_below + own_not_above) - n) / (n * n);
      const double slope = 2.0 * (across - within);
      total += slope * (a[i] - middle);
      if (derivative != nullptr) derivative->values[i] = slope;
    }
    return total;
  }
};

}  // namespace

CDA_PART(Divergence, energy) {
  return {.info = {.name = {},
                   .summary = "energy distance 2E|x - y| - E|x - x'| - E|y - y'|",
                   .reference = "Szekely and Rizzo 2013",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Divergence> { return std::make_unique<Energy>(); }};
}
