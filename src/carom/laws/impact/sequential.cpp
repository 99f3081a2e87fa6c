/// Law `sequential`: one contact at a time, the fastest approach first, Newton at each, until nothing approaches.
///
/// Contacts whose −γᵢ/√Dᵢᵢ agree to 1e-9 are struck together by the complementarity problem of `newton`, so that
/// relabelling and mirror symmetry hold. Always dissipative; the outcome depends on the order (`slowest_first` takes
/// the opposite one, and the audit compares the two). Two contacts with ρ < 0 go on for ever iff ρ² ≥
/// (√k₁+√k₂)²/((1+k₁)(1+k₂)), coming to rest; elastic ones end after at most ⌈π/α⌉ hits, cos α = −ρ.

#include <algorithm>

#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "slowest_first", .is_flag = true, .help = "strike the slowest approaching contact first, not the fastest"},
};
constexpr double kTie = 1e-9;

/// Strikes the contacts listed in `tied` together: newton on their block of ρ.
bool strike(LawRun& run, const int* tied, int count) {
  const auto size = static_cast<std::size_t>(count);
  double* block = dense::ensure(run.scratch.real[0], size * size);
  double* q = dense::ensure(run.scratch.real[1], size);
  double* p = dense::ensure(run.scratch.real[2], size);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) block[a * count + b] = run.space.cosine_row(tied[a])[tied[b]];
    q[a] = (1.0 + run.space.restitution()[tied[a]]) * run.rate[tied[a]];
  }
  if (!solve_coupled(run, {block, q, count, 0.0}, tied, p)) return false;
  for (int a = 0; a < count; ++a) push(run, tied[a], p[a]);
  return true;
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  const bool slowest_first = run.option(kParameters[0]) != 0.0;
  int* tied = dense::ensure(run.scratch.index[0], m);
  while (goes_on(run)) {
    double chosen = slowest_first ? fastest_approach(run) : 0.0;
    for (int i = 0; i < m; ++i) {
      const double approach = -run.rate[i];
      if (approach > run.approach_threshold())
        chosen = slowest_first ? std::min(chosen, approach) : std::max(chosen, approach);
    }
    int count = 0;
    for (int i = 0; i < m; ++i)
      if (-run.rate[i] > run.approach_threshold() && std::abs(-run.rate[i] - chosen) <= kTie * chosen)
        tied[count++] = i;
    if (count == 1) {
      push(run, tied[0], -(1.0 + run.space.restitution()[tied[0]]) * run.rate[tied[0]]);
    } else if (!strike(run, tied, count)) {
      return;
    }
    ++run.steps;
  }
  if (finished(run.stop)) remove_spurious_energy(run);
}

}  // namespace

const ImpactLaw kSequentialLaw{
    .name = "sequential",
    .summary = "one contact at a time, the fastest approach first; ties together; depends on order",
    .source = "Chatterjee & Ruina, A new algebraic rigid-body collision law, 1998 (sequential collisions)",
    .promises = {Promise::always, Promise::always, Promise::always},
    .needs = {},
    .parameters = kParameters,
    .order_option = "slowest_first",
    .resolve = &resolve,
};

}  // namespace carom
