#include "optimise/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cda {
namespace {

constexpr double sufficient = 1e-4;  // Armijo: this part of the decrease the slope promises
constexpr int most_cuts = 60;
constexpr int most_wolfe_trials = 25;
constexpr int most_simplex_values = 30;

bool decreases_enough(const Line& line, double length, double value) {
  return value < line.from.value && value <= line.from.value + sufficient * length * line.slope;
}

// The parabola through the start, with its slope, and a point that failed: how far above the tangent line it lies.
double bend(const Line& line, double length, double value) { return value - line.from.value - line.slope * length; }

// The decrease at that parabola's lowest point.
double parabola_decrease(const Line& line, double length, double value) {
  const double above = bend(line, length, value);
  return above > 0.0 ? line.slope * line.slope * length * length / (4.0 * above) : 0.0;
}

Step backtrack(const Line& line, double length, Step step = {}) {
  bool seen_finite = step.promised > 0.0;
  const double first = length;
  for (int cut = 0; cut < most_cuts; ++cut) {
    double shorter = 0.25 * length;
    if (line.objective.evaluate(line.at(length), step.reached)) {
      const double value = step.reached.value;
      if (decreases_enough(line, length, value)) {
        step.found = true;
        step.length = length;
        return step;
      }
      seen_finite = true;
      step.promised = std::max(step.promised, parabola_decrease(line, length, value));
      shorter = std::clamp(-0.5 * line.slope * length * length / bend(line, length, value), 0.1 * length, 0.5 * length);
    }
    length = shorter;
    const double visible = std::numeric_limits<double>::epsilon() * std::abs(line.from.value);
    if (std::abs(line.slope) * length < 0.1 * visible || length * line.speed < std::numeric_limits<double>::min())
      break;
  }
  if (!seen_finite) step.promised = std::abs(line.slope) * first;
  return step;
}

struct Trial {
  double length = 0.0, value = 0.0, slope = 0.0;
};

// The lowest point of the cubic with the values and slopes of a and b; their middle where there is none.
double cubic_minimum(const Trial& a, const Trial& b) {
  const double middle = 0.5 * (a.length + b.length), width = b.length - a.length;
  if (width == 0.0 || !std::isfinite(b.value) || !std::isfinite(a.value)) return middle;
  const double d1 = a.slope + b.slope - 3.0 * (b.value - a.value) / width;
  const double square = d1 * d1 - a.slope * b.slope;
  if (!(square >= 0.0)) return middle;
  const double d2 = std::copysign(std::sqrt(square), width);
  const double denominator = b.slope - a.slope + 2.0 * d2;
  if (denominator == 0.0) return middle;
  const double lowest = b.length - width * (b.slope + d2 - d1) / denominator;
  return std::isfinite(lowest) ? lowest : middle;
}

class WolfeSearch {
 public:
  WolfeSearch(const Line& line, double curvature) : line_(line), curvature_(curvature) {}

  Step run() {
    const Trial start{0.0, line_.from.value, line_.slope};
    Trial last = start;
    double longest = line_.longest, length = std::min(line_.first, longest);
    while (trials_ < most_wolfe_trials) {
      const std::optional<Trial> trial = evaluate(length);
      if (!trial) {
        longest = length;
        length = last.length + 0.25 * (length - last.length);
        continue;
      }
      if (!decreases_enough(line_, length, trial->value) || (last.length > 0.0 && trial->value >= last.value)) {
        zoom(last, *trial);
        break;
      }
      if (accepted_) break;
      if (trial->slope >= 0.0) {
        zoom(*trial, last);
        break;
      }
      if (length >= line_.longest) break;
      double further = cubic_minimum(last, *trial);
      if (!(further > length)) further = 4.0 * length;  // no lowest point ahead: the value falls ever faster
      further = std::clamp(further, 2.0 * length, 10.0 * length);
      // Between the last good length and one that was not finite, take the middle.
      if (further >= longest) further = longest < line_.longest ? 0.5 * (length + longest) : longest;
      if (!(further > length)) break;
      last = *trial;
      length = further;
    }
    if (best_.found) return best_;
    return backtrack(line_, 0.5 * shortest_, best_);
  }

