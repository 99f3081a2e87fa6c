#pragma once
/// Stiffness of a line contact: a cylinder's side along a flat face, along another cylinder, in a bore.
///
/// For the force P of each unit of length, E* = E′/2 = 1/(σ₁ + σ₂) and the relative radius R, 1/R = 1/R₁ + 1/R₂ (hollow
/// ones negative, flat ones zero), Johnson's formula as given by Pereira, Ramalho & Ambrósio is
///   δ = P/(πE*) [ln(4πE*R/P) − 1],
/// which rises up to P = 4πE*R/e², δ = 4R/e² = 0.54 R and has no meaning beyond. With x = P/(4πE*R) it says
/// δ/4R = −x (1 + ln x). It is nearly linear: p = d ln P/d ln δ = (1 + ln x)/(2 + ln x), 1.05 to 1.15 for depths of
/// 10⁻⁸ to 10⁻³ R. Force laws here are power laws with fixed numbers, so the one is taken that has value and slope of
/// the formula at δ = 10⁻⁴ R. Within 3 % of it for depths of 10⁻⁵ to 10⁻³ R, within 16 % for 10⁻⁷ to 10⁻² R.
/// Sources: Johnson, Contact Mechanics, 1985, sections 4.2 and 5.6; Pereira, Ramalho & Ambrósio, A critical overview of
/// internal and external cylinder contact force models, Nonlinear Dyn. 63, 2011.

namespace carom {

struct ContactLine {
  double curvature = 0.0;  ///< 1/R > 0 [1/m]
  double length = 0.0;     ///< [m]
};

/// F = K δᵖ of the whole line.
struct LineStiffness {
  double stiffness = 0.0;  ///< K [N/mᵖ]
  double exponent = 1.0;   ///< p
};

/// Depth at which the power law touches the formula, of the relative radius.
inline constexpr double kLineReferenceDepth = 1e-4;

/// For the modulus E′ of contact_stiffness.h.
LineStiffness line_stiffness(const ContactLine& line, double effective_modulus);

/// The formula: the force of the whole line [N] at a depth 0 ≤ δ ≤ 4R/e².
double line_force(const ContactLine& line, double effective_modulus, double depth);

}  // namespace carom
