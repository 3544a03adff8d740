// Directions, scales and divergence as one function of one point. See cda/extend/formulation.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/linear_algebra.hpp"
#include "cda/extend/formulation.hpp"
#include "divergence/quantiles.hpp"
#include "find/pairs/contrast.hpp"

namespace cda {
namespace {

// Number of entries that are not zero to rounding, column by column.
Vector counted_nonzero(const Matrix& directions) {
  Vector counts(directions.cols());
  for (Index j = 0; j < directions.cols(); ++j) {
    const auto magnitude = directions.col(j).array().abs();
    counts[j] = static_cast<double>((magnitude > 1e-8 * magnitude.maxCoeff()).count());
  }
  return counts;
}

Matrix reshaped(const Vector& point, Index begin, Index rows, Index columns) {
  return Eigen::Map<const Matrix>(point.data() + begin, rows, columns);
}

// Random starts are drawn for one side first. Which one is for the tables to say, not for the order they are named in,
// so that X and Y exchanged give the same pairs exchanged.
bool x_comes_first(const Comparison& comparison) {
  const Sample &x = comparison.x, &y = comparison.y;
  if (x.dimension() != y.dimension()) return x.dimension() > y.dimension();
  return x.fingerprint() <= y.fingerprint();
}

Vector flattened(const Matrix& matrix) { return Eigen::Map<const Vector>(matrix.data(), matrix.size()); }

}  // namespace

ScaleRule ScaleRule::parse(const std::string& text) {
  if (same_name(text, "lemma")) return {Kind::lemma, 1.0};
  if (same_name(text, "optimised") || same_name(text, "optimized")) return {Kind::optimised, 1.0};
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0.0)
    throw Error(Fault::usage, "option.value",
                fmt::format("scale is {}, expected lemma, optimised or a positive number", in_quotes(text)));
  return {Kind::fixed, value};
}

std::string ScaleRule::to_string() const {
  return kind == Kind::lemma ? "lemma" : (kind == Kind::optimised ? "optimised" : fmt::format("{}", value));
}

Vector lemma_scales(const Matrix& x_directions, const Matrix& y_directions) {
  return (counted_nonzero(x_directions).array() / counted_nonzero(y_directions).array().max(1.0)).sqrt();
}

double shortest(const Comparison& comparison, const Directions& directions) {
  double least = std::min(directions.x.colwise().norm().minCoeff(), directions.y.colwise().norm().minCoeff());
  if (comparison.scale.kind != ScaleRule::Kind::optimised) return least;
  const Matrix y = directions.y * directions.scales.asDiagonal();
  const Vector x_variance = comparison.x.covariance_of(directions.x).diagonal();
  const Vector y_variance = comparison.y.covariance_of(y).diagonal();
  for (Index j = 0; j < directions.pairs(); ++j)
    if (x_variance[j] > 0.0) least = std::min(least, std::sqrt(y_variance[j] / x_variance[j]));
  return least;
}

PairProblem::PairProblem(Parts parts)
    : comparison_(&parts.comparison),
      pairs_(parts.pairs),
      x_basis_(std::move(parts.x_basis)),
      y_basis_(std::move(parts.y_basis)),
      x_cost_(std::move(parts.x_cost)),
      y_cost_(std::move(parts.y_cost)),
      contrast_(parts.contrast),
      judged_contrast_(parts.judged_contrast),
      tuned_{parts.comparison.divergence, parts.comparison.divergence, parts.comparison.divergence} {
  if (contrast_ > 0.0) {
    x_normal_ = std::make_shared<const NormalReference>(comparison_->x.size(), comparison_->x.executor());
    y_normal_ = std::make_shared<const NormalReference>(comparison_->y.size(), comparison_->y.executor());
  }
  const auto frame = [&](Index size) {
    if (x_cost_ != nullptr) return euclidean(size * pairs_);
    return pairs_ == 1 ? sphere(size) : stiefel(size, pairs_);
  };
  std::vector<std::shared_ptr<const Manifold>> factors{frame(x_basis_.cols()), frame(y_basis_.cols())};
  if (comparison_->scale.kind == ScaleRule::Kind::optimised) factors.push_back(euclidean(pairs_));
  manifold_ = product(std::move(factors));
}

