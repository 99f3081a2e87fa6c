#pragma once
/// Torque-free rotation of a rigid body, exact at any time: J ω̇ = J ω × ω, q̇ = ½ q ω (ω in the body frame).
///
/// J = diag(J₁, J₂, J₃) in body axes. Prepared once from the state at time 0, evaluated at any t, also negative, at a
/// cost that does not depend on t and without allocation. Which closed form:
///
///   uniform     sphere, rest, and spin about a principal axis (the others below 1e-150 of the angular momentum):
///               ω constant
///   spheroid    two inertias equal to 4 units of round-off, symmetry axis e_s, transverse inertia J_t:
///               A(t) = R(L̂, Lt/J_t) A₀ R(e_s, ω_s(1 − J_s/J_t) t)
///   asymmetric  everything else, however close to a spheroid or to the separatrix: with the principal axes renamed so
///               that the angular momentum circles axis 3, I₂ is the middle inertia and m = Jω/L starts with m₁, m₃ ≥
///               0,
///                 m = (α cn u, β sn u, γ dn u),  u = λt + u₀
///                 A = C Rz(Ψ) P(m),  P the shortest rotation that takes m to z,  Ψ̇ = (L/I₃)(m₃ + 2TI₃/L²)/(1 + m₃)
///               where Ψ is an elliptic integral of the third kind (numerics/third_kind_angle.h).
///
/// All constants of the asymmetric top are sums of positive terms of m(0), with ν = I₃|I₁−I₂| / (I₁|I₂−I₃|):
///   α² = m₁² + m₂² I₁|I₂−I₃|/(I₂|I₁−I₃|)      β² = (1+ν) α²      γ² = m₃² + m₂² I₃|I₂−I₁|/(I₂|I₃−I₁|)
///   λ = (Lγ/I₃) √(|I₃−I₁||I₃−I₂|/(I₁I₂))        parameter m = ν α²/γ²,  1 − m = (m₃ − √ν m₁)(m₃ + √ν m₁)/γ²
/// so that accuracy does not collapse in any limit. The sign of m₃ − √ν m₁ decides which axis is circled; where it is
/// zero the motion runs along the separatrix into the middle axis and stays there (K infinite). Close to the
/// separatrix the time to the next flip depends on the logarithm of 1 − m, that is, on the last digits of the
/// initial state: the motion returned is the exact one of a state equal to the given one to round-off.
///
/// A(t) Jω(t) = L and ½ω·Jω = T hold to round-off at all times by construction; the phase along the motion is off by
/// round-off of the angle turned, ε·|ω|t. The quaternion is continuous in t. (Inertias that no body has, J_i > J_j +
/// J_k, are taken as they are; for them the phase may be less precise.) Sources: Whittaker, Analytical Dynamics, §69;
/// van Zon & Schofield, J. Comput. Phys. 225, 2007.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>

#include "carom/numerics/elliptic.h"
#include "carom/numerics/third_kind_angle.h"

namespace carom {

/// Attitude and spin at one time.
struct RotationState {
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();  ///< body to world, unit
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();    ///< ω, body frame [rad/s]
};

class FreeRotation {
 public:
  enum class Kind { uniform, spheroid, asymmetric };

  /// A body at rest.
  FreeRotation() = default;
  /// From the principal inertias [kg m²] about the centre of mass and the state at time 0, whose quaternion is brought
  /// to unit length. Throws InputError: `not_finite`, or `out_of_range` for an inertia that is not positive.
  FreeRotation(const Eigen::Vector3d& inertia, const RotationState& initial);

  /// The state at time t [s], finite.
  [[nodiscard]] RotationState at(double t) const;

  [[nodiscard]] Kind kind() const { return kind_; }
  /// L in the world frame [kg m²/s] and T [J], constant.
  [[nodiscard]] const Eigen::Vector3d& angular_momentum() const { return momentum_; }
  [[nodiscard]] double energy() const { return energy_; }

  /// The largest |ω| [rad/s] and |ω̇| [rad/s²] (body or world: the same) over all times, raised by 1e-14 relative to
  /// stand above rounding. Both squares are polynomials in sn²u ∈ [0, 1], of degree one and two, so these are the
  /// maxima themselves, never above √(2T/J_min) and κ|ω|²/√3, κ = max|J_j − J_k|/J_i, of the time-of-impact bound.
  [[nodiscard]] double max_angular_speed() const { return max_speed_; }
  [[nodiscard]] double max_angular_acceleration() const { return max_acceleration_; }

 private:
  void prepare_uniform(const RotationState& initial);
  void prepare_spheroid(const Eigen::Vector3d& inertia, const RotationState& initial, int axis);
  void prepare_asymmetric(const Eigen::Vector3d& inertia, const RotationState& initial);
  void bound_asymmetric(const Eigen::Vector3d& renamed_inertia);
  [[nodiscard]] RotationState asymmetric_at(double t) const;

  Kind kind_ = Kind::uniform;
  Eigen::Vector3d momentum_ = Eigen::Vector3d::Zero();
  double energy_ = 0.0;
  double max_speed_ = 0.0;
  double max_acceleration_ = 0.0;

  // Uniform and spheroid: attitude(t) = R(axis, rate t) start R(e_s, spin t), the left or the right factor absent.
  // Asymmetric: attitude(t) = start Rz(Ψ) P rename.
  Eigen::Quaterniond start_ = Eigen::Quaterniond::Identity();
  Eigen::Vector3d axis_ = Eigen::Vector3d::UnitZ();       // world
  Eigen::Vector3d first_spin_ = Eigen::Vector3d::Zero();  // ω(0), body
  double rate_ = 0.0;                                     // of the turn about axis_; of Ψ
  double spin_ = 0.0;
  int symmetry_axis_ = 2;

  Eigen::Quaterniond rename_ = Eigen::Quaterniond::Identity();  // body axes to the renamed ones
  std::array<int, 3> index_{0, 1, 2};                           // renamed axis k is body axis index_[k] …
  Eigen::Vector3d amplitude_ = Eigen::Vector3d::Zero();         // α, β, γ
  Eigen::Vector3d spin_factor_ = Eigen::Vector3d::Zero();       // … and ω there is spin_factor_[k]·m_k
  double frequency_ = 0.0, phase_ = 0.0;                        // λ, u₀
  double sense_ = 1.0;                                          // sign of I₃ − I₁
  elliptic::JacobiFunctions jacobi_;
  elliptic::ThirdKindAngle precession_;
};

}  // namespace carom
