#include "find/request.hpp"

#include <fmt/format.h>

#include "base/option_text.hpp"
#include "find/baseline_fit.hpp"

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
    formulation.settings.set("refine", *options.refine == Refine::joint ? "yes" : "no");
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

FitOptions in_force(FitOptions options, const MethodParts& parts, const SearchOptions& search) {
  options.method = complete_method(options.method);
  options.divergence = parts.divergence;
  options.formulation = parts.formulation;
  options.optimiser = parts.optimiser;
  options.prepare = parts.prepare;
  options.scale = parts.scale;
  options.bandwidth = {};  // these two are options of the parts by now
  options.refine = {};
  const bool exact = parts.optimiser.name == "exact";  // which has no starts
  options.starts = exact ? std::nullopt : std::optional(search.starts);
  options.refined = exact ? std::nullopt : std::optional(search.refined);
  options.scouting_rows = exact ? std::nullopt : std::optional(search.scouting_rows);
  return without_means(options);
}

FitOptions without_means(FitOptions options) {
  options.stopping.enough = {};
  options.summarise = false;
  options.threads = 0;
  options.ranks = nullptr;
  return options;
}

void refuse_unread(const FitOptions& options) {
  const MethodInfo method = find_method(options.method);
  if (!method.baseline.empty()) return static_cast<void>(completed(options));
  const MethodParts parts = chosen_parts(options);
  const auto refuse = [&](bool unread, const char* name, const std::string& why) {
    if (unread)
      throw Error(Fault::usage, "option.unread", fmt::format("--{} would do nothing: {}", dashed(name), why),
                  "leave it out");
  };
  const bool exact = parts.optimiser.name == "exact";
  const std::string solved = fmt::format("{} is solved to its global optimum, without starts", method.name);
  refuse(exact && options.starts, "starts", solved);
  refuse(exact && options.refined, "refined", solved);
  refuse(exact && options.scouting_rows, "scouting_rows", solved);
  refuse(options.few_valued != FewValued::drop && parts.formulation.name != "contrast", "few_valued",
         fmt::format("{} uses columns of few values in any case; iCDA does not", method.name));
  const MethodParts &ours = method.parts, &printed = method.published;
  const auto same = [](const PartSpec& a, const PartSpec& b) { return a.to_string() == b.to_string(); };
  refuse(options.as_published && same(ours.divergence, printed.divergence) &&
             same(ours.formulation, printed.formulation) && same(ours.optimiser, printed.optimiser),
         "as_published", fmt::format("{} is as it was published", method.name));
}

FitOptions completed(const FitOptions& options) {
  if (!find_method(options.method).baseline.empty()) return completed_baseline(options);
  const MethodParts parts = chosen_parts(options);
  return in_force(checked(options), parts, search_options(options, parts, *divergences().make(parts.divergence)));
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
