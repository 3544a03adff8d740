// Ten shapes that are far from normal and from each other, each with mean 0 and variance 1 exactly (in population):
//
//   shape          how it is drawn                                        skewness   kurtosis
//   two-group      -+ sqrt(.91), each with spread .3                      0          1.34
//   uniform        on -+ sqrt(3)                                          0          1.8
//   u-shaped       sqrt(2) cos(pi t), t uniform (arcsine law)             0          1.5
//   rare-group     10 % stand sqrt(.84 / .09) away, spread .4             2.05       6.61
//   three-group    -+ sqrt(1.40625) and 0, each with spread .25           0          1.68
//   exponential    E - 1                                                  2          9
//   gamma          (G(3) - 3) / sqrt(3)                                   1.15       5
//   log-normal     exp(.8 z), standardised                                3.69       34.4
//   laplace        two exponentials back to back                          0          6
//   t              Student's, 5 degrees of freedom, standardised          0          9
#include <algorithm>
#include <cmath>
#include <numbers>

#include "cda/extend/catalogue.hpp"
#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

struct Shape {
  const char* name;
  double (*draw)(Random&);
};

// One of several groups of equal spread, at `centre`.
double around(double centre, double spread, Random& random) { return centre + spread * random.normal(); }

constexpr Shape shapes[] = {
    {"two-group",
     [](Random& random) {
       const double side = random.uniform() < 0.5 ? -1.0 : 1.0;
       return around(side * std::sqrt(1.0 - 0.3 * 0.3), 0.3, random);
     }},
    {"uniform", [](Random& random) { return std::sqrt(3.0) * (2.0 * random.uniform() - 1.0); }},
    {"u-shaped", [](Random& random) { return std::sqrt(2.0) * std::cos(std::numbers::pi * random.uniform()); }},
    {"rare-group",
     [](Random& random) {
       const double distance = std::sqrt((1.0 - 0.4 * 0.4) / (0.1 * 0.9));
       return around(random.uniform() < 0.1 ? 0.9 * distance : -0.1 * distance, 0.4, random);
     }},
    {"three-group",
     [](Random& random) {
       const double distance = std::sqrt(1.5 * (1.0 - 0.25 * 0.25));
       return around(static_cast<double>(random.below(3) - 1) * distance, 0.25, random);
     }},
    {"exponential", [](Random& random) { return random.exponential() - 1.0; }},
    {"gamma", [](Random& random) { return (random.gamma(3.0) - 3.0) / std::sqrt(3.0); }},
    {"log-normal",
     [](Random& random) {
       constexpr double variance = 0.8 * 0.8;  // of the logarithm
       const double mean = std::exp(variance / 2), deviation = mean * std::sqrt(std::expm1(variance));
       return (std::exp(0.8 * random.normal()) - mean) / deviation;
     }},
    {"laplace",
     [](Random& random) {
       const double side = random.uniform() < 0.5 ? -1.0 : 1.0;
       return side * random.exponential() / std::sqrt(2.0);
     }},
    {"t",
     [](Random& random) {
       constexpr double degrees = 5.0;
       const double z = random.normal(), chi_squared = 2.0 * random.gamma(0.5 * degrees);
       return z * std::sqrt((degrees - 2.0) / chi_squared);  // variance degrees / (degrees - 2), brought to 1
     }},
};

}  // namespace

const std::vector<std::string>& source_shapes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Shape& shape : shapes) list.emplace_back(shape.name);
    return list;
  }();
  return names;
}

double draw_shape(const std::string& name, Random& random) {
  const auto found = std::find_if(std::begin(shapes), std::end(shapes), [&](const Shape& s) { return name == s.name; });
  if (found == std::end(shapes)) unknown_name("shape of a source", name, source_shapes());
  return found->draw(random);
}

}  // namespace cda
