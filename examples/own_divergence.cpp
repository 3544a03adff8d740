// A divergence of one's own, added from outside the library: written, checked, chosen by name like any other.
//
// The region below is the worked example of CONTRIBUTING.md, which a test keeps equal to it.
#include <algorithm>
#include <cda/cda.hpp>
#include <cda/extend/formulation.hpp>
#include <cda/extend/optimiser.hpp>
#include <cmath>
#include <cstdint>
#include <exception>
#include <iostream>

// begin: worked example
// The cost of transporting one sample onto the other when long ways are charged by their length, not its square:
//
//   D = int_0^1 rho(F^-1(s) - G^-1(s)) ds,   rho(d) = 2 c^2 (sqrt(1 + (d/c)^2) - 1)
//
// rho is d^2 well below c and 2 c |d| well above, so a few far values do not decide everything. It is convex, hence
// matching the values in increasing order is the cheapest plan, and D = 0 only for equal samples.
// rho'(d) = 2 d / sqrt(1 + (d/c)^2). O(n log n) for the sorting, then O(n + k). After Huber 1964.
class RobustTransport : public cda::DivergenceOf<cda::SortedValues> {
 public:
  explicit RobustTransport(double elbow) : elbow_(elbow) {}

 protected:
  double between(const cda::SortedValues& x, const cda::SortedValues& y, cda::Gradient<cda::SortedValues>* dx,
                 cda::Gradient<cda::SortedValues>* dy) const override {
    const std::int64_t n = x.values.size(), k = y.values.size();
    const double unit = 1.0 / (static_cast<double>(n) * static_cast<double>(k));
    double total = 0.0;
    // Both quantile functions are steps; walk along the steps of both in whole numbers of 1/(nk).
    for (std::int64_t i = 0, j = 0, reached = 0; i < n && j < k;) {
      const std::int64_t next = std::min((i + 1) * k, (j + 1) * n);
      const double mass = static_cast<double>(next - reached) * unit;
      const double gap = x.values[i] - y.values[j], root = std::hypot(1.0, gap / elbow_);
      total += mass * 2.0 * gap * gap / (root + 1.0);  // rho without the cancellation of sqrt(1 + small) - 1
      if (dx != nullptr) {
        const double slope = mass * 2.0 * gap / root;
        dx->values[i] += slope;
        dy->values[j] -= slope;
      }
      const bool x_ends = next == (i + 1) * k, y_ends = next == (j + 1) * n;
      if (x_ends) ++i;
      if (y_ends) ++j;
      reached = next;
    }
    return total;
  }

 private:
  double elbow_;  // c
};

cda::Catalogue<cda::Divergence>::Entry robust_transport() {
  return {.info = {.name = "robust_transport",
                   .summary = "transport cost, squared for short ways and linear for long ones",
                   .reference = "Huber 1964, on the cost; Levina and Bickel 2001, on the distance",
                   .options = {{"elbow", "0.1", "where short ways end, in the units of the prepared columns"}}},
          .make = [](const cda::Settings& settings) -> std::unique_ptr<cda::Divergence> {
            return std::make_unique<RobustTransport>(settings.number("elbow", 1e-6, 1e6));
          }};
}
// end: worked example

namespace {

// The largest relative error of the gradient, in the problem the first pair poses.
double gradient_error(const cda::SyntheticPair& tables) {
  const cda::Sample x(tables.x.values), y(tables.y.values);
  const cda::Comparison comparison{x, y, cda::divergences().make("robust_transport"), cda::ScaleRule::parse("1"), 0};
  const cda::Directions none{cda::Matrix(x.dimension(), 0), cda::Matrix(y.dimension(), 0), cda::Vector(0)};
  const cda::PairProblem posed = cda::formulations().make("iterative")->pose(comparison, none, 1);
  return cda::check_gradient(posed.problem(), posed.starts(1, cda::Random(0, "check")).back());
}

int run() {
  cda::divergences().add(robust_transport());

  cda::SyntheticOptions wanted;
  wanted.kind = "sources";
  wanted.n = 300;
  wanted.k = 250;
  const cda::SyntheticPair tables = cda::synthesise(wanted);

  const double error = gradient_error(tables);
  std::cout << "relative error of the gradient: " << error << '\n';
  if (!(error < 1e-5)) {
    std::cerr << "the gradient is not that of the value\n";
    return 1;
  }

  cda::FitOptions options;
  options.method = "CDA_Q";
  options.divergence = "robust_transport:elbow=0.2";
  options.components = 2;
  const cda::Model model = cda::fit(tables.x, tables.y, options);
  std::cout << "fitted with " << model.options.divergence->to_string() << '\n';
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const cda::Pair& pair = model.pairs[i];
    std::cout << "pair " << i + 1 << ": divergence " << pair.divergence << ", " << pair.stopped << '\n'
              << "  weights of X: " << pair.x_weights.transpose() << '\n'
              << "  weights of Y: " << pair.y_weights.transpose() << '\n';
  }
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
