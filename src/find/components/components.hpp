// The informative components of one table: directions whose values differ from a bell curve, found one after another
// by maximising the contrast in what is left of the whitened space.
#pragma once

#include <vector>

#include "cda/extend/formulation.hpp"
#include "find/pairs/search.hpp"

namespace cda {

struct Component {
  Vector direction;          // unit, in the whitened space
  Vector deviation;          // of its quantile function from the normal one (256 block means)
  double contrast = 0.0;     // mean square of the deviation
  double threshold = 0.0;    // what the largest contrast of a Gaussian table stays below in 95 of 100
  bool informative = false;  // this one and all before it exceed their thresholds
  Outcome outcome;
  std::vector<Trace> traces;  // of the starts, on the rows they were followed on
  double seconds = 0.0;
};

struct ComponentSearch {
  std::shared_ptr<const Divergence> divergence;
  const Optimiser& optimiser;
  SearchOptions options;
  const Executor& executor;
  Observer watch = {};
};

// Components in the order found, up to and including the first that is not informative, at least `wanted` of them, as
// far as the sample has dimensions and it is not enough. O(rows log rows) each.
std::vector<Component> find_components(const Sample& sample, const ComponentSearch& search, Index wanted = 0);

// The contrast of the first component when the search gives all it has: what thresholds are made of, on Gaussian
// samples.
double largest_contrast(const Sample& sample, const ComponentSearch& search);

// The same component on another sample: the contrast maximum reached from a direction, without any search.
Component follow_component(const Sample& sample, const ComponentSearch& search, const Vector& direction);

Index informative_count(const std::vector<Component>& components);

// The deviation of values from the normal once they have mean 0 and variance 1; of all ranks' values.
Vector shape_deviation(const Vector& values, const Executor& executor = Executor(1));
double contrast_of(const Vector& deviation);

}  // namespace cda
