// The rule, for tests against unrelated shapes (component match, refitting):
//
//   supported     p <= .05, held-out agreement >= .8, stability >= .6
//   ambiguous     p <= .05 otherwise; or p <= .2 and held-out agreement >= .8; or agreement >= .9 and stability >= .8
//   no_evidence   else, and always where a table has no informative component
//
// A test against Gaussian tables only says that both tables have structure, never that it is the same: there
// `ambiguous` is the most that can be said, and only of a pair that is identified: found again on resampled rows, and
// without rivals (identification.hpp). The thresholds are judgement; docs/evidence.md shows what they lead to.
#include "evidence/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evidence/common_shape.hpp"
#include "evidence/identification.hpp"
#include "find/components/components.hpp"

namespace cda {
namespace {

constexpr double significant = 0.05, suggestive = 0.2;
constexpr double agrees = 0.8, agrees_well = 0.9;
constexpr double stable = 0.6, very_stable = 0.8;
constexpr double sign_known = 0.9;

// "fewer than 2 in 100", from p.
std::string in_hundred(double p) {
  if (p < 0.01) return fmt::format("{} in 1000", static_cast<int>(std::ceil(1000.0 * p)));
  return fmt::format("{} in 100", static_cast<int>(std::ceil(100.0 * p - 1e-9)));
}

bool at_least(const std::optional<double>& value, double bound) { return value.has_value() && *value >= bound; }

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

std::string count_of(Index count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

Verdict verdict(const PairEvidence& pair, bool by_shape, bool informative, const Identification& identified) {
  if (!informative) return Verdict::no_evidence;
  const bool low = pair.p.has_value() && *pair.p <= significant;
  if (!by_shape)
    return at_least(pair.stability, stable) && low && identified.unique() ? Verdict::ambiguous : Verdict::no_evidence;
  if (low && at_least(pair.agreement_held_out, agrees) && at_least(pair.stability, stable)) return Verdict::supported;
  const bool nearly = pair.p.has_value() && *pair.p <= suggestive && at_least(pair.agreement_held_out, agrees);
  const bool steady = at_least(pair.agreement_held_out, agrees_well) && at_least(pair.stability, very_stable);
  return low || nearly || steady ? Verdict::ambiguous : Verdict::no_evidence;
}

std::string supported(std::size_t number, const PairEvidence& pair) {
  return fmt::format(
      "Pair {} is supported: on rows not used for fitting, the two sides have the same shape (agreement {:.2f}, at "
      "least {:.2f}), and no more than {} unrelated tables with equally strong structure would match this well. This "
      "is evidence that both tables contain a variable with this distribution; it does not link individual rows.",
      number, *pair.agreement_held_out, *pair.agreement_at_least, in_hundred(*pair.p));
}

// Every reason that stands in the way.
std::string ambiguous(std::size_t number, const PairEvidence& pair) {
  std::vector<std::string> reasons;
  if (pair.p && *pair.p > significant)
    reasons.push_back(fmt::format("unrelated tables often agree this well (p = {:.2g})", *pair.p));
  if (!pair.p) reasons.emplace_back("it was not tested against unrelated tables");
  if (!pair.agreement_held_out)
    reasons.emplace_back("on rows not used for fitting, neither side differs from a bell curve");
  else if (*pair.agreement_held_out < agrees)
    reasons.push_back(
        fmt::format("on rows not used for fitting they agree less (agreement {:.2f})", *pair.agreement_held_out));
  if (pair.stability && *pair.stability < stable)
    reasons.push_back(
        fmt::format("the directions change when rows are resampled (stability {})", percent(*pair.stability)));
  if (!pair.stability) reasons.emplace_back("its stability was not examined");
  return fmt::format("Pair {} is ambiguous: the shapes agree, but {}.", number, fmt::join(reasons, "; and "));
}

std::string no_evidence(std::size_t number, const Model& model, const PairEvidence& pair) {
  for (const auto& [side, table] : {std::pair{"X", &model.x}, std::pair{"Y", &model.y}})
    if (table->components == 0)
      return fmt::format(
          "Pair {}: table {} has no direction that differs detectably from a bell curve, so nothing can be matched by "
          "shape.",
          number, side);
  if (!model.pairs[number - 1].informative)
    return fmt::format(
        "Pair {} was asked for beyond the informative components: its sides are near bell curves, which "
        "always match.",
        number);
  const std::string by = pair.p ? fmt::format(" (p = {:.2g})", *pair.p) : "";
  return fmt::format("Pair {}: CDA always returns a pair; this one is no better than chance{}.", number, by);
}

// Every reason why other directions would serve as well; empty where none is known.
std::string not_identified(const PairEvidence& pair, const Identification& identified) {
  std::vector<std::string> reasons;
  if (pair.stability && *pair.stability < stable)
    reasons.push_back(*pair.stability > 0.0
                          ? fmt::format("only {} of the refits on resampled rows find these directions again",
                                        percent(*pair.stability))
                          : "no refit on resampled rows finds these directions again");
  if (identified.rivalled())
    reasons.push_back(fmt::format("{} in quite different directions {} nearly as good",
                                  count_of(identified.elsewhere, "optimum", "optima"),
                                  identified.elsewhere == 1 ? "is" : "are"));
  if (identified.flat())
    reasons.push_back(
        fmt::format("{} of {} random directions match nearly as well", identified.as_good, identified.random));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

// For methods whose test is against Gaussian tables.
std::string without_shapes(std::size_t number, const PairEvidence& pair, const Identification& identified) {
  std::string text = fmt::format("Pair {}: ", number);
  if (const std::string reasons = not_identified(pair, identified); !reasons.empty())
    text += fmt::format("not identified: {}. Other directions match as well, so these mean little.", reasons);
  else if (pair.p && *pair.p > significant)
    text += fmt::format("Gaussian tables with the same covariances match as well (p = {:.2g}).", *pair.p);
  else if (pair.p)
    text += fmt::format(
        "matches better than all but {} Gaussian tables would (p = {:.2g}): both tables have structure, which need not "
        "be the same.",
        in_hundred(*pair.p), *pair.p);
  else
    text += "it was not tested.";
  return text;
}

// What each examination asked, and what it found.
void add_answers(const Study& study, std::size_t i, const Identification& identified, PairEvidence& evidence) {
  if (evidence.divergence_held_out && evidence.divergence_of_chance)
    evidence.notes.push_back(
        fmt::format("divergence on rows not used for fitting {:.3g}; two samples of one distribution show {:.3g}",
                    *evidence.divergence_held_out, *evidence.divergence_of_chance));
  const bool together = formulations().make(*study.model.options.formulation)->joint();
  if (together && i > 0) return;  // one search, one answer
  const std::string whose = together ? " of all pairs together" : "";
  if (identified.near_ties > 0)
    evidence.notes.push_back(fmt::format(
        "other starts of the search ended in {}{}, {} nearly as good and {} of these in quite different directions",
        count_of(identified.optima, "other optimum", "other optima"), whose, identified.near_ties,
        identified.elsewhere));
  else if (identified.optima > 0)
    evidence.notes.push_back(fmt::format("other starts of the search ended in {}{}, none nearly as good",
                                         count_of(identified.optima, "other optimum", "other optima"), whose));
}

void add_notes(const Study& study, std::size_t i, bool by_shape, PairEvidence& evidence) {
  const Pair& pair = study.model.pairs[i];
  if (evidence.sign && *evidence.sign < sign_known && at_least(evidence.stability, stable))
    evidence.notes.emplace_back(
        "whether high X goes with high or low Y cannot be determined: the shape is nearly symmetric");
  if (by_shape && pair.informative) {
    const Vector x_shape = shape_deviation(study.model.transform(Side::x, study.x.values).col(static_cast<Index>(i)));
    const Vector y_shape = shape_deviation(study.model.transform(Side::y, study.y.values).col(static_cast<Index>(i)));
    if (const auto name = common_shape(0.5 * (x_shape + y_shape)))
      evidence.notes.push_back(
          fmt::format("the shape is a common one (close to {}); two unrelated tables may both contain it", *name));
  }
  for (const std::string& partners : other_partners(pair)) evidence.notes.push_back(partners);
}

std::string global_statement(const Model& model, bool by_shape, const Evidence& evidence) {
  for (const auto& [side, table] : {std::pair{"X", &model.x}, std::pair{"Y", &model.y}})
    if (table->components == 0)
      return fmt::format(
          "Nothing shared can be shown: table {} has no direction that differs detectably from a bell curve.", side);
  if (!evidence.global_p) return "No test was run.";
  const double p = *evidence.global_p;
  if (!by_shape)
    return p <= significant
               ? fmt::format(
                     "p = {:.2g}: both tables have structure that is not Gaussian; whether it is the same, this "
                     "test cannot say.",
                     p)
               : fmt::format("p = {:.2g}: Gaussian tables with the same covariances match as well.", p);
  if (p <= significant)
    return fmt::format("p = {:.2g}: taken together, the pairs match better than unrelated tables would.", p);
  return fmt::format("p = {:.2g}: unrelated tables with equally strong structure match as well.", p);
}

}  // namespace

void conclude(const Study& study, bool by_shape, Evidence& evidence) {
  for (std::size_t i = 0; i < evidence.pairs.size(); ++i) {
    PairEvidence& pair = evidence.pairs[i];
    const Identification identified = identification(study, i, pair);
    pair.verdict = verdict(pair, by_shape, study.model.pairs[i].informative, identified);
    if (!by_shape)
      pair.statement = without_shapes(i + 1, pair, identified);
    else if (pair.verdict == Verdict::supported)
      pair.statement = supported(i + 1, pair);
    else if (pair.verdict == Verdict::ambiguous)
      pair.statement = ambiguous(i + 1, pair);
    else
      pair.statement = no_evidence(i + 1, study.model, pair);
    add_notes(study, i, by_shape, pair);
    add_answers(study, i, identified, pair);
  }
  evidence.statement = global_statement(study.model, by_shape, evidence);
}

}  // namespace cda
