// Data that others own and this project does not ship: studies read them from where the user has put them, and say
// where to get them where they are not there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/extend/experiment.hpp"
#include "cda/files.hpp"

namespace cda {

// What a study asks for with `data=`; else the environment's CDA_DATA; else ../shared/data.
std::string data_folder(const std::string& asked);
OptionInfo data_option();

struct DataFile {
  std::string path;                        // below the folder
  std::string origin;                      // where to get it
  std::vector<std::string> left_out = {};  // columns that are not to be read
};

// The tables, or nothing where a file is not there; `notes` then say which, and where it comes from.
std::optional<std::vector<Table>> read_data(const std::string& folder, const std::vector<DataFile>& files,
                                            std::vector<std::string>& notes);

// A column taken out of a table.
Vector take_column(Table& table, const std::string& name);
void keep_rows(Table& table, const std::vector<Index>& rows);
Table with_columns(const Table& table, const std::vector<std::string>& names);
std::vector<std::string> common_columns(const Table& x, const Table& y);

}  // namespace cda
