// CDA_FOR_EACH_PROCESSOR before a function compiles it twice, for any processor and for one with wider registers; which
// of the two is called is chosen when the program starts. Sanitizers cannot watch that moment, so they get the plain
// version. The wider one does the same operations in the same order where a function says so element by element:
// the same bits everywhere.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CDA_FOR_EACH_PROCESSOR __attribute__((target_clones("default", "avx2"), optimize("O3")))
#else
#define CDA_FOR_EACH_PROCESSOR
#endif

namespace cda {

// Four numbers at once: one register of a processor that has such wide ones, two of any other. Loaded into variables
// and not returned by functions: how such values are returned depends on the processor compiled for.
using Four = double __attribute__((vector_size(32)));

}  // namespace cda
