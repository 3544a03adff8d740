#include <algorithm>
#include <cmath>
#include <limits>

#include "cda/error.hpp"
#include "cda/extend/preparation.hpp"

namespace cda {
namespace {

Matrix applied(const PreparationMap& map, const Matrix& rows) {
  return std::visit([&](const auto& known) { return known.apply(rows); }, map);
}

// Of a linear preparation.
const AffineMap& affine(const PreparedColumns::Step& step) {
  if (const auto* map = std::get_if<AffineMap>(&step.map)) return *map;
  throw Error(Fault::internal, "preparation.bends", "weights were asked of columns that are bent");
}

}  // namespace

Matrix AffineMap::apply(const Matrix& rows) const {
  if (forward.size() > 0) return (rows.rowwise() - centre.transpose()) * forward;
  return (rows.rowwise() - centre.transpose()) * factor.asDiagonal();
}

void AffineMap::apply_in_place(Matrix& rows, const Executor& executor) const {
  if (forward.size() == 0) {
    executor.for_each(rows.cols(), [&](Index j) { rows.col(j) = (rows.col(j).array() - centre[j]) * factor[j]; });
    return;
  }
  executor.for_rows(rows.rows(), [&](Index begin, Index end) {
    const Matrix prepared = apply(rows.middleRows(begin, end - begin));
    rows.block(begin, 0, end - begin, forward.cols()) = prepared;
  });
  rows.conservativeResize(Eigen::NoChange, forward.cols());
}

Matrix AffineMap::undo(const Matrix& rows) const {
  if (forward.size() > 0) return (rows * backward).rowwise() + centre.transpose();
  return (rows * factor.cwiseInverse().asDiagonal()).rowwise() + centre.transpose();
}

Matrix AffineMap::directions(const Matrix& weights) const {
  if (forward.size() > 0) return backward * weights;
  return factor.cwiseInverse().asDiagonal() * weights;
}

Matrix AffineMap::weights(const Matrix& directions) const {
  if (forward.size() > 0) return forward * directions;
  return factor.asDiagonal() * directions;
}

Matrix KernelMap::apply(const Matrix& rows) const {
  const Vector norms = landmarks.rowwise().squaredNorm();
  Matrix features = -2.0 * rows * landmarks.transpose();
  features.colwise() += rows.rowwise().squaredNorm();
  features.rowwise() += norms.transpose();
  features = features.cwiseMax(0.0);  // squared distances, rounding aside
  if (kernel == Kernel::rbf) return (features / (-2.0 * width * width)).array().exp();
  return (features.cwiseSqrt() / -width).array().exp();
}

PreparedColumns::PreparedColumns(Index columns, std::vector<Index> kept, std::vector<int> exponents, Vector constants,
                                 std::vector<Step> steps)
    : columns_(columns),
      kept_(std::move(kept)),
      exponents_(std::move(exponents)),
      constants_(std::move(constants)),
      steps_(std::move(steps)) {}

Index PreparedColumns::outputs() const {
  if (kernel_) return kernel_->landmarks.rows();
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)  // those that bend leave the columns as many
    if (const auto* affine = std::get_if<AffineMap>(&step->map)) return affine->outputs();
  return static_cast<Index>(kept_.size());
}

void PreparedColumns::equilibrate(std::size_t kept, Eigen::Ref<Vector> column) const {
  const int exponent = -exponents_[kept];
  // One factor where it is an ordinary number; numbers near the ends of the range need ldexp.
  if (std::abs(exponent) < 1000)
    column *= std::ldexp(1.0, exponent);
  else
    column = column.unaryExpr([exponent](double value) { return std::ldexp(value, exponent); }).eval();
}

Matrix PreparedColumns::equilibrated(const Matrix& rows) const {
  Matrix scaled = rows(Eigen::all, kept_);
  for (std::size_t j = 0; j < kept_.size(); ++j) equilibrate(j, scaled.col(static_cast<Index>(j)));
  return scaled;
}

Matrix PreparedColumns::apply(const Matrix& rows) const {
  Matrix current = equilibrated(rows);
  for (const Step& step : steps_) current = applied(step.map, current);
  return kernel_ ? kernel_->apply(current) : current;
}

Matrix PreparedColumns::projected(const Matrix& prepared, const Matrix& directions) const {
  if (kernel_) return kernel_->apply(prepared) * directions;
  return prepared * directions;
}

Matrix PreparedColumns::undo(const Matrix& prepared) const {
  Matrix current = prepared;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) current = affine(*step).undo(current);
  Matrix rows = constants_.transpose().replicate(prepared.rows(), 1);
  for (std::size_t j = 0; j < kept_.size(); ++j)
    rows.col(kept_[j]) = current.col(static_cast<Index>(j)).unaryExpr([exponent = exponents_[j]](double value) {
      return std::ldexp(value, exponent);
    });
  return rows;
}

Matrix PreparedColumns::weights(const Matrix& directions) const {
  Matrix current = directions;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) current = affine(*step).weights(current);
  Matrix weights = Matrix::Zero(columns_, directions.cols());
  for (std::size_t j = 0; j < kept_.size(); ++j)
    for (Index c = 0; c < directions.cols(); ++c)
      weights(kept_[j], c) = std::clamp(std::ldexp(current(static_cast<Index>(j), c), -exponents_[j]),
                                        std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  return weights;
}

Matrix PreparedColumns::directions(const Matrix& weights) const {
  Matrix current(static_cast<Index>(kept_.size()), weights.cols());
  for (std::size_t j = 0; j < kept_.size(); ++j)
    for (Index c = 0; c < weights.cols(); ++c)
      current(static_cast<Index>(j), c) = std::ldexp(weights(kept_[j], c), exponents_[j]);
  for (const Step& step : steps_) current = affine(step).directions(current);
  return current;
}

Matrix PreparedColumns::covariances(const Matrix& of_prepared) const {
  Matrix current = of_prepared;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const AffineMap& map = affine(*step);
    current = map.forward.size() > 0 ? Matrix(map.backward.transpose() * current)
                                     : Matrix(map.factor.cwiseInverse().asDiagonal() * current);
  }
  return current;
}

std::size_t PreparedColumns::bent_steps() const {
  std::size_t count = steps_.size();
  while (count > 0 && std::holds_alternative<AffineMap>(steps_[count - 1].map)) --count;
  return count;
}

Matrix PreparedColumns::late_weights(const Matrix& directions) const {
  Matrix current = directions;
  for (std::size_t i = steps_.size(); i > bent_steps(); --i) current = affine(steps_[i - 1]).weights(current);
  return current;
}

Matrix PreparedColumns::late_directions(const Matrix& weights) const {
  Matrix current = weights;
  for (std::size_t i = bent_steps(); i < steps_.size(); ++i) current = affine(steps_[i]).directions(current);
  return current;
}

Vector PreparedColumns::intercepts(const Matrix& directions) const {
  Matrix current = directions;
  Vector intercepts = Vector::Zero(directions.cols());
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    current = affine(*step).weights(current);
    intercepts -= current.transpose() * affine(*step).centre;
  }
  return intercepts;
}

}  // namespace cda
