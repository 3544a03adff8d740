// How much memory a command may take: asked for with --max-memory, or set by the system (ulimit, a control group). What
// a fit will need is estimated from the size of its tables before it begins, so that a run which cannot end well does
// not begin; and since an estimate may be wrong, the limit asked for is set on the process too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cda/extend/table_moments.hpp"
#include "cda/fit.hpp"

namespace cda::command {

std::string bytes_text(std::uint64_t bytes);  // "1.5 GiB"

// The most a fit of these tables takes at once, the tables included: O(rows * columns) a side and, where rows are not
// fewer than columns, O(columns^2). How many times rows * columns depends on the method (docs/reading.md).
// `rows_kept`: the tables are wanted after the fit, else each is given up once its rows have been prepared.
std::uint64_t fit_memory(const TableSize& x, const TableSize& y, const FitOptions& options, bool rows_kept);

// The most that reading tables of these sizes takes at once: the text of one beside all that was read before.
std::uint64_t reading_memory(const TableSize& x, const TableSize& y);

// The most that reading in blocks and fitting to moments takes; rows do not matter.
std::uint64_t streaming_memory(Index x_columns, Index y_columns, const FitOptions& options);

// What may be had: the limit asked for, those set on the process, and what the machine has free, whichever is least.
std::uint64_t memory_at_hand(const std::optional<std::uint64_t>& asked);

// The smallest of the limits set on this process by ulimit and by its control group; nothing where there is none.
std::optional<std::uint64_t> memory_allowed();

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
