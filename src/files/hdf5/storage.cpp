// How a dataset lies in the file, what its elements are, and attributes. Deflate makes at most 1032 bytes of one, so a
// dataset that claims more than that times what is stored for it holds nothing but fill values, and a claim beyond the
// file is a lie: neither is allocated.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>

#include "base/utf8.hpp"
#include "files/hdf5/file.hpp"

namespace cda::hdf5 {
namespace {

constexpr H5Z_filter_t of_others = 256;  // numbers below are the library's own, which h5repack knows
constexpr double deflate_ratio = 1032.0;
constexpr double never_written = 16.0 * (1 << 20);  // bytes that may be fill values only

std::string filter_name(H5Z_filter_t filter) {
  static const std::map<H5Z_filter_t, std::string> names{
      {4, "szip"},      {5, "nbit"},    {6, "scaleoffset"},    {305, "lzo"},   {307, "bzip2"},  {32000, "lzf"},
      {32001, "blosc"}, {32004, "lz4"}, {32008, "bitshuffle"}, {32013, "zfp"}, {32015, "zstd"}, {32026, "blosc2"}};
  const auto known = names.find(filter);
  return known != names.end() ? known->second : fmt::format("number {}", filter);
}

bool is_boolean(hid_t type) {
  if (H5Tget_nmembers(type) != 2) return false;
  for (const unsigned member : {0u, 1u}) {
    char* name = H5Tget_member_name(type, member);
    const std::string text = name != nullptr ? name : "";
    H5free_memory(name);
    if (text != "FALSE" && text != "TRUE") return false;
  }
  return true;
}

bool has_field(hid_t type, const char* name) { return H5Tget_member_index(type, name) >= 0; }

std::string class_words(H5T_class_t kind) {
  switch (kind) {
    case H5T_REFERENCE:
      return "references";
    case H5T_OPAQUE:
      return "opaque bytes";
    case H5T_BITFIELD:
      return "bit fields";
    case H5T_TIME:
      return "times";
    case H5T_VLEN:
      return "lists of varying length";
    case H5T_ARRAY:
      return "arrays";
    case H5T_ENUM:
      return "named values";
    default:
      return "of an unknown type";
  }
}

}  // namespace

ElementType element_type(hid_t type) {
  ElementType element{.handle = Handle(H5Tcopy(type))};
  const H5T_class_t kind = H5Tget_class(type);
  const std::size_t bytes = H5Tget_size(type);
  if (kind == H5T_INTEGER && bytes <= 8) {
    element.kind = Kind::numbers;
    element.sign = H5Tget_sign(type) != H5T_SGN_NONE;
    element.wide = H5Tget_precision(type) > 53;
    element.words = fmt::format("{}int{}", element.sign ? "" : "u", bytes * 8);
  } else if (kind == H5T_FLOAT) {
    element.kind = Kind::numbers;
    element.words = fmt::format("float{}", bytes * 8);
  } else if (kind == H5T_ENUM && is_boolean(type)) {
    element.kind = Kind::numbers;
    element.words = "boolean";
  } else if (kind == H5T_STRING) {
    element.kind = Kind::text;
    element.words = "text";
  } else if (kind == H5T_COMPOUND) {
    const bool complex = H5Tget_nmembers(type) == 2 && ((has_field(type, "r") && has_field(type, "i")) ||
                                                        (has_field(type, "real") && has_field(type, "imag")));
    element.kind = complex ? Kind::other : Kind::records;
    element.words = complex ? "complex numbers" : fmt::format("records of {} fields", H5Tget_nmembers(type));
  } else {
    element.words = kind == H5T_INTEGER ? fmt::format("whole numbers of {} bytes", bytes) : class_words(kind);
  }
  return element;
}

void File::check_storage(const Dataset& dataset) const {
  const std::string name = in_quotes(dataset.path, 200);
  const Handle made(H5Dget_create_plist(dataset.handle.id()));
  const int filters = H5Pget_nfilters(made.id());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, configuration = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(made.id(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &configuration);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      refuse("hdf5.filter",
             fmt::format("{} is stored through the filter {}, which is not read", name, filter_name(filter)),
             filter < of_others ? "h5repack -f GZIP=4 IN OUT" : "write it again with compression=\"gzip\"");
  }
  const auto element_bytes =
      static_cast<double>(H5Tget_size(dataset.type.handle.valid() ? dataset.type.handle.id() : H5T_NATIVE_DOUBLE));
  double elements = 1.0, chunk_bytes = element_bytes;
  for (const hsize_t extent : dataset.shape) elements *= static_cast<double>(extent);
  for (const hsize_t extent : dataset.chunk) chunk_bytes *= static_cast<double>(extent);
  const double claimed = elements * element_bytes, file_bytes = static_cast<double>(bytes_);
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset.handle.id()));
  const double possible = (filters > 0 ? deflate_ratio : 1.0) * stored + never_written;
  if (stored > file_bytes || claimed > possible || (!dataset.chunk.empty() && chunk_bytes > claimed + possible))
    refuse("hdf5.claims",
           fmt::format("{} claims to be {}, {:.0f} bytes, but {:.0f} are stored in a file of {}", name,
                       shape_text(dataset.shape), claimed, stored, bytes_),
           "the file is damaged or incomplete: copy it again");
  check_memory(name, std::max(elements * sizeof(double), chunk_bytes));
}

