#include "report/model_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "cda/fit.hpp"
#include "model/request.hpp"

namespace cda {
namespace {

constexpr double significant = 0.05;

PageVerdict::Level level_of(const std::string& verdict) {
  if (verdict == "supported") return PageVerdict::Level::good;
  return verdict == "ambiguous" ? PageVerdict::Level::unsure : PageVerdict::Level::none;
}

std::string joined(const std::vector<std::string>& items) {
  if (items.size() < 2) return items.empty() ? "" : items.front();
  const std::vector<std::string> before(items.begin(), items.end() - 1);
  return fmt::format("{} and {}", fmt::join(before, ", "), items.back());
}

// How much of the shape agrees, best known: on rows that were not fitted, else on those that were.
std::string agreement_words(const Model& model, std::size_t i) {
  const Pair& pair = model.pairs[i];
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100.0 * std::max(0.0, share)); };
  if (model.evidence && model.evidence->pairs[i].agreement_held_out)
    return fmt::format("{} of the shape agrees on rows not used for fitting",
                       percent(*model.evidence->pairs[i].agreement_held_out));
  return fmt::format("{} of the shape agrees on the rows that were fitted", percent(pair.agreement));
}

// What speaks for a pair, besides how well it agrees.
std::string evidence_words(const PairEvidence& pair) {
  std::string text;
  if (pair.p) text += fmt::format(" Unrelated tables match this well with probability {:.3g}.", *pair.p);
  if (pair.stability) text += fmt::format(" The pair comes back in {:.0f} % of refits.", 100.0 * *pair.stability);
  return text;
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
  });
  if (plain) return text;
  std::string quoted_text = "'";
  for (const char c : text) quoted_text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted_text + "'";
}

std::string option(const Model& model, const std::string& name) {
  const auto found = model.options.find(name);
  return found == model.options.end() ? std::string() : found->second;
}

// Options as the model holds them, and the flags that set them.
const std::map<std::string, std::string>& flags() {
  static const std::map<std::string, std::string> all = {{"divergence", "--divergence"},
                                                         {"formulation", "--formulation"},
                                                         {"optimiser", "--optimiser"},
                                                         {"prepare", "--prepare"},
                                                         {"scale", "--scale"},
                                                         {"max_columns", "--max-columns"},
                                                         {"few_valued", "--few-valued"},
                                                         {"block_length", "--block-length"},
                                                         {"starts", "--starts"},
                                                         {"refined", "--refined"},
                                                         {"scouting_rows", "--scouting-rows"},
                                                         {"iterations", "--max-iterations"},
                                                         {"gradient_tolerance", "--tolerance"},
                                                         {"decrease_tolerance", "--decrease-tolerance"},
                                                         {"x_missing", "--x-missing"},
                                                         {"y_missing", "--y-missing"}};
  return all;
}

// What would be in force had nothing been asked for but the method and this divergence, on which the effort depends.
std::map<std::string, std::string> usual_options(const Model& model) {
  FitOptions usual;
  usual.method = model.method;
  usual.as_published = option(model, "as_published") == "yes";
  const std::string own = chosen_parts(usual).divergence.to_string();
  usual.divergence = PartSpec(option(model, "divergence"));
  const MethodParts parts = chosen_parts(usual);
  std::map<std::string, std::string> all =
      in_force(usual, parts, search_options(usual, parts, *divergences().make(parts.divergence)), 0);
  all["divergence"] = own;
  return all;
}

// The flags of all that is not the method's own.
std::string changed_options(const Model& model) {
  std::map<std::string, std::string> usual;
  if (find_method(model.method).baseline.empty())
    usual = usual_options(model);
  else  // a method to compare with has its options in its name, and these are its own
    usual = {{"block_length", "1"}, {"divergence", option(model, "divergence")}, {"prepare", option(model, "prepare")}};
  std::string text = option(model, "as_published") == "yes" ? " --as-published" : "";
  for (const auto& [name, flag] : flags()) {
    std::string value = option(model, name);
    if (value.empty() || (usual.count(name) != 0 && usual[name] == value)) continue;
    if (name == "few_valued" && value == "set aside") value = "drop";
    if (name == "prepare") std::replace(value.begin(), value.end(), ' ', '+');
    text += fmt::format(" {} {}", flag, shell_word(value));
  }
  return text;
}

}  // namespace