Directions PairProblem::directions(const Vector& point) const {
  const Index a = x_basis_.cols(), b = y_basis_.cols();
  Directions at{x_basis_ * reshaped(point, 0, a, pairs_), y_basis_ * reshaped(point, a * pairs_, b, pairs_), {}};
  switch (comparison_->scale.kind) {
    case ScaleRule::Kind::lemma:
      at.scales = lemma_scales(at.x, at.y);
      break;
    case ScaleRule::Kind::optimised:
      at.scales = point.tail(pairs_).array().exp();  // stays positive: a negative scale is a turned direction
      break;
    case ScaleRule::Kind::fixed:
      at.scales = Vector::Constant(pairs_, comparison_->scale.value);
      break;
  }
  return at;
}

Vector PairProblem::point(const Directions& at) const {
  const Vector wx = flattened(x_basis_.transpose() * at.x), wy = flattened(y_basis_.transpose() * at.y);
  Vector point(manifold_->size());
  point.head(wx.size()) = wx;
  point.segment(wx.size(), wy.size()) = wy;
  if (comparison_->scale.kind == ScaleRule::Kind::optimised) point.tail(pairs_) = at.scales.array().log();
  return point;
}

double PairProblem::value(const Tuned& tuned, double contrast, const Vector& point, Vector* gradient,
                          Memory* memory) const {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  const Directions at = directions(point);
  if (gradient != nullptr) *gradient = Vector::Constant(point.size(), undefined);
  // A trial step may leave the range of numbers, or of what a bandwidth can resolve: no value there, try a shorter one.
  if (!at.x.allFinite() || !at.y.allFinite() || !at.scales.allFinite()) return undefined;
  Projection x(comparison_->x, at.x, Vector::Ones(pairs_), memory != nullptr ? &memory->x : nullptr);
  Projection y(comparison_->y, at.y, at.scales, memory != nullptr ? &memory->y : nullptr);
  double value = 0.0;
  Matrix d_x = Matrix::Zero(at.x.rows(), pairs_), d_y = Matrix::Zero(at.y.rows(), pairs_);
  Vector d_scales = Vector::Zero(pairs_);
  try {
    if (contrast > 0.0) {
      Projection x_alone = x, y_alone = y;
      value -= contrast * (x_normal_->contrast(*tuned.x_contrast, x_alone, gradient != nullptr) +
                           y_normal_->contrast(*tuned.y_contrast, y_alone, gradient != nullptr));
      d_x -= contrast * x_alone.d_directions();
      d_y -= contrast * y_alone.d_directions();
      d_scales -= contrast * y_alone.d_scales();
    }
    value += tuned.divergence->evaluate(x, y, gradient != nullptr);
  } catch (const Error& error) {
    if (error.fault() != Fault::numerical) throw;
    return undefined;
  }
  d_x += x.d_directions();
  d_y += y.d_directions();
  d_scales += y.d_scales();
  if (x_cost_ != nullptr) {
    Matrix d_cost;
    Matrix* wanted = gradient != nullptr ? &d_cost : nullptr;
    value += x_cost_->value(at.x, wanted);
    if (wanted != nullptr) d_x += d_cost;
    value += y_cost_->value(at.y, wanted);
    if (wanted != nullptr) d_y += d_cost;
  }
  if (gradient != nullptr) {
    const Index a = x_basis_.cols() * pairs_, b = y_basis_.cols() * pairs_;
    gradient->resize(point.size());
    gradient->head(a) = flattened(x_basis_.transpose() * d_x);
    gradient->segment(a, b) = flattened(y_basis_.transpose() * d_y);
    if (comparison_->scale.kind == ScaleRule::Kind::optimised)
      gradient->tail(pairs_) = d_scales.cwiseProduct(at.scales);  // with respect to the logarithm
  }
  return value;
}

