// exp(x) = 2^k exp(r), |r| <= ln 2 / 2, with exp(r) by its Taylor polynomial of degree 13 (the rest is below 1e-17) and
// the subtraction of k ln 2 in two parts (Cody and Waite). Every operation acts on one element, so the compiler may put
// as many of them side by side as the processor allows.
#include "foundation/exponential.hpp"

#include <bit>
#include <cstdint>

#include "foundation/processor.hpp"

namespace cda {
namespace {

CDA_FOR_EACH_PROCESSOR void exp_each(double* values, Index count) {
  constexpr double log2_e = 1.4426950408889634074;
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr double round = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves a whole number in the last bits
  for (Index i = 0; i < count; ++i) {
    const double x = values[i];
    const double shifted = x * log2_e + round;
    const double k = shifted - round;
    const double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1.0 / 6227020800.0;
    sum = sum * r + 1.0 / 479001600.0;
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
    const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;  // the bits of 2^k
    values[i] = sum * std::bit_cast<double>(power);
  }
}

}  // namespace

void exp_in_place(double* values, Index count) {
  // Apart from the loop above, which must not branch if it is to run side by side.
  Eigen::Map<Vector> all(values, count);
  all = all.cwiseMax(-708.0);
  exp_each(values, count);
}

}  // namespace cda
