#pragma once
/// The elliptic integral of the third kind as an angle along a Jacobi argument, circular case, prepared for one
/// parameter m and one ν > 0: what turns the precession of a free rigid body into a few multiplications.
///
/// With κ = √((1+ν)(m+ν)/ν), K = K(m) and u = jK + r, |r| ≤ K/2,
///
///   κ ∫₀^u ν sn²v/(1 + ν sn²v) dv = slope·u + step·j − arg Y(u) − am_ν(u),   tan am_ν = √(1+ν) tan am(u),
///
/// where am_ν grows with am(u) and agrees with it at the multiples of π/2. arg Y is of period K, zero at u = jK, and
/// never leaves (−π/2, π/2): no branch has to be followed however large u is.
///
/// Derivation: Jacobi's formula [DLMF 22.16(iii), Whittaker & Watson §22.74] writes the integral as the argument of
/// θ₁(πu/2K − iy | q), y = πη/2K, η = F(arctan(1/√ν) | 1−m). Y is that theta function times √(1+ν) sn + i cn, which
/// takes out its winding and its only zero. For m > ½ Jacobi's imaginary transformation leads to θ₁ and θ₄ of
/// x + iπr/2K', x = πη/2K', in the nome q', and to the step x per quarter period. As in van Zon & Schofield, Numerical
/// implementation of the exact dynamics of free rigid bodies, J. Comput. Phys. 225, 2007, who use the nome q alone.

#include "carom/numerics/elliptic.h"

namespace carom::elliptic {

class ThirdKindAngle {
 public:
  ThirdKindAngle() = default;
  /// Valid for ν > 0, all parameters 0 ≤ m ≤ 1.
  ThirdKindAngle(const JacobiFunctions& functions, double nu);

  [[nodiscard]] double slope() const { return slope_; }
  [[nodiscard]] double step() const { return step_; }

  struct Complex {
    double real = 1.0;
    double imaginary = 0.0;
  };
  /// Y, up to a positive factor, from the reduced argument and functions.locate() and functions.reduced() of u.
  [[nodiscard]] Complex bounded(const JacobiFunctions::Spot& spot, const JacobiValues& reduced) const;

 private:
  void prepare_trigonometric(const JacobiFunctions& functions, double eta);
  void prepare_hyperbolic(const JacobiFunctions& functions, double eta);

  double slope_ = 0.0;
  double step_ = 0.0;
  double stretch_ = 1.0;  // √(1+ν)
  bool hyperbolic_ = false;
  Cubic even_real_{}, even_imaginary_{}, odd_real_{}, odd_imaginary_{};
};

}  // namespace carom::elliptic
