// Two dimensions are read tile by tile, each a whole number of chunks, so that every chunk is unpacked once and little
// more than the result is in memory. The library converts sizes and byte orders; whole numbers of 64 bits are taken as
// such, to count those that a double cannot hold.
#include "data/hdf5_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/raw_numbers.hpp"
#include "foundation/utf8.hpp"

namespace cda::hdf5 {
namespace {

// What the library is asked for: an element, or a record with that one field.
Handle memory_type(hid_t element, const std::string& field) {
  if (field.empty()) return Handle(H5Tcopy(element));
  Handle record(H5Tcreate(H5T_COMPOUND, H5Tget_size(element)));
  H5Tinsert(record.id(), field.c_str(), 0, element);
  return record;
}

ElementType type_of(const Dataset& dataset, const std::string& field) {
  if (field.empty()) return element_type(dataset.type.handle.id());
  const int member = H5Tget_member_index(dataset.type.handle.id(), field.c_str());
  const Handle type(H5Tget_member_type(dataset.type.handle.id(), static_cast<unsigned>(std::max(member, 0))));
  return element_type(type.id());
}

class Tiles {
 public:
  Tiles(const File& file, const Dataset& dataset, hid_t element, const std::string& field)
      : file_(file),
        dataset_(dataset),
        type_(memory_type(element, field)),
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
          file_.failed("read " + quoted(dataset_.path, 200));
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

}  // namespace

Matrix read_numbers(const File& file, const Dataset& dataset, Index& rounded, Order order, const std::string& field) {
  check_rank(file, dataset, field.empty() ? 2 : 1);
  const ElementType type = type_of(dataset, field);
  if (type.kind != Kind::numbers)
    file.refuse("hdf5.type", fmt::format("{} does not hold numbers", dataset.described()));
  const auto down = static_cast<Index>(dataset.shape[0]);
  const auto across = static_cast<Index>(dataset.shape.size() > 1 ? dataset.shape[1] : 1);
  const bool turned = order == Order::by_column && dataset.shape.size() > 1;
  Matrix values(turned ? across : down, turned ? down : across);
  const auto put = [&](Index i, Index j, double value) { (turned ? values(j, i) : values(i, j)) = value; };
  if (type.wide && type.sign)
    Tiles(file, dataset, H5T_NATIVE_INT64, field).each<std::int64_t>([&](Index i, Index j, std::int64_t value) {
      put(i, j, nearest_double(value, rounded));
    });
  else if (type.wide)
    Tiles(file, dataset, H5T_NATIVE_UINT64, field).each<std::uint64_t>([&](Index i, Index j, std::uint64_t value) {
      put(i, j, nearest_double(value, rounded));
    });
  else
    Tiles(file, dataset, H5T_NATIVE_DOUBLE, field).each<double>(put);
  return values;
}

std::vector<std::int64_t> read_integers(const File& file, const std::string& path) {
  const Dataset dataset = file.dataset(path);
  check_rank(file, dataset, 1);
  if (H5Tget_class(dataset.type.handle.id()) != H5T_INTEGER)
    file.refuse("hdf5.type", fmt::format("{} does not hold whole numbers", dataset.described()));
  std::vector<std::int64_t> values(dataset.shape[0]);
  if (!values.empty() &&
      H5Dread(dataset.handle.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    file.failed("read " + quoted(dataset.path, 200));
  return values;
}

std::vector<std::string> read_texts(const File& file, const Dataset& dataset, const std::string& field) {
  check_rank(file, dataset, 1);
  const ElementType element = type_of(dataset, field);
  if (element.kind != Kind::text) file.refuse("hdf5.type", fmt::format("{} does not hold text", dataset.described()));
  const Handle text(H5Tis_variable_str(element.handle.id()) > 0
                        ? H5Tget_native_type(element.handle.id(), H5T_DIR_DEFAULT)
                        : H5Tcopy(element.handle.id()));
  const Handle type = memory_type(text.id(), field);
  const hsize_t count = dataset.shape[0];
  file.check_memory(quoted(dataset.path, 200),
                    static_cast<double>(count) * static_cast<double>(H5Tget_size(type.id())));
  std::vector<char> buffer(count * H5Tget_size(type.id()) + 1);
  if (count > 0 && H5Dread(dataset.handle.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()) < 0)
    file.failed("read " + quoted(dataset.path, 200));
  std::vector<std::string> texts = texts_from(buffer, count, text.id());
  for (const std::string& one : texts)
    if (!valid_utf8(one))
      file.refuse("text.encoding", fmt::format("the text {} in {} is not UTF-8", quoted(one), quoted(dataset.path)));
  return texts;
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
