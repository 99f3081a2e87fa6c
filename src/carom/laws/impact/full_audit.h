#pragma once
/// The part of the audit that solves the problem again: does the outcome depend on ordering, or on round-off?
///
/// order_spread     contacts listed in reverse, and, for laws that take contacts in an order, taken in the opposite one
/// roundoff_spread  velocity, offsets, normals, tangents and metric moved by a few ulp, several times, always alike
/// Both are the largest ‖Δv⁺‖_G found, relative to ‖v⁻‖_G; above 1e-9 the outcome is flagged.

#include "carom/laws/impact/impact_solver.h"

namespace carom {

/// A spread above this is flagged.
inline constexpr double kSpread = 1e-9;

/// Measures both spreads of an outcome that `solver` found for this problem and law, and sets them in its audit.
void measure_spreads(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome);

}  // namespace carom
