// MATLAB 5 to 7.2: a header of 128 bytes, then elements, each a tag (type, bytes) and data padded to 8 bytes; up to
// four bytes of data stand in the tag itself. A variable is an element of elements: flags with its class, its size, its
// name, and numbers in the smallest type that holds them. Since version 7 each variable is a zlib stream. Objects such
// as tables have no size but the name of their class; what belongs to them is kept apart in a variable without a name.
// Reference: The MathWorks, MAT-File Format, chapter "Level 5 MAT-File Format".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "files/inflated.hpp"
#include "files/mat_bytes.hpp"
#include "files/mat_variable.hpp"
#include "files/sparse_matrix.hpp"

namespace cda {
namespace {

enum : std::uint32_t { mi_int8 = 1, mi_uint8 = 2, mi_int32 = 5, mi_uint32 = 6, mi_matrix = 14, mi_compressed = 15 };
enum : std::uint32_t { mi_utf8 = 16 };
enum : std::uint32_t { mx_char = 4, mx_sparse = 5, mx_double = 6, mx_uint64 = 15, mx_opaque = 17 };

struct Element {
  std::uint32_t type;
  MatBytes data;
};

Element next_element(MatBytes& bytes) {
  const auto first = bytes.number<std::uint32_t>();
  constexpr std::uint32_t room = 4;
  if (const std::uint32_t small = first >> 16; small != 0) {
    if (small > room) bytes.damaged("a small element is too large");
    MatBytes data = bytes.part(room);
    return {first & 0xffffu, data.part(small)};
  }
  const auto size = bytes.number<std::uint32_t>();
  Element element{first, bytes.part(size)};
  if (first != mi_compressed && !bytes.done()) bytes.take(std::min<std::uint64_t>((8 - size % 8) % 8, bytes.left()));
  return element;
}

StoredType number_type(const Element& element) {
  constexpr std::string_view kinds = " iuiuiuf f  iu";  // of the types 0 to 13; those between are none
  constexpr std::array<std::size_t, kinds.size()> bytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  if (element.type >= kinds.size() || bytes[element.type] == 0)
    element.data.damaged(fmt::format("numbers have the unknown type {}", element.type));
  return {.kind = kinds[element.type], .bytes = bytes[element.type]};
}

Matrix numbers_of(const Element& element, Index& rounded) {
  const StoredType type = number_type(element);
  if (element.data.left() % type.bytes != 0) element.data.damaged("an element ends inside a number");
  return element.data.numbers(type, rounded);
}

std::vector<std::int64_t> integers_of(const Element& element) {
  Index ignored = 0;
  if (element.type != mi_int32 && element.type != mi_uint32) element.data.damaged("whole numbers have another type");
  std::vector<std::int64_t> integers;
  for (const double value : Vector(numbers_of(element, ignored).col(0)))
    integers.push_back(static_cast<std::int64_t>(value));
  return integers;
}

std::string text_of(const Element& element) {
  if (element.type != mi_int8 && element.type != mi_uint8 && element.type != mi_utf8)
    element.data.damaged("a name has another type");
  MatBytes data = element.data;
  const std::string_view text = data.take(data.left());
  return std::string(text.substr(0, text.find('\0')));
}

std::string unpacked_variable(const MatBytes& packed, std::uint64_t size) {
  Inflated out = inflated(packed.rest(), zlib_stream, size);
  if (!out.ended || out.bytes.size() != size) packed.damaged("a compressed variable is cut off or changed");
  return std::move(out.bytes);
}

std::string class_name(std::uint32_t kind) {
  static const char* const names[] = {"",       "cell",   "struct", "object", "char",     "sparse",
                                      "double", "single", "int8",   "uint8",  "int16",    "uint16",
                                      "int32",  "uint32", "int64",  "uint64", "function", "object"};
  return kind < std::size(names) ? names[kind] : fmt::format("class {}", kind);
}

// A variable without its values. `body` is what its element holds, and stands behind the name afterwards.
MatVariable header_of(MatBytes& body, std::uint32_t& kind) {
  const Element flags = next_element(body);
  if (flags.type != mi_uint32 || flags.data.left() != 8) body.damaged("a variable has no flags");
  MatBytes words = flags.data;
  const auto word = words.number<std::uint32_t>();
  kind = word & 0xffu;
  MatVariable variable{.name = {}, .kind = class_name(kind), .complex = (word & 0x800u) != 0};
  const bool logical = (word & 0x200u) != 0;
  if (logical && kind != mx_sparse) variable.kind = "logical";
  if (kind == mx_sparse) variable.kind = logical ? "sparse logical" : "sparse double";
  if (kind == mx_opaque) {
    variable.name = text_of(next_element(body));
    next_element(body);  // the kind of object system
    variable.kind = text_of(next_element(body));
    return variable;
  }
  variable.size = integers_of(next_element(body));
  for (const std::int64_t extent : variable.size)
    if (extent < 0 || extent > std::numeric_limits<std::int32_t>::max()) body.damaged("a size is negative");
  if (variable.size.size() < 2) body.damaged("a variable has less than two dimensions");
  variable.name = text_of(next_element(body));
  return variable;
}

Matrix full_matrix(MatBytes body, const std::vector<std::int64_t>& size, std::uint64_t most_bytes, Index& rounded) {
  const Element element = next_element(body);
  const double wanted = static_cast<double>(size[0]) * static_cast<double>(size[1]);
  const std::size_t there = element.data.left() / number_type(element).bytes;
  if (wanted != static_cast<double>(there))
    body.damaged(fmt::format("a matrix of {} x {} has {} values", size[0], size[1], there));
  check_mat_memory(size, body.file(), most_bytes);
  Matrix values = numbers_of(element, rounded);
  values.resize(size[0], size[1]);
  return values;
}

Matrix sparse_matrix(MatBytes body, const MatVariable& variable, std::uint64_t most_bytes, Index& rounded) {
  SparseMatrix sparse{.rows = variable.size[0], .columns = variable.size[1], .by_row = false};
  sparse.indices = integers_of(next_element(body));
  sparse.starts = integers_of(next_element(body));
  Element values = next_element(body);
  // MATLAB writes logical values as bytes and says that they are doubles.
  if (variable.kind == "sparse logical" && values.data.left() == sparse.indices.size()) values.type = mi_uint8;
  sparse.values = numbers_of(values, rounded).col(0);
  // There may be room for more values than there are.
  const std::int64_t used = sparse.starts.empty() ? 0 : sparse.starts.back();
  if (used >= 0 && used <= static_cast<std::int64_t>(sparse.indices.size()) && used <= sparse.values.size()) {
    sparse.indices.resize(static_cast<std::size_t>(used));
    sparse.values.conservativeResize(used);
  }
  return dense_matrix(sparse, variable.name, body.file(), most_bytes);
}

Matrix values_of(MatBytes body, std::uint64_t most_bytes, Index& rounded) {
  std::uint32_t kind = 0;
  const MatVariable variable = header_of(body, kind);
  return kind == mx_sparse ? sparse_matrix(body, variable, most_bytes, rounded)
                           : full_matrix(body, variable.size, most_bytes, rounded);
}

bool numeric(std::uint32_t kind) { return kind >= mx_sparse && kind <= mx_uint64; }

MatVariable plain_variable(const MatBytes& body, std::uint64_t most_bytes) {
  MatBytes rest = body;
  std::uint32_t kind = 0;
  MatVariable variable = header_of(rest, kind);
  if (numeric(kind))
    variable.read = [body, most_bytes](Index& rounded) { return values_of(body, most_bytes, rounded); };
  return variable;
}

MatVariable compressed_variable(const MatBytes& packed, std::uint64_t most_bytes) {
  constexpr std::size_t enough_for_a_header = 4096;
  const std::string head = inflated(packed.rest(), zlib_stream, enough_for_a_header).bytes;
  MatBytes start(head, packed.swapped(), packed.file());
  if (start.number<std::uint32_t>() != mi_matrix) packed.damaged("a compressed element is no variable");
  const std::uint64_t size = start.number<std::uint32_t>();
  std::uint32_t kind = 0;
  MatVariable variable = header_of(start, kind);
  if (numeric(kind))
    variable.read = [packed, size, most_bytes](Index& rounded) {
      constexpr std::uint64_t tag = 8, deflate_ratio = 1040;
      if (size > packed.left() * deflate_ratio) packed.damaged("a variable claims more than was compressed");
      if (size > most_bytes)
        throw Error(
            Fault::resource, "input.too-large",
            fmt::format("a variable has {} bytes when unpacked, more than the {} that are allowed", size, most_bytes),
            "--max-bytes allows more, if the machine has the memory", {.file = packed.file()});
      const std::string bytes = unpacked_variable(packed, size + tag);
      return values_of(MatBytes(std::string_view(bytes).substr(tag), packed.swapped(), packed.file()), most_bytes,
                       rounded);
    };
  return variable;
}

}  // namespace

std::vector<MatVariable> mat5_variables(std::string_view bytes, const std::string& file, std::uint64_t most_bytes) {
  constexpr std::size_t header = 128, mark = 126;
  MatBytes rest(bytes, bytes.size() > mark && bytes[mark] == 'M', file);
  const std::string_view head = rest.take(header);
  if (head.substr(mark) != "IM" && head.substr(mark) != "MI") rest.damaged("its header has no byte order");
  std::vector<MatVariable> variables;
  while (!rest.done()) {
    const Element element = next_element(rest);
    if (element.type != mi_matrix && element.type != mi_compressed)
      rest.damaged(fmt::format("there is an element of type {} where a variable should be", element.type));
    MatVariable variable = element.type == mi_matrix ? plain_variable(element.data, most_bytes)
                                                     : compressed_variable(element.data, most_bytes);
    if (!variable.name.empty()) variables.push_back(std::move(variable));
  }
  return variables;
}

}  // namespace cda
