// Learning in the common space, and how good that space is. Rows are those of both tables as a model maps them.
#include "cda/transfer.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "cda/score.hpp"
#include "interruptible.hpp"
#include "module.hpp"

namespace cda::python {
namespace {

TransferOptions transfer_options(bool classes, const std::string& units, std::uint64_t seed) {
  TransferOptions options;
  options.prediction = classes ? Prediction::classes : Prediction::numbers;
  options.units = target_units(units);
  options.learning.seed = seed;
  return options;
}

py::tuple predict(const py::array& x, const py::array& x_targets, const py::array& y, const py::array& y_targets,
                  bool classes, const std::string& units, std::uint64_t seed) {
  const LabelledRows of_x{to_matrix(x), to_vector(x_targets)}, of_y{to_matrix(y), to_vector(y_targets)};
  const TransferOptions options = transfer_options(classes, units, seed);
  Transferred found = interruptible([&](const auto&) { return transfer(of_x, of_y, of_y.rows, options); });
  return py::make_tuple(to_array(std::move(found.predictions)), found.parameter, found.x_trained, found.y_trained);
}

py::dict evaluate(const py::array& x, const py::array& x_targets, const py::array& y, const py::array& y_targets,
                  const py::array& y_columns, bool classes, const std::string& units, Index train_rows, Index runs,
                  std::uint64_t seed, int threads) {
  const LabelledRows of_x{to_matrix(x), to_vector(x_targets)}, of_y{to_matrix(y), to_vector(y_targets)};
  const Matrix columns = to_matrix(y_columns);
  EvaluationOptions options;
  options.train_rows = train_rows;
  options.runs = runs;
  options.seed = seed;
  options.transfer = transfer_options(classes, units, seed);
  TransferEvaluation found = interruptible([&](const auto& going_on) {
    options.going_on = [&](double) { return going_on(); };
    return evaluate_transfer(of_x, of_y, columns, options, Executor(threads));
  });
  py::dict all;
  all["transfer"] = to_array(std::move(found.transferred));
  all["y_alone"] = to_array(std::move(found.y_alone));
  all["constant"] = to_array(std::move(found.constant));
  all["chance"] = to_array(std::move(found.chance));
  all["tested"] = found.tested;
  return all;
}

py::dict partners(const py::array& x, const py::array& y, int threads) {
  const Matrix of_x = to_matrix(x), of_y = to_matrix(y);
  const PartnerRanks found =
      interruptible([&](const auto&) { return closer_than_partner(of_x, of_y, Executor(threads)); });
  py::dict all;
  all["x_to_y"] = found.x_to_y;
  all["y_to_x"] = found.y_to_x;
  all["mean"] = found.mean();
  all["chance"] = PartnerRanks::chance;
  return all;
}

py::dict labels(const py::array& rows, const py::array& truth, const py::array& labelled_rows, const py::array& known,
                Index neighbours, int threads) {
  const Matrix of_rows = to_matrix(rows), of_labelled = to_matrix(labelled_rows);
  const Vector of_truth = to_vector(truth), of_known = to_vector(known);
  const LabelTransfer found = interruptible([&](const auto&) {
    return label_transfer(of_rows, of_truth, of_labelled, of_known, neighbours, Executor(threads));
  });
  py::dict all;
  all["accuracy"] = found.accuracy;
  all["chance"] = found.chance;
  all["majority"] = found.majority;
  all["rows"] = found.rows;
  return all;
}

}  // namespace

void add_transfer(py::module_& module) {
  module.def("transfer", &predict, py::arg("x"), py::arg("x_targets"), py::arg("y"), py::arg("y_targets"),
             py::arg("classes"), py::arg("units"), py::arg("seed"));
  module.def("evaluate_transfer", &evaluate, py::arg("x"), py::arg("x_targets"), py::arg("y"), py::arg("y_targets"),
             py::arg("y_columns"), py::arg("classes"), py::arg("units"), py::arg("train_rows"), py::arg("runs"),
             py::arg("seed"), py::arg("threads"));
  module.def("partners", &partners, py::arg("x"), py::arg("y"), py::arg("threads"));
  module.def("label_transfer", &labels, py::arg("rows"), py::arg("truth"), py::arg("labelled_rows"), py::arg("known"),
             py::arg("neighbours"), py::arg("threads"));
}

}  // namespace cda::python
