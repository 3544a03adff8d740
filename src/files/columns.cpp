#include "files/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/utf8.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/files.hpp"
#include "files/number.hpp"

namespace cda {
namespace {

using Use = RawColumn::Use;

constexpr std::size_t longest_name = 4096;  // bytes
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check_name(const std::string& name, const Place& place) {
  if (!valid_utf8(name))
    throw Error(Fault::input, "text.encoding", "the column name " + in_quotes(name) + " is not UTF-8",
                place.line > 0 ? "--encoding latin1, if the file was written on an older system" : "write it as UTF-8",
                place);
  if (name.size() > longest_name)
    throw Error(Fault::input, "columns.name-too-long",
                fmt::format("a column name of {} bytes is too long", name.size()), "is this the line of column names?",
                place);
}

// a, a, a -> a, a_2, a_3, keeping clear of names that are there already.
void make_unique(std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> used;
  std::unordered_map<std::string, long> next;
  for (std::string& name : names) {
    if (used.insert(name).second) continue;
    long& suffix = next.try_emplace(name, 2).first->second;
    std::string other;
    do other = fmt::format("{}_{}", name, suffix++);
    while (!taken.insert(other).second);
    name = other;
    used.insert(name);
  }
}

std::size_t find_column(const std::vector<std::string>& names, const std::string& wanted, const std::string& file) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> known(names.begin(),
                                       names.begin() + static_cast<long>(std::min<std::size_t>(names.size(), 1000)));
  std::vector<std::string> near = nearest_names(wanted, known);
  const bool close = !near.empty();
  if (!close) near.assign(known.begin(), known.begin() + static_cast<long>(std::min<std::size_t>(known.size(), 12)));
  for (std::string& candidate : near) candidate = in_quotes(candidate);
  throw Error(Fault::usage, "columns.unknown", fmt::format("there is no column named {}", in_quotes(wanted)),
              close ? fmt::format("did you mean {}?", fmt::join(near, " or "))
                    : fmt::format("it has {}{}", fmt::join(near, ", "), known.size() > near.size() ? ", ..." : ""),
              {.file = file});
}

void leave_out_unknown(std::vector<Use>& uses, const std::vector<std::string>& names, const ReadOptions& options,
                       const std::string& file, std::vector<std::string>& warnings) {
  const std::unordered_set<std::string> known(options.known.begin(), options.known.end());
  constexpr std::size_t shown = 10;
  std::vector<std::string> others;
  std::size_t count = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (uses[j] != Use::values || known.count(names[j]) != 0) continue;
    uses[j] = Use::none;
    if (++count <= shown) others.push_back(in_quotes(names[j]));
  }
  if (count > 0)
    warnings.push_back(fmt::format("{}: ignored {} the model does not know: {}{}", file,
                                   count == 1 ? "a column" : fmt::format("{} columns", count), fmt::join(others, ", "),
                                   count > shown ? ", ..." : ""));
}

std::string number_text(double value) {
  if (std::isnan(value)) return "";
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, written.ptr};
}

// Columns of numbers can name rows and be categories too: as they would be written.
std::vector<std::string> texts_of(RawColumn& column, const Matrix& numbers, const std::string& file) {
  if (column.numbers < 0) {
    const auto wrong = std::find_if_not(column.texts.begin(), column.texts.end(), valid_utf8);
    if (wrong != column.texts.end())
      throw Error(Fault::input, "text.encoding",
                  fmt::format("the text {} in column {} is not UTF-8", in_quotes(*wrong), in_quotes(column.name)),
                  "write text as UTF-8", {.file = file});
    return std::move(column.texts);
  }
  std::vector<std::string> texts;
  texts.reserve(at(numbers.rows()));
  for (const double value : numbers.col(column.numbers)) texts.push_back(number_text(value));
  return texts;
}

[[noreturn]] void refuse_unreadable(const RawColumn& column) {
  const Error& fault = *column.fault;
  const std::string leave_out = fmt::format("--exclude {} leaves it out", typed(column.name));
  throw Error(fault.fault(), fault.code(), fault.message(),
              fault.hint().empty() ? leave_out : fmt::format("{}; {}", fault.hint(), leave_out), fault.place());
}