Handle File::attribute(const std::string& path, const std::string& name, hsize_t& count) const {
  const Handle object = open(path);
  if (H5Aexists(object.id(), name.c_str()) <= 0) return {};
  Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT));
  const Handle space(attribute.valid() ? H5Aget_space(attribute.id()) : -1);
  const Handle type(attribute.valid() ? H5Aget_type(attribute.id()) : -1);
  const hssize_t points = space.valid() && type.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (points < 0) failed(fmt::format("read the attribute {} of {}", in_quotes(name), in_quotes(absolute(path), 200)));
  if (static_cast<double>(points) * static_cast<double>(H5Tget_size(type.id())) > static_cast<double>(bytes_))
    refuse("hdf5.claims", fmt::format("the attribute {} of {} claims {} values, more than the file can hold",
                                      in_quotes(name), in_quotes(absolute(path), 200), points));
  count = static_cast<hsize_t>(points);
  return attribute;
}

std::vector<std::string> texts_from(const char* first, std::size_t stride, hsize_t count, hid_t type) {
  std::vector<std::string> texts;
  texts.reserve(count);
  const std::size_t size = H5Tget_size(type);
  const bool variable = H5Tis_variable_str(type) > 0, blanks = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  for (hsize_t i = 0; i < count; ++i) {
    const char* at = first + i * stride;
    if (variable) {
      const char* text = nullptr;
      std::memcpy(&text, at, sizeof text);
      texts.emplace_back(text != nullptr ? text : "");
      continue;
    }
    std::string text(at, ::strnlen(at, size));
    if (blanks) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> File::text_attributes(const std::string& path, const std::string& name) const {
  hsize_t count = 0;
  const Handle attribute = this->attribute(path, name, count);
  if (!attribute.valid()) return {};
  const Handle type(H5Aget_type(attribute.id()));
  if (H5Tget_class(type.id()) != H5T_STRING) return {};
  const Handle native(H5Tis_variable_str(type.id()) > 0 ? H5Tget_native_type(type.id(), H5T_DIR_DEFAULT)
                                                        : H5Tcopy(type.id()));
  std::vector<char> buffer(count * H5Tget_size(native.id()) + 1);
  if (count > 0 && H5Aread(attribute.id(), native.id(), buffer.data()) < 0)
    failed(fmt::format("read the attribute {} of {}", in_quotes(name), in_quotes(absolute(path), 200)));
  return texts_from(buffer.data(), H5Tget_size(native.id()), count, native.id());
}

std::optional<std::string> File::text_attribute(const std::string& path, const std::string& name) const {
  std::vector<std::string> texts = text_attributes(path, name);
  if (texts.size() != 1) return std::nullopt;
  return texts.front();
}

std::optional<double> File::number_attribute(const std::string& path, const std::string& name) const {
  hsize_t count = 0;
  const Handle attribute = this->attribute(path, name, count);
  if (!attribute.valid() || count != 1) return std::nullopt;
  const Handle type(H5Aget_type(attribute.id()));
  if (H5Tget_class(type.id()) != H5T_INTEGER && H5Tget_class(type.id()) != H5T_FLOAT) return std::nullopt;
  double value = 0.0;
  if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value) < 0)
    failed(fmt::format("read the attribute {} of {}", in_quotes(name), in_quotes(absolute(path), 200)));
  return value;
}

std::vector<std::int64_t> File::integer_attributes(const std::string& path, const std::string& name) const {
  hsize_t count = 0;
  const Handle attribute = this->attribute(path, name, count);
  if (!attribute.valid()) return {};
  const Handle type(H5Aget_type(attribute.id()));
  if (H5Tget_class(type.id()) != H5T_INTEGER) return {};
  std::vector<std::int64_t> values(count);
  if (count > 0 && H5Aread(attribute.id(), H5T_NATIVE_INT64, values.data()) < 0)
    failed(fmt::format("read the attribute {} of {}", in_quotes(name), in_quotes(absolute(path), 200)));
  return values;
}

}  // namespace cda::hdf5
