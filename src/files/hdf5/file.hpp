// An HDF5 file, read with distrust: what it links to, how it stores things and how large they claim to be is looked at
// before anything is read. Only for use in a child process (files/isolated.hpp).
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cda/error.hpp"
#include "cda/types.hpp"
#include "files/input_file.hpp"

namespace cda::hdf5 {

// Something the library has open; closed in the end.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
};

enum class Kind { numbers, text, records, other };

// The elements of a dataset, or of one field of its records.
struct ElementType {
  Kind kind = Kind::other;
  std::string words = {};  // "int32", "text", "complex numbers"
  bool wide = false;       // whole numbers that a double may not hold
  bool sign = true;        // of whole numbers
  Handle handle = {};      // as the file has it
};
ElementType element_type(hid_t type);

struct Dataset {
  std::string path;
  Handle handle = {};
  ElementType type = {};
  std::vector<hsize_t> shape = {};
  std::vector<hsize_t> chunk = {};  // empty where it lies in one piece

  std::string described() const;  // "/group/data (float64, 100 x 5)"
};
std::string shape_text(const std::vector<hsize_t>& shape);

class File {
 public:
  explicit File(const InputFile& file);

  const std::string& shown() const { return shown_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

  bool has(const std::string& path) const;       // an object of this file that can be reached
  bool has_link(const std::string& path) const;  // the same, or a link that leads nowhere or out of the file
  bool is_group(const std::string& path) const;
  // Throws where it is not there, not a dataset, stored elsewhere or in a way that is not read, or claims more than the
  // file can hold.
  Dataset dataset(const std::string& path) const;
  Dataset listed(const std::string& path) const;  // for lists: also one that dataset() would refuse
  // Where a person asked for this path and it is not there, that is a wrong request, not a wrong file.
  void check_asked_for(const std::string& path) const;
  std::vector<std::string> names_in(const std::string& group) const;
  // All datasets that groups hold, each once, by path; also those that dataset() would refuse.
  std::vector<Dataset> datasets() const;

  std::optional<std::string> text_attribute(const std::string& path, const std::string& name) const;
  std::vector<std::string> text_attributes(const std::string& path, const std::string& name) const;  // empty: none
  std::optional<double> number_attribute(const std::string& path, const std::string& name) const;
  std::vector<std::int64_t> integer_attributes(const std::string& path, const std::string& name) const;

  [[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& hint = {}) const;
  // The same with what the library says of its last failure.
  [[noreturn]] void failed(const std::string& deed) const;
  // Throws where that many bytes of memory are more than allowed.
  void check_memory(const std::string& what, double bytes) const;

 private:
  Handle open(const std::string& path, Fault absent = Fault::input) const;
  Dataset listed(const std::string& path, Handle object) const;
  Dataset looked_at(const std::string& path, Handle handle) const;
  void check_storage(const Dataset& dataset) const;
  void collect(const std::string& group, std::vector<Dataset>& found, std::set<haddr_t>& visited) const;
  Handle attribute(const std::string& path, const std::string& name, hsize_t& count) const;

  std::string shown_;
  std::uint64_t bytes_ = 0, most_bytes_ = 0;
  Handle handle_;
};

// Texts that the library put from `first` on, `stride` bytes apart, for `count` elements of this type: fixed or
// variable, padded or not.
std::vector<std::string> texts_from(const char* first, std::size_t stride, hsize_t count, hid_t type);

// A path without a slash at its end, and with one in front: "/group/data".
std::string absolute(const std::string& path);

}  // namespace cda::hdf5
