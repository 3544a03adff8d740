// `cda describe`: what is in a table, before anything is done with it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cda/cda.hpp"
#include "cda/extend/format.hpp"
#include "cda/extend/summary.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "options.hpp"

namespace cda::command {
namespace {

struct DescribeRequest {
  std::string file;
  Reading reading;
};

// A column of which no more can be said than this.
struct Unread {
  std::string name;
  const char* kind;  // as in the JSON
  std::string why;
};

// Columns that hold text are found by trying; a file is then read once more for what their texts are, a pipe cannot be.
struct Description {
  RawTable numbers;
  std::vector<ColumnSummary> columns;
  std::vector<Unread> unread;
};

Description described(const ReadingPlan& plan) {
  ReadOptions options = plan.options;
  options.only_numeric = true;
  options.numbers_needed = false;
  Description description;
  description.numbers = read_columns(plan.files, options);
  RawTable& table = description.numbers;
  ReadOptions texts = plan.options;
  texts.only.clear();
  texts.exclude.clear();
  std::vector<std::string> left_out;
  const auto named = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  description.columns = summarise(table);
  if (plan.options.only_numeric) return description;
  for (const RawColumn& column : table.columns) {
    const bool wanted = !named(plan.options.exclude, column.name) &&
                        (plan.options.only.empty() || named(plan.options.only, column.name));
    if (column.use != RawColumn::Use::none || !wanted) continue;
    if (column.fault)
      description.unread.push_back({column.name, "other", "not read: " + column.fault->message()});
    else
      left_out.push_back(column.name);
  }
  // The remarks on them would say what the description shows.
  std::erase_if(table.warnings,
                [](const std::string& text) { return text.find(": left out column ") != std::string::npos; });
  if (left_out.empty()) return description;
  if (plan.files.front() == "-" || !same_file(plan.files.front(), plan.files.front())) {
    for (std::string& name : left_out)
      description.unread.push_back({std::move(name), "text", "text (its content is shown where the input is a file)"});
    return description;
  }
  for (const std::string& name : left_out) {
    texts.only.push_back(name);
    texts.encode.push_back({name});
  }
  for (ColumnSummary& summary : summarise(read_columns(plan.files, texts)))
    if (named(left_out, summary.name)) description.columns.push_back(std::move(summary));
  const auto place = [&](const std::string& name) {
    return std::find_if(table.columns.begin(), table.columns.end(), [&](auto& c) { return c.name == name; });
  };
  std::stable_sort(description.columns.begin(), description.columns.end(),
                   [&](auto& a, auto& b) { return place(a.name) < place(b.name); });
  return description;
}

std::string bars(const ColumnSummary& column) {
  static constexpr const char* heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const Index most = *std::max_element(column.histogram.begin(), column.histogram.end());
  std::string text;
  for (const Index count : column.histogram) text += heights[most == 0 ? 0 : (count * 8 + most - 1) / most];
  return text;
}

std::string remark(const ColumnSummary& column, Index rows) {
  if (column.missing == rows) return "all missing";
  if (column.distinct == 1) return "constant";
  if (!column.text && column.distinct <= 8) return fmt::format("{} values only", column.distinct);
  return "";
}

std::string frequent(const ColumnSummary& column) {
  std::vector<std::string> parts;
  for (const auto& [text, count] : column.categories) parts.push_back(fmt::format("{} ({})", shown(text, 20), count));
  std::string list = fmt::format("{}", fmt::join(parts, ", "));
  return column.distinct > static_cast<Index>(parts.size()) ? list + ", ..." : list;
}

std::string text_of(const Description& description, const std::string& file, bool colour) {
  const RawTable& table = description.numbers;
  Index missing = 0, texts = 0;
  for (const ColumnSummary& column : description.columns) {
    missing += column.missing;
    texts += column.text ? 1 : 0;
  }
  for (const Unread& column : description.unread) texts += std::string_view(column.kind) == "text" ? 1 : 0;
  const Index columns = static_cast<Index>(description.columns.size() + description.unread.size());
  const auto numbers = std::count_if(description.columns.begin(), description.columns.end(),
                                     [](const ColumnSummary& column) { return !column.text; });
  std::string text =
      fmt::format("{}  {}, {} rows, {} columns ({} of numbers, {} of text), {} missing cell{}{}\n\n",
                  bold(shown(file, 200), colour), table.format, table.rows, columns, numbers, texts, missing,
                  missing == 1 ? "" : "s", description.unread.empty() ? "" : " in columns that were read");
  std::vector<std::vector<std::string>> rows = {
      {"column", "missing", "distinct", "lowest", "median", "mean", "highest", "sd", "distribution", ""}};
  const auto number = [](double value) { return fmt::format("{:.5g}", value); };
  std::vector<std::string> words;
  for (const ColumnSummary& column : description.columns) {
    if (column.text) {
      words.push_back(fmt::format("  {}: text, {} missing, {} different: {}\n", shown(column.name), column.missing,
                                  column.distinct, frequent(column)));
      continue;
    }
    if (column.missing == table.rows)
      rows.push_back({shown(column.name), fmt::format("{}", column.missing), "0", "", "", "", "", "", "",
                      remark(column, table.rows)});
    else
      rows.push_back({shown(column.name), fmt::format("{}", column.missing), fmt::format("{}", column.distinct),
                      number(column.lowest), number(column.median), number(column.mean), number(column.highest),
                      number(column.deviation), bars(column), remark(column, table.rows)});
  }
  if (rows.size() > 1) text += text_table(rows, "  ");
  if (!words.empty() && rows.size() > 1) text += "\n";
  for (const std::string& line : words) text += line;
  for (const Unread& column : description.unread) text += fmt::format("  {}: {}\n", shown(column.name), column.why);
  return text;
}

Json json_of(const Description& description, const std::vector<std::string>& warnings) {
  Json columns = Json::array();
  for (const ColumnSummary& column : description.columns) {
    Json json{{"name", column.name},
              {"kind", column.text ? "text" : "number"},
              {"missing", column.missing},
              {"distinct", column.distinct},
              {"constant", column.distinct == 1}};
    if (column.text) {
      for (const auto& [text, count] : column.categories)
        json["frequent"].push_back({{"text", text}, {"count", count}});
    } else if (column.distinct > 0) {
      json["min"] = column.lowest;
      json["median"] = column.median;
      json["mean"] = column.mean;
      json["max"] = column.highest;
      json["sd"] = column.deviation;
      json["histogram"] = column.histogram;
    }
    columns.push_back(std::move(json));
  }
  for (const Unread& column : description.unread)
    columns.push_back({{"name", column.name}, {"kind", column.kind}, {"remark", column.why}});
  return {{"file", description.numbers.file},
          {"format", description.numbers.format},
          {"rows", description.numbers.rows},
          {"columns", std::move(columns)},
          {"warnings", warnings}};
}

void describe(const DescribeRequest& request, Session& session) {
  const ReadingPlan plan = reading_plan(request.file, request.reading);
  check_standard_output();
  const Description description = described(plan);
  for (const std::string& warning : description.numbers.warnings) session.warn(warning);
  session.refuse_warnings();
  stop_if_asked();
  print(session.json ? document(json_of(description, session.warnings))
                     : text_of(description, request.file, colours(STDOUT_FILENO)));
}

}  // namespace

Action add_describe(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("describe",
                                         "What is in a table: kinds, missing cells, ranges, distributions\n\n"
                                         "Examples:\n"
                                         "  cda describe X.csv\n"
                                         "  cda describe measurements.h5ad --variable obs\n"
                                         "  cda describe table.csv.gz --na -999 --json\n");
  auto request = std::make_shared<DescribeRequest>();
  command->add_option("FILE", request->file, "a table in any format of `cda list formats` (-: standard input)")
      ->type_name("FILE")
      ->required();
  add_session_options(*command, session);
  add_reading_options(*command, request->reading, false);
  return [request](Session& current) { describe(*request, current); };
}

}  // namespace cda::command
