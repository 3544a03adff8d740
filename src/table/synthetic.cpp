#include "cda/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "table/synthetic_kinds.hpp"

namespace cda {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) {
  throw Error(Fault::usage, "synth.options", message, hint);
}

void default_to(Index& value, Index usual) {
  if (value == 0) value = usual;
}

void check_rows(Index rows, const char* side) {
  if (rows < 2) refuse(fmt::format("{} needs at least 2 rows, not {}", side, rows));
}

void check_columns(Index columns, Index least, const char* side, const std::string& kind) {
  if (columns < least)
    refuse(fmt::format("{} of the kind {} needs at least {} columns, not {}", side, kind, least, columns));
}

void check_sources(const SyntheticOptions& options) {
  const auto shapes = static_cast<Index>(source_shapes().size());
  if (options.shared < 0 || options.own < 0) refuse("the numbers of sources cannot be negative");
  // Each is bounded before they are added: the sum of large ones would overflow.
  if (options.shared > shapes || options.own > shapes || options.shared + 2 * options.own > shapes)
    refuse(fmt::format("{} shared sources and {} of each table's own are more than there are shapes ({})",
                       options.shared, options.own, shapes),
           fmt::format("shared + 2 own may be at most {}", shapes));
  check_columns(options.m, std::max<Index>(options.shared + options.own, 1), "X", options.kind);
  check_columns(options.l, std::max<Index>(options.shared + options.own, 1), "Y", options.kind);
}

SyntheticOptions complete(SyntheticOptions options) {
  const auto kinds = synthetic_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return same_name(k, options.kind); });
  if (kind == kinds.end()) unknown_name("kind of synthetic data", options.kind, kinds);
  options.kind = *kind;
  if (options.kind == "buildings") {
    default_to(options.n, 2000);
    default_to(options.k, 1500);
    default_to(options.m, building_x_columns);
    default_to(options.l, building_y_columns);
    if (options.m != building_x_columns || options.l != building_y_columns)
      refuse(fmt::format("the buildings have {} and {} sensors, not {} and {}", building_x_columns, building_y_columns,
                         options.m, options.l),
             "leave m and l out; noise columns can be added");
  } else {
    default_to(options.n, 1000);
    default_to(options.k, 1000);
    default_to(options.m, options.kind == "sources" ? 8 : 7);
    default_to(options.l, options.kind == "sources" ? 6 : 5);
    if (options.kind == "sources") {
      check_sources(options);
    } else {
      check_columns(options.m, 5, "X", options.kind);
      check_columns(options.l, 5, "Y", options.kind);
    }
  }
  check_rows(options.n, "X");
  check_rows(options.k, "Y");
  if (!(options.remove >= 0.0 && options.remove < 1.0))
    refuse(fmt::format("the share of rows to remove is {}, expected 0 up to, but not including, 1", options.remove));
  if (!(options.noise >= 0.0 && std::isfinite(options.noise)))
    refuse(fmt::format("the noise variance is {}, expected a number from 0 up", options.noise));
  if (options.noise_columns < 0) refuse("the number of noise columns cannot be negative");
  const double columns =
      static_cast<double>(std::max(options.m, options.l)) + static_cast<double>(options.noise_columns);
  if (static_cast<double>(std::max(options.n, options.k)) * columns > 1e10)
    throw Error(Fault::resource, "synth.size", "a table of more than 1e10 cells is more than this is made for");
  return options;
}

void add_noise_columns(Table& table, Matrix& directions, Index count, Random random) {
  if (count == 0) return;
  const Index before = table.columns();
  Matrix wider(table.rows(), before + count);
  wider << table.values, random.normals(table.rows(), count);
  table.values = std::move(wider);
  for (Index j = 1; j <= count; ++j) table.names.push_back(fmt::format("noise{}", j));
  const Matrix plain = directions;
  directions = Matrix::Zero(before + count, plain.cols());
  directions.topRows(before) = plain;
}

// The rows that stay keep their order.
void remove_rows(Planted& planted, double share, Random random) {
  Table& y = planted.pair.y;
  const auto removed = static_cast<Index>(std::floor(share * static_cast<double>(y.rows())));
  if (removed == 0) return;
  std::vector<Index> kept = random.permutation(y.rows());
  kept.resize(static_cast<std::size_t>(y.rows() - removed));
  std::sort(kept.begin(), kept.end());
  check_rows(static_cast<Index>(kept.size()), "Y after the removal");
  y.values = Matrix(y.values(kept, Eigen::all));
  planted.y_sources = Matrix(planted.y_sources(kept, Eigen::all));
  if (planted.y_own.cols() > 0) planted.y_own = Matrix(planted.y_own(kept, Eigen::all));
}

nlohmann::ordered_json columns_of(const Matrix& directions) {
  auto list = nlohmann::ordered_json::array();
  for (Index j = 0; j < directions.cols(); ++j) {
    auto direction = nlohmann::ordered_json::array();
    for (const double weight : directions.col(j)) direction.push_back(weight);
    list.push_back(std::move(direction));
  }
  return list;
}

}  // namespace

Planted plant(const SyntheticOptions& asked) {
  const SyntheticOptions options = complete(asked);
  Planted planted = options.kind == "sources"     ? mixed_sources(options)
                    : options.kind == "buildings" ? buildings(options)
                                                  : relations(options);
  SyntheticPair& pair = planted.pair;
  pair.truth.seed = options.seed;
  add_noise_columns(pair.x, pair.truth.x_directions, options.noise_columns, Random(options.seed, "noise columns of X"));
  add_noise_columns(pair.y, pair.truth.y_directions, options.noise_columns, Random(options.seed, "noise columns of Y"));
  remove_rows(planted, options.remove, Random(options.seed, "removed rows"));
  return planted;
}

SyntheticPair synthesise(const SyntheticOptions& options) { return plant(options).pair; }

std::vector<std::string> synthetic_kinds() { return {"linear", "mixed", "nonlinear", "sources", "buildings"}; }

std::string to_json(const Truth& truth) {
  nlohmann::ordered_json json;
  json["x_directions"] = columns_of(truth.x_directions);
  json["y_directions"] = columns_of(truth.y_directions);
  json["sources"] = truth.sources;
  if (!truth.x_own.empty()) json["x_own"] = truth.x_own;
  if (!truth.y_own.empty()) json["y_own"] = truth.y_own;
  auto pairs = nlohmann::ordered_json::array();
  for (const auto& [x, y] : truth.pairs) pairs.push_back({{"x", x}, {"y", y}});
  json["pairs"] = std::move(pairs);
  json["seed"] = truth.seed;
  return json.dump(2) + "\n";
}

}  // namespace cda
