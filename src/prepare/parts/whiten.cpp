// Uncorrelated columns of variance one: principal components of the standardised columns, each divided by its standard
// deviation. Rank-revealing: components with less than `tolerance` of the largest variance carry rounding, not data,
// and are dropped, so collinear columns only cost dimensions. With few rows for many columns every shape can be found
// in some direction; `rows` then keeps only the widest dimensions. Undone by the pseudo-inverse.
#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "base/over_ranks.hpp"
#include "base/part.hpp"
#include "cda/extend/preparation.hpp"

using namespace cda;

namespace {

class Whiten : public Preparation {
 public:
  Whiten(double tolerance, Index rows_per_dimension) : tolerance_(tolerance), rows_per_dimension_(rows_per_dimension) {}

  bool forgets_units() const override { return true; }
  PreparationMap fit(const Matrix& rows, const Executor& executor) const override {
    AffineMap map;
    map.centre = column_means(rows, executor);
    const Index count = executor.total(rows.rows());
    const bool few_rows = count < rows.cols();
    const Matrix spread = few_rows ? Matrix(gathered(rows, executor).rowwise() - map.centre.transpose())
                                   : covariance_about(rows, map.centre, executor);
    const Vector variance =
        few_rows ? Vector(spread.colwise().squaredNorm() / static_cast<double>(count)) : Vector(spread.diagonal());
    const Vector deviation = variance.cwiseSqrt();
    const Vector inverse = deviation.cwiseInverse();
    const Axes axes = few_rows ? axes_of_few_rows(spread * inverse.asDiagonal())
                               : principal_axes(inverse.asDiagonal() * spread * inverse.asDiagonal());
    const Index p = axes.values.size();
    Index rank = 0;
    while (rank < p && axes.values[p - 1 - rank] > tolerance_ * axes.values[p - 1]) ++rank;
    if (rows_per_dimension_ > 0) rank = std::min(rank, std::max<Index>(1, count / rows_per_dimension_));
    const Matrix kept = axes.vectors.rightCols(rank).rowwise().reverse();  // widest first
    const Vector width = axes.values.tail(rank).reverse().cwiseSqrt();
    if (rank == 0)
      throw Error(Fault::numerical, "data.constant", "no column varies by more than rounding",
                  "put standardise before whiten");
    map.forward = inverse.asDiagonal() * kept * width.cwiseInverse().asDiagonal();
    map.backward = width.asDiagonal() * kept.transpose() * deviation.asDiagonal();
    return map;
  }

 private:
  double tolerance_;
  Index rows_per_dimension_;
};

}  // namespace

CDA_PART(Preparation, whiten) {
  return {.info = {.name = {},
                   .summary = "uncorrelated columns of variance 1; dimensions without variance are dropped",
                   .reference = "",
                   .options = {{"tolerance", "1e-10", "smallest share of the largest variance that is kept"},
                               {"rows", "0", "rows there must be for every dimension kept; 0: any number"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Preparation> {
            return std::make_unique<Whiten>(settings.number("tolerance", 1e-15, 0.5),
                                            settings.count("rows", 0, 1000000));
          }};
}
