// Limited-memory BFGS: the inverse Hessian from the last few steps s and changes of gradient y, applied by the
// two-loop recursion in O(memory * size). On a curved set the pairs are carried along by projecting them onto the new
// tangent space; a pair without positive curvature there teaches nothing and is left out. Liu and Nocedal, Math.
// Programming 45 (1989); on manifolds Huang, Gallivan and Absil, SIAM J. Optim. 25 (2015).
#include <deque>

#include "base/part.hpp"
#include "optimise/descent.hpp"

using namespace cda;

namespace {

struct Correction {
  Vector step, change;
};

class QuasiNewton final : public DirectionRule {
 public:
  QuasiNewton(const Manifold& manifold, Index memory) : manifold_(manifold), memory_(memory) {}

  Course course(const Iterate& at) override {
    if (pairs_.empty()) return steepest(at);
    Vector direction = -at.tangent;
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].step.dot(direction) / curvature(pairs_[i]);
      direction -= alpha[i] * pairs_[i].change;
    }
    direction *= curvature(pairs_.back()) / pairs_.back().change.squaredNorm();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].change.dot(direction) / curvature(pairs_[i]);
      direction += (alpha[i] - beta) * pairs_[i].step;
    }
    direction = manifold_.tangent(at.point, direction);
    if (direction.allFinite()) return {std::move(direction), 1.0};
    pairs_.clear();
    return steepest(at);
  }

  void moved(const Iterate& from, const Iterate& to, const Course& by, double length) override {
    if (manifold_.constraints() > 0) {  // else the tangent space is the same everywhere
      std::deque<Correction> carried;
      for (const Correction& pair : pairs_)
        keep(carried, {manifold_.tangent(to.point, pair.step), manifold_.tangent(to.point, pair.change)});
      pairs_ = std::move(carried);
    }
    keep(pairs_,
         {manifold_.tangent(to.point, length * by.direction), to.tangent - manifold_.tangent(to.point, from.tangent)});
    if (static_cast<Index>(pairs_.size()) > memory_) pairs_.pop_front();
  }

  bool forget() override {
    const bool knew = !pairs_.empty();
    pairs_.clear();
    return knew;
  }

 private:
  static double curvature(const Correction& pair) { return pair.step.dot(pair.change); }
  static Course steepest(const Iterate& at) { return {-at.tangent, cautious_length(at.point, at.tangent)}; }
  static void keep(std::deque<Correction>& pairs, Correction pair) {
    if (curvature(pair) > 1e-10 * pair.step.norm() * pair.change.norm()) pairs.push_back(std::move(pair));
  }

  const Manifold& manifold_;
  Index memory_;
  std::deque<Correction> pairs_;
};

class Lbfgs final : public Optimiser {
 public:
  explicit Lbfgs(Index memory) : memory_(memory) {}

  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    QuasiNewton direction(manifold_of(problem), memory_);
    return descend(problem, start, stopping, observer, direction,
                   [](const Line& line) { return strong_wolfe(line, 0.9); });
  }

 private:
  Index memory_;
};

}  // namespace

CDA_PART(Optimiser, lbfgs) {
  return {.info = {.name = {},
                   .summary = "quasi-Newton steps from the last few gradients; few iterations, the usual choice",
                   .reference = "Liu and Nocedal 1989; Huang, Gallivan and Absil 2015",
                   .options = {{"memory", "10", "steps remembered"}}},
          .make = [](const Settings& settings) -> std::unique_ptr<Optimiser> {
            return std::make_unique<Lbfgs>(settings.count("memory", 1, 1000));
          }};
}
