#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cda/files.hpp"
#include "files/hdf5_writer.hpp"
#include "files/support.hpp"

namespace {

using namespace cda;
using data_tests::error_of;
using data_tests::Folder;
using format_tests::Hdf5Writer;
using Names = std::vector<std::string>;

//   X = 1 0 2
//       0 0 3
class AnnData : public testing::Test {
 protected:
  AnnData() { expected << 1, 0, 2, 0, 0, 3; }

  Table read(const ReadOptions& options = {}) {
    warnings.clear();
    return read_table(path, options, &warnings);
  }
  void expect_refused(const std::string& code, const std::string& part, const ReadOptions& options = {}) {
    const Error error = error_of([&] { read(options); });
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.place().file, path);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }

  static void frame(Hdf5Writer& writer, const std::string& path, const std::string& index, const Names& names,
                    const Names& columns = {}) {
    writer.group(path);
    writer.text_attribute(path, "encoding-type", "dataframe");
    writer.text_attribute(path, "_index", index);
    if (!columns.empty()) writer.text_attributes(path, "column-order", columns);
    writer.texts(path + "/" + index, names);
  }
  struct Parts {
    std::vector<double> values = {1, 2, 3}, indices = {0, 2, 2}, starts = {0, 2, 3};
    std::vector<std::int64_t> shape = {2, 3};
  };
  static void sparse(Hdf5Writer& writer, const std::string& path, const std::string& encoding, const Parts& parts) {
    writer.group(path);
    writer.text_attribute(path, "encoding-type", encoding);
    writer.integer_attributes(path, "shape", parts.shape);
    writer.list(path + "/data", parts.values, H5T_IEEE_F32LE);
    writer.list(path + "/indices", parts.indices, H5T_STD_I32LE);
    writer.list(path + "/indptr", parts.starts, H5T_STD_I64LE);
  }
  static void frames(Hdf5Writer& writer) {
    writer.text_attribute("/", "encoding-type", "anndata");
    frame(writer, "/obs", "_index", {"cell 1", "cell 2"});
    frame(writer, "/var", "gene", {"A", "B", "C"});
  }
  void write_sparse(const Parts& parts) {
    Hdf5Writer writer(path);
    frames(writer);
    sparse(writer, "/X", "csr_matrix", parts);
  }

  Folder folder;
  std::string path = folder / "x.h5ad";
  Matrix expected = Matrix(2, 3);
  std::vector<std::string> warnings;
};

TEST_F(AnnData, ReadsDenseAndSparseWithTheNamesOfRowsAndColumns) {
  for (const std::string kind : {"dense", "csr_matrix", "csc_matrix"}) {
    {
      Hdf5Writer writer(path);
      frames(writer);
      if (kind == "dense") writer.numbers("/X", expected, H5T_IEEE_F32LE);
      if (kind == "csr_matrix") sparse(writer, "/X", kind, {});
      if (kind == "csc_matrix")
        sparse(writer, "/X", kind, {.values = {1, 2, 3}, .indices = {0, 0, 1}, .starts = {0, 1, 1, 3}});
    }
    const Table table = read();
    EXPECT_EQ(table.values, expected) << kind;
    EXPECT_EQ(table.names, (Names{"A", "B", "C"}));
    EXPECT_EQ(table.index, (Names{"cell 1", "cell 2"}));
    EXPECT_EQ(table.index_name, "index");
    EXPECT_TRUE(warnings.empty());
  }
}

TEST_F(AnnData, ReadsTheSparseFormAndFramesOfOlderVersions) {
  struct Row {
    const char* index;
    std::int8_t kind;
  };
  {
    Hdf5Writer writer(path);
    sparse(writer, "/X", "", {});
    H5Adelete_by_name(writer.file(), "/X", "encoding-type", H5P_DEFAULT);
    H5Adelete_by_name(writer.file(), "/X", "shape", H5P_DEFAULT);
    writer.text_attribute("/X", "h5sparse_format", "csr");
    writer.integer_attributes("/X", "h5sparse_shape", {2, 3});
    const hid_t text = Hdf5Writer::text_type(), type = H5Tcreate(H5T_COMPOUND, sizeof(Row));
    H5Tinsert(type, "index", HOFFSET(Row, index), text);
    H5Tinsert(type, "kind", HOFFSET(Row, kind), H5T_NATIVE_INT8);
    const Row cells[] = {{"cell 1", 1}, {"cell 2", -1}}, genes[] = {{"A", 0}, {"B", 0}, {"C", 0}};
    writer.write("/obs", type, type, {2}, cells, H5P_DEFAULT);
    writer.write("/var", type, type, {3}, genes, H5P_DEFAULT);
    writer.texts("/uns/kind_categories", {"bright", "dim"});
    H5Tclose(type);
    H5Tclose(text);
  }
  EXPECT_EQ(read().values, expected);
  EXPECT_EQ(read().names, (Names{"A", "B", "C"}));
  EXPECT_EQ(read().index, (Names{"cell 1", "cell 2"}));
  const Table obs = read({.encode = {{"kind"}}, .variable = "obs"});
  EXPECT_EQ(obs.names, (Names{"kind=dim"}));
  EXPECT_EQ(obs.values(0, 0), 1.0);
  EXPECT_TRUE(std::isnan(obs.values(1, 0)));
}

