#pragma once
/// The complementarity problems of the coupled laws, solved and made unique.

#include "carom/laws/impact/iteration.h"

namespace carom {

/// Solves 0 ≤ p ⟂ Mp + q ≥ 0 for the movable contacts `contacts` (as many as the problem has). Where p is not unique,
/// takes the one of least Σ p̂ᵢ²/Kᵢ and sets the flag, unless the problem asks for some accuracy only; books the
/// residual. An unsolvable problem leaves p zero, sets
/// run.stop = infeasible and returns false.
bool solve_coupled(LawRun& run, const LcpData& problem, const int* contacts, double* p);

/// The same for all movable contacts: M = ρ.
bool solve_coupled(LawRun& run, const double* q, double* p);

}  // namespace carom
