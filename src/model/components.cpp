#include "model/components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "model/contrast_threshold.hpp"
#include "objective/contrast.hpp"
#include "objective/deflation.hpp"
#include "projection/quantiles.hpp"

namespace cda {
namespace {

Component measured(const Sample& sample, Vector direction, const Outcome& outcome) {
  Component component;
  component.deviation = shape_deviation(sample.rows() * direction);
  component.contrast = contrast_of(component.deviation);
  component.direction = std::move(direction);
  component.outcome = outcome;
  return component;
}

// Where to look for the next component: all rows, and a choice of them for the first look where there are many.
struct Room {
  const Sample& sample;
  const Sample& rough;
  std::shared_ptr<const NormalReference> reference, rough_reference;
  Matrix basis;
};

// Starts are screened and followed on the choice of rows; the best few optima are finished on all of them.
Component search_room(const Room& room, const ComponentSearch& search, Index refined, const Random& draw) {
  constexpr Index finalists = 2;
  ComponentProblem posed(room.sample, room.reference, search.divergence, room.basis);
  if (room.basis.cols() == 1) {
    Outcome only;
    only.point = Vector::Ones(1);
    only.value = posed.problem().value(only.point, nullptr);
    only.evaluations = 1;
    only.stopped = StopReason::exact;
    only.why = "only one direction was left";
    return measured(room.sample, room.basis.col(0), only);
  }
  ComponentProblem scouted(room.rough, room.rough_reference, search.divergence, room.basis);
  const std::vector<Vector> starts = scouted.starts(std::max(1, search.options.starts), draw);
  scouted.tune(starts.front(), search.options.seed);
  // Which of the starts leads highest shows early: all are followed roughly, and only the best to the end.
  Stopping roughly = search.options.stopping;
  roughly.decrease_tolerance = std::max(1e-3, roughly.decrease_tolerance);
  roughly.decrease_times = 1;
  MultiStart plan{.refined = refined, .distinct = 0.95, .stopping = roughly};
  const MultiStartResult found =
      multi_start(scouted.problem(), starts, search.optimiser, search.executor, plan, search.watch);
  if (found.interrupted) interrupted();
  std::vector<Vector> ends;
  for (const Refined& each : found.refined) ends.push_back(each.outcome.point);
  posed.tune(ends.front(), search.options.seed);
  plan = {.refined = finalists, .distinct = 0.99, .stopping = search.options.stopping};
  const MultiStartResult last =
      multi_start(posed.problem(), ends, search.optimiser, search.executor, plan, search.watch);
  if (last.interrupted) interrupted();
  Outcome best = last.best();
  best.evaluations = found.evaluations + last.evaluations;
  mark_if_enough(search.options.stopping, best);
  Component component = measured(room.sample, posed.direction(best.point), best);
  component.traces = traces(found, -1.0);  // the contrast, which is maximised
  return component;
}

// In many dimensions most starts end in optima of noise. Where the usual effort finds nothing above the threshold,
// twice as many more are followed as there are dimensions, before it is said that nothing is there.
Component find_component(const Room& room, const ComponentSearch& search, double threshold, const Random& draw) {
  Component found = search_room(room, search, search.options.refined, draw);
  if (found.contrast <= threshold && room.basis.cols() > search.options.refined &&
      search.options.stopping.asked_enough().empty()) {
    const int before = found.outcome.evaluations;
    Component more = search_room(room, search, 2 * room.basis.cols(), draw.stream("more"));
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

Vector shape_deviation(const Vector& values) {
  const Vector centred = values.array() - values.mean();
  const double deviation = std::sqrt(centred.squaredNorm() / static_cast<double>(values.size()));
  static const Vector normal = normal_quantiles();
  return quantile_function_of(centred / (deviation > 0.0 ? deviation : 1.0)) - normal;
}

double contrast_of(const Vector& deviation) { return deviation.squaredNorm() / static_cast<double>(deviation.size()); }

std::vector<Component> find_components(const Sample& sample, const ComponentSearch& search, Index wanted) {
  const Index rows = search.options.scouting_rows;
  const bool long_table = rows > 0 && sample.size() > rows;
  const Sample chosen = sample.subset(sample.choose(long_table ? rows : 0, search.options.seed));
  const auto reference = std::make_shared<const NormalReference>(sample.size());
  const auto rough_reference = long_table ? std::make_shared<const NormalReference>(chosen.size()) : reference;
  const Random draw(search.options.seed, "components");
  const Index dimensions = sample.space().cols();
  Matrix found(sample.dimension(), 0);
  std::vector<Component> components;
  bool informative = true;
  for (Index j = 0; j < dimensions && (informative || j < wanted); ++j) {
    if (j > 0 && !search.options.stopping.asked_enough().empty()) break;
    const auto began = std::chrono::steady_clock::now();
    const Room room{sample, long_table ? chosen : sample, reference, rough_reference,
                    complement(sample.space(), found)};
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
  const auto reference = std::make_shared<const NormalReference>(sample.size());
  const Room room{sample, sample, reference, reference, sample.space()};
  constexpr double unreachable = std::numeric_limits<double>::infinity();
  return find_component(room, search, unreachable, Random(search.options.seed, "components").stream("component 0"))
      .contrast;
}

Component follow_component(const Sample& sample, const ComponentSearch& search, const Vector& direction) {
  const auto reference = std::make_shared<const NormalReference>(sample.size());
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
