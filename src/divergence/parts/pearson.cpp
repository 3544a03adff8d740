// The relative Pearson divergence at a = 1/2, estimated by fitting the density ratio (divergence/density_ratio.hpp):
//
//   PE(p || q) = (1/2) int m (p/m - 1)^2,  m = (p + q)/2,   in [0, 1/2], symmetric in the population.
//
// The estimate is not symmetric, so it is taken both ways (centres among x, then among y) and averaged; `combine`
// also offers one way only (half the cost) and the paper's sum. `estimate = regularised` with a constant among the
// basis functions is never negative; `estimate = paper` is the paper's plug-in formula without one.
// Works on r dimensions as they are. O((n + k) b^2) with b centres; in one dimension O((n + k) P) with P ~ 50.
#include <cmath>
#include <numbers>

#include "base/part.hpp"
#include "cda/extend/divergence.hpp"
#include "divergence/bandwidth.hpp"
#include "divergence/density_ratio.hpp"

using namespace cda;

namespace {

enum class Combine { average, sum, single };

class Pearson : public DivergenceOf<Samples> {
 public:
  Pearson(Combine combine, bool paper_estimate, bool constant_basis, Index centres, double lambda, BandwidthRule rule)
      : combine_(combine), most_centres_(centres), lambda_(lambda), rule_(rule) {
    forward_.paper_estimate = backward_.paper_estimate = paper_estimate;
    forward_.constant_basis = backward_.constant_basis = constant_basis;
  }

  bool needs_tuning() const override { return forward_.centres.empty(); }
  bool costly() const override { return true; }
  bool symmetric() const override { return combine_ != Combine::single; }
  // With a constant the fit reaches 0 on equal samples; without one it falls short of it by what lambda costs.
  bool zero_on_itself() const override { return forward_.constant_basis && !forward_.paper_estimate; }

  std::unique_ptr<Divergence> tuned(const Projection& x, const Projection& y, std::uint64_t seed) const override {
    auto fixed = std::make_unique<Pearson>(*this);
    fixed->widths_ = rule_.choose(x, y);
    // Distances are sqrt 2 times as wide as values: the kernel's sigma goes with sqrt(median squared distance / 2).
    if (rule_.median()) {
      fixed->widths_.x /= std::numbers::sqrt2;
      fixed->widths_.y /= std::numbers::sqrt2;
    }
    fixed->forward_.centres = x.sample().choose(most_centres_, seed);
    fixed->backward_.centres = y.sample().choose(most_centres_, seed);
    fixed->forward_.sigma = fixed->widths_.of_x(x.total_scale());
    fixed->backward_.sigma = fixed->widths_.of_y(y.total_scale());
    fixed->forward_.lambda = fixed->backward_.lambda = lambda_;
    if (lambda_ == 0.0) {
      const std::vector<Index> x_rows = x.sample().choose(validation_rows, seed + 1);
      const std::vector<Index> y_rows = y.sample().choose(validation_rows, seed + 1);
      const Samples of_x{&x.values(), &x.sample().executor(), x.total_scale(), x.size()};
      const Samples of_y{&y.values(), &y.sample().executor(), y.total_scale(), y.size()};
      fixed->forward_.lambda = cross_validated_lambda(of_x, x_rows, of_y, y_rows, fixed->forward_);
      fixed->backward_.lambda = cross_validated_lambda(of_y, y_rows, of_x, x_rows, fixed->backward_);
    }
    return fixed;
  }

 protected:
  double between(const Samples& x, const Samples& y, Gradient<Samples>* dx, Gradient<Samples>* dy) const override {
    RatioModel forward = forward_, backward = backward_;
    forward.sigma = widths_.of_x(x.total_scale);
    backward.sigma = widths_.of_y(y.total_scale);
    RatioGradient gradient;
    RatioGradient* wanted = dx != nullptr ? &gradient : nullptr;
    const double share = combine_ == Combine::average ? 0.5 : 1.0;

    const RatioModel* both = combine_ == Combine::single ? nullptr : &backward;
    const double value = share * relative_pearson(x, y, forward, both, wanted);
    if (wanted != nullptr) {
      dx->values = share * gradient.p;
      dy->values = share * gradient.q;
      if (widths_.follow_scale) {
        dx->total_scale = share * gradient.sigma * widths_.x;
        dy->total_scale = share * gradient.backward_sigma * widths_.y;
      }
    }
    return value;
  }

 private:
  static constexpr Index validation_rows = 1000;

  Combine combine_;
  Index most_centres_;
  double lambda_;  // 0: cross-validated
  BandwidthRule rule_;
  Bandwidths widths_;
  RatioModel forward_, backward_;  // centres among x, among y
};

}  // namespace

CDA_PART(Divergence, pearson) {
  return {.info = {.name = {},
                   .summary = "relative Pearson divergence by density-ratio fitting, in any dimension",
                   .reference = "Nguyen and Vreeken, Canonical Divergence Analysis, section 4.3; Yamada et al. 2011",
                   .options = {bandwidth_option("median"),
                               {"combine", "average", "both directions: average or (as in the paper) sum; or single"},
                               {"estimate", "regularised", "regularised: never negative; paper: the plug-in formula"},
                               {"constant", "yes", "a constant among the basis functions: yes or no"},
                               {"centres", "100", "kernel centres, drawn from the rows (the paper: 200)"},
                               {"lambda", "cv", "regularisation: cv (cross-validated) or a value"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Divergence> {
            const std::string combine = settings.choice("combine", {"average", "sum", "single"});
            const bool validated = same_name(settings.text("lambda"), "cv");
            return std::make_unique<Pearson>(
                combine == "average" ? Combine::average : (combine == "sum" ? Combine::sum : Combine::single),
                settings.choice("estimate", {"regularised", "paper"}) == "paper", settings.flag("constant"),
                settings.count("centres", 1, 3000), validated ? 0.0 : settings.number("lambda", 1e-12, 1e12),
                BandwidthRule(settings.text("bandwidth")));
          }};
}
