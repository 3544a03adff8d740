#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "console.hpp"

namespace cda::command {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

// {"column": value, ...} in the order of the columns.
Json by_column(const Names& names, const Vector& values) {
  Json object = Json::object();
  for (std::size_t j = 0; j < names.size(); ++j) object[names[j]] = values[static_cast<Index>(j)];
  return object;
}

Json summary_json(const TableSummary& table) {
  return {{"rows", table.rows}, {"columns", table.columns}, {"rank", table.rank}};
}

Json pair_json(const Model& model, const Pair& pair) {
  Json object;
  object["x_weights"] = by_column(model.x.columns, pair.x_weights);
  object["x_intercept"] = pair.x_intercept;
  object["y_weights"] = by_column(model.y.columns, pair.y_weights);
  object["y_intercept"] = pair.y_intercept;
  object["x_direction"] = std::vector<double>(pair.x_direction.begin(), pair.x_direction.end());
  object["y_direction"] = std::vector<double>(pair.y_direction.begin(), pair.y_direction.end());
  object["x_norm"] = pair.x_norm;
  object["y_norm"] = pair.y_norm;
  object["x_loadings"] = by_column(model.x.columns, pair.x_loadings);
  object["y_loadings"] = by_column(model.y.columns, pair.y_loadings);
  object["scale"] = pair.scale;
  object["divergence"] = pair.divergence;
  object["objective"] = pair.objective;
  if (pair.lower_bound) object["lower_bound"] = *pair.lower_bound;
  Json alternatives = Json::array();
  for (const Alternative& other : pair.alternatives)
    alternatives.push_back({{"objective", other.objective},
                            {"x_cosine", other.x_cosine},
                            {"y_cosine", other.y_cosine},
                            {"mirrored", other.mirrored}});
  object["alternatives"] = std::move(alternatives);
  object["converged"] = pair.converged;
  object["stopped"] = pair.stopped;
  object["iterations"] = pair.iterations;
  object["evaluations"] = pair.evaluations;
  object["seconds"] = pair.seconds;
  return object;
}

// The columns that go with the pair's values most: at most four, none less than a third as strong as the first.
std::string leading_columns(const Names& names, const Vector& loadings) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto strength = [&](std::size_t j) { return std::abs(loadings[static_cast<Index>(j)]); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return strength(a) > strength(b); });
  std::vector<std::string> shown_columns;
  for (const std::size_t j : order) {
    const bool strong = shown_columns.empty() || (strength(j) >= strength(order[0]) / 3.0 && strength(j) > 0.1);
    if (shown_columns.size() == 4 || !strong) break;
    shown_columns.push_back(fmt::format("{} ({:+.2f})", shown(names[j]), loadings[static_cast<Index>(j)]));
  }
  return fmt::format("{}", fmt::join(shown_columns, "  "));
}

std::string column_table(const char* side, const Names& names, const Vector& weights, const Vector& loadings) {
  std::vector<std::vector<std::string>> rows = {{std::string("column of ") + side, "weight", "loading"}};
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto at = static_cast<Index>(j);
    rows.push_back({shown(names[j]), fmt::format("{:+.6g}", weights[at]), fmt::format("{:+.3f}", loadings[at])});
  }
  return text_table(rows, "    ");
}

// Other solutions whose objective is within a tenth of the pair's.
std::string near_ties(const Pair& pair) {
  const double close = pair.objective + 0.1 * std::abs(pair.objective);
  std::size_t ties = 0;
  bool mirrored = false;
  for (const Alternative& other : pair.alternatives) {
    if (other.objective > close) continue;
    ++ties;
    mirrored = mirrored || other.mirrored;
  }
  if (ties == 0) return {};
  return fmt::format("  {} other solution{} nearly as good{}: read this pair with care\n", ties,
                     ties == 1 ? " is" : "s are", mirrored ? " (also with the sign turned)" : "");
}

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string described(const std::string& name, const TableSummary& table) {
  return fmt::format("{} ({}, {}, rank {})", shown(name, 60), counted(table.rows, "row"),
                     counted(static_cast<Index>(table.columns.size()), "column"), table.rank);
}

}  // namespace

std::string findings_json(const Model& model, const std::vector<std::string>& warnings) {
  Json object;
  object["method"] = model.method;
  object["options"] = Json::object();
  for (const auto& [name, value] : model.options) object["options"][name] = value;
  object["seed"] = model.seed;
  object["x"] = summary_json(model.x);
  object["y"] = summary_json(model.y);
  object["warnings"] = warnings;
  object["pairs"] = Json::array();
  for (const Pair& pair : model.pairs) object["pairs"].push_back(pair_json(model, pair));
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string findings_text(const Model& model, const std::string& x_name, const std::string& y_name,
                          const FindingsOptions& options) {
  std::string text = fmt::format("{} found {} between\n  X  {}\n  Y  {}\n\n", bold(model.method, options.colour),
                                 counted(static_cast<Index>(model.pairs.size()), "pair"), described(x_name, model.x),
                                 described(y_name, model.y));
  text +=
      "A small divergence alone does not prove a relation: any two shapes can be made to look\n"
      "alike with enough columns to choose from (docs/method.md says what can be concluded).\n"
      "Numbers in brackets: correlation of the column with the pair's values.\n";
  Index number = 0;
  for (const Pair& pair : model.pairs) {
    text += fmt::format("\n{}   divergence {:.4g}   {} after {}\n",
                        bold(fmt::format("pair {}", ++number), options.colour), pair.divergence,
                        pair.converged ? "converged" : "NOT converged", counted(pair.iterations, "iteration"));
    const std::string of_x = leading_columns(model.x.columns, pair.x_loadings);
    const std::string of_y = leading_columns(model.y.columns, pair.y_loadings);
    const bool one_line = of_x.size() + of_y.size() <= 84;
    text += one_line ? fmt::format("  {}   ~   {}\n", of_x, of_y) : fmt::format("  X  {}\n  Y  {}\n", of_x, of_y);
    if (!pair.converged || options.every_column) text += fmt::format("  stopped: {}\n", shown(pair.stopped, 200));
    text += near_ties(pair);
    if (options.every_column) {
      text += fmt::format("  scale {:.6g}   objective {:.6g}   {}   {:.3f} s\n", pair.scale, pair.objective,
                          counted(pair.evaluations, "evaluation"), pair.seconds);
      text += column_table("X", model.x.columns, pair.x_weights, pair.x_loadings);
      text += column_table("Y", model.y.columns, pair.y_weights, pair.y_loadings);
    }
  }
  return text;
}

}  // namespace cda::command
