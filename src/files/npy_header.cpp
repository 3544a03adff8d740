// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, or a list of fields for 'descr':
// [('a', '<f8'), ('b', '<i4')]. Strings, numbers, True, False, tuples, lists and one dictionary: that is all.
#include "files/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/utf8.hpp"
#include "cda/error.hpp"

namespace cda {
namespace {

constexpr std::size_t most_fields = 1'000'000;

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyHeader header() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        description(header);
        descr = true;
      } else if (key == "fortran_order" && !order) {
        header.column_major = boolean();
        order = true;
      } else if (key == "shape" && !shape) {
        sizes(header.shape);
        shape = true;
      } else {
        refuse("the key " + in_quotes(key) + " is not expected");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (at_ != text_.size()) refuse("there is something after its end");
    if (!descr || !order || !shape) refuse("descr, fortran_order or shape is missing");
    if (header.item_bytes == 0) refuse("its items take no bytes");
    std::uint64_t all = header.item_bytes;
    for (const std::uint64_t size : header.shape)
      if (__builtin_mul_overflow(all, size, &all)) refuse("the shape is too large for any file");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(Fault::input, "npy.header", "the header of the array is not as NumPy writes it: " + what, "",
                {.file = file_});
  }
  // `field` is empty for a plain array.
  Error unsupported(const std::string& field, const std::string& type, const char* what, const char* hint) const {
    return {Fault::input,
            "npy.type",
            fmt::format("{} has the type {}: {}", field.empty() ? "the array" : "column " + in_quotes(field),
                        in_quotes(type), what),
            hint,
            {.file = file_}};
  }

  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(fmt::format("a \"{}\" is missing at its byte {}", c, at_ + 1));
  }
  bool word(std::string_view expected) {
    blanks();
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  bool boolean() {
    if (word("True")) return true;
    if (word("False")) return false;
    refuse("fortran_order is neither True nor False");
  }
  bool at_string() {
    blanks();
    return at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
  }

  std::string string() {
    if (!at_string()) refuse(fmt::format("a text is missing at its byte {}", at_ + 1));
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') {
        ++at_;
        if (at_ >= text_.size() || (text_[at_] != '\\' && text_[at_] != '\'' && text_[at_] != '"'))
          refuse("a name holds an escape that is not known");
      }
      value += text_[at_++];
    }
    if (at_ >= text_.size()) refuse("a text is not closed");
    ++at_;
    if (!valid_utf8(value)) refuse("a name is not UTF-8");
    return value;
  }

  std::uint64_t whole_number() {
    blanks();
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (failure != std::errc()) refuse("the shape is not made of whole numbers that a file could hold");
    at_ = static_cast<std::size_t>(end - text_.data());
    take('L');  // as Python 2 wrote long numbers
    return value;
  }
  void sizes(std::vector<std::uint64_t>& shape) {
    expect('(');
    while (!take(')')) {
      if (shape.size() == 32) refuse("the shape has too many dimensions");
      shape.push_back(whole_number());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  // Of a field, or of a plain array. What is neither numbers nor text is only a fault where it is used.
  void set_type(NpyField& field, const std::string& text) {
    if (text.find('O') != std::string::npos)
      throw unsupported(field.name, text, "Python objects, which would have to be run to be read",
                        "save array.astype(float), or array.astype(str) for text");
    const auto unreadable = [&](const char* what, const char* hint) {
      field.fault = unsupported(field.name, text, what, hint);
    };
    NpyType& type = field.type;
    std::string_view rest = text;
    if (!rest.empty() && (rest[0] == '<' || rest[0] == '>' || rest[0] == '|' || rest[0] == '=')) {
      type.big_endian = rest[0] == '>';
      rest.remove_prefix(1);
    }
    if (rest.empty()) refuse("the type " + in_quotes(text) + " is not known");
    type.kind = rest[0];
    std::size_t count = 0;
    const auto [end, failure] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), count);
    if (failure != std::errc() || (end != rest.data() + rest.size() && type.kind != 'M' && type.kind != 'm'))
      refuse("the type " + in_quotes(text) + " is not known");
    type.bytes = type.kind == 'U' ? 4 * count : count;
    switch (type.kind) {
      case 'b':
        if (count == 1) return;
        break;
      case 'i':
      case 'u':
        if (count == 1 || count == 2 || count == 4 || count == 8) return;
        break;
      case 'f':
        if (count == 2 || count == 4 || count == 8) return;
        if (count == 12 || count == 16) return unreadable("long doubles differ between machines", "save it as float64");
        break;
      case 'S':
      case 'U':
        if (count <= 1'000'000) return;
        break;
      case 'c':
        if (count == 8 || count == 16 || count == 24 || count == 32)
          return unreadable("complex numbers", "save real and imaginary parts as columns");
        break;
      case 'M':
      case 'm':
        if (count == 8) return unreadable("dates or durations", "save them as numbers");
        break;
      case 'V':
        if (count <= 1'000'000) return unreadable("raw bytes", "save numbers");
        break;
      default:
        break;
    }
    refuse("the type " + in_quotes(text) + " is not known");
  }

  void description(NpyHeader& header) {
    if (at_string()) {
      NpyField only;
      set_type(only, string());
      if (only.fault) throw *only.fault;
      header.item_bytes = only.type.bytes;
      header.fields = {std::move(only)};
      return;
    }
    header.records = true;
    expect('[');
    while (!take(']')) {
      if (header.fields.size() == most_fields) refuse("there are too many fields");
      expect('(');
      NpyField field;
      if (take('(')) {  // (title, name)
        string();
        expect(',');
        field.name = string();
        expect(')');
      } else {
        field.name = string();
      }
      expect(',');
      if (!at_string())
        throw Error(Fault::input, "npy.type", fmt::format("the field {} is itself a record", in_quotes(field.name)),
                    "save one number per field", {.file = file_});
      const std::string text = string();
      if (take(','))
        throw Error(Fault::input, "npy.type", fmt::format("the field {} holds an array", in_quotes(field.name)),
                    "save one number per field", {.file = file_});
      expect(')');
      field.offset = header.item_bytes;
      if (field.name.empty() && text.rfind("|V", 0) == 0) {
        header.item_bytes += padding(text);  // what aligns the next field
      } else {
        set_type(field, text);
        header.item_bytes += field.type.bytes;
        header.fields.push_back(std::move(field));
      }
      if (!take(',')) {
        expect(']');
        break;
      }
    }
    if (header.fields.empty()) refuse("a record has no field");
  }

  std::size_t padding(const std::string& text) const {
    std::size_t count = 0;
    constexpr std::size_t digits = 2;  // after |V
    const auto [end, failure] = std::from_chars(text.data() + digits, text.data() + text.size(), count);
    if (failure != std::errc() || end != text.data() + text.size() || count > 1'000'000) refuse("padding is not known");
    return count;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint64_t NpyHeader::items() const {
  std::uint64_t all = 1;
  for (const std::uint64_t size : shape) all *= size;
  return all;
}

NpyHeader parsed_npy_header(const std::string& text, const std::string& file) { return Parser(text, file).header(); }

}  // namespace cda