TEST_F(AnnData, OtherMatricesAreAskedForByName) {
  {
    Hdf5Writer writer(path);
    frames(writer);
    writer.numbers("/X", expected);
    sparse(writer, "/layers/counts", "csr_matrix", {.values = {4, 5, 6}});
    writer.numbers("/obsm/X_pca", Matrix::Identity(2, 2));
    writer.numbers("/raw/X", Matrix::Ones(2, 4));
    frame(writer, "/raw/var", "_index", {"A", "B", "C", "D"});
    writer.numbers("/varm/PCs", Matrix::Ones(3, 2));
  }
  EXPECT_EQ(read({.variable = "layers/counts"}).values(1, 2), 6.0);
  EXPECT_EQ(read({.variable = "layers/counts"}).names, (Names{"A", "B", "C"}));
  EXPECT_EQ(read({.variable = "obsm/X_pca"}).names, (Names{"X_pca_1", "X_pca_2"}));
  EXPECT_EQ(read({.variable = "obsm/X_pca"}).index, (Names{"cell 1", "cell 2"}));
  EXPECT_EQ(read({.variable = "/raw/X"}).names, (Names{"A", "B", "C", "D"}));
  EXPECT_EQ(read({.variable = "varm/PCs"}).index, (Names{"A", "B", "C"}));
  expect_refused("anndata.missing", "has no \"layers/other\" (hint: --variable takes \"X\", \"raw/X\"",
                 {.variable = "layers/other"});
}

TEST_F(AnnData, ReadsDataFrames) {
  {
    Hdf5Writer writer(path);
    writer.numbers("/X", expected);
    frame(writer, "/var", "_index", {"A", "B", "C"});
    frame(writer, "/obs", "barcode", {"c1", "c2"}, {"size", "label", "kind", "older", "group", "maybe"});
    writer.list("/obs/size", {7, 8}, H5T_STD_I32LE);
    writer.texts("/obs/label", {"x", "y"});
    writer.list("/obs/kind/codes", {1, -1}, H5T_STD_I8LE);
    writer.texts("/obs/kind/categories", {"k0", "k1"});
    writer.list("/obs/older", {0, 1}, H5T_STD_I8LE);
    writer.texts("/obs/__categories/older", {"o0", "o1"});
    writer.list("/obs/group/codes", {1, 0}, H5T_STD_I8LE);
    writer.list("/obs/group/categories", {10, 20}, H5T_STD_I64LE);
    writer.list("/obs/maybe/values", {5, 6}, H5T_STD_I64LE);
    writer.list("/obs/maybe/mask", {1, 0}, H5T_STD_U8LE);
  }
  const Table table = read({.exclude = {"label"}, .encode = {{"kind"}, {"older"}}, .variable = "obs"});
  EXPECT_EQ(table.names, (Names{"size", "kind=k1", "older=o0", "older=o1", "group", "maybe"}));
  EXPECT_EQ(table.index_name, "barcode");
  EXPECT_EQ(table.index, (Names{"c1", "c2"}));
  EXPECT_EQ(table.values(1, 0), 8.0);
  EXPECT_EQ(table.values(0, 1), 1.0);
  EXPECT_TRUE(std::isnan(table.values(1, 1)));
  EXPECT_EQ(table.values(1, 3), 1.0);
  EXPECT_EQ(table.values(0, 4), 20.0);
  EXPECT_TRUE(std::isnan(table.values(0, 5)));
  EXPECT_EQ(table.values(1, 5), 6.0);
}

TEST_F(AnnData, AColumnThatCannotBeReadIsRefusedOnlyWhereItIsUsed) {
  {
    Hdf5Writer writer(path);
    frame(writer, "/obs", "_index", {"c1", "c2"}, {"odd", "size"});
    writer.group("/obs/odd");
    writer.text_attribute("/obs/odd", "encoding-type", "awkward-array");
    writer.list("/obs/size", {7, 8}, H5T_STD_I32LE);
  }
  expect_refused("anndata.column", "(\"awkward-array\") (hint: --exclude odd leaves it out)", {.variable = "obs"});
  EXPECT_EQ(read({.only = {"size"}, .variable = "obs"}).values(1, 0), 8.0);
}

