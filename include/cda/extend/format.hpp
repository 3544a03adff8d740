// Files of tables, by format. A format turns bytes into columns as the file holds them; which of them are wanted, what
// becomes of text, and how several files make one table is decided once, for all formats (files/columns.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/raw_table.hpp"
#include "cda/files.hpp"
#include "cda/types.hpp"

namespace cda {

class InputFile;  // files/input_file.hpp: bytes from a file, a pipe or standard input, decompressed

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

}  // namespace cda
