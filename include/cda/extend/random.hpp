// Seeded, named streams of random numbers. A stream is determined by the seed and its name alone, so parts that draw
// at the same time, or in another order, or on another number of threads, still draw the same numbers.
// xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64; normals by the polar method. The standard library's
// distributions are not used: their results differ between implementations.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cda/types.hpp"

namespace cda {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::string_view stream = {});

  // An independent stream of this one's seed and name: Random(7, "fit").stream("pair 2").
  Random stream(std::string_view name) const;

  std::uint64_t bits();
  double uniform();            // in [0, 1)
  double normal();             // mean 0, variance 1
  double exponential();        // mean 1
  double gamma(double shape);  // mean `shape`, variance `shape`; shape > 0
  Index below(Index bound);    // uniform on 0 .. bound - 1, without bias
  Matrix normals(Index rows, Index columns);
  std::vector<Index> permutation(Index count);

 private:
  std::uint64_t key_;
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

// A hash that does not vary between machines or runs (FNV-1a, then mixed).
std::uint64_t stable_hash(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace cda