// They went through doubles, in which neighbours of 18 digits are one.
TEST_F(AnnData, NamesThatAreWholeNumbersKeepAllTheirDigits) {
  {
    Hdf5Writer writer(path);
    writer.text_attribute("/", "encoding-type", "anndata");
    for (const char* side : {"/obs", "/var"}) {
      writer.group(side);
      writer.text_attribute(side, "_index", "_index");
    }
    const std::vector<std::int64_t> rows{123456789012345678, 123456789012345679};
    const std::vector<std::uint64_t> columns{1, 18446744073709551614u, 18446744073709551615u};
    writer.write("/obs/_index", H5T_STD_I64LE, H5T_NATIVE_INT64, {2}, rows.data(), H5P_DEFAULT);
    writer.write("/var/_index", H5T_STD_U64BE, H5T_NATIVE_UINT64, {3}, columns.data(), H5P_DEFAULT);
    writer.numbers("/X", expected);
  }
  EXPECT_EQ(read().index, (Names{"123456789012345678", "123456789012345679"}));
  EXPECT_EQ(read().names, (Names{"1", "18446744073709551614", "18446744073709551615"}));
}

TEST_F(AnnData, CategoriesThatAreNotThereAreRefused) {
  {
    Hdf5Writer writer(path);
    frame(writer, "/obs", "_index", {"c1", "c2"}, {"kind"});
    writer.list("/obs/kind/codes", {0, 2}, H5T_STD_I8LE);
    writer.texts("/obs/kind/categories", {"k0", "k1"});
  }
  expect_refused("anndata.category", "row 2 of column \"kind\" has the category number 2, but there are 2",
                 {.variable = "obs"});
}

TEST_F(AnnData, AMissingMatrixIsNamed) {
  {
    Hdf5Writer writer(path);
    frames(writer);
    writer.numbers("/layers/counts", expected);
  }
  expect_refused("anndata.missing",
                 "this AnnData file has no \"X\" (hint: --variable takes "
                 "\"layers/counts\", \"obs\", \"var\"");
}

TEST_F(AnnData, DamagedSparseMatricesAreRefused) {
  const auto refused = [&](const Parts& parts, const std::string& why) {
    write_sparse(parts);
    expect_refused("sparse.damaged", why);
  };
  refused({.starts = {0, 2}}, "has 2 rows, but begins and ends of 1");
  refused({.starts = {1, 2, 3}}, "begin at 1 and end at 3");
  refused({.starts = {0, 2, 4}}, "begin at 0 and end at 4");
  refused({.starts = {0, 4, 3}}, "row 2 that ends before it begins");
  refused({.starts = {0, -1, 3}}, "row 1 that ends before it begins");
  refused({.indices = {0, 3, 2}}, "has a value in column 4 of 3");
  refused({.indices = {0, -1, 2}}, "has a value in column 0 of 3");
  refused({.indices = {0, 2}}, "has 3 values at 2 places");
  refused({.shape = {-2, 3}}, "has a negative size");
  refused({.shape = {std::numeric_limits<std::int64_t>::max(), 0}}, "rows, but begins and ends of 2");
}

TEST_F(AnnData, SparseMatricesTooLargeWithTheirZerosAreAResourceError) {
  write_sparse({.shape = {2, 1'000'000'000'000}});
  const Error error = error_of([&] { read(); });
  EXPECT_EQ(error.fault(), Fault::resource) << error.what();
  EXPECT_NE(error.message().find("takes 16000000000000 bytes"), std::string::npos) << error.what();
}

TEST_F(AnnData, NamesThatDoNotFitAreRefused) {
  {
    Hdf5Writer writer(path);
    frames(writer);
    writer.numbers("/X", Matrix::Ones(2, 4));
    writer.numbers("/obsm/X_pca", Matrix::Ones(3, 2));
  }
  expect_refused("anndata.names", "\"X\" has 4 columns, but var names 3");
  expect_refused("anndata.names", "\"obsm/X_pca\" has 3 rows, but obs names 2", {.variable = "obsm/X_pca"});
}

TEST_F(AnnData, EqualNamesAreToldApartOnRequest) {
  {
    Hdf5Writer writer(path);
    writer.text_attribute("/", "encoding-type", "anndata");
    frame(writer, "/obs", "_index", {"c1", "c2"});
    frame(writer, "/var", "_index", {"A", "index", "A"});
    writer.numbers("/X", expected);
  }
  expect_refused("columns.duplicate-name", "columns 1 and 3 are both named \"A\"");
  EXPECT_EQ(read({.dedupe_names = true}).names, (Names{"A", "index", "A_2"}));
  EXPECT_EQ(read({.dedupe_names = true}).index_name, "index_");
}

}  // namespace
