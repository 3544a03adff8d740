// Running a study by name, shares with their intervals, and results as JSON.
#include "studies/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cda/extend/version.hpp"

namespace cda {
namespace {

using Json = nlohmann::ordered_json;

struct CellJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(Index number) const { return number; }
  Json operator()(double number) const { return std::isfinite(number) ? Json(number) : Json(nullptr); }
  Json operator()(const Share& share) const {
    const auto [low, high] = share.interval();
    const auto value = share.value();
    return {{"share", value ? Json(*value) : Json(nullptr)},
            {"count", share.count},
            {"of", share.of},
            {"low", low},
            {"high", high}};
  }
};

struct CellText {
  int decimals;

  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(Index number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const {
    return std::isfinite(number) ? fmt::format("{:.{}f}", number, decimals) : "-";
  }
  std::string operator()(const Share& share) const {
    if (!share.value()) return "-";
    const auto [low, high] = share.interval();
    return fmt::format("{:.{}f} [{:.2f}, {:.2f}]", *share.value(), decimals, low, high);
  }
};

}  // namespace

std::map<std::string, std::string> options_in_force(const PartSpec& whole, const ExperimentOptions& options) {
  std::map<std::string, std::string> all = whole.settings.values();
  all["effort"] = options.effort == ExperimentOptions::Effort::quick  ? "quick"
                  : options.effort == ExperimentOptions::Effort::full ? "full"
                                                                      : "usual";
  return all;
}

std::string written_by() { return fmt::format("cda {}", version()); }

std::string shown_cell(const Cell& cell, int decimals) { return std::visit(CellText{decimals}, cell); }

Results run_experiment(const PartSpec& study, const ExperimentOptions& options, const ExperimentObserver& observer) {
  if (options.runs.value_or(1) < 1) throw Error(Fault::usage, "option.value", "a study needs at least one run");
  if (options.threads < 0) throw Error(Fault::usage, "option.value", "threads must not be negative");
  const PartSpec whole = experiments().complete(study);
  Results results = experiments().make(whole)->run(options, observer);
  results.experiment = whole.name;
  results.seed = options.seed;
  results.options = options_in_force(whole, options);
  return results;
}

std::vector<std::string> studies_that_compare() {
  std::vector<std::string> names{"table1", "noise", "beta", "efficiency", "subspace", "identifiable"};
  for (const std::string& name : experiments().names())
    if (!experiments().make(name)->apart() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

bool holds_results(const std::string& json, const PartSpec& study, const ExperimentOptions& options) {
  const auto object = nlohmann::json::parse(json, nullptr, false);  // in which the order of options plays no part
  if (!object.is_object()) return false;
  const auto is = [&](const char* key, const nlohmann::json& value) {
    return object.contains(key) && object[key] == value;
  };
  const PartSpec whole = experiments().complete(study);
  for (const auto& note : object.contains("notes") ? object["notes"] : nlohmann::json::array())
    if (note.is_string() && note.get<std::string>().rfind(nothing_measured, 0) == 0) return false;
  return is("written_by", written_by()) && is("experiment", whole.name) && is("seed", options.seed) &&
         is("options", options_in_force(whole, options)) && (!options.runs || is("runs", *options.runs));
}

std::optional<double> Share::value() const {
  if (of == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(of);
}

// With q = count / n and z = 1.96: (q + z^2 / 2n +- z sqrt(q (1 - q) / n + z^2 / 4n^2)) / (1 + z^2 / n).
std::pair<double, double> Share::interval() const {
  if (of == 0) return {0.0, 1.0};
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(of);
  const double q = *value(), centre = q + z * z / (2.0 * n);
  const double half = z * std::sqrt(q * (1.0 - q) / n + z * z / (4.0 * n * n)), total = 1.0 + z * z / n;
  // At both ends one bound is exact; rounding must not leave [0, 1].
  return {count == 0 ? 0.0 : (centre - half) / total, count == of ? 1.0 : (centre + half) / total};
}

std::string Results::to_json() const {
  Json object;
  object["written_by"] = written_by();
  object["experiment"] = experiment;
  object["title"] = title;
  object["seed"] = seed;
  object["runs"] = runs;
  object["options"] = options;
  object["columns"] = Json::array();
  for (const ResultColumn& column : columns)
    object["columns"].push_back({{"name", column.name}, {"summary", column.summary}, {"decimals", column.decimals}});
  object["rows"] = Json::array();
  for (const std::vector<Cell>& row : rows) {
    Json cells = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) cells[columns[i].name] = std::visit(CellJson(), row.at(i));
    object["rows"].push_back(std::move(cells));
  }
  object["notes"] = notes;
  object["listing"] = listing;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cda
