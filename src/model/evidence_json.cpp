#include "model/evidence_json.hpp"

#include <set>

namespace cda {
namespace {

Json written_pair(const PairEvidence& pair) {
  Json json{{"verdict", pair.verdict}, {"statement", pair.statement}};
  put(json, "p", pair.p);
  put(json, "statistic", pair.statistic);
  if (pair.null_quantiles.size() > 0) json["null_quantiles"] = written(pair.null_quantiles);
  put(json, "agreement_held_out", pair.agreement_held_out);
  put(json, "agreement_at_least", pair.agreement_at_least);
  put(json, "divergence_held_out", pair.divergence_held_out);
  put(json, "divergence_of_chance", pair.divergence_of_chance);
  put(json, "stability", pair.stability);
  put(json, "sign", pair.sign);
  if (pair.x_weights.size() > 0)
    json["intervals"] = {{"x_weights", written(pair.x_weights)},
                         {"y_weights", written(pair.y_weights)},
                         {"x_loadings", written(pair.x_loadings)},
                         {"y_loadings", written(pair.y_loadings)}};
  json["notes"] = pair.notes;
  return json;
}

PairEvidence read_pair_evidence(const Field& field, Index x_columns, Index y_columns) {
  constexpr Index quantiles = 21;
  PairEvidence pair;
  pair.verdict = field.at("verdict").text();
  if (std::set<std::string>{"supported", "ambiguous", "no_evidence"}.count(pair.verdict) == 0)
    field.at("verdict").wrong("supported, ambiguous or no_evidence");
  pair.statement = field.at("statement").text();
  pair.p = field.optional_number("p");
  pair.statistic = field.optional_number("statistic");
  if (field.has("null_quantiles")) pair.null_quantiles = field.at("null_quantiles").vector(quantiles);
  pair.agreement_held_out = field.optional_number("agreement_held_out");
  pair.agreement_at_least = field.optional_number("agreement_at_least");
  pair.divergence_held_out = field.optional_number("divergence_held_out");
  pair.divergence_of_chance = field.optional_number("divergence_of_chance");
  pair.stability = field.optional_number("stability");
  pair.sign = field.optional_number("sign");
  if (field.has("intervals")) {
    const Field intervals = field.at("intervals");
    pair.x_weights = intervals.at("x_weights").matrix(x_columns, 2);
    pair.y_weights = intervals.at("y_weights").matrix(y_columns, 2);
    pair.x_loadings = intervals.at("x_loadings").matrix(x_columns, 2);
    pair.y_loadings = intervals.at("y_loadings").matrix(y_columns, 2);
  }
  pair.notes = field.at("notes").texts();
  return pair;
}

}  // namespace

Json written(const Evidence& evidence) {
  Json pairs = Json::array();
  for (const PairEvidence& pair : evidence.pairs) pairs.push_back(written_pair(pair));
  Json json{{"test", evidence.test}, {"hypothesis", evidence.hypothesis}, {"statement", evidence.statement}};
  put(json, "global_p", evidence.global_p);
  json["surrogates"] = evidence.surrogates;
  json["bootstraps"] = evidence.bootstraps;
  json["block_length"] = evidence.block_length;
  json["pairs"] = std::move(pairs);
  json["warnings"] = evidence.warnings;
  return json;
}

Evidence read_evidence(const Field& field, const Model& model) {
  constexpr Index most = 2147483647;
  Evidence evidence;
  evidence.test = field.at("test").text();
  evidence.hypothesis = field.at("hypothesis").text();
  evidence.statement = field.at("statement").text();
  evidence.global_p = field.optional_number("global_p");
  evidence.surrogates = static_cast<int>(field.at("surrogates").count(0, most));
  evidence.bootstraps = static_cast<int>(field.at("bootstraps").count(0, most));
  evidence.block_length = field.at("block_length").count(1, most);
  const std::vector<Field> pairs = field.at("pairs").items();
  if (pairs.size() != model.pairs.size()) field.at("pairs").wrong("a list with one entry for every pair");
  for (const Field& pair : pairs)
    evidence.pairs.push_back(read_pair_evidence(pair, static_cast<Index>(model.x.columns.size()),
                                                static_cast<Index>(model.y.columns.size())));
  evidence.warnings = field.at("warnings").texts();
  return evidence;
}

}  // namespace cda
