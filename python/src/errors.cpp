// Errors of the library as exceptions of Python. The classes are Python's (cda/_errors.py).
#include "cda/error.hpp"
#include "module.hpp"

namespace py = pybind11;

namespace cda::python {

void add_errors(py::module_&) {
  // pybind11 wants a value here.
  py::register_exception_translator([](std::exception_ptr raised) {  // NOLINT(performance-unnecessary-value-param)
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const Error& error) {
      const py::object exception =
          py::module_::import("cda._errors")
              .attr("from_library")(static_cast<int>(error.fault()), error.code(), error.message(), error.hint(),
                                    error.place().file, error.place().line, error.place().column);
      PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
    }
  });
}

}  // namespace cda::python
