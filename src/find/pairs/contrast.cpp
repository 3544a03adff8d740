#include "find/pairs/contrast.hpp"

#include <fmt/format.h>

#include <limits>

#include "divergence/quantiles.hpp"

namespace cda {

namespace {

// Each rank has its share of them.
Matrix own_quantiles(Index size, const Executor& executor) {
  if (executor.ranks() == nullptr) return normal_quantiles(size);
  const std::vector<Index> begins = Executor::rank_begins(size, executor.ranks()->size());
  const auto here = static_cast<std::size_t>(executor.ranks()->rank());
  return normal_quantiles(size, begins[here], begins[here + 1]);
}

}  // namespace

NormalReference::NormalReference(Index size, const Executor& executor)
    : sample_(own_quantiles(size, executor), executor) {}

double NormalReference::contrast(const Divergence& divergence, Projection& projection, bool with_gradient) const {
  Projection reference = normal();
  return divergence.evaluate(projection, reference, with_gradient);
}

std::unique_ptr<Divergence> NormalReference::tuned(const Divergence& divergence, const Projection& projection,
                                                   std::uint64_t seed) const {
  return divergence.tuned(projection, normal(), seed);
}

ComponentProblem::ComponentProblem(const Sample& sample, std::shared_ptr<const NormalReference> reference,
                                   std::shared_ptr<const Divergence> divergence, Matrix basis)
    : sample_(&sample),
      reference_(std::move(reference)),
      divergence_(std::move(divergence)),
      basis_(std::move(basis)) {}

double ComponentProblem::value(const Vector& point, Vector* gradient, ProjectionMemory* memory) const {
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  if (gradient != nullptr) *gradient = Vector::Constant(point.size(), undefined);
  if (!point.allFinite()) return undefined;
  Projection projection(*sample_, direction(point), Vector::Ones(1), memory);
  double value = undefined;
  try {
    value = reference_->contrast(*divergence_, projection, gradient != nullptr);
  } catch (const Error& error) {
    if (error.fault() != Fault::numerical) throw;
    return undefined;  // a trial step too far: the optimiser tries a shorter one
  }
  if (gradient != nullptr) *gradient = -(basis_.transpose() * projection.d_directions());
  return -value;
}

Problem ComponentProblem::problem() const {
  Problem problem;
  problem.manifold = sphere(basis_.cols());
  problem.value = [this](const Vector& point, Vector* gradient) { return value(point, gradient); };
  if (sample_->size() >= rows_worth_remembering)
    problem.for_one_search = [this]() -> Problem::Value {
      return [this, memory = std::make_shared<ProjectionMemory>()](const Vector& point, Vector* gradient) {
        return value(point, gradient, memory.get());
      };
    };
  return problem;
}

bool ComponentProblem::tune(const Vector& point, std::uint64_t seed) {
  const Projection projection(*sample_, direction(point), Vector::Ones(1));
  std::unique_ptr<Divergence> tuned = reference_->tuned(*divergence_, projection, seed);
  if (tuned == nullptr) return false;
  divergence_ = std::move(tuned);
  return true;
}

std::vector<Vector> ComponentProblem::starts(int count, const Random& draw) const {
  const auto directions = sphere(basis_.cols());
  std::vector<Vector> points;
  for (int i = 0; i < count; ++i) {
    Random stream = draw.stream(fmt::format("start {}", i));
    points.push_back(directions->random_point(stream));
  }
  return points;
}

}  // namespace cda
