// Samples for tests: seeded, named, and small unless asked otherwise.
#pragma once

#include "cda/cda.hpp"
#include "cda/extend/baseline.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/extend/projection.hpp"
#include "cda/extend/random.hpp"
#include "cda/extend/table_moments.hpp"

namespace cda::test {

// Rows with correlated, shifted, skewed columns: nothing special about any direction.
Matrix skewed_rows(Index rows, Index columns, std::string_view name);

// A sample seen through one coordinate, so that its values are the given ones.
Sample sample_of(const Vector& values);
double evaluate(const Divergence& divergence, const Vector& x, const Vector& y);

// The largest difference between the gradient a divergence gives with respect to its values and central differences,
// relative to the largest entry.
double value_gradient_error(const Divergence& divergence, const Matrix& x, const Matrix& y, double step = 1e-6);

const std::vector<std::string>& all_methods();  // the names of those that compare distributions

}  // namespace cda::test
