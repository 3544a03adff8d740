#include "find/components/components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "divergence/quantiles.hpp"
#include "find/components/contrast_threshold.hpp"
#include "find/pairs/contrast.hpp"
#include "find/pairs/deflation.hpp"

namespace cda {
namespace {

Component measured(const Sample& sample, Vector direction, const Outcome& outcome) {
  Component component;
  component.deviation = shape_deviation(sample.rows() * direction, sample.executor());
  component.contrast = contrast_of(component.deviation);
  component.direction = std::move(direction);
  component.outcome = outcome;
  return component;
}

// Rows, and the normal distribution as so many rows would show it.
struct Rung {
  const Sample& sample;
  std::shared_ptr<const NormalReference> reference;
};

// Where to look for the next component: ever more rows, the last of them all there are.
struct Room {
  std::vector<Rung> rungs;
  Matrix basis;

  const Sample& sample() const { return rungs.back().sample; }
  ComponentProblem posed(std::size_t rung, const ComponentSearch& search) const {
    return ComponentProblem(rungs[rung].sample, rungs[rung].reference, search.divergence, basis);
  }
};

// Starts are screened and followed on the first choice of rows; the best few optima go on to more rows, and are
// finished on all of them.
Component search_room(const Room& room, const ComponentSearch& search, double threshold, Index refined,
                      const Random& draw) {
  constexpr Index finalists = 2;
  constexpr double promising = 0.7;  // of the threshold, once the contrast grows by less than a thousandth a step
  ComponentProblem posed = room.posed(room.rungs.size() - 1, search);
  if (room.basis.cols() == 1) {
    Outcome only;
    only.point = Vector::Ones(1);
    only.value = posed.problem().value(only.point, nullptr);
    only.evaluations = 1;
    only.stopped = StopReason::exact;
    only.why = "only one direction was left";
    return measured(room.sample(), room.basis.col(0), only);
  }
  ComponentProblem scouted = room.posed(0, search);
  const std::vector<Vector> starts = scouted.starts(std::max(1, search.options.starts), draw);
  scouted.tune(starts.front(), search.options.seed);
  // Which of the starts leads highest shows early: all are followed roughly, and only the best to the end.
  Stopping roughly = search.options.stopping;
  roughly.decrease_tolerance = std::max(1e-3, roughly.decrease_tolerance);
  roughly.decrease_times = 1;
  MultiStart plan{.refined = refined, .distinct = 0.95, .stopping = roughly};
  const MultiStartResult found = followed(scouted.problem(), starts, search.optimiser, search.executor, plan,
                                          search.watch, room.rungs.size() == 1);
  if (found.interrupted) interrupted();
  MultiStartResult last = found;
  const auto go_on = [&](ComponentProblem& problem, std::size_t most, bool all_rows) {
    std::vector<Vector> ends;
    for (const Refined& each : last.refined)
      if (ends.size() < most) ends.push_back(each.outcome.point);
    const int before = last.evaluations;
    problem.tune(ends.front(), search.options.seed);
    last = followed(problem.problem(), ends, search.optimiser, search.executor, plan, search.watch, all_rows);
    if (last.interrupted) interrupted();
    last.evaluations += before;
  };
  for (std::size_t rung = 1; rung + 1 < room.rungs.size(); ++rung) {
    ComponentProblem longer = room.posed(rung, search);
    go_on(longer, last.refined.size(), false);
  }
  if (room.rungs.size() > 2) {  // very many rows: only what may pass the threshold is worth seeing through to the end
    plan = {.refined = 1, .distinct = 0.99, .stopping = roughly};
    go_on(posed, finalists, true);
  }
  if (room.rungs.size() <= 2 || -last.best().value > promising * threshold) {
    plan = {.refined = finalists, .distinct = 0.99, .stopping = search.options.stopping};
    go_on(posed, last.refined.size(), true);
  }
  Outcome best = last.best();
  best.evaluations = last.evaluations;
  mark_if_enough(search.options.stopping, best);
  Component component = measured(room.sample(), posed.direction(best.point), best);
  component.traces = traces(found, -1.0);  // the contrast, which is maximised
  return component;
}

// In many dimensions most starts end in optima of noise. Where the usual effort finds nothing above the threshold,
// twice as many more are followed as there are dimensions, before it is said that nothing is there.
Component find_component(const Room& room, const ComponentSearch& search, double threshold, const Random& draw) {
  Component found = search_room(room, search, threshold, search.options.refined, draw);
  if (found.contrast <= threshold && room.basis.cols() > search.options.refined &&
      search.options.stopping.asked_enough().empty()) {
    const int before = found.outcome.evaluations;
    Component more = search_room(room, search, threshold, 2 * room.basis.cols(), draw.stream("more"));
    if (more.contrast > found.contrast) found = std::move(more);
    found.outcome.evaluations += before;
  }
  found.threshold = threshold;
  return found;
}

// The largest entry of a direction is positive.
void settle_sign(Component& component) {
  Index largest = 0;
  component.direction.cwiseAbs().maxCoeff(&largest);
  if (component.direction[largest] >= 0.0) return;
  component.direction *= -1.0;
  component.deviation = mirrored(component.deviation);
}

}  // namespace

Vector shape_deviation(const Vector& values, const Executor& executor) {
  const auto count = static_cast<double>(executor.total(values.size()));
  double sum = values.sum();
  executor.add_over_ranks(sum);
  const Vector centred = values.array() - sum / count;
  double squares = centred.squaredNorm();
  executor.add_over_ranks(squares);
  const double deviation = std::sqrt(squares / count);
  static const Vector normal = normal_quantiles();
  return quantile_function_of(centred / (deviation > 0.0 ? deviation : 1.0), quantile_blocks, executor) - normal;
}

double contrast_of(const Vector& deviation) { return deviation.squaredNorm() / static_cast<double>(deviation.size()); }

std::vector<Component> find_components(const Sample& sample, const ComponentSearch& search, Index wanted) {
  std::vector<Sample> parts;
  for (const Index rows : row_ladder(sample.size(), search.options.scouting_rows))
    parts.push_back(sample.subset(sample.choose(rows, search.options.seed)));
  std::vector<Rung> rungs;
  const auto reference = [](const Sample& rows) {
    return std::make_shared<const NormalReference>(rows.size(), rows.executor());
  };
  for (const Sample& part : parts) rungs.push_back({part, reference(part)});
  rungs.push_back({sample, reference(sample)});
  const Random draw(search.options.seed, "components");
  const Index dimensions = sample.space().cols();
  Matrix found(sample.dimension(), 0);
  std::vector<Component> components;
  bool informative = true;
  for (Index j = 0; j < dimensions && (informative || j < wanted); ++j) {
    if (j > 0 && !search.options.stopping.asked_enough().empty()) break;
    const auto began = std::chrono::steady_clock::now();
    const Room room{rungs, complement(sample.space(), found)};
    const double threshold = contrast_threshold(sample.size() / search.options.block_length, dimensions - j);
    Component next = find_component(room, search, threshold, draw.stream(fmt::format("component {}", j)));
    settle_sign(next);
    informative = informative && next.contrast > next.threshold;
    next.informative = informative;
    next.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    found.conservativeResize(Eigen::NoChange, j + 1);
    found.col(j) = next.direction;
    components.push_back(std::move(next));
  }
  return components;
}

double largest_contrast(const Sample& sample, const ComponentSearch& search) {
  const auto reference = std::make_shared<const NormalReference>(sample.size(), sample.executor());
  const Room room{{{sample, reference}}, sample.space()};
  constexpr double unreachable = std::numeric_limits<double>::infinity();
  return find_component(room, search, unreachable, Random(search.options.seed, "components").stream("component 0"))
      .contrast;
}

Component follow_component(const Sample& sample, const ComponentSearch& search, const Vector& direction) {
  const auto reference = std::make_shared<const NormalReference>(sample.size(), sample.executor());
  ComponentProblem posed(sample, reference, search.divergence, sample.space());
  const Vector start = posed.point(direction);
  posed.tune(start, search.options.seed);
  Outcome reached = search.optimiser.minimise(posed.problem(), start, search.options.stopping, search.watch);
  if (reached.stopped == StopReason::interrupted) interrupted();
  return measured(sample, posed.direction(reached.point), reached);
}

Index informative_count(const std::vector<Component>& components) {
  return std::count_if(components.begin(), components.end(), [](const Component& c) { return c.informative; });
}

}  // namespace cda
