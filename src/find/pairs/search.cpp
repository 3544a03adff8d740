#include "find/pairs/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "optimise/stopping.hpp"

namespace cda {
namespace {

// Work without iterations asks now and then whether it is still wanted.
class Asking {
 public:
  explicit Asking(const Observer& watch) : watch_(watch) {}
  void whether_to_go_on() {
    if (watch_ && cadence_.due() && !watch_({})) interrupted();
  }

 private:
  const Observer& watch_;
  Cadence cadence_;
};

// The same problem in units in which a typical start has value one, so that tolerances mean the same everywhere.
Problem in_units_of(const Problem& problem, double unit) {
  const auto divided = [unit](const Problem::Value& value) -> Problem::Value {
    return [value, unit](const Vector& point, Vector* gradient) {
      const double at = value(point, gradient) / unit;
      if (gradient != nullptr) *gradient /= unit;
      return at;
    };
  };
  Problem scaled = problem;
  scaled.value = divided(problem.value);
  if (problem.for_one_search)
    scaled.for_one_search = [divided, begin = problem.for_one_search] { return divided(begin()); };
  if (scaled.quadratic) scaled.quadratic->matrix /= unit;
  return scaled;
}

double typical_value(const Problem& problem, const std::vector<Vector>& starts) {
  std::vector<double> values;
  for (std::size_t i = 0; i < starts.size() && values.size() < 5; i += std::max<std::size_t>(1, starts.size() / 5)) {
    const double value = std::abs(problem.value(starts[i], nullptr));
    if (std::isfinite(value) && value > 0.0) values.push_back(value);
  }
  if (values.empty()) return 1.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The start whose projections are neither the widest nor the narrowest: bandwidths are first decided there.
const Vector& middling_start(const PairProblem& problem, const Comparison& comparison,
                             const std::vector<Vector>& starts, Asking& asking) {
  std::vector<std::pair<double, std::size_t>> spread;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    asking.whether_to_go_on();
    const Directions at = problem.directions(starts[i]);
    const Matrix y = at.y * at.scales.asDiagonal();
    spread.emplace_back(comparison.x.covariance_of(at.x).trace() + comparison.y.covariance_of(y).trace(), i);
  }
  std::sort(spread.begin(), spread.end());
  return starts[spread[spread.size() / 2].second];
}

// The largest entry of each x direction positive; (u, v) and (-u, -v) say the same.
void settle_signs(Directions& directions) {
  for (Index j = 0; j < directions.pairs(); ++j) {
    Index largest = 0;
    directions.x.col(j).cwiseAbs().maxCoeff(&largest);
    if (directions.x(largest, j) >= 0.0) continue;
    directions.x.col(j) *= -1.0;
    directions.y.col(j) *= -1.0;
  }
}

// Joint pairs have no order of their own: best matched first.
void order_pairs(Solved& solved) {
  const Index pairs = solved.directions.pairs();
  std::vector<Index> order(static_cast<std::size_t>(pairs));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return solved.divergences[a] < solved.divergences[b]; });
  Solved sorted = solved;
  for (Index j = 0; j < pairs; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    sorted.directions.x.col(j) = solved.directions.x.col(from);
    sorted.directions.y.col(j) = solved.directions.y.col(from);
    sorted.directions.scales[j] = solved.directions.scales[from];
    sorted.divergences[j] = solved.divergences[from];
  }
  solved = std::move(sorted);
}

// Signs by convention, the divergence of each pair, and joint pairs in order.
void settle(const Comparison& comparison, Solved& solved) {
  settle_signs(solved.directions);
  solved.divergences.resize(solved.directions.pairs());
  for (Index j = 0; j < solved.directions.pairs(); ++j)
    solved.divergences[j] = divergence_of_pair(comparison, solved.directions, j);
  order_pairs(solved);
}

