// The grid of frequencies on which a Gaussian-smoothed comparison of two characteristic functions is summed instead of
// integrated. The trapezoidal rule is spectrally accurate here: with step 2 pi / (range + reach) the images of the
// kernel do not overlap, and beyond the last frequency its transform has vanished, both to 1e-12 of the kernel's peak.
#pragma once

#include "cda/extend/statistics.hpp"

namespace cda {

// Kernels of standard deviation up to `widest` act on differences; their transforms are at least as narrow as
// exp(-narrowest^2 w^2 / 2). Throws where more frequencies would be needed than is sensible.
FrequencyGrid frequency_grid(double lowest, double highest, double narrowest, double widest);

// Weight of frequency q in (1/2 pi) int f(w) dw over all w, for even f.
double frequency_weight(const FrequencyGrid& grid, Index q);

}  // namespace cda
