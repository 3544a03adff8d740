// The whole flow on one page:
//
//   two tables             columns of numbers with names
//   -> prepared samples    rows fit for optimisation, and how to prepare new ones (preparations)
//   -> pairs               find_pairs, next door: a formulation poses a problem, which is the divergence of the two
//                          samples' projections as a function of their directions; an optimiser solves it; next pair
//   -> a model             directions multiplied out to weights of the original columns; maps new rows
#include "cda/fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cda/random.hpp"
#include "model/search.hpp"

namespace cda {

namespace {

// The method with everything the caller asked for instead, every name checked and every option filled in.
MethodParts chosen_parts(const FitOptions& options) {
  const MethodInfo& method = find_method(options.method);
  const MethodParts& preset = options.as_published ? method.published : method.parts;
  MethodParts parts;
  parts.scale = ScaleRule::parse(options.scale.value_or(preset.scale)).to_string();
  PartSpec divergence = options.divergence.value_or(preset.divergence);
  if (options.bandwidth) {
    if (!divergences().complete(divergence.name).settings.has("bandwidth"))
      throw Error(Fault::usage, "option.bandwidth",
                  fmt::format("the divergence {} does not smooth, so it has no bandwidth", divergence.name),
                  "leave out --bandwidth, or choose quadratic, pearson or mmd");
    divergence.settings.set("bandwidth", *options.bandwidth);
  }
  parts.divergence = divergences().complete(divergence);
  parts.formulation = formulations().complete(options.formulation.value_or(preset.formulation));
  for (const PartSpec& step : options.prepare.value_or(preset.prepare))
    parts.prepare.push_back(preparations().complete(step));
  parts.optimiser = optimisers().complete(options.optimiser.value_or(preset.optimiser));
  // CDA_M's own solver knows one objective; with other parts in its place the method descends like its siblings.
  const bool quadratic = parts.divergence.name == "extended_mallows" &&
                         parts.divergence.settings.number("order", 1.0, 20.0) == 2.0 &&
                         parts.formulation.name == "iterative" && parts.scale != "optimised";
  if (parts.optimiser.name == "exact" && !options.optimiser && !quadratic)
    parts.optimiser = optimisers().complete("natural_gradient");
  return parts;
}

SearchOptions search_options(const FitOptions& options, const Divergence& divergence) {
  const SearchOptions usual =
      divergence.costly() ? SearchOptions{24, 4, 500, {}, 0} : SearchOptions{100, 12, 2000, {}, 0};
  return {options.starts.value_or(usual.starts), options.refined.value_or(usual.refined),
          options.scouting_rows.value_or(usual.scouting_rows), options.stopping, options.seed};
}

std::map<std::string, std::string> in_force(const FitOptions& options, const MethodParts& parts,
                                            const SearchOptions& search, Index components) {
  std::vector<std::string> steps;
  for (const PartSpec& step : parts.prepare) steps.push_back(step.to_string());
  return {{"as_published", options.as_published ? "yes" : "no"},
          {"components", fmt::format("{}", components)},
          {"decrease_tolerance", fmt::format("{}", options.stopping.decrease_tolerance)},
          {"divergence", parts.divergence.to_string()},
          {"formulation", parts.formulation.to_string()},
          {"gradient_tolerance", fmt::format("{}", options.stopping.gradient_tolerance)},
          {"iterations", fmt::format("{}", options.stopping.iterations)},
          {"optimiser", parts.optimiser.to_string()},
          {"prepare", fmt::format("{}", fmt::join(steps, " "))},
          {"refined", fmt::format("{}", search.refined)},
          {"scale", parts.scale},
          {"scouting_rows", fmt::format("{}", search.scouting_rows)},
          {"starts", fmt::format("{}", search.starts)}};
}

void check_request(const FitOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw Error(Fault::usage, "option.value", what);
  };
  require(options.components >= 0, "components must not be negative");
  require(options.starts.value_or(0) >= 0, "starts must not be negative");
  require(options.refined.value_or(1) >= 1, "refined must be at least 1");
  require(options.scouting_rows.value_or(0) >= 0, "scouting rows must not be negative");
  require(options.stopping.iterations >= 1, "iterations must be at least 1");
  require(options.stopping.gradient_tolerance >= 0.0, "gradient tolerance must not be negative");
  require(options.stopping.decrease_tolerance >= 0.0, "decrease tolerance must not be negative");
  require(options.threads >= 0, "threads must not be negative");
}

// One table on its way into the fit: its rows in the order of their content, so that the order they came in plays no
// part, and the sample they become.
struct PreparedTable {
  Matrix rows;
  PreparedColumns columns;
  Sample sample;
};

PreparedTable prepare(const Table& table, const std::string& side, const std::vector<PartSpec>& steps,
                      const Executor& executor, std::vector<std::string>& warnings) {
  if (static_cast<Index>(table.names.size()) != table.columns())
    throw Error(Fault::usage, "table.names",
                fmt::format("{} has {} columns but {} names", side, table.columns(), table.names.size()),
                "make_table names the columns of a matrix");
  if (table.rows() < 2)
    throw Error(Fault::input, "data.rows", fmt::format("{} needs at least 2 rows, found {}", side, table.rows()), {},
                {table.source});
  if (!table.values.allFinite())
    throw Error(Fault::input, "data.not_finite", side + " holds missing or infinite cells",
                "fill or drop them first, e.g. --missing drop-rows", {table.source});
  std::vector<std::uint64_t> names;
  for (const std::string& name : table.names) names.push_back(stable_hash(name));
  const std::vector<Index> order = canonical_order(table.values, row_keys(table.values, names));
  Matrix rows = table.values(order, Eigen::all);
  std::vector<std::string> remarks;
  try {
    PreparedColumns columns = PreparedColumns::fit(rows, table.names, steps, &remarks);
    for (const std::string& remark : remarks) warnings.push_back(side + ": " + remark);
    if (table.rows() < 5)
      warnings.push_back(fmt::format("{}: {} rows are too few to compare distributions", side, table.rows()));
    Sample sample(columns.apply(rows), executor, row_keys(rows, names));
    if (sample.space().cols() < sample.dimension())
      warnings.push_back(fmt::format("{}: columns depend on each other; {} of {} dimensions vary", side,
                                     sample.space().cols(), sample.dimension()));
    return {std::move(rows), std::move(columns), std::move(sample)};
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw Error(error.fault(), error.code(), side + ": " + error.message(), error.hint(), {table.source});
  }
}

Index component_count(const FitOptions& options, const Sample& x, const Sample& y) {
  const Index most = std::min(x.space().cols(), y.space().cols());
  if (most == 0)
    throw Error(Fault::numerical, "data.constant", "a table varies by no more than rounding as it is prepared",
                "--prepare standardise");
  if (options.components > most)
    throw Error(
        Fault::usage, "option.components",
        fmt::format("{} components asked for, but the smaller table has {} dimensions", options.components, most),
        fmt::format("--components 1 to {}", most));
  return options.components > 0 ? options.components : std::min<Index>(most, 10);
}

// What the search found, pair by pair. Pairs found together share one outcome.
void record(const std::vector<Solved>& all, Model& model) {
  Index total = 0, next = 0;
  for (const Solved& solved : all) total += solved.directions.pairs();
  model.directions = {Matrix(all.front().directions.x.rows(), total), Matrix(all.front().directions.y.rows(), total),
                      Vector(total)};
  for (const Solved& solved : all) {
    for (Index j = 0; j < solved.directions.pairs(); ++j, ++next) {
      model.directions.x.col(next) = solved.directions.x.col(j);
      model.directions.y.col(next) = solved.directions.y.col(j);
      model.directions.scales[next] = solved.directions.scales[j];
      Pair pair;
      pair.scale = solved.directions.scales[j];
      pair.divergence = solved.divergences[j];
      pair.objective = solved.outcome.value;
      pair.lower_bound = solved.outcome.lower_bound;
      pair.converged = converged(solved.outcome.stopped);
      pair.stopped = solved.outcome.why;
      pair.iterations = solved.outcome.iterations;
      pair.evaluations = solved.outcome.evaluations;
      pair.alternatives = solved.alternatives;
      pair.seconds = solved.seconds;
      model.pairs.push_back(std::move(pair));
    }
  }
}

// Correlation of every original column with the values of every pair; 0 for columns that do not vary.
Matrix loadings(const Matrix& rows, const PreparedColumns& columns, const Matrix& values) {
  const Matrix kept = columns.equilibrated(rows);
  const auto standardised = [](const Matrix& columns_of) -> Matrix {
    Matrix centred = columns_of.rowwise() - columns_of.colwise().mean();
    for (Index j = 0; j < centred.cols(); ++j) {
      const double norm = centred.col(j).norm();
      if (norm > 0.0) centred.col(j) /= norm;
    }
    return centred;
  };
  const Matrix correlation = standardised(kept).transpose() * standardised(values);
  Matrix all = Matrix::Zero(rows.cols(), values.cols());
  for (std::size_t j = 0; j < columns.kept().size(); ++j)
    all.row(columns.kept()[j]) = correlation.row(static_cast<Index>(j));
  return all;
}

}  // namespace

