// Fits, models and the evidence for them.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "cda/evidence.hpp"
#include "cda/extend/fit_summary.hpp"
#include "cda/extend/version.hpp"
#include "cda/fit.hpp"
#include "cda/model.hpp"
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

// One figure of every pair, or one column for every pair.
template <class Value>
py::list of_pairs(const Model& model, Value Pair::*member) {
  py::list values;
  for (const Pair& pair : model.pairs) values.append(pair.*member);
  return values;
}

py::object columns_of_pairs(const Model& model, Vector Pair::*member) {
  const auto pairs = static_cast<Index>(model.pairs.size());
  const Index rows = pairs == 0 ? 0 : (model.pairs.front().*member).size();
  if (rows == 0) return py::none();  // the map is not linear
  Matrix all(rows, pairs);
  for (Index j = 0; j < pairs; ++j) all.col(j) = model.pairs[static_cast<std::size_t>(j)].*member;
  return to_array(std::move(all));
}

py::dict figures(const Model& model) {
  py::dict all;
  for (const auto& [name, member] : {std::pair{"x_weights", &Pair::x_weights},
                                     {"y_weights", &Pair::y_weights},
                                     {"x_loadings", &Pair::x_loadings},
                                     {"y_loadings", &Pair::y_loadings},
                                     {"x_direction", &Pair::x_direction},
                                     {"y_direction", &Pair::y_direction}})
    all[name] = columns_of_pairs(model, member);
  for (const auto& [name, member] : {std::pair{"x_intercept", &Pair::x_intercept},
                                     {"y_intercept", &Pair::y_intercept},
                                     {"scale", &Pair::scale},
                                     {"divergence", &Pair::divergence},
                                     {"objective", &Pair::objective},
                                     {"agreement", &Pair::agreement}})
    all[name] = of_pairs(model, member);
  for (const auto& [name, member] : {std::pair{"iterations", &Pair::iterations}, {"evaluations", &Pair::evaluations}})
    all[name] = of_pairs(model, member);
  for (const auto& [name, member] : {std::pair{"converged", &Pair::converged}, {"informative", &Pair::informative}})
    all[name] = of_pairs(model, member);
  all["stopped"] = of_pairs(model, &Pair::stopped);
  return all;
}

py::dict pair_evidence(const PairEvidence& pair) {
  py::dict all;
  all["verdict"] = to_string(pair.verdict);
  all["statement"] = pair.statement;
  all["notes"] = pair.notes;
  all["p"] = pair.p;
  all["statistic"] = pair.statistic;
  all["agreement_held_out"] = pair.agreement_held_out;
  all["agreement_at_least"] = pair.agreement_at_least;
  all["divergence_held_out"] = pair.divergence_held_out;
  all["divergence_of_chance"] = pair.divergence_of_chance;
  all["stability"] = pair.stability;
  all["sign"] = pair.sign;
  all["null_quantiles"] = pair.null_quantiles.size() > 0 ? py::object(to_array(pair.null_quantiles)) : py::none();
  py::dict intervals;
  if (pair.intervals) {
    intervals["x_weights"] = to_array(pair.intervals->x_weights);
    intervals["y_weights"] = to_array(pair.intervals->y_weights);
    intervals["x_loadings"] = to_array(pair.intervals->x_loadings);
    intervals["y_loadings"] = to_array(pair.intervals->y_loadings);
  }
  all["intervals"] = intervals;
  return all;
}

py::object evidence(const Model& model) {
  if (!model.evidence) return py::none();
  const Evidence& found = *model.evidence;
  py::dict all;
  all["test"] = to_string(found.test);
  all["hypothesis"] = found.hypothesis;
  all["statement"] = found.statement;
  all["global_p"] = found.global_p;
  all["surrogates"] = found.surrogates;
  all["bootstraps"] = found.bootstraps;
  all["block_length"] = found.block_length;
  all["warnings"] = found.warnings;
  py::list pairs;
  for (const PairEvidence& pair : found.pairs) pairs.append(pair_evidence(pair));
  all["pairs"] = pairs;
  return all;
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
