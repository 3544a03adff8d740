#include "find/pairs/norm_cost.hpp"

namespace cda {
namespace {

class UnitNorm : public NormCost {
 public:
  explicit UnitNorm(double weight) : weight_(weight) {}
  double value(const Matrix& directions, Matrix* gradient) const override {
    const Index r = directions.cols();
    const Matrix excess = directions.transpose() * directions - Matrix::Identity(r, r);
    if (gradient != nullptr) *gradient = 4.0 * weight_ * directions * excess;
    return weight_ * excess.squaredNorm();
  }

 private:
  double weight_;
};

class ReconstructionError : public NormCost {
 public:
  ReconstructionError(double weight, const Sample& sample) : weight_(weight), sample_(sample) {}
  double value(const Matrix& directions, Matrix* gradient) const override {
    const Matrix spread = sample_.spread(directions);         // S U
    const Matrix within = directions.transpose() * spread;    // U'SU
    const Matrix gram = directions.transpose() * directions;  // U'U
    if (gradient != nullptr) *gradient = weight_ * (-4.0 * spread + 2.0 * spread * gram + 2.0 * directions * within);
    return weight_ * (sample_.total_variance() - 2.0 * within.trace() + within.cwiseProduct(gram).sum());
  }

 private:
  double weight_;
  const Sample& sample_;
};

}  // namespace

std::shared_ptr<const NormCost> unit_norm_cost(double weight) { return std::make_shared<UnitNorm>(weight); }

std::shared_ptr<const NormCost> reconstruction_cost(double weight, const Sample& sample) {
  return std::make_shared<ReconstructionError>(weight, sample);
}

std::shared_ptr<const NormCost> norm_cost(const std::string& kind, double weight, const Sample& sample) {
  return kind == "paper" ? reconstruction_cost(weight, sample) : unit_norm_cost(weight);
}

std::vector<OptionInfo> norm_cost_options() {
  return {{"cost", "unit", "what keeps norms from zero: unit, |U'U - I|^2; paper, the reconstruction cost"},
          {"lambda", "0.5", "weight of the cost on X"},
          {"delta", "0.5", "weight of the cost on Y"}};
}

NormCostChoice::NormCostChoice(const Settings& settings)
    : kind(settings.choice("cost", {"unit", "paper"})),
      x_weight(settings.number("lambda", 1e-12, 1e12)),
      y_weight(settings.number("delta", 1e-12, 1e12)) {}

}  // namespace cda
