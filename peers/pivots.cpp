#include "peers/pivots.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "cda/extend/divergence.hpp"

namespace cda {
namespace {

constexpr Index folds = 5;

// Sums of products of the rows of one fold, i = f, f + 5, ...
struct Products {
  Matrix sum;  // d x d
  Index rows = 0;
};

std::array<Products, folds> products_by_fold(const Matrix& rows) {
  std::array<Products, folds> all;
  for (Index f = 0; f < folds; ++f) {
    const Matrix part = rows(Eigen::seq(f, Eigen::last, folds), Eigen::all);
    all[static_cast<std::size_t>(f)] = {part.transpose() * part, part.rows()};
  }
  return all;
}

Matrix predictors(Matrix covariance, const std::vector<Index>& pivots, double lambda) {
  const Index d = covariance.cols();
  covariance.diagonal().array() += lambda;
  Matrix weights = symmetric_solve(covariance, Matrix::Identity(d, d)(Eigen::all, pivots));  // columns of P
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    auto column = weights.col(static_cast<Index>(i));
    column /= -column[pivots[i]];
    column[pivots[i]] = 0.0;
  }
  return weights;
}

// The sum over rows of (z_p - w'z)^2, from the rows' products S: S_pp - 2 w'S_p + w'S w.
double squared_error(const Matrix& products, Index pivot, const Vector& weights) {
  return products(pivot, pivot) - 2.0 * weights.dot(products.col(pivot)) + weights.dot(products * weights);
}

}  // namespace

PivotPredictors pivot_predictors(const Matrix& rows, const std::vector<Index>& pivots, const Executor& executor) {
  const Index d = rows.cols();
  const std::array<Products, folds> parts = products_by_fold(rows);
  Products whole{Matrix::Zero(d, d), 0};
  for (const Products& part : parts) {
    whole.sum += part.sum;
    whole.rows += part.rows;
  }
  const std::array<double, 6> grid{1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0};
  double chosen = grid[2];
  if (rows.rows() >= 2 * folds && d > 1) {
    Matrix errors = Matrix::Zero(static_cast<Index>(grid.size()), folds);
    executor.for_each(errors.size(), [&](Index task) {
      const Index g = task % errors.rows(), f = task / errors.rows();
      const Products& held_out = parts[static_cast<std::size_t>(f)];
      const Matrix covariance = (whole.sum - held_out.sum) / static_cast<double>(whole.rows - held_out.rows);
      const Matrix weights = predictors(covariance, pivots, grid[static_cast<std::size_t>(g)]);
      for (std::size_t i = 0; i < pivots.size(); ++i)
        errors(g, f) += squared_error(held_out.sum, pivots[i], weights.col(static_cast<Index>(i)));
    });
    Index best = 0;
    errors.rowwise().sum().minCoeff(&best);
    chosen = grid[static_cast<std::size_t>(best)];
  }
  return {predictors(whole.sum / static_cast<double>(whole.rows), pivots, chosen), chosen};
}

std::vector<Index> choose_pivots(const Matrix& x, const Matrix& y, Index count) {
  std::vector<Index> pivots(static_cast<std::size_t>(x.cols()));
  std::iota(pivots.begin(), pivots.end(), Index{0});
  if (count == 0 || count >= x.cols()) return pivots;
  const auto wasserstein = divergences().make("wasserstein:order=1");
  std::vector<double> distances;
  const Sample x_rows(x), y_rows(y);
  for (Index j = 0; j < x.cols(); ++j) {
    const Matrix column = Matrix::Identity(x.cols(), x.cols()).col(j);
    Projection x_values(x_rows, column, Vector::Ones(1)), y_values(y_rows, column, Vector::Ones(1));
    distances.push_back(wasserstein->evaluate(x_values, y_values, false));
  }
  std::stable_sort(pivots.begin(), pivots.end(), [&](Index a, Index b) {
    return distances[static_cast<std::size_t>(a)] < distances[static_cast<std::size_t>(b)];
  });
  pivots.resize(static_cast<std::size_t>(count));
  std::sort(pivots.begin(), pivots.end());
  return pivots;
}

}  // namespace cda