Problem PairProblem::problem() const {
  Problem problem;
  problem.manifold = manifold_;
  problem.value = [this, tuned = tuned_](const Vector& at, Vector* gradient) {
    return value(tuned, contrast_, at, gradient);
  };
  if (pairs_ == 1 && std::max(comparison_->x.size(), comparison_->y.size()) >= rows_worth_remembering)
    problem.for_one_search = [this, tuned = tuned_]() -> Problem::Value {
      return [this, tuned, memory = std::make_shared<Memory>()](const Vector& at, Vector* gradient) {
        return value(tuned, contrast_, at, gradient, memory.get());
      };
    };
  const bool one_unit_pair = pairs_ == 1 && x_cost_ == nullptr && contrast_ == 0.0;
  if (one_unit_pair && comparison_->scale.kind == ScaleRule::Kind::fixed) {
    const Sample &x = comparison_->x, &y = comparison_->y;
    const double scale = comparison_->scale.value;
    if (x.few_rows() || y.few_rows()) {
      // The form of the rows seen in the bases is the same, and its size that of the bases.
      const Sample x_within(x.rows() * x_basis_, x.executor()), y_within(y.rows() * y_basis_, y.executor());
      if (const auto form = tuned_.divergence->quadratic_form(x_within, y_within, scale))
        problem.quadratic = QuadraticForm{*form, x_basis_.cols()};
    } else if (const auto form = tuned_.divergence->quadratic_form(x, y, scale)) {
      Matrix basis = Matrix::Zero(form->rows(), x_basis_.cols() + y_basis_.cols());
      basis.topLeftCorner(x_basis_.rows(), x_basis_.cols()) = x_basis_;
      basis.bottomRightCorner(y_basis_.rows(), y_basis_.cols()) = y_basis_;
      problem.quadratic = QuadraticForm{basis.transpose() * *form * basis, x_basis_.cols()};
    }
  }
  return problem;
}

bool PairProblem::tune(const Vector& point) {
  const Directions at = directions(point);
  const Projection x(comparison_->x, at.x, Vector::Ones(pairs_)), y(comparison_->y, at.y, at.scales);
  std::unique_ptr<Divergence> tuned = comparison_->divergence->tuned(x, y, comparison_->seed);
  if (tuned == nullptr) return false;
  tuned_.divergence = std::move(tuned);
  if (contrast_ > 0.0) {
    tuned_.x_contrast = x_normal_->tuned(*comparison_->divergence, x, comparison_->seed);
    tuned_.y_contrast = y_normal_->tuned(*comparison_->divergence, y, comparison_->seed);
  }
  return true;
}

bool PairProblem::finite_set() const { return manifold_->dimension() == 0; }

double PairProblem::judged(const Vector& point) const { return value(tuned_, judged_contrast_, point, nullptr); }

