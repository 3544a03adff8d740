// The header says what follows: items of fixed size, one after the other, rows or columns first. They are converted
// block by block, so that only the matrix is held in memory. What a double cannot hold exactly is counted and warned
// of.
#include "files/npy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "cda/error.hpp"
#include "files/columns.hpp"
#include "files/npy_header.hpp"
#include "files/raw_numbers.hpp"
#include "files/text_file.hpp"

namespace cda {
namespace {

using namespace std::string_view_literals;

constexpr auto magic = "\x93NUMPY"sv;
constexpr std::size_t longest_header = std::size_t{16} << 20;
constexpr std::size_t block_bytes = std::size_t{1} << 20;

[[noreturn]] void truncated(const std::string& file) {
  throw Error(Fault::input, "npy.truncated", "the array ends early", "the file is incomplete: copy it again",
              {.file = file});
}

class Reader {
 public:
  explicit Reader(const NpySource& source) : source_(source) {}

  RawTable read() {
    header_ = parsed_npy_header(header_text(), source_.file);
    check_shape();
    allocate();
    std::string block;
    const std::uint64_t items = header_.items();
    const std::size_t item = std::max<std::size_t>(1, header_.item_bytes);
    const std::uint64_t at_once = std::max<std::uint64_t>(1, block_bytes / item);
    for (std::uint64_t done = 0; done < items;) {
      const auto count = static_cast<std::size_t>(std::min(at_once, items - done));
      block.resize(count * header_.item_bytes);
      if (source_.read(block.data(), block.size()) < block.size()) truncated(source_.file);
      for (std::size_t i = 0; i < count; ++i) store(block.data() + i * header_.item_bytes);
      done += count;
    }
    char extra = 0;
    if (source_.read(&extra, 1) > 0)
      throw Error(Fault::input, "npy.trailing", "there are bytes after the end of the array",
                  "the file is damaged, or holds several arrays: use .npz for those", {.file = source_.file});
    warn_of_inexact();
    return std::move(table_);
  }

 private:
  std::string header_text() {
    std::string start(8, '\0');
    take(start);
    if (!is_npy(start)) throw Error(Fault::input, "npy.magic", "this is not a NumPy array", "", {.file = source_.file});
    const int version = static_cast<unsigned char>(start[6]);
    if (version < 1 || version > 3)
      throw Error(Fault::input, "npy.version",
                  fmt::format("the array is written in version {} of its format; 1 to 3 are known", version), "",
                  {.file = source_.file});
    std::string length(version == 1 ? 2 : 4, '\0');
    take(length);
    std::size_t bytes = 0;
    for (std::size_t i = length.size(); i-- > 0;) bytes = bytes << 8 | static_cast<unsigned char>(length[i]);
    before_data_ = start.size() + length.size() + bytes;
    if (bytes > longest_header || (source_.size && before_data_ > *source_.size)) truncated(source_.file);
    std::string text(bytes, '\0');
    take(text);
    return version < 3 ? from_latin1(text) : text;
  }
  void take(std::string& bytes) {
    if (source_.read(bytes.data(), bytes.size()) < bytes.size()) truncated(source_.file);
  }

  void check_shape() {
    const std::size_t dimensions = header_.shape.size();
    const bool fits = dimensions == 1 || (dimensions == 2 && !header_.records);
    if (!fits)
      throw Error(Fault::input, "npy.shape",
                  fmt::format("an array of {} dimension{}{} is not a table", dimensions, dimensions == 1 ? "" : "s",
                              header_.records ? " of records" : ""),
                  "a table has rows and columns: array.reshape(rows, columns)", {.file = source_.file});
    const std::uint64_t data = header_.items() * header_.item_bytes;  // cannot overflow: the header was refused
    if (source_.size && *source_.size - before_data_ < data) truncated(source_.file);
    rows_ = header_.shape[0];
    columns_ = dimensions == 2 ? header_.shape[1] : header_.fields.size();
    // Columns are made before the data are there: a header alone must not fill the memory.
    constexpr std::uint64_t most_rows = std::uint64_t{1} << 40, most_columns = 10'000'000;
    if (rows_ > most_rows || columns_ > most_columns ||
        (rows_ > 0 && columns_ > (std::uint64_t{1} << 57) / rows_))  // so that the bytes below can be counted
      throw Error(Fault::resource, "npy.memory", fmt::format("an array of {} x {} is too large", rows_, columns_), "",
                  {.file = source_.file});
    if (columns_ == 0 || rows_ == 0)
      throw Error(Fault::input, "table.no-rows", fmt::format("an array of {} x {} holds no values", rows_, columns_),
                  "", {.file = source_.file});
    const std::uint64_t needed = std::max(8 * rows_ * columns_, data);
    if (source_.most_bytes > 0 && needed > source_.most_bytes)
      throw Error(Fault::resource, "npy.memory",
                  fmt::format("a table of {} x {} takes {} bytes, more than the {} allowed", rows_, columns_, needed,
                              source_.most_bytes),
                  "--max-bytes allows more, if the machine has the memory", {.file = source_.file});
  }

