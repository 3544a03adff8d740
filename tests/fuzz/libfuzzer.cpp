// One target, named by FUZZ_TARGET, as libFuzzer wants it.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  cda::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
