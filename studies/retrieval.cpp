#include "studies/retrieval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "cda/extend/baseline.hpp"
#include "cda/score.hpp"
#include "find/request.hpp"
#include "studies/paired_tests.hpp"

namespace cda {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Matrix weights(const Model& model, Vector Pair::*side, Index count) {
  const auto pairs = std::min<Index>(count, static_cast<Index>(model.pairs.size()));
  Matrix columns((model.pairs.front().*side).size(), pairs);
  for (Index i = 0; i < pairs; ++i) columns.col(i) = model.pairs[static_cast<std::size_t>(i)].*side;
  return columns;
}

// Nothing can be missed of a truth that is the whole space.
bool says_something(const Matrix& truth) { return truth.cols() < truth.rows(); }

std::optional<double> error_of(const Matrix& found, const Matrix& truth) {
  if (!says_something(truth)) return std::nullopt;
  return subspace_error(found, truth).error;
}

// |P - Q|_F of an error: what it was divided by, for r directions in m dimensions.
double largest_distance(const Matrix& truth) {
  return std::sqrt(2.0 * static_cast<double>(std::min(truth.cols(), truth.rows() - truth.cols())));
}

std::optional<double> chance_of(const Matrix& truth) {
  if (!says_something(truth)) return std::nullopt;
  return chance_subspace_error(truth.rows(), truth.cols(), truth.cols());
}

// (|P_x - Q_x| + |P_y - Q_y|) / (2 sqrt(2 r)), the paper's figure, from errors by the largest distance of each side.
std::optional<double> both_sides(const Truth& truth, const std::optional<double>& x, const std::optional<double>& y) {
  const Index r = truth.x_directions.cols();
  if (r != truth.y_directions.cols() || !x || !y) return std::nullopt;
  return (*x * largest_distance(truth.x_directions) + *y * largest_distance(truth.y_directions)) /
         (2.0 * std::sqrt(2.0 * static_cast<double>(r)));
}

Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::monostate()); }

using ErrorOf = std::optional<double> RetrievalError::*;

std::vector<double> values_of(const std::vector<RetrievalErrors>& runs, std::size_t contender, ErrorOf side) {
  std::vector<double> values;
  for (const RetrievalErrors& run : runs)
    if (const auto& one = run[contender]; one && (*one).*side) values.push_back(*((*one).*side));
  return values;
}

// Of the runs that both have.
std::optional<double> p_against(const std::vector<RetrievalErrors>& runs, std::size_t contender, std::size_t reference,
                                ErrorOf side) {
  std::vector<double> differences;
  for (const RetrievalErrors& run : runs)
    if (const auto& a = run[contender], &b = run[reference]; a && b && (*a).*side && (*b).*side)
      differences.push_back(*((*a).*side) - *((*b).*side));
  if (differences.empty()) return std::nullopt;
  return signed_rank_p(differences);
}

// One p per contender, corrected for the number of them; none for the reference itself.
std::vector<std::optional<double>> corrected_p(const std::vector<Contender>& all,
                                               const std::vector<RetrievalErrors>& runs, ErrorOf side) {
  std::vector<std::optional<double>> p(all.size());
  std::vector<double> raw;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].random) continue;
    // Chance in the same number of dimensions: methods with equal columns have fewer.
    for (std::size_t other = 0; other < all.size(); ++other)
      if (all[other].random && all[other].equal_columns == all[i].equal_columns) p[i] = p_against(runs, i, other, side);
    if (p[i]) raw.push_back(*p[i]);
  }
  const std::vector<double> corrected = holm(raw);
  std::size_t next = 0;
  for (auto& value : p)
    if (value) value = corrected[next++];
  return p;
}

}  // namespace

Contender contender(const std::string& method) {
  Contender made;
  made.name = find_method(method).name;
  made.options.method = method;
  if (const std::string& baseline = find_method(method).baseline; !baseline.empty()) {
    const auto part = baselines().make(PartSpec(complete_method(method)));
    made.paired_rows = part->paired_rows();
    made.equal_columns = part->equal_columns();
    made.joint = part->joint();
  } else {
    made.joint = formulations().make(chosen_parts(made.options).formulation)->joint();
  }
  return made;
}

Contender random_directions() {
  Contender made;
  made.name = "random";
  made.random = true;
  return made;
}

std::vector<Contender> contenders(const std::vector<std::string>& methods) {
  std::vector<Contender> all;
  for (const std::string& method : methods) all.push_back(contender(method));
  all.push_back(random_directions());
  // Where some need equal columns, chance is another for them.
  if (std::any_of(all.begin(), all.end(), [](const Contender& made) { return made.equal_columns; })) {
    all.push_back(random_directions());
    all.back().name = "random, equal columns";
    all.back().equal_columns = true;
  }
  return all;
}

RelationTables::RelationTables(const SyntheticOptions& options) : unequal(synthesise(options)), equal(unequal) {
  const Index columns = std::min(unequal.x.columns(), unequal.y.columns());
  std::vector<Index> first;
  for (Index j = 0; j < columns; ++j) first.push_back(j);
  equal.x.select_columns(first);
  equal.y.select_columns(first);
  equal.truth.x_directions = unequal.truth.x_directions.topRows(columns).eval();
  equal.truth.y_directions = unequal.truth.y_directions.topRows(columns).eval();
}

