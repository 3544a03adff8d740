#include "mapped_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "cda/extend/format.hpp"
#include "cda/files.hpp"
#include "files.hpp"
#include "interrupt.hpp"

namespace cda::command {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A column that went into the maps would predict itself.
void refuse_model_column(const Model& model, const std::string& column) {
  const auto within = [&](Side side) {
    ReadOptions expected;
    model.expect_columns(side, expected);
    return std::count(expected.known.begin(), expected.known.end(), column) > 0;
  };
  const bool in_x = within(Side::x), in_y = within(Side::y);
  if (!in_x && !in_y) return;
  // An option for both tables would be refused where one of them has no such column.
  const char* option = in_x && in_y ? "--exclude" : in_x ? "--x-exclude" : "--y-exclude";
  throw Error(Fault::input, "transfer.column-in-model",
              fmt::format("column {} is among those of {} that the model was fitted on: it would be predicted from, or "
                          "scored by, itself",
                          in_quotes(column),
                          in_x && in_y ? "X and Y"
                          : in_x       ? "X"
                                       : "Y"),
              fmt::format("fit again with {} {}", option, typed(column)));
}

void check_plan(const ReadingPlan& plan, const MappedRequest& request) {
  if (plan.missing == Missing::drop_columns)
    throw Error(Fault::usage, "usage", "--missing drop-columns makes no sense here: the model needs its columns",
                "--missing mean, or nothing: rows with missing cells are then left out");
  if (request.known_column() && plan.options.index_column == *request.known_column())
    throw Error(
        Fault::usage, "usage",
        fmt::format("{} cannot name the rows and be what is known of them", in_quotes(*request.known_column())));
}

}  // namespace

void warn_of_other_reading(const Model& model, Side side, const ReadingPlan& plan, Session& session) {
  for (const char* name : {"na", "decimal", "thousands"}) {
    const auto fitted = model.reading.find((side == Side::x ? "x_" : "y_") + std::string(name));
    const auto now = plan.asked.find(name);
    if (fitted == model.reading.end() || (now != plan.asked.end() && now->second == fitted->second)) continue;
    std::string given = fitted->second;  // several stand below each other
    std::replace(given.begin(), given.end(), '\n', ' ');
    session.warn(fmt::format("{}: the model was fitted to rows read with --{} {}, these are read {}",
                             shown(plan.files.front(), 200), name, cda::in_quotes(given),
                             now == plan.asked.end() ? "without it" : "otherwise"));
  }
}

namespace {

MappedTable read_side(Side side, const Model& model, ReadingPlan plan, const MappedRequest& request, Session& session) {
  model.expect_columns(side, plan.options);
  MappedTable read;
  std::vector<std::string> remarks;
  if (request.label) {
    read.table = reading_by(
        plan, [&] { return read_labelled_table(plan.files, plan.options, *request.label, read.labels, &remarks); });
    read.has_column = !read.labels.empty();
  } else {
    if (request.target) plan.options.known.push_back(*request.target);
    read.table = reading_by(plan, [&] { return read_table(plan.files, plan.options, &remarks); });
  }
  for (const std::string& remark : remarks) session.warn(remark);
  read.targets = Vector::Constant(read.table.rows(), unknown);
  std::vector<std::string>& names = read.table.names;
  if (const auto at = request.target ? std::find(names.begin(), names.end(), *request.target) : names.end();
      at != names.end()) {
    read.targets = read.table.values.col(at - names.begin());
    read.has_column = true;
    std::vector<Index> others;
    for (Index j = 0; j < read.table.columns(); ++j)
      if (j != at - names.begin()) others.push_back(j);
    read.table.select_columns(others);
  }
  remarks.clear();
  if (!plan.missing_name.empty() && plan.missing != Missing::drop_rows)
    read.table = without_missing(std::move(read.table), plan.missing, &remarks);
  read.mapped = model.transform(side, read.table, &remarks);
  for (const std::string& remark : remarks) session.note(remark);
  Index incomplete = 0;
  for (Index i = 0; i < read.mapped.rows(); ++i) incomplete += read.mapped.row(i).allFinite() ? 0 : 1;
  if (incomplete > 0)
    session.warn(fmt::format("{}: {} of {} rows have missing cells and are left out", shown(plan.files.front(), 200),
                             incomplete, read.mapped.rows()));
  stop_if_asked();
  return read;
}

void number_classes(MappedTables& tables) {
  std::set<std::string> classes(tables.x.labels.begin(), tables.x.labels.end());
  classes.insert(tables.y.labels.begin(), tables.y.labels.end());
  classes.erase("");
  tables.classes.assign(classes.begin(), classes.end());
  for (MappedTable* side : {&tables.x, &tables.y})
    for (std::size_t i = 0; i < side->labels.size(); ++i) {
      if (side->labels[i].empty()) continue;
      const auto at = std::lower_bound(tables.classes.begin(), tables.classes.end(), side->labels[i]);
      side->targets[static_cast<Index>(i)] = static_cast<double>(at - tables.classes.begin());
    }
}

}  // namespace

