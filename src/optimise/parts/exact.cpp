// The global minimum of z'Mz over z = (u, v), |u| = |v| = 1, with its proof.
//
// With D = diag(I, -I) every mu bounds the value from below, and the best of these bounds is attained (two quadratic
// constraints: the semidefinite relaxation is tight):
//   min z'Mz = 2 max_mu lambda_min(M - mu D).
// The right-hand side is concave in mu; its slope is -q/|z|^2 with q = |u|^2 - |v|^2 of the lowest eigenvector. At the
// best mu the lowest eigenspace holds a vector with q = 0, and each such vector is a minimiser. Cost: some 60 symmetric
// eigenvalue problems of the size of M. Polik and Terlaky, SIAM Review 49 (2007), survey the duality.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/linear_algebra.hpp"
#include "base/part.hpp"
#include "optimise/stopping.hpp"

using namespace cda;

namespace {

constexpr double gap_allowed = 1e-8;  // of the value
constexpr int most_cuts = 120;

struct Spectrum {
  double mu = 0.0;
  Vector values;   // increasing
  Matrix vectors;  // n x n

  double lowest() const { return values(0); }
};

class TwoSpheres {
 public:
  // M scaled to norm 1 or less, so that tolerances are absolute.
  TwoSpheres(const Matrix& scaled, Index x_size, const Stopping& stopping)
      : m_(scaled), x_size_(x_size), y_size_(scaled.rows() - x_size), stopping_(stopping) {}