// Cells that stand for missing ones by --na or by custom, which only formats of text see to themselves: -999 among the
// numbers, NA among the categories.
void take_out_missing(RawTable& table, const ReadOptions& options) {
  const std::vector<double> numbers = missing_numbers(options);
  const auto means_missing = [&](const std::string& text) {
    return usual_missing_token(text) || std::find(options.missing_tokens.begin(), options.missing_tokens.end(), text) !=
                                            options.missing_tokens.end();
  };
  for (RawColumn& column : table.columns) {
    if (column.use != Use::values && column.use != Use::encode) continue;
    for (std::string& text : column.texts)
      if (means_missing(text)) text.clear();
    if (column.numbers < 0 || numbers.empty()) continue;
    for (double& value : table.numbers.col(column.numbers))
      if (std::find(numbers.begin(), numbers.end(), value) != numbers.end()) value = missing;
  }
}

// Of columns whose values are used.
void refuse_infinite(const RawTable& table) {
  for (const RawColumn& column : table.columns) {
    if (column.numbers < 0 || column.use != Use::values) continue;
    for (Index i = 0; i < table.rows; ++i)
      if (std::isinf(table.numbers(i, column.numbers)))
        throw Error(Fault::input, "table.infinite",
                    fmt::format("row {} of column {} is infinite", i + 1, in_quotes(column.name)),
                    "infinity is not a measurement: write NaN for what is missing", {.file = table.file});
  }
}

// Where the file itself says which column names the rows, and nothing else is asked of it, that is its index column.
ReadOptions with_own_index(const RawTable& table, const std::vector<std::string>& names, ReadOptions options) {
  if (!options.index_column.empty() || !options.only.empty()) return options;
  std::set<std::string> asked(options.exclude.begin(), options.exclude.end());
  asked.insert(options.known.begin(), options.known.end());
  for (const Encoding& encoding : options.encode) asked.insert(encoding.column);
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!table.columns[j].names_rows || asked.count(names[j]) != 0) continue;
    options.index_column = names[j];
    return options;
  }
  return options;
}

// The 0 and 1 of one column of text, rows x categories; a missing or unknown category gives a row of missing cells.
Matrix indicators(const std::vector<std::string>& texts, Encoding& encoding, const std::string& file,
                  std::vector<std::string>& warnings) {
  const bool given = !encoding.categories.empty();
  constexpr std::size_t most = 1000;
  if (!given) {
    const std::set<std::string> distinct(texts.begin(), texts.end());
    for (const std::string& text : distinct)
      if (!text.empty()) encoding.categories.push_back(text);
    if (encoding.categories.size() > most)
      throw Error(Fault::input, "columns.categories",
                  fmt::format("column {} has {} different texts, too many to encode", in_quotes(encoding.column),
                              encoding.categories.size()),
                  fmt::format("--exclude it; at most {} categories are encoded", most), {.file = file});
    if (encoding.categories.empty())  // an encoding without categories would learn them from other rows later
      throw Error(Fault::input, "columns.categories",
                  fmt::format("column {} holds no text to encode", in_quotes(encoding.column)),
                  "all its cells are missing: --exclude it", {.file = file});
  }
  std::unordered_map<std::string, Index> number;
  for (std::size_t c = 0; c < encoding.categories.size(); ++c)
    number.emplace(encoding.categories[c], static_cast<Index>(c));
  Matrix values = Matrix::Zero(static_cast<Index>(texts.size()), static_cast<Index>(encoding.categories.size()));
  Index unknown = 0;
  std::string first_unknown;
  for (Index i = 0; i < values.rows(); ++i) {
    const auto category = number.find(texts[at(i)]);
    if (category != number.end()) {
      values(i, category->second) = 1.0;
      continue;
    }
    values.row(i).setConstant(missing);
    if (!texts[at(i)].empty() && ++unknown == 1) first_unknown = texts[at(i)];
  }
  if (unknown > 0)
    warnings.push_back(fmt::format(
        "{}: column {}: {} {} not among the categories of the model and {} missing there (the "
        "first is {})",
        file, in_quotes(encoding.column), unknown == 1 ? "one text in 1 row" : fmt::format("texts in {} rows", unknown),
        unknown == 1 ? "is" : "are", unknown == 1 ? "counts as" : "count as", in_quotes(first_unknown)));
  return values;
}

}  // namespace

