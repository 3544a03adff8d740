// `cda synth`: two tables whose relation is known, and the truth about them.
#include <fmt/format.h>

#include <filesystem>

#include "cda/cda.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "json.hpp"
#include "options.hpp"

namespace cda::command {
namespace {

struct SynthRequest {
  std::string kind, directory;
  std::optional<std::string> n, k, m, l;  // without them each kind has its own size
  std::string noise = "0.5", noise_columns = "0", remove = "0", shared = "3", own = "0", seed = "0";
  bool paired = false;
};

SyntheticOptions synthetic_options(const SynthRequest& request) {
  // A mistyped 1e9 should be an answer at once, not a machine that swaps.
  constexpr std::int64_t most_rows = 100'000'000, most_columns = 100'000;
  SyntheticOptions options;
  options.kind = request.kind;
  if (request.n) options.n = whole_number("--n", *request.n, 1, most_rows);
  if (request.k) options.k = whole_number("--k", *request.k, 1, most_rows);
  if (request.m) options.m = whole_number("--m", *request.m, 1, most_columns);
  if (request.l) options.l = whole_number("--l", *request.l, 1, most_columns);
  options.noise = real_number("--noise", request.noise, 0.0, 1e6);
  options.noise_columns = whole_number("--noise-columns", request.noise_columns, 0, most_columns);
  options.remove = real_number("--remove", request.remove, 0.0, 1.0);
  options.shared = whole_number("--shared", request.shared, 0, most_columns);
  options.own = whole_number("--own", request.own, 0, most_columns);
  options.seed = seed_number("--seed", request.seed);
  options.shuffle = !request.paired;
  return options;
}

// A directory, made with those above it where they are missing. What was made here and is still empty in the end goes
// again.
class OutputDirectory {
 public:
  explicit OutputDirectory(const std::string& path) : path_(path) {
    std::error_code failure;
    for (std::filesystem::path part = path_; !part.empty() && !exists(part, failure); part = part.parent_path())
      missing_.push_back(part);
  }
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;
  ~OutputDirectory() {
    std::error_code not_empty;
    for (const std::filesystem::path& part : missing_) remove(part, not_empty);
  }

  void make() const {
    std::error_code failure;
    create_directories(path_, failure);
    if (failure || !is_directory(path_, failure))
      throw Error(Fault::io, "output.directory",
                  fmt::format("cannot make the directory {}: {}", in_quotes(path_.string(), 200),
                              failure ? failure.message() : "a file is in the way"));
  }
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> missing_;  // the deepest first
};

void synth(const SynthRequest& request, const Session& session) {
  const SyntheticOptions options = synthetic_options(request);
  if (!session.quiet || session.json) check_standard_output();
  const OutputDirectory directory(request.directory);
  directory.make();
  const std::string x = directory / "X.csv", y = directory / "Y.csv", truth = directory / "truth.json";
  check_outputs({x, y, truth}, {});
  const SyntheticPair pair = synthesise(options);
  write_outputs({{x, to_csv(pair.x)}, {y, to_csv(pair.y)}, {truth, to_json(pair.truth)}});

  if (session.json) {
    const auto table = [](const std::string& file, const Table& data) {
      return Json{{"file", file}, {"rows", data.rows()}, {"columns", data.names}};
    };
    const Json result = {{"kind", request.kind},
                         {"seed", pair.truth.seed},
                         {"x", table(x, pair.x)},
                         {"y", table(y, pair.y)},
                         {"truth", truth}};
    print(document(result));
  } else if (!session.quiet) {
    print(text_table({{x, fmt::format("{} rows, {} columns", pair.x.rows(), pair.x.columns())},
                      {y, fmt::format("{} rows, {} columns", pair.y.rows(), pair.y.columns())},
                      {truth, "what belongs together"}}));
  }
}

}  // namespace

Action add_synth(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("synth",
                         "Two tables whose relation is known: X.csv, Y.csv and truth.json\n\n"
                         "Examples:\n"
                         "  cda synth buildings -o demo                 two simulated office buildings\n"
                         "  cda synth nonlinear --n 1000 --k 900 -o nl  the paper's third kind of relation\n"
                         "  cda synth sources --shared 3 --own 2 -o s   hidden sources, mixed into both tables\n");
  auto request = std::make_shared<SynthRequest>();
  command->add_option("KIND", request->kind, "what relates them")
      ->type_name(fmt::format("{}", fmt::join(synthetic_kinds(), "|")))
      ->required();
  command->add_option("-o,--output", request->directory, "the directory to write to; made where it is missing")
      ->required()
      ->type_name("DIR");
  const auto number = [&](const std::string& name, std::string& text, const std::string& what) {
    command->add_option(name, text, what)->type_name("NUMBER")->capture_default_str();
  };
  const auto size = [&](const std::string& name, std::optional<std::string>& text, const std::string& what) {
    command->add_option(name, text, what)->type_name("NUMBER");
  };
  size("--n", request->n, "rows of X (relations, sources 1000; buildings 2000)");
  size("--k", request->k, "rows of Y (relations, sources 1000; buildings 1500)");
  size("--m", request->m, "columns of X (relations 7, sources 8; buildings always 9)");
  size("--l", request->l, "columns of Y (relations 5, sources 6; buildings always 7)");
  number("--noise", request->noise, "variance of the relations' noise");
  number("--noise-columns", request->noise_columns, "further columns of pure noise on each side");
  number("--remove", request->remove, "share of Y's rows to leave out");
  number("--shared", request->shared, "sources: how many both tables contain");
  number("--own", request->own, "sources: how many each table has of its own");
  number("--seed", request->seed, "which draw");
  command->add_flag("--no-shuffle", request->paired, "leave Y's rows in the order of X's");
  add_session_options(*command, session);
  return [request](Session& current) { synth(*request, current); };
}

}  // namespace cda::command