// Among R random directions of each side, the R x R pairs and both signs are compared by W2 on 32 block means of their
// quantile functions: with a, b the deviations from the normal, J = (1 - g)(|a|^2 + |b|^2) - 2 <a, b>, one matrix
// product. The best become starts, each direction in a few of them at most.
std::vector<Vector> PairProblem::screened_starts(int random, const Random& draw) const {
  constexpr Index blocks = 32;
  constexpr int per_start = 3;  // directions of each side per start asked for
  constexpr int most_uses = 4;
  constexpr Index most_directions = 3000;  // of each side: all of one meet all of the other
  const Index count = std::clamp<Index>(per_start * static_cast<Index>(random), 1, most_directions);
  const Vector normal = normal_quantiles(blocks);
  const auto side = [&](const Sample& sample, const Matrix& basis, const std::string& name) {
    std::pair<Matrix, Matrix> found{Matrix(basis.cols(), count), Matrix(blocks, count)};  // directions, deviations
    sample.executor().for_talking().for_each(count, [&](Index i) {
      Random stream = draw.stream(fmt::format("{} {}", name, i));
      found.first.col(i) = sphere(basis.cols())->random_point(stream);
      found.second.col(i) =
          quantile_function_of(sample.rows() * (basis * found.first.col(i)), blocks, sample.executor()) - normal;
    });
    return found;
  };
  const bool x_first = x_comes_first(*comparison_);
  const auto [x_directions, a] = side(comparison_->x, x_basis_, x_first ? "x" : "y");
  const auto [y_directions, b] = side(comparison_->y, y_basis_, x_first ? "y" : "x");
  const Matrix straight = a.transpose() * b, crossed = -a.transpose() * b.colwise().reverse();
  struct Candidate {
    double value;
    Index i, j;
    double sign;
  };
  std::vector<Candidate> candidates;
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      const double strength = (1.0 - contrast_) * (a.col(i).squaredNorm() + b.col(j).squaredNorm());
      const bool same = straight(i, j) >= crossed(i, j);
      candidates.push_back({strength - 2.0 * (same ? straight(i, j) : crossed(i, j)), i, j, same ? 1.0 : -1.0});
    }
  }
  const auto better = [](const Candidate& p, const Candidate& q) {
    return p.value != q.value ? p.value < q.value : std::pair(p.i, p.j) < std::pair(q.i, q.j);
  };
  // Rarely more than the first few per cent are looked at: they are sorted, the rest only once they are needed.
  const auto all = static_cast<std::ptrdiff_t>(candidates.size());
  std::ptrdiff_t sorted = 0;
  const auto sort_up_to = [&](std::ptrdiff_t end) {
    const auto from = candidates.begin() + sorted, to = candidates.begin() + end;
    if (end < all) std::nth_element(from, to, candidates.end(), better);
    std::sort(from, to, better);
    sorted = end;
  };
  sort_up_to(std::min<std::ptrdiff_t>(all, 32L * std::max(1, random)));
  std::vector<int> x_uses(static_cast<std::size_t>(count)), y_uses(static_cast<std::size_t>(count));
  std::vector<Vector> points;
  for (std::ptrdiff_t at = 0; at < all && static_cast<int>(points.size()) < std::max(1, random); ++at) {
    if (at == sorted) sort_up_to(all);
    const Candidate& candidate = candidates[static_cast<std::size_t>(at)];
    int& x_used = x_uses[static_cast<std::size_t>(candidate.i)];
    int& y_used = y_uses[static_cast<std::size_t>(candidate.j)];
    if (x_used >= most_uses || y_used >= most_uses) continue;
    ++x_used;
    ++y_used;
    Vector point = Vector::Zero(manifold_->size());  // whitened: an optimised scale begins at 1
    point.head(x_basis_.cols()) = x_directions.col(candidate.i);
    point.segment(x_basis_.cols(), y_basis_.cols()) = candidate.sign * y_directions.col(candidate.j);
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<Vector> PairProblem::starts(int random, const Random& draw) const {
  if (contrast_ > 0.0 && !finite_set()) return screened_starts(random, draw);
  const Matrix x_covariance = comparison_->x.covariance_of(x_basis_);
  const Matrix y_covariance = comparison_->y.covariance_of(y_basis_);
  std::vector<Vector> points;
  const auto add = [&](const Matrix& wx, const Matrix& wy) {
    for (const double sign : {1.0, -1.0}) {  // (u, v) and (u, -v) are different problems
      Vector point(manifold_->size());
      point.head(wx.size()) = flattened(wx);
      point.segment(wx.size(), wy.size()) = sign * flattened(wy);
      if (comparison_->scale.kind == ScaleRule::Kind::optimised) {
        // Equal spreads to begin with.
        const Vector x_variance = (wx.transpose() * x_covariance * wx).diagonal();
        const Vector y_variance = (wy.transpose() * y_covariance * wy).diagonal();
        point.tail(pairs_) = 0.5 * ((x_variance.array() + 1e-12) / (y_variance.array() + 1e-12)).log();
      }
      points.push_back(std::move(point));
    }
  };
  // Principal axes: the widest and the narrowest of each side (eigenvalues increase).
  const Matrix x_axes = principal_axes(x_covariance).vectors;
  const Matrix y_axes = principal_axes(y_covariance).vectors;
  for (const bool x_widest : {true, false})
    for (const bool y_widest : {true, false})
      add(x_widest ? x_axes.rightCols(pairs_) : x_axes.leftCols(pairs_),
          y_widest ? y_axes.rightCols(pairs_) : y_axes.leftCols(pairs_));
  const auto x_frames = stiefel(x_basis_.cols(), pairs_), y_frames = stiefel(y_basis_.cols(), pairs_);
  const bool x_first = x_comes_first(*comparison_);
  for (int i = 0; i < random && !finite_set(); ++i) {
    Random stream = draw.stream(fmt::format("start {}", i));
    const Vector first = (x_first ? x_frames : y_frames)->random_point(stream);
    const Vector second = (x_first ? y_frames : x_frames)->random_point(stream);
    const Vector &wx = x_first ? first : second, &wy = x_first ? second : first;
    add(reshaped(wx, 0, x_basis_.cols(), pairs_), reshaped(wy, 0, y_basis_.cols(), pairs_));
  }
  return points;
}

}  // namespace cda
