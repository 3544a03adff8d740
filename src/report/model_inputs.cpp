// What went in: every column of both tables, and what was done with it.
#include <fmt/format.h>

#include <map>
#include <set>

#include "report/model_figures.hpp"
#include "report/model_words.hpp"

namespace cda {
namespace {

void add_inputs(const Model& model, Side side, Section& section) {
  constexpr std::size_t most = 200;
  const bool is_x = side == Side::x;
  const TableSummary& table = is_x ? model.x : model.y;
  const TableOverview& overview = is_x ? model.summary->x : model.summary->y;
  const PreparedColumns& preparation = is_x ? model.x_preparation : model.y_preparation;
  const std::set<Index> kept(preparation.kept().begin(), preparation.kept().end());
  std::map<std::string, Index> position;
  for (std::size_t j = 0; j < table.columns.size(); ++j) position[table.columns[j]] = static_cast<Index>(j);
  PageJson names = PageJson::array(), missing = names, distinct = names, lowest = names, median = names, mean = names,
           highest = names, deviation = names, histogram = names, notes = names;
  Index left_out = 0, cells = 0;
  for (const ColumnSummary& column : overview.columns) {
    std::string note;
    const auto found = position.find(column.name);
    if (found == position.end())
      note = "dropped: missing cells";
    else if (kept.count(found->second) == 0)
      note = column.distinct <= 1 ? "set aside: constant" : "set aside: few values";
    else if (column.distinct <= 8)
      note = "few values";
    left_out += note.empty() || note == "few values" ? 0 : 1;
    cells += column.missing;
    if (names.size() == most) continue;
    names.push_back(column.name);
    missing.push_back(column.missing);
    distinct.push_back(column.distinct);
    lowest.push_back(column.lowest);
    median.push_back(column.median);
    mean.push_back(column.mean);
    highest.push_back(column.highest);
    deviation.push_back(column.deviation);
    histogram.push_back(column.histogram);
    notes.push_back(note);
  }
  const char* letter = is_x ? "X" : "Y";
  std::vector<std::string> steps;
  for (const PreparedColumns::Step& step : preparation.steps()) steps.push_back(step.spec.to_string());
  std::string caption = fmt::format(
      "{}: {}, {}, {} missing; {} set aside or dropped; prepared by {}.", table_name(model, side),
      counted(table.rows, "row"), counted(static_cast<Index>(overview.columns.size()), "column"),
      counted(cells, "cell"), left_out, steps.empty() ? "nothing" : fmt::format("{}", fmt::join(steps, ", then ")));
  for (const std::string& remark : overview.remarks) caption += " " + remark + ".";
  if (overview.columns.size() > most) caption += fmt::format(" The first {} columns are shown.", most);
  section.figures.push_back({fmt::format("columns-{}", letter),
                             "columns",
                             fmt::format("table {}", letter),
                             std::move(caption),
                             {{"column", names},
                              {"missing", missing},
                              {"distinct", distinct},
                              {"lowest", lowest},
                              {"median", median},
                              {"mean", mean},
                              {"highest", highest},
                              {"sd", deviation},
                              {"histogram", histogram},
                              {"note", notes}}});
}

}  // namespace

Section input_section(const Model& model) {
  Section section{.id = "inputs", .heading = "What went in"};
  if (!model.summary) return section;
  add_inputs(model, Side::x, section);
  add_inputs(model, Side::y, section);
  return section;
}

}  // namespace cda
