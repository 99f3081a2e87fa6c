#pragma once
/// What all iterating laws share: when to go on, and the bookkeeping of one push.

#include "carom/laws/impact/law_run.h"

namespace carom {

/// Steps after which an iteration is suspected to go round in circles.
inline constexpr long kSuspiciousSteps = 1000;

/// The largest −γ̂; zero where nothing approaches.
double fastest_approach(const LawRun& run);

/// Whether an iterating law goes on. Otherwise sets run.stop:
///   separated          nothing approaches
///   at-rest            the fastest approach is below rest·reference_speed, or accuracy·reference_speed
///   no-exit-direction  after many steps: no velocity satisfies all γ ≥ 0, or an elastic law whose cone has no interior
///   step-limit         max_steps
bool goes_on(LawRun& run);

/// Adds an impulse at movable contact r and updates all rates.
inline void push(LawRun& run, int r, double impulse) {
  run.impulse[r] += impulse;
  dense::add_scaled(impulse, run.space.cosine_row(r), run.rate.data(), run.contacts());
}

/// For laws that cannot create energy: where the round-off of a long iteration (or the error of an integration) left
/// the contacts' work γ̂⁻ᵀp̂ + ½p̂ᵀρp̂ positive by a trifle, scales the impulses by the factor, about 1 − 1e-13, that makes
/// it zero. The same where the rates from which impulses were found are good to a residual only.
void remove_spurious_energy(LawRun& run);

/// Whether some velocity has every normalised gap rate at least `margin`.
bool exit_exists(LawRun& run, double margin);

/// Whether no velocity opens all contacts: some are held between others.
bool has_no_interior(LawRun& run);

/// Whether an iteration that has taken `steps` steps should give up because there is no way out. Decided once, after
/// many steps: no velocity satisfies all γ ≥ 0, or all contacts are elastic and no velocity has all γ > 0.
bool has_no_exit(LawRun& run, long steps);

}  // namespace carom
