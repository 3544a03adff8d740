// `@relation`, one `@attribute NAME TYPE` per column, `@data`, then rows: values with commas or tabs between them, or
// sparse ones as {INDEX VALUE, ...}, a weight in braces after either. `%` begins a comment, `?` is missing; names and
// values stand in single or double quotes where they need to, with backslashes inside. A nominal value that was not
// declared is an error, as in Weka.
#include "files/arff_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/utf8.hpp"
#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "files/columns.hpp"
#include "files/number.hpp"

namespace cda {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t longest_cell = 4096;

bool blank(char c) { return c == ' ' || c == '\t'; }

char meant_by(char escaped) {
  switch (escaped) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escaped;
  }
}

struct Attribute {
  std::string name;
  bool numeric = false;
  bool nominal = false;
  std::unordered_set<std::string> categories = {};
  std::string first_category = {};
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
};

struct ArffCell {
  std::string text;
  bool quoted = false;
  bool is_missing() const { return !quoted && text == "?"; }
};

// One line, from left to right.
class ArffLine {
 public:
  ArffLine(std::string_view text, long number, const std::string& file) : text_(text), number_(number), file_(file) {}

  void blanks() {
    while (at_ < text_.size() && blank(text_[at_])) ++at_;
  }
  bool done() {
    blanks();
    return at_ == text_.size() || text_[at_] == '%';
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Between values: a comma, or a tab.
  bool separator() {
    const std::size_t begin = at_;
    if (take(',')) return true;
    return !done() && text_.substr(begin, at_ - begin).find('\t') != std::string_view::npos;
  }
  // A word or a quoted text, up to a comment, a blank or one of `stops`.
  ArffCell cell(std::string_view stops, bool blanks_end) {
    blanks();
    ArffCell cell;
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const char quote = text_[at_++];
      cell.quoted = true;
      while (at_ < text_.size() && text_[at_] != quote) {
        const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
        if (escaped) ++at_;
        cell.text += escaped ? meant_by(text_[at_]) : text_[at_];
        ++at_;
      }
      if (at_ == text_.size()) fail("arff.quote", "a quote is not closed", "");
      ++at_;
    } else {
      while (at_ < text_.size() && text_[at_] != '%' && stops.find(text_[at_]) == std::string_view::npos &&
             !(blanks_end && blank(text_[at_])))
        cell.text += text_[at_++];
      while (!cell.text.empty() && blank(cell.text.back())) cell.text.pop_back();
    }
    if (!valid_utf8(cell.text))
      fail("text.encoding", "the text " + in_quotes(cell.text) + " is not UTF-8", "--encoding latin1");
    return cell;
  }
  [[noreturn]] void fail(const char* code, const std::string& message, const std::string& hint, long column = 0) const {
    throw Error(Fault::input, code, message, hint, {.file = file_, .line = number_, .column = column});
  }
  long number() const { return number_; }

