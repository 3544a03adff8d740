// Canonical Divergence Analysis: everything a program needs.
//
//   const cda::Table x = cda::read_table("X.csv"), y = cda::read_table("Y.csv");
//   const cda::Model model = cda::fit(x, y);
//   const cda::Evidence evidence = cda::examine(x, y, model);
//
// Parts of one's own, and what they are made with, are in cda/extend/.
#pragma once

#include "cda/error.hpp"
#include "cda/evidence.hpp"
#include "cda/extend/version.hpp"
#include "cda/files.hpp"
#include "cda/fit.hpp"
#include "cda/match.hpp"
#include "cda/model.hpp"
#include "cda/options.hpp"
#include "cda/report.hpp"
#include "cda/score.hpp"
#include "cda/synthetic.hpp"
#include "cda/table.hpp"
#include "cda/transfer.hpp"
#include "cda/types.hpp"
