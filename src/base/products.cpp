#include "base/products.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/processor.hpp"

namespace cda {
namespace {

// Sums of the products of three columns with three: all that fits into registers.
CDA_FOR_EACH_PROCESSOR void nine_products(const double* const left[3], const double* const right[3], Index rows,
                                          double sums[9]) {
  const auto load = [](Four& values, const double* at) { std::memcpy(&values, at, sizeof values); };
  Four aa{}, ab{}, ac{}, ba{}, bb{}, bc{}, ca{}, cb{}, cc{};
  const Index whole = rows / 4 * 4;
  for (Index i = 0; i < whole; i += 4) {
    Four a, b, c, u, v, w;
    load(a, left[0] + i);
    load(b, left[1] + i);
    load(c, left[2] + i);
    load(u, right[0] + i);
    load(v, right[1] + i);
    load(w, right[2] + i);
    aa += a * u;
    ab += a * v;
    ac += a * w;
    ba += b * u;
    bb += b * v;
    bc += b * w;
    ca += c * u;
    cb += c * v;
    cc += c * w;
  }
  const Four all[9] = {aa, ab, ac, ba, bb, bc, ca, cb, cc};
  for (int k = 0; k < 9; ++k) {
    sums[k] = (all[k][0] + all[k][1]) + (all[k][2] + all[k][3]);
    for (Index i = whole; i < rows; ++i) sums[k] += left[k / 3][i] * right[k % 3][i];
  }
}

constexpr Index panel = 8, tile = 4;  // rows and columns of a product that fit into registers

// Eight rows, packed place by place, times four columns; eight sums for each column. Each is stored by itself: sums
// gathered in an array would be kept there, in memory, all the way.
CDA_FOR_EACH_PROCESSOR void panel_times_tile(const double* packed, const double* const right[tile], Index inner,
                                             double sums[panel * tile]) {
  Four low_a{}, high_a{}, low_b{}, high_b{}, low_c{}, high_c{}, low_d{}, high_d{};
  for (Index k = 0; k < inner; ++k, packed += panel) {
    Four low, high;
    std::memcpy(&low, packed, sizeof low);
    std::memcpy(&high, packed + 4, sizeof high);
    low_a += low * right[0][k];
    high_a += high * right[0][k];
    low_b += low * right[1][k];
    high_b += high * right[1][k];
    low_c += low * right[2][k];
    high_c += high * right[2][k];
    low_d += low * right[3][k];
    high_d += high * right[3][k];
  }
  std::memcpy(sums, &low_a, sizeof low_a);
  std::memcpy(sums + 4, &high_a, sizeof high_a);
  std::memcpy(sums + 8, &low_b, sizeof low_b);
  std::memcpy(sums + 12, &high_b, sizeof high_b);
  std::memcpy(sums + 16, &low_c, sizeof low_c);
  std::memcpy(sums + 20, &high_c, sizeof high_c);
  std::memcpy(sums + 24, &low_d, sizeof low_d);
  std::memcpy(sums + 28, &high_d, sizeof high_d);
}

// Beyond so many cells Eigen is faster: it keeps them near the processor in pieces.
constexpr Index cells_near = Index{1} << 17;

}  // namespace

void add_products(const Eigen::Ref<const Matrix>& columns, Eigen::Ref<Matrix> products) {
  const Index count = columns.cols(), rows = columns.rows();
  if (rows * count > cells_near) {
    products.selfadjointView<Eigen::Lower>().rankUpdate(columns.transpose());
    return;
  }
  // Beyond the last column the last one stands in, and what comes of it is left.
  const auto three_from = [&](Index first, const double* pointers[3]) {
    for (Index j = 0; j < 3; ++j) pointers[j] = columns.col(std::min(first + j, count - 1)).data();
  };
  const double *left[3], *right[3];
  double sums[9];
  for (Index i = 0; i < count; i += 3) {
    three_from(i, left);
    for (Index j = 0; j <= i; j += 3) {
      three_from(j, right);
      nine_products(left, right, rows, sums);
      for (Index k = 0; k < 9; ++k)
        if (i + k / 3 < count && j + k % 3 < count) products(i + k / 3, j + k % 3) += sums[k];
    }
  }
}

void multiply(const Eigen::Ref<const Matrix>& left, const Eigen::Ref<const Matrix>& right, Matrix& product) {
  const Index rows = left.rows(), inner = left.cols(), columns = right.cols();
  product.resize(rows, columns);
  std::vector<double> packed(static_cast<std::size_t>(panel * inner));
  double sums[panel * tile];
  for (Index row = 0; row < rows; row += panel) {
    const Index here = std::min(panel, rows - row);  // rows beyond the last are whatever was there, and left
    for (Index k = 0; k < inner; ++k) std::copy_n(left.col(k).data() + row, here, packed.data() + k * panel);
    for (Index column = 0; column < columns; column += tile) {
      const double* pointers[tile];
      for (Index j = 0; j < tile; ++j) pointers[j] = right.col(std::min(column + j, columns - 1)).data();
      panel_times_tile(packed.data(), pointers, inner, sums);
      for (Index j = 0; j < std::min(tile, columns - column); ++j)
        std::copy_n(sums + j * panel, here, product.col(column + j).data() + row);
    }
  }
}

}  // namespace cda
