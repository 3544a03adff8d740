#include "cda/extend/memory.hpp"

#include <malloc.h>

namespace cda {

void keep_freed_memory() {
  constexpr int longest_kept = 32 << 20, most_kept = 96 << 20;  // the first is the largest there is
  mallopt(M_MMAP_THRESHOLD, longest_kept);
  mallopt(M_TRIM_THRESHOLD, most_kept);
}

}  // namespace cda
