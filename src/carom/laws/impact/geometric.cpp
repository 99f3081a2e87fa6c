/// Law `geometric`: the strongly nonlinear multiple-impact rule of Fassino & Pasquero 2019, for any system.
///
/// With I = {i : γᵢ < 0}, vᵢ⊥ = W nᵢᵀγᵢ/Dᵢᵢ and Σ = Σ_I vᵢ⊥, repeat until I is empty
///   v ← v − [Σ_I (1+eᵢ)‖vᵢ⊥‖² / Φ(Σ,Σ)] Σ,    ‖vᵢ⊥‖² = γᵢ²/Dᵢᵢ = γ̂ᵢ²
/// One active contact: the reflection. Equal e: the paper's rule (its projection v₁₂⊥ drops out, since Σ lies in that
/// space). In contact space Σ = Σ γ̂ᵢŷᵢ, so Φ(Σ,Σ) = γ̂_Iᵀ ρ γ̂_I and contact i is pushed by −cγ̂ᵢ.
///
/// Where we depart from the paper: contacts of different restitution enter with their own eᵢ (a mean weighted by
/// ‖vᵢ⊥‖²; every statement on energy and convergence holds); contacts of the same direction are taken as one, because a
/// row that is listed twice must not change the answer; rest is measured on the approaching contacts, not on ‖v‖.
/// lanes/geometric_lanes.h does the same for many problems at once: a change here is a change there.
/// Energy never grows, impulses are ≥ 0, and v⁺ is continuous in v⁻ (the number of steps is not).

#include <algorithm>

#include "carom/laws/impact/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr double kParallel = 1e-10;
/// Φ(Σ,Σ) below this part of Σ‖vᵢ⊥‖² may be round-off.
constexpr double kNoDirection = 1e-14;

/// Whether two movable contacts push in the same direction and approach at the same rate.
bool same_contact(const LawRun& run, int a, int b) {
  if (run.space.cosine_row(a)[b] < 1.0 - 1e-12) return false;
  const double* row_a = run.space.unit_row(a);
  const double* row_b = run.space.unit_row(b);
  double distance = 0.0;
  for (int i = 0; i < run.space.dof(); ++i) distance += (row_a[i] - row_b[i]) * (row_a[i] - row_b[i]);
  return distance < kParallel * kParallel &&
         std::abs(run.rate[a] - run.rate[b]) <= kParallel * run.space.reference_speed();
}

struct Groups {
  int* first;           ///< of each contact: the first contact of its direction
  int* size;            ///< of each first contact: how many there are
  double* restitution;  ///< the smallest of the group
};

Groups group_parallel(LawRun& run) {
  const int m = run.contacts();
  const auto count = static_cast<std::size_t>(m);
  Groups groups{dense::ensure(run.scratch.index[0], count), dense::ensure(run.scratch.index[1], count),
                dense::ensure(run.scratch.real[0], count)};
  for (int i = 0; i < m; ++i) {
    groups.first[i] = i;
    groups.size[i] = 1;
    groups.restitution[i] = run.space.restitution()[i];
    for (int j = 0; j < i; ++j)
      if (groups.first[j] == j && same_contact(run, i, j)) {
        groups.first[i] = j;
        ++groups.size[j];
        groups.restitution[j] = std::min(groups.restitution[j], groups.restitution[i]);
        run.flags.set(Flag::parallel_contacts_merged);
        break;
      }
  }
  return groups;
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  const Groups groups = group_parallel(run);
  int* active = dense::ensure(run.scratch.index[2], m);
  double* sum = dense::ensure(run.scratch.real[1], m);

  while (goes_on(run)) {
    int count = 0;
    double weighted = 0.0;  // Σ (1+e)γ̂²
    for (int i = 0; i < m; ++i)
      if (groups.first[i] == i && -run.rate[i] > run.approach_threshold()) {
        active[count++] = i;
        weighted += (1.0 + groups.restitution[i]) * run.rate[i] * run.rate[i];
      }
    // ρ γ̂_I: both the change of all rates and, against γ̂_I, the norm of Σ.
    std::fill_n(sum, m, 0.0);
    for (int a = 0; a < count; ++a) dense::add_scaled(run.rate[active[a]], run.space.cosine_row(active[a]), sum, m);
    double factor = 1.0 + groups.restitution[active[0]];  // of one contact alone
    if (count > 1) {
      double norm = 0.0;
      for (int a = 0; a < count; ++a) norm += run.rate[active[a]] * sum[active[a]];
      // Σ vanishes only if moving walls press from all sides: with v* outside them, Φ(v−v*,Σ) ≥ Σ‖vᵢ⊥‖² > 0.
      if (!(norm > kNoDirection * weighted) && !exit_exists(run, 0.0)) {
        run.stop = Stop::no_exit_direction;
        break;
      }
      factor = weighted / norm;
    }
    for (int a = 0; a < count; ++a) run.impulse[active[a]] -= factor * run.rate[active[a]];
    for (int i = 0; i < m; ++i) run.rate[i] -= factor * sum[i];
    ++run.steps;
  }
  if (finished(run.stop)) remove_spurious_energy(run);
  for (int i = m - 1; i >= 0; --i) run.impulse[i] = run.impulse[groups.first[i]] / groups.size[groups.first[i]];
}

}  // namespace

const ImpactLaw kGeometricLaw{
    .name = "geometric",
    .summary = "strongly nonlinear multiple impact: all approaching contacts answer together, repeated until none does",
    .source = "Fassino & Pasquero, An algorithmic approach to the multiple impact of a disk in a corner, 2019",
    .promises = {Promise::always, Promise::always, Promise::always},
    .needs = {},
    .parameters = {},
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
