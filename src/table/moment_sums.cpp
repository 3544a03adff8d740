// Sums of x' = (x - origin) * unit and of its products, with the origin at the means of the first chunk and units that
// are powers of two, so that neither an offset nor large units cost digits:
//
//   mean = origin + mean x' / unit,   covariance = (mean x'x'' - (mean x')(mean x')') / (unit unit')
//
// One pass: while some hundred rows are near the processor, extremes, sums, hashes and products are taken of them.
// O(n p^2), of which products are nearly all.
#include "table/moment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/products.hpp"

namespace cda {
namespace {

constexpr Index chunk_rows = Executor::chunk_rows;

Index kept_contents(std::size_t columns) {
  constexpr Index most_cells = Index{1} << 23, least_rows = 1000;
  return std::clamp(most_cells / std::max<Index>(1, static_cast<Index>(columns)), least_rows, TableMoments::kept_rows);
}

// Two doubles at once, on any machine.
using Two = double __attribute__((vector_size(16)));

Two two_at(const double* at) {
  Two values;
  std::memcpy(&values, at, sizeof values);
  return values;
}

struct Seen {
  double lowest, highest, sum;
};

// Moves cells to the origin and into the unit, and looks at them on the way: extremes as they were, the sum as it is.
Seen moved(const double* cells, Index count, double origin, double unit, double* to) {
  const Two shift{origin, origin}, factor{unit, unit};
  Two lowest{cells[0], cells[0]}, highest = lowest, sum{0.0, 0.0};
  Index i = 0;
  for (; i + 2 <= count; i += 2) {
    const Two values = two_at(cells + i), near = (values - shift) * factor;
    lowest = values < lowest ? values : lowest;
    highest = values > highest ? values : highest;
    sum += near;
    std::memcpy(to + i, &near, sizeof near);
  }
  Seen seen{std::min(lowest[0], lowest[1]), std::max(highest[0], highest[1]), sum[0] + sum[1]};
  for (; i < count; ++i) {
    to[i] = (cells[i] - origin) * unit;
    seen = {std::min(seen.lowest, cells[i]), std::max(seen.highest, cells[i]), seen.sum + to[i]};
  }
  return seen;
}

}  // namespace

MomentSums::Sums& MomentSums::Sums::operator+=(const Sums& other) {
  lowest = lowest.cwiseMin(other.lowest);
  highest = highest.cwiseMax(other.highest);
  sum += other.sum;
  products += other.products;
  return *this;
}

MomentSums::Sums MomentSums::none() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Vector::Constant(columns_, infinity), Vector::Constant(columns_, -infinity), Vector::Zero(columns_),
          Matrix::Zero(columns_, columns_)};
}

MomentSums::MomentSums(const std::vector<std::string>& names, const Executor& executor)
    : executor_(executor),
      columns_(static_cast<Index>(names.size())),
      total_(none()),
      choice_(kept_contents(names.size()), names) {}

void MomentSums::add(const Eigen::Ref<const Matrix>& rows) {
  Index begin = 0;
  const auto carry = [&](Index count) {
    if (count > 0 && carry_.rows() == 0) carry_.resize(chunk_rows, columns_);
    carry_.middleRows(carried_, count) = rows.middleRows(begin, count);
    carried_ += count;
    begin += count;
  };
  if (carried_ > 0) {
    carry(std::min(chunk_rows - carried_, rows.rows()));
    if (carried_ < chunk_rows) return;
    carried_ = 0;
    add_chunks(carry_);
  }
  const Index whole = (rows.rows() - begin) / chunk_rows * chunk_rows;
  if (whole > 0) add_chunks(rows.middleRows(begin, whole));
  begin += whole;
  if (begin < rows.rows()) carry(rows.rows() - begin);
}

// All but the last time, whole chunks only.
void MomentSums::add_chunks(const Eigen::Ref<const Matrix>& rows) {
  if (origin_.size() == 0) choose_origin(rows.topRows(std::min(chunk_rows, rows.rows())));
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(rows.rows()), 0);
  const Index chunks = (rows.rows() + chunk_rows - 1) / chunk_rows;
  const Index wave = std::min<Index>(chunks, 4 * executor_.threads());
  std::vector<Sums> parts(static_cast<std::size_t>(wave));
  for (Index first = 0; first < chunks; first += wave) {
    const Index count = std::min(wave, chunks - first);
    executor_.for_each(count, [&](Index i) {
      const Index begin = (first + i) * chunk_rows;
      Sums& part = parts[static_cast<std::size_t>(i)];
      part = none();
      add_chunk(rows.middleRows(begin, std::min(chunk_rows, rows.rows() - begin)), part, hashes.data() + begin);
    });
    for (Index i = 0; i < count; ++i) total_ += parts[static_cast<std::size_t>(i)];
  }
  choice_.offer(rows, hashes, rows_, executor_);
  rows_ += rows.rows();
}

void MomentSums::choose_origin(const Eigen::Ref<const Matrix>& rows) {
  origin_.resize(columns_);
  unit_.resize(columns_);
  for (Index j = 0; j < columns_; ++j) {
    origin_[j] = (rows.col(j) / static_cast<double>(rows.rows())).sum();
    double reach = (rows.col(j).array() - origin_[j]).abs().maxCoeff();
    if (!(reach > 0.0)) reach = std::max(std::abs(origin_[j]), std::numeric_limits<double>::min());
    int exponent = 0;
    if (std::isfinite(reach)) std::frexp(reach, &exponent);
    unit_[j] = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
  }
}

void MomentSums::add_chunk(const Eigen::Ref<const Matrix>& rows, Sums& sums, std::uint64_t* hashes) const {
  constexpr Index at_once = 256;
  Matrix near(std::min(at_once, rows.rows()), columns_);
  for (Index begin = 0; begin < rows.rows(); begin += at_once) {
    const Index count = std::min(at_once, rows.rows() - begin);
    for (Index j = 0; j < columns_; ++j) {
      const Seen seen = moved(rows.col(j).data() + begin, count, origin_[j], unit_[j], near.col(j).data());
      sums.lowest[j] = std::min(sums.lowest[j], seen.lowest);
      sums.highest[j] = std::max(sums.highest[j], seen.highest);
      sums.sum[j] += seen.sum;
    }
    choice_.add_hashes(rows.middleRows(begin, count), hashes + begin);
    add_products(near.topRows(count), sums.products);
  }
}

ColumnMoments MomentSums::finished() {
  if (carried_ > 0) {
    const Index last = carried_;
    carried_ = 0;
    add_chunks(carry_.topRows(last));
  }
  const auto count = static_cast<double>(rows_);
  const Vector shift = total_.sum / count;
  Matrix covariance = total_.products.selfadjointView<Eigen::Lower>();
  covariance = covariance / count - shift * shift.transpose();
  const Vector width = unit_.cwiseInverse();
  return {total_.lowest, total_.highest, origin_ + shift.cwiseProduct(width),
          width.asDiagonal() * covariance * width.asDiagonal()};
}

Matrix MomentSums::some_rows() const { return choice_.rows(kept_contents(static_cast<std::size_t>(columns_))); }

}  // namespace cda
