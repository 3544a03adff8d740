#include "divergence/density_ratio.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/gaussian_kernels.hpp"
#include "base/over_ranks.hpp"
#include "base/processor.hpp"
#include "base/products.hpp"
#include "cda/error.hpp"
#include "divergence/density_ratio_line.hpp"

namespace cda {
namespace {

constexpr Index block_rows = 256;

// The basis functions at a block of points: one column per centre, after the constant if there is one.
class Basis {
 public:
  Basis(const Samples& samples, const RatioModel& model) : model_(model), centres_(rows_of(samples, model.centres)) {}

  static Matrix rows_of(const Samples& samples, const std::vector<Index>& rows) {
    if (std::any_of(rows.begin(), rows.end(), [&](Index row) { return row >= samples.values->rows(); }))
      throw Error(Fault::internal, "pearson.centres", "a divergence was tuned on one sample and used on a shorter one");
    return chosen_rows(*samples.values, rows, *samples.executor);
  }

  const Matrix& centres() const { return centres_; }  // b x r
  Index constants() const { return model_.constant_basis ? 1 : 0; }
  Index size() const { return constants() + centres_.rows(); }

  Matrix at(const Eigen::Ref<const Matrix>& points) const {
    Matrix phi(points.rows(), size());
    if (model_.constant_basis) phi.col(0).setOnes();
    gaussian_kernels(points, centres_, model_.sigma, phi.rightCols(centres_.rows()));
    return phi;
  }

  // lambda R: the constant is not penalised.
  void penalise(Matrix& h, double lambda) const { h.diagonal().tail(centres_.rows()).array() += lambda; }

 private:
  const RatioModel& model_;
  Matrix centres_;
};

// Sums of phi phi' (lower half) and of phi over rows.
struct BasisMoments {
  Matrix second;
  Vector first;
  double rows = 0.0;

  explicit BasisMoments(Index size) : second(Matrix::Zero(size, size)), first(Vector::Zero(size)) {}
  void add(const Matrix& phi) {
    add_products(phi, second);
    first += phi.colwise().sum().transpose();
    rows += static_cast<double>(phi.rows());
  }
  BasisMoments& operator+=(const BasisMoments& other) {
    second += other.second;
    first += other.first;
    rows += other.rows;
    return *this;
  }
  template <class Add>
  void each_number(const Add& add) {
    add(second);
    add(first);
    add(rows);
  }
  BasisMoments& operator-=(const BasisMoments& other) {
    second -= other.second;
    first -= other.first;
    rows -= other.rows;
    return *this;
  }
};

// Where the basis functions at all rows take little memory they are kept for the way back, block by block.
constexpr Index entries_kept = Index{1} << 22;
using KeptBlocks = std::vector<Matrix>;

KeptBlocks room_for(const Basis& basis, Index rows) {
  return KeptBlocks(rows * basis.size() <= entries_kept ? static_cast<std::size_t>(rows / block_rows + 1) : 0);
}

BasisMoments moments_of(const Basis& basis, const Samples& samples, KeptBlocks& kept) {
  const Matrix& values = *samples.values;
  return samples.executor->sum_rows(values.rows(), BasisMoments(basis.size()),
                                    [&](Index begin, Index end, BasisMoments& part) {
                                      for (Index row = begin; row < end; row += block_rows) {
                                        Matrix phi = basis.at(values.middleRows(row, std::min(block_rows, end - row)));
                                        part.add(phi);
                                        if (!kept.empty())
                                          kept[static_cast<std::size_t>(row / block_rows)] = std::move(phi);
                                      }
                                    });
}

struct Fitted {
  Eigen::LLT<Matrix> factor;  // of H + lambda R
  Vector theta;
  Vector h;
};

// From H (its lower half) and h.
Fitted fitted(const Basis& basis, Matrix second, Vector first, double lambda) {
  basis.penalise(second, lambda);
  // A constant and nearly constant kernels can make the matrix singular to rounding: a jitter far below lambda.
  double jitter = 1e-12 * second.diagonal().maxCoeff();
  Fitted fit{{}, {}, std::move(first)};
  do {
    second.diagonal().array() += jitter;
    fit.factor.compute(second);
    jitter *= 100.0;
  } while (fit.factor.info() != Eigen::Success && jitter < 1.0);
  fit.theta = fit.factor.solve(fit.h);
  return fit;
}

Fitted fitted(const Basis& basis, const BasisMoments& p, const BasisMoments& q, double lambda) {
  return fitted(basis, 0.5 / p.rows * p.second + 0.5 / q.rows * q.second, p.first / p.rows, lambda);
}

// weighted = (of_gs gs + of_g g + constant) o phi
CDA_FOR_EACH_PROCESSOR void weigh(const double* phi, const double* g, double of_g, const double* gs, double of_gs,
                                  double constant, Index rows, double* weighted) {
  for (Index i = 0; i < rows; ++i) weighted[i] = (of_gs * gs[i] + of_g * g[i] + constant) * phi[i];
}

// What a block of rows adds to the gradient: its own values', the centres' and sigma's.
struct Backward {
  const Basis& basis;
  const RatioModel& model;
  const Vector& theta;
  const Vector& p;  // of the formulas above; with the constant in front where there is one
  const Vector& s;

