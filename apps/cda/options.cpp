#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cda/error.hpp"
#include "cda/extend/catalogue.hpp"
#include "cda/extend/format.hpp"

namespace cda::command {
namespace {

template <class Number>
Number parse_whole(const std::string& option, const std::string& text, Number lowest, Number highest) {
  Number value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < lowest || value > highest)
    throw Error(Fault::usage, "option.value",
                fmt::format("{} is {}, expected {}", option, in_quotes(text),
                            highest == std::numeric_limits<Number>::max()
                                ? fmt::format("a whole number from {} up", lowest)
                                : fmt::format("a whole number from {} to {}", lowest, highest)));
  return value;
}

char one_character(const std::string& option, const std::string& text) {
  if (text.size() == 1) return text[0];
  throw Error(Fault::usage, "option.value", fmt::format("{} is {}, expected one character", option, in_quotes(text)));
}

char delimiter_character(const std::string& text) {
  if (same_name(text, "tab") || text == "\\t") return '\t';
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  throw Error(Fault::usage, "option.value", fmt::format("--delimiter is {}, expected one character", in_quotes(text)),
              "write tab for the tabulator");
}

bool yes_or_no(const char* option, const std::string& text) {
  if (same_name(text, "yes")) return true;
  if (same_name(text, "no")) return false;
  throw Error(Fault::usage, "option.value", fmt::format("{} is {}, expected yes or no", option, in_quotes(text)));
}

// Registers one reading option under its plain name, and hidden under --x- and --y- for tables of one side.
class ReadingOptions {
 public:
  ReadingOptions(CLI::App& command, Reading& reading, bool two_tables) : command_(command) {
    sides_.emplace_back("--", &reading.both);
    if (!two_tables) return;
    sides_.emplace_back("--x-", &reading.x);
    sides_.emplace_back("--y-", &reading.y);
  }

  template <class Member>
  void add(const std::string& name, Member ReadingTexts::*member, const std::string& type, const std::string& text) {
    for (auto& [prefix, texts] : sides_) place(command_.add_option(prefix + name, texts->*member, text), prefix, type);
  }
  void add_list(const std::string& name, std::vector<std::string> ReadingTexts::*member, const std::string& type,
                const std::string& text) {
    for (auto& [prefix, texts] : sides_)
      place(command_.add_option(prefix + name, texts->*member, text)->allow_extra_args(false), prefix, type);
  }
  // Further files belong to one side.
  void add_parts() {
    for (auto& [prefix, texts] : sides_)
      if (prefix != "--")
        command_.add_option(prefix + "part", texts->parts, "a further file with rows of this table; repeatable")
            ->allow_extra_args(false)
            ->type_name("FILE")
            ->group(group());
  }
  void add_flag(const std::string& name, bool ReadingTexts::*member, const std::string& text) {
    for (auto& [prefix, texts] : sides_) place(command_.add_flag(prefix + name, texts->*member, text), prefix, "");
  }

 private:
  void place(CLI::Option* option, const std::string& prefix, const std::string& type) {
    const bool plain = prefix == "--";
    option->group(plain ? group() : "");
    if (!type.empty()) option->type_name(type);
  }
  const char* group() const {
    return sides_.size() == 1 ? "Reading" : "Reading (--x-NAME, --y-NAME: for one table only)";
  }

  CLI::App& command_;
  std::vector<std::pair<std::string, ReadingTexts*>> sides_;
};

}  // namespace

std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t lowest,
                          std::int64_t highest) {
  return parse_whole<std::int64_t>(option, text, lowest, highest);
}

std::uint64_t seed_number(const std::string& option, const std::string& text) {
  return parse_whole<std::uint64_t>(option, text, 0, std::numeric_limits<std::uint64_t>::max());
}

double real_number(const std::string& option, const std::string& text, double lowest, double highest) {
  return Settings({{option, text}}).number(option, lowest, highest);
}

std::uint64_t byte_count(const std::string& option, const std::string& text) {
  constexpr double most = 9e18;
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  std::string unit(rest, end);
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
  if (unit.size() > 1 && unit.back() == 'B') unit.pop_back();
  if (unit.size() > 1 && unit.back() == 'I') unit.pop_back();
  const std::string units = "BKMGT";
  const std::size_t power = unit.empty() ? 0 : unit.size() == 1 ? units.find(unit) : std::string::npos;
  double bytes = number;
  for (std::size_t i = 0; power != std::string::npos && i < power; ++i) bytes *= 1024.0;
  if (failure != std::errc() || power == std::string::npos || !(bytes >= 1.0) || !(bytes <= most))
    throw Error(Fault::usage, "option.value",
                fmt::format("{} is {}, expected an amount such as 500M or 2G", option, in_quotes(text)));
  return static_cast<std::uint64_t>(bytes);
}

