#include "carom/mechanics/attitude.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"

namespace carom {

namespace {

constexpr double kPi = std::numbers::pi;

/// Below this value of |cos ½θ ± sin ½θ| the angle that belongs to it is round-off.
constexpr double kLock = 1e-14;

/// To (−π, π], for angles within (−3π, 3π).
double wrapped(double angle) {
  if (angle > kPi) return angle - 2.0 * kPi;
  if (angle <= -kPi) return angle + 2.0 * kPi;
  return angle;
}

}  // namespace

Eigen::Quaterniond checked_attitude(const Eigen::Quaterniond& given, const std::string& field) {
  if (!given.coeffs().allFinite()) {
    throw InputError{Kind::not_finite, field,
                     fmt::format("{}: quaternion ({}, {}, {}, {}) must be finite", field, given.w(), given.x(),
                                 given.y(), given.z())};
  }
  const double length = given.coeffs().stableNorm();
  if (!(std::abs(length - 1.0) <= kUnitQuaternion)) {
    throw InputError{Kind::out_of_range, field,
                     fmt::format("{}: quaternion ({}, {}, {}, {}) has length {}, expected 1 within {}", field,
                                 given.w(), given.x(), given.y(), given.z(), length, kUnitQuaternion)};
  }
  return given.normalized();
}

Eigen::Quaterniond attitude_from_bryan(const BryanAngles& angles, const std::string& field) {
  if (!std::isfinite(angles.psi) || !std::isfinite(angles.theta) || !std::isfinite(angles.phi)) {
    throw InputError{
        Kind::not_finite, field,
        fmt::format("{}: Bryan angles ({}, {}, {}) must be finite", field, angles.psi, angles.theta, angles.phi)};
  }
  const Eigen::Quaterniond about_x(std::cos(0.5 * angles.psi), std::sin(0.5 * angles.psi), 0.0, 0.0);
  const Eigen::Quaterniond about_y(std::cos(0.5 * angles.theta), 0.0, std::sin(0.5 * angles.theta), 0.0);
  const Eigen::Quaterniond about_z(std::cos(0.5 * angles.phi), 0.0, 0.0, std::sin(0.5 * angles.phi));
  return (about_x * about_y * about_z).normalized();
}

BryanAngles bryan_angles(const Eigen::Quaterniond& attitude) {
  const double w = attitude.w();
  const double x = attitude.x();
  const double y = attitude.y();
  const double z = attitude.z();
  const double plus = std::hypot(w + y, x + z);
  const double minus = std::hypot(w - y, x - z);
  const double half_sum = std::atan2(x + z, w + y);
  const double half_difference = std::atan2(x - z, w - y);
  if (minus <= kLock) return {wrapped(2.0 * half_sum), 0.5 * kPi, 0.0};
  if (plus <= kLock) return {wrapped(2.0 * half_difference), -0.5 * kPi, 0.0};
  // plus/minus = tan(½θ + ¼π); the difference form keeps small θ to full relative precision.
  const double half_theta = std::atan2(plus - minus, plus + minus);
  return {wrapped(half_sum + half_difference), 2.0 * half_theta, wrapped(half_sum - half_difference)};
}

Eigen::Matrix3d bryan_rate_matrix(const BryanAngles& angles) {
  const double cos_theta = std::cos(angles.theta);
  const double sin_theta = std::sin(angles.theta);
  const double cos_phi = std::cos(angles.phi);
  const double sin_phi = std::sin(angles.phi);
  Eigen::Matrix3d q;
  q << cos_theta * cos_phi, sin_phi, 0.0,  //
      -cos_theta * sin_phi, cos_phi, 0.0,  //
      sin_theta, 0.0, 1.0;
  return q;
}

Eigen::Quaterniond rotation_by(const Eigen::Vector3d& v) {
  const double angle = v.stableNorm();
  if (angle == 0.0) return Eigen::Quaterniond::Identity();
  const Eigen::Vector3d vector = v * (std::sin(0.5 * angle) / angle);
  return {std::cos(0.5 * angle), vector.x(), vector.y(), vector.z()};
}

}  // namespace carom