std::string counted(Index count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string table_name(const Model& model, Side side) {
  const std::string fallback = side == Side::x ? "X" : "Y";
  if (!model.summary) return fallback;
  const std::string& name = (side == Side::x ? model.summary->x : model.summary->y).name;
  return name.empty() ? fallback : name;
}

std::string leading_names(const std::vector<std::string>& columns, const Vector& loadings) {
  std::vector<std::string> names;
  for (const Index j : leading_columns(loadings, 3))
    names.push_back(fmt::format("{} ({:+.2f})", columns[static_cast<std::size_t>(j)], loadings[j]));
  return joined(names);
}

std::string pair_sentence(const Model& model, std::size_t i) {
  const Pair& pair = model.pairs[i];
  const std::size_t count = leading_columns(pair.x_loadings, 3).size();
  return fmt::format("{}; {} in X {} with {} in Y.", agreement_words(model, i),
                     leading_names(model.x.columns, pair.x_loadings), count == 1 ? "goes" : "go",
                     leading_names(model.y.columns, pair.y_loadings));
}

// Of cCDA: how far the alignment as a whole is determined.
std::vector<PageVerdict> coupling_verdicts(const Model& model) {
  using Level = PageVerdict::Level;
  const Coupling& coupling = *model.coupling;
  std::vector<PageVerdict> all;
  all.push_back({coupling.ambiguous ? Level::unsure : Level::neutral, coupling.ambiguous ? "ambiguous" : "not tested",
                 fmt::format("The clouds of rows were laid on each other with a matrix correlation of {:.3f}. The best "
                             "ways of doing so agree to {:.2f}, those of disjoint halves of the rows to {:.2f}{}. "
                             "Nothing here proves that rows correspond: `cda score` does, where some truth is known.",
                             coupling.chosen.correlation, coupling.coherence, coupling.halves,
                             coupling.ambiguous ? ": others come as close and say something else" : "")});
  for (std::size_t i = 0; i < std::min<std::size_t>(5, coupling.alternatives.size()); ++i) {
    const Alignment& other = coupling.alternatives[i];
    all.push_back(
        {Level::neutral, fmt::format("choice={}", i + 2),
         fmt::format("A single way: correlation {:.4f}, sliced distance {:.2f}, weight {:.2f}, cosine {:+.2f} "
                     "with the chosen one.",
                     other.correlation, other.sliced, other.weight, other.cosine)});
  }
  for (std::size_t i = 0; i < model.pairs.size(); ++i)
    all.push_back({Level::neutral, fmt::format("pair {}", i + 1), pair_sentence(model, i)});
  return all;
}

std::vector<PageVerdict> verdicts(const Model& model) {
  constexpr std::size_t most = 6;
  using Level = PageVerdict::Level;
  std::vector<PageVerdict> all;
  if (!model.evidence) {
    if (model.coupling) return coupling_verdicts(model);
    const bool compared = find_method(model.method).compared;
    all.push_back({Level::neutral, "not tested",
                   compared
                       ? fmt::format("{} is a method to compare with: what it found is not tested here.", model.method)
                       : fmt::format("These pairs agree on the rows they were fitted to, which is no proof: pairs of "
                                     "unrelated tables do so too. `cda test {} {}` says how far each can be trusted.",
                                     shell_word(table_name(model, Side::x)), shell_word(table_name(model, Side::y)))});
    for (std::size_t i = 0; i < std::min(most, model.pairs.size()); ++i)
      all.push_back({Level::neutral, fmt::format("pair {}", i + 1), pair_sentence(model, i)});
    return all;
  }
  const Evidence& evidence = *model.evidence;
  Level level = Level::neutral;
  std::string label = "not tested";
  if (evidence.global_p) {
    level = *evidence.global_p <= significant ? Level::good : Level::none;
    label = *evidence.global_p <= significant ? "something is shared" : "no evidence that anything is shared";
  }
  const auto number = [&](const char* verdict) {
    return std::count_if(evidence.pairs.begin(), evidence.pairs.end(),
                         [&](const PairEvidence& pair) { return pair.verdict == verdict; });
  };
  std::string text = fmt::format("{} Of {}: {} supported, {} ambiguous, {} without evidence.", evidence.statement,
                                 counted(static_cast<Index>(evidence.pairs.size()), "pair"), number("supported"),
                                 number("ambiguous"), number("no_evidence"));
  if (number("supported") > 0)
    text +=
        " A supported pair is evidence that both tables hold a variable with this distribution; it does not link "
        "individual rows.";
  all.push_back({level, label, std::move(text)});
  for (std::size_t i = 0; i < std::min(most, evidence.pairs.size()); ++i) {
    std::string word = evidence.pairs[i].verdict;
    std::replace(word.begin(), word.end(), '_', ' ');
    all.push_back({level_of(evidence.pairs[i].verdict), fmt::format("pair {}: {}", i + 1, word),
                   pair_sentence(model, i) + evidence_words(evidence.pairs[i])});
  }
  return all;
}

std::vector<std::string> page_warnings(const Model& model) {
  std::vector<std::string> all = model.warnings;
  if (model.evidence) {
    all.insert(all.end(), model.evidence->warnings.begin(), model.evidence->warnings.end());
    for (std::size_t i = 0; i < model.evidence->pairs.size(); ++i) {
      const std::vector<std::string> shown_below = other_partners(model.pairs[i]);
      for (const std::string& note : model.evidence->pairs[i].notes)
        if (note.find("divergence on rows") == std::string::npos &&
            std::find(shown_below.begin(), shown_below.end(), note) == shown_below.end())
          all.push_back(fmt::format("pair {}: {}", i + 1, note));
    }
  }
  for (std::size_t i = 0; i < model.pairs.size(); ++i)
    if (!model.pairs[i].informative)
      all.push_back(fmt::format(
          "pair {} is not informative: at least one side is no different from a bell curve, which any table holds",
          i + 1));
  return all;
}

std::string command_line(const Model& model) {
  const std::string method = option(model, "method").empty() ? model.method : option(model, "method");
  std::string changed;
  try {
    changed = changed_options(model);
  } catch (const Error&) {  // a model of parts that are not known here
    changed.clear();
  }
  std::string command =
      fmt::format("cda {} {} {} --method {} --components {}{} --seed {}", model.evidence ? "test" : "fit",
                  shell_word(table_name(model, Side::x)), shell_word(table_name(model, Side::y)), shell_word(method),
                  model.pairs.size(), changed, model.seed);
  if (model.evidence)
    command += fmt::format(" --surrogates {} --bootstrap {}", model.evidence->surrogates, model.evidence->bootstraps);
  return command;
}

Section glossary(const Model& model) {
  Section section{.id = "words", .heading = "What the words mean", .folded = true};
  PageTable table{.caption = "", .heading = {"word", "meaning"}, .rows = {}};
  const auto word = [&](const char* name, const char* meaning) { table.rows.push_back({name, meaning}); };
  word("pair",
       "A weighted sum of X's columns and one of Y's whose values are distributed alike. Rows are never linked.");
  word("values", "What a pair's weights make of each row: intercept + sum of weight times column.");
  word("loading",
       "Correlation of a column with a pair's values, from -1 to +1. It says which columns go with the pair. A weight "
       "says "
       "what a column is multiplied with, which is another thing where columns depend on each other.");
  word(
      "agreement",
      "How alike two shapes are beyond the bell curve: 1 the same, 0 nothing in common, -1 opposite. Only its value on "
      "rows that were not fitted counts.");
  word("held out", "Measured on rows that the fit had not seen: the tables are halved, and the halves take turns.");
  word("divergence",
       "Distance between the distributions of a pair's two sides, in the units of the method; 0: the same.");
  if (model.evidence) {
    word("p",
         "Share of unrelated tables with equally strong structure that match this well. Small: a match like this is "
         "hardly an accident. It does not say that rows correspond, nor that there is a common cause.");
    word("stability", "Share of refits on resampled rows in which the pair comes back.");
    word("sign", "Of these, the share in which high X still goes with high Y. Near one half: the direction is open.");
    word("supported", "p at most .05, agreement on other rows at least .8, stability at least .6.");
    word("ambiguous", "Some of that holds, not all: worth a second look, with more rows.");
    word("no evidence", "Unrelated tables would match as well, or a side has no shape of its own.");
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace cda
