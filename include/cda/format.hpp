// Files of tables, by format. A format turns bytes into columns as the file holds them; which of them are wanted, what
// becomes of text, and how several files make one table is decided once, for all formats (data/columns.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cda/catalogue.hpp"
#include "cda/error.hpp"
#include "cda/table.hpp"
#include "cda/types.hpp"

namespace cda {

// A column as a file holds it: numbers, text, or what is neither.
struct RawColumn {
  enum class Use { values, encode, index, none };

  std::string name = {};
  Use use = Use::values;
  Index numbers = -1;                   // which column of RawTable::numbers it is; -1: none
  std::vector<std::string> texts = {};  // one per row where it holds text; an empty one is missing
  bool names_rows = false;              // the file says so itself
  std::optional<Error> fault = {};      // of what is neither: what is said where it is used
};

struct RawTable {
  std::string file = {};    // as shown in messages
  std::string format = {};  // its name in the catalogue
  Index rows = 0;
  std::vector<RawColumn> columns = {};
  Matrix numbers = {};  // rows x columns of numbers; a missing cell is NaN; columns that are used have no infinity
  // True where the format saw to names and uses itself, because it knows them before it reads the rows.
  bool chosen = false;
  std::vector<std::string> warnings = {};
};

class InputFile;  // data/input_file.hpp: bytes from a file, a pipe or standard input, decompressed

class Format {
 public:
  virtual ~Format() = default;

  virtual std::vector<std::string> endings() const = 0;                       // of file names: {"csv", "tsv"}
  virtual bool recognises(std::string_view /*head*/) const { return false; }  // by the first bytes of the content
  virtual bool writes() const { return false; }

  // Exact or refused: an Error names the file and, where there is one, the place in it.
  virtual RawTable read(InputFile& file, const ReadOptions& options) const = 0;
  // The content of a file that reads back as this table. Only where writes().
  virtual std::string written(const Table& table) const;
};

Catalogue<Format>& formats();

// The columns of a file or of the parts of one table, chosen as the options say but otherwise as they are there: text
// as text. read_table() makes its table from them.
RawTable read_columns(const std::vector<std::string>& paths, const ReadOptions& options);

// The table with one column kept apart, whether it holds text or numbers: `labels` has one text per row, empty where it
// is missing. Where the file has no such column but known ones were asked for, there are no labels.
Table read_labelled_table(const std::vector<std::string>& paths, const ReadOptions& options, const std::string& column,
                          std::vector<std::string>& labels, std::vector<std::string>* warnings = nullptr);

// The name of the format a file of this name is written in: by its ending, or CSV. An Error where that format is not
// written. A name without such an ending (and "-") is CSV.
std::string format_to_write(const std::string& path);

// The table in the format that the path's ending asks for.
std::string written_table(const Table& table, const std::string& path);

}  // namespace cda
