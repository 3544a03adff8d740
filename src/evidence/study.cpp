#include "evidence/study.hpp"

#include <algorithm>
#include <cmath>

#include "base/moments.hpp"
#include "find/follow.hpp"

namespace cda {
namespace {

constexpr const char* too_many_pairs = "option.components";

FitOptions for_resampled_rows(FitOptions options) {
  options.stopping.decrease_tolerance = std::max(1e-5, options.stopping.decrease_tolerance);
  return options;
}

}  // namespace

Model refitted(const Study& study, const Table& x, const Table& y) {
  FitOptions options = for_resampled_rows(study.options);
  try {
    return fit(x, y, options, study.progress.fit_observer());
  } catch (const Error& error) {
    if (error.code() != too_many_pairs) throw;
    options.components = 0;
    return fit(x, y, options, study.progress.fit_observer());
  }
}

Model followed(const Study& study, const Table& x, const Table& y) {
  return follow_as(for_resampled_rows(study.options), study.model, x, y, study.progress.fit_observer());
}

bool has_no_answer(const Error& error) {
  return error.fault() == Fault::numerical || error.code() == too_many_pairs || error.code() == "data.rows";
}

double Likeness::weaker() const { return std::min(std::abs(x), std::abs(y)); }

std::vector<Likeness> most_alike(const Matrix& x_values, const Matrix& y_values, const Matrix& other_x,
                                 const Matrix& other_y) {
  const Matrix x = unit_columns(x_values).transpose() * unit_columns(other_x);
  const Matrix y = unit_columns(y_values).transpose() * unit_columns(other_y);
  std::vector<Likeness> best;
  for (Index i = 0; i < x.rows(); ++i) {
    Likeness found;
    for (Index j = 0; j < x.cols(); ++j) {
      const Likeness candidate{j, x(i, j), y(i, j)};
      if (found.pair < 0 || candidate.weaker() > found.weaker()) found = candidate;
    }
    best.push_back(found);
  }
  return best;
}

}  // namespace cda