// Where the other refined starts ended, as far as they ended somewhere else.
std::vector<Alternative> alternatives(const Comparison& comparison, const PairProblem& problem,
                                      const MultiStartResult& search, const Directions& best) {
  std::vector<Alternative> found;
  std::vector<Directions> seen{best};
  const auto cosine = [](const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum() / (a.norm() * b.norm()); };
  // Pairs found together may come out in another order or turned among themselves, on both sides alike: the same
  // answer.
  const auto turned = [](const Directions& at, const Directions& towards) {
    if (at.pairs() == 1) return at;
    const Matrix turn = polar_factor(at.x.transpose() * towards.x + at.y.transpose() * towards.y);
    return Directions{at.x * turn, at.y * turn, at.scales};
  };
  const Problem final_problem = problem.problem();
  for (std::size_t i = 1; i < search.refined.size(); ++i) {  // the first is the pair itself, on its way
    const Outcome& other = search.refined[i].outcome;
    const Directions at = problem.directions(other.point);
    if (vanishes(comparison, at)) continue;
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const Directions& earlier) {
      const Directions same = turned(at, earlier);
      const double x = cosine(same.x, earlier.x), y = cosine(same.y, earlier.y);
      return std::abs(x) > 0.99 && std::abs(y) > 0.99 && x * y > 0.0;
    });
    if (known) continue;
    seen.push_back(at);
    const Directions nearest = turned(at, best);
    const double x = cosine(nearest.x, best.x), y = cosine(nearest.y, best.y);
    Alternative alternative;
    alternative.objective = final_problem.value(other.point, nullptr);
    alternative.x_cosine = std::abs(x);
    alternative.y_cosine = std::abs(y);
    alternative.mirrored = x * y < 0.0;
    found.push_back(std::move(alternative));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative& a, const Alternative& b) { return *a.objective < *b.objective; });
  return found;
}

// Both signs of the last direction are all there is to try: nothing to minimise.
Outcome best_of_finite_set(const Problem& problem, const std::vector<Vector>& starts) {
  Outcome outcome;
  outcome.value = std::numeric_limits<double>::infinity();
  for (const Vector& start : starts) {
    const double value = problem.value(start, nullptr);
    ++outcome.evaluations;
    if (!(value < outcome.value) && outcome.evaluations > 1) continue;
    outcome.value = value;
    outcome.point = start;
  }
  outcome.stopped = StopReason::exact;
  outcome.lower_bound = outcome.value;
  outcome.why = "only one direction was left on each side: both signs were tried";
  return outcome;
}

// What the caller hears of a search: which pair, and roughly how far. Nobody knows how many iterations are left; the
// share of a problem approaches its end with every one, never passes it and never goes back.
class ProgressReport {
 public:
  ProgressReport(const FitObserver& observer, Index problems, Index pairs, int refined)
      : observer_(observer), problems_(problems), pairs_(pairs), expected_(50.0 * refined + 100.0) {}

  bool begin(Index problem) {
    problem_ = problem;
    iterations_ = 0;
    return report();
  }
  bool end() { return begin(problems_); }
  Observer observer() {  // called by one thread at a time
    return [this](const Progress&) {
      ++iterations_;
      return report();
    };
  }

 private:
  bool report() const {
    if (!observer_) return true;
    const double within = 1.0 - std::exp(-iterations_ / expected_);
    const double share = (static_cast<double>(problem_) + within) / static_cast<double>(problems_);
    return observer_({std::min(problem_ + 1, pairs_), pairs_, std::min(share, 1.0)});
  }

  const FitObserver& observer_;
  Index problems_, pairs_, problem_ = 0;
  double expected_;  // iterations of a typical problem
  double iterations_ = 0.0;
};

[[noreturn]] void not_finite(Index pair) {
  throw Error(Fault::numerical, "fit.not_finite",
              fmt::format("pair {}: the objective is not a finite number anywhere it was tried", pair + 1),
              "prepare the columns (--prepare minmax), or choose another --divergence");
}

[[noreturn]] void collapsed(const Directions& at, Index pair) {
  throw Error(
      Fault::numerical, "fit.collapsed",
      fmt::format(
          "pair {} collapsed: the objective is smallest where a direction vanishes (|u| = {:.2g}, |v| = {:.2g}, "
          "scale {:.2g}), so there is no pair to report",
          pair + 1, at.x.norm(), at.y.norm(), at.scales.minCoeff()),
      "use the repaired form (without --as-published), --scale lemma, or another --divergence");
}

// How points found on few rows go on to all of them, where there are very many.
constexpr Index finalists_on_all_rows = 2;
constexpr int most_steps_on_all_rows = 200;

// Ever more rows of both tables: as many as are asked for, ten times as many, and so on while that is a small part.
std::vector<std::pair<Sample, Sample>> samples_of_rows(const Comparison& comparison, Index first) {
  const auto some = [&](const Sample& sample, Index rows) {
    return sample.subset(sample.choose(rows, comparison.seed));
  };
  std::vector<std::pair<Sample, Sample>> parts;
  for (const Index rows : row_ladder(std::max(comparison.x.size(), comparison.y.size()), first))
    parts.emplace_back(some(comparison.x, rows), some(comparison.y, rows));
  return parts;
}

