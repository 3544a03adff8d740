#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cda/error.hpp"
#include "cda/preparation.hpp"

namespace cda {
namespace {

// Half the range, so that it cannot overflow.
double half_range(const Matrix& rows, Index column) {
  return 0.5 * rows.col(column).maxCoeff() - 0.5 * rows.col(column).minCoeff();
}

bool varies(const Matrix& rows, Index column) {
  const double magnitude = rows.col(column).cwiseAbs().maxCoeff();
  // A few units in the last place are rounding, not variation.
  return half_range(rows, column) > 4.0 * std::numeric_limits<double>::epsilon() * magnitude;
}

// How many different values a column has, where that is few (and the rows are many enough to tell); else 0.
Index few_values(const Matrix& rows, Index column) {
  constexpr std::size_t most = 8;
  constexpr Index rows_per_value = 5;
  std::vector<double> seen;
  for (const double value : rows.col(column)) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() > most) return 0;
  }
  const auto count = static_cast<Index>(seen.size());
  return count * rows_per_value <= rows.rows() ? count : 0;
}

// A number that says what a column holds, whatever the order of its rows and whatever its units: its cells rounded to
// 2^-20 of their range, each stirred, added up.
std::uint64_t content_key(const Matrix& rows, Index column) {
  const double lowest = 0.5 * rows.col(column).minCoeff(), range = half_range(rows, column);
  std::uint64_t key = 0;
  for (const double value : rows.col(column)) {
    const double share = range > 0.0 ? (0.5 * value - lowest) / range : 0.0;
    auto stirred = static_cast<std::uint64_t>(std::llround(share * 0x1.0p20)) * 0x9e3779b97f4a7c15ULL;
    stirred = (stirred ^ (stirred >> 30)) * 0xbf58476d1ce4e5b9ULL;
    stirred = (stirred ^ (stirred >> 27)) * 0x94d049bb133111ebULL;
    key += stirred ^ (stirred >> 31);
  }
  return key;
}

// Columns in an order given by what they hold, equal ones by name: the same columns in another order are prepared and
// searched in the same way, to the last bit.
void order_by_content(const Matrix& rows, const std::vector<std::string>& names, std::vector<Index>& columns) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(rows.cols()));
  for (const Index j : columns) keys[static_cast<std::size_t>(j)] = content_key(rows, j);
  std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    return keys[i] != keys[j] ? keys[i] < keys[j] : names[i] < names[j];
  });
}

Matrix applied(const PreparationMap& map, const Matrix& rows) {
  return std::visit([&](const auto& known) { return known.apply(rows); }, map);
}

void check_bent(const Matrix& rows, const std::string& step) {
  for (Index j = 0; j < rows.cols(); ++j)
    if (!varies(rows, j))
      throw Error(Fault::numerical, "data.constant",
                  fmt::format("after {} {} no longer {}", step, rows.cols() == 1 ? "the only column" : "a column",
                              rows.allFinite() ? "varies" : "holds numbers"),
                  "prepare the columns in another way");
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

PreparedColumns PreparedColumns::fit(const Matrix& rows, const std::vector<std::string>& names,
                                     const std::vector<PartSpec>& steps, std::vector<std::string>* remarks,
                                     const Choice& choice) {
  if (!rows.allFinite())
    throw Error(Fault::input, "data.not_finite", "a table holds missing or infinite cells",
                "fill or drop them first, e.g. --missing drop-rows");
  const bool free_of_units = !steps.empty() && preparations().make(steps.front())->forgets_units();
  std::vector<Index> kept;
  std::vector<int> exponents;
  Vector constants = Vector::Zero(rows.cols());
  std::vector<std::string> few;
  const auto mean = [&](Index j) { return (rows.col(j) / static_cast<double>(rows.rows())).sum(); };  // cannot overflow
  for (Index j = 0; j < rows.cols(); ++j) {
    if (!choice.only.empty()) {
      constants[j] = mean(j);
    } else if (!choice.few_valued && varies(rows, j) && few_values(rows, j) > 0) {
      constants[j] = mean(j);
      few.push_back(quoted(names[static_cast<std::size_t>(j)]));
    } else if (varies(rows, j)) {
      kept.push_back(j);
    } else {
      constants[j] = rows(0, j);
      if (remarks != nullptr)
        remarks->push_back(fmt::format("column {} does not vary: set aside with weight 0",
                                       quoted(names[static_cast<std::size_t>(j)])));
    }
  }
  if (choice.only.empty())
    order_by_content(rows, names, kept);
  else
    kept = choice.only;
  for (const Index j : kept) {
    int exponent = 0;
    if (free_of_units) std::frexp(rows.col(j).cwiseAbs().maxCoeff(), &exponent);
    exponents.push_back(exponent);
  }
  if (!few.empty() && kept.empty())
    throw Error(Fault::numerical, "data.few_valued", "every column that varies has 8 values or fewer",
                "shapes of such columns mean little; --few-valued keep matches them all the same");
  if (!few.empty() && remarks != nullptr)
    remarks->push_back(fmt::format("set aside with weight 0, having 8 values or fewer (--few-valued keep uses {}): {}",
                                   few.size() == 1 ? "it" : "them", fmt::join(few, ", ")));
  PreparedColumns prepared(rows.cols(), std::move(kept), std::move(exponents), std::move(constants), {});
  if (prepared.kept_.empty()) throw Error(Fault::numerical, "data.constant", "no column varies");
  Matrix current = prepared.equilibrated(rows);
  for (const PartSpec& spec : steps) {
    const PartSpec whole = preparations().complete(spec);
    PreparationMap map = preparations().make(whole)->fit(current);
    current = applied(map, current);
    if (std::holds_alternative<BendingMap>(map)) check_bent(current, whole.name);
    prepared.steps_.push_back({whole, std::move(map)});
  }
  return prepared;
}

Index PreparedColumns::outputs() const {
  if (kernel_) return kernel_->landmarks.rows();
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)  // those that bend leave the columns as many
    if (const auto* affine = std::get_if<AffineMap>(&step->map)) return affine->outputs();
  return static_cast<Index>(kept_.size());
}

Matrix PreparedColumns::equilibrated(const Matrix& rows) const {
  Matrix scaled(rows.rows(), static_cast<Index>(kept_.size()));
  for (std::size_t j = 0; j < kept_.size(); ++j) {
    const int exponent = -exponents_[j];
    // One factor where it is an ordinary number; numbers near the ends of the range need ldexp.
    if (std::abs(exponent) < 1000)
      scaled.col(static_cast<Index>(j)) = rows.col(kept_[j]) * std::ldexp(1.0, exponent);
    else
      scaled.col(static_cast<Index>(j)) =
          rows.col(kept_[j]).unaryExpr([exponent](double value) { return std::ldexp(value, exponent); });
  }
  return scaled;
}

Matrix PreparedColumns::apply(const Matrix& rows) const {
  Matrix current = equilibrated(rows);
  for (const Step& step : steps_) current = applied(step.map, current);
  return features(current);
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
