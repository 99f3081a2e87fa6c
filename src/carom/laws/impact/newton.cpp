/// Law `newton`: Newton's restitution at all contacts at once, as a linear complementarity problem.
///
///   0 ≤ p ⟂ γ⁺ + eᵢ min(γᵢ⁻, 0) ≥ 0,   γ⁺ = γ⁻ + D p
/// With all contacts approaching ΔT = −½Σpᵢ(1−eᵢ)|γᵢ⁻| ≤ 0 for any mix of e. All listed contacts stay in the problem; a
/// separating one among them can make the law gain energy, which is flagged. For singular D with unequal e there may be
/// no solution: `infeasible`. [Fassino–Pasquero] use the name for another rule, which is `geometric` here.
///
/// With friction, one cone problem (exact cones, no facets): the same normals, |πᵢ| ≤ μᵢpᵢ and −(sᵢ⁺ + e_t sᵢ⁻) in the
/// normal cone of the disk at πᵢ, e_t = 0 by default. A contact that does not slip has μ = ∞ and its own e_t (default
/// e). It sees only the end, not the path, and can create energy (Kane & Levinson); two contacts may have several
/// outcomes. Source: Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.

#include <numeric>

#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

void resolve_friction(LawRun& run) {
  const FrictionSpace& space = *run.friction;
  double* offset = dense::ensure(run.scratch.friction.offset, space.rows());
  int* all = dense::ensure(run.scratch.friction.contact, run.contacts());
  std::iota(all, all + run.contacts(), 0);
  for (int r = 0; r < run.contacts(); ++r) {
    const int f = space.first_row(r);
    offset[f] = run.rate[r] + run.space.restitution()[r] * std::min(run.rate[r], 0.0);
    for (int t = 1; t <= space.tangents(r); ++t)
      offset[f + t] = (1.0 + space.tangential_restitution(r)) * space.rate_before()[f + t];
  }
  run.steps = 1;
  const ConeQuestion question{.contacts = {all, static_cast<std::size_t>(run.contacts())}, .offset = offset};
  if (!solve_cones(run, question, run.local_impulse.data())) {
    std::fill(run.local_impulse.begin(), run.local_impulse.end(), 0.0);
    return;
  }
  note_modes_as_phases(run);
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  if (fastest_approach(run) <= run.approach_threshold()) return;
  if (run.friction != nullptr) return resolve_friction(run);
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
    .needs = {.takes = TakesContacts::not_separating, .friction = true},
    .parameters = {},
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