FoundDirections found_directions(const Contender& contender, const SyntheticPair& data, Index x_rank, Index y_rank,
                                 const Replicate& replicate) {
  if (contender.random)
    return {replicate.random.stream("random x").normals(data.x.columns(), x_rank),
            replicate.random.stream("random y").normals(data.y.columns(), y_rank)};
  FitOptions options = contender.options;
  options.seed = replicate.seed;
  options.threads = 1;
  const auto fitted = [&](Index components) {
    options.components = std::min({components, data.x.columns(), data.y.columns()});
    return fit(data.x, data.y, options, replicate.fit_observer);
  };
  const double started = thread_seconds();
  const Model model = fitted(std::max(x_rank, y_rank));
  FoundDirections found{weights(model, &Pair::x_weights, x_rank), weights(model, &Pair::y_weights, y_rank)};
  found.seconds = thread_seconds() - started;
  if (contender.joint && x_rank != y_rank) {
    const Model smaller = fitted(std::min(x_rank, y_rank));
    if (x_rank < y_rank)
      found.x = weights(smaller, &Pair::x_weights, x_rank);
    else
      found.y = weights(smaller, &Pair::y_weights, y_rank);
  }
  return found;
}

std::optional<RetrievalError> retrieval_error(const Contender& contender, const SyntheticPair& data,
                                              const Replicate& replicate) {
  if (contender.paired_rows && data.x.rows() != data.y.rows()) return std::nullopt;
  const Truth& truth = data.truth;
  return if_it_can_be([&] {
    const FoundDirections found =
        found_directions(contender, data, truth.x_directions.cols(), truth.y_directions.cols(), replicate);
    return RetrievalError{error_of(found.x, truth.x_directions), error_of(found.y, truth.y_directions), found.seconds};
  });
}

RetrievalErrors retrieval_errors(const std::vector<Contender>& all, const RelationTables& tables,
                                 const Replicate& replicate) {
  RetrievalErrors errors;
  for (const Contender& contender : all) errors.push_back(retrieval_error(contender, tables.of(contender), replicate));
  return errors;
}

std::vector<ResultColumn> retrieval_columns() {
  return {{"method", ""},
          {"runs", "with a result"},
          {"error_x", "distance of the found space of X from the true one: 0 the same, 1 as far as there is room", 3},
          {"sd_x", "standard deviation over the runs", 3},
          {"chance_x", "the mean for random directions", 3},
          {"p_x", "that it differs from random directions (Wilcoxon, corrected after Holm)", 3},
          {"rank_x", "dimensions of the true space"},
          {"error_y", "the same for Y", 3},
          {"sd_y", "", 3},
          {"chance_y", "", 3},
          {"p_y", "", 3},
          {"rank_y", ""},
          {"error", "the paper's figure for both sides together, where their ranks agree", 3},
          {"sd", "", 3},
          {"chance", "", 3}};
}

void add_retrieval_rows(const std::vector<Cell>& asked, const std::vector<Contender>& all,
                        const RelationTables& example, const std::vector<RetrievalErrors>& runs, Results& results) {
  const auto p_x = corrected_p(all, runs, &RetrievalError::x), p_y = corrected_p(all, runs, &RetrievalError::y);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Truth& truth = example.of(all[i]).truth;
    std::vector<double> both;
    Index count = 0;
    for (const RetrievalErrors& run : runs) {
      if (!run[i]) continue;
      ++count;
      if (const auto value = both_sides(truth, run[i]->x, run[i]->y)) both.push_back(*value);
    }
    const auto figures = [&](ErrorOf side, const Matrix& directions,
                             const std::optional<double>& p) -> std::vector<Cell> {
      const MeanAndSpread found = spread(values_of(runs, i, side));
      return {found.mean, found.sd, cell(chance_of(directions)), cell(p), directions.cols()};
    };
    std::vector<Cell> row = asked;
    row.emplace_back(all[i].name);
    row.emplace_back(count);
    for (Cell& figure : figures(&RetrievalError::x, truth.x_directions, p_x[i])) row.push_back(std::move(figure));
    for (Cell& figure : figures(&RetrievalError::y, truth.y_directions, p_y[i])) row.push_back(std::move(figure));
    const MeanAndSpread together = spread(both);
    row.emplace_back(together.mean);
    row.emplace_back(together.sd);
    row.push_back(cell(both_sides(truth, chance_of(truth.x_directions), chance_of(truth.y_directions))));
    results.rows.push_back(std::move(row));
  }
}

std::vector<ResultPlot> retrieval_plots(const std::string& along, const std::vector<std::string>& panels) {
  std::vector<ResultPlot> plots;
  for (const auto& [side, letter] : {std::pair{"X", "x"}, {"Y", "y"}})
    plots.push_back({.title = fmt::format("error of {}: 0 found, at chance nothing found", side),
                     .label = "method",
                     .value = fmt::format("error_{}", letter),
                     .spread = fmt::format("sd_{}", letter),
                     .reference = fmt::format("chance_{}", letter),
                     .along = along,
                     .panels = panels});
  return plots;
}

std::string smallest_p_note(Index runs) {
  return fmt::format("no p of {} runs can be below {:.2g}, even before it is corrected", runs,
                     std::min(1.0, std::exp2(1.0 - static_cast<double>(runs))));
}

}  // namespace cda
