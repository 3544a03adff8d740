// Pairs of tables whose truth is known: for tests, demonstrations and studies.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cda/table.hpp"

namespace cda {

struct SyntheticOptions {
  std::string kind = "linear";  // linear, mixed, nonlinear, sources, buildings
  Index n = 0, k = 0;           // rows of X and of Y; 0: 1000 each, for buildings 2000 and 1500
  Index m = 0, l = 0;           // columns of X and of Y; 0: 7 and 5, for sources 8 and 6; buildings have 9 and 7
  bool shuffle = true;          // destroy the order of Y's rows (relations only)
  double remove = 0.0;          // share of Y's rows left out at random (rho), after k
  double noise = 0.5;           // variance of the relations' noise terms; scales the sensor noise of buildings
  Index noise_columns = 0;      // further columns of pure noise on each side
  Index shared = 3;             // sources: how many both tables contain
  Index own = 0;                // sources: how many each table has of its own
  std::uint64_t seed = 0;
};

// What is known about a pair.
//   relations  The columns are an orthonormal basis of the subspace that carries the relations: of X rank 4 (linear)
//              or 5 (mixed, nonlinear), of Y rank 4. X and Y each have their own number of columns.
//   sources    Column i of both belongs to source i: x_directions.col(i)' x is that source, up to its length.
//   buildings  Column i of both belongs to driver i: the best linear estimate of it from the sensors.
struct Truth {
  Matrix x_directions, y_directions;                       // m x r, l x s; columns of unit length
  std::vector<std::string> sources;                        // what column i of both stands for; empty for relations
  std::vector<std::string> x_own, y_own;                   // sources: the shapes only one table has
  std::vector<std::pair<std::string, std::string>> pairs;  // columns of X that go with columns of Y, in words
  std::uint64_t seed = 0;
};

struct SyntheticPair {
  Table x, y;
  Truth truth;
};

SyntheticPair synthesise(const SyntheticOptions& options);
std::vector<std::string> synthetic_kinds();

// One object: x_directions and y_directions (a list of directions, each a list by column), sources, pairs (x, y), seed;
// for sources with own ones also x_own and y_own.
std::string to_json(const Truth& truth);

}  // namespace cda
