// Fits all eight methods of the paper on data of the paper's size (n = k = 1000, m = 7, l = 5, five pairs) on one core,
// and prints each beside the time the paper reports (its table on reconstruction costs; Matlab, hardware not stated).
// The last column is a ratio within this run: the time of a fit in passes over the data, one pass being X u and X'g for
// both tables. Only such ratios can be compared between machines.
//
//   build/benchmarks/paper_methods
#include <chrono>
#include <cstdio>
#include <map>

#include "cda/cda.hpp"

namespace {

double seconds(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double seconds_per_pass(const cda::Table& x, const cda::Table& y) {
  const int passes = 2000;
  cda::Vector u = cda::Vector::Ones(x.columns()), v = cda::Vector::Ones(y.columns());
  double kept = 0.0;
  const double total = seconds([&] {
    for (int i = 0; i < passes; ++i) {
      const cda::Vector gx = x.values.transpose() * (x.values * u), gy = y.values.transpose() * (y.values * v);
      kept += gx[0] + gy[0];
      u[0] = 1.0 + 1e-12 * kept;
    }
  });
  return total / passes;
}

}  // namespace

int main() {
  const std::map<std::string, double> reported{{"CDA_Q", 1473}, {"CDA_M", 1265}, {"mCDA_P", 1622},
                                               {"rCDA_Q", 245}, {"rCDA_M", 217}, {"mrCDA_P", 284}};
  const cda::SyntheticPair data =
      cda::synthesise({.kind = "nonlinear", .n = 1000, .k = 1000, .m = 7, .l = 5, .seed = 0});
  const double pass = seconds_per_pass(data.x, data.y);
  std::printf("n = k = 1000, m = 7, l = 5, 5 pairs, 1 thread; one pass over the data takes %.1f microseconds\n\n",
              1e6 * pass);
  std::printf("%-8s %10s %12s %10s %9s\n", "method", "seconds", "the paper's", "passes", "converged");
  double total = 0.0;
  for (const cda::MethodInfo& method : cda::methods()) {
    if (!method.baseline.empty()) continue;
    cda::Model model;
    const double taken =
        seconds([&] { model = cda::fit(data.x, data.y, {.method = method.name, .components = 5, .threads = 1}); });
    total += taken;
    std::size_t converged = 0;
    for (const cda::Pair& pair : model.pairs) converged += pair.converged ? 1 : 0;
    const auto paper = reported.find(method.name);
    const std::string theirs = paper == reported.end() ? "-" : std::to_string(static_cast<int>(paper->second));
    std::printf("%-8s %10.3f %12s %10.0f %6zu of %zu\n", method.name.c_str(), taken, theirs.c_str(), taken / pass,
                converged, model.pairs.size());
    std::fflush(stdout);
  }
  std::printf("%-8s %10.3f\n", "all", total);
}
