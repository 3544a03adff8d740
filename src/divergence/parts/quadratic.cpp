// The quadratic measure int (p - q)^2 of two Gaussian kernel density estimates with bandwidths s_x, s_y.
// With a, b the empirical characteristic functions and K_s(w) = exp(-s^2 w^2 / 2):
//
//   exact   D = (1/2 pi) int |K_x a - K_y b|^2                       >= 0, the integral itself
//   paper   D = (1/2 pi) int Re[(a - b) conj(K_x a - K_y b)]         resubstitution; negative values occur for s_x !=
//   s_y
//
// Both equal the double sums over pairs of rows; summed over frequencies they cost O(M (n + k)) and need no pairs.
// With one bandwidth s, paper(s) = exact(s / sqrt 2).
//   exact:  dD/da = 2 g K_x d, dD/db = -2 g K_y d, d = K_x a - K_y b, g the weight of the frequency
//   paper:  dD/da = g (d + K_x (a - b)), dD/db = -g (d + K_y (a - b))
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/part.hpp"
#include "cda/extend/divergence.hpp"
#include "divergence/bandwidth.hpp"
#include "divergence/frequency_grid.hpp"

using namespace cda;

namespace {

class Quadratic : public DivergenceOf<FourierSums> {
 public:
  Quadratic(bool exact, BandwidthRule rule) : exact_(exact), rule_(rule) {}

  bool needs_tuning() const override { return !widths_.known(); }
  // Two estimates of one density with different bandwidths differ.
  bool zero_on_itself() const override { return rule_.common(); }

  std::unique_ptr<Divergence> tuned(const Projection& x, const Projection& y, std::uint64_t) const override {
    auto fixed = std::make_unique<Quadratic>(*this);
    fixed->widths_ = rule_.choose(x, y);
    return fixed;
  }

 protected:
  FrequencyGrid grid(const Extent& extent) const override {
    const double sx = widths_.of_x(extent.x_total_scale), sy = widths_.of_y(extent.y_total_scale);
    const double factor = exact_ ? std::numbers::sqrt2 : 1.0;  // the exact integral smooths each side once more
    return frequency_grid(extent.lowest, extent.highest, factor * std::min(sx, sy), factor * std::max(sx, sy));
  }

  double between(const FourierSums& x, const FourierSums& y, Gradient<FourierSums>* dx,
                 Gradient<FourierSums>* dy) const override {
    const double sx = widths_.of_x(x.total_scale), sy = widths_.of_y(y.total_scale);
    double total = 0.0, d_sx = 0.0, d_sy = 0.0;
    for (Index q = 0; q < x.grid.count; ++q) {
      const double w = static_cast<double>(q) * x.grid.step, g = frequency_weight(x.grid, q);
      const double kx = std::exp(-0.5 * sx * sx * w * w), ky = std::exp(-0.5 * sy * sy * w * w);
      const std::complex<double> a = x.at[q], b = y.at[q], smooth = kx * a - ky * b, plain = a - b;
      const std::complex<double> partner = exact_ ? smooth : plain;
      total += g * (partner * std::conj(smooth)).real();
      if (dx == nullptr) continue;
      dx->at[q] = exact_ ? 2.0 * g * kx * smooth : g * (smooth + kx * plain);
      dy->at[q] = exact_ ? -2.0 * g * ky * smooth : -g * (smooth + ky * plain);
      const double through = (exact_ ? 2.0 : 1.0) * g;
      d_sx += through * (std::conj(partner) * a).real() * (-sx * w * w * kx);
      d_sy += through * (std::conj(partner) * b).real() * (sy * w * w * ky);
    }
    if (dx != nullptr && widths_.follow_scale) {
      dx->total_scale = d_sx * widths_.x;
      dy->total_scale = d_sy * widths_.y;
    }
    return total;
  }

 private:
  bool exact_;
  BandwidthRule rule_;
  Bandwidths widths_;
};

}  // namespace

CDA_PART(Divergence, quadratic) {
  return {.info = {.name = {},
                   .summary = "integrated squared difference of two kernel density estimates",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, section 4.2; Rao 1985",
                   .options = {{"estimator", "exact", "exact: the integral; paper: the resubstitution estimate"},
                               bandwidth_option("median")}},
          .make = [](const Settings& settings) -> std::unique_ptr<Divergence> {
            const bool exact = settings.choice("estimator", {"exact", "paper"}) == "exact";
            return std::make_unique<Quadratic>(exact, BandwidthRule(settings.text("bandwidth")));
          }};
}