std::vector<std::string> split_names(const std::string& option, const std::string& text) {
  std::vector<std::string> names(1);
  bool inside_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      const bool doubled = inside_quotes && i + 1 < text.size() && text[i + 1] == '"';
      if (doubled)
        names.back() += text[i++];
      else
        inside_quotes = !inside_quotes;
    } else if (text[i] == ',' && !inside_quotes) {
      names.emplace_back();
    } else {
      names.back() += text[i];
    }
  }
  if (inside_quotes)
    throw Error(Fault::usage, "option.value", fmt::format("{}: a quote is not closed in {}", option, in_quotes(text)));
  for (const std::string& name : names)
    if (name.empty())
      throw Error(Fault::usage, "option.value", fmt::format("{}: an empty name in {}", option, in_quotes(text)),
                  "names are separated by commas; a name that contains one is put in double quotes");
  return names;
}

void add_excel_safe(CLI::App& command, bool& safe) {
  command
      .add_option_function<std::string>(
          "--excel-safe", [&safe](const std::string& text) { safe = yes_or_no("--excel-safe", text); },
          "put a ' before names in CSV that a spreadsheet would run as formulas (=, +, -, @)")
      ->type_name("yes|no")
      ->group("Output")
      ->default_str(safe ? "yes" : "no");
}

void add_session_options(CLI::App& command, Session& session) {
  const char* group = "Output";
  command
      .add_flag("--json", session.json,
                "the result as one JSON object on standard output, errors as one on standard error")
      ->group(group);
  command.add_flag("-q,--quiet", session.quiet, "print no findings, notes or progress")->group(group);
  command.add_flag("-v,--verbose", session.verbose, "print more")->group(group);
  command.add_flag("--strict", session.strict, "warnings are errors (exit code 5)")->group(group);
}

void add_reading_options(CLI::App& command, Reading& reading, bool two_tables) {
  ReadingOptions options(command, reading, two_tables);
  options.add_list("only", &ReadingTexts::only, "A,B", "keep these columns");
  options.add_list("exclude", &ReadingTexts::exclude, "A,B", "leave these columns out");
  options.add_flag("only-numeric", &ReadingTexts::only_numeric, "leave out every column that holds text");
  options.add("index-column", &ReadingTexts::index_column, "NAME", "the column that names the rows");
  if (two_tables) {
    options.add_list("encode", &ReadingTexts::encode, "A,B",
                     "turn these columns of text into one of 0 and 1 per category");
    options.add("missing", &ReadingTexts::missing, "refuse|drop-rows|drop-columns|mean",
                "what to do about missing cells");
    options.add_parts();
  }
  options.add_list("na", &ReadingTexts::missing_tokens, "TOKEN", "a further text that means: missing");
  options.add("format", &ReadingTexts::format, "FORMAT", "of the file: see `cda list formats` (found out otherwise)");
  options.add("variable", &ReadingTexts::variable, "NAME", "which table of a file that holds several");
  options.add("delimiter", &ReadingTexts::delimiter, "CHAR", "what separates fields (found out otherwise)");
  options.add("decimal", &ReadingTexts::decimal, "CHAR", "the decimal mark: a point or a comma [.]");
  options.add("thousands", &ReadingTexts::thousands, "CHAR", "what separates groups of three digits, if anything does");
  options.add("comment", &ReadingTexts::comment, "CHAR", "lines that begin with it are skipped");
  options.add("encoding", &ReadingTexts::encoding, "utf-8|latin1", "of text files [utf-8]");
  options.add("header", &ReadingTexts::header, "yes|no", "whether the first line names the columns");
  options.add_flag("dedupe-names", &ReadingTexts::dedupe_names, "tell equal column names apart: a, a_2");
  options.add_flag("ignore-trailing-delimiter", &ReadingTexts::ignore_trailing_delimiter,
                   "lines end with a delimiter that begins no field");
  options.add("max-bytes", &ReadingTexts::max_bytes, "SIZE", "of content, unpacked: 500M, 2G [the machine's memory]");
}

int thread_count(const Reading& reading) {
  return reading.both.threads ? static_cast<int>(whole_number("--threads", *reading.both.threads, 1, 4096)) : 0;
}

Error ReadingPlan::in_its_words(const Error& error) const {
  if (!side) return error;
  const bool of_x = *side == Side::x;
  std::string hint = error.hint();
  for (const char* option :
       {"--only", "--exclude", "--encode", "--index-column", "--variable", "--decimal", "--thousands", "--delimiter"}) {
    const std::size_t length = std::string(option).size();
    for (std::size_t at = hint.find(option); at != std::string::npos; at = hint.find(option, at + 1))
      if (hint.compare(at + length, 1, "-") != 0) hint.insert(at + 2, of_x ? "x-" : "y-");  // not --only-numeric
  }
  if (error.code() == "columns.unknown" && names_of_both)
    hint +=
        fmt::format("; for {0} alone: --{1}-exclude, --{1}-index-column and so on", of_x ? "Y" : "X", of_x ? "y" : "x");
  return {error.fault(), error.code(), error.message(), hint, error.place()};
}