// As many starts as are asked for. Where that is very many they are made again and again, twice as many each time, so
// that it can be said in between that it is enough, or not wanted.
std::vector<Vector> unhurried_starts(const PairProblem& problem, const SearchOptions& options, const Random& draw,
                                     Asking& asking) {
  constexpr int at_once = 256, at_least = 16;
  int count = std::min(options.starts, options.stopping.asked_enough().empty() ? at_once : at_least);
  std::vector<Vector> starts = problem.starts(count, draw);
  while (count < options.starts && options.stopping.asked_enough().empty()) {
    asking.whether_to_go_on();
    count = count > options.starts / 2 ? options.starts : 2 * count;
    starts = problem.starts(count, draw);
  }
  return starts;
}

// One problem from its many starts to its optimum. Starts are screened and followed on the first of `rungs`, a choice
// of the rows of long tables, or on the comparison itself where there is none. The best of what is found there goes on
// to the next rung, which has more rows, and in the end to all rows: on those few points are left, and near their
// optima.
Solved solve_by_descent(const Formulation& formulation, const Comparison& comparison,
                        const std::vector<Comparison>& rungs, const Directions& found, Index components,
                        const Optimiser& optimiser, const SearchOptions& options, const Random& draw,
                        const Executor& executor, const Observer& watch) {
  constexpr int most_rounds = 3;          // of deciding bandwidths anew at the optimum
  constexpr double settled = 1.0 - 1e-4;  // cosine of successive optima
  const bool whole = rungs.empty();
  const Comparison& rough = whole ? comparison : rungs.front();
  PairProblem posed = formulation.pose(comparison, found, components);
  PairProblem scouted = formulation.pose(rough, found, components);
  Asking asking(watch);
  const std::vector<Vector> starts = unhurried_starts(scouted, options, draw, asking);
  const bool tunable = scouted.tune(middling_start(scouted, rough, starts, asking));
  Solved solved;
  if (posed.finite_set()) {
    if (tunable) posed.tune(starts.front());
    solved.outcome = best_of_finite_set(posed.problem(), starts);
    solved.directions = posed.directions(solved.outcome.point);
    settle(comparison, solved);
    return solved;
  }

  const double unit = typical_value(scouted.problem(), starts);
  MultiStart plan{.refined = options.refined, .distinct = 0.99, .stopping = options.stopping};
  plan.stopping.unit = 1.0;
  if (rungs.size() > 1)  // what is near its optimum needs few steps; each is two passes over all rows
    plan.stopping.iterations = std::min(most_steps_on_all_rows, plan.stopping.iterations);
  const Stopping to_the_end = plan.stopping;
  Stopping roughly = plan.stopping;
  roughly.decrease_tolerance = std::max(1e-5, plan.stopping.decrease_tolerance);
  roughly.iterations = std::min(150, plan.stopping.iterations);
  if (tunable || !whole) plan.stopping = roughly;
  MultiStartResult search =
      followed(in_units_of(scouted.problem(), unit), starts, optimiser, executor, plan, watch, whole);
  if (search.interrupted) interrupted();
  const auto go_on = [&](PairProblem& problem, bool all_rows) {
    std::vector<Vector> finalists;
    for (const Refined& each : search.refined) finalists.push_back(each.outcome.point);
    const int before = search.evaluations;
    problem.tune(finalists.front());
    search = followed(in_units_of(problem.problem(), unit), finalists, optimiser, executor, plan, watch, all_rows);
    if (search.interrupted) interrupted();
    search.evaluations += before;
  };
  for (std::size_t i = 1; i < rungs.size(); ++i) {
    PairProblem longer = formulation.pose(rungs[i], found, components);
    if (i + 1 == rungs.size()) plan.stopping = to_the_end;  // cheaper here than on all rows
    go_on(longer, false);
    plan.refined = std::min(finalists_on_all_rows, plan.refined);
    plan.stopping = roughly;
  }
  if (rungs.size() == 1)  // those that are far behind on part of the rows will hardly lead on all of them
    plan.refined = std::clamp((plan.refined + 2) / 3, std::min(finalists_on_all_rows, plan.refined), plan.refined);
  if (!whole) go_on(posed, true);  // which of them is best is for all rows to say
  if (posed.judges()) {            // among the optima of one objective, the best by another
    std::stable_sort(search.refined.begin(), search.refined.end(), [&](const Refined& a, const Refined& b) {
      return posed.judged(a.outcome.point) < posed.judged(b.outcome.point);
    });
  }
  solved.outcome = search.best();
  solved.outcome.evaluations = search.evaluations;

  solved.traces = traces(search, unit);
  const auto follow = [&](const Stopping& stopping) {
    Outcome next = optimiser.minimise(in_units_of(posed.problem(), unit), solved.outcome.point, stopping, watch);
    if (next.stopped == StopReason::interrupted) interrupted();
    next.iterations += solved.outcome.iterations;
    next.evaluations += solved.outcome.evaluations;
    solved.outcome = std::move(next);
  };
  // Bandwidths and the like were decided at a start: decide them at the optimum and follow it, until it stays.
  for (int round = 0; tunable && round < most_rounds && options.stopping.asked_enough().empty(); ++round) {
    const Vector before = solved.outcome.point;
    posed.tune(before);
    follow(roughly);
    if (before.dot(solved.outcome.point) > settled * before.norm() * solved.outcome.point.norm()) break;
  }
  if (tunable || !whole) follow(to_the_end);
  // Where norms go to zero they go slowly (the costs are of the fourth order there): see it through before judging.
  if (const Outcome judged = solved.outcome; shortest(comparison, posed.directions(judged.point)) < 0.2) {
    const int patience = 10 * std::min(500, options.stopping.iterations);
    follow({1e-14, 1e-16, 5, patience, 1e-3, options.stopping.enough});
    if (!vanishes(comparison, posed.directions(solved.outcome.point))) solved.outcome = judged;
  }
  solved.directions = posed.directions(solved.outcome.point);
  solved.alternatives = alternatives(comparison, posed, search, solved.directions);
  settle(comparison, solved);
  // Signs and order are free, but a divergence averaged over fixed slices sees them.
  solved.outcome.value = posed.problem().value(posed.point(solved.directions), nullptr);
  solved.outcome.gradient_norm *= unit;
  mark_if_enough(options.stopping, solved.outcome);
  return solved;
}

