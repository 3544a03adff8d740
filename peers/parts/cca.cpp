// Canonical correlation analysis of rows that belong together, regularised (peers/cca.hpp): what can be had where
// the correspondence is known and the relations are linear.
#include "peers/cca.hpp"

#include <fmt/format.h>

#include "base/part.hpp"
#include "cda/extend/baseline.hpp"

using namespace cda;

namespace {

class Cca final : public Baseline {
 public:
  explicit Cca(const Settings& settings) : kappa_(settings.number("kappa", 0.0, 1e6)) {}

  BaselineMaps fit(const BaselineTask& task) const override {
    CanonicalPairs found = canonical_pairs(task.x, task.y, task.components, kappa_, task.executor);
    if (found.pairs() < task.components)
      throw Error(Fault::numerical, "data.rank",
                  fmt::format("{} pairs asked for, but the smaller rank is {}", task.components, found.pairs()),
                  fmt::format("--components {}", found.pairs()));
    BaselineMaps maps{.directions = {std::move(found.x), std::move(found.y), Vector::Ones(task.components)},
                      .figures = std::move(found.correlations)};
    // Two subspaces of an (n - 1)-dimensional space whose dimensions add up to more have directions in common.
    const Index n = task.x.rows(), in_common = found.x_rank + found.y_rank - (n - 1);
    if (in_common > 0)
      maps.warnings.push_back(fmt::format(
          "with {} rows, {} dimensions of X and {} of Y, {} canonical correlation{} 1 for any tables whatsoever{}", n,
          found.x_rank, found.y_rank, std::min({in_common, found.x_rank, found.y_rank}),
          std::min({in_common, found.x_rank, found.y_rank}) == 1 ? " is" : "s are",
          kappa_ > 0.0 ? ", but for kappa; they say nothing" : "; they say nothing"));
    return maps;
  }
  std::string figure_name() const override { return "canonical correlation"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }
  bool paired_rows() const override { return true; }

 private:
  double kappa_;
};

}  // namespace

CDA_PART(Baseline, cca) {
  return {.info = {.name = {},
                   .summary = "canonical correlations of rows that belong together",
                   .reference = "Hotelling, Biometrika 28 (1936); Vinod, J. Econometrics 4 (1976) for kappa",
                   .options = {{"kappa", "1e-8",
                                "added to every variance, relative to their mean; 0: none, by QR with pivoting"}}},
          .make = [](const Settings& settings) { return std::make_unique<Cca>(settings); }};
}
