// Eight lanes are one register where the processor has wide ones, and two where it has not. Columns whose length is no
// multiple of eight end one by one.
#include "find/clouds/float_columns.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/processor.hpp"

namespace cda {
namespace {

constexpr Index lanes = 8;
using Lanes __attribute__((vector_size(32), aligned(4), may_alias)) = float;
using LaneBits __attribute__((vector_size(32))) = std::int32_t;

// Macros, for a function that gives eight lanes would have to say in which registers.
#define CDA_LANES(pointer) (*reinterpret_cast<const Lanes*>(pointer))
#define CDA_LANES_TO(pointer) (*reinterpret_cast<Lanes*>(pointer))
#define CDA_SUM_OF_LANES(s) (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])))

// exp(x) = 2^k exp(r) with |r| <= ln 2 / 2, by the polynomial of Cephes' expf.
constexpr float smallest_exponent = -80.0F;
constexpr float log2_e = 1.44269504F, ln2_high = 0.693359375F, ln2_low = -2.12194440e-4F;
constexpr float whole = 12582912.0F;  // 1.5 * 2^23: adding it leaves a whole number in the last bits
constexpr float cephes[] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                            4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};

float exponential(float x) {
  x = std::max(x, smallest_exponent);
  const float shifted = x * log2_e + whole;
  const float k = shifted - whole;
  const float r = (x - k * ln2_high) - k * ln2_low;
  float sum = cephes[0];
  for (int i = 1; i < 6; ++i) sum = sum * r + cephes[i];
  sum = sum * r * r + r + 1.0F;
  return sum * std::bit_cast<float>((std::bit_cast<std::int32_t>(shifted) + 127) << 23);
}

// out (n x m) = a (n x d) * b (d x m), by blocks of 16 x 4 whose sums stay in registers. The last rows are a block that
// overlaps the one before.
CDA_FOR_EACH_PROCESSOR void multiply(const float* a, const float* b, float* out, Index n, Index d, Index m) {
  constexpr Index block = 2 * lanes;
  for (Index first = 0; n >= block && first < n; first += block) {
    const Index i = std::min(first, n - block);
    Index j = 0;
    for (; j + 4 <= m; j += 4) {
      const float *b0 = b + j * d, *b1 = b0 + d, *b2 = b1 + d, *b3 = b2 + d, *at = a + i;
      Lanes s0{}, s1{}, s2{}, s3{}, t0{}, t1{}, t2{}, t3{};
      for (Index c = 0; c < d; ++c, at += n) {
        const Lanes upper = CDA_LANES(at), lower = CDA_LANES(at + lanes);
        s0 += upper * b0[c];
        t0 += lower * b0[c];
        s1 += upper * b1[c];
        t1 += lower * b1[c];
        s2 += upper * b2[c];
        t2 += lower * b2[c];
        s3 += upper * b3[c];
        t3 += lower * b3[c];
      }
      float* to = out + j * n + i;
      CDA_LANES_TO(to) = s0;
      CDA_LANES_TO(to + lanes) = t0;
      CDA_LANES_TO(to + n) = s1;
      CDA_LANES_TO(to + n + lanes) = t1;
      CDA_LANES_TO(to + 2 * n) = s2;
      CDA_LANES_TO(to + 2 * n + lanes) = t2;
      CDA_LANES_TO(to + 3 * n) = s3;
      CDA_LANES_TO(to + 3 * n + lanes) = t3;
    }
    for (; j < m; ++j) {
      const float *column = b + j * d, *at = a + i;
      Lanes s{}, t{};
      for (Index c = 0; c < d; ++c, at += n) {
        s += CDA_LANES(at) * column[c];
        t += CDA_LANES(at + lanes) * column[c];
      }
      CDA_LANES_TO(out + j * n + i) = s;
      CDA_LANES_TO(out + j * n + i + lanes) = t;
    }
  }
  for (Index j = 0; n < block && j < m; ++j)
    for (Index i = 0; i < n; ++i) {
      float sum = 0.0F;
      for (Index c = 0; c < d; ++c) sum += a[i + c * n] * b[j * d + c];
      out[j * n + i] = sum;
    }
}

CDA_FOR_EACH_PROCESSOR void four_dots(const float* columns, Index length, const float* with, float* dots) {
  const float *a = columns, *b = a + length, *c = b + length, *d = c + length;
  Lanes s{}, t{}, u{}, v{};
  Index i = 0;
  for (; i + lanes <= length; i += lanes) {
    const Lanes other = CDA_LANES(with + i);
    s += CDA_LANES(a + i) * other;
    t += CDA_LANES(b + i) * other;
    u += CDA_LANES(c + i) * other;
    v += CDA_LANES(d + i) * other;
  }
  dots[0] = CDA_SUM_OF_LANES(s);
  dots[1] = CDA_SUM_OF_LANES(t);
  dots[2] = CDA_SUM_OF_LANES(u);
  dots[3] = CDA_SUM_OF_LANES(v);
  for (; i < length; ++i) {
    dots[0] += a[i] * with[i];
    dots[1] += b[i] * with[i];
    dots[2] += c[i] * with[i];
    dots[3] += d[i] * with[i];
  }
}

CDA_FOR_EACH_PROCESSOR void add_four(const float* columns, Index length, const float* factors, float* to) {
  const float *a = columns, *b = a + length, *c = b + length, *d = c + length;
  const float fa = factors[0], fb = factors[1], fc = factors[2], fd = factors[3];
  Index i = 0;
  for (; i + lanes <= length; i += lanes)
    CDA_LANES_TO(to + i) +=
        (fa * CDA_LANES(a + i) + fb * CDA_LANES(b + i)) + (fc * CDA_LANES(c + i) + fd * CDA_LANES(d + i));
  for (; i < length; ++i) to[i] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
}

}  // namespace