// The exact solver takes the scale as given. The lemma's depends on how many entries of the directions are zero, all
// but always none: solve with that, and again with what the lemma says there, until both agree.
Solved solve_exactly(const Formulation& formulation, const Comparison& comparison, const Directions& found,
                     Index components, const Optimiser& optimiser, const SearchOptions& options,
                     const Observer& watch) {
  constexpr int most_rounds = 8;
  Comparison fixed = comparison;
  const bool lemma = comparison.scale.kind == ScaleRule::Kind::lemma;
  if (lemma)
    fixed.scale = {ScaleRule::Kind::fixed, lemma_scales(Matrix::Ones(comparison.x.dimension(), 1),
                                                        Matrix::Ones(comparison.y.dimension(), 1))[0]};
  Solved solved;
  for (int round = 0; round < most_rounds; ++round) {
    const PairProblem posed = formulation.pose(fixed, found, components);
    const Vector start = posed.starts(1, Random(options.seed, "exact")).front();
    solved.outcome = optimiser.minimise(posed.problem(), start, options.stopping, watch);
    solved.directions = posed.directions(solved.outcome.point);
    const double scale = lemma_scales(solved.directions.x, solved.directions.y)[0];
    if (!lemma || scale == fixed.scale.value || !options.stopping.asked_enough().empty()) break;
    fixed.scale.value = scale;
  }
  settle(comparison, solved);
  return solved;
}

}  // namespace

std::vector<Index> row_ladder(Index rows, Index first) {
  constexpr Index step = 10, small_part = 5;
  std::vector<Index> rungs;
  if (first > 0 && first < rows) rungs.push_back(first);
  while (!rungs.empty() && rungs.back() * step * small_part <= rows) rungs.push_back(rungs.back() * step);
  return rungs;
}

double divergence_of_pair(const Comparison& comparison, const Directions& directions, Index pair) {
  Projection x(comparison.x, directions.x.col(pair), Vector::Ones(1));
  Projection y(comparison.y, directions.y.col(pair), directions.scales.segment(pair, 1));
  const auto tuned = comparison.divergence->tuned(x, y, comparison.seed);
  return (tuned != nullptr ? *tuned : *comparison.divergence).evaluate(x, y, false);
}

void mark_if_enough(const Stopping& stopping, Outcome& outcome) {
  std::string reason = stopping.asked_enough();
  if (reason.empty()) return;
  outcome.stopped = StopReason::enough;
  outcome.why = std::move(reason);
}

MultiStartResult followed(const Problem& problem, const std::vector<Vector>& starts, const Optimiser& optimiser,
                          const Executor& executor, MultiStart plan, const Observer& watch, bool spread) {
  if (spread) return multi_start(problem, starts, optimiser, executor.for_talking(), plan, watch);
  if (executor.ranks() != nullptr) plan.stopping.enough = nullptr;
  return multi_start(problem, starts, optimiser, executor, plan, watch);
}

