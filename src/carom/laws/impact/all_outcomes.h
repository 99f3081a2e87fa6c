#pragma once
/// All outcomes that a law allows where its conditions have several solutions.
///
/// Up to four contacts that can slip in one direction and its opposite: every combination of modes is tried at every
/// cone problem of the law, so that all outcomes are found. Otherwise, on request, the problems are solved again from
/// several starts, which may find others but proves nothing.

#include "carom/laws/impact/impact_solver.h"

namespace carom {

enum class OutcomeSearch {
  enumerate,       ///< where that is possible
  several_starts,  ///< and where it is not, search
};

/// Looks for other outcomes of a problem that `solver` has answered with `outcome`. Where there are several, lists them
/// all in outcome.outcomes, complete with their audits, the given one first, and sets outcome-not-unique in each.
void find_outcomes(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law, OutcomeSearch search,
                   ImpactOutcome& outcome);

}  // namespace carom
