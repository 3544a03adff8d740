// How wide kernels are. A bandwidth too wide compares little more than means; one too narrow sees single rows.
//
//   paper      median distance of the rows in the full space, times the scale on that side (m, l dimensions: far wider
//              than anything the projections show)
//   median     median distance of the pooled projected values
//   silverman  .9 min(sd, IQR/1.34) N^(-1/5) of the pooled projected values
//   a number   that value
#pragma once

#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/projection.hpp"

namespace cda {

struct Bandwidths {
  double x = 0.0, y = 0.0;
  bool follow_scale = false;  // multiplied by the side's total scale where used

  bool known() const { return x > 0.0; }
  double of_x(double total_scale) const { return follow_scale ? x * total_scale : x; }
  double of_y(double total_scale) const { return follow_scale ? y * total_scale : y; }
};

class BandwidthRule {
 public:
  explicit BandwidthRule(const std::string& name);  // throws a usage error naming the rules
  Bandwidths choose(const Projection& x, const Projection& y) const;
  bool common() const { return kind_ != Kind::paper; }  // one bandwidth for both sides
  bool median() const { return kind_ == Kind::median; }

 private:
  enum class Kind { paper, median, silverman, value };
  Kind kind_;
  double value_ = 0.0;
};

// The option every divergence with a bandwidth declares.
OptionInfo bandwidth_option(const std::string& rule);

}  // namespace cda
