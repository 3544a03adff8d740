// Small HDF5 files for tests, of every kind there is.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cda/types.hpp"

namespace cda::format_tests {

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path, hsize_t user_block = 0) {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, user_block);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
    EXPECT_GE(file_, 0);
    links_ = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links_, 1);
  }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  ~Hdf5Writer() {
    H5Pclose(links_);
    H5Fclose(file_);
  }
  hid_t file() const { return file_; }

  // As `type` in the file; creation properties as given.
  void numbers(const std::string& path, const Matrix& values, hid_t type = H5T_IEEE_F64LE,
               hid_t creation = H5P_DEFAULT) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_row = values;
    write(path, type, H5T_NATIVE_DOUBLE, {static_cast<hsize_t>(values.rows()), static_cast<hsize_t>(values.cols())},
          by_row.data(), creation);
  }
  void list(const std::string& path, const std::vector<double>& values, hid_t type = H5T_IEEE_F64LE) {
    write(path, type, H5T_NATIVE_DOUBLE, {values.size()}, values.data(), H5P_DEFAULT);
  }
  void texts(const std::string& path, const std::vector<std::string>& values) {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    const hid_t type = text_type();
    write(path, type, type, {values.size()}, pointers.data(), H5P_DEFAULT);
    H5Tclose(type);
  }
  void group(const std::string& path) { H5Gclose(H5Gcreate2(file_, path.c_str(), links_, H5P_DEFAULT, H5P_DEFAULT)); }
  // A dataset of this shape that nothing is written to.
  void claim(const std::string& path, const std::vector<hsize_t>& shape, hid_t creation = H5P_DEFAULT) {
    write(path, H5T_IEEE_F64LE, H5T_IEEE_F64LE, shape, nullptr, creation);
  }
  void write(const std::string& path, hid_t type, hid_t memory, const std::vector<hsize_t>& shape, const void* values,
             hid_t creation) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file_, path.c_str(), type, space, links_, creation, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << path;
    const herr_t written = values == nullptr ? 0 : H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    EXPECT_GE(written, 0) << path;
    H5Dclose(dataset);
    H5Sclose(space);
  }

  void text_attribute(const std::string& path, const std::string& name, const std::string& value) {
    const char* pointer = value.c_str();
    const hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
    attribute(path, name, type, type, space, &pointer);
    H5Tclose(type);
  }
  void text_attributes(const std::string& path, const std::string& name, const std::vector<std::string>& values) {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    const hsize_t count = values.size();
    const hid_t type = text_type(), space = H5Screate_simple(1, &count, nullptr);
    attribute(path, name, type, type, space, pointers.data());
    H5Tclose(type);
  }
  void integer_attributes(const std::string& path, const std::string& name, const std::vector<std::int64_t>& values) {
    const hsize_t count = values.size();
    attribute(path, name, H5T_STD_I64LE, H5T_NATIVE_INT64, H5Screate_simple(1, &count, nullptr), values.data());
  }

  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

 private:
  void attribute(const std::string& path, const std::string& name, hid_t type, hid_t memory, hid_t space,
                 const void* values) {
    const hid_t object = H5Oopen(file_, path.c_str(), H5P_DEFAULT);
    const hid_t made = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, memory, values), 0) << path << " " << name;
    H5Aclose(made);
    H5Sclose(space);
    H5Oclose(object);
  }

  hid_t file_ = -1, links_ = -1;
};

// Creation properties of a dataset, closed in the end.
class Creation {
 public:
  Creation() : id_(H5Pcreate(H5P_DATASET_CREATE)) {}
  Creation(const Creation&) = delete;
  Creation& operator=(const Creation&) = delete;
  ~Creation() { H5Pclose(id_); }
  hid_t id() const { return id_; }
  Creation& chunk(const std::vector<hsize_t>& shape) {
    H5Pset_chunk(id_, static_cast<int>(shape.size()), shape.data());
    return *this;
  }

 private:
  hid_t id_;
};

}  // namespace cda::format_tests
