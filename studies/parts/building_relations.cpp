// Which meters of one building go with which of another? The paper lists what its methods found in two office buildings
// whose data are not public, and no one can say whether it is true. Here the question is asked twice:
//
//   simulated  two buildings of `cda synth buildings`, where it is known which meters follow the same driver: the
//              share of these relations that a method's pairs claim, and the share of its claims that are true
//   real       two buildings of which seven columns have the same name (studies/two_buildings.hpp). That these go
//              together is all that is known, and it is weak: another climate, another kind of room. Every pair is
//              listed with its leading columns; for iCDA with the verdict of `cda test`, rows in blocks of a day
//
// A pair claims each column that leads it in X together with each that leads it in Y. Chance: the same claims where the
// columns of Y change places at random.
#include <fmt/format.h>

#include "cda/evidence.hpp"
#include "studies/real_data.hpp"
#include "studies/relations.hpp"
#include "studies/replicates.hpp"
#include "studies/study.hpp"
#include "studies/two_buildings.hpp"

using namespace cda;

namespace {

constexpr const char* methods_compared[] = {"iCDA", "CDA_M", "CDA_Q", "rCDA_M", "rCDA_Q", "PCA"};

// What one method lists on the real buildings.
struct ListedPair {
  double agreement = 0.0;
  std::string verdict, x, y;  // no verdict where none was asked for

  static auto fields(auto& self) { return std::tie(self.agreement, self.verdict, self.x, self.y); }
};
struct Listed {
  std::vector<ListedPair> pairs;
  RelationScore same_names;
  std::string failure;

  static auto fields(auto& self) { return std::tie(self.pairs, self.same_names, self.failure); }
};

class BuildingRelations final : public Experiment {
 public:
  explicit BuildingRelations(const Settings& settings) : folder_(data_folder(settings.text("data"))) {}

  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Results results;
    results.title = "Which meters of one building go with which of another";
    results.columns = {{"data", ""},
                       {"method", ""},
                       {"pair", ""},
                       {"agreement", "of the two shapes, on the rows fitted"},
                       {"verdict", "of cda test, for iCDA"},
                       {"runs", "fresh pairs of tables"},
                       {"found", "share of the true relations that are claimed"},
                       {"found_by_chance", ""},
                       {"right", "share of the claimed relations that are true"},
                       {"right_by_chance", ""},
                       {"x", "columns of X that lead the pair, with their correlation"},
                       {"y", "the same of Y"}};
    results.plots = {{.title = "share of the true relations that are claimed",
                      .label = "method",
                      .value = "found",
                      .reference = "found_by_chance",
                      .panels = {"data"}},
                     {.title = "share of the claimed relations that are true",
                      .label = "method",
                      .value = "right",
                      .reference = "right_by_chance",
                      .panels = {"data"}}};
    Replicates replicates("building_relations", options, observer);
    const Index runs = options.runs_or(2, 10, 30);
    results.runs = runs;
    simulated(runs, replicates, results);
    real(options, replicates, results);
    results.notes.push_back(fmt::format(
        "a column leads a pair where its correlation with the pair's values is {} or more; each that leads "
        "in X is claimed to go with each that leads in Y; chance: the columns of Y change places (1000 times)",
        leading_loading));
    return results;
  }

 private:
  static FitOptions fit_options(const char* method, Index pairs, std::uint64_t seed) {
    return {.method = method, .components = pairs, .seed = seed, .threads = 1};
  }

