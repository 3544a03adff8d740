#include "report/model_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/model_words.hpp"

namespace cda {
namespace {

PageJson list(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

PageJson list(double low, double high, Index count) { return list(Vector::LinSpaced(count, low, high)); }

std::size_t drawn(const Model& model) { return std::min(model.pairs.size(), most_pairs_drawn); }

std::string pair_title(std::size_t i) { return fmt::format("pair {}", i + 1); }

// Columns by their strongest loading over the pairs, at most so many.
std::vector<Index> strongest(const Model& model, Vector Pair::*loadings, std::size_t most) {
  const Index columns = (model.pairs.front().*loadings).size();
  Vector strength = Vector::Zero(columns);
  for (std::size_t i = 0; i < drawn(model); ++i) strength = strength.cwiseMax((model.pairs[i].*loadings).cwiseAbs());
  std::vector<Index> order(static_cast<std::size_t>(columns));
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<Index>(j);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return strength[a] > strength[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

std::string not_all(std::size_t shown, std::size_t all, const char* what) {
  return shown < all ? fmt::format(" The {} strongest of {} {} are shown; the model file holds all.", shown, all, what)
                     : "";
}

// Where X is lower and higher than Y by most, in units of the spread of both.
std::string largest_gap(const PairSummary& pair) {
  const Vector gap = pair.x_quantiles - pair.y_quantiles;
  const Vector inner = gap.segment(1, gap.size() - 2);  // the very ends are single values
  Index at = 0;
  inner.cwiseAbs().maxCoeff(&at);
  const Index last = pair.x_quantiles.size() - 1;
  const auto spread = [&](const Vector& quantiles) { return quantiles[3 * last / 4] - quantiles[last / 4]; };
  const double width = 0.5 * (spread(pair.x_quantiles) + spread(pair.y_quantiles));
  if (!(width > 0.0)) return "The values hardly vary.";
  const double most = std::abs(inner[at]) / width;
  if (most < 0.02) return "The quantiles of both sides lie on one line.";
  return fmt::format("The quantiles differ most at {} %, where {} is larger by {:.0f} % of the middle half's width.",
                     at + 1, inner[at] > 0.0 ? "X" : "Y", 100.0 * most);
}

}  // namespace

Section divergence_section(const Model& model) {
  Section section{.id = "divergence", .heading = "How far each pair is from chance"};
  PageJson labels = PageJson::array(), values = PageJson::array(), chance = PageJson::array();
  PageJson statistics = PageJson::array(), low = PageJson::array(), middle = PageJson::array(),
           high = PageJson::array();
  bool held_out = false, tested = false;
  std::size_t beyond = 0, below = 0;
  const ComparedWith against = model.evidence ? compared_with(*model.evidence) : ComparedWith{};
  for (std::size_t i = 0; i < drawn(model); ++i) {
    labels.push_back(pair_title(i));
    const PairEvidence* evidence = model.evidence ? &model.evidence->pairs[i] : nullptr;
    const bool measured = evidence != nullptr && evidence->divergence_held_out && evidence->divergence_of_chance;
    held_out = held_out || measured;
    values.push_back(measured ? *evidence->divergence_held_out : model.pairs[i].divergence);
    chance.push_back(measured ? PageJson(*evidence->divergence_of_chance) : PageJson(nullptr));
    if (measured && *evidence->divergence_held_out <= 2.0 * *evidence->divergence_of_chance) ++below;
    const bool compared = evidence != nullptr && evidence->statistic && evidence->null_quantiles.size() == 21;
    tested = tested || compared;
    statistics.push_back(compared ? PageJson(*evidence->statistic) : PageJson(nullptr));
    // 95 in 100 of them, without those that are furthest from chance.
    const Index first = against.smaller_is_further ? 1 : 0;
    low.push_back(compared ? PageJson(evidence->null_quantiles[first]) : PageJson(nullptr));
    middle.push_back(compared ? PageJson(evidence->null_quantiles[10]) : PageJson(nullptr));
    high.push_back(compared ? PageJson(evidence->null_quantiles[first + 19]) : PageJson(nullptr));
    if (compared && (against.smaller_is_further ? *evidence->statistic < evidence->null_quantiles[1]
                                                : *evidence->statistic > evidence->null_quantiles[19]))
      ++beyond;
  }
  if (!tested && !held_out) section.heading = "Divergence of each pair";
  if (tested)
    section.figures.push_back(
        {"null-band",
         "intervals",
         fmt::format("compared with {}", against.tables),
         fmt::format("{} the band that holds 95 in 100 {}: {} of {}.", against.smaller_is_further ? "Below" : "Beyond",
                     against.tables, beyond, counted(static_cast<Index>(drawn(model)), "pair")),
         {{"label", labels}, {"value", statistics}, {"low", low}, {"high", high}, {"reference", middle}},
         {{"value_label", fmt::format("{} ({}: further from chance)", against.statistic,
                                      against.smaller_is_further ? "smaller" : "larger")},
          {"band", "null"},
          {"band_label", "95 in 100 " + against.tables},
          {"reference_label", "their median"}}});
  std::string caption =
      held_out ? fmt::format(
                     "On rows that were not fitted, the divergence of {} of {} is at most twice what two samples of "
                     "one distribution show.",
                     below, counted(static_cast<Index>(drawn(model)), "pair"))
               : "The divergence on the rows that were fitted, which is too small by what the fit adapted to.";
  PageJson columns{{"label", labels}, {"value", values}};
  if (held_out) columns["reference"] = chance;
  section.figures.push_back({"divergence-per-pair",
                             "intervals",
                             "divergence per pair",
                             std::move(caption),
                             std::move(columns),
                             {{"value_label", held_out ? "divergence on rows not fitted" : "divergence"},
                              {"reference_label", "two samples of one distribution"}}});
  return section;
}

Section density_section(const Model& model) {
  Section section{.id = "densities", .heading = "The two sides of each pair"};
  section.text.emplace_back(
      "Where the two curves lie on each other, the combination of X's columns and that of Y's are distributed alike.");
  for (std::size_t i = 0; model.summary && i < drawn(model); ++i) {
    const PairSummary& pair = model.summary->pairs[i];
    section.figures.push_back(
        {fmt::format("density-{}", i + 1),
         "densities",
         pair_title(i),
         "In this pair " + pair_sentence(model, i),
         {{"value", list(pair.grid)}, {"x", list(pair.x_density)}, {"y", list(pair.y_density)}},
         {{"value_label", fmt::format("values of pair {}", i + 1)}, {"x_label", "X"}, {"y_label", "Y"}}});
  }
  return section;
}

Section quantile_section(const Model& model) {
  Section section{.id = "quantiles", .heading = "Quantile against quantile"};
  section.text.emplace_back(
      "The same comparison, sharper in the tails: on the diagonal X and Y have the same value at that level.");
  for (std::size_t i = 0; model.summary && i < drawn(model); ++i) {
    const PairSummary& pair = model.summary->pairs[i];
    section.figures.push_back(
        {fmt::format("quantiles-{}", i + 1),
         "qq",
         pair_title(i),
         largest_gap(pair),
         {{"level", list(0.0, 1.0, PairSummary::levels)}, {"x", list(pair.x_quantiles)}, {"y", list(pair.y_quantiles)}},
         {{"x_label", "X"}, {"y_label", "Y"}}});
  }
  return section;
}

namespace {

// The leading columns of both sides of one pair, with their intervals where they were computed.
Figure loading_figure(const Model& model, std::size_t i, std::size_t most) {
  PageJson sides = PageJson::array(), names = PageJson::array(), values = PageJson::array(), low = PageJson::array(),
           high = PageJson::array();
  bool intervals = false;
  const auto add = [&](const char* side, const std::vector<std::string>& columns, const Vector& loadings,
                       const Intervals* range) {
    std::vector<Index> order(static_cast<std::size_t>(loadings.size()));
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<Index>(j);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
    order.resize(std::min(order.size(), most));
    for (const Index j : order) {
      sides.push_back(side);
      names.push_back(columns[static_cast<std::size_t>(j)]);
      values.push_back(loadings[j]);
      const bool known = range != nullptr && range->size() > 0;
      intervals = intervals || known;
      low.push_back(known ? PageJson((*range)(j, 0)) : PageJson(nullptr));
      high.push_back(known ? PageJson((*range)(j, 1)) : PageJson(nullptr));
    }
  };
  const PairEvidence* evidence = model.evidence ? &model.evidence->pairs[i] : nullptr;
  const Pair& pair = model.pairs[i];
  const PairIntervals* ranges = evidence != nullptr && evidence->intervals ? &*evidence->intervals : nullptr;
  add("X", model.x.columns, pair.x_loadings, ranges != nullptr ? &ranges->x_loadings : nullptr);
  add("Y", model.y.columns, pair.y_loadings, ranges != nullptr ? &ranges->y_loadings : nullptr);
  PageJson columns{{"side", sides}, {"column", names}, {"loading", values}};
  if (intervals) {
    columns["low"] = low;
    columns["high"] = high;
  }
  return {fmt::format("loadings-{}", i + 1), "loadings", pair_title(i),
          fmt::format("{} of X; {} of Y.{}", leading_names(model.x.columns, pair.x_loadings),
                      leading_names(model.y.columns, pair.y_loadings),
                      intervals ? " Whiskers: 95 % of refits on resampled rows." : ""),
          std::move(columns)};
}

Figure loading_map(const Model& model, const char* side, const std::vector<std::string>& names, Vector Pair::*loadings,
                   std::size_t most) {
  PageJson rows = PageJson::array(), columns = PageJson::array(), values = PageJson::array();
  const std::vector<Index> shown = strongest(model, loadings, most);
  for (const Index j : shown)
    for (std::size_t i = 0; i < drawn(model); ++i) {
      rows.push_back(names[static_cast<std::size_t>(j)]);
      columns.push_back(pair_title(i));
      values.push_back((model.pairs[i].*loadings)[j]);
    }
  return {fmt::format("loading-map-{}", side),
          "heat",
          fmt::format("columns of {}", side),
          fmt::format("Correlation of each column of {} with the values of each pair.{}", side,
                      not_all(shown.size(), names.size(), "columns")),
          {{"row", rows}, {"column", columns}, {"value", values}},
          {{"row_label", fmt::format("column of {}", side)}, {"column_label", "pair"}, {"value_label", "loading"}}};
}

}  // namespace

Section loading_section(const Model& model) {
  constexpr std::size_t many = 12, most_in_map = 40;
  Section section{.id = "loadings", .heading = "Which columns go with each pair"};
  section.text.emplace_back(
      "Bars are loadings: the correlation of a column with the pair's values. Bars to the left go against the pair.");
  if (!model.evidence) section.text.emplace_back("Intervals of the loadings come with `cda test`.");
  const std::size_t most = model.pairs.size() > 10 ? 8 : many;
  if (std::max(model.x.columns.size(), model.y.columns.size()) > most)
    section.text.push_back(fmt::format("The {} strongest of each side are shown; the model file holds all.", most));
  for (std::size_t i = 0; i < drawn(model); ++i) section.figures.push_back(loading_figure(model, i, most));
  if (model.pairs.size() > 1 && std::max(model.x.columns.size(), model.y.columns.size()) > many) {
    section.figures.push_back(loading_map(model, "X", model.x.columns, &Pair::x_loadings, most_in_map));
    section.figures.push_back(loading_map(model, "Y", model.y.columns, &Pair::y_loadings, most_in_map));
  }
  return section;
}

Section relation_section(const Model& model) {
  constexpr std::size_t most = 25;
  Section section{.id = "relations", .heading = "Which column of X goes with which of Y"};
  section.text.emplace_back(
      "A column of X and one of Y are related as far as both go with the same pair: the product of their loadings and "
      "of "
      "the pair's agreement, for the pair where it is largest. The sign says whether high goes with high.");
  PageJson rows = PageJson::array(), columns = PageJson::array(), values = PageJson::array(),
           through = PageJson::array();
  const std::vector<Index> x_shown = strongest(model, &Pair::x_loadings, most),
                           y_shown = strongest(model, &Pair::y_loadings, most);
  double best = 0.0;
  std::string found = "No column of X goes with one of Y.";
  for (const Index i : x_shown)
    for (const Index j : y_shown) {
      double strongest_value = 0.0;
      std::size_t by = 0;
      for (std::size_t p = 0; p < model.pairs.size(); ++p) {
        const Pair& pair = model.pairs[p];
        const double agreement = model.evidence && model.evidence->pairs[p].agreement_held_out
                                     ? *model.evidence->pairs[p].agreement_held_out
                                     : pair.agreement;
        const double value = std::max(0.0, agreement) * pair.x_loadings[i] * pair.y_loadings[j];
        if (std::abs(value) > std::abs(strongest_value)) {
          strongest_value = value;
          by = p;
        }
      }
      const std::string& x = model.x.columns[static_cast<std::size_t>(i)];
      const std::string& y = model.y.columns[static_cast<std::size_t>(j)];
      rows.push_back(x);
      columns.push_back(y);
      values.push_back(std::clamp(strongest_value, -1.0, 1.0));
      through.push_back(static_cast<Index>(by) + 1);
      if (std::abs(strongest_value) <= best) continue;
      best = std::abs(strongest_value);
      found = fmt::format("The strongest relation, {:+.2f} through pair {}: {} of X with {} of Y.", strongest_value,
                          by + 1, x, y);
    }
  if (best > 0.0 && best < 0.05) found = "No column of X goes with one of Y: no relation reaches 0.05.";
  found += not_all(x_shown.size(), model.x.columns.size(), "columns of X") +
           not_all(y_shown.size(), model.y.columns.size(), "columns of Y");
  section.figures.push_back(
      {"relation-map",
       "heat",
       "relations between columns",
       std::move(found),
       {{"row", rows}, {"column", columns}, {"value", values}, {"pair", through}},
       {{"row_label", "column of X"}, {"column_label", "column of Y"}, {"value_label", "relation"}}});
  return section;
}

Section joint_section(const Model& model) {
  Section section{.id = "joint", .heading = "Both tables in the common space"};
  if (!model.summary) return section;
  for (const JointBins& bins : model.summary->joint) {
    PageJson sides = PageJson::array(), x = PageJson::array(), y = PageJson::array(), counts = PageJson::array();
    const double width = (bins.first[1] - bins.first[0]) / static_cast<double>(JointBins::cells);
    const double height = (bins.second[1] - bins.second[0]) / static_cast<double>(JointBins::cells);
    std::set<Index> x_cells, common;
    for (const auto& [side, cells] : {std::pair{"X", &bins.x}, {"Y", &bins.y}})
      for (const auto& [cell, count] : *cells) {
        sides.push_back(side);
        const Index row = cell / JointBins::cells, column = cell % JointBins::cells;
        x.push_back(bins.first[0] + (static_cast<double>(column) + 0.5) * width);
        y.push_back(bins.second[0] + (static_cast<double>(row) + 0.5) * height);
        counts.push_back(count);
        if (*side == 'X')
          x_cells.insert(cell);
        else if (x_cells.count(cell) != 0)
          common.insert(cell);
      }
    const std::size_t all = x_cells.size() + bins.y.size() - common.size();
    section.figures.push_back(
        {fmt::format("joint-{}-{}", bins.pairs[0], bins.pairs[1]),
         "bins",
         fmt::format("pairs {} and {}", bins.pairs[0], bins.pairs[1]),
         fmt::format("{:.0f} % of the cells that hold rows hold rows of both tables.",
                     all > 0 ? 100.0 * static_cast<double>(common.size()) / static_cast<double>(all) : 0.0),
         {{"side", sides}, {"x", x}, {"y", y}, {"count", counts}},
         {{"x_label", fmt::format("pair {}", bins.pairs[0])},
          {"y_label", fmt::format("pair {}", bins.pairs[1])},
          {"x_width", width},
          {"y_width", height}}});
  }
  return section;
}

Section null_section(const Model& model) {
  Section section{.id = "null", .heading = "Compared with unrelated tables"};
  const ComparedWith against = model.evidence ? compared_with(*model.evidence) : ComparedWith{};
  if (model.evidence) section.heading = fmt::format("Compared with {}", against.tables);
  if (!model.evidence) {
    section.text.emplace_back(
        "Not computed: `cda test` compares each pair with what tables without relation, but of equally strong "
        "structure, "
        "would give.");
    return section;
  }
  section.text.push_back(fmt::format("A small p speaks against this: {}.", model.evidence->hypothesis));
  for (std::size_t i = 0; i < drawn(model); ++i) {
    const PairEvidence& evidence = model.evidence->pairs[i];
    if (!evidence.statistic || evidence.null_quantiles.size() == 0) continue;
    section.figures.push_back(
        {fmt::format("null-{}", i + 1),
         "null",
         pair_title(i),
         evidence.p ? fmt::format("p = {:.3g}, from {} {}; each dot stands for 5 in 100 of them. {} is further from "
                                  "chance.",
                                  *evidence.p, model.evidence->surrogates, against.tables,
                                  against.smaller_is_further ? "Left" : "Right")
                    : "No p was computed for this pair.",
         {{"level", list(0.0, 1.0, evidence.null_quantiles.size())}, {"value", list(evidence.null_quantiles)}},
         {{"observed", *evidence.statistic},
          {"value_label", against.statistic},
          {"p_label", evidence.p ? fmt::format("p = {:.3g}", *evidence.p) : ""}}});
  }
  if (section.figures.empty()) section.text.emplace_back("No pair was compared with unrelated tables.");
  return section;
}

}  // namespace cda
