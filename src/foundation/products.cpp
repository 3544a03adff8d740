#include "foundation/products.hpp"

#include <algorithm>
#include <cstring>

#include "foundation/processor.hpp"

namespace cda {
namespace {

// Four doubles at once: one register of a processor that has such wide ones, two of any other.
using Four = double __attribute__((vector_size(32)));

// Sums of the products of three columns with three: all that fits into registers.
CDA_FOR_EACH_PROCESSOR void nine_products(const double* const left[3], const double* const right[3], Index rows,
                                          double sums[9]) {
  // Into a variable: how such values are returned depends on the processor compiled for.
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

}  // namespace cda
