// The pieces of the module cda._core, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace cda::python {

void add_errors(pybind11::module_& module);
void add_tables(pybind11::module_& module);
void add_models(pybind11::module_& module);
void add_parts(pybind11::module_& module);
void add_divergences(pybind11::module_& module);
void add_matching(pybind11::module_& module);
void add_clustering(pybind11::module_& module);
void add_transfer(pybind11::module_& module);

}  // namespace cda::python
