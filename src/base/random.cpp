#include "cda/extend/random.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace cda {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stable_hash(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return splitmix(hash);
}

Random::Random(std::uint64_t seed, std::string_view stream) : key_(stable_hash(stream, seed)), state_{} {
  std::uint64_t seeder = key_;
  for (auto& word : state_) word = splitmix(seeder);
}

Random Random::stream(std::string_view name) const { return Random(key_, name); }

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double a = 0.0, b = 0.0, square = 0.0;
  do {
    a = 2.0 * uniform() - 1.0;
    b = 2.0 * uniform() - 1.0;
    square = a * a + b * b;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  spare_ = b * factor;
  has_spare_ = true;
  return a * factor;
}

double Random::exponential() { return -std::log1p(-uniform()); }

// Marsaglia and Tsang 2000; below shape 1 by the power transformation.
double Random::gamma(double shape) {
  if (shape < 1.0) return gamma(shape + 1.0) * std::pow(1.0 - uniform(), 1.0 / shape);
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = normal();
    const double cube = std::pow(1.0 + c * z, 3);
    if (cube <= 0.0) continue;
    if (std::log(1.0 - uniform()) < 0.5 * z * z + d - d * cube + d * std::log(cube)) return d * cube;
  }
}

Index Random::below(Index bound) {
  const auto range = static_cast<std::uint64_t>(bound);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
  std::uint64_t drawn = bits();
  while (drawn >= limit) drawn = bits();
  return static_cast<Index>(drawn % range);
}

Matrix Random::normals(Index rows, Index columns) {
  Matrix drawn(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) drawn(i, j) = normal();
  return drawn;
}

std::vector<Index> Random::permutation(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  return order;
}

}  // namespace cda
