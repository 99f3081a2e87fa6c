#pragma once
/// Attitudes of rigid bodies: unit quaternions (w, x, y, z) are the state, Bryan angles a format for people.
///
/// The quaternion turns body vectors into world vectors, X = A r = q r q̄; q and −q are the same attitude.
/// Bryan angles (ψ, θ, φ): A = Rx(ψ) Ry(θ) Rz(φ), first about the body z axis. They lock at cos θ = 0, where only ψ + φ
/// (θ = 90°) or ψ − φ (θ = −90°) is defined; there φ = 0 is returned.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>

namespace carom {

/// [rad]
struct BryanAngles {
  double psi = 0.0;    ///< about x, in (−π, π] when read back
  double theta = 0.0;  ///< about y, in [−π/2, π/2] when read back
  double phi = 0.0;    ///< about z, in (−π, π] when read back
};

/// A quaternion whose length differs from 1 by more than this is an input error, not a rounded one.
inline constexpr double kUnitQuaternion = 1e-6;

/// The quaternion given as input, brought to unit length. Throws InputError that names `field`: `not_finite`, or
/// `out_of_range` where the length is off by more than kUnitQuaternion (zero included).
Eigen::Quaterniond checked_attitude(const Eigen::Quaterniond& given, const std::string& field);

/// q = qx(ψ) qy(θ) qz(φ). Throws InputError `not_finite` that names `field`.
Eigen::Quaterniond attitude_from_bryan(const BryanAngles& angles, const std::string& field = "orientation");

/// The angles of a unit quaternion. Accurate to round-off in A also near the lock: with half sum and half difference
///   (cos ½θ + sin ½θ)(cos ½(ψ+φ), sin ½(ψ+φ)) = (w + y, x + z)
///   (cos ½θ − sin ½θ)(cos ½(ψ−φ), sin ½(ψ−φ)) = (w − y, x − z)
/// no small difference of large numbers is divided by another. Elsewhere this equals θ = atan2(a13, √(a11² + a12²)),
/// ψ = atan2(−a23, a33), φ = atan2(−a12, a11), and at the lock φ = 0, ψ = atan2(a32, a22).
BryanAngles bryan_angles(const Eigen::Quaterniond& attitude);

/// Q of ω = Q (ψ̇, θ̇, φ̇)ᵀ, ω in the body frame; singular at the lock.
Eigen::Matrix3d bryan_rate_matrix(const BryanAngles& angles);

/// The rotation by |v| [rad] about v: constant angular velocity ω (world) takes q to rotation_by(ω t) q, ω (body) takes
/// it to q rotation_by(ω t).
Eigen::Quaterniond rotation_by(const Eigen::Vector3d& v);

}  // namespace carom