  // Narrows mu down between slopes of either sign; fills the bound and the best point.
  void solve() {
    Spectrum low = spectrum(-2.0), high = spectrum(2.0);
    for (int cut = 0; cut < most_cuts; ++cut) {
      const double width = high.mu - low.mu;
      if (width <= 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low.mu), std::abs(high.mu))) break;
      Spectrum middle = spectrum(next_mu(low, high, cut));
      const double q = balance(middle.vectors.col(0));
      (q > 0.0 ? high : low) = std::move(middle);
      if (q == 0.0) break;
      // The two tangents meet above the maximum: when that is no higher than what was reached, it is found.
      if (tangents_meet(low, high).second - bound_ < 1e-17) break;
      // What there is already holds a point and a bound, only not as close together.
      if (cut_short_ = stopping_.asked_enough(); !cut_short_.empty()) break;
    }
    Matrix ends(m_.rows(), 2);
    ends << low.vectors.col(0), high.vectors.col(0);
    for (int pass = 0; pass < 2; ++pass) ends.col(1) -= ends.col(0) * ends.col(0).dot(ends.col(1));
    const double apart = ends.col(1).norm();
    if (apart > 1e-14) {
      ends.col(1) /= apart;
      try_span(ends);
    }
    for (const Spectrum* end : {&low, &high})
      for (const double close : {1e-14, 1e-12, 1e-10, 1e-8}) {
        const Index count = (end->values.array() <= end->lowest() + close).count();
        try_span(end->vectors.leftCols(count));
      }
    polish();
    bound_ = std::max(precise_lowest(low), precise_lowest(high));
  }

  double bound() const { return 2.0 * bound_; }
  int iterations() const { return iterations_; }
  const Vector& point() const { return point_; }
  const std::string& cut_short() const { return cut_short_; }  // why, or empty

 private:
  double balance(const Vector& z) const { return z.head(x_size_).squaredNorm() - z.tail(y_size_).squaredNorm(); }

  Spectrum spectrum(double mu) {
    Matrix shifted = m_;
    shifted.diagonal().head(x_size_).array() -= mu;
    shifted.diagonal().tail(y_size_).array() += mu;
    Axes axes = plain_axes(shifted);
    ++iterations_;
    Spectrum found{mu, std::move(axes.values), std::move(axes.vectors)};
    bound_ = std::max(bound_, found.lowest());
    return found;
  }

  // The same eigenvalue with 11 bits more: where the value is a small part of the norm, as with variances of very
  // different size, the rounding of the eigenvalue itself would be most of the gap. M - mu D - lambda, seen in the
  // eigenvectors next to the lowest, is a small matrix of small numbers; its lowest eigenvalue is the correction.
  double precise_lowest(const Spectrum& at) const {
    const Index n = m_.rows(), count = (at.values.array() <= at.lowest() + 1e-8).count();
    Matrix rest(count, count);
    for (Index b = 0; b < count; ++b) {
      std::vector<long double> image(static_cast<std::size_t>(n));
      for (Index i = 0; i < n; ++i) {
        long double sum = ((i < x_size_ ? -1.0L : 1.0L) * at.mu - at.lowest()) * at.vectors(i, b);
        for (Index j = 0; j < n; ++j) sum += static_cast<long double>(m_(i, j)) * at.vectors(j, b);
        image[static_cast<std::size_t>(i)] = sum;
      }
      for (Index a = 0; a < count; ++a) {
        long double sum = 0.0L;
        for (Index i = 0; i < n; ++i) sum += at.vectors(i, a) * image[static_cast<std::size_t>(i)];
        rest(a, b) = static_cast<double>(sum);
      }
    }
    return at.lowest() + plain_axes(rest).values(0);
  }

  // Where the tangents at both ends meet: (mu, height).
  std::pair<double, double> tangents_meet(const Spectrum& low, const Spectrum& high) const {
    const double rise = -balance(low.vectors.col(0)), fall = -balance(high.vectors.col(0));  // >= 0, <= 0
    if (!(rise - fall > 0.0)) return {0.5 * (low.mu + high.mu), std::max(low.lowest(), high.lowest())};
    const double along = (high.lowest() - low.lowest() - fall * (high.mu - low.mu)) / (rise - fall);
    return {low.mu + along, low.lowest() + rise * along};
  }

  // In turn: where the tangents meet (exact at a crossing of eigenvalues), the secant of q (fast where it is smooth),
  // and the middle (never slow).
  double next_mu(const Spectrum& low, const Spectrum& high, int cut) const {
    const double width = high.mu - low.mu, middle = low.mu + 0.5 * width;
    double mu = middle;
    if (cut % 3 == 1) mu = tangents_meet(low, high).first;
    if (cut % 3 == 2) {
      const double below = balance(low.vectors.col(0)), above = balance(high.vectors.col(0));
      mu = low.mu - width * below / (above - below);
    }
    return mu > low.mu && mu < high.mu ? mu : middle;
  }

  // The vectors with q = 0 made of the two directions in a span (orthonormal columns) along which q differs most.
  void try_span(const Matrix& span) {
    Matrix weighted = span;
    weighted.bottomRows(y_size_) *= -1.0;
    const Axes axes = plain_axes(span.transpose() * weighted);
    const Index last = axes.values.size() - 1;
    const double least = std::min(0.0, axes.values(0)), most = std::max(0.0, axes.values(last));
    const Vector down = span * axes.vectors.col(0), up = span * axes.vectors.col(last);
    try_point(std::sqrt(-least) * up + std::sqrt(most) * down);
    try_point(std::sqrt(-least) * up - std::sqrt(most) * down);
    try_point(std::abs(least) < most ? down : up);  // a span where q has one sign, but for rounding
  }

  bool try_point(const Vector& z) {
    const double u = z.head(x_size_).norm(), v = z.tail(y_size_).norm();
    if (!(u > 1e-12) || !(v > 1e-12) || !z.allFinite()) return false;
    Vector scaled(z.size());
    scaled << z.head(x_size_) / u, z.tail(y_size_) / v;
    // u and v each carry a sign; only their product matters to the value, but take the better for certain.
    Vector other = scaled;
    other.tail(y_size_) *= -1.0;
    bool better = false;
    for (Vector* candidate : {&scaled, &other}) {
      const double value = candidate->dot(m_ * *candidate);
      if (value_ > value) {
        value_ = value;
        point_ = *candidate;
        better = true;
      }
    }
    return better;
  }

  // Newton's method on M z = (a u, b v), |u| = |v| = 1, for as long as it lowers the value.
  void polish() {
    const Index n = m_.rows();
    for (int round = 0; round < 3 && point_.size() > 0; ++round) {
      Matrix normals = Matrix::Zero(n, 2);
      normals.col(0).head(x_size_) = point_.head(x_size_);
      normals.col(1).tail(y_size_) = point_.tail(y_size_);
      const Vector image = m_ * point_;
      const Vector multipliers = normals.transpose() * image;
      Matrix system = Matrix::Zero(n + 2, n + 2);
      system.topLeftCorner(n, n) = m_;
      system.diagonal().head(x_size_).array() -= multipliers(0);
      system.diagonal().segment(x_size_, y_size_).array() -= multipliers(1);
      system.topRightCorner(n, 2) = normals;
      system.bottomLeftCorner(2, n) = normals.transpose();
      Vector right = Vector::Zero(n + 2);
      right.head(n) = normals * multipliers - image;
      if (!try_point(point_ + solved(system, right).head(n))) return;
    }
  }

  const Matrix& m_;
  Index x_size_, y_size_;
  const Stopping& stopping_;
  std::string cut_short_;
  double bound_ = -std::numeric_limits<double>::infinity();  // of lambda_min
  double value_ = std::numeric_limits<double>::infinity();
  Vector point_;
  int iterations_ = 0;
};

