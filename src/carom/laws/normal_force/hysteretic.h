#pragma once
/// The hysteretic family F = K δⁿ (1 + λ δ̇/v₀), v₀ the speed of approach at first contact: what its members share.
///
/// For two bodies that meet at speed v₀ with nothing else acting, the rebound is e v₀ with
///   λ(1 + e) = ln[(1 + λ)/(1 − λe)]   ⇔   e = [1 + W₀(−(1+λ) e^{−(1+λ)})]/λ,
/// the same for every n, K, mass and v₀: in m δ̇ dδ̇/(1 + λδ̇/v₀) = −K δⁿ dδ the variables are apart, and the right-hand
/// side is the same going in and coming out. With g(x) = x − ln(1 + x) it says g(λ) = g(−λe), which is how it is
/// computed here: no digits are lost as λ → 0. The greatest depth: δ_max^{n+1} = (n+1)(m v₀²/K) g(λ)/λ².
/// The members differ in λ(c); only `exact` has e = c. docs/theory/compliant-contact.md

#include "carom/laws/normal_force/common_parameters.h"
#include "carom/laws/normal_force/normal_law.h"

namespace carom::hysteretic {

/// e of a two-body collision with this λ ≥ 0, to round-off: 1 − (2/3)λ + … for small λ, 1/λ for large λ.
double restitution(double lambda);

/// λ ≥ 0 whose collision really gives e ∈ (0, 1], to round-off: (3/2)(1 − e) + … as e → 1, 1/e as e → 0.
double exact_lambda(double restitution);

/// δ_max of a two-body collision with stiffness, exponent, reduced mass and approach speed of the input.
double greatest_depth(const NormalInput& input, double lambda);

/// K δⁿ (1 + λ δ̇/v₀) with λ = input.constant.
NormalForce prepare(const NormalInput& input);

inline constexpr LawParameter kParameters[] = {normal_parameter::kRestitution, normal_parameter::kExponent,
                                               normal_parameter::kStiffness};
/// For members whose λ is infinite at c = 0.
inline constexpr LawParameter kPositiveParameters[] = {normal_parameter::kPositiveRestitution,
                                                       normal_parameter::kExponent, normal_parameter::kStiffness};

/// The functions of a member from its λ(c).
template <double (*kLambda)(double)>
double calibrate(const NormalInput& input) {
  return kLambda(input.restitution);
}
template <double (*kLambda)(double)>
double effective_restitution(double nominal) {
  return restitution(kLambda(nominal));
}

}  // namespace carom::hysteretic
