// Tables: named columns of numbers, made from an array by the one copy that brings them into the library's order.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "cda/files.hpp"
#include "module.hpp"

namespace cda::python {
namespace {

Table table_of(const py::array& values, std::vector<std::string> names, const std::string& source) {
  Table table;
  table.values = to_matrix(values);
  table.names = std::move(names);
  table.source = source;
  if (static_cast<Index>(table.names.size()) != table.columns())
    throw py::value_error("there have to be as many names as columns");
  return table;
}

struct Gaps {
  Index missing = 0, infinite = 0;
};

Gaps gaps_in(const RowsView& rows) {
  Gaps gaps;
  constexpr Index block = 64;  // rows that stay in the cache while their columns are walked through, whatever the order
  for (Index begin = 0; begin < rows.rows(); begin += block) {
    const auto some = rows.middleRows(begin, std::min(block, rows.rows() - begin));
    if (some.allFinite()) continue;
    for (const double value : some.reshaped()) {
      gaps.missing += std::isnan(value) ? 1 : 0;
      gaps.infinite += std::isinf(value) ? 1 : 0;
    }
  }
  return gaps;
}

}  // namespace

void add_tables(py::module_& module) {
  py::class_<Table>(module, "Table", "Named columns of numbers, in the library's own order.")
      .def(py::init(&table_of), py::arg("values"), py::arg("names"), py::arg("source"))
      .def_property_readonly("rows", &Table::rows)
      .def_property_readonly("columns", &Table::columns)
      .def_readonly("names", &Table::names)
      .def_property_readonly("values", [](const Table& table) { return to_array(table.values); });
  module.def(
      "gaps",
      [](const py::array& values) {
        const ArrayRows rows(values);
        Gaps gaps;
        {
          const py::gil_scoped_release free_interpreter;
          gaps = gaps_in(rows.view());
        }
        return py::make_tuple(gaps.missing, gaps.infinite);
      },
      py::arg("values"));
  module.def(
      "write_file",
      [](const std::string& path, const std::string& content) {
        const py::gil_scoped_release free_interpreter;
        write_file(path, content);
      },
      py::arg("path"), py::arg("content"));
}

}  // namespace cda::python