  static void simulated(Index runs, Replicates& replicates, Results& results) {
    using Scores = std::vector<RelationScore>;
    const std::vector<Scores> each = replicates.of("simulated", 0.5, runs, [&](const Replicate& replicate) {
      const SyntheticPair data = synthesise({.kind = "buildings", .seed = replicate.seed});
      const Relations truth = true_relations(data.truth, data.x, data.y);
      Scores scores;
      for (const char* method : methods_compared) {
        const Model model = fit(data.x, data.y, fit_options(method, 3, replicate.seed), replicate.fit_observer);
        scores.push_back(
            score_relations(claimed_relations(model), truth, data.y.columns(), replicate.random.stream("places")));
      }
      return scores;
    });
    std::vector<std::string> clear;
    for (std::size_t i = 0; i < std::size(methods_compared); ++i) {
      RelationScore all;
      Index added = 0;
      for (const Scores& scores : each) all.add(scores[i], added++);
      results.rows.push_back({"simulated", methods_compared[i], Cell(), Cell(), Cell(), runs, all.found,
                              all.found_by_chance, all.right, all.right_by_chance, Cell(), Cell()});
      if (all.found.interval().first > all.found_by_chance && all.right.interval().first > all.right_by_chance)
        clear.emplace_back(methods_compared[i]);
    }
    results.notes.push_back(
        fmt::format("simulated buildings, 3 pairs each: relations are found, and claims are right, clearly more often "
                    "than by chance with {}",
                    clear.empty() ? "none of the methods" : fmt::format("{}", fmt::join(clear, ", "))));
  }

  void real(const ExperimentOptions& options, Replicates& replicates, Results& results) const {
    const auto buildings = two_buildings(folder_, results.notes);
    if (!buildings) return;
    constexpr Index pairs = 5;
    const Relations same = same_named_columns(buildings->x, buildings->y);
    const std::vector<Listed> all =
        replicates.of("real", 0.5, static_cast<Index>(std::size(methods_compared)), [&](const Replicate& replicate) {
          const char* method = methods_compared[replicate.number];
          FitOptions fitting = fit_options(method, pairs, options.seed);
          fitting.block_length = same_name(method, "iCDA") ? 24 : 1;
          Listed listed;
          try {
            Model model = fit(buildings->x, buildings->y, fitting, replicate.fit_observer);
            if (same_name(method, "iCDA")) {
              EvidenceOptions how;
              if (options.effort == Effort::quick) how = {.surrogates = 99, .bootstraps = 9};
              model.evidence = examine(buildings->x, buildings->y, model, how, replicate.evidence_observer);
            }
            for (std::size_t i = 0; i < model.pairs.size(); ++i)
              listed.pairs.push_back({model.pairs[i].agreement,
                                      model.evidence ? to_string(model.evidence->pairs[i].verdict) : std::string(),
                                      leading_columns(model.pairs[i].x_loadings, model.x.columns),
                                      leading_columns(model.pairs[i].y_loadings, model.y.columns)});
            listed.same_names = score_relations(claimed_relations(model), same, buildings->y.columns(),
                                                Random(options.seed, "places").stream(method));
          } catch (const Error& error) {
            if (error.code() == "interrupted") throw;
            listed.failure = error.message();
          }
          return listed;
        });
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [listed_pairs, score, failure] = all[i];
      const char* method = methods_compared[i];
      if (!failure.empty()) {
        results.notes.push_back(fmt::format("{} on the real buildings: {}", method, failure));
        continue;
      }
      for (std::size_t p = 0; p < listed_pairs.size(); ++p) {
        const ListedPair& pair = listed_pairs[p];
        results.rows.push_back({"real", method, static_cast<Index>(p + 1), pair.agreement,
                                pair.verdict.empty() ? Cell() : Cell(pair.verdict), Cell(), Cell(), Cell(), Cell(),
                                Cell(), pair.x, pair.y});
      }
      results.rows.push_back({"real, same names", method, Cell(), Cell(), Cell(), Index{1}, score.found,
                              score.found_by_chance, score.right, score.right_by_chance, Cell(), Cell()});
    }
    results.notes.push_back(fmt::format(
        "real buildings: {} hours of {} columns against {} of {}; \"same names\" counts the {} columns that both have "
        "as the true relations, which is all that is known of them",
        buildings->x.rows(), buildings->x.columns(), buildings->y.rows(), buildings->y.columns(), same.size()));
  }

  std::string folder_;
};

}  // namespace

CDA_PART(Experiment, building_relations) {
  return study<BuildingRelations>("which meters of two buildings go together: simulated with known truth, and real",
                                  "docs/transfer.md", {data_option()});
}
