// Tables in files: reading them in any format, whole or in blocks, and writing files that are there whole or not at
// all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cda/table.hpp"

namespace cda {

struct TableMoments;  // cda/extend/table_moments.hpp

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

// Reads a file in any format of the catalogue (cda/extend/format.hpp), CSV for one ("-": standard input). Exact or
// refused: an Error names the file and the place in it.
Table read_table(const std::string& path, const ReadOptions& options = {},
                 std::vector<std::string>* warnings = nullptr);

// Several files that are parts of one table, one below the other. Columns are found by name; all must be in each.
Table read_table(const std::vector<std::string>& paths, const ReadOptions& options = {},
                 std::vector<std::string>* warnings = nullptr);

// The table with one column kept apart, whether it holds text or numbers: `labels` has one text per row, empty where it
// is missing. Where the file has no such column but known ones were asked for, there are no labels.
Table read_labelled_table(const std::vector<std::string>& paths, const ReadOptions& options, const std::string& column,
                          std::vector<std::string>& labels, std::vector<std::string>* warnings = nullptr);

// The name of the format a file of this name is written in: by its ending, or CSV. An Error where that format is not
// written. A name without such an ending (and "-") is CSV.
std::string format_to_write(const std::string& path);

// The table in the format that the path's ending asks for.
std::string written_table(const Table& table, const std::string& path);

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

// Of files that are parts of one table, read in blocks where the format allows it (CSV, also compressed). Rows with
// missing cells are refused or dropped, which is then remarked; the other policies, and text as numbers, need the table
// whole: an Error. `observer` is asked after each block, with the rows so far; false stops.
TableMoments read_moments(const std::vector<std::string>& paths, const ReadOptions& options = {},
                          Missing missing = Missing::refuse, std::vector<std::string>* warnings = nullptr,
                          std::vector<std::string>* remarks = nullptr,
                          const std::function<bool(Index rows)>& observer = {});

// How large a table in plain CSV files will be, judged by their beginnings; nothing where that cannot be told: other
// formats, compressed files, pipes, and files at fault.
struct TableSize {
  Index rows = 0, columns = 0;
  std::uint64_t text_bytes = 0;  // of the largest file
};
std::optional<TableSize> likely_size(const std::vector<std::string>& paths, const ReadOptions& options = {});

// ---- For programs that take names of files from people ----

// The bytes of a file ("-": standard input), unpacked where it is compressed. Where `wanted` says no to its beginning,
// at most 4096 bytes, that is all that is read.
std::string read_file(const std::string& path, const std::function<bool(std::string_view head)>& wanted = {});

// Where an output ends up: the same text for every path that leads there, also where nothing is there yet.
std::string output_place(const std::string& path);

// A name from a file as it is typed after an option, for hints: in the shell's quotes where it needs them, NAME where
// it is too long or cannot be typed.
std::string typed(const std::string& name);

}  // namespace cda