 private:
  std::string_view text_;
  long number_;
  const std::string& file_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const ReadOptions& options)
      : rest_(text), file_(file), options_(options) {}

  RawTable read() {
    read_header();
    for (std::string_view text; next_line(text);) {
      ArffLine line(text, line_, file_);
      if (line.done()) continue;
      if (line.take('{'))
        sparse_row(line);
      else
        dense_row(line);
      ++rows_;
    }
    return table();
  }

 private:
  bool next_line(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find_first_of("\r\n");
    line = rest_.substr(0, end);
    ++line_;
    if (end == std::string_view::npos) {
      rest_ = {};
      return true;
    }
    const bool pair = rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n';
    rest_.remove_prefix(end + (pair ? 2 : 1));
    return true;
  }

  void read_header() {
    for (std::string_view text; next_line(text);) {
      ArffLine line(text, line_, file_);
      if (line.done()) continue;
      const std::string word = line.cell("", true).text;
      if (same_name(word, "@relation")) continue;
      if (same_name(word, "@data")) {
        if (attributes_.empty()) line.fail("arff.header", "there is no @attribute before @data", "");
        return;
      }
      if (!same_name(word, "@attribute"))
        line.fail("arff.header", fmt::format("expected @attribute or @data, got {}", in_quotes(word)), "");
      attributes_.push_back(attribute(line));
    }
    throw Error(Fault::input, "arff.header", "the file ends before @data", "is it complete?", {.file = file_});
  }

  Attribute attribute(ArffLine& line) const {
    Attribute attribute{.name = line.cell("{", true).text};
    if (line.take('{')) {
      attribute.nominal = true;
      while (!line.take('}')) {
        if (line.done()) line.fail("arff.header", "the list of categories is not closed", "");
        const ArffCell category = line.cell(",}", false);
        if (category.text.empty()) line.fail("arff.header", "a category is empty", "");
        if (attribute.categories.empty()) attribute.first_category = category.text;
        attribute.categories.insert(category.text);
        line.take(',');
      }
      return attribute;
    }
    const std::string type = line.cell("", true).text;
    attribute.numeric = same_name(type, "numeric") || same_name(type, "real") || same_name(type, "integer");
    if (!attribute.numeric && !same_name(type, "string") && !same_name(type, "date"))
      line.fail("arff.type",
                fmt::format("the attribute {} has the type {}, which is not known", in_quotes(attribute.name),
                            in_quotes(type)),
                "numeric, real, integer, string, date, {a,b,c} are");
    return attribute;
  }

  void dense_row(ArffLine& line) {
    const auto width = attributes_.size();
    for (std::size_t j = 0; j < width; ++j) {
      if (j > 0 && !line.separator()) {
        if (!line.done()) line.fail("arff.row", "a comma is missing", "", static_cast<long>(j + 1));
        line.fail("arff.ragged", fmt::format("row has {} values, there are {} attributes", j, width), "");
      }
      store(j, line.cell(",\t", false), line);
    }
    if (line.separator() && !take_weight(line))
      line.fail("arff.ragged", fmt::format("row has more than {} values, as there are attributes", width), "");
    if (!line.done()) line.fail("arff.row", "there is something after the last value", "");
  }

  // {2.5}, how much the row counts.
  bool take_weight(ArffLine& line) {
    if (!line.take('{')) return false;
    double weight = 1.0;
    const std::string text = line.cell("}", false).text;
    if (parse_number(text, {}, weight) != NumberKind::number || !line.take('}'))
      line.fail("arff.row", fmt::format("the weight of the row is {}, no number in braces", in_quotes(text)), "");
    if (weight != 1.0) ++weighted_;
    return true;
  }

  // Values that are left out are 0, or the first category.
  void sparse_row(ArffLine& line) {
    std::size_t next = 0;
    const auto fill = [&](std::size_t until) {
      for (; next < until; ++next) {
        Attribute& attribute = attributes_[next];
        if (attribute.numeric)
          attribute.numbers.push_back(0.0);
        else
          attribute.texts.push_back(attribute.first_category);
      }
    };
    while (!line.take('}')) {
      if (line.done()) line.fail("arff.row", "the list of values is not closed", "");
      double number = 0.0;
      const std::string position = line.cell("", true).text;
      if (parse_number(position, {}, number) != NumberKind::number || number < static_cast<double>(next) ||
          number >= static_cast<double>(attributes_.size()) || number != std::floor(number))
        line.fail("arff.row", fmt::format("{} is no attribute number that follows the last", in_quotes(position)),
                  "attributes count from 0, in increasing order");
      fill(static_cast<std::size_t>(number));
      store(next++, line.cell(",}", false), line);
      line.take(',');
    }
    fill(attributes_.size());
    if (line.separator()) take_weight(line);
    if (!line.done()) line.fail("arff.row", "there is something after the row", "");
  }

  void store(std::size_t j, const ArffCell& cell, const ArffLine& line) {
    Attribute& attribute = attributes_[j];
    const auto column = static_cast<long>(j + 1);
    if (cell.text.size() > longest_cell && attribute.numeric)
      line.fail("arff.value", fmt::format("a value is longer than {} bytes", longest_cell), "", column);
    const bool none = cell.is_missing() || named_missing(cell.text);
    if (cell.text.empty() && !cell.quoted && !none)
      line.fail("arff.value", fmt::format("there is no value in column {}", in_quotes(attribute.name)),
                "write ? for a missing value", column);
    if (!attribute.numeric) {
      if (attribute.nominal && !none && attribute.categories.count(cell.text) == 0)
        line.fail(
            "arff.category",
            fmt::format("{} is not among the declared values of {}", in_quotes(cell.text), in_quotes(attribute.name)),
            "declare it in the @attribute line, or write ? for a missing value", column);
      attribute.texts.push_back(none ? "" : cell.text);
      return;
    }
    double value = missing;
    const NumberKind kind = none ? NumberKind::number : parse_number(cell.text, {}, value);
    if (kind == NumberKind::too_large)
      line.fail("arff.value", in_quotes(cell.text) + " is too large for a double", "", column);
    if (kind != NumberKind::number)
      line.fail("arff.value",
                fmt::format("expected a number in column {}, got {}", in_quotes(attribute.name), in_quotes(cell.text)),
                "write ? for a missing value", column);
    attribute.numbers.push_back(value);
  }

  bool named_missing(const std::string& text) const {
    const auto& tokens = options_.missing_tokens;
    return std::find(tokens.begin(), tokens.end(), text) != tokens.end();
  }

  RawTable table() {
    RawTable raw;
    raw.file = file_;
    raw.rows = rows_;
    if (weighted_ > 0)
      raw.warnings.push_back(fmt::format("{}: {} a weight, which is not used: all rows count alike", file_,
                                         weighted_ == 1 ? "1 row has" : fmt::format("{} rows have", weighted_)));
    const auto numeric = std::count_if(attributes_.begin(), attributes_.end(), [](auto& a) { return a.numeric; });
    raw.numbers.resize(rows_, numeric);
    Index next = 0;
    for (Attribute& attribute : attributes_) {
      RawColumn column{.name = std::move(attribute.name), .texts = std::move(attribute.texts)};
      if (attribute.numeric) {
        raw.numbers.col(next) = Eigen::Map<const Vector>(attribute.numbers.data(), rows_);
        column.numbers = next++;
        attribute.numbers = {};
      }
      raw.columns.push_back(std::move(column));
    }
    return raw;
  }

  std::string_view rest_;
  const std::string& file_;
  const ReadOptions& options_;
  std::vector<Attribute> attributes_;
  long line_ = 0;
  Index rows_ = 0, weighted_ = 0;
};

}  // namespace

RawTable read_arff(std::string_view text, const std::string& file, const ReadOptions& options) {
  return Reader(text, file, options).read();
}

}  // namespace cda
