// The page of a model: what was found and how far to trust it first, then what that rests on, and in the end all that
// is needed to do it again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cda/extend/version.hpp"
#include "cda/fit.hpp"
#include "cda/report.hpp"
#include "report/model_figures.hpp"
#include "report/model_words.hpp"

namespace cda {
namespace {

Section pair_section(const Model& model) {
  Section section{.id = "pairs", .heading = "The pairs"};
  PageTable table{
      .caption = "Pairs in the order found. In brackets: loadings, the correlation of a column with the pair's values.",
      .heading = {"pair", "in X", "in Y"},
      .rows = {}};
  const std::vector<std::string> figures =
      model.evidence ? std::vector<std::string>{"verdict", "p", "held out", "stability", "same sign"}
                     : std::vector<std::string>{"agreement", "divergence"};
  table.heading.insert(table.heading.end(), figures.begin(), figures.end());
  const auto number = [](const std::optional<double>& value, const char* format) {
    return value ? fmt::format(fmt::runtime(format), *value) : std::string("–");
  };
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    std::vector<std::string> row = {fmt::format("{}", i + 1), leading_names(model.x.columns, pair.x_loadings),
                                    leading_names(model.y.columns, pair.y_loadings)};
    if (model.evidence) {
      const PairEvidence& evidence = model.evidence->pairs[i];
      std::string verdict = to_string(evidence.verdict);
      std::replace(verdict.begin(), verdict.end(), '_', ' ');
      const auto percent = [&](std::optional<double> share) {
        if (share) *share *= 100.0;
        return number(share, "{:.0f} %");
      };
      row.insert(row.end(), {verdict, number(evidence.p, "{:.3g}"), number(evidence.agreement_held_out, "{:.2f}"),
                             percent(evidence.stability), percent(evidence.sign)});
    } else {
      row.insert(row.end(), {fmt::format("{:.2f}", pair.agreement), fmt::format("{:.3g}", pair.divergence)});
    }
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
  if (model.pairs.size() > most_pairs_drawn)
    section.text.push_back(fmt::format("Figures show the first {} of {} pairs.", most_pairs_drawn, model.pairs.size()));
  return section;
}

// What else the pairs could be: the other sign, other partners, other optima nearly as good.
Section other_readings(const Model& model) {
  Section section{.id = "readings", .heading = "Other readings", .folded = true};
  PageTable table{.caption = "", .heading = {"pair", "what fits too"}, .rows = {}};
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    const auto add = [&](std::string reading) { table.rows.push_back({fmt::format("{}", i + 1), std::move(reading)}); };
    for (const std::string& sentence : other_partners(pair)) add(sentence);
    for (const Alternative& other : pair.alternatives) {
      if (other.kind == Alternative::Kind::mirrored && other.agreement)
        add(fmt::format("turned round, the shapes agree as well ({:.2f})", *other.agreement));
      if (other.objective && *other.objective <= pair.objective + 0.1 * std::abs(pair.objective))
        add(fmt::format("another solution with objective {:.4g} instead of {:.4g}{}", *other.objective, pair.objective,
                        other.mirrored ? ", with the sign turned" : ""));
    }
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

Section reproduction_section(const Model& model) {
  Section section{.id = "again", .heading = "How to do it again"};
  section.text.push_back(fmt::format("`{}`", command_line(model)));
  section.text.push_back(fmt::format(
      "With cda {}: the same files, options and seed give the same model to the last byte, on any number of threads.",
      version()));
  if (model.summary) {
    PageTable files{.caption = "The files that were read", .heading = {"table", "file", "SHA-256"}, .rows = {}};
    for (const Side side : {Side::x, Side::y}) {
      const TableOverview& overview = side == Side::x ? model.summary->x : model.summary->y;
      files.rows.push_back({side == Side::x ? "X" : "Y", overview.name.empty() ? "a table in memory" : overview.name,
                            overview.sha256.empty() ? "not known" : overview.sha256});
    }
    section.tables.push_back(std::move(files));
  }
  PageTable options{.caption = "Everything in force", .heading = {"option", "value"}, .rows = {}};
  options.rows.push_back({"method", model.method});
  options.rows.push_back({"seed", fmt::format("{}", model.options.seed)});
  for (const auto& [name, value] : model.in_force())
    if (name != "method") options.rows.push_back({name, value});
  if (model.evidence) {
    options.rows.push_back({"test", to_string(model.evidence->test)});
    options.rows.push_back({"surrogates", fmt::format("{}", model.evidence->surrogates)});
    options.rows.push_back({"bootstraps", fmt::format("{}", model.evidence->bootstraps)});
  }
  section.tables.push_back(std::move(options));
  section.text.emplace_back(
      "Please cite the paper (Hoang-Vu Nguyen and Jilles Vreeken: Canonical Divergence Analysis, 2015) and the "
      "software: "
      "CITATION.cff has both.");
  return section;
}

Page model_page(const Model& model) {
  const auto described = [&](Side side) {
    const TableSummary& table = side == Side::x ? model.x : model.y;
    const std::string letter = side == Side::x ? "X" : "Y", name = table_name(model, side);
    const std::string size =
        fmt::format("{}, {}", counted(table.rows, "row"), counted(static_cast<Index>(table.columns.size()), "column"));
    if (name == letter) return fmt::format("{}: {}", letter, size);  // made in memory
    return fmt::format("{}: {} ({})", letter, name, size);
  };
  Page page;
  page.title = fmt::format("What {} and {} have in common", table_name(model, Side::x), table_name(model, Side::y));
  page.subtitle = fmt::format("{}. {}. {} by {}.", described(Side::x), described(Side::y),
                              counted(static_cast<Index>(model.pairs.size()), "pair"), model.method);
  page.verdicts = verdicts(model);
  page.warnings = page_warnings(model);
  if (!model.summary)
    page.warnings.emplace_back(
        "this model was kept without a summary of its tables, so densities, quantiles and columns are not shown: fit "
        "again to have them");
  for (Section& section : std::vector<Section>{pair_section(model), other_readings(model), divergence_section(model),
                                               density_section(model), quantile_section(model), loading_section(model),
                                               relation_section(model), joint_section(model), null_section(model),
                                               convergence_section(model), input_section(model),
                                               reproduction_section(model), glossary(model)}) {
    const bool needs_figures =
        section.id == "densities" || section.id == "quantiles" || section.id == "joint" || section.id == "inputs";
    if (needs_figures && section.figures.empty()) continue;
    if (section.id == "readings" && section.tables.empty()) continue;
    if (section.id == "null" && !find_method(model.method).baseline.empty()) continue;  // it cannot be tested
    page.sections.push_back(std::move(section));
  }
  page.footer = fmt::format("cda {} · seed {}", version(), model.options.seed);
  return page;
}

}  // namespace

std::string report_html(const Model& model) { return to_html(model_page(model)); }

}  // namespace cda
