#pragma once
/// The outcome of an impact law as the JSON object of the outside contract.

#include "carom/base/json.h"
#include "carom/laws/impact/impact_law.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::app {

/// What the contract asks, and: `energy.contact_work`, `energy.wall_work`, `unused_options` (of the problem, which this
/// law does not know), and `tangential_impulses`, one list per contact, where the law used tangents; `slip`, where
/// contacts have tangents; `modes`, `phases` and `friction_work`, where a contact resisted slip; `outcomes`, complete
/// results like this one, where there are several.
Json outcome_json(const ImpactProblem& problem, const ImpactLaw& law, const ImpactOutcome& outcome);

/// The names of the flags that are set.
Json flags_json(const Flags& flags);

}  // namespace carom::app