CDA_FOR_EACH_PROCESSOR float dot(const float* a, const float* b, Index count) {
  Lanes s0{}, s1{}, s2{}, s3{};
  Index i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    s0 += CDA_LANES(a + i) * CDA_LANES(b + i);
    s1 += CDA_LANES(a + i + lanes) * CDA_LANES(b + i + lanes);
    s2 += CDA_LANES(a + i + 2 * lanes) * CDA_LANES(b + i + 2 * lanes);
    s3 += CDA_LANES(a + i + 3 * lanes) * CDA_LANES(b + i + 3 * lanes);
  }
  for (; i + lanes <= count; i += lanes) s0 += CDA_LANES(a + i) * CDA_LANES(b + i);
  s0 = (s0 + s1) + (s2 + s3);
  float sum = CDA_SUM_OF_LANES(s0);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

CDA_FOR_EACH_PROCESSOR void add_scaled(float factor, const float* column, float* to, Index count) {
  Index i = 0;
  for (; i + lanes <= count; i += lanes) CDA_LANES_TO(to + i) += factor * CDA_LANES(column + i);
  for (; i < count; ++i) to[i] += factor * column[i];
}

void column_dots(const FloatMatrix& columns, Index first, Index count, const FloatVector& with, float* dots) {
  if (count == together) return four_dots(columns.col(first).data(), columns.rows(), with.data(), dots);
  for (Index c = 0; c < count; ++c) dots[c] = dot(columns.col(first + c).data(), with.data(), with.size());
}

void add_columns(const FloatMatrix& columns, Index first, Index count, const float* factors, FloatVector& to) {
  if (count == together) return add_four(columns.col(first).data(), columns.rows(), factors, to.data());
  for (Index c = 0; c < count; ++c) add_scaled(factors[c], columns.col(first + c).data(), to.data(), to.size());
}

CDA_FOR_EACH_PROCESSOR WeightedMoments weighted_moments(const float* column, const float* mass, Index count) {
  Lanes sums{}, squares{};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes weighted = CDA_LANES(column + i) * CDA_LANES(mass + i);
    sums += weighted;
    squares += weighted * CDA_LANES(column + i);
  }
  WeightedMoments moments{CDA_SUM_OF_LANES(sums), CDA_SUM_OF_LANES(squares)};
  for (; i < count; ++i) {
    const float weighted = column[i] * mass[i];
    moments.sum += weighted;
    moments.square += weighted * column[i];
  }
  return moments;
}

CDA_FOR_EACH_PROCESSOR void raise_to(const float* column, float* most, Index count) {
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Lanes one = CDA_LANES(column + i), other = CDA_LANES(most + i);
    CDA_LANES_TO(most + i) = one > other ? one : other;
  }
  for (; i < count; ++i) most[i] = column[i] > most[i] ? column[i] : most[i];
}

CDA_FOR_EACH_PROCESSOR float largest_difference(float scale, const float* column, const float* shift, Index count) {
  float largest = scale * column[0] - shift[0];
  Index i = 0;
  if (count >= lanes) {
    Lanes most = scale * CDA_LANES(column) - CDA_LANES(shift);
    for (i = lanes; i + lanes <= count; i += lanes) {
      const Lanes one = scale * CDA_LANES(column + i) - CDA_LANES(shift + i);
      most = one > most ? one : most;
    }
    for (Index lane = 0; lane < lanes; ++lane) largest = std::max(largest, most[lane]);
  }
  for (; i < count; ++i) largest = std::max(largest, scale * column[i] - shift[i]);
  return largest;
}

CDA_FOR_EACH_PROCESSOR void exponentials(float scale, const float* column, const float* shift, float further,
                                         float* out, Index count) {
  const Lanes least = Lanes{} + smallest_exponent;
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    Lanes x = scale * CDA_LANES(column + i) - CDA_LANES(shift + i) - further;
    x = x > least ? x : least;
    const Lanes shifted = x * log2_e + whole;
    const Lanes k = shifted - whole;
    const Lanes r = (x - k * ln2_high) - k * ln2_low;
    Lanes sum = Lanes{} + cephes[0];
    sum = sum * r + cephes[1];
    sum = sum * r + cephes[2];
    sum = sum * r + cephes[3];
    sum = sum * r + cephes[4];
    sum = sum * r + cephes[5];
    sum = sum * r * r + r + 1.0F;
    const LaneBits power = (reinterpret_cast<LaneBits>(shifted) + 127) << 23;
    CDA_LANES_TO(out + i) = sum * reinterpret_cast<Lanes>(power);
  }
  for (; i < count; ++i) out[i] = exponential(scale * column[i] - shift[i] - further);
}

FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b) {
  FloatMatrix out(a.rows(), b.cols());
  multiply(a.data(), b.data(), out.data(), a.rows(), a.cols(), b.cols());
  return out;
}

}  // namespace cda
