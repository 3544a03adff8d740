// Divergences between arrays, and divergences written in Python.
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <mutex>

#include "arrays.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/values.hpp"
#include "module.hpp"

namespace cda::python {
namespace {

py::tuple divergence_between(const std::string& name, const py::array& x, const py::array& y, bool gradient) {
  const auto divergence = divergences().make(name);
  const Matrix x_values = to_matrix(x), y_values = to_matrix(y);
  Matrix dx, dy;
  double value = 0.0;
  {
    const py::gil_scoped_release free_interpreter;
    value = divergence_of_values(*divergence, x_values, y_values, gradient ? &dx : nullptr, gradient ? &dy : nullptr,
                                 Executor());
  }
  if (!gradient) return py::make_tuple(value, py::none(), py::none());
  return py::make_tuple(value, to_array(std::move(dx)), to_array(std::move(dy)));
}

// ---- Written in Python ----

struct Traits {
  bool zero_on_itself = true, symmetric = true, costly = false;
};

// What stands behind a name. It may be put there again: cells of a notebook are run more than once.
struct Written {
  py::object function;  // (x, y, gradient) -> value, or (value, dx, dy)
  Traits traits;
};

// Never destroyed: by then there is no interpreter that its objects could be given back to.
struct Register {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const Written>> by_name;
};
Register& written_in_python() {
  static auto* kept = new Register;
  return *kept;
}

// The last reference may be dropped on any thread, which then needs the interpreter's lock.
std::shared_ptr<const Written> make_written(py::object function, const Traits& traits) {
  return {new Written{std::move(function), traits}, [](const Written* written) {
            const py::gil_scoped_acquire lock;
            delete written;
          }};
}

double number_from(const py::handle& value, const char* what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    py::error_already_set problem;
    throw py::type_error(std::string("a divergence has to return ") + what);
  }
  return number;
}

void fill_gradient(const py::handle& given, Vector& gradient) {
  const auto any = py::array::ensure(given);
  const bool complex = any && any.dtype().kind() == 'c';  // its real parts alone would be another gradient
  const auto values = complex ? py::array_t<double>() : py::array_t<double, py::array::forcecast>::ensure(any);
  if (complex || !values || values.ndim() != 1 || values.shape(0) != gradient.size()) {
    PyErr_Clear();
    throw py::value_error("the gradient of a divergence has to have one number for every value");
  }
  gradient = to_vector(values);
}

class PythonDivergence : public DivergenceOf<SortedValues> {
 public:
  explicit PythonDivergence(std::shared_ptr<const Written> written) : written_(std::move(written)) {}

  bool costly() const override { return written_->traits.costly; }
  bool zero_on_itself() const override { return written_->traits.zero_on_itself; }
  bool symmetric() const override { return written_->traits.symmetric; }

 protected:
  double between(const SortedValues& x, const SortedValues& y, Gradient<SortedValues>* dx,
                 Gradient<SortedValues>* dy) const override {
    const py::gil_scoped_acquire lock;
    // Copies: what Python keeps of them stays valid.
    const py::object answer = written_->function(to_array(x.values), to_array(y.values), dx != nullptr);
    if (dx == nullptr && !py::isinstance<py::tuple>(answer)) return number_from(answer, "a number");
    if (!py::isinstance<py::tuple>(answer) || py::len(answer) != 3)
      throw py::type_error("where its gradient is asked for, a divergence has to return (value, dx, dy)");
    const auto all = answer.cast<py::tuple>();
    if (dx != nullptr) {
      fill_gradient(all[1], dx->values);
      fill_gradient(all[2], dy->values);
    }
    return number_from(all[0], "a number as its value");
  }

 private:
  std::shared_ptr<const Written> written_;
};

void add_divergence(const std::string& name, const py::object& function, const std::string& summary,
                    bool zero_on_itself, bool symmetric, bool costly) {
  Register& known = written_in_python();
  const auto written = make_written(function, {zero_on_itself, symmetric, costly});
  const std::lock_guard lock(known.mutex);
  if (known.by_name.count(name) == 0) {
    const auto make = [name, &known](const Settings&) -> std::unique_ptr<Divergence> {
      const std::lock_guard again(known.mutex);
      return std::make_unique<PythonDivergence>(known.by_name.at(name));
    };
    divergences().add(
        {.info = {.name = name, .summary = summary, .reference = "written in Python", .options = {}}, .make = make});
  }
  known.by_name[name] = written;
}

}  // namespace

void add_divergences(py::module_& module) {
  module.def("divergence", &divergence_between, py::arg("name"), py::arg("x"), py::arg("y"), py::arg("gradient"));
  module.def("add_divergence", &add_divergence, py::arg("name"), py::arg("function"), py::arg("summary"),
             py::arg("zero_on_itself"), py::arg("symmetric"), py::arg("costly"));
}

}  // namespace cda::python
