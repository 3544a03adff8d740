// From the columns a file holds to the table that is asked for: names that can be used, which columns are wanted, text
// as numbers where that is asked for, several files as one table. One place for all formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cda/error.hpp"
#include "cda/extend/format.hpp"

namespace cda {

// Makes names usable: empty ones are called col_4 (with a warning), equal ones told apart where that is allowed.
// Throws where a name is not UTF-8, too long, or there twice. `place` is where the names stand; its column is filled
// in.
void settle_names(std::vector<std::string>& names, const ReadOptions& options, Place place,
                  std::vector<std::string>& warnings);

// col_1, col_2, ...
std::vector<std::string> numbered_names(std::size_t count);

// What `only`, `known`, `exclude`, `encode` and `index_column` make of each column. Throws where one that is named is
// not there; of known columns those that are there are taken.
std::vector<RawColumn::Use> column_uses(const std::vector<std::string>& names, const ReadOptions& options,
                                        const std::string& file, std::vector<std::string>& warnings);

// A column of text where numbers are wanted.
struct TextColumn {
  std::string name;
  std::string first;  // of its texts
  Place place;        // of that
};
// Throws, naming all of them at once. `first_names_rows`: the first is the table's first column, and its texts differ.
[[noreturn]] void refuse_text_columns(const std::vector<TextColumn>& columns, bool first_names_rows,
                                      const ReadOptions& options);

// For formats that do not look at names themselves: settles names and uses, drops or refuses columns of text.
void choose_columns(RawTable& table, const ReadOptions& options);

// That a further part of a table has columns that its first part has not.
std::string said_of_further_columns(std::size_t count, const std::string& file, const std::string& first);

// One below the other, columns by name.
RawTable stacked(std::vector<RawTable> parts);

// The texts of a column that was to be encoded, which is then left out of the table: numbers as they would be written,
// empty where missing. Nothing where there is no such column.
std::optional<std::vector<std::string>> taken_texts(RawTable& table, const std::string& column);

// Values, encoded text and row names in their places.
Table assembled_table(RawTable raw, const ReadOptions& options, std::vector<std::string>& warnings);

// Of the tokens that mean missing those that are numbers, also as they are in single precision.
std::vector<double> missing_numbers(const ReadOptions& options);

// Tokens that always mean: missing. Empty text is one.
bool usual_missing_token(std::string_view text);

}  // namespace cda
