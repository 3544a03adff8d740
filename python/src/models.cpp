// Fits, models and the evidence for them.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "cda/evidence.hpp"
#include "cda/extend/fit_summary.hpp"
#include "cda/extend/version.hpp"
#include "cda/fit.hpp"
#include "cda/model.hpp"
#include "field_dict.hpp"
#include "interruptible.hpp"
#include "module.hpp"
#include "options.hpp"

#if __has_include("cda/report.hpp")
#include "cda/report.hpp"
#define CDA_HAS_REPORT
#endif

namespace cda::python {
namespace {

Model fit_model(const Table& x, const Table& y, const py::dict& asked) {
  FitOptions options = fit_options(asked);
  options.summarise = true;
  return interruptible([&](const auto& going_on) {
    Model model = cda::fit(x, y, options, [&](const FitProgress&) { return going_on(); });
    model.summary->x = overview_of(x);
    model.summary->y = overview_of(y);
    return model;
  });
}

// The same model with the evidence for it.
Model examined(const Model& model, const Table& x, const Table& y, const py::dict& asked, int threads) {
  EvidenceOptions how{.threads = threads};
  for (const auto& [name, text] : asked)
    set_option(how, name.cast<std::string>(), text.cast<std::string>(), name.cast<std::string>());
  return interruptible([&](const auto& going_on) {
    Model with_evidence = model;
    with_evidence.evidence = examine(x, y, model, how, [&](const EvidenceProgress&) { return going_on(); });
    return with_evidence;
  });
}

// Of every pair, what there is to know.
py::list figures(const Model& model) {
  py::list all;
  for (const Pair& pair : model.pairs) all.append(FieldDict::of(pair));
  return all;
}

py::object evidence(const Model& model) {
  return model.evidence ? FieldDict::of(*model.evidence) : py::object(py::none());
}

py::object coupling(const Model& model) {
  return model.coupling ? FieldDict::of(*model.coupling) : py::object(py::none());
}

py::array transformed(const Model& model, bool y, const py::array& rows) {
  const ArrayRows where_they_are(rows);
  Matrix values;
  {
    const py::gil_scoped_release free_interpreter;
    values = transform(model, y ? Side::y : Side::x, where_they_are.view());
  }
  return to_array(std::move(values));
}

py::tuple model_from_json(const py::bytes& text, const std::string& source) {
  std::vector<std::string> remarks;
  Model model = Model::from_json(static_cast<std::string>(text), source, &remarks);
  return py::make_tuple(std::move(model), remarks);
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<Model>(module, "Model", "What a fit leaves behind.")
      .def_static("from_json", &model_from_json, py::arg("text"), py::arg("source"))
      .def("to_json", &Model::to_json)
      .def_readonly("method", &Model::method)
      .def_property_readonly("options", &Model::in_force)
      .def_property_readonly("seed", [](const Model& model) { return model.options.seed; })
      .def_readonly("warnings", &Model::warnings)
      .def_readonly("stopped", &Model::stopped)
      .def_property_readonly("pairs", [](const Model& model) { return model.pairs.size(); })
      .def_property_readonly("x_columns", [](const Model& model) { return model.x.columns; })
      .def_property_readonly("y_columns", [](const Model& model) { return model.y.columns; })
      .def_property_readonly("x_rows", [](const Model& model) { return model.x.rows; })
      .def_property_readonly("y_rows", [](const Model& model) { return model.y.rows; })
      // What the test of matched components needs and a file does not keep.
      .def_property_readonly("testable",
                             [](const Model& model) {
                               const auto has = [](const TableSummary& table) {
                                 return !table.components || table.shapes.cols() == *table.components;
                               };
                               return has(model.x) && has(model.y);
                             })
      .def("figures", &figures)
      .def("evidence", &evidence)
      .def("coupling", &coupling)
      .def("transform", &transformed, py::arg("y"), py::arg("rows"))
      .def(py::pickle([](const Model& model) { return model.to_json(); },
                      [](const std::string& text) { return Model::from_json(text, "a pickled model"); }));
  module.def("fit", &fit_model, py::arg("x"), py::arg("y"), py::arg("options"));
  module.def("examined", &examined, py::arg("model"), py::arg("x"), py::arg("y"), py::arg("how"), py::arg("threads"));
  module.def(
      "report_html",
      [](const Model& model) -> std::string {
#ifdef CDA_HAS_REPORT
        return report_html(model);
#else
        static_cast<void>(model);
        throw Error(Fault::usage, "report.absent", "this build of the library writes no reports");
#endif
      },
      py::arg("model"));
  module.def("version", &version);
}

}  // namespace cda::python
