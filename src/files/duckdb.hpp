// DuckDB, found and loaded at run time: a database in memory that may touch one open file and nothing else. It knows
// the file as /proc/self/fd/N, so that no name of a file ever becomes a pattern or a piece of SQL. Extensions are
// neither fetched nor loaded, nothing is written beside the file, and one thread does the work, so that rows come in
// their order and the same table gives the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cda/table.hpp"
#include "cda/types.hpp"

namespace cda {

struct DuckDbApi;  // the functions of the library

// What DuckDB says where it fails, in one line; the file is called "the file" in it.
class DuckDbFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  bool out_of_memory() const;
};

// Some rows of a result, as columns of the types that the statement asks for.
class DuckDbRows {
 public:
  DuckDbRows(const DuckDbApi& api, void* chunk);

  Index count() const { return count_; }
  Index columns() const { return static_cast<Index>(columns_.size()); }
  bool missing(Index row, Index column) const;
  std::string_view text(Index row, Index column) const;  // of VARCHAR
  template <typename Value>
  const Value* values(Index column) const {  // Value is double for DOUBLE, std::int64_t for BIGINT and so on
    return static_cast<const Value*>(at(column).data);
  }

 private:
  struct Column {
    void* data;
    const std::uint64_t* validity;  // one bit per row; null: all are there
  };
  const Column& at(Index column) const { return columns_[static_cast<std::size_t>(column)]; }

  Index count_;
  std::vector<Column> columns_;
};

class DuckDb {
 public:
  // Throws an Error where there is no library; a DuckDbFailure where it will not work.
  explicit DuckDb(int descriptor);
  DuckDb(const DuckDb&) = delete;
  DuckDb& operator=(const DuckDb&) = delete;
  ~DuckDb();

  const std::string& file() const { return file_; }  // the file's name in SQL, in quotes

  void run(const std::string& statement);
  // Rows as they come, a few thousand at a time.
  void each(const std::string& query, const std::function<void(const DuckDbRows&)>& take);

  // A new table with these names: row names, if there are any, as c0, then the columns as c0 or c1 and so on.
  void insert(const std::string& name, const Table& table);

 private:
  struct Handles;

  DuckDbFailure failure(const char* text) const;

  std::string path_, file_;
  std::unique_ptr<DuckDbApi> api_;
  std::unique_ptr<Handles> handles_;
};

// Where the library is looked for, best first: the variable CDA_DUCKDB alone if it is set; plugins/ beside the program;
// the system.
std::vector<std::string> duckdb_libraries();

}  // namespace cda