  // rows x r derivatives of one side; `linear` is 1/n for the side of p, 0 for q; `weight` is w_a.
  void add(const Samples& side, const KeptBlocks& kept, double linear, double weight, Matrix& d_values,
           Matrix& d_centres, double& d_sigma) const {
    const Matrix& values = *side.values;
    const Matrix& centres = basis.centres();
    const Index b = centres.rows(), r = values.cols();
    // Derivatives of the centres (b x r) and, in one more column, of sigma.
    const Matrix zero = Matrix::Zero(b, r + 1);
    const double inverse = 1.0 / (model.sigma * model.sigma);
    const bool one_series = s == theta;
    const Matrix sums = side.executor->sum_rows(values.rows(), zero, [&](Index begin, Index end, Matrix& part) {
      for (Index row = begin; row < end; row += block_rows) {
        const Index rows = std::min(block_rows, end - row);
        const Matrix points = values.middleRows(row, rows);
        Matrix fresh;
        if (kept.empty()) fresh = basis.at(points);
        const Matrix& phi = kept.empty() ? fresh : kept[static_cast<std::size_t>(row / block_rows)];
        const Vector g = phi * theta, gs = one_series ? g : Vector(phi * s);
        const Index constants = phi.cols() - b;
        Matrix weighted(rows, b);  // W o phi, without the constant
        for (Index c = 0; c < b; ++c)
          weigh(phi.col(constants + c).data(), g.data(), -0.5 * weight * s[constants + c], gs.data(),
                -0.5 * weight * theta[constants + c], linear * p[constants + c], rows, weighted.col(c).data());
        const KernelSums of = kernel_sums(weighted, points, centres);
        d_values.middleRows(row, rows) = -inverse * (of.by_row.asDiagonal() * points - of.toward);
        part.leftCols(r) += inverse * (of.across - of.by_centre.asDiagonal() * centres);
        part(0, r) += inverse / model.sigma *
                      ((of.by_row.asDiagonal() * points - 2.0 * of.toward).cwiseProduct(points).sum() +
                       of.by_centre.dot(centres.rowwise().squaredNorm()));
      }
    });
    d_centres += sums.leftCols(r);
    d_sigma += sums(0, r);
  }
};

// The vectors of the formulas: what the value does with theta, h and H, as far as its gradient needs to know.
struct Weights {
  double value = 0.0;
  Vector theta, linear, square;  // theta, p, s
};

Weights evaluated(const RatioModel& model, const Fitted& fit) {
  Weights weights{0.0, fit.theta, fit.theta, fit.theta};
  weights.value = 0.5 * fit.h.dot(fit.theta) - 0.5;
  if (!model.paper_estimate) return weights;
  Vector penalised = fit.theta;
  if (model.constant_basis) penalised[0] = 0.0;
  weights.value += 0.5 * model.lambda * penalised.squaredNorm();
  const Vector gamma = fit.factor.solve(penalised);
  weights.linear += model.lambda * gamma;
  weights.square += 2.0 * model.lambda * gamma;
  return weights;
}

double from_kernels(const Samples& p, const Samples& q, const RatioModel& model, const Basis& basis,
                    RatioGradient* gradient) {
  KeptBlocks kept_p = gradient != nullptr ? room_for(basis, p.values->rows()) : KeptBlocks();
  KeptBlocks kept_q = gradient != nullptr ? room_for(basis, q.values->rows()) : KeptBlocks();
  const BasisMoments of_p = moments_of(basis, p, kept_p), of_q = moments_of(basis, q, kept_q);
  const Weights weights = evaluated(model, fitted(basis, of_p, of_q, model.lambda));
  if (gradient == nullptr) return weights.value;
  const Backward backward{basis, model, weights.theta, weights.linear, weights.square};
  gradient->p.resize(p.values->rows(), p.values->cols());
  gradient->q.resize(q.values->rows(), q.values->cols());
  gradient->sigma = gradient->backward_sigma = 0.0;
  Matrix d_centres = Matrix::Zero(basis.centres().rows(), p.values->cols());
  backward.add(p, kept_p, 1.0 / of_p.rows, 0.5 / of_p.rows, gradient->p, d_centres, gradient->sigma);
  backward.add(q, kept_q, 0.0, 0.5 / of_q.rows, gradient->q, d_centres, gradient->sigma);
  for (std::size_t c = 0; c < model.centres.size(); ++c)
    if (model.centres[c] != elsewhere) gradient->p.row(model.centres[c]) += d_centres.row(static_cast<Index>(c));
  return weights.value;
}

// The same in one dimension by way of polynomials (density_ratio_line.hpp): what one way of comparing adds to the
// value, and to the gradient as series that are still to be evaluated at the rows.
struct OnLine {
  double value = 0.0, d_sigma = 0.0;
  Vector p, q;       // series: derivatives with respect to values
  Vector d_centres;  // b
};

OnLine on_line(const PolynomialLine& line, const Vector& p_means, Index p_rows, const Vector& q_means, Index q_rows,
               const RatioModel& model, const Basis& basis, const KernelOnLine& kernel, bool with_gradient) {
  const Index size = kernel.size(), b = basis.centres().rows();
  // Of the mixture; H is all that the fit needs of second moments.
  const Matrix second = second_moments(0.5 * p_means + 0.5 * q_means, size);
  const Matrix at_centres = line.features(basis.centres().col(0), size);  // b x P
  Matrix map = Matrix::Zero(size, basis.size());                          // M
  if (model.constant_basis) map(0, 0) = 1.0;
  map.rightCols(b) = kernel.kernel() * at_centres.transpose();
  Matrix half, h(basis.size(), basis.size());
  multiply(second, map, half);
  h.triangularView<Eigen::Lower>() = map.transpose() * half;
  const Weights weights =
      evaluated(model, fitted(basis, std::move(h), map.transpose() * p_means.head(size), model.lambda));
  OnLine found;
  found.value = weights.value;
  if (!with_gradient) return found;

  // A row adds linear * (phi'p) - weight/2 (g gs): a polynomial whose slope is what moves its value.
  const Vector g = map * weights.theta, gs = map * weights.square, linear = map * weights.linear;
  const Vector squares = PolynomialLine::product(g, gs);
  const auto slopes = [&](double of_linear, double weight) -> Vector {
    Vector series = -0.5 * weight * squares;
    series.head(size) += of_linear * linear;
    return line.derivative(series);
  };
  const auto n = static_cast<double>(p_rows), k = static_cast<double>(q_rows);
  found.p = slopes(1.0 / n, 0.5 / n);
  found.q = slopes(0.0, 0.5 / k);

  // sum_a W_ac F_a for centre c is linear_c v_1 - (theta_c v_2 + square_c v_3) / 2.
  Matrix sums(size, 3);
  sums << p_means.head(size), second * gs, second * g;
  const auto by_centre = [&](const Matrix& at) -> Vector {  // b x 3
    return weights.linear.tail(b).cwiseProduct(at.col(0)) -
           0.5 * (weights.theta.tail(b).cwiseProduct(at.col(1)) + weights.square.tail(b).cwiseProduct(at.col(2)));
  };
  found.d_centres = by_centre(at_centres * line.derivative(kernel.kernel() * sums));
  found.d_sigma = by_centre(at_centres * (kernel.sigma_derivative() * sums)).sum();
  return found;
}

// The longer of two series, with the shorter added to it.
Vector added(Vector a, const Vector& b) {
  if (a.size() < b.size()) a.conservativeResizeLike(Vector::Zero(b.size()));
  a.head(b.size()) += b;
  return a;
}

double from_polynomials(const Samples& p, const Samples& q, const RatioModel& forward, const RatioModel* backward,
                        double lowest, double highest, RatioGradient* gradient) {
  const PolynomialLine line(lowest, highest);
  const KernelOnLine kernel(lowest, highest, forward.sigma);
  const bool same_kernel = backward == nullptr || backward->sigma == forward.sigma;
  const KernelOnLine other = same_kernel ? kernel : KernelOnLine(lowest, highest, backward->sigma);
  const Index count = 2 * std::max(kernel.size(), other.size()) - 1;
  const Index n = p.size(), k = q.size();
  const Vector p_means = line.sums(p, count) / static_cast<double>(n);
  const Vector q_means = line.sums(q, count) / static_cast<double>(k);
  const bool wanted = gradient != nullptr;

  OnLine there = on_line(line, p_means, n, q_means, k, forward, Basis(p, forward), kernel, wanted);
  OnLine back;
  if (backward != nullptr) back = on_line(line, q_means, k, p_means, n, *backward, Basis(q, *backward), other, wanted);
  const double value = there.value + back.value;
  if (!wanted) return value;

  gradient->p = line.evaluated(added(there.p, back.q), p);
  gradient->q = line.evaluated(added(there.q, back.p), q);
  const auto add_at = [](const std::vector<Index>& centres, const Vector& derivatives, Matrix& values) {
    for (std::size_t c = 0; c < centres.size(); ++c)
      if (centres[c] != elsewhere) values(centres[c], 0) += derivatives[static_cast<Index>(c)];
  };
  add_at(forward.centres, there.d_centres, gradient->p);
  if (backward != nullptr) add_at(backward->centres, back.d_centres, gradient->q);
  gradient->sigma = there.d_sigma;
  gradient->backward_sigma = back.d_sigma;
  return value;
}

// Whether P polynomials are cheaper than b kernels at each of N rows: passes over the rows, and P x P matrices.
bool polynomials_pay(double lowest, double highest, Index rows, const RatioModel& model) {
  const auto size = static_cast<double>(KernelOnLine::size_for(lowest, highest, model.sigma));
  const auto kernels = static_cast<double>(model.centres.size()), count = static_cast<double>(rows);
  return size < 1500.0 && count * size * 8.0 + size * size * (8.0 * size + 4.0 * kernels) < count * kernels * kernels;
}

}  // namespace

double relative_pearson(const Samples& p, const Samples& q, const RatioModel& forward, const RatioModel* backward,
                        RatioGradient* gradient, bool allow_polynomials) {
  if (allow_polynomials && p.values->cols() == 1) {
    const Range p_range = range_of(*p.values, *p.executor), q_range = range_of(*q.values, *q.executor);
    const double lowest = std::min(p_range.lowest, q_range.lowest);
    const double highest = std::max(p_range.highest, q_range.highest);
    const Index rows = p.size() + q.size();
    if (polynomials_pay(lowest, highest, rows, forward) &&
        (backward == nullptr || polynomials_pay(lowest, highest, rows, *backward)))
      return from_polynomials(p, q, forward, backward, lowest, highest, gradient);
  }
  double value = from_kernels(p, q, forward, Basis(p, forward), gradient);
  if (backward == nullptr) return value;
  RatioGradient reverse;
  value += from_kernels(q, p, *backward, Basis(q, *backward), gradient != nullptr ? &reverse : nullptr);
  if (gradient != nullptr) {
    gradient->p += reverse.q;
    gradient->q += reverse.p;
    gradient->backward_sigma = reverse.sigma;
  }
  return value;
}

double cross_validated_lambda(const Samples& p, const std::vector<Index>& p_rows, const Samples& q,
                              const std::vector<Index>& q_rows, const RatioModel& model) {
  constexpr std::size_t folds = 5;
  constexpr std::array<double, 5> candidates{1e-3, 1e-2, 1e-1, 1.0, 10.0};
  if (p_rows.size() < 2 * folds || q_rows.size() < 2 * folds) return 0.1;
  const Basis basis(p, model);
  const auto by_fold = [&](const Samples& samples, const std::vector<Index>& rows) {
    std::vector<BasisMoments> parts(folds, BasisMoments(basis.size()));
    for (std::size_t fold = 0; fold < folds; ++fold) {
      std::vector<Index> members;
      for (std::size_t i = fold; i < rows.size(); i += folds) members.push_back(rows[i]);
      parts[fold].add(basis.at(Basis::rows_of(samples, members)));
    }
    return parts;
  };
  const std::vector<BasisMoments> of_p = by_fold(p, p_rows), of_q = by_fold(q, q_rows);
  BasisMoments all_p(basis.size()), all_q(basis.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    all_p += of_p[fold];
    all_q += of_q[fold];
  }
  double best = candidates[2], best_loss = std::numeric_limits<double>::infinity();
  for (const double lambda : candidates) {
    double loss = 0.0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
      BasisMoments train_p = all_p, train_q = all_q;
      train_p -= of_p[fold];
      train_q -= of_q[fold];
      const Vector theta = fitted(basis, train_p, train_q, lambda).theta;
      const auto mean_square = [&](const BasisMoments& held_out) {
        return theta.dot(held_out.second.selfadjointView<Eigen::Lower>() * theta) / held_out.rows;
      };
      loss += 0.25 * mean_square(of_p[fold]) + 0.25 * mean_square(of_q[fold]) -
              of_p[fold].first.dot(theta) / of_p[fold].rows;
    }
    if (loss < best_loss) {
      best_loss = loss;
      best = lambda;
    }
  }
  return best;
}

}  // namespace cda
