#include "studies/transfer_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "cda/fit.hpp"
#include "studies/real_data.hpp"
#include "studies/replicates.hpp"

namespace cda {
namespace {

// How each method is fitted. What is slow gets a choice of rows to learn its maps from, which are then applied to all.
struct Compared {
  const char* name;
  bool ours;           // of the CDA family
  bool equal_columns;  // takes the common columns only
  Index most_rows;     // of each table to learn the maps from
};
constexpr Compared methods_shown[] = {{"CDA_M", true, false, 20000}, {"CDA_Q", true, false, 2000},
                                      {"CDA_P", true, false, 500},   {"rCDA_M", true, false, 20000},
                                      {"rCDA_Q", true, false, 2000}, {"iCDA", true, false, 4000},
                                      {"SCL", false, true, 20000},   {"DAC", false, true, 20000},
                                      {"TCA", false, true, 20000},   {"PCA", false, false, 20000}};

struct Job {
  const Compared* method = nullptr;  // none: common columns without a map
  bool z_columns = false;
  bool x_alone = false;
  std::vector<Index> attributes = {};  // of a method: how many to measure with, increasing
};

// A job with so many attributes.
struct Measured {
  std::string failure;  // why there is no figure
  TransferEvaluation errors;
  Index x_columns = 0, y_columns = 0, attributes = 0;

  static auto fields(auto& self) {
    auto& errors = self.errors;
    return std::tie(self.failure, errors.transferred, errors.chance, errors.constant, errors.y_alone, errors.x_rows,
                    errors.y_rows, errors.tested, self.x_columns, self.y_columns, self.attributes);
  }
};

Table some_rows(const Table& table, Index most, Random random) {
  if (table.rows() <= most) return table;
  std::vector<Index> chosen = random.permutation(table.rows());
  chosen.resize(static_cast<std::size_t>(most));
  std::sort(chosen.begin(), chosen.end());
  Table part = table;
  keep_rows(part, chosen);
  return part;
}

Matrix in_own_units(const Matrix& rows) {
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  const Vector sd = (centred.colwise().squaredNorm() / static_cast<double>(rows.rows())).cwiseSqrt().transpose();
  return centred * sd.unaryExpr([](double s) { return s > 0.0 ? 1.0 / s : 0.0; }).asDiagonal();
}

class TransferRun {
 public:
  TransferRun(const TransferStudy& study, const TransferData& data, const ExperimentOptions& options)
      : study_(study), data_(data), common_(common_columns(data.x, data.y)) {
    evaluation_.train_rows = study.train_rows;
    evaluation_.runs = options.runs_or(3, 10, 10);
    evaluation_.seed = options.seed;
    evaluation_.transfer.prediction = data.prediction;
    evaluation_.transfer.units = TargetUnits::z;
  }

  Index runs() const { return evaluation_.runs; }

  std::vector<Measured> measure(const Job& job, const Replicate& replicate) const {
    EvaluationOptions evaluation = evaluation_;
    evaluation.transfer.train_on_y = !job.x_alone;
    evaluation.going_on = [&](double) { return replicate.evidence_observer({}); };
    return job.method != nullptr ? by_method(job, evaluation, replicate)
                                 : std::vector{by_common_columns(job, evaluation)};
  }

  // All other rows of Y labelled, by its own columns: five parts, each predicted from the other four.
  double within_y() const {
    const Index n = data_.y.rows();
    const std::vector<Index> order = Random(evaluation_.seed, study_.name).stream("parts of Y").permutation(n);
    Vector predicted(n);
    for (Index part = 0; part < 5; ++part) {
      std::vector<Index> in, out;
      for (Index i = 0; i < n; ++i) (i % 5 == part ? in : out).push_back(order[static_cast<std::size_t>(i)]);
      const Matrix rows = data_.y.values(out, Eigen::all), left_out = data_.y.values(in, Eigen::all);
      const Vector known = data_.y_targets(out);
      predicted(in) =
          classes() ? fit_linear_svm(rows, known).predict(left_out) : fit_ridge(rows, known).predict(left_out);
    }
    return (classes() ? classification_error(predicted, data_.y_targets) : average_error(predicted, data_.y_targets))
        .mean;
  }

