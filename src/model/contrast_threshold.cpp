#include "model/contrast_threshold.hpp"
#include <cmath>
namespace cda {
double contrast_threshold(Index rows, Index dimensions) {
  return (2.5 + 1.0 * static_cast<double>(dimensions)) / static_cast<double>(rows);
}
}  // namespace cda