std::vector<Trace> traces(const MultiStartResult& search, double unit) {
  constexpr std::size_t most = 40;
  std::vector<Trace> all;
  for (const Refined& each : search.refined) {
    Trace trace{fmt::format("start {}", each.start + 1), {}, {}};
    const std::vector<Progress>& lines = each.outcome.trace;
    const std::size_t step = (lines.size() + most - 1) / most;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i % step != 0 && i + 1 < lines.size()) continue;
      trace.iterations.push_back(lines[i].iteration);
      trace.values.push_back(unit * lines[i].value);
    }
    all.push_back(std::move(trace));
  }
  return all;
}

void interrupted() { throw Error(Fault::usage, "interrupted", "stopped before it was finished"); }

void ask(const FitObserver& observer, const FitProgress& progress) {
  if (observer && !observer(progress)) interrupted();
}

Directions no_directions(const Comparison& comparison) {
  return {Matrix(comparison.x.dimension(), 0), Matrix(comparison.y.dimension(), 0), Vector(0)};
}

void append(Directions& found, const Directions& next) {
  const Index total = found.pairs() + next.pairs();
  found.x.conservativeResize(Eigen::NoChange, total);
  found.y.conservativeResize(Eigen::NoChange, total);
  found.scales.conservativeResize(total);
  found.x.rightCols(next.pairs()) = next.x;
  found.y.rightCols(next.pairs()) = next.y;
  found.scales.tail(next.pairs()) = next.scales;
}

void settle(const Formulation& formulation, const Comparison& comparison, Solved& solved) {
  settle(comparison, solved);
  PairProblem posed = formulation.pose(comparison, no_directions(comparison), 1);
  const Vector point = posed.point(solved.directions);
  posed.tune(point);
  solved.outcome.value = posed.problem().value(point, nullptr);
}

void refine(const Formulation& formulation, const Comparison& comparison, const Optimiser& optimiser,
            const Directions& found, const SearchOptions& options, const Observer& watch, Solved& solved) {
  PairProblem posed = formulation.pose(comparison, found, solved.directions.pairs());
  const Vector start = posed.problem().manifold->nearest(posed.point(solved.directions));
  posed.tune(start);
  Outcome reached = optimiser.minimise(posed.problem(), start, options.stopping, watch);
  if (reached.stopped == StopReason::interrupted) interrupted();
  reached.iterations += solved.outcome.iterations;
  reached.evaluations += solved.outcome.evaluations;
  solved.outcome = std::move(reached);
  solved.directions = posed.directions(solved.outcome.point);
  settle(comparison, solved);
}

std::vector<Solved> find_pairs(const Formulation& formulation, const Comparison& comparison, const Optimiser& optimiser,
                               Index components, const SearchOptions& options, const Executor& executor,
                               const FitObserver& observer, Directions found) {
  const Index problems = formulation.joint() ? 1 : components;
  ProgressReport progress(observer, problems, components, options.refined);
  // Where moments are all that is looked at, few rows cost as much as all of them.
  const bool by_rows = dynamic_cast<const DivergenceOf<Moments>*>(comparison.divergence.get()) == nullptr;
  const bool long_tables = by_rows && options.scouting_rows > 0 &&
                           std::max(comparison.x.size(), comparison.y.size()) > options.scouting_rows;
  const std::vector<std::pair<Sample, Sample>> parts =
      samples_of_rows(comparison, long_tables ? options.scouting_rows : 0);
  std::vector<Comparison> rungs;
  for (const auto& [x, y] : parts) rungs.push_back({x, y, comparison.divergence, comparison.scale, comparison.seed});
  std::vector<Solved> all;
  for (Index i = 0; i < problems && (i == 0 || options.stopping.asked_enough().empty()); ++i) {
    const auto began = std::chrono::steady_clock::now();
    if (!progress.begin(i)) interrupted();
    Solved solved;
    if (optimiser.needs_quadratic_form()) {
      solved = solve_exactly(formulation, comparison, found, components, optimiser, options, progress.observer());
    } else {
      const Random draw = Random(options.seed, "starts").stream(fmt::format("problem {}", i));
      solved = solve_by_descent(formulation, comparison, rungs, found, components, optimiser, options, draw, executor,
                                progress.observer());
    }
    if (vanishes(comparison, solved.directions)) collapsed(solved.directions, i);
    if (!std::isfinite(solved.outcome.value)) not_finite(i);
    solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    append(found, solved.directions);
    all.push_back(std::move(solved));
  }
  progress.end();
  return all;
}

}  // namespace cda
