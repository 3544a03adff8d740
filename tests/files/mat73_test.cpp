#include <gtest/gtest.h>

#include <fstream>

#include "cda/files.hpp"
#include "files/hdf5_writer.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;
using format_tests::Creation;
using format_tests::Hdf5Writer;

class Mat73 : public testing::Test {
 protected:
  // `write` gets a file with MATLAB's room for a header, which is then filled in.
  template <class Write>
  void file_with(Write write) {
    {
      Hdf5Writer writer(path, 512);
      write(writer);
    }
    std::string head = "MATLAB 7.3 MAT-file, for a test";
    head.resize(124, ' ');
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << head << std::string("\0\2IM", 4);
  }
  static void variable(Hdf5Writer& writer, const std::string& name, const Matrix& values,
                       const std::string& kind = "double", hid_t type = H5T_IEEE_F64LE) {
    writer.numbers("/" + name, values.transpose(), type);
    writer.text_attribute("/" + name, "MATLAB_class", kind);
  }
  Table read(const ReadOptions& options = {}) { return read_table(path, options); }
  void expect_refused(const std::string& code, const std::string& part, const ReadOptions& options = {}) {
    const Error error = error_of([&] { read(options); });
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.place().file, path);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }

  Folder folder;
  std::string path = folder / "x.mat";
  Matrix values = Matrix::Random(4, 3);
};

TEST_F(Mat73, ReadsAMatrixByColumn) {
  file_with([&](Hdf5Writer& writer) {
    variable(writer, "a", values);
    writer.group("/#refs#");
    writer.numbers("/#refs#/b", values);
  });
  EXPECT_EQ(read().values, values);
  EXPECT_EQ(read().names, (std::vector<std::string>{"col_1", "col_2", "col_3"}));
}

// What is not asked for may be too large, or stored in a way that is not read.
TEST_F(Mat73, OnlyTheVariableAskedForHasToBeReadable) {
  file_with([&](Hdf5Writer& writer) {
    variable(writer, "a", values);
    variable(writer, "large", Matrix::Ones(1000, 100));
    Creation creation;
    creation.chunk({2, 2});
    H5Pset_scaleoffset(creation.id(), H5Z_SO_FLOAT_DSCALE, 2);
    writer.numbers("/odd", values.transpose(), H5T_IEEE_F64LE, creation.id());
    writer.text_attribute("/odd", "MATLAB_class", "double");
  });
  EXPECT_EQ(read({.variable = "a", .max_bytes = 500'000}).values, values);
  EXPECT_EQ(error_of([&] { read({.variable = "large", .max_bytes = 500'000}); }).fault(), Fault::resource);
  expect_refused("hdf5.filter", "scaleoffset", {.variable = "odd"});
}

TEST_F(Mat73, AClassIsShownHarmless) {
  file_with([&](Hdf5Writer& writer) {
    variable(writer, "a", values, "do\x1b[2Juble");
    variable(writer, "b", values);
  });
  const Error error = error_of([&] { read(); });
  EXPECT_EQ(error.code(), "mat.several");
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos) << error.what();
}

TEST_F(Mat73, SeveralVariablesAreListedAndOneIsChosen) {
  file_with([&](Hdf5Writer& writer) {
    variable(writer, "a", values);
    variable(writer, "flags", Matrix::Ones(2, 2), "logical", H5T_STD_U8LE);
    variable(writer, "word", Matrix::Ones(1, 5), "char", H5T_STD_U16LE);
    writer.group("/s");
    writer.text_attribute("/s", "MATLAB_class", "struct");
  });
  expect_refused("mat.several", "this file holds 2 matrices: \"a\" (double, 4 x 3), \"flags\" (logical, 2 x 2)");
  EXPECT_EQ(read({.variable = "flags"}).values, Matrix::Ones(2, 2));
  expect_refused("mat.class", "\"word\" (char, 1 x 5) is no matrix of numbers", {.variable = "word"});
  expect_refused("mat.class", "\"s\" (struct) is no matrix of numbers", {.variable = "s"});
}

TEST_F(Mat73, ReadsSparseMatrices) {
  file_with([](Hdf5Writer& writer) {
    writer.list("/s/data", {8, 7, 9});
    writer.list("/s/ir", {1, 0, 1}, H5T_STD_U64LE);
    writer.list("/s/jc", {0, 1, 2, 3}, H5T_STD_U64LE);
    writer.text_attribute("/s", "MATLAB_class", "double");
    writer.integer_attributes("/s", "MATLAB_sparse", {2});
  });
  Matrix dense(2, 3);
  dense << 0, 7, 0, 8, 0, 9;
  EXPECT_EQ(read().values, dense);
}

TEST_F(Mat73, WhatIsNoTableIsNamed) {
  file_with([](Hdf5Writer& writer) {
    variable(writer, "t", Matrix::Ones(1, 6), "table", H5T_STD_U32LE);
    writer.integer_attributes("/t", "MATLAB_object_decode", {3});
  });
  expect_refused("mat.table", "writetable(t, 'x.csv')");
  file_with([](Hdf5Writer& writer) {
    variable(writer, "e", Matrix::Zero(1, 2), "double", H5T_STD_U64LE);
    writer.integer_attributes("/e", "MATLAB_empty", {1});
  });
  expect_refused("mat.empty", "\"e\" (double, 0 x 0) is empty");
  file_with([](Hdf5Writer& writer) {
    const hid_t complex = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(complex, "real", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(complex, "imag", 8, H5T_NATIVE_DOUBLE);
    const double numbers[4] = {1, 2, 3, 4};
    writer.write("/z", complex, complex, {2, 1}, numbers, H5P_DEFAULT);
    H5Tclose(complex);
  });
  expect_refused("mat.complex", "holds complex numbers");
}

TEST_F(Mat73, LinksOutOfTheFileAreNotFollowed) {
  file_with(
      [](Hdf5Writer& writer) { H5Lcreate_external("other.mat", "/a", writer.file(), "a", H5P_DEFAULT, H5P_DEFAULT); });
  expect_refused("hdf5.external", "external links are not followed");
}

TEST_F(Mat73, DamagedFilesAreTablesOrErrors) {
  file_with([&](Hdf5Writer& writer) { variable(writer, "a", values); });
  const std::string content = folder.read("x.mat");
  for (std::size_t end = 0; end < content.size(); end += 97) {
    folder.write("x.mat", content.substr(0, end));
    EXPECT_EQ(error_of([&] { read(); }).place().file, path);
  }
}

}  // namespace
