// Random shapes: a broad population of distributions that could be anything's, all of mean 0 and variance 1, each with
// a given distance from the normal. The unrelated tables a match is compared with are made of them. One in ten is
// symmetric: shapes of real columns are so more often than a random function would be, and symmetric ones match easily.
#pragma once

#include "cda/extend/random.hpp"
#include "cda/types.hpp"

namespace cda {

// An increasing function q of a standard normal z: q(z) has the shape.
class RandomShape {
 public:
  // E (q(z) - z)^2 = contrast, as near as shapes come to it.
  RandomShape(double contrast, Random& random);

  double at(double z) const;
  // Strength of a shape unrelated to one of this observed contrast in a sample of `count`: without what sampling adds,
  // and varied, since equal strength is not known exactly (factor exp(.55 N(0, 1))).
  static double varied_strength(double observed, Index count, Random& random);

  // The quantile function of `count` values drawn from the shape, standardised, less the normal one (256 blocks).
  Vector drawn_deviation(Index count, Random& random) const;

 private:
  Vector values_;  // on an equidistant grid of z, linear between
};

}  // namespace cda
