// Least-squares canonical dependency analysis: frames U, V (U'U = V'V = I) between whose projections U'x, V'y the
// squared-loss mutual information (peers/squared_loss_information.hpp) is largest. It sees relations of any form
// between rows that belong together, where CCA sees linear ones. The objective is the literature's; the search is ours:
//
//   scouting     starts at CCA's frames and at random ones, each climbing for a few rounds on at most 400 rows
//   refinement   the best few that differ climb on all rows; the one with the largest cross-validated SMI is kept
//   a round      sigma and lambda by 5-fold cross-validation at the point reached; then, with these held fixed, steps
//                along geodesics of both frames at once
//
// The value depends on the subspaces alone, so their bases are chosen in the end: those in which the cross-covariance
// of U'x and V'y is diagonal, largest first. O(n b^2) per step for b centres.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "base/part.hpp"
#include "cda/extend/baseline.hpp"
#include "cda/extend/optimiser.hpp"
#include "cda/extend/projection.hpp"
#include "cda/extend/random.hpp"
#include "peers/cca.hpp"
#include "peers/pace.hpp"
#include "peers/squared_loss_information.hpp"

using namespace cda;

namespace {

constexpr std::array factors = {0.5, 0.7, 1.0, 1.4, 2.0};  // of the median joint distance
constexpr std::array lambdas = {1e-3, 3.16e-3, 1e-2, 3.16e-2, 0.1, 0.316, 1.0, 3.16, 10.0};

struct Options {
  Index centres, starts, scouts, refined, iterations, round;
  bool constant;
  PartSpec optimiser;
};

// Both frames in one point, and back.
struct Frames {
  Index x_rows, y_rows, r;

  Matrix x(const Vector& point) const { return point.head(x_rows * r).reshaped(x_rows, r); }
  Matrix y(const Vector& point) const { return point.tail(y_rows * r).reshaped(y_rows, r); }
  Vector point(const Matrix& u, const Matrix& v) const {
    Vector both(u.size() + v.size());
    both << u.reshaped(), v.reshaped();
    return both;
  }
  // Of the subspaces, whatever their bases: 1 where they are equal.
  double closeness(const Vector& a, const Vector& b) const {
    return ((x(a).transpose() * x(b)).squaredNorm() + (y(a).transpose() * y(b)).squaredNorm()) /
           static_cast<double>(2 * r);
  }
  std::shared_ptr<const Manifold> manifold() const { return product({stiefel(x_rows, r), stiefel(y_rows, r)}); }
};

// Where a climb has come to.
struct Reached {
  Vector point;
  InformationModel model;
  double held_out = 0.0;  // SMI by cross-validation
  int iterations = 0;
  bool converged = false;
  std::string why;
};

// Climbing on one choice of rows with one choice of centres.
class Climb {
 public:
  Climb(Matrix x, Matrix y, Index centres, const Frames& frames, const Options& options, const Random& random,
        const Executor& executor)
      : x_(std::move(x)), y_(std::move(y)), frames_(frames), options_(options), executor_(executor) {
    model_.centres = random.stream("centres").permutation(x_.rows());
    model_.centres.resize(static_cast<std::size_t>(std::min(x_.rows(), centres)));
    model_.constant_basis = options.constant;
    order_ = random.stream("folds").permutation(x_.rows());
    constexpr std::size_t judged = 1000;  // rows that cross-validation looks at
    if (order_.size() > judged) order_.resize(judged);
  }

  // Rounds from a point until steps gain nothing and cross-validation stays with its choice, or `most` are done.
  Reached from(const Vector& start, Index most, const Optimiser& optimiser, Pace& pace) const {
    Reached reached;
    reached.point = start;
    Place place = select(all_places(), reached);
    while (true) {
      if (std::string reason = pace.enough(); !reason.empty()) {
        reached.why = std::move(reason);
        reached.converged = false;
        break;
      }
      const Stopping stopping{.gradient_tolerance = 1e-5,
                              .decrease_tolerance = 1e-5,
                              .decrease_times = 3,
                              .iterations = static_cast<int>(std::min(options_.round, most - reached.iterations)),
                              .enough = [&pace] { return pace.enough(); }};
      const Outcome outcome = optimiser.minimise(problem(reached.model), reached.point, stopping);
      reached.point = outcome.point;
      reached.iterations += outcome.iterations;
      reached.converged = converged(outcome.stopped) || outcome.stopped == StopReason::line_search;
      reached.why = outcome.why;
      pace.advance(outcome.iterations);
      const Place next = select(beside(place), reached);
      if ((reached.converged && next == place) || reached.iterations >= most) break;
      if (outcome.stopped == StopReason::not_finite) break;
      place = next;
    }
    return reached;
  }

