#include "peers/squared_loss_information.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/gaussian_kernels.hpp"
#include "base/products.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

constexpr Index block_rows = 256;
constexpr std::size_t parts_held_out = 5;

Matrix rows_of(const Matrix& values, const std::vector<Index>& rows) { return values(rows, Eigen::all); }

// One side's basis functions: the constant, if there is one, and a kernel about each centre.
class Basis {
 public:
  Basis(const Matrix& values, const InformationModel& model)
      : sigma_(model.sigma), constants_(model.constant_basis ? 1 : 0), centres_(rows_of(values, model.centres)) {}

  const Matrix& centres() const { return centres_; }  // b x r
  Index constants() const { return constants_; }
  Index size() const { return constants_ + centres_.rows(); }

  Matrix at(const Eigen::Ref<const Matrix>& points) const {
    Matrix phi(points.rows(), size());
    if (constants_ > 0) phi.col(0).setOnes();
    gaussian_kernels(points, centres_, sigma_, phi.rightCols(centres_.rows()));
    return phi;
  }

 private:
  double sigma_;
  Index constants_;
  Matrix centres_;
};

// Sums over rows of phi_x phi_x', phi_y phi_y' (lower halves) and phi_x o phi_y.
struct KernelProducts {
  Matrix x, y;
  Vector joint;
  double rows = 0.0;

  explicit KernelProducts(Index size)
      : x(Matrix::Zero(size, size)), y(Matrix::Zero(size, size)), joint(Vector::Zero(size)) {}
  void add(const Matrix& phi_x, const Matrix& phi_y) {
    add_products(phi_x, x);
    add_products(phi_y, y);
    joint += phi_x.cwiseProduct(phi_y).colwise().sum().transpose();
    rows += static_cast<double>(phi_x.rows());
  }
  KernelProducts& operator+=(const KernelProducts& other) {
    x += other.x;
    y += other.y;
    joint += other.joint;
    rows += other.rows;
    return *this;
  }
  KernelProducts& operator-=(const KernelProducts& other) {
    x -= other.x;
    y -= other.y;
    joint -= other.joint;
    rows -= other.rows;
    return *this;
  }
  template <class Add>
  void each_number(const Add& add) {
    add(x);
    add(y);
    add(joint);
    add(rows);
  }
  Vector h() const { return joint / rows; }
  Matrix second() const { return x.cwiseProduct(y) / (rows * rows); }  // H, its lower half
};

// The functions at all rows are kept for the way back, block by block, where they take little memory.
struct Kept {
  std::vector<Matrix> x, y;

  Kept(Index rows, Index size, bool wanted) {
    constexpr Index entries_kept = Index{1} << 23;
    if (!wanted || 2 * rows * size > entries_kept) return;
    x.resize(static_cast<std::size_t>(rows / block_rows + 1));
    y.resize(x.size());
  }
  bool any() const { return !x.empty(); }
};

KernelProducts products_of(const Basis& basis_x, const Basis& basis_y, const Matrix& x, const Matrix& y,
                           const Executor& executor, Kept& kept) {
  return executor.sum_rows(x.rows(), KernelProducts(basis_x.size()), [&](Index begin, Index end, KernelProducts& part) {
    for (Index row = begin; row < end; row += block_rows) {
      const Index rows = std::min(block_rows, end - row);
      Matrix phi_x = basis_x.at(x.middleRows(row, rows)), phi_y = basis_y.at(y.middleRows(row, rows));
      part.add(phi_x, phi_y);
      if (!kept.any()) continue;
      kept.x[static_cast<std::size_t>(row / block_rows)] = std::move(phi_x);
      kept.y[static_cast<std::size_t>(row / block_rows)] = std::move(phi_y);
    }
  });
}

Eigen::LLT<Matrix> penalised_factor(Matrix second, Index constants, double lambda) {
  second.diagonal().tail(second.rows() - constants).array() += lambda;
  // A constant and nearly constant kernels can make the matrix singular to rounding: a jitter far below lambda.
  double jitter = 1e-12 * second.diagonal().maxCoeff();
  Eigen::LLT<Matrix> factor;
  do {
    second.diagonal().array() += jitter;
    factor.compute(second);
    jitter *= 100.0;
  } while (factor.info() != Eigen::Success && jitter < 1.0);
  return factor;
}

// What a block of rows adds to the derivatives of its own values and of the centres, given W o K.
void back(const Matrix& weighted, const Matrix& points, const Matrix& centres, double sigma, Index row,
          Matrix& d_values, Eigen::Ref<Matrix> d_centres) {
  const double inverse = 1.0 / (sigma * sigma);
  const KernelSums of = kernel_sums(weighted, points, centres);
  d_values.middleRows(row, points.rows()) = inverse * (of.toward - of.by_row.asDiagonal() * points);
  d_centres += inverse * (of.across - of.by_centre.asDiagonal() * centres);
}

}  // namespace

