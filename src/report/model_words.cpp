#include "report/model_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/shell_word.hpp"
#include "cda/fit.hpp"

namespace cda {
namespace {

constexpr double significant = 0.05;

PageVerdict::Level level_of(Verdict verdict) {
  if (verdict == Verdict::supported) return PageVerdict::Level::good;
  return verdict == Verdict::ambiguous ? PageVerdict::Level::unsure : PageVerdict::Level::none;
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

// What speaks for a pair, besides how well it agrees; of one that is not supported, why not.
std::string evidence_words(const Evidence& evidence, const PairEvidence& pair) {
  if (pair.verdict != Verdict::supported &&
      !pair.statement.empty()) {  // "Pair 2 is ambiguous: the shapes agree, but ..."
    const std::size_t after = pair.statement.find(": ");
    std::string why = after == std::string::npos ? pair.statement : pair.statement.substr(after + 2);
    if (!why.empty()) why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
    return " " + why;
  }
  std::string text;
  if (pair.p)
    text += fmt::format(" {} match this well with probability {:.3g}.",
                        compared_with(evidence).by_shape ? "Unrelated tables" : "Gaussian tables", *pair.p);
  if (pair.stability) text += fmt::format(" The pair comes back in {:.0f} % of refits.", 100.0 * *pair.stability);
  return text;
}

// Without its middle where it is long: a sentence is to be read. Tables of the page have the whole name.
std::string short_name(const std::string& name) {
  constexpr std::size_t most = 60, begin = 38, end = 18;
  std::vector<std::size_t> starts;  // of characters, not of bytes
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  if (starts.size() <= most) return name;
  return name.substr(0, starts[begin]) + "\u2026" + name.substr(starts[starts.size() - end]);
}

// "1 to 3, 5 and 6", of numbers in increasing order.
std::string numbers_in_words(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last >= first + 2)
      words.push_back(fmt::format("{} to {}", numbers[first], numbers[last]));
    else
      for (std::size_t i = first; i <= last; ++i) words.push_back(fmt::format("{}", numbers[i]));
    first = last + 1;
  }
  return joined(words);
}

PageVerdict further_pairs(std::size_t count) {
  return {PageVerdict::Level::neutral,
          count == 1 ? std::string("one further pair") : fmt::format("{} further pairs", count),
          count == 1 ? "It is in the table below." : "They are in the table below."};
}

std::string reading(const Model& model, const std::string& name) {
  const auto found = model.reading.find(name);
  return found == model.reading.end() ? std::string() : found->second;
}

// What would be in force had nothing been asked for but the method and this divergence, on which the effort depends.
FitOptions usual_options(const Model& model) {
  FitOptions usual;
  usual.method = model.options.method;
  if (!model.options.formulation) return completed(usual);
  usual.as_published = model.options.as_published;
  const std::optional<PartSpec> own = completed(usual).divergence;
  usual.divergence = model.options.divergence;
  usual = completed(usual);
  usual.as_published = false;
  usual.divergence = own;
  return usual;
}

// How the tables were read: options that hold for both, or for one of them. Lists have a line for each.
std::string reading_options(const Model& model) {
  std::string text;
  const auto add = [&](const std::string& flag, const std::string& value, bool alone) {
    if (value.empty()) return;
    if (alone) {
      text += " --" + flag;
      return;
    }
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find('\n', begin), value.size());
      text += fmt::format(" --{} {}", flag, shell_word(value.substr(begin, end - begin)));
      begin = end + 1;
    }
  };
  for (const char* name : {"part", "only", "exclude", "only_numeric", "index_column", "encode", "missing", "na",
                           "format", "variable", "delimiter", "decimal", "thousands", "comment", "encoding", "header",
                           "dedupe_names", "ignore_trailing_delimiter"}) {
    const std::string x = reading(model, std::string("x_") + name), y = reading(model, std::string("y_") + name);
    const std::string key = name;
    std::string flag = key;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const bool alone = key == "only_numeric" || key == "dedupe_names" || key == "ignore_trailing_delimiter";
    if (x == y && key != "part") {
      add(flag, x, alone);
    } else {
      add("x-" + flag, x, alone);
      add("y-" + flag, y, alone);
    }
  }
  return text;
}