std::string typed(const std::string& name) {
  constexpr std::size_t longest = 80;
  const bool shown_as_it_is = in_quotes(name, longest) == '"' + name + '"';
  if (name.empty() || !shown_as_it_is || name.find('\'') != std::string::npos) return "NAME";
  return name.find_first_of(" $`!*?&;|<>()[]{}#~") == std::string::npos ? name : "'" + name + "'";
}

bool usual_missing_token(std::string_view text) {
  for (const char* token : {"NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "Null", "."})
    if (text == token) return true;
  return text.empty();
}

std::vector<double> missing_numbers(const ReadOptions& options) {
  std::vector<double> numbers;
  for (const std::string& token : options.missing_tokens) {
    double value = 0.0;
    if (parse_number(token, {options.decimal, options.thousands}, value) != NumberKind::number) continue;
    numbers.push_back(value);
    numbers.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return numbers;
}

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t j = 1; j <= count; ++j) names.push_back(fmt::format("col_{}", j));
  return names;
}

void settle_names(std::vector<std::string>& names, const ReadOptions& options, Place place,
                  std::vector<std::string>& warnings) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    place.column = static_cast<long>(j + 1);
    check_name(names[j], place);
    if (!names[j].empty()) continue;
    names[j] = fmt::format("col_{}", j + 1);
    warnings.push_back(fmt::format("{}: column {} has no name and is called {}", place.file, j + 1, names[j]));
  }
  if (options.dedupe_names) make_unique(names);
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto [earlier, is_new] = seen.try_emplace(names[j], j);
    if (is_new) continue;
    place.column = static_cast<long>(j + 1);
    throw Error(Fault::input, "columns.duplicate-name",
                fmt::format("columns {} and {} are both named {}", earlier->second + 1, j + 1, in_quotes(names[j])),
                "--dedupe-names", place);
  }
}

std::vector<Use> column_uses(const std::vector<std::string>& names, const ReadOptions& options, const std::string& file,
                             std::vector<std::string>& warnings) {
  if (names.empty()) throw Error(Fault::input, "table.no-columns", "the table has no columns", "", {.file = file});
  std::vector<Use> uses(names.size(), options.only.empty() ? Use::values : Use::none);
  for (const std::string& name : options.only) uses[find_column(names, name, file)] = Use::values;
  for (const std::string& name : options.exclude) uses[find_column(names, name, file)] = Use::none;
  for (const Encoding& encoding : options.encode) {
    const bool there = std::find(names.begin(), names.end(), encoding.column) != names.end();
    if (there || options.known.empty()) uses[find_column(names, encoding.column, file)] = Use::encode;
  }
  if (!options.index_column.empty()) {
    Use& use = uses[find_column(names, options.index_column, file)];
    if (use == Use::encode)
      throw Error(Fault::usage, "columns.uses",
                  fmt::format("column {} cannot both name the rows and be encoded", in_quotes(options.index_column)),
                  "leave it out of --encode or of --index-column", {.file = file});
    use = Use::index;
  }
  if (!options.known.empty()) leave_out_unknown(uses, names, options, file, warnings);
  const auto counts = [](Use use) { return use == Use::values || use == Use::encode; };
  if (std::none_of(uses.begin(), uses.end(), counts) && options.known.empty())
    throw Error(Fault::usage, "columns.none-left", "no column is left to read",
                "check --only, --exclude, --index-column", {.file = file});
  return uses;
}

