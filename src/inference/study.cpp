#include "inference/study.hpp"

#include <cmath>

namespace cda {
namespace {

Matrix standardised(const Matrix& columns) {
  Matrix centred = columns.rowwise() - columns.colwise().mean();
  for (Index j = 0; j < centred.cols(); ++j) {
    const double norm = centred.col(j).norm();
    if (norm > 0.0) centred.col(j) /= norm;
  }
  return centred;
}

}  // namespace

double Likeness::weaker() const { return std::min(std::abs(x), std::abs(y)); }

std::vector<Likeness> most_alike(const Matrix& x_values, const Matrix& y_values, const Matrix& other_x,
                                 const Matrix& other_y) {
  const Matrix x = standardised(x_values).transpose() * standardised(other_x);
  const Matrix y = standardised(y_values).transpose() * standardised(other_y);
  std::vector<Likeness> best;
  for (Index i = 0; i < x.rows(); ++i) {
    Likeness found;
    for (Index j = 0; j < x.cols(); ++j) {
      const Likeness candidate{j, x(i, j), y(i, j)};
      if (found.pair < 0 || candidate.weaker() > found.weaker()) found = candidate;
    }
    best.push_back(found);
  }
  return best;
}

}  // namespace cda
