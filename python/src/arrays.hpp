// Numbers on their way between NumPy and the library: one copy in, into the order the library keeps them in, and none
// out.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "cda/types.hpp"

namespace cda::python {

namespace py = pybind11;

// n x m numbers as the library holds them, column by column. Any strides are read where they are, aligned or not.
Matrix to_matrix(const py::array& values);
Vector to_vector(const py::array& values);

// The array is the matrix: its memory goes with it.
py::array to_array(Matrix values);
py::array to_array(Vector values);

}  // namespace cda::python
