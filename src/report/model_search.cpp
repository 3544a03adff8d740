// How the search for each pair went: the course of every start that was followed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/model_figures.hpp"
#include "report/model_words.hpp"

namespace cda {
namespace {

// "8 starts were followed, for 4 to 31 iterations; 6 of them ended within 1 % of the smallest objective, 0.0123."
std::string course_words(const std::vector<const Trace*>& traces, bool contrast) {
  if (traces.empty()) return "no start was followed";
  std::vector<double> ends;
  int shortest = std::numeric_limits<int>::max(), longest = 0;
  for (const Trace* trace : traces) {
    ends.push_back(trace->values.back());
    shortest = std::min(shortest, trace->iterations.back());
    longest = std::max(longest, trace->iterations.back());
  }
  const double best =
      contrast ? *std::max_element(ends.begin(), ends.end()) : *std::min_element(ends.begin(), ends.end());
  const auto near = std::count_if(ends.begin(), ends.end(),
                                  [&](double end) { return std::abs(end - best) <= 0.01 * std::abs(best); });
  const std::string iterations =
      shortest == longest ? counted(longest, "iteration") : fmt::format("{} to {} iterations", shortest, longest);
  if (ends.size() == 1)
    return fmt::format("1 start was followed, for {}, to {} of {:.3g}", iterations,
                       contrast ? "a contrast" : "an objective", best);
  return fmt::format("{} starts were followed, for {}; {} of them ended within 1 % of the {}, {:.3g}", ends.size(),
                     iterations, near, contrast ? "largest contrast" : "smallest objective", best);
}

// The starts of one pair. Components were searched for in each table by itself: "X, start 3".
Figure course_figure(const Pair& pair, std::size_t i, bool contrast) {
  PageJson series = PageJson::array(), sides = series, x = series, y = series;
  std::vector<const Trace*> all, of_x, of_y;
  for (const Trace& trace : pair.traces) {
    if (trace.values.empty()) continue;
    const bool is_x = trace.start.rfind("X, ", 0) == 0, is_y = trace.start.rfind("Y, ", 0) == 0;
    (is_x ? of_x : is_y ? of_y : all).push_back(&trace);
    for (std::size_t k = 0; k < trace.values.size(); ++k) {
      series.push_back(trace.start);
      sides.push_back(is_x ? "X" : is_y ? "Y" : "");
      x.push_back(trace.iterations[k]);
      y.push_back(trace.values[k]);
    }
  }
  const bool apart = all.empty() && !of_x.empty();
  PageJson columns{{"series", series}};
  if (apart) columns["side"] = sides;
  columns["x"] = x;
  columns["y"] = y;
  std::string caption =
      apart ? fmt::format("In X {}. In Y {}.", course_words(of_x, contrast), course_words(of_y, contrast))
            : course_words(all, contrast) + ".";
  return {fmt::format("convergence-{}", i + 1),
          "lines",
          fmt::format("pair {}", i + 1),
          std::move(caption),
          std::move(columns),
          {{"x_label", "iteration"}, {"y_label", contrast ? "contrast" : "objective"}, {"legend", false}}};
}

}  // namespace

Section convergence_section(const Model& model) {
  constexpr std::size_t most = 10;
  Section section{.id = "convergence", .heading = "How the search went", .folded = true};
  const bool contrast =
      std::any_of(model.pairs.begin(), model.pairs.end(), [](const Pair& p) { return p.components.has_value(); });
  section.text.emplace_back(
      contrast
          ? "Components of each table were searched for on their own, by their contrast: how far they are from a bell "
            "curve. Each line is one start; starts that end at other heights ended in other optima."
          : "Each line is one start; starts that end at other heights ended in other optima.");
  PageTable table{
      .caption = "", .heading = {"pair", "converged", "iterations", "evaluations", "why it stopped"}, .rows = {}};
  for (std::size_t i = 0; i < std::min(model.pairs.size(), most_pairs_drawn); ++i) {
    const Pair& pair = model.pairs[i];
    table.rows.push_back({fmt::format("{}", i + 1), pair.converged ? "yes" : "NO", fmt::format("{}", pair.iterations),
                          fmt::format("{}", pair.evaluations), pair.stopped});
    if (pair.traces.empty() || section.figures.size() == most) continue;
    section.figures.push_back(course_figure(pair, i, pair.components.has_value()));
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace cda
