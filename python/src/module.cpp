// cda._core: the library as Python calls it. Only what has to be C++ is here; the package around it, in Python, is what
// people use.
#include "module.hpp"

#include "cda/peers.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library that cda stands on. Use the package cda; what is in here may change.";
  cda::add_peers();
  cda::python::add_errors(module);
  cda::python::add_tables(module);
  cda::python::add_models(module);
  cda::python::add_parts(module);
  cda::python::add_divergences(module);
  cda::python::add_matching(module);
  cda::python::add_clustering(module);
  cda::python::add_transfer(module);
}