  bool classes() const { return data_.prediction == Prediction::classes; }

  std::vector<Job> jobs(const ExperimentOptions& options, std::vector<std::string>& notes) const {
    std::vector<Job> all;
    for (const Compared& method : methods_shown) {
      const auto named = [&](const std::string& name) { return same_name(name, method.name); };
      if (!study_.methods.empty() && std::none_of(study_.methods.begin(), study_.methods.end(), named)) continue;
      const auto& known = methods();
      if (std::none_of(known.begin(), known.end(), [&](const MethodInfo& info) { return named(info.name); })) {
        notes.push_back(fmt::format("{} is not among the methods of this build", method.name));
        continue;
      }
      const Index most =
          method.equal_columns ? static_cast<Index>(common_.size()) : std::min(data_.x.columns(), data_.y.columns());
      Job job{.method = &method};
      for (std::size_t i = 0; i < study_.sizes.size(); ++i)
        if (study_.sizes[i] <= most && (options.effort != Effort::quick || i % 2 == 1))
          job.attributes.push_back(study_.sizes[i]);
      if (!job.attributes.empty()) all.push_back(std::move(job));
    }
    for (const bool x_alone : {true, false})
      for (const bool z_columns : {false, true}) all.push_back({.z_columns = z_columns, .x_alone = x_alone});
    return all;
  }

 private:
  Measured by_common_columns(const Job& job, const EvaluationOptions& evaluation) const {
    LabelledRows x{with_columns(data_.x, common_).values, data_.x_targets};
    LabelledRows y{with_columns(data_.y, common_).values, data_.y_targets};
    if (job.z_columns) {
      x.rows = in_own_units(x.rows);
      y.rows = in_own_units(y.rows);
    }
    const Index columns = x.rows.cols();
    return {{}, evaluate_transfer(x, y, data_.y.values, evaluation, Executor(1)), columns, columns, columns};
  }

  // None of these methods looks for several pairs at once: fewer are the first ones of more, and one fit is enough.
  // Where that has no answer, one with fewer may.
  std::vector<Measured> by_method(const Job& job, const EvaluationOptions& evaluation,
                                  const Replicate& replicate) const {
    const Compared& method = *job.method;
    const Table x_table = method.equal_columns ? with_columns(data_.x, common_) : data_.x;
    const Table y_table = method.equal_columns ? with_columns(data_.y, common_) : data_.y;
    const Random rows = Random(evaluation_.seed, study_.name).stream(method.name);
    const Table x_fitted = some_rows(x_table, method.most_rows, rows.stream("rows of X"));
    const Table y_fitted = some_rows(y_table, method.most_rows, rows.stream("rows of Y"));
    std::vector<Measured> measured(job.attributes.size());
    Matrix x_values, y_values;
    for (std::size_t i = measured.size(); i-- > 0;) {
      const Index attributes = job.attributes[i];
      measured[i].x_columns = x_table.columns();
      measured[i].y_columns = y_table.columns();
      measured[i].attributes = attributes;
      if (x_values.cols() == 0) {
        try {
          const Model model = fit(x_fitted, y_fitted,
                                  {.method = method.name,
                                   .components = attributes,
                                   .few_valued = same_name(method.name, "iCDA") ? FewValued::keep : FewValued::drop,
                                   .seed = evaluation_.seed,
                                   .threads = 1},
                                  replicate.fit_observer);
          x_values = model.transform(Side::x, x_table);
          y_values = model.transform(Side::y, y_table);
        } catch (const Error& error) {
          if (error.code() == "interrupted") throw;
          measured[i].failure = error.message();
          continue;
        }
      }
      measured[i].errors =
          evaluate_transfer({x_values.leftCols(attributes), data_.x_targets},
                            {y_values.leftCols(attributes), data_.y_targets}, data_.y.values, evaluation, Executor(1));
    }
    return measured;
  }

  const TransferStudy& study_;
  const TransferData& data_;
  std::vector<std::string> common_;
  EvaluationOptions evaluation_;
};

// The best row of some, by its mean error.
struct Best {
  std::string name;
  double error = std::numeric_limits<double>::infinity();
  double sd = 0.0;

