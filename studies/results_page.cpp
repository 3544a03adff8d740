// The page of a study: pictures first, then what was done, and all rows.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/shell_word.hpp"
#include "cda/extend/experiment.hpp"
#include "cda/extend/version.hpp"
#include "cda/report.hpp"
#include "report/model_words.hpp"
#include "report/page.hpp"

namespace cda {
namespace {

std::optional<double> number_in(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isfinite(*number) ? std::optional(*number) : std::nullopt;
  if (const auto* count = std::get_if<Index>(&cell)) return static_cast<double>(*count);
  if (const auto* share = std::get_if<Share>(&cell)) return share->value();
  return std::nullopt;
}

PageJson json(const std::optional<double>& number) { return number ? PageJson(*number) : PageJson(nullptr); }

// The rows of a study, by the names of their columns.
class Rows {
 public:
  explicit Rows(const Results& results) : results_(results) {
    for (std::size_t j = 0; j < results.columns.size(); ++j) position_[results.columns[j].name] = j;
  }
  bool has(const std::string& column) const { return position_.count(column) != 0; }
  const Cell& at(std::size_t row, const std::string& column) const { return results_.rows[row][position_.at(column)]; }
  std::string text(std::size_t row, const std::string& column) const {
    return shown_cell(at(row, column), results_.columns[position_.at(column)].decimals);
  }
  // A number needs the name of what it counts: "n = 300".
  std::string named(std::size_t row, const std::string& column) const {
    return number(row, column) ? fmt::format("{} = {}", column, text(row, column)) : text(row, column);
  }
  std::optional<double> number(std::size_t row, const std::string& column) const {
    return column.empty() ? std::nullopt : number_in(at(row, column));
  }
  // low and high of the value: of a share its interval, else what the plot names, or a standard deviation to both
  // sides.
  std::pair<std::optional<double>, std::optional<double>> range(std::size_t row, const ResultPlot& plot) const {
    if (const auto* share = std::get_if<Share>(&at(row, plot.value)); share != nullptr && share->value())
      return share->interval();
    if (!plot.low.empty()) return {number(row, plot.low), number(row, plot.high)};
    const auto value = number(row, plot.value), spread = number(row, plot.spread);
    if (!value || !spread) return {};
    return {*value - *spread, *value + *spread};
  }

