#include "fit_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "cda/extend/formulation.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "time_limit.hpp"

namespace cda::command {
namespace {

Table read_side(const ReadingPlan& plan, TableOverview* overview, const Executor& executor, Session& session) {
  Table table = read_with_warnings(plan, session);
  std::vector<std::string> remarks;
  if (overview != nullptr && first_rank()) {
    *overview = overview_of(table, executor);
    overview->sha256 = sha256_of_files(plan.files);
  }
  table = without_missing(std::move(table), plan.missing, &remarks);
  for (const std::string& remark : remarks) session.note(remark);
  if (overview != nullptr) overview->remarks = std::move(remarks);
  keep_own_rows(table);
  stop_if_asked();
  return table;
}

// In blocks: its moments, and some of its rows for whatever shows rows.
Table read_blocks(const ReadingPlan& plan, const char* side, std::optional<TableMoments>& moments,
                  TableOverview* overview, Session& session) {
  std::vector<std::string> warnings, remarks;
  {
    ProgressBar bar(!session.quiet);
    const auto watch = [&](Index rows) {
      bar.show(0.0, fmt::format("reading {}: {} rows", side, rows));
      return stop_signal() == 0;
    };
    moments = reading_by(
        plan, [&] { return read_moments(plan.files, plan.options, plan.missing, &warnings, &remarks, watch); });
  }
  for (const std::string& warning : warnings) session.warn(warning);
  for (const std::string& remark : remarks) session.note(remark);
  const Table& some = moments->some_rows;
  if (overview != nullptr) {
    *overview = overview_of(some, Executor(plan.options.threads));
    for (std::size_t j = 0; j < overview->columns.size(); ++j) {
      const auto column = static_cast<Index>(j);
      overview->columns[j].lowest = moments->columns.lowest[column];
      overview->columns[j].highest = moments->columns.highest[column];
      overview->columns[j].mean = moments->columns.mean[column];
    }
    overview->sha256 = sha256_of_files(plan.files);
    if (some.rows() < moments->rows)
      remarks.push_back(fmt::format("{} of {} rows, chosen by their content, stand for all in medians and histograms",
                                    some.rows(), moments->rows));
    overview->remarks = std::move(remarks);
  }
  stop_if_asked();
  return some;
}

// Whether so much memory is enough for these files, whatever is in them: a cell of two characters becomes eight bytes,
// and no fit takes more than twice its tables. Found without opening any: what is read should be read once.
bool certainly_enough(std::uint64_t memory, const std::vector<std::string>& x, const std::vector<std::string>& y) {
  constexpr std::uint64_t most_per_character = 10;
  std::uint64_t characters = 0;
  for (const std::vector<std::string>* files : {&x, &y})
    for (const std::string& file : *files) {
      std::error_code failure;
      const std::uintmax_t size = std::filesystem::file_size(file, failure);
      if (failure) return true;  // a stream, or nothing at all: reading will tell
      characters += size;
    }
  return characters < memory / most_per_character;
}

// Whether tables are read in blocks: asked for, or the only way.
bool in_blocks(const FitRequest& request, const ReadingPlan& x, const ReadingPlan& y, const FitOptions& options,
               bool rows_wanted, const std::optional<std::uint64_t>& most, const Session& session) {
  const std::string reason = rows_wanted          ? "evidence needs the rows of both tables"
                             : ranks() != nullptr ? "several processes share the rows among them"
                                                  : why_not_moments(options);
  if (request.stream && !reason.empty())
    throw Error(Fault::usage, "stream.method", fmt::format("--stream keeps no rows, but {}", reason),
                "leave out --stream, or use `cda fit` with --method CDA_M or rCDA_M");
  if (request.stream || !reason.empty()) return request.stream;
  const auto whole = [](const ReadingPlan& plan) {
    return !plan.options.encode.empty() || plan.missing == Missing::mean || plan.missing == Missing::drop_columns;
  };
  if (whole(x) || whole(y)) return false;
  const std::uint64_t allowed = memory_at_hand(most);
  if (certainly_enough(allowed, x.files, y.files)) return false;
  const auto x_size = likely_size(x.files, x.options), y_size = likely_size(y.files, y.options);
  if (!x_size || !y_size || x_size->rows + y_size->rows < TableMoments::kept_rows) return false;
  const std::uint64_t needed =
      std::max(reading_memory(*x_size, *y_size), fit_memory(*x_size, *y_size, options, rows_wanted));
  if (needed <= allowed || streaming_memory(x_size->columns, y_size->columns, options) > needed) return false;
  session.note(fmt::format("reading in blocks: whole, the tables would need about {}, and {} may be had",
                           bytes_text(needed), bytes_text(allowed)));
  return true;
}

TableSize size_of(const Table& table) { return {table.rows(), table.columns(), 0}; }

// The model knows nothing of it: its bytes are the same.
void warn_of_refused_threads(Session& session) {
  if (threads_were_refused())
    session.warnings.emplace_back("the system granted fewer threads than wanted: the result is the same, only later");
}

void add_running_options(CLI::App& command, FitRequest& request) {
  const auto option = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->type_name(type)->group("Running");
  };
  option("--time-limit", request.time_limit, "TIME",
         "finish after so long (90, 90s, 5m, 2h) with the best found so far, and a warning");
  command
      .add_flag("--keep-partial", request.keep_partial,
                "on Ctrl-C write the best found so far (the exit code is still 130); again: stop at once")
      ->group("Running");
  option("--max-memory", request.max_memory, "SIZE", "refuse what needs more memory (500M, 2G), with exit code 6");
  command
      .add_flag("--stream", request.stream,
                "CDA_M, rCDA_M: read in blocks and keep only moments and some rows, for tables larger than memory")
      ->group("Running");
  option("--threads", request.reading.both.threads, "NUMBER",
         "default: what this process may use; the result does not depend on it");
}

}  // namespace