 private:
  // In the grid of factors and lambdas.
  struct Place {
    std::size_t sigma, lambda;
    bool operator==(const Place&) const = default;
  };
  using Places = std::array<std::vector<std::size_t>, 2>;

  static Places all_places() {
    Places places{std::vector<std::size_t>(factors.size()), std::vector<std::size_t>(lambdas.size())};
    for (auto& side : places) std::iota(side.begin(), side.end(), 0U);
    return places;
  }
  static Places beside(const Place& place) {
    const auto near = [](std::size_t at, std::size_t count) {
      std::vector<std::size_t> places;
      for (std::size_t i = at > 0 ? at - 1 : 0; i <= std::min(at + 1, count - 1); ++i) places.push_back(i);
      return places;
    };
    return {near(place.sigma, factors.size()), near(place.lambda, lambdas.size())};
  }

  // Cross-validation at the point, among these places.
  Place select(const Places& places, Reached& reached) const {
    const Matrix u = x_ * frames_.x(reached.point), v = y_ * frames_.y(reached.point);
    const double median = median_joint_distance(u, v, model_.centres);
    InformationGrid grid;
    for (const std::size_t i : places[0]) grid.sigmas.push_back(factors.at(i) * median);
    for (const std::size_t i : places[1]) grid.lambdas.push_back(lambdas.at(i));
    const InformationChoice choice = cross_validated(u, v, model_, grid, order_, executor_);
    reached.model = model_;
    reached.model.sigma = grid.sigmas[choice.sigma];
    reached.model.lambda = grid.lambdas[choice.lambda];
    reached.held_out = choice.held_out;
    return {places[0][choice.sigma], places[1][choice.lambda]};
  }

  Problem problem(const InformationModel& model) const {
    return {frames_.manifold(),
            [this, model](const Vector& point, Vector* gradient) {
              const Matrix u = x_ * frames_.x(point), v = y_ * frames_.y(point);
              InformationGradient slopes;
              const double value =
                  squared_loss_information(u, v, model, gradient != nullptr ? &slopes : nullptr, executor_);
              if (gradient != nullptr) *gradient = -frames_.point(x_.transpose() * slopes.x, y_.transpose() * slopes.y);
              return -value;
            },
            {}};
  }

  Matrix x_, y_;
  const Frames& frames_;
  const Options& options_;
  const Executor& executor_;
  InformationModel model_;
  std::vector<Index> order_;  // rows for cross-validation
};

class Lscca final : public Baseline {
 public:
  explicit Lscca(const Settings& settings)
      : options_{settings.count("centres", 2, 5000),
                 settings.count("starts", 0, 1000),
                 settings.count("scouts", 20, 100000),
                 settings.count("refined", 1, 100),
                 settings.count("iterations", 1, 100000),
                 settings.count("round", 1, 1000),
                 settings.flag("constant"),
                 PartSpec(settings.text("optimiser"))} {}

  BaselineMaps fit(const BaselineTask& task) const override {
    if (task.x.rows() != task.y.rows())
      throw Error(
          Fault::input, "data.unpaired",
          fmt::format("LSCCA needs rows that belong together, but X has {} and Y {}", task.x.rows(), task.y.rows()),
          "SSC looks for the correspondence of rows itself");
    // Frames live among the directions that vary: beyond them there is nothing to see, but room to hide.
    const Matrix x_space = Sample(task.x).space(), y_space = Sample(task.y).space();
    const Matrix x = task.x * x_space, y = task.y * y_space;
    const Frames frames{x.cols(), y.cols(), task.components};
    const Random random(task.seed, "lscca");
    const auto optimiser = optimisers().make(options_.optimiser);
    Pace pace(task, static_cast<double>(options_.iterations * options_.refined + scouting * (options_.starts + 1)));

    const std::vector<Vector> starts = start_points(x, y, frames, random);
    std::vector<Reached> scouted = scout(x, y, starts, frames, random, *optimiser, task, pace);
    std::stable_sort(scouted.begin(), scouted.end(),
                     [](const Reached& a, const Reached& b) { return a.held_out > b.held_out; });
    const Climb climb(x, y, options_.centres, frames, options_, random, task.executor);
    std::vector<Vector> refined;
    Reached best;
    int iterations = 0;
    for (const Reached& candidate : scouted) {
      if (static_cast<Index>(refined.size()) == options_.refined) break;
      const bool known = std::any_of(refined.begin(), refined.end(), [&](const Vector& other) {
        return frames.closeness(candidate.point, other) > 0.98;
      });
      if (known) continue;
      Reached reached = climb.from(candidate.point, options_.iterations, *optimiser, pace);
      iterations += reached.iterations;
      if (refined.empty() || reached.held_out > best.held_out) best = std::move(reached);
      refined.push_back(candidate.point);
    }
    return maps(task, x_space * frames.x(best.point), y_space * frames.y(best.point), best, iterations);
  }
  std::string figure_name() const override { return "squared-loss mutual information of the pair"; }
  std::vector<PartSpec> preparation() const override { return {"standardise"}; }
  bool joint() const override { return true; }
  bool paired_rows() const override { return true; }

