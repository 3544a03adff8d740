// Fits that never look at a row. The extended Mallows distance of order two is a function of means and covariances, and
// columns that are only shifted and stretched have theirs from those of the original ones. So one pass over each table
// (cda/extend/table_moments.hpp) is all a fit of CDA_M or rCDA_M needs; nothing is hashed twice, put in order, copied
// or prepared row by row. Correlations of columns with pairs come from the covariance too; what shows shapes
// (agreement, contrast, densities) comes from the rows that were kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cda/fit.hpp"
#include "find/prepared_table.hpp"

namespace cda {

struct BothMoments {
  TableMoments x, y;
};

// The moments of two complete tables, where they are all that the fit needs and one of the tables is long; nothing
// otherwise, and where numbers are so large or small, or not finite, that their squares say nothing.
std::optional<BothMoments> moments_instead(const Table& x, const Table& y, const FitOptions& options,
                                           const FitObserver& observer);

// cda::fit without that: with rows, however many there are.
Model fit_by_rows(const Table& x, const Table& y, const FitOptions& options, const FitObserver& observer = {});

// As for tables with rows: the columns prepared, and a sample of the rows that were kept with the moments of all.
PreparedTable prepare(const TableMoments& table, const std::string& side, const FitOptions& options,
                      const MethodParts& parts, const Executor& executor, const FitObserver& observer,
                      std::vector<std::string>& warnings);
TableSummary summary(const TableMoments& table, const Sample& sample);

}  // namespace cda
