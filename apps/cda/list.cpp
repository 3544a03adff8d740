// `cda list`: everything that can be chosen by name, from the same catalogues the choice is made in.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cda/cda.hpp"
#include "cda/extend/baseline.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/divergence.hpp"
#include "cda/extend/format.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/preparation.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "part_list.hpp"
#include "studies.hpp"

namespace cda::command {
namespace {

// Methods to compare with, by the names they are asked for.
std::vector<PartInfo> compared_methods() {
  std::vector<PartInfo> parts = baselines().list();
  for (PartInfo& part : parts) part.name = find_method(part.name).name;
  return parts;
}

struct Kind {
  std::string name, heading;
  std::vector<PartInfo> (*parts)();
};

const std::vector<Kind>& part_kinds() {
  static const std::vector<Kind> kinds = {
      {"baselines", "cCDA, and methods to compare with  (--method NAME:option=value,...)", compared_methods},
      {"divergences", "Divergences  (--divergence NAME:option=value,...)", [] { return divergences().list(); }},
      {"formulations", "Formulations  (--formulation NAME:option=value,...)", [] { return formulations().list(); }},
      {"optimisers", "Optimisers  (--optimiser NAME:option=value,...)", [] { return optimisers().list(); }},
      {"preparations", "Preparations  (--prepare NAME:option=value,..., repeatable, in order)",
       [] { return preparations().list(); }},
      {"formats", "Formats of tables  (found by content, then by name; --format NAME)",
       [] { return formats().list(); }},
      {"experiments", "Experiments  (cda experiment NAME:option=value,...)", studies}};
  return kinds;
}

}  // namespace

std::vector<std::string> list_kinds() {
  std::vector<std::string> names = {"methods"};
  for (const Kind& kind : part_kinds()) names.push_back(kind.name);
  return names;
}

namespace {

std::vector<std::string> texts(const std::vector<PartSpec>& specs) {
  std::vector<std::string> all;
  for (const PartSpec& spec : specs) all.push_back(spec.to_string());
  return all;
}

Json method_parts_json(const MethodParts& parts) {
  return {{"prepare", texts(parts.prepare)},
          {"divergence", parts.divergence.to_string()},
          {"formulation", parts.formulation.to_string()},
          {"optimiser", parts.optimiser.to_string()},
          {"scale", parts.scale}};
}

std::string parts_text(const MethodParts& parts) {
  return fmt::format("--prepare {} --divergence {} --formulation {} --optimiser {} --scale {}",
                     parts.prepare.empty() ? "none" : fmt::format("{}", fmt::join(texts(parts.prepare), "+")),
                     parts.divergence.to_string(), parts.formulation.to_string(), parts.optimiser.to_string(),
                     parts.scale);
}

Json methods_json() {
  Json all = Json::array();
  for (const MethodInfo& method : methods())
    if (method.baseline.empty())
      all.push_back({{"name", method.name},
                     {"summary", method.summary},
                     {"parts", method_parts_json(method.parts)},
                     {"as_published", method_parts_json(method.published)}});
    else
      all.push_back({{"name", method.name},
                     {"summary", method.summary},
                     {"parts", {{"prepare", texts(method.parts.prepare)}}},
                     {"as_published", nullptr}});
  return all;
}

// What formats have besides what every part has.
void add_format_facts(Json& list) {
  for (Json& part : list) {
    const std::unique_ptr<Format> format = formats().make(part["name"].get<std::string>());
    part["endings"] = format->endings();
    part["writes"] = format->writes();
  }
}

std::string methods_text(bool colour, bool verbose) {
  std::string text = bold("Methods", colour) + "  (--method NAME; a method is a preset of the parts below)\n";
  std::vector<std::vector<std::string>> rows;
  for (const MethodInfo& method : methods()) rows.push_back({method.name, method.summary});
  text += text_table(rows, "  ");
  if (verbose)
    for (const MethodInfo& method : methods()) {
      if (!method.baseline.empty()) continue;  // not made of parts; `baselines` lists their options
      text += fmt::format("\n  {}\n    {}\n", method.name, parts_text(method.parts));
      const std::string published = parts_text(method.published);
      if (published != parts_text(method.parts)) text += fmt::format("    as published: {}\n", published);
    }
  return text;
}

std::string parts_text(const Kind& kind, bool colour) {
  std::string text = bold(kind.heading, colour) + "\n";
  if (kind.name == "experiments" && studies_program().empty()) text += fmt::format("  {}\n", studies_missing);
  for (const PartInfo& part : kind.parts()) {
    text += fmt::format("  {}\n    {}\n", bold(part.name, colour), part.summary);
    if (!part.reference.empty()) text += fmt::format("    {}\n", part.reference);
    std::vector<std::vector<std::string>> rows;
    for (const OptionInfo& option : part.options)
      rows.push_back({fmt::format("{}={}", option.name, option.value), option.summary});
    text += text_table(rows, "      ");
  }
  return text;
}

void list(const std::string& wanted, const Session& session) {
  const std::vector<std::string> names = list_kinds();
  if (!wanted.empty() && std::none_of(names.begin(), names.end(), [&](auto& name) { return same_name(name, wanted); }))
    unknown_name("list", wanted, names);
  const auto asked = [&](const std::string& name) { return wanted.empty() || same_name(name, wanted); };

  Json object = Json::object();
  std::vector<std::string> blocks;
  const bool colour = colours(STDOUT_FILENO);
  if (asked("methods")) {
    object["methods"] = methods_json();
    blocks.push_back(methods_text(colour, session.verbose));
  }
  for (const Kind& kind : part_kinds()) {
    if (!asked(kind.name)) continue;
    object[kind.name] = parts_json(kind.parts());
    if (kind.name == "formats") add_format_facts(object[kind.name]);
    blocks.push_back(parts_text(kind, colour));
  }
  print(session.json ? document(object) : fmt::format("{}", fmt::join(blocks, "\n")));
}

}  // namespace

Action add_list(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "list",
      "Methods, baselines, divergences, formulations, optimisers, preparations, file formats, experiments\n\n"
      "Examples:\n"
      "  cda list\n"
      "  cda list divergences\n"
      "  cda list methods -v       with the parts each method is made of\n"
      "  cda list --json\n");
  auto wanted = std::make_shared<std::string>();
  command->add_option("KIND", *wanted, fmt::format("only these: {}", fmt::join(list_kinds(), ", ")))->type_name("KIND");
  add_session_options(*command, session);
  return [wanted](Session& current) { list(*wanted, current); };
}

}  // namespace cda::command
