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
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "base/over_ranks.hpp"
#include "divergence/quantiles.hpp"
#include "find/baseline_fit.hpp"
#include "find/components/informative.hpp"
#include "find/follow.hpp"
#include "find/moment_fit.hpp"
#include "find/pairs/search.hpp"
#include "find/pairs/sparse.hpp"
#include "find/prepared_table.hpp"
#include "find/request.hpp"
#include "find/spread_tables.hpp"
#include "optimise/stopping.hpp"

namespace cda {

namespace {

// A table, and its rows once more where they are to be given up as soon as they have been prepared.
struct Given {
  const Table& table;
  Matrix* give_up = nullptr;
};

PreparedTable prepare(const Given& given, const std::string& side, const FitOptions& options, const MethodParts& parts,
                      const Executor& executor, const FitObserver& observer, std::vector<std::string>& warnings) {
  const Table& table = given.table;
  check_table(table, side, executor);
  return about(table, side, [&] {
    ask(observer);
    RowKeys keys = content_keys(table, executor);
    const std::vector<Index> order = canonical_order(table.values, keys);
    keys = taken(keys, order);
    ask(observer);
    const bool by_shape = parts.formulation.name == "contrast";
    const bool rows_wanted =
        options.max_columns > 0 || std::any_of(parts.prepare.begin(), parts.prepare.end(),
                                               [](const PartSpec& step) { return preparations().make(step)->bends(); });
    std::vector<std::string> remarks;
    PreparedColumns::WithRows fitted = PreparedColumns::fit_rows(
        {table.values, table.names, order, executor, rows_wanted ? nullptr : given.give_up}, parts.prepare, &remarks,
        {.few_valued = !by_shape || options.few_valued == FewValued::keep});
    for (const std::string& remark : remarks) warnings.push_back(side + ": " + remark);
    const auto used = static_cast<Index>(fitted.columns.kept().size());
    if (by_shape && fitted.columns.outputs() < used)
      warnings.push_back(
          fmt::format("{}: {} dimensions are looked at, not {}: columns depend on each other, or rows are few", side,
                      fitted.columns.outputs(), used));
    ask(observer);
    Matrix rows;
    if (rows_wanted) rows = table.values(order, Eigen::all);
    if (given.give_up != nullptr) *given.give_up = Matrix();
    PreparedTable made = prepared(std::move(fitted), std::move(keys), side, executor, warnings);
    made.rows = std::move(rows);
    return made;
  });
}

TableSummary summary(const Given& given, const Sample& sample) { return summary(given.table, sample); }

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
      if (j == 0) pair.traces = solved.traces;
      pair.informative = solved.informative;
      pair.components = solved.components;
      pair.seconds = solved.seconds;
      model.pairs.push_back(std::move(pair));
    }
  }
}

// (u, v) and (-u, -v) say the same: the original column that says most about a pair's X side, by its loading, has a
// positive one. Where several say as much, the first by name.
void settle_signs(Model& model) {
  constexpr double as_much = 1.0 - 1e-9;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    Pair& pair = model.pairs[i];
    const double most = as_much * pair.x_loadings.cwiseAbs().maxCoeff();
    Index leading = -1;
    for (Index j = 0; j < pair.x_loadings.size(); ++j) {
      if (std::abs(pair.x_loadings[j]) < most) continue;
      const auto name = [&](Index column) { return model.x.columns[static_cast<std::size_t>(column)]; };
      if (leading < 0 || name(j) < name(leading)) leading = j;
    }
    if (leading < 0 || pair.x_loadings[leading] >= 0.0) continue;
    const auto column = static_cast<Index>(i);
    model.directions.x.col(column) *= -1.0;
    model.directions.y.col(column) *= -1.0;
    pair.x_loadings *= -1.0;
    pair.y_loadings *= -1.0;
    if (model.x_sparse.count(column) != 0) model.x_sparse[column] *= -1.0;
    if (model.y_sparse.count(column) != 0) model.y_sparse[column] *= -1.0;
  }
}

void record_components(const std::vector<Component>& components, TableSummary& table) {
  table.components = static_cast<Index>(components.size());
  table.shapes.resize(quantile_blocks, *table.components);
  for (Index j = 0; j < *table.components; ++j) table.shapes.col(j) = components[static_cast<std::size_t>(j)].deviation;
}

void warn_without_shapes(const TableSummary& table, const char* side, std::vector<std::string>& warnings) {
  if (table.components == 0)
    warnings.push_back(fmt::format(
        "{}: no direction differs detectably from a bell curve, so nothing in it can be matched by shape", side));
}

// The directions of a model's pairs in the space of another preparation of the same columns: those with the same
// weights, of the original columns or, where these are bent, of the columns after that.
Matrix same_directions(const Model& model, Side side, const PreparedColumns& columns) {
  const PreparedColumns& fitted = side == Side::x ? model.x_preparation : model.y_preparation;
  const Matrix& directions = side == Side::x ? model.directions.x : model.directions.y;
  if (!fitted.linear()) {
    if (fitted.kept() != columns.kept())
      throw Error(Fault::numerical, "data.rank", "other columns vary in these rows than in those of the model");
    return columns.late_directions(fitted.late_weights(directions));
  }
  Matrix weights(fitted.inputs(), directions.cols());
  for (Index i = 0; i < directions.cols(); ++i) {
    const Pair& pair = model.pairs[static_cast<std::size_t>(i)];
    weights.col(i) = side == Side::x ? pair.x_weights : Vector(pair.y_weights / pair.scale);
  }
  return columns.directions(weights);
}

