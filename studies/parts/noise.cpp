// The paper's table on noisy attributes: rows paired, non-linear relations, and c columns of noise among 5 + c of X and
// 3 + c of Y. Chance changes with the number of columns, so it stands beside every figure; methods with equal columns
// get the first 3 + c of both.
#include <fmt/format.h>

#include "studies/retrieval.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

class Noise final : public Experiment {
 public:
  explicit Noise(const Settings& settings) : rows_(settings.count("rows", 20, 1'000'000)) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("noise", options, observer);
    Results results;
    results.title =
        "Noisy attributes: distance of the spaces found from the true ones, non-linear relations, paired rows";
    results.runs = options.runs_or(2, 10, 10);
    results.columns = {{"c", "5 + c columns of X, 3 + c of Y"}};
    for (const ResultColumn& column : retrieval_columns()) results.columns.push_back(column);
    results.plots = retrieval_plots("c", {});
    const bool quick = options.effort == Effort::quick;
    const std::vector<Index> counts = quick ? std::vector<Index>{2, 6} : std::vector<Index>{2, 4, 6, 8, 10};
    std::vector<std::string> methods{"CDA_Q", "rCDA_M", "iCDA", "PCA", "CCA", "SCL", "DAC", "TCA"};
    if (!quick) methods.insert(methods.end(), {"LSCCA", "SSC"});
    if (options.effort == Effort::full) methods.emplace_back("mrCDA_P");
    const std::vector<Contender> all = contenders(methods);
    for (const Index c : counts) {
      const auto tables = [&](std::uint64_t seed) {
        return RelationTables(
            {.kind = "nonlinear", .n = rows_, .k = rows_, .m = 5 + c, .l = 3 + c, .shuffle = false, .seed = seed});
      };
      const std::vector<RetrievalErrors> runs = replicates.of(
          fmt::format("c = {}", c), 1.0 / static_cast<double>(counts.size()), results.runs,
          [&](const Replicate& replicate) { return retrieval_errors(all, tables(replicate.seed), replicate); });
      add_retrieval_rows({c}, all, tables(0), runs, results);
    }
    results.notes = {fmt::format("{} rows; the relations carry 5 dimensions of X and 4 of Y at every c", rows_),
                     "an error that grows with c no faster than chance does says nothing for a method: look at both"};
    results.notes.push_back(smallest_p_note(results.runs));
    return results;
  }

 private:
  Index rows_;
};

}  // namespace

CDA_PART(Experiment, noise) {
  return study<Noise>("the paper's table on noisy attributes: 2 to 10 columns of noise, beside chance",
                      "the paper, appendix Sensitivity to Noisy Attributes; docs/results.md",
                      {{"rows", "1000", "of each table"}});
}
