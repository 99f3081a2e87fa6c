#pragma once
/// The damping ratio ζ that gives a restitution when the contact ends as soon as the force is zero (the clamp F ≥ 0).
///
///   e = exp(−2ζ A(ζ)),   A(ζ) = acos ζ/√(1 − ζ²) for ζ < 1,   acosh ζ/√(ζ² − 1) for ζ > 1,   A(1) = 1.
/// For the linear spring F = kδ + 2ζ√(km) δ̇, and for F = Kδ^{3/2} + α√(mK) δ^{1/4} δ̇ with α = √5 ζ, whose collision is
/// the same in the variable δ^{5/4}. Every e ∈ (0, 1] has its ζ: −ln e/π near 1, 1/(2√e) near 0. Without the clamp
/// (contact until δ = 0, with a pull at the end) e would be exp(−πζ/√(1−ζ²)), which is what is often given.
/// Source: Schwager & Pöschel, Coefficient of restitution and linear-dashpot model revisited, Granular Matter 9, 2007.

namespace carom {

/// e for ζ ≥ 0, to round-off.
double clamped_restitution(double damping_ratio);

/// ζ for e ∈ (0, 1], to round-off.
double damping_ratio(double restitution);

}  // namespace carom
