#include "model/fit_summary_json.hpp"

#include <fmt/format.h>

namespace cda {
namespace {

using cda::written;  // of vectors, beside those of the parts of a summary

constexpr Index most = Index{1} << 50;

Json written(const ColumnSummary& column) {
  return {{"name", column.name},       {"missing", column.missing},     {"distinct", column.distinct},
          {"lowest", column.lowest},   {"median", column.median},       {"mean", column.mean},
          {"highest", column.highest}, {"deviation", column.deviation}, {"histogram", column.histogram}};
}

Json written(const TableOverview& side) {
  Json columns = Json::array();
  for (const ColumnSummary& column : side.columns) columns.push_back(written(column));
  return {{"name", side.name}, {"sha256", side.sha256}, {"columns", std::move(columns)}, {"remarks", side.remarks}};
}

Json written(const PairSummary& pair) {
  return {{"grid", written(pair.grid)},
          {"x_density", written(pair.x_density)},
          {"y_density", written(pair.y_density)},
          {"x_quantiles", written(pair.x_quantiles)},
          {"y_quantiles", written(pair.y_quantiles)}};
}

Json written(const std::vector<JointBins::Count>& counts) {
  Json list = Json::array();
  for (const auto& [cell, count] : counts) list.push_back({cell, count});
  return list;
}

Json written(const JointBins& bins) {
  return {{"pairs", {bins.first + 1, bins.second + 1}},
          {"first", {bins.first_low, bins.first_high}},
          {"second", {bins.second_low, bins.second_high}},
          {"x", written(bins.x)},
          {"y", written(bins.y)}};
}

ColumnSummary read_column(const Field& field) {
  ColumnSummary column;
  column.name = field.at("name").text();
  column.missing = field.at("missing").count(0, most);
  column.distinct = field.at("distinct").count(0, most);
  column.lowest = field.at("lowest").number();
  column.median = field.at("median").number();
  column.mean = field.at("mean").number();
  column.highest = field.at("highest").number();
  column.deviation = field.at("deviation").number();
  const std::vector<Field> histogram = field.at("histogram").items();
  if (histogram.size() != ColumnSummary::bins)
    field.at("histogram").wrong(fmt::format("a list of {} counts", ColumnSummary::bins));
  for (std::size_t i = 0; i < ColumnSummary::bins; ++i) column.histogram[i] = histogram[i].count(0, most);
  return column;
}

TableOverview read_overview(const Field& field) {
  TableOverview side;
  side.name = field.at("name").text();
  side.sha256 = field.at("sha256").text();
  for (const Field& column : field.at("columns").items()) side.columns.push_back(read_column(column));
  side.remarks = field.at("remarks").texts();
  return side;
}

PairSummary read_pair_summary(const Field& field) {
  return {field.at("grid").vector(PairSummary::points), field.at("x_density").vector(PairSummary::points),
          field.at("y_density").vector(PairSummary::points), field.at("x_quantiles").vector(PairSummary::levels),
          field.at("y_quantiles").vector(PairSummary::levels)};
}

std::vector<JointBins::Count> read_counts(const Field& field) {
  std::vector<JointBins::Count> counts;
  for (const Field& item : field.items()) {
    const std::vector<Field> both = item.items();
    if (both.size() != 2) item.wrong("a cell and a count");
    counts.push_back({both[0].count(0, JointBins::cells * JointBins::cells - 1), both[1].count(1, most)});
  }
  return counts;
}

JointBins read_bins(const Field& field, Index pairs) {
  JointBins bins;
  const auto two = [&](const char* key) {
    std::vector<Field> both = field.at(key).items();
    if (both.size() != 2) field.at(key).wrong("a list of two numbers");
    return both;
  };
  const auto range = [&](const char* key, double& low, double& high) {
    low = two(key)[0].number();
    high = two(key)[1].number();
    if (low > high) field.at(key).wrong("increasing");
  };
  bins.first = two("pairs")[0].count(1, pairs) - 1;
  bins.second = two("pairs")[1].count(1, pairs) - 1;
  range("first", bins.first_low, bins.first_high);
  range("second", bins.second_low, bins.second_high);
  bins.x = read_counts(field.at("x"));
  bins.y = read_counts(field.at("y"));
  return bins;
}

}  // namespace

Json written(const FitSummary& summary) {
  Json pairs = Json::array(), joint = Json::array();
  for (const PairSummary& pair : summary.pairs) pairs.push_back(written(pair));
  for (const JointBins& bins : summary.joint) joint.push_back(written(bins));
  return {
      {"x", written(summary.x)}, {"y", written(summary.y)}, {"pairs", std::move(pairs)}, {"joint", std::move(joint)}};
}

FitSummary read_fit_summary(const Field& field, const Model& model) {
  FitSummary summary{read_overview(field.at("x")), read_overview(field.at("y")), {}, {}};
  const std::vector<Field> pairs = field.at("pairs").items();
  if (pairs.size() != model.pairs.size()) field.at("pairs").wrong("a list with one entry for every pair");
  for (const Field& pair : pairs) summary.pairs.push_back(read_pair_summary(pair));
  for (const Field& bins : field.at("joint").items())
    summary.joint.push_back(read_bins(bins, static_cast<Index>(model.pairs.size())));
  return summary;
}

Json written(const std::vector<Trace>& traces) {
  Json list = Json::array();
  for (const Trace& trace : traces)
    list.push_back({{"start", trace.start}, {"iterations", trace.iterations}, {"values", trace.values}});
  return list;
}

std::vector<Trace> read_traces(const Field& field) {
  constexpr Index most_iterations = 2147483647;
  std::vector<Trace> traces;
  for (const Field& item : field.items()) {
    Trace trace{item.at("start").text(), {}, {}};
    for (const Field& iteration : item.at("iterations").items())
      trace.iterations.push_back(static_cast<int>(iteration.count(0, most_iterations)));
    const Vector values = item.at("values").vector(static_cast<Index>(trace.iterations.size()));
    trace.values.assign(values.begin(), values.end());
    traces.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace cda
