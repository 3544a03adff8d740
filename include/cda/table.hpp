// What a person has: named columns of numbers, with missing cells, and where they came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/types.hpp"

namespace cda {

// A column of text as one column of 0 and 1 for each of its categories, named column=category.
struct Encoding {
  std::string column;
  std::vector<std::string> categories = {};  // empty in a request: those that are there, sorted

  bool operator==(const Encoding& other) const = default;
};

struct Table {
  std::vector<std::string> names;        // one per column, unique
  Matrix values;                         // rows x columns; a missing cell is NaN, nothing else is non-finite
  std::string index_name;                // the column that names the rows, if there is one
  std::vector<std::string> index;        // its values, one per row, or empty
  std::string source;                    // the file it was read from, for messages
  std::vector<Encoding> encodings = {};  // how columns of text became numbers

  Index rows() const { return values.rows(); }
  Index columns() const { return values.cols(); }
  Index missing_cells() const;
  void select_columns(const std::vector<Index>& columns);  // keeps these, in this order
};

// A table made in memory: names x1, x2, ... unless given.
Table make_table(Matrix values, std::vector<std::string> names = {}, const std::string& prefix = "x");

// What to do with missing cells. `refuse` counts them per column and throws.
enum class Missing { refuse, drop_rows, drop_columns, mean };
Missing missing_policy(const std::string& name);  // "refuse", "drop-rows", "drop-columns", "mean"

// The table without missing cells, and what was done, in words, one line each.
Table without_missing(Table table, Missing policy, std::vector<std::string>* remarks = nullptr);

struct ReadOptions {
  std::string format = {};                       // its name; empty: found by content, then by the file's name
  char delimiter = 0;                            // 0: found among comma, tab, semicolon and pipe
  char decimal = '.';                            // or a comma
  char thousands = 0;                            // separates groups of three digits; 0: none
  char comment = 0;                              // lines that begin with it are skipped; 0: none
  std::string encoding = "utf-8";                // or latin1
  bool header = true;                            // the first line names the columns
  std::vector<std::string> missing_tokens = {};  // besides the usual ones: empty, NA, N/A, NaN, null, .
  std::vector<std::string> only = {};            // keep these columns
  std::vector<std::string> known = {};           // where given: all others are left out, with one warning
  std::vector<std::string> exclude = {};         // leave these out (they may hold text)
  bool only_numeric = false;                     // leave out every column that holds text
  bool numbers_needed = true;                    // a table without a column of numbers is an error
  bool dedupe_names = false;                     // a, a -> a, a_2
  bool ignore_trailing_delimiter = false;        // `1,2,` has two fields
  std::string index_column = {};                 // names the rows; not part of the values
  std::vector<Encoding> encode = {};             // columns of text to turn into columns of 0 and 1
  std::string variable = {};                     // of a file that holds several: which one
  std::uint64_t max_bytes = 0;                   // of content, unpacked; 0: the machine's memory, at most 64 GiB
  int threads = 0;                               // 0: as many as this process may use; the table does not depend on it
};

// Reads a file in any format of the catalogue (cda/format.hpp), CSV for one ("-": standard input). Exact or refused: an
// Error names the file and the place in it.
Table read_table(const std::string& path, const ReadOptions& options = {},
                 std::vector<std::string>* warnings = nullptr);

// Several files that are parts of one table, one below the other. Columns are found by name; all must be in each.
Table read_table(const std::vector<std::string>& paths, const ReadOptions& options = {},
                 std::vector<std::string>* warnings = nullptr);

// CSV text, numbers in the shortest form that reads back exactly, missing cells empty.
std::string to_csv(const Table& table);

// Text as one field of such a file: quoted where it could be taken for something else.
std::string csv_field(const std::string& text);

// Text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a carriage return), with a ' in
// front, as OWASP has it; other text and plain negative numbers as they are.
std::string spreadsheet_safe(const std::string& text);

// Writes text to a file that is either there whole or not at all ("-": standard output).
void write_file(const std::string& path, const std::string& content);

// Several files at once: all are written in full beside their targets, then all are put in place.
struct OutputFile {
  std::string path;
  std::string content;
};
void write_files(const std::vector<OutputFile>& files);

// Throws now if write_file(path) would fail later. Leaves nothing behind.
void check_writable(const std::string& path);

// Do both paths lead to one file, also through links? False where one does not exist, or is "-".
bool same_file(const std::string& a, const std::string& b);

// Removes what unfinished writes have left beside their targets. For a signal handler: only calls unlink().
void remove_unfinished_files() noexcept;

}  // namespace cda
