#include "match_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "json.hpp"

namespace cda::command {
namespace {

const std::string& name_of(const Table& table, Index column) { return table.names[static_cast<std::size_t>(column)]; }

std::string how_many(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json runner_up_json(const Table& table, const std::optional<RunnerUp>& other) {
  if (!other) return nullptr;
  return {{"column", name_of(table, other->column)}, {"similarity", other->similarity}, {"margin", other->margin}};
}

Json match_object(const MatchFindings& findings, const ColumnMatch& match) {
  Json object;
  object["x"] = name_of(findings.x, match.x);
  object["y"] = name_of(findings.y, match.y);
  object["sign"] = match.sign;
  object["sign_frequency"] = match.sign_frequency;
  object["similarity"] = match.similarity;
  object["sampling"] = match.sampling;
  object["runner_up"] = {{"y", runner_up_json(findings.y, match.other_y)},
                         {"x", runner_up_json(findings.x, match.other_x)}};
  object["margin"] = or_null(match.margin());
  object["frequency"] = match.frequency;
  object["as_similar"] = or_null(match.as_similar);
  object["verdict"] = to_string(match.verdict);
  object["notes"] = match.notes;
  return object;
}

Json unmatched_json(const Table& table, const Table& other, const std::vector<UnmatchedColumn>& columns) {
  Json list = Json::array();
  for (const UnmatchedColumn& column : columns) {
    Json object = {{"column", name_of(table, column.column)}, {"reason", column.reason}};
    object["nearest"] = column.nearest ? Json(name_of(other, column.nearest->column)) : Json(nullptr);
    object["similarity"] = column.nearest ? Json(column.nearest->similarity) : Json(nullptr);
    list.push_back(std::move(object));
  }
  return list;
}

std::string table_described(const std::string& name, const Table& table) {
  return fmt::format("{} ({}, {})", shown(name, 60), how_many(table.rows(), "row"),
                     how_many(table.columns(), "column"));
}

// The runner-up that comes nearer to breaking up the match, with its side.
std::string runner_up_text(const MatchFindings& findings, const ColumnMatch& match) {
  const bool of_y = match.other_y && (!match.other_x || match.other_y->margin <= match.other_x->margin);
  if (of_y) return "Y " + shown(name_of(findings.y, match.other_y->column), 30);
  return match.other_x ? "X " + shown(name_of(findings.x, match.other_x->column), 30) : "-";
}

std::string sign_text(const ColumnMatch& match) { return !match.sign_determined() ? "?" : match.sign < 0 ? "-" : "+"; }

// A match as a block of its own, where a window is too narrow for the table.
std::string match_block(const std::vector<std::string>& header, const std::vector<std::string>& row,
                        std::size_t width) {
  std::vector<std::string> figures;
  for (std::size_t i = 2; i < row.size(); ++i)
    figures.push_back(header[i] == "verdict" ? row[i] : fmt::format("{} {}", header[i], row[i]));
  return wrapped(fmt::format("{} ~ {}", row[0], row[1]), width, "  ") + flowed(figures, width, "    ");
}

std::string match_table(const MatchFindings& findings, const MatchTextOptions& options) {
  std::vector<std::string> header = {"X", "Y", "sign", "similarity", "runner-up", "margin", "frequency", "verdict"};
  if (options.verbose) header.insert(header.end(), {"sampling", "as similar"});
  std::vector<std::vector<std::string>> rows = {header};
  for (const ColumnMatch& match : findings.found.matches) {
    const std::optional<double> margin = match.margin();
    std::vector<std::string> row = {shown(name_of(findings.x, match.x)),
                                    shown(name_of(findings.y, match.y)),
                                    sign_text(match),
                                    fmt::format("{:.4f}", match.similarity),
                                    runner_up_text(findings, match),
                                    margin ? fmt::format("{:.2g}", *margin) : "-",
                                    fmt::format("{:.2f}", match.frequency),
                                    to_string(match.verdict)};
    if (options.verbose) {
      row.push_back(fmt::format("{:.2g}", match.sampling));
      row.push_back(match.as_similar ? fmt::format("{:.2g}", *match.as_similar) : "-");
    }
    rows.push_back(std::move(row));
  }
  const std::string table = text_table(rows, "  ");
  if (!options.page.terminal || widest_line(table) <= options.page.width) return table;
  std::string blocks;
  for (std::size_t i = 1; i < rows.size(); ++i) blocks += match_block(header, rows[i], options.page.width);
  return blocks;
}

std::string notes_text(const MatchFindings& findings, std::size_t width) {
  std::string text;
  for (const ColumnMatch& match : findings.found.matches)
    for (const std::string& note : match.notes)
      text += wrapped(fmt::format("{} ~ {}: {}", shown(name_of(findings.x, match.x)),
                                  shown(name_of(findings.y, match.y)), shown(note, 200)),
                      width, "  ", "  ");
  return text.empty() ? text : "\nNotes\n" + text;
}

std::string unmatched_text(const char* side, const Table& table, const Table& other,
                           const std::vector<UnmatchedColumn>& columns, std::size_t width) {
  std::string text;
  for (const UnmatchedColumn& column : columns) {
    std::string line = fmt::format("{} {}: {}", side, shown(name_of(table, column.column)), column.reason);
    if (column.nearest)
      line += fmt::format(", most like {} ({:.4f})", shown(name_of(other, column.nearest->column)),
                          column.nearest->similarity);
    text += wrapped(line, width, "  ", "  ");
  }
  return text;
}

}  // namespace

std::string match_json(const MatchFindings& findings, const std::vector<std::string>& warnings) {
  Json object;
  object["units"] = to_string(findings.options.units);
  object["seed"] = findings.options.seed;
  object["bootstrap"] = findings.options.bootstrap;
  object["x"] = {{"rows", findings.x.rows()}, {"columns", findings.x.names}};
  object["y"] = {{"rows", findings.y.rows()}, {"columns", findings.y.names}};
  object["matches"] = Json::array();
  for (const ColumnMatch& match : findings.found.matches) object["matches"].push_back(match_object(findings, match));
  object["unmatched_x"] = unmatched_json(findings.x, findings.y, findings.found.unmatched_x);
  object["unmatched_y"] = unmatched_json(findings.y, findings.x, findings.found.unmatched_y);
  object["warnings"] = warnings;
  return document(object);
}

std::string match_csv(const MatchFindings& findings, bool excel_safe) {
  const auto text = [&](const std::string& name) { return csv_field(excel_safe ? spreadsheet_safe(name) : name); };
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  const auto margin_of = [](const std::optional<RunnerUp>& other) {
    return other ? std::optional(other->margin) : std::nullopt;
  };
  const auto column_of = [&](const Table& table, const std::optional<RunnerUp>& other) {
    return other ? text(name_of(table, other->column)) : std::string();
  };
  std::string csv =
      "x,y,sign,sign_frequency,similarity,sampling,runner_up_y,margin_y,runner_up_x,margin_x,frequency,as_similar,"
      "verdict,notes\n";
  for (const ColumnMatch& match : findings.found.matches) {
    const std::vector<std::string> fields = {text(name_of(findings.x, match.x)),
                                             text(name_of(findings.y, match.y)),
                                             fmt::format("{}", match.sign),
                                             number(match.sign_frequency),
                                             number(match.similarity),
                                             number(match.sampling),
                                             column_of(findings.y, match.other_y),
                                             number(margin_of(match.other_y)),
                                             column_of(findings.x, match.other_x),
                                             number(margin_of(match.other_x)),
                                             number(match.frequency),
                                             number(match.as_similar),
                                             to_string(match.verdict),
                                             text(fmt::format("{}", fmt::join(match.notes, "; ")))};
    csv += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return csv;
}

std::string match_text(const MatchFindings& findings, const MatchTextOptions& options) {
  const auto& matches = findings.found.matches;
  const auto clear = std::count_if(matches.begin(), matches.end(),
                                   [](const ColumnMatch& match) { return match.verdict == MatchVerdict::clear; });
  // Off a terminal the table is as wide as it is, and so are the lines below it.
  const std::size_t width = options.page.terminal ? options.page.width : 200;
  const std::size_t words = std::min<std::size_t>(options.page.width, 88);
  std::string text = fmt::format(
      "{} by shape, {} of them clear, between\n",
      bold(fmt::format("{} match{}", matches.size(), matches.size() == 1 ? "" : "es"), options.page.colour), clear);
  text += wrapped("X  " + table_described(options.x_name, findings.x), width, "  ", "   ");
  text += wrapped("Y  " + table_described(options.y_name, findings.y), width, "  ", "   ") + "\n";
  text += wrapped(
              "Columns are compared by their distributions alone: alike does not mean the same thing. Margin: how much "
              "less similar the runner-up is. Frequency: share of resamples with this match. A ? for a sign: nearly "
              "symmetric, both ways round fit (docs/match.md explains all).",
              words) +
          "\n";
  text += match_table(findings, options);
  if (options.verbose) text += notes_text(findings, width);
  const std::string unmatched = unmatched_text("X", findings.x, findings.y, findings.found.unmatched_x, width) +
                                unmatched_text("Y", findings.y, findings.x, findings.found.unmatched_y, width);
  if (!unmatched.empty()) text += "\nWithout a partner\n" + unmatched;
  return text;
}

}  // namespace cda::command
