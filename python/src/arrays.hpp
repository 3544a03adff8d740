// Numbers on their way between NumPy and the library. Rows to be mapped are read where they are; a table that is to be
// kept is one copy, into the order the library keeps it in; results are not copied.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "cda/extend/rows.hpp"
#include "cda/types.hpp"

namespace cda::python {

namespace py = pybind11;

// n x m numbers where the array has them: C-contiguous, Fortran order, or with any steps forward. What the library
// cannot walk along (steps back or of zero, values that are not aligned) is copied. The array has to outlive it.
class ArrayRows {
 public:
  explicit ArrayRows(const py::array& values);
  RowsView view() const;

 private:
  Matrix copy_;
  const double* data_ = nullptr;
  Index rows_ = 0, columns_ = 0, down_ = 1, across_ = 1;
};

// n x m numbers as the library holds them, column by column. Any strides are read where they are, aligned or not.
Matrix to_matrix(const py::array& values);
Vector to_vector(const py::array& values);

// The array is the matrix: its memory goes with it.
py::array to_array(Matrix values);
py::array to_array(Vector values);

}  // namespace cda::python
