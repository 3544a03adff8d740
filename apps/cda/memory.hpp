// How much memory a command may take: asked for with --max-memory, or set by the system (ulimit, a control group). What
// a fit will need is estimated from the size of its tables before it begins, so that a run which cannot end well does
// not begin; and since an estimate may be wrong, the limit asked for is set on the process too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cda/table.hpp"

namespace cda::command {

std::string bytes_text(std::uint64_t bytes);  // "1.5 GiB"

// The most a fit of these tables takes at once, the tables included: O(rows * columns) a side and, where rows are not
// fewer than columns, O(columns^2).
std::uint64_t fit_memory(const Table& x, const Table& y);

// The smallest of the limits set on this process by ulimit and by its control group; nothing where there is none.
std::optional<std::uint64_t> memory_allowed();

// Vectors as long as a table come and go with every step of a search. Given back to the system each time, as the usual
// settings have it, a third of the time on a million rows goes into fetching them again, page by page.
void keep_freed_memory();

// Lets the process have no more than so many bytes of its own, from now on.
void limit_memory(std::uint64_t bytes);

// Throws where the limit asked for, or that of the control group (which would end the process without a word), is
// below what is needed. Remembers what is needed, for the message if memory runs out all the same.
void check_memory(std::uint64_t needed, const std::optional<std::uint64_t>& asked);

// "allowed are 2.0 GiB (2147483648 bytes)", or nothing where there is no limit.
std::string allowed_memory();

// "there is not enough memory: about 3.1 GiB are needed, 2.0 GiB are allowed", as far as that is known.
std::string out_of_memory();

}  // namespace cda::command
