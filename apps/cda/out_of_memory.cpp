// Eigen 3.4 gives a matrix' memory back before it asks for more, and when there is none, the matrix on its way out
// gives the same memory back once more. The linker leads what our own objects ask of malloc and free through here
// (--wrap): once something was refused, nothing is given back any more. The command is about to say so and to end.
#include <atomic>
#include <cstddef>

namespace {

std::atomic<bool> refused{false};

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);
void __real_free(void* memory);
void* __wrap_malloc(std::size_t size);
void __wrap_free(void* memory);

void* __wrap_malloc(std::size_t size) {
  void* memory = __real_malloc(size);
  if (memory == nullptr && size > 0) refused.store(true, std::memory_order_relaxed);
  return memory;
}

void __wrap_free(void* memory) {
  if (!refused.load(std::memory_order_relaxed)) __real_free(memory);
}
}
