// The squared maximum mean discrepancy with Gaussian kernels of several widths,
//
//   D = E k(x, x') + E k(y, y') - 2 E k(x, y),   k(d) = mean over widths s of exp(-d^2 / (2 s^2)),
//
// as a sum over frequencies: D = (1/2 pi) int K(w) |a - b|^2 dw, K(w) = mean of s sqrt(2 pi) exp(-s^2 w^2 / 2), with a,
// b the empirical characteristic functions. All pairs of rows in O(M (n + k)). Widths are the bandwidth times 1/2, 1, 2
// (octaves = 3), so that one unlucky choice matters less.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/part.hpp"
#include "cda/extend/divergence.hpp"
#include "divergence/bandwidth.hpp"
#include "divergence/frequency_grid.hpp"

using namespace cda;

namespace {

class MeanDiscrepancy : public DivergenceOf<FourierSums> {
 public:
  MeanDiscrepancy(Index octaves, BandwidthRule rule) : octaves_(octaves), rule_(rule) {}

  bool needs_tuning() const override { return width_ == 0.0; }

  std::unique_ptr<Divergence> tuned(const Projection& x, const Projection& y, std::uint64_t) const override {
    auto fixed = std::make_unique<MeanDiscrepancy>(*this);
    // One kernel for all three terms: where the rule gives each side its own, their mean.
    const Bandwidths widths = rule_.choose(x, y);
    fixed->width_ = 0.5 * (widths.of_x(x.total_scale()) + widths.of_y(y.total_scale()));
    return fixed;
  }

 protected:
  FrequencyGrid grid(const Extent& extent) const override {
    return frequency_grid(extent.lowest, extent.highest, width(0), width(octaves_ - 1));
  }

  double between(const FourierSums& x, const FourierSums& y, Gradient<FourierSums>* dx,
                 Gradient<FourierSums>* dy) const override {
    double total = 0.0;
    for (Index q = 0; q < x.grid.count; ++q) {
      const double weight = frequency_weight(x.grid, q) * kernel(static_cast<double>(q) * x.grid.step);
      const std::complex<double> gap = x.at[q] - y.at[q];
      total += weight * std::norm(gap);
      if (dx == nullptr) continue;
      dx->at[q] = 2.0 * weight * gap;
      dy->at[q] = -2.0 * weight * gap;
    }
    return total;
  }

 private:
  double width(Index octave) const {
    return width_ * std::exp2(static_cast<double>(octave) - 0.5 * static_cast<double>(octaves_ - 1));
  }
  double kernel(double w) const {
    double sum = 0.0;
    for (Index octave = 0; octave < octaves_; ++octave) {
      const double s = width(octave);
      sum += s * std::exp(-0.5 * s * s * w * w);
    }
    return sum * std::sqrt(2.0 * std::numbers::pi) / static_cast<double>(octaves_);
  }

  Index octaves_;
  BandwidthRule rule_;
  double width_ = 0.0;
};

}  // namespace

CDA_PART(Divergence, mmd) {
  return {.info = {.name = {},
                   .summary = "squared maximum mean discrepancy with Gaussian kernels of several widths",
                   .reference = "Gretton et al. 2012",
                   .options = {bandwidth_option("median"),
                               {"octaves", "3", "how many kernel widths, each twice the one before"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Divergence> {
            return std::make_unique<MeanDiscrepancy>(settings.count("octaves", 1, 9),
                                                     BandwidthRule(settings.text("bandwidth")));
          }};
}
