// Two dimensions are read tile by tile, each a whole number of chunks, so that every chunk is unpacked once and little
// more than the result is in memory. The library converts sizes and byte orders; whole numbers of 64 bits are taken as
// such, to count those that a double cannot hold.
#include "files/hdf5/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/utf8.hpp"
#include "files/raw_numbers.hpp"

namespace cda::hdf5 {
namespace {

class Tiles {
 public:
  Tiles(const File& file, const Dataset& dataset, hid_t element)
      : file_(file),
        dataset_(dataset),
        type_(H5Tcopy(element)),
        space_(H5Dget_space(dataset.handle.id())),
        extent_{dataset.shape[0], dataset.shape.size() > 1 ? dataset.shape[1] : 1} {
    tile_[0] = dataset.chunk.empty() ? 1 : dataset.chunk[0];
    tile_[1] = dataset.chunk.size() > 1 ? dataset.chunk[1] : 1;
    constexpr hsize_t enough = hsize_t{1} << 20;  // elements
    for (const int side : {1, 0}) {
      tile_[side] = std::min(std::max<hsize_t>(tile_[side], 1), std::max<hsize_t>(extent_[side], 1));
      while (tile_[side] < extent_[side] && tile_[0] * tile_[1] < enough) tile_[side] *= 2;
    }
  }

  // take(i, j, value) for every element.
  template <class Element, class Take>
  void each(Take take) {
    std::vector<Element> buffer;
    for (hsize_t top = 0; top < extent_[0]; top += tile_[0])
      for (hsize_t left = 0; left < extent_[1]; left += tile_[1]) {
        const hsize_t count[2] = {std::min(tile_[0], extent_[0] - top), std::min(tile_[1], extent_[1] - left)};
        const hsize_t begin[2] = {top, left}, elements = count[0] * count[1];
        buffer.resize(elements);
        const Handle memory(H5Screate_simple(1, &elements, nullptr));
        if (H5Sselect_hyperslab(space_.id(), H5S_SELECT_SET, begin, nullptr, count, nullptr) < 0 ||
            H5Dread(dataset_.handle.id(), type_.id(), memory.id(), space_.id(), H5P_DEFAULT, buffer.data()) < 0)
          file_.failed("read " + in_quotes(dataset_.path, 200));
        const Element* next = buffer.data();
        for (hsize_t i = 0; i < count[0]; ++i)
          for (hsize_t j = 0; j < count[1]; ++j)
            take(static_cast<Index>(top + i), static_cast<Index>(left + j), *next++);
      }
  }

