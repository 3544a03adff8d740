// Pairs of tables whose truth is known: for tests, demonstrations and studies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cda/table.hpp"

namespace cda {

struct SyntheticOptions {
  std::string kind = "linear";  // linear, mixed, nonlinear, sources, buildings
  Index n = 1000, k = 1000;     // rows of X and of Y
  Index m = 7, l = 5;           // columns of X and of Y
  bool shuffle = true;          // destroy the order of Y's rows (relations only)
  double remove = 0.0;          // share of Y's rows left out at random (rho)
  double noise = 0.5;           // variance of the relations' noise terms
  Index noise_columns = 0;      // further columns of pure noise on each side
  Index shared = 3;             // sources: how many both tables contain
  Index own = 0;                // sources: how many each table has of its own
  std::uint64_t seed = 0;
};

struct Truth {
  Matrix x_directions, y_directions;  // m x r, l x r: column i of both belongs to the same relation or source
  std::vector<std::string> sources;   // what each column of the directions stands for
  std::vector<std::pair<std::string, std::string>> pairs;  // columns of X that go with columns of Y, in words
  std::uint64_t seed = 0;
};

struct SyntheticPair {
  Table x, y;
  Truth truth;
};

SyntheticPair synthesise(const SyntheticOptions& options);
std::vector<std::string> synthetic_kinds();
std::string to_json(const Truth& truth);

}  // namespace cda
