// What every part of an examination needs to know.
#pragma once

#include "cda/executor.hpp"
#include "cda/inference.hpp"
#include "inference/progress.hpp"

namespace cda {

struct Study {
  const Table& x;  // rows in an order given by their content or, where they follow each other in time, as they came
  const Table& y;
  const Model& model;
  FitOptions options;  // of the model, for fits on one thread
  const Executor& executor;
  Pieces& progress;

  Index pairs() const { return static_cast<Index>(model.pairs.size()); }
  Random random(const char* stream) const { return Random(options.seed, stream); }
};

// A pair of another model as seen from a pair of this one: correlations of the values on the study's rows.
struct Likeness {
  Index pair = -1;  // of the other model
  double x = 0.0, y = 0.0;
  double weaker() const;
};
// The pair of `other` that is most like pair i: the one whose weaker side correlates best.
std::vector<Likeness> most_alike(const Matrix& x_values, const Matrix& y_values, const Matrix& other_x,
                                 const Matrix& other_y);

}  // namespace cda
