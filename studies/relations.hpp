// Which columns of X go with which of Y, as a model's pairs tell it, against relations that are known.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cda/extend/experiment.hpp"
#include "cda/extend/random.hpp"
#include "cda/model.hpp"
#include "cda/synthetic.hpp"

namespace cda {

// A column of X and one of Y, by number, in increasing order.
using Relations = std::vector<std::pair<Index, Index>>;

// A column leads a side of a pair where its correlation with the pair's values is at least this, absolute.
constexpr double leading_loading = 0.5;

Relations claimed_relations(const Model& model);                               // both lead the same pair
Relations true_relations(const Truth& truth, const Table& x, const Table& y);  // both follow the same driver
Relations same_named_columns(const Table& x, const Table& y);

// "heating_kWh (+0.99), cooling_kWh (-0.98)": those that lead, the largest first; at least one.
std::string leading_columns(const Vector& loadings, const std::vector<std::string>& names);

struct RelationScore {
  Share found;  // of the true ones, those claimed
  Share right;  // of those claimed, true ones
  // The same two shares where the columns of Y change places at random (1000 times).
  double found_by_chance = 0.0, right_by_chance = 0.0;

  static auto fields(auto& self) {
    return std::tie(self.found, self.right, self.found_by_chance, self.right_by_chance);
  }
  void add(const RelationScore& other, Index already);  // a mean over runs for what chance would give
};
RelationScore score_relations(const Relations& claimed, const Relations& truth, Index y_columns, Random random);

}  // namespace cda
