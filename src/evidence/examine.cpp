// The whole examination on one page: nulls, held-out rows, bootstrap, words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cda/extend/divergence.hpp"
#include "cda/extend/formulation.hpp"
#include "evidence/bootstrap.hpp"
#include "evidence/held_out.hpp"
#include "evidence/nulls.hpp"
#include "evidence/rows.hpp"
#include "evidence/verdict.hpp"

namespace cda {
namespace {

using Null = EvidenceOptions::Null;

Null chosen_null(const Model& model, const EvidenceOptions& how) {
  const auto formulation = formulations().make(*model.options.formulation);
  const bool matched = formulation->components_first() && !formulation->refines_matches();
  const bool contrast = model.options.formulation->name == "contrast";
  if (how.null == Null::components && !matched)
    throw Error(Fault::usage, "option.null", "the component match test needs matched components",
                "--method iCDA without --refine, or another --null");
  if (how.null == Null::refitting && !contrast)
    throw Error(Fault::usage, "option.null", "random shapes stand for the contrast of iCDA, which this method has not",
                "--method iCDA, or --null gaussian");
  if (how.null != Null::automatic) return how.null;
  return matched ? Null::components : (contrast ? Null::refitting : Null::gaussian);
}

// Rows that resemble the ones before them are fewer than they look.
void warn_of_neighbours(const Table& table, const Matrix& values, const char* side, Evidence& evidence) {
  constexpr double noticeable = 0.3;
  const Index n = table.rows();
  double strongest = 0.0;
  Index pair = 0;
  for (Index j = 0; j < values.cols(); ++j) {
    const Vector centred = values.col(j).array() - values.col(j).mean();
    const double variance = centred.squaredNorm();
    if (!(variance > 0.0) || n < 3) continue;
    const double lag = centred.head(n - 1).dot(centred.tail(n - 1)) / variance;
    if (lag > strongest) {
      strongest = lag;
      pair = j;
    }
  }
  if (strongest > noticeable)
    evidence.warnings.push_back(fmt::format(
        "{}: neighbouring rows resemble each other (correlation {:.2f} in pair {}); if rows follow each other in "
        "time, --block-length keeps runs of them together, or p is too small",
        side, strongest, pair + 1));
}

}  // namespace

void require_evidence_for(const std::string& method) {
  if (const MethodInfo& known = find_method(method); !known.baseline.empty())
    throw Error(Fault::usage, "evidence.method",
                fmt::format("evidence is for methods that compare distributions; {} {}", known.name,
                            known.compared ? "is here to be compared with" : "says itself where it is ambiguous"),
                "another --method, or cda score where some truth is known");
}

Evidence examine(const Table& x, const Table& y, const Model& model, const EvidenceOptions& how,
                 const EvidenceObserver& observer) {
  require_evidence_for(model.method);
  if (how.surrogates.value_or(0) < 0 || how.bootstraps.value_or(0) < 0)
    throw Error(Fault::usage, "option.value", "surrogates and bootstraps must not be negative");
  const bool any_order = model.options.block_length == 1;
  const Table sorted_x = any_order ? in_canonical_order(x) : x, sorted_y = any_order ? in_canonical_order(y) : y;
  const Executor executor(how.threads);
  Pieces progress(observer);
  Study study{sorted_x, sorted_y, model, model.options, executor, progress};
  study.options.threads = 1;
  if (study.options.components == 0 && !model.x.components) study.options.components = study.pairs();

  Evidence evidence;
  evidence.block_length = model.options.block_length;
  evidence.pairs.resize(model.pairs.size());
  if (any_order) {
    warn_of_neighbours(x, model.transform(Side::x, x.values), "X", evidence);
    warn_of_neighbours(y, model.transform(Side::y, y.values), "Y", evidence);
  }
  const Null null = chosen_null(model, how);
  const int refits = divergences().make(*model.options.divergence)->costly() ? 19 : 99;
  evidence.surrogates = how.surrogates.value_or(null == Null::components ? 999 : refits);
  evidence.bootstraps = how.bootstraps.value_or(refits);
  if (evidence.surrogates > 0) {
    if (null == Null::components) component_match_test(study, evidence.surrogates, evidence);
    if (null == Null::refitting) refitting_test(study, evidence.surrogates, evidence);
    if (null == Null::gaussian) gaussian_reference_test(study, evidence.surrogates, evidence);
  }
  progress.begin("rows not used for fitting", 0.1, 2);
  hold_out(study, evidence.pairs);
  if (evidence.bootstraps > 0) {
    progress.begin("resampled rows", 0.5, evidence.bootstraps);
    bootstrap(study, evidence.bootstraps, evidence.pairs);
  }
  conclude(study, null != Null::gaussian, evidence);
  return evidence;
}

}  // namespace cda
