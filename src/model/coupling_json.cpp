#include "model/coupling_json.hpp"

namespace cda {
namespace {

Json written(const Alignment& alignment) {
  return {{"correlation", alignment.correlation},
          {"sliced", alignment.sliced},
          {"weight", alignment.weight},
          {"cosine", alignment.cosine}};
}

Alignment read_alignment(const Field& field) {
  return {field.at("correlation").number(), field.at("sliced").number(), field.at("weight").number(),
          field.at("cosine").number()};
}

}  // namespace

Json written(const Coupling& coupling) {
  Json json = written(coupling.chosen);
  json.erase("cosine");
  json.erase("weight");
  json["coherence"] = coupling.coherence;
  json["halves"] = coupling.halves;
  json["overlap"] = coupling.overlap;
  json["ambiguous"] = coupling.ambiguous;
  json["alternatives"] = Json::array();
  for (const Alignment& other : coupling.alternatives) json["alternatives"].push_back(written(other));
  return json;
}

Coupling read_coupling(const Field& field) {
  Coupling coupling;
  coupling.chosen = {field.at("correlation").number(), field.at("sliced").number(), 1.0, 1.0};
  coupling.coherence = field.at("coherence").number();
  coupling.halves = field.at("halves").number();
  coupling.overlap = field.at("overlap").number();
  coupling.ambiguous = field.at("ambiguous").flag();
  for (const Field& item : field.at("alternatives").items()) coupling.alternatives.push_back(read_alignment(item));
  return coupling;
}

}  // namespace cda
