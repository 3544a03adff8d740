// What every part of an examination needs to know.
#pragma once

#include "cda/evidence.hpp"
#include "cda/extend/executor.hpp"
#include "evidence/progress.hpp"

namespace cda {

struct Study {
  const Table& x;  // rows in an order given by their content or, where they follow each other in time, as they came
  const Table& y;
  const Model& model;
  FitOptions options;  // those the model was fitted with, for fits on one thread
  const Executor& executor;
  Pieces& progress;

  Index pairs() const { return static_cast<Index>(model.pairs.size()); }
  Random random(const char* stream) const { return Random(options.seed, stream); }
};

// The model's method on other rows of the same tables. Directions that vary from one choice of rows to the next are not
// found to the last digit; where the rows have fewer dimensions than pairs were asked for, there are fewer pairs.
Model refitted(const Study& study, const Table& x, const Table& y);
// The pairs of the model followed to those rows, without a search.
Model followed(const Study& study, const Table& x, const Table& y);

// True where a fit failed because the rows drawn have no answer, which is no fault of the request.
bool has_no_answer(const Error& error);

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