// Which tables the pairs were compared with, where it is not the method's own choice.
std::string null_option(const Model& model) {
  const bool by_shape = model.options.formulation && model.options.formulation->name == "contrast";
  if (model.evidence->test == Test::refitting) return " --null refitting";
  if (model.evidence->test == Test::gaussian_reference && by_shape) return " --null gaussian";
  return "";
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

std::string leading_names(const std::vector<std::string>& columns, const Vector& loadings, std::size_t most) {
  std::vector<std::string> names;
  for (const Index j : leading_columns(loadings, most))
    names.push_back(fmt::format("{} ({:+.2f})", short_name(columns[static_cast<std::size_t>(j)]), loadings[j]));
  return joined(names);
}

std::string pair_sentence(const Model& model, std::size_t i) {
  constexpr double faint = 0.3;
  const Pair& pair = model.pairs[i];
  const bool x_faint = pair.x_loadings.cwiseAbs().maxCoeff() < faint;
  const bool y_faint = pair.y_loadings.cwiseAbs().maxCoeff() < faint;
  const std::string x = leading_names(model.x.columns, pair.x_loadings, x_faint ? 1 : 3);
  const std::string y = leading_names(model.y.columns, pair.y_loadings, y_faint ? 1 : 3);
  if (x_faint && y_faint)
    return fmt::format("{}; no column goes with it clearly: {} in X and {} in Y at most.", agreement_words(model, i), x,
                       y);
  if (x_faint || y_faint)
    return fmt::format("{}; {} in {} with it, but no column of {} clearly: {} at most.", agreement_words(model, i),
                       x_faint ? y : x, x_faint ? "Y go" : "X go", x_faint ? "X" : "Y", x_faint ? x : y);
  const std::size_t count = leading_columns(pair.x_loadings, 3).size();
  return fmt::format("{}; {} in X {} with {} in Y.", agreement_words(model, i), x, count == 1 ? "goes" : "go", y);
}

ComparedWith compared_with(const Evidence& evidence) {
  if (evidence.test == Test::gaussian_reference)
    return {.by_shape = false, .smaller_is_further = true, .tables = "Gaussian tables", .statistic = "objective"};
  if (evidence.test == Test::refitting)
    return {.by_shape = true, .smaller_is_further = true, .tables = "unrelated tables", .statistic = "mismatch"};
  return {.by_shape = true, .smaller_is_further = false, .tables = "unrelated tables", .statistic = "evidence"};
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
  const std::size_t most = model.evidence ? 6 : 3;
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
    if (model.pairs.size() > most) all.push_back(further_pairs(model.pairs.size() - most));
    return all;
  }
  const Evidence& evidence = *model.evidence;
  Level level = Level::neutral;
  std::string label = "not tested";
  if (evidence.global_p) {
    level = *evidence.global_p <= significant ? Level::good : Level::none;
    label = *evidence.global_p <= significant ? "something is shared" : "no evidence that anything is shared";
    if (*evidence.global_p <= significant && !compared_with(evidence).by_shape) {
      level = Level::unsure;
      label = "both tables have structure, perhaps not the same";
    }
  }
  const auto number = [&](Verdict verdict) {
    return std::count_if(evidence.pairs.begin(), evidence.pairs.end(),
                         [&](const PairEvidence& pair) { return pair.verdict == verdict; });
  };
  std::string text = fmt::format("{} Of {}: {} supported, {} ambiguous, {} without evidence.", evidence.statement,
                                 counted(static_cast<Index>(evidence.pairs.size()), "pair"), number(Verdict::supported),
                                 number(Verdict::ambiguous), number(Verdict::no_evidence));
  if (number(Verdict::supported) > 0)
    text +=
        " A supported pair is evidence that both tables hold a variable with this distribution; it does not link "
        "individual rows.";
  all.push_back({level, label, std::move(text)});
  // Two or more without evidence share a box: what is there to be seen comes first.
  const bool together = number(Verdict::no_evidence) > 1;
  std::vector<std::size_t> without;
  std::size_t shown = 0, left = 0;
  for (std::size_t i = 0; i < evidence.pairs.size(); ++i) {
    std::string word = to_string(evidence.pairs[i].verdict);
    if (together && evidence.pairs[i].verdict == Verdict::no_evidence) {
      without.push_back(i + 1);
      continue;
    }
    if (shown++ >= most) {
      ++left;
      continue;
    }
    std::replace(word.begin(), word.end(), '_', ' ');
    all.push_back({level_of(evidence.pairs[i].verdict), fmt::format("pair {}: {}", i + 1, word),
                   pair_sentence(model, i) + evidence_words(evidence, evidence.pairs[i])});
  }
  if (left > 0) all.push_back(further_pairs(left));
  if (together)
    all.push_back({Level::none, fmt::format("pairs {}: no evidence", numbers_in_words(without)),
                   fmt::format("There are always pairs. {} match as well as these do, or other directions would, or a "
                               "side of them has no shape of its own.",
                               compared_with(evidence).by_shape ? "Unrelated tables" : "Gaussian tables")});
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
  std::string changed;
  try {
    changed = flags_between(usual_options(model), model.options);
  } catch (const Error&) {  // a model of parts that are not known here
    changed.clear();
  }
  std::string command =
      fmt::format("cda {} {} {} --method {}{}{} --seed {}", model.evidence ? "test" : "fit",
                  shell_word(table_name(model, Side::x)), shell_word(table_name(model, Side::y)),
                  shell_word(model.options.method), reading_options(model), changed, model.options.seed);
  if (model.evidence)
    command += fmt::format(" --surrogates {} --bootstrap {}{}", model.evidence->surrogates, model.evidence->bootstraps,
                           null_option(model));
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
  word("contrast",
       "How far a table's own shape is from a bell curve; 0: it is one. Bell curves always match, and say nothing.");
  word(
      "relation",
      "Of a column of X and one of Y: the product of their loadings on one pair and of its agreement. Both go with the "
      "same thing; rows are not linked.");
  if (model.evidence) {
    const bool by_shape = compared_with(*model.evidence).by_shape;
    word("p",
         by_shape
             ? "Share of unrelated tables with equally strong structure that match this well. Small: a match like "
               "this is hardly an accident. It does not say that rows correspond, nor that there is a common cause."
             : "Share of Gaussian tables with the same covariances that match this well. Small: both tables have "
               "structure beyond that. It does not say that the structure is the same.");
    if (by_shape) word("evidence", "What p rests on: the fewer foreign shapes would match as well, the larger it is.");
    word("stability", "Share of refits on resampled rows in which the pair comes back.");
    word("sign", "Of these, the share in which high X still goes with high Y. Near one half: the direction is open.");
    if (by_shape) {
      word("supported", "p at most .05, agreement on other rows at least .8, stability at least .6.");
      word("ambiguous", "Some of that holds, not all: worth a second look, with more rows.");
      word("no evidence", "Unrelated tables would match as well, or a side has no shape of its own.");
    } else {
      word("ambiguous",
           "p at most .05, and these directions come back and have no rivals: the most this test can say.");
      word("no evidence", "Gaussian tables would match as well, or other directions would.");
    }
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace cda