 private:
  const File& file_;
  const Dataset& dataset_;
  Handle type_, space_;
  hsize_t extent_[2], tile_[2];
};

void check_rank(const File& file, const Dataset& dataset, std::size_t most) {
  if (dataset.shape.empty() || dataset.shape.size() > most)
    file.refuse("hdf5.shape",
                fmt::format("{} is no {}", dataset.described(), most == 1 ? "list" : "table: that has two dimensions"));
}

// How the library is to put texts into memory.
Handle text_in_memory(const ElementType& type) {
  const bool variable = H5Tis_variable_str(type.handle.id()) > 0;
  return Handle(variable ? H5Tget_native_type(type.handle.id(), H5T_DIR_DEFAULT) : H5Tcopy(type.handle.id()));
}

void check_utf8(const File& file, const Dataset& dataset, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (!valid_utf8(text))
      file.refuse("text.encoding",
                  fmt::format("the text {} in {} is not UTF-8", in_quotes(text), in_quotes(dataset.path)));
}

// Of one dimension.
template <class Whole>
std::vector<Whole> whole_numbers(const File& file, const Dataset& dataset, hid_t type) {
  check_rank(file, dataset, 1);
  std::vector<Whole> values(dataset.shape[0]);
  if (!values.empty() && H5Dread(dataset.handle.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    file.failed("read " + in_quotes(dataset.path, 200));
  return values;
}

// Records in memory: the fields that can be read, one after the other.
class Records {
 public:
  explicit Records(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      Handle type;
      if (field.type.kind == Kind::text)
        type = text_in_memory(field.type);
      else if (field.type.kind == Kind::numbers)
        type = Handle(H5Tcopy(!field.type.wide  ? H5T_NATIVE_DOUBLE
                              : field.type.sign ? H5T_NATIVE_INT64
                                                : H5T_NATIVE_UINT64));
      members_.push_back({&field, bytes_, std::move(type)});
      if (members_.back().type.valid()) bytes_ += H5Tget_size(members_.back().type.id());
    }
    if (bytes_ == 0) return;
    record_ = Handle(H5Tcreate(H5T_COMPOUND, bytes_));
    for (const Member& member : members_)
      if (member.type.valid()) H5Tinsert(record_.id(), member.field->name.c_str(), member.offset, member.type.id());
  }

  std::size_t bytes() const { return bytes_; }
  hid_t type() const { return record_.id(); }

  // `count` records, which are rows from `begin` on.
  void take(const std::vector<char>& buffer, hsize_t count, Index begin, std::vector<FieldValues>& values,
            Index& rounded) const {
    for (std::size_t f = 0; f < members_.size(); ++f) {
      const Member& member = members_[f];
      const ElementType& type = member.field->type;
      const char* first = buffer.data() + member.offset;
      if (type.kind == Kind::text) {
        std::vector<std::string> texts = texts_from(first, bytes_, count, member.type.id());
        std::move(texts.begin(), texts.end(), std::back_inserter(values[f].texts));
      } else if (type.kind == Kind::numbers) {
        for (hsize_t i = 0; i < count; ++i, first += bytes_)
          values[f].numbers(begin + static_cast<Index>(i), 0) =
              !type.wide  ? number<double>(first)
              : type.sign ? nearest_double(number<std::int64_t>(first), rounded)
                          : nearest_double(number<std::uint64_t>(first), rounded);
      }
    }
  }

 private:
  struct Member {
    const Field* field;
    std::size_t offset;
    Handle type;  // none where it is not read
  };
  template <class Number>
  static Number number(const char* from) {
    Number value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }

  std::vector<Member> members_;
  std::size_t bytes_ = 0;
  Handle record_;
};

}  // namespace

Matrix read_numbers(const File& file, const Dataset& dataset, Index& rounded, Order order) {
  check_rank(file, dataset, 2);
  const ElementType& type = dataset.type;
  if (type.kind != Kind::numbers)
    file.refuse("hdf5.type", fmt::format("{} does not hold numbers", dataset.described()));
  const auto down = static_cast<Index>(dataset.shape[0]);
  const auto across = static_cast<Index>(dataset.shape.size() > 1 ? dataset.shape[1] : 1);
  const bool turned = order == Order::by_column && dataset.shape.size() > 1;
  Matrix values(turned ? across : down, turned ? down : across);
  const auto put = [&](Index i, Index j, double value) { (turned ? values(j, i) : values(i, j)) = value; };
  if (type.wide && type.sign)
    Tiles(file, dataset, H5T_NATIVE_INT64).each<std::int64_t>([&](Index i, Index j, std::int64_t value) {
      put(i, j, nearest_double(value, rounded));
    });
  else if (type.wide)
    Tiles(file, dataset, H5T_NATIVE_UINT64).each<std::uint64_t>([&](Index i, Index j, std::uint64_t value) {
      put(i, j, nearest_double(value, rounded));
    });
  else
    Tiles(file, dataset, H5T_NATIVE_DOUBLE).each<double>(put);
  return values;
}

std::vector<std::int64_t> read_integers(const File& file, const std::string& path) {
  const Dataset dataset = file.dataset(path);
  if (H5Tget_class(dataset.type.handle.id()) != H5T_INTEGER)
    file.refuse("hdf5.type", fmt::format("{} does not hold whole numbers", dataset.described()));
  return whole_numbers<std::int64_t>(file, dataset, H5T_NATIVE_INT64);
}

std::vector<std::string> read_texts(const File& file, const Dataset& dataset) {
  check_rank(file, dataset, 1);
  if (dataset.type.kind != Kind::text)
    file.refuse("hdf5.type", fmt::format("{} does not hold text", dataset.described()));
  const Handle type = text_in_memory(dataset.type);
  const std::size_t bytes = H5Tget_size(type.id());
  const hsize_t count = dataset.shape[0];
  file.check_memory(in_quotes(dataset.path, 200), static_cast<double>(count) * static_cast<double>(bytes));
  std::vector<char> buffer(count * bytes + 1);
  if (count > 0 && H5Dread(dataset.handle.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()) < 0)
    file.failed("read " + in_quotes(dataset.path, 200));
  std::vector<std::string> texts = texts_from(buffer.data(), bytes, count, type.id());
  check_utf8(file, dataset, texts);
  return texts;
}

std::vector<std::string> read_names(const File& file, const Dataset& dataset) {
  if (dataset.type.kind == Kind::text) return read_texts(file, dataset);
  std::vector<std::string> names;
  if (H5Tget_class(dataset.type.handle.id()) == H5T_INTEGER && dataset.type.kind == Kind::numbers) {
    if (dataset.type.sign)
      for (const auto value : whole_numbers<std::int64_t>(file, dataset, H5T_NATIVE_INT64))
        names.push_back(std::to_string(value));
    else
      for (const auto value : whole_numbers<std::uint64_t>(file, dataset, H5T_NATIVE_UINT64))
        names.push_back(std::to_string(value));
    return names;
  }
  Index rounded = 0;
  check_rank(file, dataset, 1);
  const Matrix numbers = read_numbers(file, dataset, rounded);
  for (const double value : numbers.col(0)) names.push_back(fmt::format("{}", value));
  return names;
}

std::vector<FieldValues> read_fields(const File& file, const Dataset& dataset, const std::vector<Field>& fields,
                                     Index& rounded) {
  check_rank(file, dataset, 1);
  const hsize_t rows = dataset.shape[0];
  Records records(fields);
  file.check_memory(in_quotes(dataset.path, 200),
                    static_cast<double>(rows) * static_cast<double>(std::max<std::size_t>(records.bytes(), 1)));
  std::vector<FieldValues> values(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f].type.kind == Kind::numbers) values[f].numbers.resize(static_cast<Index>(rows), 1);
  if (records.bytes() == 0) return values;
  // A whole number of chunks at a time, so that each is unpacked once.
  constexpr hsize_t enough = hsize_t{1} << 20;  // bytes
  hsize_t at_once = std::max<hsize_t>(1, dataset.chunk.empty() ? 1 : dataset.chunk[0]);
  while (at_once < rows && at_once * records.bytes() < enough) at_once *= 2;
  const Handle space(H5Dget_space(dataset.handle.id()));
  std::vector<char> buffer;
  for (hsize_t begin = 0; begin < rows; begin += at_once) {
    const hsize_t count = std::min(at_once, rows - begin);
    buffer.resize(count * records.bytes());
    const Handle memory(H5Screate_simple(1, &count, nullptr));
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr) < 0 ||
        H5Dread(dataset.handle.id(), records.type(), memory.id(), space.id(), H5P_DEFAULT, buffer.data()) < 0)
      file.failed("read " + in_quotes(dataset.path, 200));
    records.take(buffer, count, static_cast<Index>(begin), values, rounded);
    H5Dvlen_reclaim(records.type(), memory.id(), H5P_DEFAULT, buffer.data());
  }
  for (const FieldValues& each : values) check_utf8(file, dataset, each.texts);
  return values;
}

std::vector<Field> fields_of(const Dataset& dataset) {
  std::vector<Field> fields;
  const hid_t record = dataset.type.handle.id();
  for (int i = 0; i < H5Tget_nmembers(record); ++i) {
    char* name = H5Tget_member_name(record, static_cast<unsigned>(i));
    const Handle type(H5Tget_member_type(record, static_cast<unsigned>(i)));
    fields.push_back({name != nullptr ? name : "", element_type(type.id())});
    H5free_memory(name);
  }
  return fields;
}

}  // namespace cda::hdf5
