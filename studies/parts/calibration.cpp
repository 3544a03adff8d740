// Does the evidence mean what it says? For tables that share nothing, how often is p at most .05 and how often is a
// pair called supported; for tables that do share something, how often is it found, and is what is supported the truth?
//
// Each replicate draws two tables (studies/scenarios.hpp), fits with defaults and examines the fit. p is the
// smallest of the pairs' p, which by step-down is that of the pair with the strongest evidence. Verdicts count once per
// replicate: supported where any pair is, else ambiguous where any is. A level is compared with .05, a power with the
// figure of the design's own measurements, by exact binomial tests. Both figures of p need no bootstrap:
// `calibration:bootstraps=0` leaves it out, and with it the verdicts.
#include <fmt/format.h>

#include <algorithm>

#include "studies/planted_sources.hpp"
#include "studies/replicates.hpp"
#include "studies/scenarios.hpp"
#include "studies/shares.hpp"
#include "studies/study.hpp"

using namespace cda;

namespace {

using Kind = Scenario::Kind;

constexpr double level = 0.05;

// What one replicate says.
struct Answer {
  double p = 1.0, first_p = 1.0, global_p = 1.0;
  Index supported = 0, ambiguous = 0, supported_true = 0;  // pairs

  static auto fields(auto& self) {
    return std::tie(self.p, self.first_p, self.global_p, self.supported, self.ambiguous, self.supported_true);
  }
};

// Over replicates.
struct Tally {
  Share p, first_p, global_p, supported, ambiguous, no_evidence;
  Share true_pairs;  // of the supported pairs

  void add(const Answer& answer) {
    p.add(answer.p <= level);
    first_p.add(answer.first_p <= level);
    global_p.add(answer.global_p <= level);
    supported.add(answer.supported > 0);
    ambiguous.add(answer.supported == 0 && answer.ambiguous > 0);
    no_evidence.add(answer.supported == 0 && answer.ambiguous == 0);
    true_pairs += {answer.supported_true, answer.supported};
  }
};

Answer examined(const SyntheticPair& data, const EvidenceOptions& how, const Replicate& replicate) {
  const FitOptions options{.seed = replicate.seed, .threads = 1};
  const Model model = fit(data.x, data.y, options, replicate.fit_observer);
  const Evidence evidence = examine(data.x, data.y, model, how, replicate.evidence_observer);
  const std::vector<Index> sources = sources_of_pairs(data, model);
  Answer answer;
  answer.global_p = evidence.global_p.value_or(1.0);
  answer.first_p = evidence.pairs.front().p.value_or(1.0);
  for (std::size_t i = 0; i < evidence.pairs.size(); ++i) {
    const PairEvidence& pair = evidence.pairs[i];
    answer.p = std::min(answer.p, pair.p.value_or(1.0));
    if (pair.verdict == Verdict::ambiguous) ++answer.ambiguous;
    if (pair.verdict != Verdict::supported) continue;
    ++answer.supported;
    if (sources[i] >= 0) ++answer.supported_true;
  }
  return answer;
}

class Calibration final : public Experiment {
 public:
  explicit Calibration(const Settings& settings)
      : scenarios_(settings.text("scenarios")), rows_(settings.count("rows", 0, 1000000)) {
    how_.surrogates = static_cast<int>(settings.count("surrogates", 19, 1000000));
    how_.bootstraps = static_cast<int>(settings.count("bootstraps", 0, 1000000));
  }

  bool apart() const override { return true; }
  Results run(const ExperimentOptions& options, const ExperimentObserver& observer) const override {
    Replicates replicates("calibration", options, observer);
    const std::vector<Scenario> chosen = chosen_scenarios();
    const std::vector<Index> sizes = chosen_sizes(options);
    Results results;
    results.title = "Evidence on tables that share nothing, and on tables that share something";
    results.runs = options.runs_or(20, 200, 400);
    results.columns = columns();
    for (const auto& [title, value] : {std::pair{"share of runs with a p of at most .05", "p"},
                                       {"share of runs with a global p of at most .05", "global_p"},
                                       {"share of runs with a supported pair", "supported"}})
      results.plots.push_back({.title = title,
                               .label = "scenario",
                               .value = value,
                               .panels = {"n"},
                               .standard = level,
                               .standard_words = "the most there should be where nothing is shared"});
    double total = 0.0;
    for (const Scenario& scenario : chosen)
      for (const Index n : sizes) total += cost(scenario, n);
    for (const Index n : sizes)
      for (const Scenario& scenario : chosen) {
        const std::string what = fmt::format("{}, n = {}", scenario.name, n);
        Tally tally;
        for (const Answer& answer :
             replicates.of(what, cost(scenario, n) / total, results.runs, [&](const Replicate& replicate) {
               return examined(draw_scenario(scenario, n, replicate.random), how_, replicate);
             }))
          tally.add(answer);
        results.rows.push_back(row(scenario, n, tally));
      }
    results.notes = notes();
    return results;
  }