void add_mapped_options(CLI::App& command, MappedRequest& request) {
  command.add_option("MODEL", request.model, "a model written by cda fit -o")->type_name("FILE")->required();
  command.add_option("--x", request.x, "rows with the columns of X")->type_name("FILE")->required();
  command.add_option("--y", request.y, "rows with the columns of Y")->type_name("FILE")->required();
  add_reading_options(command, request.reading, true);
  // The model knows which columns are encoded, and how.
  for (const char* option : {"--encode", "--x-encode", "--y-encode"}) command.remove_option(command.get_option(option));
}

std::string near_columns(const MappedRequest& request, Side side, const std::string& otherwise) {
  const ReadingPlan plan = reading_plan(side == Side::x ? request.x : request.y, request.reading, side);
  if (!same_file(plan.files.front(), plan.files.front())) return otherwise;  // a pipe is not there any more
  std::vector<std::string> names;
  ReadOptions options = plan.options;
  options.only_numeric = true;
  for (const RawColumn& column : read_columns(plan.files, options).columns) names.push_back(column.name);
  std::vector<std::string> near = nearest_names(*request.known_column(), names);
  for (std::string& name : near) name = cda::in_quotes(name);
  return near.empty() ? otherwise : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

MappedPlans mapped_plans(const MappedRequest& request, const std::string& output,
                         const std::vector<std::string>& further, const Session& session) {
  MappedPlans plans{reading_plan(request.x, request.reading, Side::x),
                    reading_plan(request.y, request.reading, Side::y)};
  check_plan(plans.x, request);
  check_plan(plans.y, request);
  std::vector<std::string> files = files_of(plans.x, plans.y);
  files.push_back(request.model);
  files.insert(files.end(), further.begin(), further.end());
  refuse_shared_stream(files);
  if (session.json || !session.quiet) check_standard_output();
  if (!output.empty()) check_outputs({output}, files);
  return plans;
}

MappedTables read_mapped(const MappedRequest& request, const MappedPlans& plans, Session& session) {
  std::vector<std::string> remarks;
  MappedTables tables;
  tables.model = Model::from_json(read_json(request.model), shown(request.model, 4096), &remarks);
  for (const std::string& remark : remarks) session.warn(remark);
  if (request.known_column()) refuse_model_column(tables.model, *request.known_column());
  warn_of_other_reading(tables.model, Side::x, plans.x, session);
  warn_of_other_reading(tables.model, Side::y, plans.y, session);
  tables.x = read_side(Side::x, tables.model, plans.x, request, session);
  tables.y = read_side(Side::y, tables.model, plans.y, request, session);
  if (request.known_column() && !tables.x.has_column)
    throw Error(Fault::input, "transfer.no-column",
                fmt::format("X has no column {}", in_quotes(*request.known_column())),
                near_columns(request, Side::x, "it has to be known for rows of X"), {.file = shown(request.x, 4096)});
  if (request.label) number_classes(tables);
  return tables;
}

}  // namespace cda::command
