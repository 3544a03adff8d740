// Rows of either table to their values: prepared as the fit prepared them, times the directions, times the scale on the
// Y side. They are taken a block at a time, so that what is in between (prepared rows, distances to landmarks) stays
// small and rows may lie in memory of any order: a block is put into ours, the whole never is.
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "cda/error.hpp"
#include "cda/extend/rows.hpp"

namespace cda {
namespace {

// The first ten of many names.
std::string shortened(std::vector<std::string> names) {
  constexpr std::size_t most = 10;
  const bool cut = names.size() > most;
  if (cut) names.resize(most);
  return fmt::format("{}{}", fmt::join(names, ", "), cut ? ", ..." : "");
}

// By the name of each column of 0 and 1: the column of text it comes from.
std::unordered_map<std::string, std::string> encoded_columns(const std::vector<Encoding>& encodings) {
  std::unordered_map<std::string, std::string> columns;
  for (const Encoding& encoding : encodings)
    for (const std::string& category : encoding.categories)
      columns[fmt::format("{}={}", encoding.column, category)] = encoding.column;
  return columns;
}

Matrix values_of(const Model& model, Side side, const Matrix& rows) {
  const PreparedColumns& preparation = side == Side::x ? model.x_preparation : model.y_preparation;
  Matrix values = preparation.apply(rows) * (side == Side::x ? model.directions.x : model.directions.y);
  if (side == Side::y) values *= model.directions.scales.asDiagonal();
  const std::map<Index, Vector>& sparse = side == Side::x ? model.x_sparse : model.y_sparse;
  if (!sparse.empty()) {
    const Matrix centred = rows.rowwise() - preparation.undo(Matrix::Zero(1, preparation.outputs())).row(0);
    for (const auto& [pair, weights] : sparse) values.col(pair) = centred * weights;
  }
  return values;
}

}  // namespace

Matrix transform(const Model& model, Side side, const RowsView& rows) {
  const Index expected = (side == Side::x ? model.x_preparation : model.y_preparation).inputs();
  if (rows.cols() != expected)
    throw Error(Fault::input, "model.columns",
                fmt::format("{} has {} columns but the model was fitted on {}", side == Side::x ? "x" : "y",
                            rows.cols(), expected),
                "were x and y swapped?");
  constexpr Index block = 1024;
  Matrix values(rows.rows(), model.directions.pairs());
  for (Index begin = 0, count = 0; begin < rows.rows(); begin += count) {
    // The last one takes what would be too few for another: a product of few rows may add up in another order.
    count = rows.rows() - begin < 2 * block ? rows.rows() - begin : block;
    values.middleRows(begin, count) = values_of(model, side, rows.middleRows(begin, count));
  }
  return values;
}

Matrix Model::transform(Side side, const Matrix& rows) const { return cda::transform(*this, side, rows); }

Matrix Model::transform(Side side, const Table& table, std::vector<std::string>* remarks) const {
  const TableSummary& fitted = side == Side::x ? x : y;
  const std::vector<std::string>& wanted = fitted.columns;
  std::unordered_map<std::string, Index> position;
  for (std::size_t j = 0; j < table.names.size(); ++j) position[table.names[j]] = static_cast<Index>(j);
  std::vector<std::string> expected, missing;  // as they are called in a file
  const std::unordered_map<std::string, std::string> encoded = encoded_columns(fitted.encodings);
  Matrix rows(table.rows(), static_cast<Index>(wanted.size()));
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    const auto text = encoded.find(wanted[j]);
    const std::string name = in_quotes(text == encoded.end() ? wanted[j] : text->second);
    const auto add = [&](std::vector<std::string>& names) {  // once: categories stand together
      if (names.empty() || names.back() != name) names.push_back(name);
    };
    add(expected);
    const auto found = position.find(wanted[j]);
    if (found == position.end())
      add(missing);
    else
      rows.col(static_cast<Index>(j)) = table.values.col(found->second);
  }
  if (!missing.empty())
    throw Error(Fault::input, "model.columns",
                fmt::format("{} of the model's {} columns {} missing: {}", missing.size(), expected.size(),
                            missing.size() == 1 ? "is" : "are", shortened(missing)),
                "were x and y swapped?", {table.source});
  if (remarks != nullptr) {
    const std::set<std::string> known(wanted.begin(), wanted.end());
    std::vector<std::string> further;
    for (const std::string& name : table.names)
      if (known.count(name) == 0) further.push_back(in_quotes(name));
    if (!further.empty())
      remarks->push_back(fmt::format("ignored {} the model does not know: {}",
                                     further.size() == 1 ? "a column" : fmt::format("{} columns", further.size()),
                                     shortened(further)));
  }
  return transform(side, rows);  // a missing cell is NaN, and so is every value of its row
}

}  // namespace cda
