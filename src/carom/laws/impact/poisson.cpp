/// Law `poisson`: two complementarity problems, compression and expansion; the safe coupled law.
///
///   compression  0 ≤ p_c ⟂ γ_c = γ⁻ + D p_c ≥ 0
///   expansion    p_e = E p_c + q,  0 ≤ q ⟂ γ⁺ = γ_c + D p_e ≥ 0;   p = p_c + p_e
/// Always solvable where the walls stand still, γ⁺ ≥ 0 and ΔT ≤ 0 for all 0 ≤ eᵢ ≤ 1. For singular D (a ball rack has
/// 30 contacts of rank 27) p_c is not unique, and with unequal e neither is v⁺: the p_c of least Σ Dᵢᵢpᵢ²/Kᵢ is taken
/// and flagged.
///
/// With friction both are cone problems: Coulomb on (π_c, s_c) with the disk μp_c, then on (π_e, s⁺) with the disk
/// μp_e, p_e ≥ e p_c (a contact that only gives back e p_c and separates still carries friction). With one common e it
/// never creates energy; unequal ones can, and then it is flagged. Source: Glocker & Pfeiffer, Multiple impacts with
/// friction in rigid multibody systems, 1995.

#include <algorithm>
#include <numeric>

#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

/// What stands for μ = ∞ at a contact whose slip friction cannot stop without a pull.
constexpr double kLimitFriction = 1e4;

/// Compression. Where a contact without slip ends with friction but no pressure (the limit of large μ) there is no
/// disk for its expansion, and energy could be created: it then takes a large μ in both problems.
bool compress(LawRun& run, ConeQuestion& question, double* friction, double* q) {
  const FrictionSpace& space = *run.friction;
  for (bool again = true; again;) {
    if (!solve_cones(run, question, q)) return false;
    again = false;
    for (int r = 0; r < run.contacts(); ++r) {
      const double* impulse = q + space.first_row(r);
      if (friction[r] != kNoSlip || impulse[0] > 0.0) continue;
      if (std::all_of(impulse, impulse + 1 + space.tangents(r), [](double part) { return part == 0.0; })) continue;
      friction[r] = kLimitFriction;
      again = true;
    }
  }
  return true;
}

void resolve_friction(LawRun& run) {
  const FrictionSpace& space = *run.friction;
  const int m = run.contacts();
  const int n = space.rows();
  FrictionScratch& scratch = run.scratch.friction;
  double* offset = dense::ensure(scratch.offset, n);
  double* least = dense::ensure(scratch.least, m);
  double* friction = dense::ensure(scratch.coefficient, m);
  for (int r = 0; r < m; ++r) friction[r] = space.friction(r);
  double* compression = dense::ensure(scratch.impulse, 2 * n);
  double* expansion = compression + n;
  int* all = dense::ensure(scratch.contact, m);
  std::iota(all, all + m, 0);
  std::copy_n(space.rate_before().data(), n, offset);
  run.steps = 2;
  ConeQuestion question{.contacts = {all, static_cast<std::size_t>(m)}, .offset = offset};
  question.friction = friction;
  if (!compress(run, question, friction, compression)) return;
  note_modes_as_phases(run);
  for (int k = 0; k < n; ++k)
    dense::add_scaled(compression[k], space.matrix() + static_cast<std::ptrdiff_t>(k) * n, offset, n);
  for (int r = 0; r < m; ++r) least[r] = run.space.restitution()[r] * compression[space.first_row(r)];
  question.least = least;
  if (!solve_cones(run, question, expansion)) return;
  // A contact that gives nothing back ends as it was compressed.
  for (const FrictionPhase& phase : *run.phases)
    if (run.modes[phase.contact] == FrictionMode::open) run.modes[phase.contact] = phase.mode;
  note_modes_as_phases(run);
  for (int k = 0; k < n; ++k) run.local_impulse[k] = compression[k] + expansion[k];
  remove_spurious_friction_energy(run);
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  if (fastest_approach(run) <= run.approach_threshold()) return;
  if (run.friction != nullptr) return resolve_friction(run);
  const auto count = static_cast<std::size_t>(m);
  double* compression = dense::ensure(run.scratch.real[0], count);
  double* rate = dense::ensure(run.scratch.real[1], count);
  double* extra = dense::ensure(run.scratch.real[2], count);
  run.steps = 2;
  if (!solve_coupled(run, run.rate.data(), compression)) return;
  for (int i = 0; i < m; ++i) rate[i] = run.rate[i];
  for (int i = 0; i < m; ++i)
    dense::add_scaled((1.0 + run.space.restitution()[i]) * compression[i], run.space.cosine_row(i), rate, m);
  if (!solve_coupled(run, rate, extra)) return;
  for (int i = 0; i < m; ++i) run.impulse[i] = (1.0 + run.space.restitution()[i]) * compression[i] + extra[i];
  remove_spurious_energy(run);
}

}  // namespace

const ImpactLaw kPoissonLaw{
    .name = "poisson",
    .summary = "compression and expansion phases as two complementarity problems; always dissipates",
    .source = "Glocker & Pfeiffer, Multiple impacts with friction in rigid multibody systems, 1995",
    .promises = {Promise::always, Promise::always, Promise::always, Promise::when_restitutions_equal},
    .needs = {.friction = true},
    .parameters = {},
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
