// RFC 4180 with LF line ends. Numbers are written in the shortest form that reads back to the same bits
// (std::to_chars), whatever the locale.
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "cda/table.hpp"
#include "files/number.hpp"

namespace cda {
namespace {

// Every character that could be taken for a delimiter, an end of line, a comment or the begin of a web page is put
// behind quotes, so that the reader finds the same fields without being told anything.
void append_text(std::string& csv, const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(",;\t|\"\r\n") == std::string::npos && text.front() != '#' &&
                     text.front() != '<' && text.front() != ' ' && text.back() != ' ';
  if (plain) {
    csv += text;
    return;
  }
  csv += '"';
  for (const char c : text) csv.append(c == '"' ? 2 : 1, c);
  csv += '"';
}

void append_number(std::string& csv, double value) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  csv.append(digits.data(), written.ptr);
}

}  // namespace

std::string csv_field(const std::string& text) {
  std::string field;
  append_text(field, text);
  return field;
}

std::string spreadsheet_safe(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return text;
  double value = 0.0;
  if (text.front() == '-' && parse_number(text, {}, value) == NumberKind::number) return text;
  return "'" + text;
}

std::string to_csv(const Table& table) {
  const bool indexed = !table.index.empty() || !table.index_name.empty();
  const bool single = !indexed && table.columns() == 1;
  std::string csv;
  csv.reserve(static_cast<std::size_t>(table.rows() + 1) * static_cast<std::size_t>(table.columns() + 1) * 20);
  if (indexed) append_text(csv, table.index_name);
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    if (j > 0 || indexed) csv += ',';
    append_text(csv, table.names[j]);
  }
  csv += '\n';
  for (Index i = 0; i < table.rows(); ++i) {
    if (indexed && !table.index.empty()) append_text(csv, table.index[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < table.columns(); ++j) {
      if (j > 0 || indexed) csv += ',';
      const double value = table.values(i, j);
      if (!std::isnan(value))
        append_number(csv, value);
      else if (single)
        csv += "\"\"";  // an empty line would be no row at all
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace cda
