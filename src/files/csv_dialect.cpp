// A delimiter is one that splits the first lines into equally many fields, more than one. Where several do, the one
// that makes the most fields; where that does not decide either, the user has to: a wrong guess here would read wrong
// numbers. A file in which none occurs has one column.
#include "files/csv_dialect.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "cda/error.hpp"
#include "files/csv_scanner.hpp"

namespace cda {
namespace {

constexpr int lines_looked_at = 20;

struct Split {
  char delimiter;
  long fields = 0;   // in the first line
  bool even = true;  // in all lines looked at
};

// Quotes are followed loosely here (a stray one only spoils the guess); the scanner is strict afterwards.
Split split_by(char delimiter, std::string_view text, char comment) {
  Split split{.delimiter = delimiter};
  int lines = 0;
  long fields = 1;
  bool quoted = false, at_begin = true, skipping = false;
  const auto end_line = [&] {
    if (!at_begin && !skipping) {
      if (lines++ == 0) split.fields = fields;
      split.even = split.even && fields == split.fields;
    }
    fields = 1;
    at_begin = true;
    skipping = false;
  };
  for (const char c : text) {
    if (lines == lines_looked_at) return split;
    if (!quoted && (c == '\n' || c == '\r')) {
      end_line();
      continue;
    }
    if (at_begin) skipping = comment != 0 && c == comment;
    at_begin = false;
    if (c == '"' && !skipping) quoted = !quoted;
    if (c == delimiter && !quoted) ++fields;
  }
  end_line();
  return split;
}

}  // namespace

std::string delimiter_name(char delimiter) {
  switch (delimiter) {
    case ',':
      return "a comma";
    case '\t':
      return "a tab";
    case ';':
      return "a semicolon";
    case '|':
      return "a pipe";
    case ' ':
      return "a space";
    default:
      return in_quotes(std::string(1, delimiter));
  }
}

char csv_delimiter(std::string_view text, const ReadOptions& options, const std::string& file) {
  if (options.delimiter != 0) return options.delimiter;
  Split best{.delimiter = ',', .fields = 1, .even = false};
  bool tie = false;
  char other = 0;
  for (const char candidate : std::array{',', '\t', ';', '|'}) {
    if (candidate == options.decimal || candidate == options.thousands) continue;
    const Split split = split_by(candidate, text, options.comment);
    if (split.fields < 2 || (best.even && !split.even)) continue;
    const bool better = (split.even && !best.even) || split.fields > best.fields;
    if (better) {
      best = split;
      tie = false;
    } else if (split.fields == best.fields) {
      tie = true;
      other = candidate;
    }
  }
  if (tie)
    throw Error(Fault::input, "csv.delimiter",
                fmt::format("cannot tell whether {} or {} separates the fields", delimiter_name(best.delimiter),
                            delimiter_name(other)),
                "say which: --delimiter ','", {.file = file, .line = 1});
  if (best.fields == 1 &&
      best.delimiter == options.decimal) {  // one column of decimal commas, unless its name has some
    const Split split = split_by(',', text, options.comment);
    if (options.header && split.fields > 1 && split.even)
      throw Error(Fault::input, "csv.delimiter",
                  "cannot tell whether a comma separates the fields or is the decimal mark",
                  "leave out --decimal, or say what separates them: --delimiter ';'", {.file = file, .line = 1});
    return '\t';
  }
  return best.delimiter;
}

}  // namespace cda