void add_fit_options(CLI::App& command, FitRequest& request) {
  command
      .add_option("X", request.x, "the first table: CSV or another format of `cda list formats` (-: standard input)")
      ->type_name("FILE")
      ->required();
  command.add_option("Y", request.y, "the second table")->type_name("FILE")->required();
  request.fit.add_to(command, FitOptions());
  std::vector<std::string> names;
  for (const MethodInfo& known : methods()) names.push_back(known.name);
  command.get_option("--method")
      ->default_str(FitOptions().method)
      ->description(
          fmt::format("one of {}, in any case; the last ones take options: TCA:kernel=rbf", fmt::join(names, ", ")));
  request.evidence.add_to(command, EvidenceOptions());
  add_running_options(command, request);
  add_reading_options(command, request.reading, true);
}

FitOptions fit_options(const FitRequest& request) {
  FitOptions options;
  request.fit.take(
      [&](const auto& name, const auto& text, const auto& spelling) { set_option(options, name, text, spelling); });
  options.threads = thread_count(request.reading);
  completed(options);  // refuses what cannot be
  refuse_unread(options);
  std::optional<double> seconds;
  if (request.time_limit) seconds = seconds_of("--time-limit", *request.time_limit);
  options.stopping.enough = enough_after(seconds, request.keep_partial);
  return options;
}

bool wants_evidence(const FitRequest& request) {
  return request.evidence.has("surrogates") || request.evidence.has("bootstrap") || request.evidence.has("null");
}

EvidenceOptions evidence_options(const FitRequest& request) {
  EvidenceOptions how;
  request.evidence.take(
      [&](const auto& name, const auto& text, const auto& spelling) { set_option(how, name, text, spelling); });
  how.threads = thread_count(request.reading);
  return how;
}

