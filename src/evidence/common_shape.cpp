// A deviation is compared with those of eight families, each as it is and mixed with 10 to 60 % of normal noise (in
// variance), in both signs. The closest counts where its agreement is at least .95. Families are represented by their
// quantiles, the mixtures by all sums of those with quantiles of the noise.
#include "evidence/common_shape.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "divergence/quantiles.hpp"
#include "find/components/components.hpp"

namespace cda {
namespace {

constexpr double close_enough = 0.95;

struct Family {
  const char* name;
  double (*quantile)(double share);
};

double normal_quantile(double share) { return boost::math::quantile(boost::math::normal(), share); }

// The group a share belongs to, with the spread within it: q between the groups is not needed, only the values.
double grouped(double share, double first_share, double first, double second, double spread) {
  const bool in_first = share < first_share;
  const double within = in_first ? share / first_share : (share - first_share) / (1.0 - first_share);
  return (in_first ? first : second) + spread * normal_quantile(within);
}

const std::array<Family, 8> families{{
    {"exponential", [](double share) { return -std::log1p(-share); }},
    {"uniform", [](double share) { return share; }},
    {"Laplace", [](double share) { return share < 0.5 ? std::log(2.0 * share) : -std::log(2.0 * (1.0 - share)); }},
    {"t with 5 degrees of freedom",
     [](double share) { return boost::math::quantile(boost::math::students_t(5.0), share); }},
    {"log-normal", [](double share) { return std::exp(0.8 * normal_quantile(share)); }},
    {"gamma", [](double share) { return boost::math::quantile(boost::math::gamma_distribution<>(3.0), share); }},
    {"two equal groups", [](double share) { return grouped(share, 0.5, -1.0, 1.0, 0.3); }},
    {"a rare group of 10 %", [](double share) { return grouped(share, 0.9, 0.0, 3.0, 0.4); }},
}};

struct Reference {
  const char* name;
  Vector deviation;
};

Vector standardised(Vector values) {
  values.array() -= values.mean();
  return values / std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = [] {
    constexpr Index family_points = 1024, noise_points = 32;
    const Vector noise = standardised(normal_quantiles(noise_points));
    std::vector<Reference> list;
    for (const Family& family : families) {
      Vector values(family_points);
      for (Index i = 0; i < family_points; ++i)
        values[i] = family.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(family_points));
      values = standardised(values);
      list.push_back({family.name, shape_deviation(values)});
      for (int tenth = 1; tenth <= 6; ++tenth) {
        const double share = 0.1 * tenth;
        const Matrix sums = (std::sqrt(1.0 - share) * values).replicate(1, noise_points) +
                            (std::sqrt(share) * noise).transpose().replicate(family_points, 1);
        list.push_back({family.name, shape_deviation(Eigen::Map<const Vector>(sums.data(), sums.size()))});
      }
    }
    return list;
  }();
  return all;
}

}  // namespace

std::optional<std::string> common_shape(const Vector& deviation) {
  double best = close_enough;
  std::optional<std::string> name;
  for (const Reference& reference : references()) {
    const double found =
        std::max(agreement(deviation, reference.deviation), agreement(deviation, mirrored(reference.deviation)));
    if (found < best) continue;
    best = found;
    name = reference.name;
  }
  return name;
}

}  // namespace cda
