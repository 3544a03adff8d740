#include "peers/nearest_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cda {
namespace {

constexpr Index few = 16;  // rows in a box that is not halved

}  // namespace

NearestRows::NearestRows(const Matrix& rows)
    : points_(rows.transpose()), order_(static_cast<std::size_t>(rows.rows())), prices_(Vector::Zero(rows.rows())) {
  std::iota(order_.begin(), order_.end(), Index{0});
  if (rows.rows() > 0) build(0, rows.rows());
}

Index NearestRows::build(Index begin, Index end) {
  Box box;
  box.begin = begin;
  box.end = end;
  box.low = box.high = points_.col(order_[static_cast<std::size_t>(begin)]);
  for (Index i = begin + 1; i < end; ++i) {
    const auto point = points_.col(order_[static_cast<std::size_t>(i)]);
    box.low = box.low.cwiseMin(point);
    box.high = box.high.cwiseMax(point);
  }
  Index widest = 0;
  const double width = (box.high - box.low).maxCoeff(&widest);
  const auto place = static_cast<Index>(boxes_.size());
  boxes_.push_back(std::move(box));
  if (end - begin <= few || !(width > 0.0)) return place;
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](Index a, Index b) {
    const double at = points_(widest, a), other = points_(widest, b);
    return at != other ? at < other : a < b;
  });
  const Index left = build(begin, middle), right = build(middle, end);
  boxes_[static_cast<std::size_t>(place)].left = left;
  boxes_[static_cast<std::size_t>(place)].right = right;
  return place;
}

void NearestRows::set_prices(const Vector& prices) {
  prices_ = prices;
  // Halves come after the whole, so their prices are known first when going backwards.
  for (auto box = boxes_.rbegin(); box != boxes_.rend(); ++box) {
    box->cheapest = std::numeric_limits<double>::infinity();
    if (box->left >= 0) {
      box->cheapest = std::min(boxes_[static_cast<std::size_t>(box->left)].cheapest,
                               boxes_[static_cast<std::size_t>(box->right)].cheapest);
      continue;
    }
    for (Index i = box->begin; i < box->end; ++i)
      box->cheapest = std::min(box->cheapest, prices_[order_[static_cast<std::size_t>(i)]]);
  }
}

double NearestRows::lowest(const Box& box, const Vector& point) const {
  double squared = 0.0;
  for (Index j = 0; j < point.size(); ++j) {
    const double beyond = std::max({box.low[j] - point[j], point[j] - box.high[j], 0.0});
    squared += beyond * beyond;
  }
  return squared + box.cheapest;
}

void NearestRows::search(Index place, const Vector& point, std::size_t count, std::vector<Found>& heap) const {
  const Box& box = boxes_[static_cast<std::size_t>(place)];
  if (box.left < 0) {
    for (Index i = box.begin; i < box.end; ++i) {
      const Index row = order_[static_cast<std::size_t>(i)];
      const Found found{(points_.col(row) - point).squaredNorm() + prices_[row], row};
      if (heap.size() == count) {
        if (!(found < heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end());
        heap.back() = found;
      } else {
        heap.push_back(found);
      }
      std::push_heap(heap.begin(), heap.end());
    }
    return;
  }
  Index near = box.left, far = box.right;
  double near_value = lowest(boxes_[static_cast<std::size_t>(near)], point);
  double far_value = lowest(boxes_[static_cast<std::size_t>(far)], point);
  if (far_value < near_value) {
    std::swap(near, far);
    std::swap(near_value, far_value);
  }
  // A box that could only hold equals is looked into: the lowest number wins.
  if (heap.size() < count || near_value <= heap.front().value) search(near, point, count, heap);
  if (heap.size() < count || far_value <= heap.front().value) search(far, point, count, heap);
}

std::vector<NearestRows::Found> NearestRows::query(const Vector& point, Index count) const {
  std::vector<Found> heap;
  const std::size_t wanted = std::min(static_cast<std::size_t>(count), order_.size());
  if (wanted == 0) return heap;
  heap.reserve(wanted);
  search(0, point, wanted, heap);
  std::sort_heap(heap.begin(), heap.end());
  return heap;
}

}  // namespace cda
