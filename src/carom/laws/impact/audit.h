#pragma once
/// The audit of one outcome, the same for every law: energy by two formulas, signs, residuals, restitutions, angles.
/// Computed from the problem and v⁺ as they stand, not from what the law believes.

#include "carom/laws/impact/law_run.h"

namespace carom {

/// Fills rates, energy and audit of an outcome whose velocity and impulses are written. `work` needs 3 n entries.
void audit_outcome(const LawRun& run, ContactSpace& space, ImpactOutcome& outcome, double* work);

}  // namespace carom
