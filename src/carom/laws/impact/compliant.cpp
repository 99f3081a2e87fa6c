/// Law `compliant`: the rigid limit of compliant contacts; the default.
///
/// Configuration frozen, every contact a one-sided spring F = K x^η with x the compression, η = 3/2 (Hertz) or any
/// exponent ≥ 1. From x = 0 integrate v̇ = W Σ nᵢᵀFᵢ until all contacts have opened and nothing approaches. Only ratios
/// of K matter, since time may be scaled. Restitution is energetic and rate-independent:
///   ẋ = −γ while compressing or open,  ẋ = −γ/e² while expanding (the work given back is e² of the work stored)
/// and e = 0 lets go at once. An open contact keeps x < 0 and may close again. A single contact obeys γ⁺ = −eγ⁻.
/// The bistiffness idea of Liu, Zhao & Brogliato, Frictionless multiple impacts in multibody systems, 2008, integrated
/// in time rather than in impulse: no step-size dependence of its own.
///
/// In contact space (x̂ = x/√D, K̂ = K D^((1+η)/2)): p̂' = K̂ x̂^η, x̂' = −γ̂ (or −γ̂/e²), γ̂ = γ̂⁻ + ρp̂. Contacts that are not
/// coupled (ρ = 0) are split into clusters: a cluster of one is answered in closed form, the others are integrated.

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/compliant_cluster.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "exponent",
     .default_value = 1.5,
     .low = 1.0,
     .high = 10.0,
     .help = "exponent of the contact spring F = K x^exponent: 1.5 Hertz, 1 linear"},
    {.name = "step_tolerance",
     .default_value = 5e-14,
     .low = 1e-20,
     .high = 1e-6,
     .help = "error of one step of the integration, relative to the fastest approach"},
};

/// Whether a row of one contact moves a row of the other.
bool are_coupled(const LawRun& run, int i, int j) {
  if (run.friction == nullptr) return std::abs(run.space.cosine_row(i)[j]) > kUncoupled;
  const FrictionSpace& friction = *run.friction;
  for (int a = friction.first_row(i); a < friction.first_row(i + 1); ++a)
    for (int b = friction.first_row(j); b < friction.first_row(j + 1); ++b)
      if (std::abs(friction.matrix()[static_cast<std::ptrdiff_t>(a) * friction.rows() + b]) > kUncoupled) return true;
  return false;
}

/// Whether a contact that does not slip touches and slips: it may catch although nothing approaches.
bool may_catch(const LawRun& run, int r) {
  if (run.friction == nullptr || !std::isinf(run.friction->friction(r))) return false;
  if (std::abs(run.rate[r]) > run.approach_threshold()) return false;
  for (int a = 1; a <= run.friction->tangents(r); ++a)
    if (std::abs(run.friction->rate_before()[run.friction->first_row(r) + a]) > run.approach_threshold()) return true;
  return false;
}

/// Numbers the clusters of coupled contacts; returns how many there are.
int label_clusters(const LawRun& run, int* label, int* stack) {
  const int m = run.contacts();
  std::fill_n(label, m, -1);
  int clusters = 0;
  for (int seed = 0; seed < m; ++seed) {
    if (label[seed] >= 0) continue;
    int depth = 0;
    stack[depth++] = seed;
    label[seed] = clusters;
    while (depth > 0) {
      const int i = stack[--depth];
      for (int j = 0; j < m; ++j)
        if (label[j] < 0 && are_coupled(run, i, j)) {
          label[j] = clusters;
          stack[depth++] = j;
        }
    }
    ++clusters;
  }
  return clusters;
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  bool begins = fastest_approach(run) > run.approach_threshold();
  for (int r = 0; r < m && !begins; ++r) begins = may_catch(run, r);
  if (run.friction != nullptr) {
    run.follows_path = true;
    for (int r = 0; r < m; ++r) run.modes[r] = run.friction->tangents(r) > 0 ? FrictionMode::open : FrictionMode::none;
  }
  if (!begins) return;
  const auto count = static_cast<std::size_t>(m);
  int* label = dense::ensure(run.scratch.index[0], count);
  int* members = dense::ensure(run.scratch.index[1], count);
  const int clusters = label_clusters(run, label, members);
  const CompliantOptions options{.exponent = run.option(kParameters[0]), .tolerance = run.option(kParameters[1])};
  for (int c = 0; c < clusters; ++c) {
    int size = 0;
    bool approaches = false;
    for (int i = 0; i < m; ++i)
      if (label[i] == c) {
        members[size++] = i;
        approaches = approaches || -run.rate[i] > run.approach_threshold() || may_catch(run, i);
      }
    if (!approaches) continue;
    if (size == 1 && (run.friction == nullptr || run.friction->tangents(members[0]) == 0)) {
      const int i = members[0];
      push(run, i, -(1.0 + run.space.restitution()[i]) * run.rate[i]);
      ++run.steps;
      continue;
    }
    const Stop stop = integrate_cluster(run, {members, static_cast<std::size_t>(size)}, options);
    if (!finished(stop)) run.stop = stop;
    if (finished(run.stop) && stop == Stop::at_rest) run.stop = Stop::at_rest;
    if (finished(run.stop) && stop == Stop::wedged) run.stop = Stop::wedged;
    if (stop == Stop::wedged) run.flags.set(Flag::wedged);
  }
  if (run.friction == nullptr) {
    if (finished(run.stop)) remove_spurious_energy(run);
    return;
  }
  for (int r = 0; r < m; ++r) run.local_impulse[run.friction->first_row(r)] = run.impulse[r];
  refuse_endless_impulses(run);
  if (finished(run.stop)) remove_spurious_friction_energy(run);
}

}  // namespace

const ImpactLaw kCompliantLaw{
    .name = "compliant",
    .summary = "rigid limit of compliant contacts with energetic restitution; what touching bodies do (default)",
    .source = "Liu, Zhao & Brogliato, Frictionless multiple impacts in multibody systems, 2008 (bistiffness)",
    .promises = {Promise::always, Promise::always, Promise::always, Promise::always},
    .needs = {.friction = true},
    .parameters = kParameters,
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