 private:
  bool verdicts() const { return how_.bootstraps.value_or(0) > 0; }

  std::vector<Scenario> chosen_scenarios() const {
    std::vector<Scenario> chosen;
    for (const Scenario& scenario : scenarios()) {
      const bool power = scenario.kind == Kind::power;
      if (same_name(scenarios_, "all") || same_name(scenarios_, scenario.name) ||
          same_name(scenarios_, power ? "power" : "level"))
        chosen.push_back(scenario);
    }
    if (!chosen.empty()) return chosen;
    std::vector<std::string> names = {"all", "level", "power"};
    for (const Scenario& scenario : scenarios()) names.push_back(scenario.name);
    unknown_name("scenario", scenarios_, names);
  }

  std::vector<Index> chosen_sizes(const ExperimentOptions& options) const {
    if (rows_ > 0) return {rows_};
    return options.by_effort<std::vector<Index>>({300}, {300, 1000}, {150, 300, 1000});
  }

  // In any unit.
  static double cost(const Scenario& scenario, Index n) {
    return static_cast<double>((n + 200) * (scenario.m + scenario.l));
  }

  static std::vector<ResultColumn> columns() {
    return {{"scenario", ""},
            {"what", ""},
            {"n", "rows of each table"},
            {"m", "columns of X"},
            {"l", "columns of Y"},
            {"p", "share of runs whose smallest p is at most .05, with a 95 % interval", 3},
            {"pair_1", "share of runs in which p of the first pair is at most .05", 3},
            {"global_p", "share of runs whose global p is at most .05", 3},
            {"supported", "share of runs with a pair that is called supported", 3},
            {"ambiguous", "share of runs with a pair called ambiguous and none supported", 3},
            {"no_evidence", "share of the other runs", 3},
            {"true_pairs", "share of supported pairs that are a shared source on both sides", 3},
            {"compared", "shares against .05 where nothing is shared, else p against the power known from before"}};
  }

  std::vector<Cell> row(const Scenario& scenario, Index n, const Tally& tally) const {
    const auto judged = [&](const Share& share) { return verdicts() ? Cell(share) : Cell(); };
    const bool power = scenario.kind == Kind::power;
    return {scenario.name,
            scenario.title,
            n,
            scenario.m,
            scenario.l,
            tally.p,
            *tally.first_p.value(),
            tally.global_p,
            judged(tally.supported),
            judged(tally.ambiguous),
            judged(tally.no_evidence),
            power ? judged(tally.true_pairs) : Cell(),
            compared(scenario, n, tally)};
  }

  std::string compared(const Scenario& scenario, Index n, const Tally& tally) const {
    if (scenario.kind == Kind::power) {
      const auto known = scenario.known_power(n);
      return known ? fmt::format("p {}", compared_with_power(tally.p, *known)) : "";
    }
    if (scenario.kind == Kind::apart) return "reported apart";
    std::string text = fmt::format("p {}", compared_with_level(tally.p, level));
    text += fmt::format("; global {}", compared_with_level(tally.global_p, level));
    if (verdicts()) text += fmt::format("; supported {}", compared_with_level(tally.supported, level));
    return text;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = {
        fmt::format("{} surrogates, {} bootstraps per replicate (by default cda test uses 999 and 99)",
                    how_.surrogates.value_or(0), how_.bootstraps.value_or(0)),
        "comparisons are exact one-sided binomial tests at 5 %, one by one: of twenty true levels about one will look "
        "too high; the powers compared with are themselves estimates of an earlier form of the test",
        "coincide is reported apart: where two tables happen to draw the same shape, it is there to be found"};
    if (!verdicts()) notes.emplace_back("without bootstraps no pair can be supported, so verdicts are left out");
    return notes;
  }

  std::string scenarios_;  // all, level, power, or a scenario's name
  Index rows_;             // 0: the usual sizes
  EvidenceOptions how_;
};

}  // namespace

CDA_PART(Experiment, calibration) {
  return study<Calibration>("how often p and the verdicts speak up on unrelated tables, and on related ones",
                            "docs/calibration.md",
                            {{"scenarios", "all", "all, level, power, or the name of one"},
                             {"rows", "0", "of each table; 0: 300 and 1000, with --full 150 too"},
                             {"surrogates", "499", "unrelated shapes each fit is compared with"},
                             {"bootstraps", "29", "for stability and verdicts; 0: p only, which is faster"}});
}
