// Bringing two assays or views of one population into one space, on real data: twelve tasks whose truth is known and
// hidden from the methods. Where rows are partners the figure is 1 - FOSCTTM; where they have labels, the share of
// labels that the five nearest rows of the other table give right, the mean of both directions. Two protocols:
//
//   same rows   fitted on all rows, scored on them; runs differ by the seed of the fit
//   halves      fitted on one half of the rows, scored on the other; runs differ by the halves
//
// Beside cCDA stand whitened principal components in two kinds, of standardised columns and of columns as they are.
//
// Data: scNMT, sci-CAR and CITE-seq as in Pamona's examples, three thousand-row parts of the last; UCI Multiple
// Features, three rows of every ten (600).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "cda/files.hpp"
#include "cda/fit.hpp"
#include "cda/score.hpp"
#include "studies/paired_tests.hpp"
#include "studies/real_data.hpp"
#include "studies/replicates.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

struct Task {
  const char *name, *x, *y;  // files below the folder
  enum class Kind { labels, partners, views } kind;
  Index first = 0;  // row, of partners
};

constexpr Task tasks[] = {{"scnmt acc-met", "omics/scnmt_acc.csv", "omics/scnmt_met.csv", Task::Kind::labels},
                          {"scnmt acc-rna", "omics/scnmt_acc.csv", "omics/scnmt_rna.csv", Task::Kind::labels},
                          {"scnmt met-rna", "omics/scnmt_met.csv", "omics/scnmt_rna.csv", Task::Kind::labels},
                          {"sci", "omics/sci_atac.csv", "omics/sci_rna.csv", Task::Kind::labels},
                          {"cite 1-1000", "omics/cite_adt.csv", "omics/cite_rna.csv", Task::Kind::partners, 0},
                          {"cite 1001-2000", "omics/cite_adt.csv", "omics/cite_rna.csv", Task::Kind::partners, 1000},
                          {"cite 2001-3000", "omics/cite_adt.csv", "omics/cite_rna.csv", Task::Kind::partners, 2000},
                          {"mfeat fac-kar", "views/mfeat-fac.csv", "views/mfeat-kar.csv", Task::Kind::views},
                          {"mfeat pix-fac", "views/mfeat-pix.csv", "views/mfeat-fac.csv", Task::Kind::views},
                          {"mfeat fou-zer", "views/mfeat-fou.csv", "views/mfeat-zer.csv", Task::Kind::views},
                          {"mfeat kar-zer", "views/mfeat-kar.csv", "views/mfeat-zer.csv", Task::Kind::views},
                          {"mfeat fac-fou", "views/mfeat-fac.csv", "views/mfeat-fou.csv", Task::Kind::views}};

struct AlignedSide {
  Table table;
  Vector labels;  // empty where rows are partners
};
struct Tables {
  AlignedSide x, y;
};

AlignedSide read_side(const std::string& folder, const Task& task, const char* file) {
  ReadOptions reading;
  reading.dedupe_names = true;
  if (task.kind == Task::Kind::views) reading.exclude = {"0_2"};  // the digit
  AlignedSide side{read_table((std::filesystem::path(folder) / file).string(), reading), {}};
  std::vector<Index> rows;
  if (task.kind == Task::Kind::labels) side.labels = take_column(side.table, "label");
  for (Index i = 0; i < side.table.rows(); ++i) {
    const bool chosen = task.kind == Task::Kind::labels ||
                        (task.kind == Task::Kind::views ? i % 10 < 3 : i >= task.first && i < task.first + 1000);
    if (chosen) rows.push_back(i);
  }
  keep_rows(side.table, rows);
  return side;
}

// A method, how many pairs it is asked for (0: its own number), in how many runs it takes part, and whether columns are
// only centred where the method would prepare them otherwise.
struct Contestant {
  std::string name, method;
  Index pairs = 0;
  bool repeated = true, unprepared = false;
};