void refuse_text_columns(const std::vector<TextColumn>& columns, bool first_names_rows, const ReadOptions& options) {
  constexpr std::size_t shown = 12;
  std::vector<std::string> names, plain;
  bool safe = true;  // names that can be typed after --exclude as they are, with commas between them
  for (std::size_t i = 0; i < std::min(shown, columns.size()); ++i) {
    const std::string& name = columns[i].name;
    names.push_back(in_quotes(name));
    plain.push_back(name);
    safe = safe && typed(name) == name && name.size() <= 40 && name.find(',') == std::string::npos;
  }
  std::string list = fmt::format("{}", fmt::join(names, ", "));
  if (columns.size() > shown) list += fmt::format(" and {} more", columns.size() - shown);
  const TextColumn& first = columns.front();
  const std::string message =
      columns.size() == 1
          ? fmt::format("column {} holds text, no numbers (the first is {})", list, in_quotes(first.first))
          : fmt::format("{} columns hold text, no numbers: {}", columns.size(), list);
  if (!options.known.empty())  // by the model, which takes numbers from them
    throw Error(Fault::input, "columns.text", message, "--na TOKEN, if that text means missing", first.place);
  std::string hint = safe && columns.size() <= shown
                         ? fmt::format("--exclude {} or --only-numeric", fmt::join(plain, ","))
                         : std::string("--only-numeric");
  if (first_names_rows && options.index_column.empty())
    hint += fmt::format("; if {} names the rows: --index-column {}", names.front(), safe ? plain.front() : "NAME");
  throw Error(Fault::input, "columns.text", message, hint, first.place);
}

void choose_columns(RawTable& table, const ReadOptions& options) {
  if (table.chosen) return;
  table.chosen = true;
  if (table.rows == 0) throw Error(Fault::input, "table.no-rows", "there are no data rows", "", {.file = table.file});
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) names.push_back(column.name);
  settle_names(names, options, {.file = table.file}, table.warnings);
  const std::vector<Use> uses = column_uses(names, with_own_index(table, names, options), table.file, table.warnings);
  std::vector<TextColumn> texts;
  bool first_names_rows = false;
  Index values = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    RawColumn& column = table.columns[j];
    column.name = names[j];
    column.use = uses[j];
    if (column.names_rows && column.use == Use::values && options.only.empty()) column.use = Use::none;
    if (column.fault && column.use != Use::none) {
      if (!options.only_numeric || column.use != Use::values) refuse_unreadable(column);
      table.warnings.push_back(
          fmt::format("{}: left out column {}: {}", table.file, in_quotes(column.name), column.fault->message()));
      column.use = Use::none;
    }
    if (column.use == Use::encode || (column.use == Use::values && column.numbers >= 0)) ++values;
    if (column.use != Use::values || column.numbers >= 0) continue;
    const auto first = std::find_if(column.texts.begin(), column.texts.end(), [](auto& text) { return !text.empty(); });
    const std::string example = first == column.texts.end() ? "" : *first;
    if (options.only_numeric) {
      table.warnings.push_back(fmt::format("{}: left out column {}: it holds text (the first is {})", table.file,
                                           in_quotes(column.name), in_quotes(example)));
      column.use = Use::none;
      continue;
    }
    if (j == 0)
      first_names_rows =
          std::unordered_set<std::string_view>(column.texts.begin(), column.texts.end()).size() == column.texts.size();
    texts.push_back({column.name, example, {.file = table.file, .column = static_cast<long>(j + 1)}});
  }
  if (!texts.empty()) refuse_text_columns(texts, first_names_rows, options);
  take_out_missing(table, options);
  refuse_infinite(table);
  if (values == 0 && options.numbers_needed && options.known.empty())
    throw Error(Fault::input, "columns.none-left", "no column holds numbers", "", {.file = table.file});
}

std::string said_of_further_columns(std::size_t count, const std::string& file, const std::string& first) {
  return fmt::format("{}: {} not in {}, the first part, and {} left out", file,
                     count == 1 ? "1 column is" : fmt::format("{} columns are", count), first,
                     count == 1 ? "is" : "are");
}

