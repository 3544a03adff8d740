// Sequential quadratic programming: SLSQP (Kraft 1994, as in NLopt) with the set's own equations as equality
// constraints, then the nearest point of the set. The only method here that leaves the set on its way.
//
// SLSQP ends early now and then: at the limit of rounding, or on a small decrease. Each end is followed by another
// round from the point reached, until a round gains nothing. An iteration is one evaluation, O(size^3) work besides.
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <nlopt.hpp>
#include <optional>

#include "base/part.hpp"
#include "optimise/line_search.hpp"

using namespace cda;

namespace {

constexpr double on_the_set = 1e-8;  // largest residual of a point whose value may be compared
constexpr int most_rounds = 20;

// What SLSQP calls back, and what is remembered of it.
class Round {
 public:
  Round(Objective& objective, Watch& watch, const Stopping& stopping, double scale, double start_value)
      : objective_(objective),
        watch_(watch),
        stopping_(stopping),
        scale_(scale),
        too_far_(start_value / scale + 1e6 * std::max(1.0, std::abs(start_value / scale))) {}

  // False: a limit, the caller or the gradient ended it, and not SLSQP.
  bool run(const Vector& start) {
    const auto size = static_cast<unsigned>(start.size());
    nlopt::opt slsqp(nlopt::LD_SLSQP, size);
    slsqp.set_min_objective(&Round::value, this);
    const Index constraints = objective_.manifold().constraints();
    if (constraints > 0)
      slsqp.add_equality_mconstraint(&Round::residual, this,
                                     std::vector<double>(static_cast<std::size_t>(constraints), on_the_set));
    slsqp.set_ftol_rel(std::max(1e-15, 1e-3 * stopping_.decrease_tolerance));  // never below rounding
    std::vector<double> x(start.data(), start.data() + start.size());
    double reached = 0.0;
    try {
      slsqp.optimize(x, reached);
    } catch (const nlopt::roundoff_limited&) {
    } catch (const nlopt::forced_stop&) {
    } catch (const std::exception&) {
      // SLSQP gave up on a subproblem: the best point so far stands.
    }
    if (failure_) std::rethrow_exception(failure_);
    return !ended_;
  }

  const std::optional<Vector>& best() const { return best_; }

 private:
  static double value(unsigned size, const double* x, double* gradient, void* self) {
    return static_cast<Round*>(self)->guarded([&](Round& round) { return round.evaluate(size, x, gradient); });
  }

  static void residual(unsigned count, double* result, unsigned size, const double* x, double* gradient, void* self) {
    static_cast<Round*>(self)->guarded([&](Round& round) {
      const Vector point = Eigen::Map<const Vector>(x, size);
      Eigen::Map<Vector>(result, count) = round.objective_.manifold().residual(point);
      using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      if (gradient) Eigen::Map<RowMajor>(gradient, count, size) = round.objective_.manifold().jacobian(point);
      return 0.0;
    });
  }

  // Exceptions must not cross NLopt's C code: they are kept, and thrown again behind it.
  template <class Call>
  double guarded(const Call& call) {
    try {
      return call(*this);
    } catch (const nlopt::forced_stop&) {
      throw;
    } catch (...) {
      failure_ = std::current_exception();
      throw nlopt::forced_stop();
    }
  }

  double evaluate(unsigned size, const double* x, double* gradient) {
    if (watch_.iterations() >= stopping_.iterations) {
      watch_.finish(StopReason::iteration_limit, {});
      end();
    }
    if (std::string reason = stopping_.asked_enough(); !reason.empty()) {
      watch_.finish(StopReason::enough, std::move(reason));
      end();
    }
    const Vector point = Eigen::Map<const Vector>(x, size);
    Iterate at;
    const bool finite = objective_.evaluate(point, at);
    if (gradient) Eigen::Map<Vector>(gradient, size).setZero();
    if (!finite) {
      if (!watch_.record(at.value, at.gradient_norm)) end();
      return too_far_;
    }
    if (gradient) Eigen::Map<Vector>(gradient, size) = at.gradient / scale_;
    const Manifold& manifold = objective_.manifold();
    const double slope = manifold.tangent(manifold.nearest(point), at.gradient).norm();
    const Vector off = manifold.residual(point);
    if (off.size() == 0 || off.lpNorm<Eigen::Infinity>() <= on_the_set) {
      if (!best_ || at.value < best_value_) {
        best_ = point;
        best_value_ = at.value;
      }
      if (watch_.gradient_vanished(slope, at.value)) {
        best_ = point;
        watch_.record(at.value, slope);
        throw nlopt::forced_stop();  // the caller looks at the gradient on the set itself
      }
    }
    if (!watch_.record(at.value, slope)) end();
    return at.value / scale_;
  }

