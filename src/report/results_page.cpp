// The page of a study: pictures first, then what was done, and all rows.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "cda/report.hpp"
#include "cda/version.hpp"
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
  std::optional<double> number(std::size_t row, const std::string& column) const {
    return column.empty() ? std::nullopt : number_in(at(row, column));
  }
  // low and high of the value: of a share its interval, else a standard deviation to both sides.
  std::pair<std::optional<double>, std::optional<double>> range(std::size_t row, const ResultPlot& plot) const {
    if (const auto* share = std::get_if<Share>(&at(row, plot.value)); share != nullptr && share->value())
      return share->interval();
    const auto value = number(row, plot.value), spread = number(row, plot.spread);
    if (!value || !spread) return {};
    return {*value - *spread, *value + *spread};
  }

 private:
  const Results& results_;
  std::map<std::string, std::size_t> position_;
};

std::string in_words(std::string column) {
  std::replace(column.begin(), column.end(), '_', ' ');
  return column;
}

struct Drawn {
  PageJson label = PageJson::array(), along = label, value = label, low = label, high = label, reference = label;
  std::vector<std::pair<double, std::string>> best;  // value and who has it
};

// "iCDA has the largest value, 1.00; ..." said without judging which end is good.
std::string extremes(const Drawn& drawn) {
  if (drawn.best.empty()) return "No row has a value.";
  const auto [least, most] = std::minmax_element(drawn.best.begin(), drawn.best.end());
  if (least->second == most->second)
    return fmt::format("{}: {:.3g} to {:.3g}.", most->second, least->first, most->first);
  return fmt::format("Smallest: {} ({:.3g}). Largest: {} ({:.3g}).", least->second, least->first, most->second,
                     most->first);
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
  for (const auto& [along, value] : compared) add(in_words(reference), along, value, nullptr, nullptr);
  return drawn;
}

void add_plot(const Results& results, const ResultPlot& plot, const std::string& id, Section& section) {
  const Rows rows(results);
  std::vector<std::string> order;
  std::map<std::string, Drawn> panels;
  bool ranges = false, references = false;
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const auto value = rows.number(i, plot.value);
    const auto along = rows.number(i, plot.along);
    if (!value || (!plot.along.empty() && !along)) continue;
    std::vector<std::string> names;
    for (const std::string& column : plot.panels)
      names.push_back(rows.number(i, column) ? fmt::format("{} = {}", column, rows.text(i, column))
                                             : rows.text(i, column));
    const std::string panel = fmt::format("{}", fmt::join(names, ", "));
    if (panels.count(panel) == 0) order.push_back(panel);
    Drawn& drawn = panels[panel];
    const std::string label = rows.text(i, plot.label);
    drawn.label.push_back(label);
    drawn.along.push_back(json(along));
    drawn.value.push_back(*value);
    const auto [low, high] = rows.range(i, plot);
    drawn.low.push_back(json(low));
    drawn.high.push_back(json(high));
    ranges = ranges || low.has_value();
    const auto reference = rows.number(i, plot.reference);
    drawn.reference.push_back(json(reference));
    references = references || reference.has_value();
    drawn.best.emplace_back(*value, label);
  }
  const bool curves = !plot.along.empty();
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (curves) panels[order[p]] = curves_of(panels[order[p]], plot.reference);
    const Drawn& drawn = panels[order[p]];
    PageJson columns{{curves ? "series" : "label", drawn.label}};
    if (curves) columns["x"] = drawn.along;
    columns[curves ? "y" : "value"] = drawn.value;
    if (ranges) {
      columns["low"] = drawn.low;
      columns["high"] = drawn.high;
    }
    PageJson options{{"value_label", plot.title},
                     {"band", "error"},
                     {"band_label", plot.spread.empty() ? "95 % interval" : "standard deviation"}};
    if (curves) options = {{"x_label", plot.along}, {"y_label", plot.title}, {"legend", true}, {"emphasis", "iCDA"}};
    if (references && !curves) {
      columns["reference"] = drawn.reference;
      options["reference_label"] = in_words(plot.reference);
    }
    section.figures.push_back({fmt::format("{}-{}", id, p + 1), curves ? "lines" : "intervals",
                               order[p].empty() ? plot.title : fmt::format("{}: {}", order[p], plot.title),
                               extremes(drawn), std::move(columns), std::move(options)});
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

Section again(const Results& results) {
  Section section{.id = "again", .heading = "How to do it again"};
  const auto effort = results.options.find("effort");
  const bool usual = effort == results.options.end() || effort->second == "usual";
  section.text.push_back(fmt::format("`cda experiment {}{} --runs {} --seed {}`", results.experiment,
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
