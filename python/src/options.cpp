#include "options.hpp"

#include <pybind11/stl.h>

#include <chrono>

namespace py = pybind11;

namespace cda::python {
namespace {

std::function<std::string()> after(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds));
  return [end] { return std::chrono::steady_clock::now() < end ? std::string() : std::string("time limit"); };
}

}  // namespace

FitOptions fit_options(const py::dict& asked) {
  FitOptions options;
  for (const auto& [key, value] : asked) {
    const auto name = key.cast<std::string>();
    if (name == "threads")
      options.threads = value.cast<int>();
    else if (name == "time_limit")
      options.stopping.enough = after(value.cast<double>());
    else
      set_option(options, name, value.cast<std::string>(), name);
  }
  completed(options);  // refuses what cannot be
  refuse_unread(options);
  return options;
}

}  // namespace cda::python