 private:
  static constexpr Index scouting = 30;  // iterations per start

  std::vector<Vector> start_points(const Matrix& x, const Matrix& y, const Frames& frames, const Random& random) const {
    const CanonicalPairs linear = canonical_pairs(x, y, frames.r, 1e-8);
    std::vector<Vector> starts;
    if (linear.pairs() == frames.r)
      starts.push_back(
          frames.point(orthonormal_factor(linear.x, frames.r).basis, orthonormal_factor(linear.y, frames.r).basis));
    const auto manifold = frames.manifold();
    for (Index i = 0; i < options_.starts || starts.empty(); ++i) {
      Random own = random.stream(fmt::format("start {}", i));
      starts.push_back(manifold->random_point(own));
    }
    return starts;
  }

  std::vector<Reached> scout(const Matrix& x, const Matrix& y, const std::vector<Vector>& starts, const Frames& frames,
                             const Random& random, const Optimiser& optimiser, const BaselineTask& task,
                             Pace& pace) const {
    std::vector<Index> rows = random.stream("scouts").permutation(x.rows());
    rows.resize(static_cast<std::size_t>(std::min(x.rows(), options_.scouts)));
    const Executor alone(1);
    const Climb climb(x(rows, Eigen::all), y(rows, Eigen::all), std::min<Index>(options_.centres, 100), frames,
                      options_, random.stream("scouting"), alone);
    std::vector<Reached> reached(starts.size());
    task.executor.for_each(static_cast<Index>(starts.size()), [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      reached[k] = climb.from(starts[k], scouting, optimiser, pace);
    });
    return reached;
  }

  BaselineMaps maps(const BaselineTask& task, const Matrix& u, const Matrix& v, const Reached& best,
                    int iterations) const {
    const Index r = task.components;
    const Matrix x = task.x * u, y = task.y * v;
    const SingularParts parts = singular_parts((x.rowwise() - x.colwise().mean()).transpose() * y);
    BaselineMaps maps{.directions = {u * parts.left, v * parts.right, Vector::Ones(r)}, .figures = Vector(r)};
    const double both = squared_loss_information(x, y, best.model, nullptr, task.executor);
    InformationModel model = best.model;  // for a pair alone, with narrower kernels: there are rows enough
    for (Index j = 0; j < r; ++j) {
      Index largest = 0;
      maps.directions.x.col(j).cwiseAbs().maxCoeff(&largest);
      if (maps.directions.x(largest, j) < 0.0) {
        maps.directions.x.col(j) *= -1.0;
        maps.directions.y.col(j) *= -1.0;
      }
      const Matrix one = task.x * maps.directions.x.col(j), other = task.y * maps.directions.y.col(j);
      model.sigma = 0.5 * median_joint_distance(one, other, model.centres);
      model.lambda = 1e-3;
      maps.figures[j] = squared_loss_information(one, other, model, nullptr, task.executor);
    }
    maps.converged = best.converged;
    maps.iterations = iterations;
    maps.stopped =
        fmt::format("{}; SMI of both subspaces {:.4g}, cross-validated {:.4g}", best.why, both, best.held_out);
    return maps;
  }

  Options options_;
};

}  // namespace

CDA_PART(Baseline, lscca) {
  return {.info = {.name = {},
                   .summary = "subspaces of rows that belong together with the largest squared-loss mutual information",
                   .reference = "Karasuyama and Sugiyama, Neural Networks 34 (2012); the search is our choice",
                   .options = {{"starts", "10", "random starts beside that of CCA"},
                               {"centres", "200", "kernels of the density ratio"},
                               {"constant", "yes", "a constant in the density ratio: yes, or no as in the literature"},
                               {"scouts", "400", "rows on which starts are compared"},
                               {"refined", "2", "starts that are refined on all rows"},
                               {"iterations", "200", "steps on all rows, at most"},
                               {"round", "10", "steps between choices of sigma and lambda"},
                               {"optimiser", "lbfgs", "the steps: any optimiser of the list"}}},
          .make = [](const Settings& settings) { return std::make_unique<Lscca>(settings); }};
}
