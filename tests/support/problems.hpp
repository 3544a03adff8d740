// Problems that know their optimum, for tests, benchmarks and examples.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/optimiser.hpp"

namespace cda::problems {

struct Known {
  std::string name;
  Problem problem;
  Vector start;
  double optimum = 0.0;    // the lowest value
  double tolerance = 0.0;  // how far above it a converged run may end
  int iterations = 2000;   // enough for every method
};

Known rosenbrock(Index size, double scale = 1.0);                 // 0 at (1, ..., 1)
Known sphere_quadratic(Index size, double scale = 1.0);           // x'Ax: the smallest eigenvalue
Known brockett(Index rows, Index columns);                        // tr U'AU N: eigenvectors in order
Known procrustes(Index size);                                     // |AU - B|^2, U square
Known spheres_and_line(Index x_size, Index y_size);               // two spheres and a scale
Known frames_and_space(Index rows, Index columns, Index others);  // two frames and a flat space
Known sorted_samples(Index rows, Index columns);                  // transport in one dimension: kinks

// All of the above in sizes that every optimiser should manage.
std::vector<Known> all();

// z'Mz of two random tables with means, as in extended Mallows of order 2; `spread` orders of magnitude between the
// largest and smallest variance, `centred` without the coupling of the means.
Problem two_spheres(Index x_size, Index y_size, double spread, bool centred, std::uint64_t seed);

}  // namespace cda::problems
