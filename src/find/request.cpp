#include "find/request.hpp"

#include <fmt/format.h>

namespace cda {

MethodParts chosen_parts(const FitOptions& options) {
  const MethodInfo& method = find_method(options.method);
  const MethodParts& preset = options.as_published ? method.published : method.parts;
  MethodParts parts;
  parts.scale = ScaleRule::parse(options.scale.value_or(preset.scale)).to_string();
  PartSpec divergence = options.divergence.value_or(preset.divergence);
  if (options.bandwidth) {
    if (!divergences().complete(divergence.name).settings.has("bandwidth"))
      throw Error(Fault::usage, "option.bandwidth",
                  fmt::format("the divergence {} does not smooth, so it has no bandwidth", divergence.name),
                  "leave out --bandwidth, or choose quadratic, pearson or mmd");
    divergence.settings.set("bandwidth", *options.bandwidth);
  }
  parts.divergence = divergences().complete(divergence);
  PartSpec formulation = options.formulation.value_or(preset.formulation);
  if (options.refine) {
    if (!formulations().complete(formulation.name).settings.has("refine"))
      throw Error(
          Fault::usage, "option.refine",
          fmt::format("the formulation {} does not match components, so there is nothing to refine", formulation.name),
          "leave out --refine, or choose --method iCDA");
    formulation.settings.set("refine", *options.refine);
  }
  parts.formulation = formulations().complete(formulation);
  for (const PartSpec& step : options.prepare.value_or(preset.prepare))
    parts.prepare.push_back(preparations().complete(step));
  parts.optimiser = optimisers().complete(options.optimiser.value_or(preset.optimiser));
  // CDA_M's own solver knows one objective; with other parts in its place the method descends like its siblings.
  const bool quadratic = parts.divergence.name == "extended_mallows" &&
                         parts.divergence.settings.number("order", 1.0, 20.0) == 2.0 &&
                         parts.formulation.name == "iterative" && parts.scale != "optimised";
  if (parts.optimiser.name == "exact" && !options.optimiser && !quadratic)
    parts.optimiser = optimisers().complete("natural_gradient");
  if (parts.formulation.name == "contrast") {
    if (!ends_whitened(parts))
      throw Error(Fault::usage, "option.prepare", "the contrast is defined on whitened columns",
                  "let whiten be the last of --prepare");
    if (parts.scale != "1")
      throw Error(Fault::usage, "option.scale", "whitened columns have one scale already", "leave out --scale");
  }
  return parts;
}

SearchOptions search_options(const FitOptions& options, const MethodParts& parts, const Divergence& divergence) {
  SearchOptions usual = divergence.costly()
                            ? SearchOptions{.starts = 24, .refined = 4, .scouting_rows = 500, .stopping = {}}
                            : SearchOptions{.starts = 100, .refined = 12, .scouting_rows = 2000, .stopping = {}};
  if (parts.formulation.name == "contrast")
    usual = divergence.costly() ? SearchOptions{.starts = 60, .refined = 4, .scouting_rows = 1000, .stopping = {}}
                                : SearchOptions{.starts = 150, .refined = 6, .scouting_rows = 5000, .stopping = {}};
  return {options.starts.value_or(usual.starts),
          options.refined.value_or(usual.refined),
          options.scouting_rows.value_or(usual.scouting_rows),
          options.stopping,
          options.seed,
          options.block_length};
}

std::map<std::string, std::string> in_force(const FitOptions& options, const MethodParts& parts,
                                            const SearchOptions& search, Index components) {
  std::vector<std::string> steps;
  for (const PartSpec& step : parts.prepare) steps.push_back(step.to_string());
  return {{"as_published", options.as_published ? "yes" : "no"},
          {"block_length", fmt::format("{}", options.block_length)},
          {"components", fmt::format("{}", components)},
          {"decrease_tolerance", fmt::format("{}", options.stopping.decrease_tolerance)},
          {"divergence", parts.divergence.to_string()},
          {"formulation", parts.formulation.to_string()},
          {"gradient_tolerance", fmt::format("{}", options.stopping.gradient_tolerance)},
          {"iterations", fmt::format("{}", options.stopping.iterations)},
          {"max_columns", fmt::format("{}", options.max_columns)},
          {"few_valued", options.keep_few_valued ? "keep" : "set aside"},
          {"optimiser", parts.optimiser.to_string()},
          {"prepare", fmt::format("{}", fmt::join(steps, " "))},
          {"refined", fmt::format("{}", search.refined)},
          {"scale", parts.scale},
          {"scouting_rows", fmt::format("{}", search.scouting_rows)},
          {"starts", fmt::format("{}", search.starts)}};
}

bool ends_whitened(const MethodParts& parts) { return !parts.prepare.empty() && parts.prepare.back().name == "whiten"; }

const FitOptions& checked(const FitOptions& options) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw Error(Fault::usage, "option.value", what);
  };
  require(options.components >= 0, "components must not be negative");
  require(options.starts.value_or(0) >= 0, "starts must not be negative");
  require(options.refined.value_or(1) >= 1, "refined must be at least 1");
  require(options.scouting_rows.value_or(0) >= 0, "scouting rows must not be negative");
  require(options.stopping.iterations >= 1, "iterations must be at least 1");
  require(options.stopping.gradient_tolerance >= 0.0, "gradient tolerance must not be negative");
  require(options.stopping.decrease_tolerance >= 0.0, "decrease tolerance must not be negative");
  require(options.max_columns >= 0, "max columns must not be negative");
  require(options.block_length >= 1, "the block length must be at least 1");
  require(options.threads >= 0, "threads must not be negative");
  return options;
}

}  // namespace cda