 private:
  std::optional<Trial> evaluate(double length) {
    ++trials_;
    shortest_ = std::min(shortest_, length);
    Iterate reached;
    if (!line_.objective.evaluate(line_.at(length), reached)) return std::nullopt;
    const Trial trial{length, reached.value, slope_at(length, reached)};
    if (decreases_enough(line_, length, trial.value)) {
      accepted_ = std::abs(trial.slope) <= curvature_ * std::abs(line_.slope);
      if (accepted_ || !best_.found || trial.value < best_.reached.value) {
        best_.found = true;
        best_.length = length;
        best_.reached = std::move(reached);
      }
    } else {
      best_.promised = std::max(best_.promised, parabola_decrease(line_, length, trial.value));
    }
    return trial;
  }

  // The curve's velocity by central differences of the curve alone: no further value is needed, and the same few lines
  // serve every set and every retraction.
  double slope_at(double length, const Iterate& reached) const {
    const double h = 1e-5 * std::max(1.0, line_.from.point.norm()) / line_.speed;
    const Vector ahead = line_.at(length + h), behind = line_.at(length - h);
    return reached.gradient.dot(ahead - behind) / (2.0 * h);
  }

  // low has the smaller value, and the value falls from it towards high.
  void zoom(Trial low, Trial high) {
    while (trials_ < most_wolfe_trials && !accepted_) {
      const double width = std::abs(high.length - low.length);
      if (width <= 1e-10 * std::max(low.length, high.length)) return;
      const double left = std::min(low.length, high.length) + 0.1 * width;
      const double length = std::clamp(cubic_minimum(low, high), left, left + 0.8 * width);
      const std::optional<Trial> trial = evaluate(length);
      if (!trial) {
        high = {length, std::numeric_limits<double>::infinity(), 0.0};
      } else if (!decreases_enough(line_, length, trial->value) || trial->value >= low.value) {
        high = *trial;
      } else {
        if (trial->slope * (high.length - low.length) >= 0.0) high = low;
        low = *trial;
      }
    }
  }

  const Line& line_;
  double curvature_;
  int trials_ = 0;
  bool accepted_ = false;
  double shortest_ = std::numeric_limits<double>::infinity();
  Step best_;
};

}  // namespace

Step armijo(const Line& line) { return backtrack(line, std::min(line.first, line.longest)); }

Step strong_wolfe(const Line& line, double curvature) { return WolfeSearch(line, curvature).run(); }

Step nelder_mead(const Line& line) {
  const double infinite = std::numeric_limits<double>::infinity();
  int values = 0;
  Step step;
  const auto value_at = [&](double length) {
    if (!(length > 0.0) || length > line.longest) return infinite;
    ++values;
    const double value = line.objective.value(line.at(length));
    if (value >= line.from.value && value < infinite)
      step.promised = std::max(step.promised, parabola_decrease(line, length, value));
    return value;
  };
  double best = std::min(line.first, 0.5 * line.longest), worst = 2.0 * best;
  double best_value = value_at(best), worst_value = value_at(worst);
  while (values < most_simplex_values - 1) {
    if (worst_value < best_value) {
      std::swap(best, worst);
      std::swap(best_value, worst_value);
    }
    if (std::abs(worst - best) <= 1e-3 * best) break;
    double moved = std::min(2.0 * best - worst, line.longest);  // reflected
    double moved_value = moved != best ? value_at(moved) : infinite;
    if (moved_value < best_value) {
      const double expanded = std::min(3.0 * best - 2.0 * worst, line.longest);
      const double expanded_value = value_at(expanded);
      if (expanded_value < moved_value) moved = expanded, moved_value = expanded_value;
    } else {
      const double side = moved_value < worst_value ? 0.5 : -0.5;  // contracted, outside or inside
      moved = best + side * (best - worst);
      moved_value = value_at(moved);
    }
    worst = moved;
    worst_value = moved_value;
  }
  if (worst_value < best_value) best = worst, best_value = worst_value;
  if (best_value < line.from.value && line.objective.evaluate(line.at(best), step.reached)) {
    step.found = true;
    step.length = best;
    return step;
  }
  // The simplex shrinks by halves and may have begun too far out.
  return backtrack(line, best, std::move(step));
}

}  // namespace cda
