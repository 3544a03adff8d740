// Replicates of a study on several threads. Each draws from streams named after its place in the study, its fits run on
// one thread, and results are kept in the order of the replicates: nothing depends on how many threads there are. A
// replicate that was finished before an interruption is not run again (ExperimentOptions::kept), where its result can
// be written down (studies/kept_values.hpp).
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cda/evidence.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/experiment.hpp"
#include "cda/extend/random.hpp"
#include "evidence/progress.hpp"
#include "studies/kept_values.hpp"

namespace cda {

// What one replicate may use.
struct Replicate {
  Index number;  // from 0
  Random random;
  std::uint64_t seed;  // for what takes a seed of its own
  FitObserver fit_observer;
  EvidenceObserver evidence_observer;
};

// What `work` finds, or nothing where the data or the method have no answer (a collapse).
template <class Work>
auto if_it_can_be(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    if (error.fault() != Fault::numerical) throw;
    return std::nullopt;
  }
}

class Replicates {
 public:
  Replicates(const char* experiment, const ExperimentOptions& options, const ExperimentObserver& observer);

  // work(replicate) for each of `runs` replicates of one row of the study; `what` names the row, and with it the random
  // numbers, and `share` is its part of the whole time. All results, in order.
  template <class Work>
  auto of(const std::string& what, double share, Index runs, const Work& work) {
    using Result = decltype(work(std::declval<const Replicate&>()));
    std::vector<Result> results(static_cast<std::size_t>(runs));
    progress_.begin(what, share, runs);
    executor_.for_each(runs, [&](Index i) {
      Result& result = results[static_cast<std::size_t>(i)];
      if (!known(what, i, result)) {
        result = work(replicate(what, i));
        keep(what, i, result);
      }
      progress_.done();
    });
    return results;
  }

 private:
  Replicate replicate(const std::string& what, Index number);

  static std::string name(const std::string& what, Index number) { return fmt::format("{}: {}", what, number + 1); }
  template <class Result>
  bool known(const std::string& what, Index number, Result& result) const {
    if constexpr (Keepable<Result>) {
      if (const auto text = kept_ ? kept_->find(name(what, number)) : std::nullopt) {
        std::optional<Result> read = from_kept_text<Result>(*text);
        if (read) result = std::move(*read);
        return read.has_value();
      }
    }
    return false;
  }
  template <class Result>
  void keep(const std::string& what, Index number, const Result& result) const {
    if constexpr (Keepable<Result>)
      if (kept_) kept_->keep(name(what, number), kept_text(result));
  }

  Random random_;
  std::shared_ptr<KeptReplicates> kept_;
  Executor executor_;
  EvidenceObserver observer_;
  Pieces progress_;
};

}  // namespace cda