namespace {

ReadingPlan planned(const std::string& path, const ReadingTexts& both, const ReadingTexts& side) {
  const auto value = [&](auto ReadingTexts::*member) { return (side.*member) ? side.*member : both.*member; };
  const auto list = [&](auto ReadingTexts::*member) { return (side.*member).empty() ? both.*member : side.*member; };
  const auto names = [&](const char* option, auto ReadingTexts::*member) {
    std::vector<std::string> all;
    for (const std::string& text : list(member))
      for (std::string& name : split_names(option, text)) all.push_back(std::move(name));
    return all;
  };

  ReadingPlan plan;
  plan.files = {path};
  plan.files.insert(plan.files.end(), side.parts.begin(), side.parts.end());
  if (const auto text = value(&ReadingTexts::delimiter)) plan.options.delimiter = delimiter_character(*text);
  if (const auto text = value(&ReadingTexts::header)) plan.options.header = yes_or_no("--header", *text);
  if (const auto text = value(&ReadingTexts::missing)) {
    plan.missing = missing_policy(*text);
    plan.missing_name = *text;
  }
  if (const auto text = value(&ReadingTexts::index_column)) plan.options.index_column = *text;
  if (const auto text = value(&ReadingTexts::format)) plan.options.format = formats().complete(*text).name;
  if (const auto text = value(&ReadingTexts::variable)) plan.options.variable = *text;
  if (const auto text = value(&ReadingTexts::decimal)) plan.options.decimal = one_character("--decimal", *text);
  if (const auto text = value(&ReadingTexts::thousands)) plan.options.thousands = one_character("--thousands", *text);
  if (const auto text = value(&ReadingTexts::comment)) plan.options.comment = one_character("--comment", *text);
  if (const auto text = value(&ReadingTexts::encoding)) plan.options.encoding = *text;
  if (const auto text = value(&ReadingTexts::max_bytes)) plan.options.max_bytes = byte_count("--max-bytes", *text);
  if (both.threads) plan.options.threads = static_cast<int>(whole_number("--threads", *both.threads, 1, 4096));
  plan.options.ignore_trailing_delimiter = side.ignore_trailing_delimiter || both.ignore_trailing_delimiter;
  for (std::string& name : names("--encode", &ReadingTexts::encode)) plan.options.encode.push_back({std::move(name)});
  plan.options.only = names("--only", &ReadingTexts::only);
  plan.options.exclude = names("--exclude", &ReadingTexts::exclude);
  plan.options.missing_tokens = list(&ReadingTexts::missing_tokens);
  plan.options.only_numeric = side.only_numeric || both.only_numeric;
  plan.options.dedupe_names = side.dedupe_names || both.dedupe_names;

  for (const auto& [name, member] : {std::pair{"missing", &ReadingTexts::missing},
                                     {"index_column", &ReadingTexts::index_column},
                                     {"format", &ReadingTexts::format},
                                     {"variable", &ReadingTexts::variable},
                                     {"delimiter", &ReadingTexts::delimiter},
                                     {"decimal", &ReadingTexts::decimal},
                                     {"thousands", &ReadingTexts::thousands},
                                     {"comment", &ReadingTexts::comment},
                                     {"encoding", &ReadingTexts::encoding},
                                     {"header", &ReadingTexts::header}})
    if (const auto text = value(member)) plan.asked[name] = *text;
  for (const auto& [name, member] : {std::pair{"only", &ReadingTexts::only},
                                     {"exclude", &ReadingTexts::exclude},
                                     {"encode", &ReadingTexts::encode},
                                     {"na", &ReadingTexts::missing_tokens}})
    if (!list(member).empty()) plan.asked[name] = fmt::format("{}", fmt::join(list(member), "\n"));
  if (!side.parts.empty()) plan.asked["part"] = fmt::format("{}", fmt::join(side.parts, "\n"));
  if (plan.options.only_numeric) plan.asked["only_numeric"] = "yes";
  if (plan.options.dedupe_names) plan.asked["dedupe_names"] = "yes";
  if (plan.options.ignore_trailing_delimiter) plan.asked["ignore_trailing_delimiter"] = "yes";
  return plan;
}

}  // namespace

ReadingPlan reading_plan(const std::string& path, const Reading& reading) { return planned(path, reading.both, {}); }

ReadingPlan reading_plan(const std::string& path, const Reading& reading, Side side) {
  const ReadingTexts &both = reading.both, &own = side == Side::x ? reading.x : reading.y;
  ReadingPlan plan = planned(path, both, own);
  plan.side = side;
  plan.names_of_both = both.index_column && !own.index_column;
  for (const auto member : {&ReadingTexts::only, &ReadingTexts::exclude, &ReadingTexts::encode})
    plan.names_of_both = plan.names_of_both || ((own.*member).empty() && !(both.*member).empty());
  return plan;
}

std::vector<std::string> files_of(const ReadingPlan& x, const ReadingPlan& y) {
  std::vector<std::string> files = x.files;
  files.insert(files.end(), y.files.begin(), y.files.end());
  return files;
}

Table read_with_warnings(const ReadingPlan& plan, Session& session) {
  std::vector<std::string> warnings;
  Table table = reading_by(plan, [&] { return read_table(plan.files, plan.options, &warnings); });
  for (const std::string& warning : warnings) session.warn(warning);
  return table;
}

}  // namespace cda::command