// Those whose name contains one of the names joined by +.
std::vector<Contestant> contestants(Effort effort, const std::string& methods) {
  std::vector<Contestant> all{{"cCDA", "cCDA"}};
  for (const Index pairs : {2, 3, 5}) all.push_back({fmt::format("PCA, {} pairs", pairs), "PCA", pairs});
  for (const Index pairs : {2, 3, 5})
    all.push_back({fmt::format("PCA as is, {} pairs", pairs), "PCA", pairs, true, true});
  if (effort != Effort::quick) {
    all.push_back({"iCDA", "iCDA", 0, false});
    for (const char* method : {"CDA_M", "CDA_Q", "rCDA_M", "rCDA_Q"}) all.push_back({method, method, 3, false});
  }
  if (effort == Effort::full)
    for (const char* method : {"CDA_P", "mCDA_P"}) all.push_back({method, method, 3, false});  // slow
  if (methods == "all") return all;
  std::vector<Contestant> chosen;
  for (const Contestant& one : all)
    for (std::size_t at = 0; at <= methods.size();) {
      const std::size_t end = std::min(methods.find('+', at), methods.size());
      if (end > at && one.name.find(methods.substr(at, end - at)) != std::string::npos) {
        chosen.push_back(one);
        break;
      }
      at = end + 1;
    }
  if (chosen.empty())
    throw Error(Fault::usage, "option.methods", fmt::format("no method of this study is called {}", methods),
                "methods=cCDA+PCA; iCDA and the paper's take part without --quick");
  return chosen;
}

struct Run {
  double accuracy = 0.0, chance = 0.0;
  bool ambiguous = false;
};

// Whether runs of a task agree, and whether those that are wrong say so.
struct Consistency {
  static constexpr double near = 0.05;
  Index tasks = 0, agreeing = 0, runs = 0, ambiguous = 0, below = 0, silent = 0;

  void add(const std::vector<std::vector<std::optional<Run>>>& all, std::size_t contestant) {
    double sum = 0.0, least = 1.0, most = 0.0;
    Index count = 0;
    for (const auto& run : all)
      if (const std::optional<Run>& one = run[contestant]) {
        sum += one->accuracy;
        least = std::min(least, one->accuracy);
        most = std::max(most, one->accuracy);
        ++count;
        ambiguous += one->ambiguous ? 1 : 0;
        below += one->accuracy < one->chance ? 1 : 0;
        silent += one->accuracy < one->chance && !one->ambiguous ? 1 : 0;
      }
    if (count == 0) return;
    const double mean = sum / static_cast<double>(count);
    ++tasks;
    runs += count;
    agreeing += most - mean <= near && mean - least <= near ? 1 : 0;
  }
  std::string said() const {
    return fmt::format(
        "in {} of {} tasks every run is within {} of their mean; {} of {} runs are called ambiguous; {} are below "
        "chance, {} of them without being called ambiguous",
        agreeing, tasks, near, ambiguous, runs, below, silent);
  }
};

struct Rows {
  std::vector<Index> x, y;
};

AlignedSide part(const AlignedSide& side, const std::vector<Index>& rows) {
  AlignedSide chosen = side;
  keep_rows(chosen.table, rows);
  if (side.labels.size() > 0) chosen.labels = Vector(side.labels(rows));
  return chosen;
}

// The same rows of both tables where they are partners.
std::pair<Rows, Rows> halves(const Tables& tables, const Random& random) {
  const bool partners = tables.x.labels.size() == 0;
  const auto split = [&](Index rows, const char* name) {
    const std::vector<Index> all = Random(random.stream(name)).permutation(rows);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(rows / 2);
    return std::pair(std::vector<Index>(all.begin(), middle), std::vector<Index>(middle, all.end()));
  };
  const auto x = split(tables.x.table.rows(), "x");
  const auto y = partners ? x : split(tables.y.table.rows(), "y");
  return {{x.first, y.first}, {x.second, y.second}};
}

