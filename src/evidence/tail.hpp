// How unusual a value is against a sample, without the steps of counting: below the 90 % quantile the share above it is
// interpolated between quartiles; beyond, it falls exponentially at the rate of the sample's own mean excess.
#pragma once

#include <array>
#include <vector>

#include "cda/types.hpp"

namespace cda {

class Tail {
 public:
  explicit Tail(std::vector<double> sample);

  double share_above(double value) const;  // in (0, 1]

 private:
  static constexpr std::array<double, 5> shares{0.0, 0.25, 0.5, 0.75, 0.9};
  std::array<double, 5> quantiles_{};
  double mean_excess_ = 0.0;
};

// 0 %, 5 %, ... 100 % of a sample.
Vector null_quantiles(std::vector<double> sample);

}  // namespace cda
