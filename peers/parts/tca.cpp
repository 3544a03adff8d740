// Transfer component analysis (peers/transfer_components.hpp): a common space of two tables of the same columns in
// which their means agree and as much as possible of their variation is kept.
//
// The linear kernel is solved in closed form in the columns. It sees means only. For the others a row's features are
//   f(row) = k(row, landmarks) L^{-T},   K_landmarks = L L',
// whose products are the kernel on the span of the landmarks; the map that is kept is k(row, landmarks) times
// coefficients, so new rows are mapped by the landmarks alone. Up to 3000 rows of both tables together the landmarks
// are chosen until the kernel is reproduced to 1e-10 (a pivoted Cholesky decomposition: the row that is worst
// reproduced becomes a landmark); beyond, 500 are chosen in the same way from 3000 rows (Nystrom). O(N b^2) for b
// landmarks.
#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/part.hpp"
#include "cda/extend/baseline.hpp"
#include "cda/extend/projection.hpp"
#include "peers/transfer_components.hpp"

using namespace cda;

namespace {

constexpr Index whole_up_to = 3000, nystrom_landmarks = 500;

// The median distance of two rows, over pairs of at most 1000 of them.
double median_distance(const Sample& sample, std::uint64_t seed) {
  const Matrix rows = sample.rows()(sample.choose(1000, seed), Eigen::all);
  std::vector<double> distances;
  for (Index i = 1; i < rows.rows(); ++i)
    for (Index j = 0; j < i; ++j) distances.push_back((rows.row(i) - rows.row(j)).norm());
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0.0) return *middle;
  return std::max(*std::max_element(distances.begin(), distances.end()), 1.0) / 10.0;  // most rows are repeated
}

struct Landmarks {
  Matrix rows;   // b x d
  Matrix lower;  // b x b: L
};

// Pivoted Cholesky decomposition of the kernel of these rows (whose own kernel is 1), until the worst reproduced row is
// within 1e-10 or there are `most`.
Landmarks choose_landmarks(const Matrix& rows, Index most, KernelMap kernel) {
  const Index n = rows.rows();
  Matrix factor(n, std::min(n, most));  // column c: what landmark c adds
  Vector left = Vector::Ones(n);
  std::vector<Index> chosen;
  while (static_cast<Index>(chosen.size()) < factor.cols()) {
    Index worst = 0;
    if (left.maxCoeff(&worst) < 1e-10) break;
    const auto c = static_cast<Index>(chosen.size());
    kernel.landmarks = rows.row(worst);
    const Vector column = kernel.apply(rows) - factor.leftCols(c) * factor.row(worst).head(c).transpose();
    factor.col(c) = column / std::sqrt(left[worst]);
    left -= factor.col(c).cwiseAbs2();
    left[worst] = 0.0;
    chosen.push_back(worst);
  }
  const auto count = static_cast<Index>(chosen.size());
  Landmarks landmarks{rows(chosen, Eigen::all), factor(chosen, Eigen::seqN(0, count))};
  landmarks.lower.triangularView<Eigen::StrictlyUpper>().setZero();  // of rounding
  return landmarks;
}

class Tca final : public Baseline {
 public:
  explicit Tca(const Settings& settings)
      : kernel_(settings.choice("kernel", {"linear", "rbf", "laplace"})),
        mu_(settings.number("mu", 1e-300, 1e300)),
        primal_(settings.choice("cost", {"coefficients", "directions"}) == "directions"),
        width_(settings.text("width") == "median" ? 0.0 : settings.number("width", 1e-300, 1e300)) {}

  BaselineMaps fit(const BaselineTask& task) const override {
    if (kernel_ == "linear") {
      const auto found = transfer_components(pooled_moments(task.x, task.y), mu_, task.components, !primal_);
      return {.directions = {found.directions, found.directions, Vector::Ones(task.components)},
              .figures = found.values};
    }
    const Sample both(stacked(task.x, task.y), task.executor);
    KernelMap map{kernel_ == "rbf" ? KernelMap::Kernel::rbf : KernelMap::Kernel::laplace,
                  width_ > 0.0 ? width_ : median_distance(both, task.seed),
                  {}};
    const bool whole = both.size() <= whole_up_to;
    const Landmarks landmarks =
        whole ? choose_landmarks(both.rows(), whole_up_to, map)
              : choose_landmarks(both.rows()(both.choose(whole_up_to, task.seed), Eigen::all), nystrom_landmarks, map);
    map.landmarks = landmarks.rows;
    task.advance(0.3);
    const Matrix to_features = inverse_transpose(landmarks.lower);
    const auto found = transfer_components(feature_moments(task, map, to_features), mu_, task.components, !primal_);
    const Matrix coefficients = to_features * found.directions;
    BaselineMaps maps{.directions = {coefficients, coefficients, Vector::Ones(task.components)},
                      .figures = found.values,
                      .kernel = map};
    maps.warnings.emplace_back("the model file holds rows of the tables: a kernel needs its landmarks");
    return maps;
  }
  std::string figure_name() const override { return "variation kept against distance of means"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }
  bool equal_columns() const override { return true; }
  bool pooled() const override { return true; }

 private:
  // In blocks of rows, so that no array of features grows with them.
  static PooledMoments feature_moments(const BaselineTask& task, const KernelMap& map, const Matrix& to_features) {
    const Index b = to_features.cols();
    PooledMoments moments{Matrix::Zero(b, b), Vector::Zero(b), Vector::Zero(b), task.x.rows(), task.y.rows()};
    const auto add = [&](const Matrix& rows, Vector& mean) {
      constexpr Index block = 1024;
      for (Index first = 0; first < rows.rows(); first += block) {
        const Matrix part = rows.middleRows(first, std::min(block, rows.rows() - first));
        const Matrix features = map.apply(part) * to_features;
        moments.products.selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
        mean += features.colwise().sum();
        task.advance(0.4);
      }
      mean /= static_cast<double>(rows.rows());
    };
    add(task.x, moments.x_mean);
    add(task.y, moments.y_mean);
    moments.products.triangularView<Eigen::StrictlyUpper>() = moments.products.transpose();
    return moments;
  }

  std::string kernel_;
  double mu_;
  bool primal_;
  double width_;
};

}  // namespace

CDA_PART(Baseline, tca) {
  return {
      .info = {.name = {},
               .summary = "transfer components: a common space in which means agree, for the same columns",
               .reference = "Pan, Tsang, Kwok and Yang, IEEE Trans. Neural Netw. 22 (2011)",
               .options = {{"kernel", "linear", "linear, rbf or laplace"},
                           {"mu", "1", "weight of the size of the map against the distance of means"},
                           {"width", "median", "of the kernel: the median distance of rows, or a value"},
                           {"cost", "coefficients", "what mu weighs: coefficients of rows, or directions (primal)"}}},
      .make = [](const Settings& settings) { return std::make_unique<Tca>(settings); }};
}
