// Canonical Divergence Analysis: everything a program needs.
//
//   const cda::Table x = cda::read_table("X.csv"), y = cda::read_table("Y.csv");
//   const cda::Model model = cda::fit(x, y);
//   const cda::Evidence evidence = cda::examine(x, y, model, {});
#pragma once

#include "cda/baseline.hpp"
#include "cda/catalogue.hpp"
#include "cda/cluster.hpp"
#include "cda/coupling.hpp"
#include "cda/divergence.hpp"
#include "cda/error.hpp"
#include "cda/evidence.hpp"
#include "cda/executor.hpp"
#include "cda/experiment.hpp"
#include "cda/fit.hpp"
#include "cda/fit_summary.hpp"
#include "cda/format.hpp"
#include "cda/formulation.hpp"
#include "cda/inference.hpp"
#include "cda/manifold.hpp"
#include "cda/match.hpp"
#include "cda/model.hpp"
#include "cda/optimiser.hpp"
#include "cda/preparation.hpp"
#include "cda/projection.hpp"
#include "cda/random.hpp"
#include "cda/report.hpp"
#include "cda/rows.hpp"
#include "cda/score.hpp"
#include "cda/statistics.hpp"
#include "cda/summary.hpp"
#include "cda/synthetic.hpp"
#include "cda/table.hpp"
#include "cda/transfer.hpp"
#include "cda/types.hpp"
#include "cda/values.hpp"
#include "cda/version.hpp"