// Whether it is enough. Once said it stays said, and it is remembered that something was cut short by it. Of several
// ranks the first says it for all.
class Patience {
 public:
  Patience(std::function<std::string()> enough, const Executor& executor)
      : enough_(std::move(enough)), executor_(executor) {}

  std::string asked() {
    const std::lock_guard lock(mutex_);
    if (!reason_.empty() || !enough_) return reason_;
    reason_ = enough_();
    if (const Communicator* ranks = executor_.ranks()) reason_ = told_by_first(reason_, *ranks);
    return reason_;
  }
  std::string reason() const { return reason_; }

 private:
  std::function<std::string()> enough_;
  Executor executor_;
  std::mutex mutex_;
  std::string reason_;
};

// Tables to samples, and at the end pairs to a model; what happens in between is for the caller.
struct Flow {
  const FitOptions& options;
  MethodParts parts;
  Executor executor;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Optimiser> optimiser;
  Model model;
  PreparedTable x, y;
  std::shared_ptr<Patience> patience;

  template <class Source>  // Given or TableMoments
  Flow(const Source& x_given, const Source& y_given, const FitOptions& asked, const FitObserver& observer)
      : options(checked(asked)),
        parts(chosen_parts(options)),
        executor(options.threads, options.ranks),
        formulation(formulations().make(parts.formulation)),
        optimiser(optimisers().make(parts.optimiser)),
        x(prepare(x_given, "X", options, parts, executor, observer, model.warnings)),
        y(prepare(y_given, "Y", options, parts, executor, observer, model.warnings)),
        patience(std::make_shared<Patience>(options.stopping.enough, executor)) {
    model.x = summary(x_given, x.sample);
    model.y = summary(y_given, y.sample);
    if (parts.divergence.name == "extended_mallows" && ends_whitened(parts))
      model.warnings.emplace_back(
          "the extended Mallows distance is the same in every direction of whitened columns: these pairs mean nothing");
  }

  Comparison comparison() const {
    return {x.sample, y.sample, divergences().make(parts.divergence), ScaleRule::parse(parts.scale), options.seed};
  }

  SearchOptions search(const Divergence& divergence) const {
    SearchOptions search = search_options(options, parts, divergence);
    if (options.stopping.enough) search.stopping.enough = [patience = patience] { return patience->asked(); };
    return search;
  }

  // What the model makes of the rows it was fitted to, as transform() does.
  Matrix values_of(Side side) const {
    const PreparedTable& table = side == Side::x ? x : y;
    if (table.rows.size() > 0) return model.transform(side, table.rows);
    if (side == Side::x) return table.sample.rows() * model.directions.x;
    return table.sample.rows() * model.directions.y * model.directions.scales.asDiagonal();
  }

  Model finished(const FitObserver& observer) {
    const auto pairs = static_cast<Index>(model.pairs.size());
    ask(observer, {.pair = pairs, .pairs = pairs, .share = 1.0});
    model.x.passes = x.sample.passes();
    model.y.passes = y.sample.passes();
    const Comparison compared = comparison();
    model.method = find_method(options.method).name;
    const SearchOptions how = search(*compared.divergence);
    model.options = in_force(options, parts, how);
    model.x_preparation = x.columns;
    model.y_preparation = y.columns;
    describe(x, y, model);
    if (options.max_columns > 0 && !x.columns.linear())
      throw Error(Fault::usage, "option.max_columns", "columns that are bent have no weights to be limited",
                  "leave out --max-columns, or prepare with minmax, standardise, whiten or pca alone");
    if (options.max_columns > 0) {
      limit_columns(options.max_columns, x.rows, y.rows, compared, how.stopping, model);
      describe(x, y, model);
    }
    // Pairs found together keep those of the search, the largest entry of each direction positive: their objective may
    // see signs.
    if (!formulation->joint()) settle_signs(model);
    model.multiply_out();
    warn_of_largest_weights(model);
    if (options.summarise) model.summary = summarise_values(values_of(Side::x), values_of(Side::y), executor);
    model.stopped = patience->reason();
    if (!model.stopped.empty())
      model.warnings.push_back(fmt::format("the fit ended early ({}): {} kept, the best found so far", model.stopped,
                                           counted(static_cast<int>(model.pairs.size()), "pair")));
    for (std::size_t i = 0; i < model.pairs.size(); ++i)
      if (!model.pairs[i].converged && (model.stopped.empty() || model.pairs[i].stopped != model.stopped))
        model.warnings.push_back(fmt::format("pair {} did not converge: {}", i + 1, model.pairs[i].stopped));
    return std::move(model);
  }
};

