#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loadings_table.hpp"

namespace cda::command {
namespace {

using Names = std::vector<std::string>;

std::string column_table(const char* side, const Names& names, const Vector& weights, const Vector& loadings,
                         const Page& page) {
  constexpr std::size_t numbers = 28;  // what stands before and beside the names
  const std::size_t width = std::clamp<std::size_t>(page.width - std::min(page.width, numbers), 12, 40);
  std::vector<std::vector<std::string>> rows = {{std::string("column of ") + side, "weight", "loading"}};
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto at = static_cast<Index>(j);
    rows.push_back({shown_within(names[j], width), weights.size() > 0 ? fmt::format("{:+.6g}", weights[at]) : "-",
                    fmt::format("{:+.3f}", loadings[at])});
  }
  return text_table(rows, "    ");
}

// Other solutions whose objective is within a tenth of the pair's, and other readings of matched shapes.
std::string ambiguities(const Pair& pair, std::size_t width) {
  const double close = pair.objective + 0.1 * std::abs(pair.objective);
  std::size_t ties = 0;
  bool mirrored = false;
  std::string text;
  for (const Alternative& other : pair.alternatives) {
    if (other.objective && *other.objective <= close) {
      ++ties;
      mirrored = mirrored || other.mirrored;
    }
    if (other.kind == Alternative::Kind::mirrored)
      text += wrapped(
          fmt::format("turned round, the shapes agree as well ({:.2f}): the relative sign is open", *other.agreement),
          width, "  ");
  }
  for (const std::string& partners : other_partners(pair)) text += wrapped(partners, width, "  ");
  if (ties > 0)
    text += wrapped(fmt::format("{} other solution{} nearly as good{}: read this pair with care", ties,
                                ties == 1 ? " is" : "s are", mirrored ? " (also with the sign turned)" : ""),
                    width, "  ");
  return text;
}

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string side_summary(const char* side, const std::string& name, const TableSummary& table, std::size_t width) {
  std::string text =
      fmt::format("{}  {} ({}, {}, rank {})", side, shown_within(name, std::clamp<std::size_t>(width - 5, 15, 60)),
                  counted(table.rows, "row"), counted(static_cast<Index>(table.columns.size()), "column"), table.rank);
  if (table.described_rows > 0) text += fmt::format(", shapes of {} of them", counted(table.described_rows, "row"));
  if (table.components) text += fmt::format(", {} not bell-shaped", counted(*table.components, "component"));
  return wrapped(text, width, "  ", "   ");
}

// What a method to compare with goes by, in its own words; empty for others.
std::string own_figure(const Model& model) { return model.figure; }

std::string heading(const Pair& pair, Index number, const std::string& figure, const Page& page) {
  std::vector<std::string> pieces = {bold(fmt::format("pair {}", number), page.colour)};
  if (!figure.empty()) pieces.push_back(fmt::format("{} {:.4g}", figure, pair.objective));
  pieces.push_back(fmt::format("agreement {:.2f}", pair.agreement));
  pieces.push_back(fmt::format("divergence {:.4g}", pair.divergence));
  if (!pair.converged) pieces.push_back(fmt::format("NOT converged after {}", counted(pair.iterations, "iteration")));
  if (!pair.informative) pieces.emplace_back("uninformative");
  std::string text = "\n" + flowed(pieces, page.width, "", "  ");
  if (pair.agreement_all_columns)
    text +=
        wrapped(fmt::format("few columns: agreement {:.2f} instead of {:.2f}; they explain {:.0f} % of X's side, "
                            "{:.0f} % of Y's",
                            pair.agreement, *pair.agreement_all_columns, 100.0 * *pair.x_kept, 100.0 * *pair.y_kept),
                page.width, "  ");
  return text;
}

std::string evidence_text(const PairEvidence& evidence, bool every_column, std::size_t width) {
  std::vector<std::string> figures;
  if (evidence.p) figures.push_back(fmt::format("p {:.3g}", *evidence.p));
  if (evidence.agreement_held_out)
    figures.push_back(fmt::format("held-out agreement {:.2f} (at least {:.2f})", *evidence.agreement_held_out,
                                  *evidence.agreement_at_least));
  if (evidence.stability) figures.push_back(fmt::format("stability {:.0f} %", 100.0 * *evidence.stability));
  if (evidence.sign) figures.push_back(fmt::format("sign {:.0f} %", 100.0 * *evidence.sign));
  std::string text = flowed(figures, width, "  ", "", "  ");
  text += wrapped(evidence.statement, width, "  ");
  for (const std::string& note : evidence.notes)
    if (every_column || note.find("divergence on rows") == std::string::npos)
      text += wrapped("note: " + note, width, "  ");
  return text;
}

// What cCDA says of the whole, before its pairs.
std::string coupling_words(const Coupling& coupling) {
  std::string text = fmt::format(
      "The clouds of rows were laid on each other: matrix correlation {:.3f} of coupled rows. The best ways of doing "
      "so "
      "agree to {:.2f}, those of disjoint halves of the rows to {:.2f} (1: fully).",
      coupling.chosen.correlation, coupling.coherence, coupling.halves);
  if (coupling.overlap < 1.0)
    text += fmt::format(" Estimated overlap of the tables: {:.0f} %.", 100.0 * coupling.overlap);
  text += coupling.ambiguous ? " AMBIGUOUS: other ways come as close and say something else; they stand below."
                             : " Single ways that come close stand below.";
  return text + " Nothing here proves that rows correspond: `cda score` does, where some truth is known.";
}

std::string alternatives_table(const Coupling& coupling) {
  constexpr std::size_t most = 5;
  std::vector<std::vector<std::string>> rows = {{"way", "correlation", "sliced", "weight", "cosine with the chosen"}};
  for (std::size_t i = 0; i < std::min(most, coupling.alternatives.size()); ++i) {
    const Alignment& other = coupling.alternatives[i];
    rows.push_back({fmt::format("choice={}", i + 2), fmt::format("{:.4f}", other.correlation),
                    fmt::format("{:.2f}", other.sliced), fmt::format("{:.2f}", other.weight),
                    fmt::format("{:+.2f}", other.cosine)});
  }
  std::string text = text_table(rows, "  ");
  if (coupling.alternatives.size() > most) text += fmt::format("  and {} more\n", coupling.alternatives.size() - most);
  return text;
}

std::string introduction(const Model& model, const Page& page, std::size_t width) {
  std::string text;
  if (model.evidence)
    text = "Is anything shared? " + model.evidence->statement;
  else if (model.coupling)
    text = coupling_words(*model.coupling);
  else if (!own_figure(model).empty())
    text = "A method to compare with: what it found is not tested here.";
  else
    text = "Agreement on the rows that were fitted is no proof: `cda test` says how far each pair can be trusted.";
  text += fmt::format(" Beside each column: its correlation with the pair's values, drawn with {} where negative.",
                      negative_bar(page));
  text = wrapped(text, width);
  if (model.coupling && !model.coupling->alternatives.empty()) text += "\n" + alternatives_table(*model.coupling);
  return text;
}

}  // namespace

