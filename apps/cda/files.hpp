// Checks on paths that come before any work: nothing may be overwritten that is being read.
#pragma once

#include <string>
#include <vector>

namespace cda::command {

// The same file, whatever path or link leads to it.
bool same_file(const std::string& a, const std::string& b);

// Throws if standard input would have to be read more than once.
void refuse_shared_stream(const std::vector<std::string>& inputs);

// Throws if the output is one of the inputs, or cannot be written ("-" is standard output).
void check_output(const std::string& output, const std::vector<std::string>& inputs);

// Throws where a report is wanted that cannot be: built without it, or on standard output.
void require_report(const std::string& path);

// The bytes of a file ("-": standard input).
std::string read_text(const std::string& path);

// Writes to a file, or to standard output for "-"; not disturbed by a first signal.
void write_output(const std::string& path, const std::string& content);

}  // namespace cda::command