void check(const Problem& problem) {
  if (!problem.quadratic)
    throw Error(Fault::usage, "exact.not_quadratic",
                "the optimiser exact needs an objective that is a quadratic form of both directions",
                "use natural_gradient, or the divergence extended_mallows of order 2 with a fixed scale");
  const QuadraticForm& form = *problem.quadratic;
  const Index n = form.matrix.rows();
  if (form.matrix.cols() != n || form.x_size < 1 || form.x_size >= n ||
      (problem.manifold && problem.manifold->size() != n))
    throw Error(Fault::internal, "exact.size",
                fmt::format("a quadratic form of {} x {} does not split after {}", n, form.matrix.cols(), form.x_size));
}

class Exact final : public Optimiser {
 public:
  bool needs_quadratic_form() const override { return true; }

  // The start and the tolerances play no part: there is one answer.
  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    check(problem);
    const QuadraticForm& form = *problem.quadratic;
    Outcome outcome;
    if (!form.matrix.allFinite()) {
      outcome.point = start;
      outcome.value = std::numeric_limits<double>::quiet_NaN();
      outcome.stopped = StopReason::not_finite;
      outcome.why = "the quadratic form has entries that are not finite numbers";
      return outcome;
    }
    const Matrix m = 0.5 * form.matrix + 0.5 * form.matrix.transpose();
    const double norm = m.stableNorm();
    const Index n = m.rows();
    const double unit =
        norm > 0.0 ? std::exp2(std::ceil(std::log2(norm))) : 1.0;  // a power of 2 scales without rounding
    const Matrix scaled = m / unit;
    TwoSpheres spheres(scaled, form.x_size, stopping);
    spheres.solve();

    outcome.point = spheres.point();
    Index largest = 0;
    outcome.point.head(form.x_size).cwiseAbs().maxCoeff(&largest);
    if (outcome.point(largest) < 0.0) outcome.point = -outcome.point;
    const Vector image = 2.0 * (m * outcome.point);
    outcome.gradient_norm =
        product({sphere(form.x_size), sphere(n - form.x_size)})->tangent(outcome.point, image).norm();
    outcome.iterations = spheres.iterations();
    const double form_value = 0.5 * image.dot(outcome.point);
    outcome.value = form_value;
    if (problem.value) {
      outcome.value = problem.value(outcome.point, nullptr);
      outcome.evaluations = 1;
      if (!(std::abs(outcome.value - form_value) <= 1e-6 * norm))
        throw Error(Fault::internal, "exact.value",
                    fmt::format("the objective is {} where its quadratic form is {}", outcome.value, form_value));
    }
    // A value is itself a rounded sum: the bound gives that much away, so that no computed value falls below it.
    outcome.lower_bound = spheres.bound() * unit - 2.0 * std::numeric_limits<double>::epsilon() * norm;
    const double gap = std::max(0.0, form_value - *outcome.lower_bound);
    const double share = gap / std::max(std::abs(form_value), std::numeric_limits<double>::min());
    // A gap of some roundings of the norm is closed too: no arithmetic with these numbers could close it further.
    const bool closed = share <= gap_allowed || gap <= 16.0 * std::numeric_limits<double>::epsilon() * norm;
    outcome.stopped = closed ? StopReason::exact : StopReason::decrease;
    outcome.why = closed ? fmt::format("the global minimum: value {:.10g}, and no point lies below {:.10g}",
                                       outcome.value, *outcome.lower_bound)
                         : fmt::format(
                               "not proved to be the global minimum: value {:.10g}, but only {:.10g} is certain "
                               "as a lower bound ({:.1e} of the value apart)",
                               outcome.value, *outcome.lower_bound, share);
    if (!closed && !spheres.cut_short().empty()) {
      outcome.stopped = StopReason::enough;
      outcome.why = spheres.cut_short();
    }
    outcome.trace.push_back({outcome.iterations, outcome.value, outcome.gradient_norm});
    if (observer) observer(outcome.trace.back());
    return outcome;
  }
};

}  // namespace

CDA_PART(Optimiser, exact) {
  return {.info = {.name = {},
                   .summary = "the global minimum with its proof, for quadratic forms (extended_mallows of order 2)",
                   .reference = "Polik and Terlaky 2007, on two quadratic constraints",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Optimiser> { return std::make_unique<Exact>(); }};
}
