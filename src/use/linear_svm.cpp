// A linear support vector machine with squared hinge loss, by liblinear (Fan, Chang, Hsieh, Wang and Lin 2008).
//
// Its solver for the dual problem visits rows in an order drawn from rand(), which all threads share: the same call
// would not give the same bits twice. The primal problem has the same solution, is smooth, and is solved by Newton
// steps in a trust region without any random number; with few columns and many rows it is also the faster one.
#include <linear.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "cda/error.hpp"
#include "cda/extend/random.hpp"
#include "use/folds.hpp"

namespace cda {
namespace {

constexpr std::array<double, 5> costs = {1.0, 10.0, 100.0, 1000.0, 10000.0};
constexpr Index most_rows_to_choose_by = 1000;

void silence() {
  static std::once_flag once;
  std::call_once(once, [] { ::set_print_string_function([](const char*) {}); });
}

struct FreeModel {
  void operator()(::model* trained) const { ::free_and_destroy_model(&trained); }
};

// Rows as liblinear wants them: for each its entries, a 1 for the intercept, and an end mark.
class SparseRows {
 public:
  explicit SparseRows(const Matrix& rows) : width_(rows.cols() + 2) {
    nodes_.reserve(static_cast<std::size_t>(rows.rows() * width_));
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index j = 0; j < rows.cols(); ++j) nodes_.push_back({static_cast<int>(j + 1), rows(i, j)});
      nodes_.push_back({static_cast<int>(rows.cols() + 1), 1.0});
      nodes_.push_back({-1, 0.0});
    }
  }
  ::feature_node* row(Index i) { return nodes_.data() + i * width_; }

 private:
  Index width_;
  std::vector<::feature_node> nodes_;
};

std::vector<double> distinct(const Vector& labels) {
  std::vector<double> classes(labels.begin(), labels.end());
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// For unit columns.
SvmRule train_unit(const Matrix& rows, const Vector& labels, double cost) {
  SvmRule rule{distinct(labels), {}, {}, cost};
  const auto count = static_cast<Index>(rule.classes.size());
  rule.weights = Matrix::Zero(rows.cols(), count);
  rule.intercepts = Vector::Zero(count);
  if (count == 1) return rule;  // nothing to tell apart

  silence();
  SparseRows sparse(rows);
  std::vector<::feature_node*> pointers;
  std::vector<double> numbers;
  for (Index i = 0; i < rows.rows(); ++i) {
    pointers.push_back(sparse.row(i));
    const auto at = std::lower_bound(rule.classes.begin(), rule.classes.end(), labels[i]);
    numbers.push_back(static_cast<double>(at - rule.classes.begin()));
  }
  const ::problem problem{static_cast<int>(rows.rows()), static_cast<int>(rows.cols() + 1), numbers.data(),
                          pointers.data(), 1.0};
  const ::parameter parameter{.solver_type = L2R_L2LOSS_SVC,
                              .eps = 1e-6,
                              .C = cost / static_cast<double>(rows.rows()),
                              .nr_weight = 0,
                              .weight_label = nullptr,
                              .weight = nullptr,
                              .p = 0.0,
                              .init_sol = nullptr};
  if (const char* wrong = ::check_parameter(&problem, &parameter))
    throw Error(Fault::internal, "transfer.svm", std::string("liblinear: ") + wrong);
  const std::unique_ptr<::model, FreeModel> trained(::train(&problem, &parameter));
  // liblinear numbers classes as they come; of two it keeps the rule of the first only.
  const Index columns = count == 2 ? 1 : count;
  for (Index c = 0; c < columns; ++c) {
    const Index number = trained->label[c];
    for (Index j = 0; j <= rows.cols(); ++j) {
      const double weight = trained->w[j * columns + c];
      (j < rows.cols() ? rule.weights(j, number) : rule.intercepts[number]) = weight;
      if (count == 2) (j < rows.cols() ? rule.weights(j, 1 - number) : rule.intercepts[1 - number]) = -weight;
    }
  }
  return rule;
}

double chosen_cost(const Matrix& rows, const Vector& labels, const LearningOptions& options) {
  const Index n = rows.rows();
  if (n > most_rows_to_choose_by) {
    std::vector<Index> some = Random(options.seed, "rows to choose by").permutation(n);
    some.resize(static_cast<std::size_t>(most_rows_to_choose_by));
    std::sort(some.begin(), some.end());
    return chosen_cost(rows(some, Eigen::all), labels(some), options);
  }
  if (n < 2) return costs.front();
  const Index folds = std::min(options.folds, n);
  const std::vector<Index> fold_of = deal_folds(n, folds, options.seed, &labels);
  std::array<Index, costs.size()> wrong{};
  for (Index fold = 0; fold < folds; ++fold) {
    std::vector<Index> outside, inside;
    for (Index i = 0; i < n; ++i) (fold_of[static_cast<std::size_t>(i)] == fold ? inside : outside).push_back(i);
    const Matrix training = rows(outside, Eigen::all), left_out = rows(inside, Eigen::all);
    const Vector known = labels(outside), truth = labels(inside);
    for (std::size_t c = 0; c < costs.size(); ++c)
      wrong[c] += (train_unit(training, known, costs[c]).predict(left_out).array() != truth.array()).count();
  }
  return costs[static_cast<std::size_t>(std::min_element(wrong.begin(), wrong.end()) - wrong.begin())];
}

}  // namespace

SvmRule fit_linear_svm(const Matrix& rows, const Vector& labels, const LearningOptions& options) {
  check_training_rows(rows, labels, options);
  const UnitColumns units(rows);
  const Matrix unit_rows = units.apply(rows);
  SvmRule rule =
      train_unit(unit_rows, labels, options.parameter ? *options.parameter : chosen_cost(unit_rows, labels, options));
  for (Index c = 0; c < rule.weights.cols(); ++c) {
    const Vector unit_weights = rule.weights.col(c);
    rule.intercepts[c] = units.intercept(unit_weights, rule.intercepts[c]);
    rule.weights.col(c) = units.weights(unit_weights);
  }
  return rule;
}

Vector SvmRule::predict(const Matrix& rows) const {
  const Matrix values = (rows * weights).rowwise() + intercepts.transpose();  // n x classes
  Vector predicted(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    Index best = 0;
    values.row(i).maxCoeff(&best);
    predicted[i] = classes[static_cast<std::size_t>(best)];
  }
  return predicted;
}

}  // namespace cda