double squared_loss_information(const Matrix& x, const Matrix& y, const InformationModel& model,
                                InformationGradient* gradient, const Executor& executor) {
  const Basis basis_x(x, model), basis_y(y, model);
  const Index n = x.rows(), b = basis_x.centres().rows();
  Kept kept(n, basis_x.size(), gradient != nullptr);
  KernelProducts products = products_of(basis_x, basis_y, x, y, executor, kept);
  const Matrix second = products.second();
  const Vector h = products.h();
  const auto factor = penalised_factor(second, basis_x.constants(), model.lambda);
  const Vector theta = factor.solve(h), fitted = second.selfadjointView<Eigen::Lower>() * theta;
  const double value = h.dot(theta) - 0.5 * theta.dot(fitted) - 0.5;
  if (gradient == nullptr) return value;

  const Vector t = factor.solve(fitted), p = 2.0 * theta - t, s = 1.5 * theta - t;
  const auto rows = static_cast<double>(n);
  // 2/n^2 S o Kx'Kx and 2/n^2 S o Ky'Ky, whole.
  const auto curbed = [&](const Matrix& lower) {
    Matrix whole = lower.selfadjointView<Eigen::Lower>();
    whole.array() *= (theta * s.transpose() + s * theta.transpose()).array() / (rows * rows);
    return Matrix(whole.rightCols(b));
  };
  const Matrix of_x = curbed(products.x), of_y = curbed(products.y);  // (1 +) b x b
  gradient->x.resize(n, x.cols());
  gradient->y.resize(n, y.cols());
  const Eigen::RowVectorXd linear = p.tail(b).transpose() / rows;
  const Matrix zero = Matrix::Zero(b, x.cols() + y.cols());
  const Matrix d_centres = executor.sum_rows(n, zero, [&](Index begin, Index end, Matrix& part) {
    for (Index row = begin; row < end; row += block_rows) {
      const Index count = std::min(block_rows, end - row);
      const Matrix points_x = x.middleRows(row, count), points_y = y.middleRows(row, count);
      const auto block = static_cast<std::size_t>(row / block_rows);
      Matrix fresh_x, fresh_y;
      if (!kept.any()) {
        fresh_x = basis_x.at(points_x);
        fresh_y = basis_y.at(points_y);
      }
      const Matrix& phi_x = kept.any() ? kept.x[block] : fresh_x;
      const Matrix& phi_y = kept.any() ? kept.y[block] : fresh_y;
      const auto kernels_x = phi_x.rightCols(b), kernels_y = phi_y.rightCols(b);
      const Matrix joint = (kernels_x.array() * kernels_y.array()).rowwise() * linear.array();
      Matrix weighted;
      multiply(phi_x, of_y, weighted);
      weighted = joint - weighted.cwiseProduct(kernels_x);
      back(weighted, points_x, basis_x.centres(), model.sigma, row, gradient->x, part.leftCols(x.cols()));
      multiply(phi_y, of_x, weighted);
      weighted = joint - weighted.cwiseProduct(kernels_y);
      back(weighted, points_y, basis_y.centres(), model.sigma, row, gradient->y, part.rightCols(y.cols()));
    }
  });
  for (Index c = 0; c < b; ++c) {
    gradient->x.row(model.centres[static_cast<std::size_t>(c)]) += d_centres.row(c).head(x.cols());
    gradient->y.row(model.centres[static_cast<std::size_t>(c)]) += d_centres.row(c).tail(y.cols());
  }
  return value;
}

InformationChoice cross_validated(const Matrix& x, const Matrix& y, const InformationModel& model,
                                  const InformationGrid& grid, const std::vector<Index>& order,
                                  const Executor& executor) {
  std::vector<std::vector<Index>> dealt(std::min(parts_held_out, order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) dealt[i % dealt.size()].push_back(order[i]);
  InformationChoice best;
  best.held_out = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < grid.sigmas.size(); ++i) {
    InformationModel candidate = model;
    candidate.sigma = grid.sigmas[i];
    const Basis basis_x(x, candidate), basis_y(y, candidate);
    std::vector<KernelProducts> parts;
    KernelProducts total(basis_x.size());
    Kept nothing(0, 0, false);
    for (const std::vector<Index>& fold : dealt) {
      parts.push_back(products_of(basis_x, basis_y, rows_of(x, fold), rows_of(y, fold), executor, nothing));
      total += parts.back();
    }
    std::vector<double> scores(grid.lambdas.size(), 0.0);
    for (const KernelProducts& held_out : parts) {
      KernelProducts training = total;
      if (parts.size() > 1) training -= held_out;
      const Matrix second = training.second(), own = held_out.second();
      const Vector h = training.h(), own_h = held_out.h();
      for (std::size_t j = 0; j < grid.lambdas.size(); ++j) {
        const Vector theta = penalised_factor(second, basis_x.constants(), grid.lambdas[j]).solve(h);
        const double curvature = theta.dot(own.selfadjointView<Eigen::Lower>() * theta);
        scores[j] += (own_h.dot(theta) - 0.5 * curvature - 0.5) / static_cast<double>(parts.size());
      }
    }
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (scores[j] > best.held_out) best = {i, j, scores[j]};
  }
  return best;
}

double median_joint_distance(const Matrix& x, const Matrix& y, const std::vector<Index>& rows) {
  std::vector<double> squared;
  squared.reserve(rows.size() * rows.size() / 2);
  double total = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      squared.push_back((x.row(rows[i]) - x.row(rows[j])).squaredNorm() +
                        (y.row(rows[i]) - y.row(rows[j])).squaredNorm());
      total += squared.back();
    }
  if (!(total > 0.0)) return 1.0;
  const auto middle = squared.begin() + static_cast<std::ptrdiff_t>(squared.size() / 2);
  std::nth_element(squared.begin(), middle, squared.end());
  return *middle > 0.0 ? std::sqrt(*middle) : 0.1 * std::sqrt(total / static_cast<double>(squared.size()));
}

}  // namespace cda