  void consider(const std::string& candidate, const MeanAndSpread& of) {
    if (of.mean < error) *this = {candidate, of.mean, of.sd};
  }
  std::string text(int decimals) const {
    if (name.empty()) return "none";
    const std::string scatter = std::isfinite(sd) ? fmt::format(" (sd {:.{}f})", sd, decimals) : "";
    return fmt::format("{} {:.{}f}{}", name, error, decimals, scatter);
  }
};

Cell figure(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

// A list such as CDA_M+TCA; empty for all.
std::vector<std::string> chosen_methods(const std::string& list) {
  std::vector<std::string> chosen, known;
  if (list == "all") return chosen;
  for (const Compared& each : methods_shown) known.emplace_back(each.name);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find('+', begin), list.size());
    const std::string method = list.substr(begin, end - begin);
    if (std::none_of(known.begin(), known.end(), [&](const std::string& each) { return same_name(each, method); }))
      unknown_name("method in these studies", method, known);
    chosen.push_back(method);
    begin = end + 1;
  }
  return chosen;
}

class TransferExperiment final : public Experiment {
 public:
  TransferExperiment(TransferDesign design, const Settings& settings)
      : design_(std::move(design)),
        folder_(data_folder(settings.text("data"))),
        study_{design_.name, settings.count("train_rows", 2, 100000), design_.sizes,
               chosen_methods(settings.text("methods"))} {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Results results;
    results.title = design_.title;
    const std::optional<TransferData> data = design_.data(folder_, results.notes);
    if (!data) return results;
    run_transfer_study(study_, *data, options, observer, results);
    if (design_.add_rows != nullptr) design_.add_rows(*data, results);
    return results;
  }

 private:
  TransferDesign design_;
  std::string folder_;
  TransferStudy study_;
};

}  // namespace

