#include "divergence/frequency_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cda/error.hpp"

namespace cda {

FrequencyGrid frequency_grid(double lowest, double highest, double narrowest, double widest) {
  constexpr double accuracy = 1e-12;
  constexpr double most_frequencies = 1e6;
  const double reach = std::sqrt(2.0 * std::log(4.0 / accuracy));  // standard deviations beyond which a Gaussian is 0
  const double step = 2.0 * std::numbers::pi / (highest - lowest + widest * reach);
  const double count = std::ceil(reach / narrowest / step) + 1.0;
  if (!(count <= most_frequencies))
    throw Error(
        Fault::numerical, "bandwidth.narrow",
        fmt::format("bandwidth {:.3g} is too narrow for values that range over {:.3g}", narrowest, highest - lowest),
        "remove outliers, or give a wider --bandwidth");
  return {0.5 * lowest + 0.5 * highest, step, static_cast<Index>(count)};
}

double frequency_weight(const FrequencyGrid& grid, Index q) {
  return (q == 0 ? 0.5 : 1.0) * grid.step / std::numbers::pi;
}

}  // namespace cda