 private:
  const Results& results_;
  std::map<std::string, std::size_t> position_;
};

// "chance_x" and "found_by_chance" -> "chance": the title says of what.
std::string in_words(std::string column) {
  if (column.ends_with("_by_chance")) return "chance";
  if (column.size() > 2 && (column.ends_with("_x") || column.ends_with("_y"))) column.resize(column.size() - 2);
  std::replace(column.begin(), column.end(), '_', ' ');
  return column;
}

// "error of X: 0 found, at chance nothing found" -> "error of X"
std::string short_title(const ResultPlot& plot) { return plot.title.substr(0, plot.title.find(':')); }

// "error of X (paired, linear): 0 found, at chance nothing found"
std::string title_of(const ResultPlot& plot, const std::string& panel) {
  if (panel.empty()) return plot.title;
  const std::string first = short_title(plot);
  std::string unbroken;  // "n = 300" on one line
  for (std::size_t i = 0; i < panel.size(); ++i) {
    const bool beside = panel[i] == ' ' && (panel.compare(i, 2, " =") == 0 || (i > 0 && panel[i - 1] == '='));
    unbroken += beside ? "\u00a0" : std::string(1, panel[i]);
  }
  return fmt::format("{} ({}){}", first, unbroken, plot.title.substr(first.size()));
}

std::string short_number(double number) {
  return std::abs(number) >= 1000.0 && std::abs(number) < 1e6 ? fmt::format("{:.0f}", number)
                                                              : fmt::format("{:.3g}", number);
}

struct Drawn {
  PageJson group = PageJson::array(), label = group, along = group, value = group, low = group, high = group,
           reference = group;
  std::vector<std::pair<double, std::string>> best;  // value and who has it
};

// "Smallest: iCDA (0.01). Largest: PCA and 2 others (0.4).", without judging which end is good.
std::string extremes(const Drawn& drawn) {
  if (drawn.best.empty()) return "No row has a value.";
  const auto [least, most] = std::minmax_element(drawn.best.begin(), drawn.best.end());
  if (drawn.best.size() == 1) return fmt::format("{}: {}.", most->second, short_number(most->first));
  if (least->first == most->first) return fmt::format("All have the same value, {}.", short_number(most->first));
  const std::string& last = most->second;
  if (std::all_of(drawn.best.begin(), drawn.best.end(), [&](const auto& each) { return each.second == last; }))
    return fmt::format("{}: {} to {}.", last, short_number(least->first), short_number(most->first));
  const auto who = [&](double value) {
    std::vector<std::string> names;
    for (const auto& [each, name] : drawn.best)
      if (each == value && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (names.size() <= 2) return fmt::format("{}", fmt::join(names, " and "));
    return fmt::format("{} and {} others", names.front(), names.size() - 1);
  };
  return fmt::format("Smallest: {} ({}). Largest: {} ({}).", who(least->first), short_number(least->first),
                     who(most->first), short_number(most->first));
}

// How many are below what they are compared with, where they all are compared.
std::string below_reference(const Drawn& drawn, const std::string& reference) {
  std::size_t below = 0;
  for (std::size_t i = 0; i < drawn.value.size(); ++i) {
    if (drawn.reference[i].is_null()) return "";
    if (drawn.value[i].get<double>() < drawn.reference[i].get<double>()) ++below;
  }
  return fmt::format(" Below {}: {} of {}.", reference, below, drawn.value.size());
}

// What can be drawn as a curve: who has values at two places or more. What they are compared with is one of the curves.
Drawn curves_of(const Drawn& all, const std::string& reference) {
  std::map<std::string, std::set<double>> places;
  for (std::size_t i = 0; i < all.label.size(); ++i)
    places[all.label[i].get<std::string>()].insert(all.along[i].get<double>());
  Drawn drawn;
  std::map<double, PageJson> compared;
  const auto add = [&](const PageJson& label, const PageJson& along, const PageJson& value, const PageJson& low,
                       const PageJson& high) {
    drawn.label.push_back(label);
    drawn.along.push_back(along);
    drawn.value.push_back(value);
    drawn.low.push_back(low);
    drawn.high.push_back(high);
  };
  for (std::size_t i = 0; i < all.label.size(); ++i) {
    const auto label = all.label[i].get<std::string>();
    if (places[label].size() < 2) continue;
    add(label, all.along[i], all.value[i], all.low[i], all.high[i]);
    drawn.best.push_back(all.best[i]);
    if (!all.reference[i].is_null()) compared.emplace(all.along[i].get<double>(), all.reference[i]);
  }
  for (const auto& [along, value] : compared) {
    add(reference, along, value, nullptr, nullptr);
    drawn.reference.push_back(value);
  }
  return drawn;
}

// One row's value, or both where two are compared in it.
void add_row(const Rows& rows, std::size_t i, const ResultPlot& plot, Drawn& drawn) {
  const auto add = [&](const std::string& group, const std::string& label, const std::string& who, double value,
                       const std::pair<std::optional<double>, std::optional<double>>& range) {
    drawn.group.push_back(group);
    drawn.label.push_back(label);
    drawn.along.push_back(json(rows.number(i, plot.along)));
    drawn.value.push_back(value);
    drawn.low.push_back(json(range.first));
    drawn.high.push_back(json(range.second));
    drawn.reference.push_back(json(plot.standard ? plot.standard : rows.number(i, plot.reference)));
    drawn.best.emplace_back(value, who);
  };
  const double value = *rows.number(i, plot.value);
  const std::string label = rows.named(i, plot.label);
  if (plot.against.empty()) return add("", label, label, value, rows.range(i, plot));
  const std::string other = rows.named(i, plot.against), both = fmt::format("{} against {}", label, other);
  if (plot.against_value.empty()) return add(both, in_words(plot.value), both, value, rows.range(i, plot));
  add(both, label, label, value, {});
  if (const auto second = rows.number(i, plot.against_value)) add(both, other, other, *second, {});
}

// The rows that a plot draws, those of one panel together, in the order of the results.
std::vector<std::pair<std::string, std::vector<std::size_t>>> panels_of(const Results& results, const Rows& rows,
                                                                        const ResultPlot& plot) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> panels;
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (!rows.number(i, plot.value) || (!plot.along.empty() && !rows.number(i, plot.along))) continue;
    std::vector<std::string> names;
    for (const std::string& column : plot.panels) names.push_back(rows.named(i, column));
    const std::string name = fmt::format("{}", fmt::join(names, ", "));
    auto panel = std::find_if(panels.begin(), panels.end(), [&](const auto& each) { return each.first == name; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), {name, {}});
    panel->second.push_back(i);
  }
  if (!plot.smallest) return panels;
  for (auto& [name, chosen] : panels) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
      return *rows.number(a, plot.value) < *rows.number(b, plot.value);
    });
    std::set<std::string> seen;
    std::erase_if(chosen, [&](std::size_t i) { return !seen.insert(rows.text(i, plot.label)).second; });
  }
  return panels;
}

bool any_in(const PageJson& column) {
  return std::any_of(column.begin(), column.end(), [](const PageJson& each) { return !each.is_null() && each != ""; });
}

