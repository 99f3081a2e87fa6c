#pragma once
/// What the corner algorithm will do, without carrying it out: number of steps, why it stops, and how fast a velocity
/// that never leaves the corner fades.
///
/// After a possible first impact on both walls only single impacts follow, alternately on the two walls. Let a > 0 be
/// the approaching one of (ξ̇, η̇) and p ≤ 0 the other. One impact and an exchange of names is a linear map,
///
///     (a, p) → (ca + p, −εa),     c = (1+ε) cos 2α,     eigenvalues r± = (c ± √(c²−4ε))/2,
///
/// so that aₙ solves aₙ₊₂ = c aₙ₊₁ − ε aₙ and is known in closed form for every n:
///
///     aₙ = (r₊a + p) Gₙ + a r₋ⁿ,     Gₙ = (r₊ⁿ − r₋ⁿ)/(r₊ − r₋)          (real roots)
///     aₙ = a Gₙ₊₁ + p Gₙ,            Gₙ = ε^((n−1)/2) sin nθ / sin θ     (complex roots, cos θ = c/2√ε)
///
/// and pₙ = −εaₙ₋₁. The algorithm stops at the first n with aₙ ≤ S (Z0), else ‖vₙ‖ ≤ S_v (rest). Up to that n both
/// are monotone statements: aₙ rises at most once and then falls, ‖vₙ‖ never grows. The first n is therefore found by
/// bisection in the closed form, at the cost of some fifteen evaluations whatever the number of steps is. For complex
/// roots the search ends at the first sign change, ⌈(π−δ)/θ⌉ with δ = atan2(a sin θ, a cos θ + p/√ε).
///
/// Valid for all input that `solve` accepts. The result is that of exact arithmetic (up to the few roundings here): it
/// can differ from the iteration where a decision of the iteration falls within its own round-off, as for velocities
/// along a wall or a corner whose angle is exactly π divided by a whole number.
///
/// Source: Fassino, Pasquero (2019), proof of Theorem 5.3 for H₁ and its eigenvalues; the closed form is ours. The
/// paper's Remark 9 (slower convergence for larger ε) is wrong: where the roots are real, ρ falls as ε rises.

#include <cstdint>

#include "carom/laws/corner/disk_in_corner.h"

namespace carom::corner {

struct Prediction {
  std::int64_t steps = 0;
  Stop stop = Stop::z0;

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// Steps and stop of `solve`. `form` and `trace` are not looked at. Throws as `check` does.
Prediction predict(const CornerProblem& problem);

/// ρ(H₁), the largest modulus of an eigenvalue of two successive single impacts in (ξ̇, η̇):
/// max(|r₊|, |r₋|)² where c² ≥ 4ε, else ε. Throws InputError for alpha and restitution out of range.
double spectral_radius(double alpha, double restitution);

/// Whether every velocity leaves the corner in finitely many steps: sin 2α > (1−ε)/(1+ε), or a right or obtuse corner.
/// Where this is false, a velocity after a first double impact never leaves if and only if −p/a < r₊.
bool always_exits(double alpha, double restitution);

}  // namespace carom::corner
