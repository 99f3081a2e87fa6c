#pragma once
/// A motion that is prescribed: an obstacle slides along an axis, or turns about it, or both, as functions of time say.
///
/// With the unit axis e, the position s(t) along it, the angle φ(t) about it, and a point p through which the axis of
/// turning goes, a frame placed at x₀, q₀ is at
///   x = p + R(φ)(x₀ − p) + s e,   q = R(φ) q₀,   R(φ) the rotation by φ about e,
/// and moves, with r = R(φ)(x₀ − p), with
///   ẋ = ṡ e + φ̇ e × r,   ẍ = s̈ e + φ̈ e × r − φ̇² r_⊥,   ω = φ̇ e,   ω̇ = φ̈ e.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>
#include <string>

#include "carom/geometry/shape.h"
#include "carom/mechanics/profile.h"

namespace carom {

/// A frame that moves: where it is and how, at one time.
struct FrameMotion {
  Pose pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();              ///< of the origin [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();      ///< [rad/s]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();          ///< of the origin [m/s²]
  Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();  ///< [rad/s²]

  [[nodiscard]] Eigen::Vector3d velocity_of(const Eigen::Vector3d& point) const {
    return velocity + angular_velocity.cross(point - pose.position);
  }
  [[nodiscard]] Eigen::Vector3d acceleration_of(const Eigen::Vector3d& point) const {
    const Eigen::Vector3d arm = point - pose.position;
    return acceleration + angular_acceleration.cross(arm) + angular_velocity.cross(angular_velocity.cross(arm));
  }
};

/// The same over a stretch of time.
struct FrameBounds {
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< a, with |ẍ − a| ≤ acceleration_spread
  double acceleration_spread = 0.0;
  double max_spin = 0.0;       ///< |ω| is at most this
  double max_spin_rate = 0.0;  ///< |ω̇| likewise
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  ValueRange
      shift;  ///< of s against its value at the beginning: where nothing turns, how far the frame goes along the axis
};

struct DrivenMotion {
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< e, unit
  Profile position;                                 ///< s [m]
  Profile angle;                                    ///< φ [rad]
  std::optional<Eigen::Vector3d> point;             ///< p; absent: the origin of the frame as it is placed

  [[nodiscard]] bool turns() const { return !is_still(angle); }
  /// At time + carry; the carry is beyond the last digits of the time.
  [[nodiscard]] FrameMotion at(const Pose& placed, double time, double carry = 0.0) const;
  /// Over [from, from + length], the length at most longest_window(from).
  [[nodiscard]] FrameBounds over(const Pose& placed, double from, double length) const;
  [[nodiscard]] double longest_window(double from) const;
  [[nodiscard]] double quiet_window(double from) const;
  [[nodiscard]] double next_stop(double time) const;
  [[nodiscard]] double still_from() const;
};

/// Throws InputError that names the field: an axis that is not of unit length, numbers that are not finite, a frequency
/// that is not positive, too many coefficients, nothing that moves.
void validate(const DrivenMotion& motion, const std::string& field);

}  // namespace carom