RawTable stacked(std::vector<RawTable> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  RawTable whole;
  const RawTable& first = parts.front();
  whole.file = first.file;
  whole.format = first.format;
  whole.chosen = true;
  for (const RawTable& part : parts) whole.rows += part.rows;
  for (RawTable& part : parts)
    std::move(part.warnings.begin(), part.warnings.end(), std::back_inserter(whole.warnings));

  Index numbers = 0;
  for (const RawColumn& column : first.columns) {
    if (column.use == Use::none) continue;
    RawColumn joined{.name = column.name, .use = column.use, .names_rows = column.names_rows};
    if (column.use == Use::values) joined.numbers = numbers++;
    whole.columns.push_back(std::move(joined));
  }
  whole.numbers.resize(whole.rows, numbers);
  Index begin = 0;
  for (RawTable& part : parts) {
    std::unordered_map<std::string, RawColumn*> by_name;
    std::size_t used = 0;
    for (RawColumn& column : part.columns)
      if (column.use != Use::none) {
        by_name.emplace(column.name, &column);
        ++used;
      }
    for (RawColumn& column : whole.columns) {
      const auto found = by_name.find(column.name);
      if (found == by_name.end() || found->second->use != column.use)
        throw Error(Fault::input, "parts.columns",
                    fmt::format("there is no column {} as in {}, the first part of the table", in_quotes(column.name),
                                first.file),
                    "parts of one table have the same columns, in any order", {.file = part.file});
      if (column.use == Use::values) {
        whole.numbers.col(column.numbers).segment(begin, part.rows) = part.numbers.col(found->second->numbers);
      } else {
        std::vector<std::string> texts = texts_of(*found->second, part.numbers, part.file);
        std::move(texts.begin(), texts.end(), std::back_inserter(column.texts));
      }
    }
    if (used > whole.columns.size())
      whole.warnings.push_back(said_of_further_columns(used - whole.columns.size(), part.file, first.file));
    begin += part.rows;
    part.numbers.resize(0, 0);
  }
  return whole;
}

std::optional<std::vector<std::string>> taken_texts(RawTable& table, const std::string& column) {
  for (RawColumn& each : table.columns) {
    if (each.name != column || each.use != Use::encode) continue;
    each.use = Use::none;
    return texts_of(each, table.numbers, table.file);
  }
  return std::nullopt;
}

Table assembled_table(RawTable raw, const ReadOptions& options, std::vector<std::string>& warnings) {
  warnings.insert(warnings.end(), raw.warnings.begin(), raw.warnings.end());
  Table table;
  table.source = raw.file;
  struct Piece {  // where a run of the table's columns comes from
    Index numbers = -1;
    Matrix indicators = {};
  };
  std::vector<Piece> pieces;
  Index width = 0;
  bool as_it_is = true;  // all columns of numbers, in their order
  for (RawColumn& column : raw.columns) {
    if (column.use == Use::index) {
      table.index_name = column.name;
      table.index = texts_of(column, raw.numbers, raw.file);
    } else if (column.use == Use::values) {
      as_it_is = as_it_is && column.numbers == width;
      pieces.push_back({.numbers = column.numbers});
      table.names.push_back(column.name);
      ++width;
    } else if (column.use == Use::encode) {
      as_it_is = false;
      const auto asked = std::find_if(options.encode.begin(), options.encode.end(),
                                      [&](const Encoding& e) { return e.column == column.name; });
      Encoding encoding = *asked;
      pieces.push_back(
          {.indicators = indicators(texts_of(column, raw.numbers, raw.file), encoding, raw.file, warnings)});
      for (const std::string& category : encoding.categories)
        table.names.push_back(fmt::format("{}={}", column.name, category));
      width += pieces.back().indicators.cols();
      table.encodings.push_back(std::move(encoding));
    }
  }
  if (as_it_is && width == raw.numbers.cols()) {
    table.values = std::move(raw.numbers);
  } else {
    table.values.resize(raw.rows, width);
    Index j = 0;
    for (const Piece& piece : pieces) {
      if (piece.numbers >= 0)
        table.values.col(j++) = raw.numbers.col(piece.numbers);
      else
        for (Index c = 0; c < piece.indicators.cols(); ++c) table.values.col(j++) = piece.indicators.col(c);
    }
  }
  // A column may be called a=b and stand beside a category b of a column a.
  std::vector<std::string> none;
  if (!table.encodings.empty()) settle_names(table.names, options, {.file = raw.file}, none);
  return table;
}

}  // namespace cda
