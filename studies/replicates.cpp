#include "studies/replicates.hpp"

namespace cda {

Replicates::Replicates(const char* experiment, const ExperimentOptions& options, const ExperimentObserver& observer)
    : random_(options.seed, experiment), kept_(options.kept), executor_(options.threads), progress_(observer_) {
  if (observer) observer_ = [observer](const EvidenceProgress& at) { return observer(at.what, at.share); };
}

Replicate Replicates::replicate(const std::string& what, Index number) {
  if (!progress_.going_on()) Pieces::interrupted();
  const Random random = random_.stream(what).stream(fmt::format("replicate {}", number + 1));
  return {number, random, random.stream("seed").bits(), progress_.fit_observer(),
          [this](const EvidenceProgress&) { return progress_.going_on(); }};
}

}  // namespace cda