Model fit(const Table& x, const Table& y, const FitOptions& options, const FitObserver& observer) {
  check_request(options);
  const MethodParts parts = chosen_parts(options);
  const Executor executor(options.threads);

  // Tables to samples.
  Model model;
  PreparedTable prepared_x = prepare(x, "X", parts.prepare, executor, model.warnings);
  PreparedTable prepared_y = prepare(y, "Y", parts.prepare, executor, model.warnings);
  const Index components = component_count(options, prepared_x.sample, prepared_y.sample);

  if (parts.divergence.name == "extended_mallows" && !parts.prepare.empty() && parts.prepare.back().name == "whiten")
    model.warnings.emplace_back(
        "the extended Mallows distance is the same in every direction of whitened columns: these pairs mean nothing");

  // Samples to pairs.
  const Comparison comparison{prepared_x.sample, prepared_y.sample, divergences().make(parts.divergence),
                              ScaleRule::parse(parts.scale), options.seed};
  const auto formulation = formulations().make(parts.formulation);
  const auto optimiser = optimisers().make(parts.optimiser);
  const SearchOptions search = search_options(options, *comparison.divergence);
  const std::vector<Solved> solved =
      find_pairs(*formulation, comparison, *optimiser, components, search, executor, observer);

  // Pairs to a model.
  model.method = find_method(options.method).name;
  model.options = in_force(options, parts, search, components);
  model.seed = options.seed;
  model.x = {x.names, x.rows(), prepared_x.sample.space().cols()};
  model.y = {y.names, y.rows(), prepared_y.sample.space().cols()};
  model.x_preparation = std::move(prepared_x.columns);
  model.y_preparation = std::move(prepared_y.columns);
  record(solved, model);
  model.multiply_out();
  const Matrix x_loadings =
      loadings(prepared_x.rows, model.x_preparation, prepared_x.sample.rows() * model.directions.x);
  const Matrix y_loadings =
      loadings(prepared_y.rows, model.y_preparation, prepared_y.sample.rows() * model.directions.y);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    model.pairs[i].x_loadings = x_loadings.col(static_cast<Index>(i));
    model.pairs[i].y_loadings = y_loadings.col(static_cast<Index>(i));
    if (!model.pairs[i].converged)
      model.warnings.push_back(fmt::format("pair {} did not converge: {}", i + 1, model.pairs[i].stopped));
  }
  return model;
}

}  // namespace cda