Run scored(const Model& model, const Tables& tables) {
  const Executor executor(1);
  const Matrix x = model.transform(cda::Side::x, tables.x.table.values);
  const Matrix y = model.transform(cda::Side::y, tables.y.table.values);
  Run run;
  run.ambiguous = model.coupling && model.coupling->ambiguous;
  if (tables.x.labels.size() == 0) {
    run.accuracy = 1.0 - closer_than_partner(x, y, executor).mean();
    run.chance = 1.0 - PartnerRanks::chance;
    return run;
  }
  constexpr Index neighbours = 5;
  const LabelTransfer of_x = label_transfer(x, tables.x.labels, y, tables.y.labels, neighbours, executor);
  const LabelTransfer of_y = label_transfer(y, tables.y.labels, x, tables.x.labels, neighbours, executor);
  run.accuracy = 0.5 * (of_x.accuracy + of_y.accuracy);
  run.chance = 0.5 * (of_x.chance + of_y.chance);
  return run;
}

std::optional<Run> attempt(const Contestant& contestant, const Tables& tables, bool held_out,
                           const Replicate& replicate) {
  FitOptions options;
  options.method = contestant.method;
  options.components = contestant.pairs;
  options.seed = static_cast<std::uint64_t>(replicate.number);
  options.threads = 1;
  if (contestant.unprepared) options.prepare = std::vector<PartSpec>{"centre"};
  return if_it_can_be([&] {
    if (!held_out) return scored(fit(tables.x.table, tables.y.table, options, replicate.fit_observer), tables);
    const auto [fitted, others] = halves(tables, replicate.random);
    const Tables first{part(tables.x, fitted.x), part(tables.y, fitted.y)};
    const Tables second{part(tables.x, others.x), part(tables.y, others.y)};
    return scored(fit(first.x.table, first.y.table, options, replicate.fit_observer), second);
  });
}

class AlignmentStudy final : public Experiment {
 public:
  explicit AlignmentStudy(const Settings& settings)
      : folder_(data_folder(settings.text("data"))),
        only_(settings.text("tasks")),
        methods_(settings.text("methods")) {}

