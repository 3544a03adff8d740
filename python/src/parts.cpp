// What there is to choose from: methods and their parts, as `cda list` tells them.
#include <pybind11/stl.h>

#include "cda/extend/baseline.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/fit.hpp"
#include "module.hpp"

namespace py = pybind11;

namespace cda::python {
namespace {

py::list described(const std::vector<PartInfo>& parts) {
  py::list all;
  for (const PartInfo& part : parts) {
    py::dict options;
    for (const OptionInfo& option : part.options)
      options[py::str(option.name)] = py::make_tuple(option.value, option.summary);
    py::dict one;
    one["name"] = part.name;
    one["summary"] = part.summary;
    one["reference"] = part.reference;
    one["options"] = options;
    all.append(one);
  }
  return all;
}

}  // namespace

void add_parts(py::module_& module) {
  module.def("parts", [] {
    py::list known;
    for (const MethodInfo& method : methods()) {
      py::dict one;
      one["name"] = method.name;
      one["summary"] = method.summary;
      one["baseline"] = !method.baseline.empty();
      known.append(one);
    }
    py::dict all;
    all["methods"] = known;
    all["divergences"] = described(divergences().list());
    all["formulations"] = described(formulations().list());
    all["optimisers"] = described(optimisers().list());
    all["preparations"] = described(preparations().list());
    all["baselines"] = described(baselines().list());
    return all;
  });
}

}  // namespace cda::python