  void allocate() {
    table_.file = source_.file;
    table_.rows = static_cast<Index>(rows_);
    std::vector<std::string> names = numbered_names(columns_);
    Index numbers = 0;
    table_.columns.resize(columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      const NpyField& field = header_.fields[header_.records ? j : 0];
      table_.columns[j].name = header_.records ? field.name : std::move(names[j]);
      table_.columns[j].fault = field.fault;
      if (!field.fault && !field.type.text()) table_.columns[j].numbers = numbers++;
    }
    table_.numbers.resize(static_cast<Index>(rows_), numbers);
    inexact_.assign(columns_, 0);
  }

  void store(const char* item) {
    if (header_.records) {
      for (std::size_t j = 0; j < columns_; ++j)
        store(item + header_.fields[j].offset, header_.fields[j].type, row_, j);
      ++row_;
      return;
    }
    store(item, header_.fields[0].type, row_, column_);
    std::uint64_t &inner = header_.column_major ? row_ : column_, &outer = header_.column_major ? column_ : row_;
    if (++inner < (header_.column_major ? rows_ : columns_)) return;
    inner = 0;
    ++outer;
  }
  void store(const char* bytes, const NpyType& type, std::uint64_t row, std::uint64_t column) {
    RawColumn& target = table_.columns[column];
    if (target.fault) return;
    if (type.text()) {
      target.texts.push_back(text_of(bytes, type));  // each column comes in the order of its rows, either way
      return;
    }
    read_numbers(bytes, type, &table_.numbers(static_cast<Index>(row), target.numbers), 1, inexact_[column]);
  }

  std::string text_of(const char* bytes, const NpyType& type) const {
    std::string text;
    if (type.kind == 'S') {
      text.assign(bytes, type.bytes);
      text.erase(text.find_last_not_of('\0') + 1);
    } else {
      for (std::size_t i = 0; i < type.bytes; i += 4) {
        const auto code = stored<std::uint32_t>(bytes + i, type.big_endian);
        if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
          throw Error(Fault::input, "npy.text", "a text holds a character that is none", "", {.file = source_.file});
        append_utf8(text, code);
      }
      text.erase(text.find_last_not_of('\0') + 1);
    }
    return text;
  }

  void warn_of_inexact() {
    Index count = 0;
    std::size_t first = columns_;
    for (std::size_t j = 0; j < columns_; ++j) {
      count += inexact_[j];
      if (inexact_[j] > 0) first = std::min(first, j);
    }
    if (count > 0)
      table_.warnings.push_back(fmt::format(
          "{}: {} whole number{} beyond 2^53 {} rounded to the nearest double (the first in column {})", source_.file,
          count, count == 1 ? "" : "s", count == 1 ? "was" : "were", in_quotes(table_.columns[first].name)));
  }

  const NpySource& source_;
  NpyHeader header_;
  std::uint64_t before_data_ = 0, rows_ = 0, columns_ = 0;
  std::uint64_t row_ = 0, column_ = 0;  // of the next value
  RawTable table_;
  std::vector<Index> inexact_;
};

}  // namespace

bool is_npy(std::string_view head) { return head.substr(0, magic.size()) == magic; }

RawTable read_npy(const NpySource& source) { return Reader(source).read(); }

std::string written_npy(const Table& table) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': True, 'shape': ({}, {}), }}", table.rows(), table.columns());
  constexpr std::size_t start = 10, aligned = 64;
  header.append(aligned - (start + header.size() + 1) % aligned, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const auto data = static_cast<std::size_t>(table.values.size()) * sizeof(double);
  bytes.append(reinterpret_cast<const char*>(table.values.data()), data);
  return bytes;
}

}  // namespace cda
