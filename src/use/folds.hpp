// What the rules share: columns in units of the training rows, and rows dealt into folds.
#pragma once

#include <vector>

#include "cda/transfer.hpp"

namespace cda {

// Mean 0 and standard deviation 1 by the rows it was made from; columns that do not vary become 0.
struct UnitColumns {
  Vector means, scales;  // scale 0: constant

  explicit UnitColumns(const Matrix& rows);
  Matrix apply(const Matrix& rows) const;
  // Weights and intercept for columns as they are, from those for unit columns.
  Vector weights(const Vector& unit_weights) const;
  double intercept(const Vector& unit_weights, double unit_intercept) const;
};

// The fold of each row, from 0: rows in random order, dealt one by one; where labels are given each class is dealt in
// turn, so that folds hold as much of each as possible.
std::vector<Index> deal_folds(Index rows, Index folds, std::uint64_t seed, const Vector* labels = nullptr);

// Throws unless there are as many targets as rows, at least one, and all of them are finite.
void check_training_rows(const Matrix& rows, const Vector& targets, const LearningOptions& options);

}  // namespace cda
