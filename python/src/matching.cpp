// Which column of one table could be which column of another, and tables whose truth is known.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "cda/match.hpp"
#include "cda/synthetic.hpp"
#include "interruptible.hpp"
#include "module.hpp"

namespace cda::python {
namespace {

py::object runner_up(const std::optional<RunnerUp>& other, const Table& table) {
  if (!other) return py::none();
  return py::make_tuple(table.names[static_cast<std::size_t>(other->column)], other->similarity, other->margin);
}

py::dict match_dict(const ColumnMatch& match, const Table& x, const Table& y) {
  py::dict one;
  one["x"] = x.names[static_cast<std::size_t>(match.x)];
  one["y"] = y.names[static_cast<std::size_t>(match.y)];
  one["sign"] = match.sign;
  one["similarity"] = match.similarity;
  one["verdict"] = to_string(match.verdict);
  one["frequency"] = match.frequency;
  one["sign_frequency"] = match.sign_frequency;
  one["sampling"] = match.sampling;
  one["as_similar"] = match.as_similar;
  one["margin"] = match.margin();
  one["other_x"] = runner_up(match.other_x, x);
  one["other_y"] = runner_up(match.other_y, y);
  one["notes"] = match.notes;
  return one;
}

py::list unmatched(const std::vector<UnmatchedColumn>& columns, const Table& table) {
  py::list all;
  for (const UnmatchedColumn& column : columns)
    all.append(py::make_tuple(table.names[static_cast<std::size_t>(column.column)], column.reason));
  return all;
}

py::dict match(const Table& x, const Table& y, const std::string& units, Index bootstrap, std::uint64_t seed,
               int threads) {
  const MatchOptions options{.units = match_units(units), .bootstrap = bootstrap, .seed = seed, .threads = threads};
  const ColumnMatches found = interruptible(
      [&](const auto& going_on) { return match_columns(x, y, options, [&](double) { return going_on(); }); });
  py::list matches;
  for (const ColumnMatch& one : found.matches) matches.append(match_dict(one, x, y));
  py::dict all;
  all["matches"] = matches;
  all["unmatched_x"] = unmatched(found.unmatched_x, x);
  all["unmatched_y"] = unmatched(found.unmatched_y, y);
  all["warnings"] = found.warnings;
  return all;
}

py::dict synthetic(const std::string& kind, Index n, Index k, Index m, Index l, bool shuffle, double remove,
                   double noise, Index shared, Index own, std::uint64_t seed) {
  SyntheticPair made = synthesise({.kind = kind,
                                   .n = n,
                                   .k = k,
                                   .m = m,
                                   .l = l,
                                   .shuffle = shuffle,
                                   .remove = remove,
                                   .noise = noise,
                                   .shared = shared,
                                   .own = own,
                                   .seed = seed});
  py::dict all;
  all["x"] = to_array(std::move(made.x.values));
  all["y"] = to_array(std::move(made.y.values));
  all["x_names"] = made.x.names;
  all["y_names"] = made.y.names;
  all["x_directions"] = to_array(std::move(made.truth.x_directions));
  all["y_directions"] = to_array(std::move(made.truth.y_directions));
  all["sources"] = made.truth.sources;
  return all;
}

}  // namespace

void add_matching(py::module_& module) {
  module.def("match", &match, py::arg("x"), py::arg("y"), py::arg("units"), py::arg("bootstrap"), py::arg("seed"),
             py::arg("threads"));
  module.def("synthesise", &synthetic, py::arg("kind"), py::arg("n"), py::arg("k"), py::arg("m"), py::arg("l"),
             py::arg("shuffle"), py::arg("remove"), py::arg("noise"), py::arg("shared"), py::arg("own"),
             py::arg("seed"));
}

}  // namespace cda::python
