// What is checked of paths before any work, and how files come in and results go out: nothing that is being read is
// overwritten, and of several outputs all are written or none.
#pragma once

#include <string>
#include <vector>

#include "cda/files.hpp"

namespace cda::command {

// The same file, whatever path or link leads to it.
bool same_file(const std::string& a, const std::string& b);

// Throws if standard input would have to be read more than once.
void refuse_shared_stream(const std::vector<std::string>& inputs);

// Throws if one of the outputs is an input, or cannot be written ("-" is standard output), or if two of them are one
// file.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

// Throws where the output's name is that of another format than CSV; `what` says what is written.
void require_csv(const char* what, const std::string& output);

// Throws where a report is wanted that cannot be: built without it, or on standard output.
void require_report(const std::string& path);

// The bytes of a file ("-": standard input).
std::string read_text(const std::string& path);

// The same of a file that should hold a JSON object. Of one that cannot, such as a table, the beginning is all that is
// read: it is enough for whoever parses it to refuse it.
std::string read_json(const std::string& path);

// Writes to a file, or to standard output for "-"; not disturbed by a first signal.
void write_output(const std::string& path, const std::string& content);

// Several at once: where one fails, files that are there already stay as they are.
void write_outputs(const std::vector<OutputFile>& outputs);

}  // namespace cda::command
