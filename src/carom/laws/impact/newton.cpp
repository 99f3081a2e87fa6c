/// Law `newton`: Newton's restitution at all contacts at once, as a linear complementarity problem.
///
///   0 ≤ p ⟂ γ⁺ + eᵢ min(γᵢ⁻, 0) ≥ 0,   γ⁺ = γ⁻ + D p
/// With all contacts approaching ΔT = −½Σpᵢ(1−eᵢ)|γᵢ⁻| ≤ 0 for any mix of e. All listed contacts stay in the problem; a
/// separating one among them can make the law gain energy, which is flagged. For singular D with unequal e there may be
/// no solution: `infeasible`. [Fassino–Pasquero] use the name for another rule, which is `geometric` here.
/// Source: Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.

#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

void resolve(LawRun& run) {
  const int m = run.contacts();
  if (fastest_approach(run) <= run.approach_threshold()) return;
  double* q = dense::ensure(run.scratch.real[0], m);
  for (int i = 0; i < m; ++i) q[i] = run.rate[i] + run.space.restitution()[i] * std::min(run.rate[i], 0.0);
  run.steps = 1;
  solve_coupled(run, q, run.impulse.data());
}

}  // namespace

const ImpactLaw kNewtonLaw{
    .name = "newton",
    .summary = "Newton restitution at all contacts at once, as a complementarity problem",
    .source = "Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988",
    .promises = {Promise::when_all_approach, Promise::always, Promise::always},
    .needs = {.takes = TakesContacts::not_separating},
    .parameters = {},
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
