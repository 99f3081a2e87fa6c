#pragma once
/// The complementarity problems of the coupled laws, solved and made unique.

#include "carom/laws/impact/iteration.h"

namespace carom {

/// Solves 0 ≤ p ⟂ ρp + q ≥ 0. Where p is not unique, takes the one of least Σ p̂ᵢ²/Kᵢ and sets the flag; books the
/// residual. An unsolvable problem leaves p zero, sets run.stop = infeasible and returns false.
bool solve_coupled(LawRun& run, const double* q, double* p);

}  // namespace carom