ReadTables read_tables(const FitRequest& request, const FitOptions& options, bool rows_wanted,
                       const std::vector<std::string>& outputs, Session& session) {
  std::optional<std::uint64_t> most;
  if (request.max_memory) most = byte_count("--max-memory", *request.max_memory);
  const ReadingPlan x_plan = reading_plan(request.x, request.reading, Side::x);
  const ReadingPlan y_plan = reading_plan(request.y, request.reading, Side::y);
  if (session.json && std::find(outputs.begin(), outputs.end(), "-") != outputs.end())
    throw Error(Fault::usage, "usage", "-o - and --json would both write to standard output", "give -o a file name");
  const std::vector<std::string> files = files_of(x_plan, y_plan);
  refuse_shared_stream(files);
  if (ranks() != nullptr && std::find(files.begin(), files.end(), "-") != files.end())
    throw Error(Fault::usage, "ranks.stream", "standard input is for one process, and there are several",
                "give the table as a file that all of them can read");
  if (ranks() != nullptr && request.stream)
    throw Error(Fault::usage, "ranks.stream", "--stream is for one process, and there are several",
                "leave out --stream: each process keeps its share of the rows");
  if (session.json || !session.quiet) check_standard_output();
  check_outputs(outputs, files);
  if (most) limit_memory(*most);
  if (same_file(request.x, request.y))
    session.warn("X and Y are the same file: every column matches itself, and a divergence near 0 means nothing");
  ReadTables tables;
  tables.summarise = !outputs.empty();
  TableOverview *x_overview = outputs.empty() ? nullptr : &tables.x_overview,
                *y_overview = outputs.empty() ? nullptr : &tables.y_overview;
  const bool blocks = ranks() == nullptr && in_blocks(request, x_plan, y_plan, options, rows_wanted, most, session);
  if (blocks) {
    tables.x = read_blocks(x_plan, "X", tables.x_moments, x_overview, session);
    tables.y = read_blocks(y_plan, "Y", tables.y_moments, y_overview, session);
  } else {
    const Executor executor(options.threads);
    tables.x = read_side(x_plan, x_overview, executor, session);
    tables.y = read_side(y_plan, y_overview, executor, session);
  }
  for (const auto& [name, text] : x_plan.asked) tables.reading["x_" + name] = text;
  for (const auto& [name, text] : y_plan.asked) tables.reading["y_" + name] = text;
  session.refuse_warnings();
  const std::uint64_t needed = blocks ? streaming_memory(tables.x.columns(), tables.y.columns(), options)
                                      : fit_memory(size_of(tables.x), size_of(tables.y), options, rows_wanted);
  if (session.verbose)
    session.note(fmt::format("the fit needs about {} ({} bytes) of memory", bytes_text(needed), needed));
  check_memory(needed, most);
  return tables;
}

Model fit_tables(ReadTables& tables, FitOptions options, bool needed_again, Session& session) {
  ProgressBar bar(!session.quiet && first_rank());
  const auto watch = [&](const FitProgress& progress) {
    bar.show(progress.share,
             progress.pairs > 1 ? fmt::format("pair {} of {}", progress.pair, progress.pairs) : std::string("fitting"));
    return stop_signal() == 0 || partial_wanted();
  };
  options.summarise = tables.summarise;
  options.ranks = ranks();
  Model model = tables.x_moments ? cda::fit(*tables.x_moments, *tables.y_moments, options, watch)
                : needed_again   ? cda::fit(tables.x, tables.y, options, watch)
                                 : cda::fit(std::move(tables.x), std::move(tables.y), options, watch);
  stop_if_asked();
  session.warnings.insert(session.warnings.end(), model.warnings.begin(), model.warnings.end());
  warn_of_refused_threads(session);
  session.refuse_warnings();
  // How the tables were read shaped the answer, so it is kept with it.
  model.reading = tables.reading;
  if (model.summary) {
    model.summary->x = tables.x_overview;
    model.summary->y = tables.y_overview;
  }
  return model;
}

void examine_model(const ReadTables& tables, const FitOptions& options, const EvidenceOptions& how, Model& model,
                   Session& session) {
  std::string reason = model.stopped;  // why it was enough
  std::mutex mutex;
  const auto go_on = [&](const EvidenceProgress&) {
    const std::lock_guard lock(mutex);
    if (reason.empty()) reason = options.stopping.asked_enough();
    return reason.empty() && stop_signal() == 0;
  };
  if (reason.empty()) {
    ProgressBar bar(!session.quiet);
    try {
      model.evidence = examine(tables.x, tables.y, model, how, [&](const EvidenceProgress& progress) {
        bar.show(progress.share, progress.what);
        return go_on(progress);
      });
    } catch (const Error& error) {
      if (error.code() != "interrupted" || reason.empty()) throw;
    }
  }
  stop_if_asked();
  if (model.evidence) {
    session.warnings.insert(session.warnings.end(), model.evidence->warnings.begin(), model.evidence->warnings.end());
  } else {
    model.stopped = reason;
    model.warnings.push_back(fmt::format("the evidence was not finished and is left out ({})", reason));
    session.warnings.push_back(model.warnings.back());
  }
  session.refuse_warnings();
}

}  // namespace cda::command