void add_plot(const Results& results, const ResultPlot& plot, const std::string& id, Section& section) {
  const Rows rows(results);
  const std::string reference = plot.standard ? fmt::format("{:.3g}", *plot.standard) : in_words(plot.reference);
  std::size_t number = 0;
  for (const auto& [panel, chosen] : panels_of(results, rows, plot)) {
    Drawn drawn;
    for (const std::size_t i : chosen) add_row(rows, i, plot, drawn);
    const Drawn curves = plot.along.empty() ? Drawn() : curves_of(drawn, reference);
    const bool has_curves = !curves.label.empty();
    std::string caption;
    Figure figure{.id = fmt::format("{}-{}", id, ++number),
                  .kind = has_curves ? "lines" : "intervals",
                  .title = title_of(plot, panel),
                  .caption = {},
                  .columns = PageJson::object()};
    if (!has_curves) {
      if (any_in(drawn.group)) figure.columns["group"] = drawn.group;
      figure.columns["label"] = drawn.label;
      figure.columns["value"] = drawn.value;
      figure.options = {{"value_label", short_title(plot)},
                        {"band", "error"},
                        {"band_label", !plot.low.empty()     ? "smallest to largest"
                                       : plot.spread.empty() ? "95 % interval"
                                                             : "standard deviation"}};
      if (any_in(drawn.reference)) {
        figure.columns["reference"] = drawn.reference;
        figure.options["reference_label"] = plot.standard ? reference + ": " + plot.standard_words : reference;
        caption = below_reference(drawn, reference);
      }
      if (plot.smallest) caption += " Of each, the row with the smallest value: chosen by it, and so flattered.";
    } else {
      drawn = curves;
      figure.columns["series"] = drawn.label;
      figure.columns["x"] = drawn.along;
      figure.columns["y"] = drawn.value;
      figure.options = {
          {"x_label", plot.along}, {"y_label", short_title(plot)}, {"legend", true}, {"emphasis", "iCDA"}};
      if (any_in(drawn.reference)) figure.options["reference"] = reference;
    }
    if (any_in(drawn.low)) {
      figure.columns["low"] = drawn.low;
      figure.columns["high"] = drawn.high;
    }
    figure.caption = extremes(drawn) + caption;
    section.figures.push_back(std::move(figure));
  }
}

// "a note" -> "A note."
std::string sentence(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

Section pictures(const Results& results) {
  Section section{.id = "figures", .heading = "What came out"};
  for (std::size_t i = 0; i < results.plots.size(); ++i)
    add_plot(results, results.plots[i], fmt::format("figure-{}", i + 1), section);
  return section;
}

Section notes(const Results& results) {
  Section section{.id = "notes", .heading = "What was done, and what follows"};
  for (const std::string& note : results.notes) section.text.push_back(sentence(note));
  if (!results.listing.empty()) section.text.push_back(fmt::format("`{}`", results.listing));
  return section;
}

Section all_rows(const Results& results) {
  Section section{.id = "rows", .heading = "All rows", .folded = true};
  PageTable table{.caption = "", .heading = {}, .rows = {}};
  PageTable legend{.caption = "Columns", .heading = {"column", "meaning"}, .rows = {}};
  for (const ResultColumn& column : results.columns) {
    table.heading.push_back(column.name);
    if (!column.summary.empty()) legend.rows.push_back({column.name, column.summary});
  }
  for (const std::vector<Cell>& cells : results.rows) {
    table.rows.emplace_back();
    for (std::size_t j = 0; j < cells.size(); ++j)
      table.rows.back().push_back(shown_cell(cells[j], results.columns[j].decimals));
  }
  section.tables.push_back(std::move(table));
  if (!legend.rows.empty()) section.tables.push_back(std::move(legend));
  return section;
}

// "calibration:rows=300": the study with those of its options that are not its own.
std::string with_options(const Results& results) {
  std::vector<std::string> changed;
  for (const PartInfo& study : experiments().list())
    for (const OptionInfo& option : study.options) {
      const auto chosen = results.options.find(option.name);
      if (study.name == results.experiment && chosen != results.options.end() && chosen->second != option.value)
        changed.push_back(fmt::format("{}={}", option.name, chosen->second));
    }
  std::sort(changed.begin(), changed.end());
  return results.experiment + (changed.empty() ? "" : fmt::format(":{}", fmt::join(changed, ",")));
}

Section again(const Results& results) {
  Section section{.id = "again", .heading = "How to do it again"};
  const auto effort = results.options.find("effort");
  const bool usual = effort == results.options.end() || effort->second == "usual";
  section.text.push_back(fmt::format("`cda experiment {}{} --runs {} --seed {}`", shell_word(with_options(results)),
                                     usual ? "" : " --" + effort->second, results.runs, results.seed));
  PageTable options{.caption = "Everything in force", .heading = {"option", "value"}, .rows = {}};
  for (const auto& [name, value] : results.options) options.rows.push_back({name, value});
  section.tables.push_back(std::move(options));
  return section;
}

}  // namespace

std::string report_html(const Results& results) {
  Page page;
  page.title = results.title;
  page.subtitle = fmt::format("{}, seed {}, {} runs of a row at most.", results.experiment, results.seed, results.runs);
  for (Section& section : std::vector<Section>{pictures(results), notes(results), all_rows(results), again(results)})
    if (section.id != "figures" || !section.figures.empty()) page.sections.push_back(std::move(section));
  page.footer = fmt::format("cda {} · seed {}", version(), results.seed);
  return to_html(page);
}

}  // namespace cda
