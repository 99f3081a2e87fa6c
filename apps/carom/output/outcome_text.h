#pragma once
/// Outcomes of impact laws for a person: aligned tables, the reason of the stop and every audit flag in words.

#include <span>
#include <string>
#include <vector>

#include "carom/laws/impact/impact_law.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::app {

/// One outcome: velocities, contacts, energy, stop, audit.
std::string outcome_text(const ImpactProblem& problem, const ImpactLaw& law, const ImpactOutcome& outcome);

/// All outcomes that one law allows, a column each.
std::string outcomes_text(const ImpactProblem& problem, const ImpactLaw& law, std::span<const ImpactOutcome> outcomes);

/// Several outcomes of one problem side by side: the velocities, one row of the audit per law, and the flags that
/// occurred, each explained once.
std::string comparison_text(const ImpactProblem& problem, std::span<const ImpactOutcome> outcomes);

}  // namespace carom::app
