#include "find/components/informative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "find/components/matching.hpp"

namespace cda {
namespace {

Shapes shapes_of(const std::vector<Component>& components) {
  Shapes shapes(components.empty() ? 0 : components.front().deviation.size(), static_cast<Index>(components.size()));
  for (std::size_t j = 0; j < components.size(); ++j) shapes.col(static_cast<Index>(j)) = components[j].deviation;
  return shapes;
}

std::vector<Component> informative_only(std::vector<Component> components) {
  components.resize(static_cast<std::size_t>(informative_count(components)));
  return components;
}

// How both sides' searches went, as one.
Outcome joined(const Outcome& x, const Outcome& y) {
  Outcome both;
  both.iterations = x.iterations + y.iterations;
  both.evaluations = x.evaluations + y.evaluations;
  const bool x_worse = !converged(x.stopped) && converged(y.stopped);
  both.stopped = x_worse || converged(y.stopped) ? x.stopped : y.stopped;
  both.why = x.why == y.why ? x.why : fmt::format("X: {}; Y: {}", x.why, y.why);
  both.gradient_norm = std::hypot(x.gradient_norm, y.gradient_norm);
  for (const Outcome* side : {&x, &y})
    if (side->stopped == StopReason::enough) {
      both.stopped = side->stopped;
      both.why = side->why;
    }
  return both;
}

// Other readings of a match whose agreement comes within a fifth of its own (and is one at all): the other sign, and
// other partners of either side among the informative components.
std::vector<Alternative> readings(const ShapeMatch& match, const AgreementTable& table) {
  const double close = std::max(0.5, 0.8 * match.agreement);
  std::vector<Alternative> found;
  if (match.other_sign >= close) {
    Alternative turned;
    turned.kind = Alternative::Kind::mirrored;
    turned.agreement = match.other_sign;
    turned.x_cosine = turned.y_cosine = 1.0;
    turned.mirrored = true;
    found.push_back(turned);
  }
  const auto rival = [&](Index i, Index j, Alternative::Kind kind, bool same_x) {
    if (table.best(i, j) < close) return;
    Alternative other;
    other.kind = kind;
    other.agreement = table.best(i, j);
    other.x_cosine = same_x ? 1.0 : 0.0;
    other.y_cosine = same_x ? 0.0 : 1.0;
    other.mirrored = (table.mirrored(i, j) > table.straight(i, j)) != match.mirrored;
    other.component = (same_x ? j : i) + 1;
    found.push_back(other);
  };
  for (Index j = 0; j < table.straight.cols(); ++j)
    if (j != match.y) rival(match.x, j, Alternative::Kind::other_in_y, true);
  for (Index i = 0; i < table.straight.rows(); ++i)
    if (i != match.x) rival(i, match.y, Alternative::Kind::other_in_x, false);
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative& a, const Alternative& b) { return *a.agreement > *b.agreement; });
  return found;
}

Directions directions_of(const Component& x, const Component& y, bool mirrored) {
  return {x.direction, mirrored ? Vector(-y.direction) : y.direction, Vector::Ones(1)};
}

}  // namespace

InformativePairs find_informative_pairs(const Formulation& formulation, const Comparison& comparison,
                                        const Optimiser& optimiser, Index wanted, const SearchOptions& options,
                                        const Executor& executor, const FitObserver& observer) {
  // Half of the time is each table's. How many components there will be is not known: a share that only approaches it.
  double iterations = 0.0;
  Index side = 0;
  const auto report = [&](double share) { return !observer || observer({1, std::max<Index>(1, wanted), share}); };
  const Observer watch = [&](const Progress&) {
    return report((static_cast<double>(side) + 1.0 - std::exp(-(iterations += 1.0) / 600.0)) / 2.0);
  };
  const ComponentSearch search{comparison.divergence, optimiser, options, executor, watch};
  InformativePairs found;
  found.x = informative_only(find_components(comparison.x, search));
  iterations = 0.0;
  side = 1;
  found.y = informative_only(find_components(comparison.y, search));

  const Shapes x_shapes = shapes_of(found.x), y_shapes = shapes_of(found.y);
  std::vector<ShapeMatch> matches;
  if (!found.x.empty() && !found.y.empty()) matches = kept_matches(match_shapes(x_shapes, y_shapes), wanted);
  const AgreementTable table = matches.empty() ? AgreementTable{} : agreements(x_shapes, y_shapes);
  Directions directions = no_directions(comparison);
  for (const ShapeMatch& match : matches) {
    const Component& x = found.x[static_cast<std::size_t>(match.x)];
    const Component& y = found.y[static_cast<std::size_t>(match.y)];
    Solved solved;
    solved.directions = directions_of(x, y, match.mirrored);
    solved.outcome = joined(x.outcome, y.outcome);
    solved.alternatives = readings(match, table);
    for (const auto& [name, component] : {std::pair{"X, ", &x}, {"Y, ", &y}})
      for (Trace trace : component->traces) {
        trace.start = name + trace.start;
        solved.traces.push_back(std::move(trace));
      }
    solved.components = {match.x + 1, match.y + 1};
    solved.seconds = x.seconds + y.seconds;
    if (formulation.refines_matches())
      refine(formulation, comparison, optimiser, directions, options, watch, solved);
    else
      settle(formulation, comparison, solved);
    append(directions, solved.directions);
    found.pairs.push_back(std::move(solved));
  }
  const Index missing = std::max<Index>(wanted, 1) - static_cast<Index>(found.pairs.size());
  if (missing > 0 && (found.pairs.empty() || options.stopping.asked_enough().empty())) {
    for (Solved& solved :
         find_pairs(formulation, comparison, optimiser, missing, options, executor, observer, directions)) {
      solved.informative = false;
      found.pairs.push_back(std::move(solved));
    }
  }
  report(1.0);
  return found;
}

std::vector<Solved> follow_pairs(const Formulation& formulation, const Comparison& comparison,
                                 const Optimiser& optimiser, const Directions& start, const SearchOptions& options,
                                 const Executor& executor, const FitObserver& observer) {
  const Index pairs = start.pairs(), step = formulation.joint() ? pairs : 1;
  Index at = 0;
  const Observer watch = [&](const Progress&) {
    return !observer || observer({at + 1, pairs, static_cast<double>(at) / static_cast<double>(pairs)});
  };
  const ComponentSearch search{comparison.divergence, optimiser, options, executor, watch};
  Directions found = no_directions(comparison);
  std::vector<Solved> all;
  for (; at < pairs; at += step) {
    Solved solved;
    solved.directions = {start.x.middleCols(at, step), start.y.middleCols(at, step), start.scales.segment(at, step)};
    if (formulation.components_first() && !formulation.refines_matches()) {
      const Component x = follow_component(comparison.x, search, start.x.col(at));
      const Component y = follow_component(comparison.y, search, start.y.col(at));
      solved.directions = directions_of(x, y, false);
      solved.outcome = joined(x.outcome, y.outcome);
      settle(formulation, comparison, solved);
    } else {
      refine(formulation, comparison, optimiser, found, options, watch, solved);
    }
    append(found, solved.directions);
    all.push_back(std::move(solved));
  }
  return all;
}

}  // namespace cda
