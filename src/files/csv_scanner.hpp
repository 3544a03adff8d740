// CSV text, field by field, as RFC 4180 has it, and nothing looser. A line ends with LF, CRLF or CR. The scanner knows
// the physical line it is on, also after newlines inside quotes. It copies nothing: a field is a view of the text.
#pragma once

#include <string>
#include <string_view>

#include "cda/error.hpp"

namespace cda {

struct CsvField {
  std::string_view text;  // without the outer quotes; inner ones still doubled where `doubled`
  bool quoted = false;
  bool doubled = false;
  long line = 0;  // where it begins
  char end = 0;   // what came after it: the delimiter, '\n' for the end of the line, 0 for the end of the text

  std::string plain() const;  // with "" as "
};

class CsvScanner {
 public:
  // `line` is the physical line the text begins on. The name of the file is not copied either.
  CsvScanner(std::string_view text, char delimiter, std::string_view file, long line = 1)
      : at_(text.data()), stop_(text.data() + text.size()), delimiter_(delimiter), line_(line), file_(file) {}

  bool done() const { return at_ == stop_; }
  long line() const { return line_; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(stop_ - at_)}; }
  char peek() const { return *at_; }                                // only where not done()
  bool blank_line() const { return *at_ == '\n' || *at_ == '\r'; }  // only where not done(), at the begin of a line

  // The next field; `column` counts from 1 and is used in messages only.
  CsvField next(long column);
  void skip_line();

  // For who reads a field without help: could it end there, and, where it could, what comes after it, which is taken.
  bool could_end(const char* end) const { return end == stop_ || *end == delimiter_ || *end == '\n' || *end == '\r'; }
  char take_until(const char* end) {
    at_ = end;
    return end_field();
  }

 private:
  CsvField next_quoted(long column);
  char end_field();
  void end_line();
  [[noreturn]] void fail(const char* code, const char* message, const char* hint, long line, long column) const;

  const char* at_;
  const char* stop_;
  char delimiter_;
  long line_;
  std::string_view file_;
};

inline void CsvScanner::end_line() {
  if (*at_ == '\r' && at_ + 1 != stop_ && at_[1] == '\n') ++at_;
  ++at_;
  ++line_;
}

inline char CsvScanner::end_field() {
  if (at_ == stop_) return 0;
  if (*at_ == delimiter_) {
    ++at_;
    return delimiter_;
  }
  end_line();
  return '\n';
}

inline CsvField CsvScanner::next(long column) {
  if (at_ != stop_ && *at_ == '"') return next_quoted(column);
  const char* begin = at_;
  while (at_ != stop_ && *at_ != delimiter_ && *at_ != '\n' && *at_ != '\r') {
    if (*at_ == '"')
      fail("csv.quote", "a quote stands inside a field that does not begin with one",
           "put the whole field in quotes and double the quotes inside it", line_, column);
    ++at_;
  }
  CsvField field{.text = {begin, static_cast<std::size_t>(at_ - begin)}, .line = line_};
  field.end = end_field();
  return field;
}

}  // namespace cda
