#include "options.hpp"

#include <pybind11/stl.h>

#include <chrono>

namespace py = pybind11;

namespace cda::python {
namespace {

template <class Value>
std::optional<Value> asked_for(const py::dict& asked, const char* name) {
  if (!asked.contains(name) || asked[name].is_none()) return std::nullopt;
  return asked[name].cast<Value>();
}

template <class Value, class Target>
void take(const py::dict& asked, const char* name, Target& target) {
  if (const auto value = asked_for<Value>(asked, name)) target = *value;
}

template <class Part>
void take_part(const py::dict& asked, const char* name, const Catalogue<Part>& known, std::optional<PartSpec>& target) {
  if (const auto text = asked_for<std::string>(asked, name)) target = known.complete(*text);
}

std::function<std::string()> after(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds));
  return [end] { return std::chrono::steady_clock::now() < end ? std::string() : std::string("time limit"); };
}

}  // namespace

FitOptions fit_options(const py::dict& asked) {
  FitOptions options;
  if (const auto method = asked_for<std::string>(asked, "method")) options.method = complete_method(*method);
  take_part(asked, "divergence", divergences(), options.divergence);
  take_part(asked, "formulation", formulations(), options.formulation);
  take_part(asked, "optimiser", optimisers(), options.optimiser);
  if (const auto steps = asked_for<std::vector<std::string>>(asked, "prepare")) {
    options.prepare.emplace();
    for (const std::string& step : *steps)
      if (!same_name(step, "none")) options.prepare->push_back(preparations().complete(step));
  }
  if (const auto scale = asked_for<std::string>(asked, "scale")) options.scale = ScaleRule::parse(*scale).to_string();
  take<std::string>(asked, "bandwidth", options.bandwidth);
  take<std::string>(asked, "refine", options.refine);
  take<bool>(asked, "keep_few_valued", options.keep_few_valued);
  take<bool>(asked, "as_published", options.as_published);
  take<Index>(asked, "components", options.components);
  take<Index>(asked, "max_columns", options.max_columns);
  take<Index>(asked, "block_length", options.block_length);
  take<int>(asked, "starts", options.starts);
  take<int>(asked, "refined", options.refined);
  take<Index>(asked, "scouting_rows", options.scouting_rows);
  take<int>(asked, "max_iterations", options.stopping.iterations);
  take<double>(asked, "tolerance", options.stopping.gradient_tolerance);
  take<double>(asked, "decrease_tolerance", options.stopping.decrease_tolerance);
  take<int>(asked, "decrease_times", options.stopping.decrease_times);
  take<std::uint64_t>(asked, "seed", options.seed);
  take<int>(asked, "threads", options.threads);
  if (const auto seconds = asked_for<double>(asked, "time_limit")) options.stopping.enough = after(*seconds);
  return options;
}

}  // namespace cda::python