template <class Source>
Model searched(const Source& x, const Source& y, const FitOptions& options, const FitObserver& observer) {
  Flow flow(x, y, options, observer);
  const Comparison comparison = flow.comparison();
  const Index components = component_count(options.components, comparison.x, comparison.y);
  const SearchOptions search = flow.search(*comparison.divergence);
  if (flow.formulation->components_first()) {
    const InformativePairs found = find_informative_pairs(*flow.formulation, comparison, *flow.optimiser,
                                                          options.components, search, flow.executor, observer);
    record(found.pairs, flow.model);
    record_components(found.x, flow.model.x);
    record_components(found.y, flow.model.y);
    if (flow.patience->reason().empty()) {  // else the search was cut short, and nothing is known
      warn_without_shapes(flow.model.x, "X", flow.model.warnings);
      warn_without_shapes(flow.model.y, "Y", flow.model.warnings);
    }
  } else {
    record(find_pairs(*flow.formulation, comparison, *flow.optimiser, components, search, flow.executor, observer,
                      no_directions(comparison)),
           flow.model);
  }
  return flow.finished(observer);
}

Model fit_given(const Given& x, const Given& y, const FitOptions& options, const FitObserver& observer) {
  if (!find_method(options.method).baseline.empty()) return fit_baseline(x.table, y.table, checked(options), observer);
  if (const auto moments = moments_instead(x.table, y.table, checked(options), observer))
    return searched(moments->x, moments->y, options, observer);
  return searched(x, y, options, observer);
}

// Rows that several ranks have brought go to where they belong. Tables no longer than the rows that starts are followed
// on go to every rank, and each fits by itself.
Model fit_spread(const Given& x, const Given& y, const FitOptions& options, const FitObserver& observer) {
  check_for_ranks(options);
  const Executor executor(options.threads, options.ranks);
  const MethodParts parts = chosen_parts(options);
  const Index scouted = search_options(options, parts, *divergences().make(parts.divergence)).scouting_rows;
  const bool short_tables = std::max(executor.total(x.table.rows()), executor.total(y.table.rows())) <= scouted;
  const auto arrived = [&](const Given& given, const char* side) {
    check_table(given.table, side, executor);
    check_same_columns(given.table, side, executor);
    Table own = short_tables ? gathered(given.table, executor) : in_shared_order(given.table, executor);
    if (given.give_up != nullptr) *given.give_up = Matrix();
    return own;
  };
  Table own_x = arrived(x, "X"), own_y = arrived(y, "Y");
  FitOptions own = options;
  if (short_tables) own.ranks = nullptr;
  return searched(Given{own_x, &own_x.values}, Given{own_y, &own_y.values}, own, observer);
}

bool several(const FitOptions& options) { return options.ranks != nullptr && options.ranks->size() > 1; }

}  // namespace

Model fit(const Table& x, const Table& y, const FitOptions& options, const FitObserver& observer) {
  return (several(options) ? fit_spread : fit_given)({x}, {y}, options, observer);
}

Model fit(Table&& x, Table&& y, const FitOptions& options, const FitObserver& observer) {
  return (several(options) ? fit_spread : fit_given)({x, &x.values}, {y, &y.values}, options, observer);
}

Model fit_by_rows(const Table& x, const Table& y, const FitOptions& options, const FitObserver& observer) {
  return searched(Given{x}, Given{y}, options, observer);
}

Model fit(const TableMoments& x, const TableMoments& y, const FitOptions& options, const FitObserver& observer) {
  if (const std::string reason = why_not_moments(checked(options)); !reason.empty())
    throw Error(Fault::usage, "fit.moments", reason, "fit the tables themselves");
  return searched(x, y, options, observer);
}

Model follow(const Model& model, const Table& x, const Table& y, int threads, const FitObserver& observer) {
  FitOptions options = model.options;
  options.threads = threads;
  return follow_as(options, model, x, y, observer);
}

Model follow_as(const FitOptions& options, const Model& model, const Table& x, const Table& y,
                const FitObserver& observer) {
  if (!find_method(options.method).baseline.empty())
    throw Error(Fault::usage, "method.follow", fmt::format("{} searches nothing that could be followed", model.method));
  Flow flow(Given{x}, Given{y}, options, observer);
  const Comparison comparison = flow.comparison();
  const SearchOptions search = flow.search(*comparison.divergence);
  const auto pairs = static_cast<Index>(model.pairs.size());
  if (const Index most = std::min(comparison.x.space().cols(), comparison.y.space().cols()); pairs > most)
    throw Error(Fault::numerical, "data.rank",
                fmt::format("the model has {} pairs, but these rows have {} dimensions", pairs, most));
  const Directions start{same_directions(model, Side::x, flow.x.columns),
                         same_directions(model, Side::y, flow.y.columns), model.directions.scales};
  // A solver of the global problem does not follow anything: its objective is descended instead.
  const bool global = flow.optimiser->needs_quadratic_form();
  const auto descent = global ? optimisers().make(PartSpec("natural_gradient")) : std::move(flow.optimiser);
  record(follow_pairs(*flow.formulation, comparison, *descent, start, search, flow.executor, observer), flow.model);
  return flow.finished(observer);
}

}  // namespace cda