void run_transfer_study(const TransferStudy& asked, const TransferData& data, const ExperimentOptions& options,
                        const ExperimentObserver& observer, Results& results) {
  const TransferRun study(asked, data, options);
  results.runs = study.runs();
  const int decimals = data.decimals;
  results.columns = {{"method", "how rows of both tables come into one space"},
                     {"columns", "of X and Y that it uses"},
                     {"attributes", "of the common space"},
                     {"runs", "draws of the labelled rows of Y"},
                     {"error",
                      study.classes() ? "share of wrong classes on the other rows of Y, mean over runs"
                                      : "mean |y - prediction| on the other rows of Y, mean over runs",
                      decimals},
                     {"sd", "over runs", decimals},
                     {"chance", "the same predictions dealt to the rows at random", decimals},
                     {"constant",
                      study.classes() ? "always the most frequent class of the labelled rows of Y"
                                      : "always the mean of the labelled rows of Y",
                      decimals},
                     {"y_alone", "the labelled rows of Y alone, by their own columns", decimals},
                     {"beats_y_alone", "share of runs with a smaller error than y_alone", 2}};
  results.plots = {{.title = "error on the other rows of Y",
                    .label = "method",
                    .value = "error",
                    .spread = "sd",
                    .reference = "y_alone",
                    .along = "attributes"},
                   {.title = "smallest error on the other rows of Y",
                    .label = "method",
                    .value = "error",
                    .spread = "sd",
                    .reference = "y_alone",
                    .smallest = true}};
  const std::vector<Job> jobs = study.jobs(options, results.notes);
  Replicates replicates(asked.name, options, observer);
  const std::vector<std::vector<Measured>> all =
      replicates.of(asked.name, 1.0, static_cast<Index>(jobs.size()), [&](const Replicate& replicate) {
        return study.measure(jobs[static_cast<std::size_t>(replicate.number)], replicate);
      });

  Best ours, others, pooled;
  Index ours_count = 0, ours_better = 0;
  std::map<std::string, std::string> failures;
  const Measured* some = nullptr;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    const std::string name =
        job.method != nullptr
            ? job.method->name
            : fmt::format("no map: common columns {}, {}", job.z_columns ? "in z units of each table" : "as they are",
                          job.x_alone ? "X alone" : "X and Y");
    for (const Measured& found : all[i]) {
      if (!found.failure.empty()) {
        failures.emplace(fmt::format("{} with {} attributes", name, found.attributes), found.failure);
        continue;
      }
      some = &found;
      const MeanAndSpread error = mean_and_spread(found.errors.transferred);
      const Index better = (found.errors.transferred.array() < found.errors.y_alone.array()).count();
      results.rows.push_back({name, fmt::format("{} + {}", found.x_columns, found.y_columns), found.attributes,
                              study.runs(), error.mean, error.sd, found.errors.chance.mean(),
                              found.errors.constant.mean(), figure(found.errors.y_alone.mean()),
                              Share{better, study.runs()}});
      const std::string labelled = job.method != nullptr ? fmt::format("{} with {}", name, found.attributes) : name;
      (job.method == nullptr ? pooled : job.method->ours ? ours : others).consider(labelled, error);
      if (job.method != nullptr && job.method->ours) {
        ++ours_count;
        ours_better += error.mean < found.errors.y_alone.mean() ? 1 : 0;
      }
    }
  }
  if (some == nullptr) return;
  const auto reference = [&](const std::string& name, const Vector& errors) {
    const MeanAndSpread of = mean_and_spread(errors);
    results.rows.push_back({name, fmt::format("0 + {}", data.y.columns()), Cell(), errors.size(), of.mean, of.sd,
                            Cell(), some->errors.constant.mean(), figure(some->errors.y_alone.mean()), Cell()});
  };
  reference(fmt::format("{} rows of Y alone", asked.train_rows), some->errors.y_alone);
  reference(study.classes() ? "always the most frequent class" : "always the mean", some->errors.constant);
  const double within = study.within_y();
  reference("all other rows of Y labelled, 5 parts", Vector::Constant(1, within));

  results.notes.push_back(
      fmt::format("{} rows of X are labelled, {} of Y, and {} of Y are the test; X has {} columns, Y {}, {} in common",
                  data.x.rows(), asked.train_rows, data.y.rows() - asked.train_rows, data.x.columns(), data.y.columns(),
                  common_columns(data.x, data.y).size()));
  const MeanAndSpread alone = mean_and_spread(some->errors.y_alone);
  results.notes.push_back(
      fmt::format("smallest errors: CDA family {}; SCL, DAC, TCA and PCA {}; {}; {} rows of Y alone {:.{}f}; "
                  "constant {:.{}f}",
                  ours.text(decimals), others.text(decimals), pooled.text(decimals), asked.train_rows, alone.mean,
                  decimals, some->errors.constant.mean(), decimals));
  if (ours_count > 0)
    results.notes.push_back(fmt::format(
        "{} of {} rows of the CDA family have a smaller mean error than the {} labelled rows of Y alone; "
        "the best of them is {} the best without a map. The best of many is flattered: it was chosen by the test rows",
        ours_better, ours_count, asked.train_rows, ours.error < pooled.error ? "below" : "not below"));
  results.notes.emplace_back(
      "maps are learnt once per method, from all rows without labels (iCDA from 4000 rows of a table at most, CDA_Q "
      "and "
      "rCDA_Q from 2000, CDA_P from 500), and fewer attributes are the first of them; runs differ in the rows of Y "
      "drawn, "
      "the same for all");
  if (!study.classes())
    results.notes.emplace_back(
        "targets are learnt in z units, by the labelled rows of each table, and predictions turned back");
  results.notes.emplace_back(
      "penalty and cost by 5-fold cross-validation on training rows; iCDA keeps few-valued columns "
      "here, so that all methods see the same");
  for (const auto& [what, why] : failures) results.notes.push_back(fmt::format("{}: {}", what, why));
}

Catalogue<Experiment>::Entry transfer_experiment(const TransferDesign& design) {
  return {
      .info = {.name = {},
               .summary = design.summary,
               .reference = "docs/transfer.md",
               .options = {data_option(),
                           {"train_rows", design.train_rows, "rows of Y, drawn at random, that join the training"},
                           {"methods", "all", "those to measure, separated by +: CDA_M+TCA"}}},
      .make = [design](const Settings& settings) { return std::make_unique<TransferExperiment>(design, settings); }};
}

}  // namespace cda
