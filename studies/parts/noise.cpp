// The paper's table on noisy attributes: rows paired, non-linear relations, and c columns of noise among 5 + c of X and
// 3 + c of Y. Chance changes with the number of columns, so it stands beside every figure; methods with equal columns
// get the first 3 + c of both.
#include <fmt/format.h>

#include "base/part.hpp"
#include "studies/retrieval.hpp"

using namespace cda;

namespace {

using Effort = ExperimentOptions::Effort;

class Noise final : public Experiment {
 public:
  explicit Noise(Index rows) : rows_(rows) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("noise", options, observer);
    Results results;
    results.title =
        "Noisy attributes: distance of the spaces found from the true ones, non-linear relations, paired rows";
    results.runs = options.runs.value_or(options.effort == Effort::quick ? 2 : 10);
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
      using Errors = std::vector<std::optional<RetrievalError>>;
      const std::vector<Errors> runs =
          replicates.of(fmt::format("c = {}", c), 1.0 / static_cast<double>(counts.size()), results.runs,
                        [&](const Replicate& replicate) {
                          const RelationTables made = tables(replicate.seed);
                          Errors errors;
                          for (const Contender& contender : all)
                            errors.push_back(retrieval_error(contender, made.of(contender), replicate));
                          return errors;
                        });
      const RelationTables example = tables(0);
      std::vector<RetrievalLine> lines;
      for (std::size_t i = 0; i < all.size(); ++i) {
        lines.push_back({{c}, &all[i], &example.of(all[i]), {}});
        for (const Errors& run : runs) lines.back().runs.push_back(run[i]);
      }
      add_retrieval_rows(lines, results);
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
  return {.info = {.name = {},
                   .summary = "the paper's table on noisy attributes: 2 to 10 columns of noise, beside chance",
                   .reference = "the paper, appendix Sensitivity to Noisy Attributes; docs/results.md",
                   .options = {{"rows", "1000", "of each table"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Experiment> {
            return std::make_unique<Noise>(settings.count("rows", 20, 1'000'000));
          }};
}