  bool apart() const override { return true; }
  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("alignment", options, observer);
    Results results;
    results.title = "Two assays or views of one population in one space";
    results.runs = options.runs_or(2, 10, 10);
    results.columns = {
        {"task", ""},
        {"protocol", "same rows: fitted and scored on all rows; halves: fitted on one, scored on the other"},
        {"method", ""},
        {"runs", "with a result"},
        {"accuracy", "1 - FOSCTTM, or share of labels right, mean over the runs", 3},
        {"sd", "over the runs", 3},
        {"least", "the worst run", 3},
        {"chance", "", 3},
        {"ambiguous", "share of the runs that said so, with a 95 % interval"}};
    results.plots = {{.title = "accuracy",
                      .label = "method",
                      .value = "accuracy",
                      .spread = "sd",
                      .reference = "chance",
                      .panels = {"task", "protocol"}}};
    std::vector<DataFile> files;
    for (const Task& task : tasks)
      for (const char* file : {task.x, task.y}) files.push_back({file, "Pamona's examples and the UCI repository"});
    for (const DataFile& file : files)
      if (!std::filesystem::exists(std::filesystem::path(folder_) / file.path)) {
        read_data(folder_, {file}, results.notes);  // says what is missing
        return results;
      }
    measure(options, replicates, results);
    return results;
  }

 private:
  void measure(const ExperimentOptions& options, Replicates& replicates, Results& results) const {
    const std::vector<Contestant> all = contestants(options.effort, methods_);
    struct Total {
      std::vector<double> accuracies, chances;
      Share ambiguous;
    };
    std::map<std::pair<std::size_t, bool>, Total> totals;  // of contestant and protocol
    std::vector<std::string> below;
    Consistency same_rows, halves_of_rows;
    for (const Task& task : tasks) {
      if (only_ != "all" && std::string(task.name).find(only_) == std::string::npos) continue;
      const Tables tables{read_side(folder_, task, task.x), read_side(folder_, task, task.y)};
      for (const bool held_out : {false, true}) {
        const char* protocol = held_out ? "halves" : "same rows";
        using Runs = std::vector<std::optional<Run>>;
        const std::vector<Runs> runs = replicates.of(
            fmt::format("{}, {}", task.name, protocol), 1.0 / 24.0, results.runs, [&](const Replicate& replicate) {
              Runs found;
              for (const Contestant& one : all)
                found.push_back(one.repeated || replicate.number == 0 ? attempt(one, tables, held_out, replicate)
                                                                      : std::nullopt);
              return found;
            });
        for (std::size_t i = 0; i < all.size(); ++i) {
          Total here;
          for (const Runs& run : runs)
            if (run[i]) {
              here.accuracies.push_back(run[i]->accuracy);
              here.chances.push_back(run[i]->chance);
              here.ambiguous.add(run[i]->ambiguous);
            }
          add_row(task.name, protocol, all[i], here.accuracies, here.chances, here.ambiguous, results);
          if (here.accuracies.empty()) continue;
          Total& total = totals[{i, held_out}];
          total.accuracies.push_back(spread(here.accuracies).mean);
          total.chances.push_back(spread(here.chances).mean);
          total.ambiguous += here.ambiguous;
          if (all[i].method != "cCDA") continue;
          if (spread(here.accuracies).mean < spread(here.chances).mean)
            below.push_back(fmt::format("{} ({})", task.name, protocol));
          (held_out ? halves_of_rows : same_rows).add(runs, i);
        }
      }
    }
    for (const bool held_out : {false, true})
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Total& total = totals[{i, held_out}];
        add_row("all tasks", held_out ? "halves" : "same rows", all[i], total.accuracies, total.chances,
                total.ambiguous, results);
      }
    results.notes = {
        "`all tasks`: the mean over the tasks, with the spread between them; runs are then tasks",
        "methods other than cCDA and PCA were run once: their time is long and their result depends little on the seed",
        "no method was told which rows or columns belong together; cCDA's `tie`, `polish` and subsamples were chosen "
        "while looking at these tasks"};
    if (same_rows.tasks > 0) {
      results.notes.push_back(below.empty()
                                  ? std::string("cCDA is above chance in the mean of every task")
                                  : fmt::format("what fails: cCDA is below chance in {}", fmt::join(below, ", ")));
      results.notes.push_back(fmt::format("cCDA, same rows: {}", same_rows.said()));
      results.notes.push_back(fmt::format("cCDA, halves: {}", halves_of_rows.said()));
    }
  }

  static void add_row(const std::string& task, const char* protocol, const Contestant& one,
                      const std::vector<double>& accuracies, const std::vector<double>& chances, const Share& ambiguous,
                      Results& results) {
    const auto number = [](double value) { return Cell(value); };
    const bool any = !accuracies.empty();
    results.rows.push_back(
        {task, std::string(protocol), one.name, static_cast<Index>(accuracies.size()),
         any ? number(spread(accuracies).mean) : Cell(), accuracies.size() > 1 ? number(spread(accuracies).sd) : Cell(),
         any ? number(*std::min_element(accuracies.begin(), accuracies.end())) : Cell(),
         any ? number(spread(chances).mean) : Cell(), one.method == "cCDA" && any ? Cell(ambiguous) : Cell()});
  }

  std::string folder_, only_, methods_;
};

}  // namespace

CDA_PART(Experiment, alignment) {
  return study<AlignmentStudy>("two assays or views of one population in one space: twelve real tasks",
                               "docs/alignment.md",
                               {{"tasks", "all", "those whose name contains this, e.g. cite"},
                                {"methods", "all", "those whose name contains one of these, e.g. cCDA+PCA"},
                                data_option()});
}
