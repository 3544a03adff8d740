#include "use/match_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cda/error.hpp"

namespace cda {
namespace {

constexpr double often = 0.9;
constexpr double poor_distance = 0.02;
constexpr double beyond_sampling = 3.0;

}  // namespace

void judge(const Column& x, const Column& y, MatchUnits units, ColumnMatch& match) {
  const bool standardised = units == MatchUnits::standardised;
  const bool bells = standardised && bell_shaped(x) && bell_shaped(y);
  const bool both_flat = standardised && flat(x) && flat(y);
  const double distance = 1.0 - match.similarity, margin = match.margin().value_or(0.0);
  const bool beyond = distance > beyond_sampling * match.sampling;
  if (bells || both_flat)
    match.verdict = MatchVerdict::not_distinctive;
  else if (beyond && distance > poor_distance)
    match.verdict = MatchVerdict::poor;
  else if (match.frequency >= often && margin > 0.0 && (!beyond || margin >= distance))
    match.verdict = MatchVerdict::clear;
  else
    match.verdict = MatchVerdict::ambiguous;

  if (bells) match.notes.emplace_back("a bell curve, not distinctive");
  if (both_flat && !bells) match.notes.emplace_back("evenly spread like a counter, not distinctive");
  if (x.few_valued() || y.few_valued())
    match.notes.push_back(fmt::format("{} and {} distinct values: such columns match easily", x.distinct, y.distinct));
  if (!match.margin()) match.notes.emplace_back("the only pair there is: nothing to compare it with");
  if (beyond)
    match.notes.push_back(
        match.sampling > 0.0
            ? fmt::format("the shapes differ {:.2g} times as much as sampling explains", distance / match.sampling)
            : std::string("the shapes differ more than sampling explains"));
  if (!match.sign_determined()) match.notes.emplace_back("the sign is not determined: the shape is nearly symmetric");
}

std::optional<double> ColumnMatch::margin() const {
  if (!other_x) return other_y ? std::optional(other_y->margin) : std::nullopt;
  return other_y ? std::min(other_x->margin, other_y->margin) : other_x->margin;
}

std::string to_string(MatchVerdict verdict) {
  switch (verdict) {
    case MatchVerdict::clear:
      return "clear";
    case MatchVerdict::ambiguous:
      return "ambiguous";
    case MatchVerdict::poor:
      return "poor";
    case MatchVerdict::not_distinctive:
      return "not_distinctive";
  }
  throw Error(Fault::internal, "match.verdict", "an unknown verdict");
}

}  // namespace cda