std::string findings_text(const Model& model, const std::string& x_name, const std::string& y_name,
                          const FindingsOptions& options) {
  const Page& page = options.page;
  const std::size_t width = std::min<std::size_t>(page.width, 88);  // longer lines of words are hard to read
  std::string text = fmt::format("{} found {} between\n", bold(model.method, page.colour),
                                 counted(static_cast<Index>(model.pairs.size()), "pair"));
  text += side_summary("X", x_name, model.x, width) + side_summary("Y", y_name, model.y, width) + "\n";
  text += introduction(model, page, width);
  const LoadingsTable loadings(model, page);
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    text += heading(pair, static_cast<Index>(i) + 1, own_figure(model), page);
    text += loadings.of(pair);
    if (!pair.converged || options.every_column) text += wrapped("stopped: " + shown(pair.stopped, 200), width, "  ");
    if (model.evidence)
      text += evidence_text(model.evidence->pairs[i], options.every_column, width);
    else
      text += ambiguities(pair, width);
    if (options.every_column) {
      text += flowed({fmt::format("scale {:.6g}", pair.scale), fmt::format("objective {:.6g}", pair.objective),
                      counted(pair.iterations, "iteration"), counted(pair.evaluations, "evaluation"),
                      fmt::format("{:.3f} s", pair.seconds)},
                     width, "  ");
      text += column_table("X", model.x.columns, pair.x_weights, pair.x_loadings, page);
      text += column_table("Y", model.y.columns, pair.y_weights, pair.y_loadings, page);
    }
  }
  return text;
}

}  // namespace cda::command
