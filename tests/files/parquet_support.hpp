// Parquet files for tests, written by DuckDB from the rows of a query.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "files/duckdb.hpp"
#include "files/support.hpp"
#include "support/data.hpp"

namespace cda::format_tests {

// Where scripts/install-parquet puts the library, whichever preset is built.
inline std::string installed_library() { return test_data + "/../../build/plugins/libduckdb.so"; }

// With that library, unless another is asked for.
class ParquetTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("CDA_DUCKDB", installed_library().c_str(), 0);
    ASSERT_TRUE(std::filesystem::exists(::getenv("CDA_DUCKDB"))) << "run scripts/install-parquet first";
  }

  std::string file(const std::string& name, const std::string& query, const std::string& options = "") const {
    std::string path = folder / name;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    EXPECT_GE(descriptor, 0) << path;
    DuckDb database(descriptor);
    database.run("COPY (" + query + ") TO " + database.file() + " (FORMAT parquet, USE_TMP_FILE false" + options + ")");
    ::close(descriptor);
    return path;
  }

  data_tests::Folder folder;
};

}  // namespace cda::format_tests
