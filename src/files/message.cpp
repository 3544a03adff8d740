#include "files/message.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

namespace cda {
namespace {

constexpr std::int64_t any_count = std::int64_t{1} << 48;

}  // namespace

void Message::send(const void* from, std::size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = ::write(descriptor_, next, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Incomplete();
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

void Message::receive(void* to, std::size_t bytes) {
  char* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::read(descriptor_, next, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Incomplete();
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

void Message::put(std::int64_t number) { send(&number, sizeof number); }

void Message::put(const std::string& text) {
  put(static_cast<std::int64_t>(text.size()));
  send(text.data(), text.size());
}

void Message::put(const Matrix& matrix) {
  put(std::int64_t{matrix.rows()});
  put(std::int64_t{matrix.cols()});
  send(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(double));
}

void Message::put(const RawTable& table) {
  put(table.file);
  put(std::int64_t{table.rows});
  put(static_cast<std::int64_t>(table.columns.size()));
  for (const RawColumn& column : table.columns) {
    put(column.name);
    put(static_cast<std::int64_t>(column.use));
    put(std::int64_t{column.numbers});
    put(static_cast<std::int64_t>(column.texts.size()));
    for (const std::string& text : column.texts) put(text);
    put(std::int64_t{column.names_rows});
    put(std::int64_t{column.fault.has_value()});
    if (column.fault) put(*column.fault);
  }
  put(table.numbers);
  put(std::int64_t{table.chosen});
  put(static_cast<std::int64_t>(table.warnings.size()));
  for (const std::string& warning : table.warnings) put(warning);
}

void Message::put(const Error& error) {
  put(static_cast<std::int64_t>(error.fault()));
  put(error.code());
  put(error.message());
  put(error.hint());
  put(error.place().file);
  put(std::int64_t{error.place().line});
  put(std::int64_t{error.place().column});
}

std::int64_t Message::get_number(std::int64_t lowest, std::int64_t highest) {
  std::int64_t number = 0;
  receive(&number, sizeof number);
  if (number < lowest || number > highest) throw Incomplete();
  return number;
}

std::string Message::get_text() {
  std::string text(static_cast<std::size_t>(get_number(0, any_count)), '\0');
  receive(text.data(), text.size());
  return text;
}

Matrix Message::get_matrix() {
  const std::int64_t rows = get_number(0, any_count), columns = get_number(0, any_count);
  if (columns > 0 && rows > any_count / columns) throw Incomplete();
  Matrix matrix(rows, columns);
  receive(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(double));
  return matrix;
}

RawTable Message::get_table() {
  RawTable table;
  table.file = get_text();
  table.rows = get_number(0, any_count);
  Index most_numbers = -1;
  for (std::int64_t left = get_number(0, any_count); left > 0; --left) {
    RawColumn column;
    column.name = get_text();
    column.use = static_cast<RawColumn::Use>(get_number(0, static_cast<std::int64_t>(RawColumn::Use::none)));
    column.numbers = get_number(-1, any_count);
    for (std::int64_t texts = get_number(0, any_count); texts > 0; --texts) column.texts.push_back(get_text());
    column.names_rows = get_number(0, 1) == 1;
    if (get_number(0, 1) == 1) column.fault = get_error();
    if (column.numbers < 0 && !column.fault && static_cast<Index>(column.texts.size()) != table.rows)
      throw Incomplete();
    most_numbers = std::max(most_numbers, column.numbers);
    table.columns.push_back(std::move(column));
  }
  table.numbers = get_matrix();
  if (most_numbers >= table.numbers.cols() || (most_numbers >= 0 && table.numbers.rows() != table.rows))
    throw Incomplete();
  table.chosen = get_number(0, 1) == 1;
  for (std::int64_t left = get_number(0, any_count); left > 0; --left) table.warnings.push_back(get_text());
  return table;
}

Error Message::get_error() {
  const auto fault = static_cast<Fault>(get_number(1, static_cast<std::int64_t>(Fault::resource)));
  std::string code = get_text(), message = get_text(), hint = get_text();
  Place place{.file = get_text()};
  constexpr std::int64_t any = std::numeric_limits<long>::max();
  place.line = get_number(0, any);
  place.column = get_number(0, any);
  return {fault, std::move(code), std::move(message), std::move(hint), std::move(place)};
}

}  // namespace cda