  [[noreturn]] void end() {
    ended_ = true;
    throw nlopt::forced_stop();
  }

  Objective& objective_;
  Watch& watch_;
  const Stopping& stopping_;
  double scale_, too_far_;
  std::optional<Vector> best_;
  double best_value_ = 0.0;
  bool ended_ = false;
  std::exception_ptr failure_;
};

class Sqp final : public Optimiser {
 public:
  Outcome minimise(const Problem& problem, const Vector& start, const Stopping& stopping,
                   const Observer& observer) const override {
    const Vector first = checked_start(problem, start);
    Objective objective(problem);
    Watch watch(stopping, observer);
    Iterate at;
    if (watch.stop_at_start(at, objective.evaluate(first, at)))
      return std::move(watch).outcome(at, objective.evaluations());
    const double scale = at.gradient_norm;  // SLSQP begins with the identity as Hessian
    int idle_rounds = 0;
    for (int number = 0; number < most_rounds; ++number) {
      const double before = at.value;
      Round round(objective, watch, stopping, scale, at.value);
      const bool open = round.run(at.point);
      if (round.best()) take_better(objective, problem.manifold->nearest(*round.best()), at, watch);
      if (watch.gradient_vanished(at.gradient_norm, at.value)) {
        watch.finish(StopReason::gradient, fmt::format("the gradient vanished: {:.1e} after {}", at.gradient_norm,
                                                       counted(watch.iterations(), "iteration")));
        break;
      }
      if (!open) {
        say_limit(watch, stopping, at);
        break;
      }
      const double size = std::max(std::abs(before), std::abs(at.value));
      const bool idle =
          before - at.value <= stopping.decrease_tolerance * size || watch.below_rounding(before - at.value, at.value);
      idle_rounds = idle ? idle_rounds + 1 : 0;
      if (idle_rounds >= 2 || number + 1 == most_rounds) {
        watch.finish(
            StopReason::decrease,
            fmt::format("the value stopped decreasing: by less than {:.0e} of itself in the last rounds, after {} "
                        "(gradient {:.1e})",
                        stopping.decrease_tolerance, counted(watch.iterations(), "iteration"), at.gradient_norm));
        break;
      }
      if (idle_rounds == 1 && !descend_once(objective, at, watch)) break;
    }
    return std::move(watch).outcome(at, objective.evaluations());
  }

 private:
  // A point lower by more than rounding, or as low with a smaller gradient, replaces the one at hand.
  static void take_better(Objective& objective, const Vector& point, Iterate& at, const Watch& watch) {
    Iterate candidate;
    if (!objective.evaluate(point, candidate)) return;
    const bool same = watch.below_rounding(candidate.value - at.value, at.value);
    if (same ? candidate.gradient_norm < at.gradient_norm : candidate.value < at.value) at = std::move(candidate);
  }

  // Where SLSQP gains nothing: is there a way down at all? False: there is none, and the Watch has said so.
  static bool descend_once(Objective& objective, Iterate& at, Watch& watch) {
    const Vector downhill = -at.tangent;
    const auto curve = [&](double length) { return objective.manifold().retract(at.point, length * downhill); };
    const double speed = at.gradient_norm, slope = -speed * speed;
    const double length = 0.1 * std::max(1.0, at.point.norm()) / speed;
    Step step = armijo({objective, at, curve, speed, slope, length, objective.manifold().longest_step() / speed});
    if (step.found)
      at = std::move(step.reached);
    else
      watch.stuck(at, step.promised);
    return step.found;
  }

  static void say_limit(Watch& watch, const Stopping& stopping, const Iterate& at) {
    if (watch.reason() == StopReason::iteration_limit)
      watch.finish(StopReason::iteration_limit,
                   fmt::format("the limit of {} was reached with gradient {:.1e}",
                               counted(stopping.iterations, "iteration"), at.gradient_norm));
  }
};

}  // namespace

CDA_PART(Optimiser, sqp) {
  return {.info = {.name = {},
                   .summary = "sequential quadratic programming (NLopt's SLSQP) with the set as equality constraints",
                   .reference = "Kraft, ACM Trans. Math. Softw. 20 (1994)",
                   .options = {}},
          .make = [](const Settings&) -> std::unique_ptr<Optimiser> { return std::make_unique<Sqp>(); }};
}
