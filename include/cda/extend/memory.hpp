// What a program may do for speed before it calls anything else.
#pragma once

namespace cda {

// Vectors as long as a table come and go with every step of a search. Given back to the system each time, as the usual
// settings have it, a third of the time on a million rows goes into fetching them again, page by page. After this call
// the process keeps some 100 MB of what is freed. It concerns all of the program, so the program decides and not the
// library; the command `cda` calls it first.
void keep_freed_memory();

}  // namespace cda
