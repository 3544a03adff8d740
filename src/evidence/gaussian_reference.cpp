// Would a Gaussian table match as well?
//
// H0: at least one of the two tables is Gaussian, with the covariances observed. X* has the columns of X drawn from the
// normal distribution with X's means and covariances, and is fitted to the real Y exactly as X was; Y* likewise. For
// pair i, compared with pair i of each such fit,
//
//   T = what was minimised for the pair (the smaller the better),   p = max over both sides of (1 + #{T* <= T}) / (B +
//   1)
//
// Where pairs were found together, or limited to few columns afterwards, T is the pair's own divergence; for iCDA it is
// always J_.5, which counts structure for more than likeness: J_.1 (refitting.cpp) prefers two bell curves to two
// strong shapes that agree to less than .9. The global T is what was minimised for all pairs: the sum of their
// objectives, or the one objective of pairs found together.
//
// A small p says that both tables have structure which no Gaussian table has, not that it is the same. A divergence of
// means and covariances alone (extended_mallows) sees no other structure and never has a small p. Columns that the fit
// had set aside stay what they are. Cost: 2 B fits.
#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/moments.hpp"
#include "cda/extend/formulation.hpp"
#include "evidence/nulls.hpp"
#include "evidence/surrogates.hpp"

namespace cda {
namespace {

// Draws Gaussian tables like a given one. Columns are first brought to magnitude one, then to variance one, so that
// units and distance from zero cost no digits.
class GaussianLikeness {
 public:
  GaussianLikeness(const Table& table, std::vector<Index> columns, Index block)
      : table_(table), columns_(std::move(columns)), block_(block) {
    const Executor alone(1);
    Matrix values = table.values(Eigen::all, columns_);
    magnitude_ = values.cwiseAbs().colwise().maxCoeff();
    values *= magnitude_.cwiseInverse().asDiagonal();
    mean_ = column_means(values, alone);
    if (values.rows() < values.cols()) {
      // The rows themselves are a factor of their covariance.
      const Matrix centred = values.rowwise() - mean_.transpose();
      const auto n = static_cast<double>(values.rows());
      deviation_ = (centred.colwise().squaredNorm() / n).cwiseSqrt();
      factor_ = (centred * (deviation_.cwiseInverse() / std::sqrt(n)).asDiagonal()).transpose();
      return;
    }
    const Matrix covariance = covariance_about(values, mean_, alone);
    deviation_ = covariance.diagonal().cwiseSqrt();
    const Vector inverse = deviation_.cwiseInverse();
    const Axes axes = principal_axes(inverse.asDiagonal() * covariance * inverse.asDiagonal());
    factor_ = axes.vectors * axes.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  }

  Table draw(Random& random) const {
    const Matrix normals = random.normals(block_count(table_.rows(), block_), factor_.cols());
    const Matrix drawn = ((normals * factor_.transpose()) * deviation_.asDiagonal()).rowwise() + mean_.transpose();
    Table twin = table_;
    twin.values(Eigen::all, columns_) = in_blocks(drawn * magnitude_.asDiagonal(), table_.rows(), block_);
    return twin;
  }

 private:
  const Table& table_;
  std::vector<Index> columns_;
  Index block_;
  Vector magnitude_, mean_, deviation_;
  Matrix factor_;  // of the correlations
};

// One per pair, and the global one last.
Vector statistics_of(const Model& model, bool by_shape, bool together) {
  const auto pairs = static_cast<Index>(model.pairs.size());
  Vector statistics = Vector::Zero(pairs + 1);
  for (Index i = 0; i < pairs; ++i) {
    const Pair& pair = model.pairs[static_cast<std::size_t>(i)];
    const bool own = !by_shape && (together || pair.x_kept.has_value());
    statistics[i] = own ? pair.divergence : pair.objective;
    statistics[pairs] += statistics[i];
  }
  if (together) statistics[pairs] = model.pairs.front().objective;
  return statistics;
}

}  // namespace

void gaussian_reference_test(const Study& study, int surrogates, Evidence& evidence) {
  evidence.test = Test::gaussian_reference;
  evidence.hypothesis = "at least one of the two tables is Gaussian, with the covariances observed";
  study.progress.begin("Gaussian tables", 0.4, 2 * static_cast<Index>(surrogates));
  const PartSpec& formulation = *study.model.options.formulation;
  const bool by_shape = formulation.name == "contrast", together = formulations().make(formulation)->joint();
  const Index block = study.options.block_length, pairs = study.pairs();
  const GaussianLikeness x(study.x, study.model.x_preparation.kept(), block);
  const GaussianLikeness y(study.y, study.model.y_preparation.kept(), block);
  FitOptions options = study.options;
  options.components = pairs;
  const Surrogates plan{
      study.x,
      study.y,
      [&](Random& random) { return x.draw(random); },
      [&](Random& random) { return y.draw(random); },
      options,
      pairs + 1,
      [&](const Model& model, const Table&, const Table&) { return statistics_of(model, by_shape, together); }};
  const NullStatistics null = refit(study, plan, surrogates, study.random("Gaussian reference"));
  const Vector observed = statistics_of(study.model, by_shape, together);
  for (Index i = 0; i < pairs; ++i) {
    NullAnswer answer = compared(observed[i], null.foreign_x.col(i), null.foreign_y.col(i));
    PairEvidence& pair = evidence.pairs[static_cast<std::size_t>(i)];
    pair.p = answer.p;
    pair.statistic = observed[i];
    pair.null_quantiles = std::move(answer.quantiles);
  }
  evidence.global_p = compared(observed[pairs], null.foreign_x.col(pairs), null.foreign_y.col(pairs)).p;
}

}  // namespace cda
