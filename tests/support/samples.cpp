#include "support/samples.hpp"

#include <algorithm>
#include <cmath>

namespace cda::test {

Matrix skewed_rows(Index rows, Index columns, std::string_view name) {
  Random random(11, name);
  const Matrix mixing = random.normals(columns, columns);
  Matrix sources(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) sources(i, j) = j % 2 == 0 ? random.normal() : random.exponential();
  return ((sources * mixing).rowwise() + Vector::LinSpaced(columns, 0.0, 1.0).transpose()) * 0.3;
}

Sample sample_of(const Vector& values) { return Sample(values); }

double evaluate(const Divergence& divergence, const Vector& x, const Vector& y) {
  const Sample of_x(x), of_y(y);
  Projection px(of_x, Matrix::Ones(1, 1), Vector::Ones(1)), py(of_y, Matrix::Ones(1, 1), Vector::Ones(1));
  return divergence.evaluate(px, py, false);
}

double value_gradient_error(const Divergence& divergence, const Matrix& x, const Matrix& y, double step) {
  // Gradients with respect to values are seen through directions: probe with many random directions of a wide sample.
  const Sample of_x(x), of_y(y);
  Random random(5, "probe");
  const Matrix u = random.normals(x.cols(), 1), v = random.normals(y.cols(), 1);
  const Vector one = Vector::Ones(1);
  Projection px(of_x, u, one), py(of_y, v, one);
  const auto fixed = divergence.tuned(px, py, 3);
  const Divergence& smooth = fixed != nullptr ? *fixed : divergence;
  smooth.evaluate(px, py, true);
  const auto value = [&](const Matrix& du, const Matrix& dv) {
    Projection qx(of_x, u + du, one), qy(of_y, v + dv, one);
    return smooth.evaluate(qx, qy, false);
  };
  double worst = 0.0;
  const double size = std::max(px.d_directions().norm(), py.d_directions().norm());
  for (int probe = 0; probe < 8; ++probe) {
    const Matrix du = random.normals(x.cols(), 1).normalized(), dv = random.normals(y.cols(), 1).normalized();
    const double slope = px.d_directions().cwiseProduct(du).sum() + py.d_directions().cwiseProduct(dv).sum();
    const double difference = (value(step * du, step * dv) - value(-step * du, -step * dv)) / (2.0 * step);
    worst = std::max(worst, std::abs(slope - difference) / size);
  }
  return worst;
}

const std::vector<std::string>& all_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const MethodInfo& method : methods())
      if (method.baseline.empty()) all.push_back(method.name);
    return all;
  }();
  return names;
}

}  // namespace cda::test
