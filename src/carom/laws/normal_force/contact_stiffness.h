#pragma once
/// Hertz's stiffness K of F = K δ^{3/2} from the materials and the curvatures of the two surfaces.
///
/// With σ = (1 − ν²)/E of each material and E′ = 2/(σ₁ + σ₂), relative principal curvatures 1/R_x ≥ 1/R_y > 0
/// (geometry/curvature.h) and 1/R = 1/R_x + 1/R_y:
///   circular, R_x = R_y:  K = (2/3) E′ √R_x = 4√R_x/(3(σ₁ + σ₂)), for spheres R_x = R₁R₂/(R₁ + R₂), hollow ones
///   negative; elliptical:           K = π k E′ √(R 𝓔/(4.5 𝓕³)),
/// k ≥ 1 the ratio of the half-axes of the contact ellipse, 𝓕 and 𝓔 the complete elliptic integrals of the first and
/// second kind of the parameter m = 1 − 1/k², where k solves R_y/R_x = (k²𝓔 − 𝓕)/(𝓕 − 𝓔). Solved to round-off; the
/// customary fits of k are off by 0.3–6 % in K.
/// Valid for contact areas that are small against the bodies and radii; a strongly conforming contact (k above about
/// 10) is outside that sooner than the formula tells. A line contact (1/R_y = 0) has no such K.
/// Sources: Johnson, Contact Mechanics, 1985, chapter 4; Hamrock, Fundamentals of Fluid Film Lubrication, 1994 (the
/// form).

#include "carom/geometry/curvature.h"

namespace carom {

struct ElasticMaterial {
  double young = 0.0;    ///< E > 0 [Pa]
  double poisson = 0.0;  ///< ν ∈ (−1, ½]
};

/// E′ = 2/(σ₁ + σ₂) [Pa]. An infinite E stands for a rigid body.
double effective_modulus(const ElasticMaterial& a, const ElasticMaterial& b);

/// The contact ellipse.
struct ContactEllipse {
  double ratio = 1.0;        ///< k ≥ 1
  double first_kind = 0.0;   ///< 𝓕
  double second_kind = 0.0;  ///< 𝓔
};

/// The ellipse for curvatures smaller ≤ larger, both positive.
ContactEllipse contact_ellipse(const RelativeCurvatures& curvatures);

/// K [N/m^{3/2}]. Throws InputError (unsupported) where Hertz's theory has no point contact: a relative curvature that
/// is not positive (cylinder along a plane, faces, a ball in a hollow of its own size or less). `who` names the two
/// bodies in the message.
double hertz_stiffness(const RelativeCurvatures& curvatures, double effective_modulus, std::string_view who);

}  // namespace carom
