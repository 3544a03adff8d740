// The model as a file. JSON with a format name and version; written in a fixed order with numbers that read back
// exactly. Reading believes nothing: every field is checked for its type, size and range, with its place in the file.
//
// Version 2 states the SHA-256 of the file (model/seal.hpp) and is otherwise version 1, which is still read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "base/json_fields.hpp"
#include "cda/extend/version.hpp"
#include "cda/model.hpp"
#include "model/seal.hpp"

namespace cda {
namespace {

using cda::written;  // of vectors and evidence, beside those of the parts of a model

constexpr const char* format_name = "cda-model";
constexpr int format_version = 2;

// ---- Writing ----

Json written(const AffineMap& map) {
  Json json{{"part", ""}, {"centre", written(map.centre)}};
  if (map.forward.size() > 0) {
    json["forward"] = written(map.forward);
    json["backward"] = written(map.backward);
  } else {
    json["factor"] = written(map.factor);
  }
  return json;
}

constexpr const char* bending_kinds[] = {"unit_rows", "logarithm", "curves"};

Json written(const BendingMap& map) {
  Json json{{"part", ""}, {"bends", bending_kinds[static_cast<std::size_t>(map.kind)]}};
  for (const BendingMap::Curve& curve : map.curves)
    json["curves"].push_back({{"from", written(curve.from)}, {"to", written(curve.to)}});
  return json;
}

Json written(const PreparedColumns& preparation) {
  Json steps = Json::array();
  for (const PreparedColumns::Step& step : preparation.steps()) {
    steps.push_back(std::visit([](const auto& map) { return written(map); }, step.map));
    steps.back()["part"] = step.spec.to_string();
  }
  Json json{{"kept", preparation.kept()},
            {"exponents", preparation.exponents()},
            {"constants", written(preparation.constants())},
            {"steps", std::move(steps)}};
  if (const auto& kernel = preparation.kernel())
    json["kernel"] = {{"name", kernel->kernel == KernelMap::Kernel::rbf ? "rbf" : "laplace"},
                      {"width", kernel->width},
                      {"landmarks", written(kernel->landmarks)}};
  return json;
}

Json written(const TableSummary& table, const PreparedColumns& preparation) {
  Json json = JsonWriter::of_struct(table);
  json["preparation"] = written(preparation);
  return json;
}

// In front: where in the prepared space the pair is.
Json written(const Pair& pair, const Model& model, Index i) {
  Json json{{"x_direction", written(Vector(model.directions.x.col(i)))},
            {"y_direction", written(Vector(model.directions.y.col(i)))},
            {"scale", pair.scale}};
  json.update(JsonWriter::of_struct(pair));
  if (model.x_sparse.count(i) != 0) json["x_weights"] = written(model.x_sparse.at(i));
  if (model.y_sparse.count(i) != 0) json["y_weights"] = written(model.y_sparse.at(i));
  return json;
}

// ---- Reading ----

KernelMap read_kernel(const Field& field, Index width) {
  KernelMap kernel;
  const std::string name = field.at("name").text();
  if (name != "rbf" && name != "laplace") field.at("name").wrong("rbf or laplace");
  kernel.kernel = name == "rbf" ? KernelMap::Kernel::rbf : KernelMap::Kernel::laplace;
  kernel.width = field.at("width").number();
  if (kernel.width <= 0.0) field.at("width").wrong("positive");
  const auto landmarks = static_cast<Index>(field.at("landmarks").items().size());
  if (landmarks == 0) field.at("landmarks").wrong("a list of at least one row");
  kernel.landmarks = field.at("landmarks").matrix(landmarks, width);
  return kernel;
}

PartSpec read_part(const Field& field) {
  try {
    return PartSpec(field.text());
  } catch (const Error& error) {
    if (error.fault() == Fault::input) throw;
    field.wrong(
        fmt::format("a part with its options, not {}", in_quotes(field.text())));  // the file's fault, not a typo
  }
}

AffineMap read_affine(const Field& item, Index& width) {
  AffineMap map;
  map.centre = item.at("centre").vector(width);
  if (item.has("factor")) {
    map.factor = item.at("factor").vector(width);
    return map;
  }
  const auto inner = static_cast<Index>(item.at("backward").items().size());
  map.forward = item.at("forward").matrix(width, inner);
  map.backward = item.at("backward").matrix(inner, width);
  width = inner;
  return map;
}

BendingMap::Curve read_curve(const Field& item) {
  const auto knots = static_cast<Index>(item.at("from").items().size());
  if (knots == 0) item.at("from").wrong("a list of at least one number");
  BendingMap::Curve curve{item.at("from").vector(knots), item.at("to").vector(knots)};
  for (Index i = 1; i < knots; ++i) {
    if (!(curve.from[i - 1] < curve.from[i])) item.at("from").wrong("increasing");
    if (!(curve.to[i - 1] <= curve.to[i])) item.at("to").wrong("not decreasing");
  }
  return curve;
}

BendingMap read_bending(const Field& item, Index width) {
  BendingMap map;
  const std::string kind = item.at("bends").text();
  const auto* const known = std::find(std::begin(bending_kinds), std::end(bending_kinds), kind);
  if (known == std::end(bending_kinds)) item.at("bends").wrong("unit_rows, logarithm or curves");
  map.kind = static_cast<BendingMap::Kind>(known - std::begin(bending_kinds));
  if (map.kind != BendingMap::Kind::curves) return map;
  const std::vector<Field> curves = item.at("curves").items();
  if (static_cast<Index>(curves.size()) != width) item.at("curves").wrong(fmt::format("a list of {} curves", width));
  for (const Field& curve : curves) map.curves.push_back(read_curve(curve));
  return map;
}

PreparedColumns read_preparation(const Field& field, Index columns) {
  std::vector<Index> kept;
  std::set<Index> different;
  for (const Field& item : field.at("kept").items()) {
    kept.push_back(item.count(0, columns - 1));
    if (!different.insert(kept.back()).second) item.wrong("different from those before");
  }
  std::vector<int> exponents;
  for (const Field& item : field.at("exponents").items())
    exponents.push_back(static_cast<int>(item.count(-1100, 1100)));
  if (exponents.size() != kept.size()) field.at("exponents").wrong(fmt::format("a list of {} numbers", kept.size()));
  std::vector<PreparedColumns::Step> steps;
  auto width = static_cast<Index>(kept.size());
  for (const Field& item : field.at("steps").items()) {
    PreparedColumns::Step step;
    step.spec = read_part(item.at("part"));
    if (item.has("bends"))
      step.map = read_bending(item, width);
    else
      step.map = read_affine(item, width);
    steps.push_back(std::move(step));
  }
  PreparedColumns preparation(columns, std::move(kept), std::move(exponents), field.at("constants").vector(columns),
                              std::move(steps));
  if (field.has("kernel")) preparation.set_kernel(read_kernel(field.at("kernel"), width));
  return preparation;
}

TableSummary read_table_summary(const Field& field) {
  const auto table = JsonReader::of_struct<TableSummary>(field);
  if (table.columns.empty()) field.at("columns").wrong("a list of at least one name");
  if (table.described_rows > table.rows)
    field.at("described_rows").wrong(fmt::format("a whole number from 1 to {}", table.rows));
  const std::set<std::string> unique(table.columns.begin(), table.columns.end());
  if (unique.size() != table.columns.size()) field.at("columns").wrong("a list of different names");
  for (std::size_t i = 0; i < table.encodings.size(); ++i)
    for (const std::string& category : table.encodings[i].categories)
      if (const std::string name = table.encodings[i].column + "=" + category; unique.count(name) == 0)
        field.at("encodings").items()[i].wrong(fmt::format("columns of the model (there is no {})", in_quotes(name)));
  return table;
}

template <class Found>
void require_every_pair(const Field& field, const std::vector<Found>& found, const Model& model) {
  if (found.size() != model.pairs.size()) field.at("pairs").wrong("a list with one entry for every pair");
}

Evidence read_evidence(const Field& field, const Model& model, const ColumnCounts& columns) {
  const auto evidence = JsonReader::of_struct<Evidence>(field, columns);
  require_every_pair(field, evidence.pairs, model);
  return evidence;
}

FitSummary read_fit_summary(const Field& field, const Model& model) {
  const auto summary = JsonReader::of_struct<FitSummary>(field);
  require_every_pair(field, summary.pairs, model);
  for (std::size_t i = 0; i < summary.joint.size(); ++i) {
    const JointBins& bins = summary.joint[i];
    const Field item = field.at("joint").items()[i];
    const auto count = static_cast<Index>(model.pairs.size());
    if (std::max(bins.pairs[0], bins.pairs[1]) > count)
      item.at("pairs").wrong(fmt::format("whole numbers from 1 to {}", count));
    if (bins.first[0] > bins.first[1]) item.at("first").wrong("increasing");
    if (bins.second[0] > bins.second[1]) item.at("second").wrong("increasing");
    for (const auto* side : {&bins.x, &bins.y})
      for (const JointBins::Count& one : *side)
        if (one[0] >= JointBins::cells * JointBins::cells || one[1] < 1)
          item.at(side == &bins.x ? "x" : "y").wrong("a list of cells and counts");
  }
  return summary;
}

// Protocols 2 and later begin with a byte no text has; earlier ones are texts of their own.
bool is_pickle(const std::string& text) {
  if (!text.empty() && static_cast<unsigned char>(text[0]) == 0x80) return true;
  for (const char* beginning : {"(dp", "(lp", "(ip", "ccopy_reg\n", "cnumpy", "csklearn", "cjoblib", "}q", "]q"})
    if (text.rfind(beginning, 0) == 0) return true;
  return false;
}

void check_format(const Field& root) {
  if (!root.json().is_object() || !root.has("format") || root.at("format").json() != format_name)
    root.fail(fmt::format("this is not a model: /format is not \"{}\"", format_name));
  const Index written = root.at("format_version").count(1, 1000000);
  if (written <= format_version) return;
  const bool told = root.has("written_by") && root.at("written_by").json().is_string();
  root.fail(fmt::format("the model has format {}{}; this is cda {} and reads up to {}", written,
                        told ? ", written by " + in_quotes(root.at("written_by").text()) : "", version(),
                        format_version));
}

// Files of version 1 have no digest; one that has must live up to it.
bool seal_is_intact(const Field& root, const std::string& text) {
  constexpr Index first_with_digest = 2;
  if (root.at("format_version").count(1, format_version) < first_with_digest && !root.has("sha256")) return true;
  return seal_holds(text, root.at("sha256").text());
}

void remark_unknown(const Field& root, std::vector<std::string>& remarks) {
  constexpr std::size_t most = 5;
  std::vector<std::string> unknown = root.unknown();
  if (unknown.empty()) return;
  const std::size_t count = unknown.size();
  if (count > most) unknown.resize(most);
  for (std::string& pointer : unknown) pointer = cda::in_quotes(pointer);
  remarks.push_back(fmt::format("the model has {} this cda does not know and ignores: {}{}",
                                count == 1 ? "a field" : fmt::format("{} fields", count), fmt::join(unknown, ", "),
                                count > most ? ", ..." : ""));
}

// Models of cda 0.1 hold the number of pairs as `components`, and nothing of what was asked for.
void read_options(const Field& field, Model& model) {
  model.options.method = model.method;
  for (const auto& [name, value] : field.entries()) {
    const std::string text = name == "few_valued" && value.text() == "set aside" ? "drop" : value.text();
    try {
      if (name == "components") {
        if (!field.has("pairs")) set_from_saved(model.options, "pairs", text);
      } else if (name == "objective") {
        model.figure = text;
      } else if (!set_from_saved(model.options, name, text)) {
        model.reading[name] = text;
      }
    } catch (const Error& error) {
      if (error.fault() == Fault::input) throw;
      value.wrong(fmt::format("a value of this option, not {}", in_quotes(text)));
    }
  }
}

Model read_model(const Field& root) {
  Model model;
  model.method = root.at("method").text();
  read_options(root.at("options"), model);
  model.options.seed = root.at("seed").seed();
  model.x = read_table_summary(root.at("x"));
  model.y = read_table_summary(root.at("y"));
  model.x_preparation = read_preparation(root.at("x").at("preparation"), static_cast<Index>(model.x.columns.size()));
  model.y_preparation = read_preparation(root.at("y").at("preparation"), static_cast<Index>(model.y.columns.size()));
  if (model.x_preparation.linear() != model.y_preparation.linear())
    root.at("y").at("preparation").wrong("linear like that of x, or not like it");
  model.warnings = root.at("warnings").texts();
  if (root.has("stopped")) model.stopped = root.at("stopped").text();
  if (root.has("written_by")) root.at("written_by").text();

  const std::vector<Field> pair_list = root.at("pairs").items();
  if (pair_list.empty()) root.at("pairs").wrong("a list of at least one pair");
  const auto count = static_cast<Index>(pair_list.size());
  const Index p = model.x_preparation.outputs(), q = model.y_preparation.outputs();
  const ColumnCounts columns{model.x_preparation.inputs(), model.y_preparation.inputs()};
  for (const Field& field : pair_list) {
    field.at("x_direction").check_size(p);
    field.at("y_direction").check_size(q);
  }
  model.directions = {Matrix(p, count), Matrix(q, count), Vector(count)};
  for (Index i = 0; i < count; ++i) {
    const Field& field = pair_list[static_cast<std::size_t>(i)];
    model.directions.x.col(i) = field.at("x_direction").vector(p);
    model.directions.y.col(i) = field.at("y_direction").vector(q);
    model.directions.scales[i] = field.at("scale").number();
    if (model.directions.scales[i] <= 0.0) field.at("scale").wrong("positive");
    if (model.directions.x.col(i).norm() == 0.0) field.at("x_direction").wrong("different from zero");
    if (model.directions.y.col(i).norm() == 0.0) field.at("y_direction").wrong("different from zero");
    model.pairs.push_back(JsonReader::of_struct<Pair>(field, columns));
    if (field.has("x_weights")) model.x_sparse[i] = field.at("x_weights").vector(model.x_preparation.inputs());
    if (field.has("y_weights")) model.y_sparse[i] = field.at("y_weights").vector(model.y_preparation.inputs());
  }
  model.multiply_out();
  if (root.has("coupling")) model.coupling = JsonReader::of_struct<Coupling>(root.at("coupling"));
  if (root.has("evidence")) model.evidence = read_evidence(root.at("evidence"), model, columns);
  if (root.has("summary")) model.summary = read_fit_summary(root.at("summary"), model);
  return model;
}

}  // namespace

std::string Model::to_json() const {
  Json pair_list = Json::array();
  for (std::size_t i = 0; i < pairs.size(); ++i) pair_list.push_back(written(pairs[i], *this, static_cast<Index>(i)));
  Json json{{"format", format_name},
            {"format_version", format_version},
            {"sha256", unsealed},
            {"written_by", fmt::format("cda {}", version())},
            {"method", method},
            {"options", in_force()},
            {"seed", options.seed},
            {"x", written(x, x_preparation)},
            {"y", written(y, y_preparation)},
            {"pairs", std::move(pair_list)},
            {"warnings", warnings}};
  if (!stopped.empty()) json["stopped"] = stopped;
  if (coupling) json["coupling"] = JsonWriter::of_struct(*coupling);
  if (evidence) json["evidence"] = JsonWriter::of_struct(*evidence);
  if (summary) json["summary"] = JsonWriter::of_struct(*summary);
  // Options may hold bytes that are no text, such as the name of a file.
  return sealed(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Model Model::from_json(const std::string& text, const std::string& source, std::vector<std::string>* remarks) {
  if (is_pickle(text))
    throw Error(Fault::input, "model.pickle", "this is a Python pickle; cda never loads pickles",
                "save the model as JSON", {source});
  JsonSource origin{.file = source};
  const Json json = parsed_json(text, origin);
  const Field root(json, "", origin);
  check_format(root);
  if (seal_is_intact(root, text)) {
    Model model = read_model(root);
    if (remarks != nullptr) remark_unknown(root, *remarks);
    return model;
  }
  // What was changed is worth knowing, where it can be told.
  std::string found;
  try {
    read_model(root);
  } catch (const Error& error) {
    found = ": " + error.message();
  }
  throw Error(Fault::input, "model.changed",
              fmt::format("the file's content does not match its sha256 {}, it was changed after cda wrote it{}",
                          in_quotes(root.at("sha256").text(), 70), found),
              "fit again, or take the file from where it was copied", {source});
}

std::string findings_json(const Model& model, const std::vector<std::string>& warnings) {
  const ShownColumns columns{&model.x.columns, &model.y.columns};
  Json json{{"method", model.method},
            {"options", model.in_force()},
            {"seed", model.options.seed},
            {"x", JsonWriter::of_struct(model.x, &columns)},
            {"y", JsonWriter::of_struct(model.y, &columns)},
            {"warnings", warnings}};
  if (!model.stopped.empty()) json["stopped"] = model.stopped;
  if (model.evidence) {
    Json global = JsonWriter::of_struct(*model.evidence, &columns);
    global["p"] = global["global_p"];
    for (const char* apart : {"global_p", "pairs", "warnings"}) global.erase(apart);
    json["global"] = std::move(global);
  }
  if (model.coupling) json["coupling"] = JsonWriter::of_struct(*model.coupling, &columns);
  json["pairs"] = Json::array();
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    json["pairs"].push_back(JsonWriter::of_struct(model.pairs[i], &columns));
    if (model.evidence) json["pairs"].back().update(JsonWriter::of_struct(model.evidence->pairs[i], &columns));
  }
  return document(json);
}

}  // namespace cda
