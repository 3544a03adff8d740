// Options shared by commands: numbers that are checked with the option's name in the message, lists, and how a table
// is read, for both sides or for one (--exclude for both, --x-exclude for X only).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/error.hpp"
#include "cda/files.hpp"
#include "cda/model.hpp"
#include "console.hpp"

namespace cda::command {

// The texts of options that hold numbers; an Error names the option and what it may be.
std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t lowest,
                          std::int64_t highest = std::numeric_limits<std::int64_t>::max());
std::uint64_t seed_number(const std::string& option, const std::string& text);
// 500, 64M, 1.5GiB (powers of 1024): bytes.
std::uint64_t byte_count(const std::string& option, const std::string& text);
double real_number(const std::string& option, const std::string& text, double lowest, double highest);

// a,b,"c, d" -> a | b | c, d
std::vector<std::string> split_names(const std::string& option, const std::string& text);

// For commands that write CSV with names from outside: whether a ' keeps spreadsheets from running them.
void add_excel_safe(CLI::App& command, bool& safe);

void add_session_options(CLI::App& command, Session& session);

// The reading options as typed. Those of one side stand in for those of both.
struct ReadingTexts {
  std::optional<std::string> format, variable, delimiter, decimal, thousands, comment, encoding, header, missing,
      index_column, max_bytes;
  std::optional<std::string> threads;  // of commands that have --threads; of both sides only
  std::vector<std::string> only, exclude, encode, missing_tokens;
  std::vector<std::string> parts;  // further files of one table: --x-part, --y-part
  bool only_numeric = false;
  bool dedupe_names = false;
  bool ignore_trailing_delimiter = false;
};

struct Reading {
  ReadingTexts both, x, y;
};

// As typed, or 0: as many as this process may use.
int thread_count(const Reading& reading);

void add_reading_options(CLI::App& command, Reading& reading, bool two_tables);

struct ReadingPlan {
  std::vector<std::string> files;  // of which the table is made
  ReadOptions options;
  Missing missing = Missing::refuse;
  std::string missing_name;                  // as typed, or empty
  std::map<std::string, std::string> asked;  // what shaped the table, as typed: {"exclude", "id,date"}
  std::optional<Side> side;                  // of commands that read two tables ...
  bool names_of_both = false;                // ... and whether columns are named by an option for both

  // An error in reading this table, with hints that name options for it alone: columns and variables of these names
  // are hardly in the other table too.
  Error in_its_words(const Error& error) const;
};
ReadingPlan reading_plan(const std::string& path, const Reading& reading);             // the only table
ReadingPlan reading_plan(const std::string& path, const Reading& reading, Side side);  // one of two

template <typename Read>
auto reading_by(const ReadingPlan& plan, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw plan.in_its_words(error);
  }
}

std::vector<std::string> files_of(const ReadingPlan& x, const ReadingPlan& y);

// Reads, and hands what the reader remarks to the session.
Table read_with_warnings(const ReadingPlan& plan, Session& session);

}  // namespace cda::command
