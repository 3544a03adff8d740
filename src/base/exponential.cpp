// exp(x) = 2^k exp(r), |r| <= ln 2 / 2, with exp(r) by its Taylor polynomial of degree 13 (the rest is below 1e-17) and
// the subtraction of k ln 2 in two parts (Cody and Waite). Every operation acts on one element, four of them side by
// side.
#include "base/exponential.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/processor.hpp"

namespace cda {
namespace {

using FourBits = std::uint64_t __attribute__((vector_size(32)));

// Of a multiple of four values.
CDA_FOR_EACH_PROCESSOR void exp_each(double* values, Index count) {
  constexpr double log2_e = 1.4426950408889634074;
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr double round = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves a whole number in the last bits
  const Four lowest = {-708.0, -708.0, -708.0, -708.0};
  for (Index i = 0; i < count; i += 4) {
    Four x;
    std::memcpy(&x, values + i, sizeof x);
    x = x < lowest ? lowest : x;
    const Four shifted = x * log2_e + round;
    const Four k = shifted - round;
    const Four r = (x - k * ln2_high) - k * ln2_low;
    Four sum = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    FourBits power;
    std::memcpy(&power, &shifted, sizeof power);
    power = (power + 1023) << 52;  // the bits of 2^k
    Four scale;
    std::memcpy(&scale, &power, sizeof scale);
    sum *= scale;
    std::memcpy(values + i, &sum, sizeof sum);
  }
}

}  // namespace

void exp_in_place(double* values, Index count) {
  const Index whole = count / 4 * 4;
  exp_each(values, whole);
  if (whole == count) return;
  double last[4] = {};
  std::copy(values + whole, values + count, last);
  exp_each(last, 4);
  std::copy_n(last, count - whole, values + whole);
}

}  // namespace cda
