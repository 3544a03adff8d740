#include "arrays.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace cda::python {
namespace {

void require_numbers(const py::array& values, py::ssize_t dimensions) {
  if (!py::isinstance<py::array_t<double>>(values)) throw py::type_error("expected an array of float64");
  if (values.ndim() != dimensions)
    throw py::value_error("expected an array of " + std::to_string(dimensions) + " dimensions");
}

template <class Numbers>
py::array owning(Numbers values, std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<Numbers>(std::move(values));
  double* data = kept->data();
  const py::capsule owner(kept.get(), [](void* memory) { delete static_cast<Numbers*>(memory); });
  kept.release();
  std::vector<py::ssize_t> strides;
  py::ssize_t step = sizeof(double);
  for (const py::ssize_t size : shape) {
    strides.push_back(step);
    step *= size;
  }
  return py::array(py::dtype::of<double>(), std::move(shape), std::move(strides), data, owner);
}

}  // namespace

ArrayRows::ArrayRows(const py::array& values) {
  require_numbers(values, 2);
  rows_ = values.shape(0);
  columns_ = values.shape(1);
  // From one element to the next, in elements. NumPy may say anything where there is only one.
  const auto step = [&](int axis) {
    constexpr auto size = static_cast<py::ssize_t>(sizeof(double));
    if (values.shape(axis) < 2) return Index{1};
    const py::ssize_t bytes = values.strides(axis);
    return bytes > 0 && bytes % size == 0 ? static_cast<Index>(bytes / size) : Index{0};
  };
  down_ = step(0);
  across_ = step(1);
  data_ = static_cast<const double*>(values.data());
  const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(double) == 0;
  if (down_ > 0 && across_ > 0 && aligned) return;
  copy_ = to_matrix(values);
  data_ = copy_.data();
  down_ = 1;
  across_ = rows_;
}

RowsView ArrayRows::view() const {
  using Steps = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Matrix, Eigen::Unaligned, Steps>(data_, rows_, columns_, Steps(across_, down_));
}

Matrix to_matrix(const py::array& values) {
  require_numbers(values, 2);
  const Index rows = values.shape(0), columns = values.shape(1);
  const auto down = static_cast<Index>(values.strides(0)), across = static_cast<Index>(values.strides(1));
  const auto* from = static_cast<const char*>(values.data());
  Matrix matrix(rows, columns);
  constexpr Index block = 64;  // rows that stay in the cache while one order becomes the other
  for (Index begin = 0; begin < rows; begin += block)
    for (Index j = 0; j < columns; ++j)
      for (Index i = begin; i < std::min(begin + block, rows); ++i)
        std::memcpy(&matrix(i, j), from + i * down + j * across, sizeof(double));
  return matrix;
}

Vector to_vector(const py::array& values) {
  require_numbers(values, 1);
  Vector vector(values.shape(0));
  const auto* from = static_cast<const char*>(values.data());
  for (Index i = 0; i < vector.size(); ++i)
    std::memcpy(&vector[i], from + i * static_cast<Index>(values.strides(0)), sizeof(double));
  return vector;
}

py::array to_array(Matrix values) {
  std::vector<py::ssize_t> shape{values.rows(), values.cols()};
  return owning(std::move(values), std::move(shape));
}

py::array to_array(Vector values) {
  std::vector<py::ssize_t> shape{values.size()};
  return owning(std::move(values), std::move(shape));
}

}  // namespace cda::python
