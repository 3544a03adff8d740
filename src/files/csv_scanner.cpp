#include "files/csv_scanner.hpp"

namespace cda {

std::string CsvField::plain() const {
  if (!doubled) return std::string(text);
  std::string single;
  for (std::size_t i = 0; i < text.size(); ++i) {
    single += text[i];
    if (text[i] == '"') ++i;
  }
  return single;
}

void CsvScanner::fail(const char* code, const char* message, const char* hint, long line, long column) const {
  throw Error(Fault::input, code, message, hint, {.file = std::string(file_), .line = line, .column = column});
}

CsvField CsvScanner::next_quoted(long column) {
  CsvField field;
  field.quoted = true;
  field.line = line_;
  const char* begin = ++at_;
  for (;;) {
    if (at_ == stop_) fail("csv.unterminated-quote", "a quote opens here and is never closed", "", field.line, column);
    if (*at_ == '\n' || *at_ == '\r') {
      end_line();
    } else if (*at_ != '"') {
      ++at_;
    } else if (at_ + 1 != stop_ && at_[1] == '"') {
      field.doubled = true;
      at_ += 2;
    } else {
      break;
    }
  }
  field.text = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  if (at_ != stop_ && *at_ != delimiter_ && *at_ != '\n' && *at_ != '\r')
    fail("csv.quote", "text follows a closing quote", "a quote inside a quoted field is written twice", line_, column);
  field.end = end_field();
  return field;
}

void CsvScanner::skip_line() {
  while (at_ != stop_ && *at_ != '\n' && *at_ != '\r') ++at_;
  if (at_ != stop_) end_line();
}

}  // namespace cda
