// Canonical Divergence Analysis: everything a program needs.
//
//   cda::Model model = cda::fit(cda::read_table("X.csv"), cda::read_table("Y.csv"), {.method = "CDA_Q"});
#pragma once

#include "cda/catalogue.hpp"
#include "cda/divergence.hpp"
#include "cda/error.hpp"
#include "cda/executor.hpp"
#include "cda/fit.hpp"
#include "cda/formulation.hpp"
#include "cda/manifold.hpp"
#include "cda/match.hpp"
#include "cda/model.hpp"
#include "cda/optimiser.hpp"
#include "cda/preparation.hpp"
#include "cda/projection.hpp"
#include "cda/random.hpp"
#include "cda/statistics.hpp"
#include "cda/synthetic.hpp"
#include "cda/table.hpp"
#include "cda/types.hpp"
#include "cda/version.hpp"
