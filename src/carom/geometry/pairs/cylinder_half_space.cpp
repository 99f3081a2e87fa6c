/// A cylinder over a plane. With B the normal in the cylinder's frame and ρ = √(B_x² + B_y²) the support function is
/// h = R ρ + H |B_z|. Lowest point: on the rim against (B_x, B_y) at the end against B_z; lying (B_z = 0) the middle of
/// the line, standing (ρ = 0) the middle of the face.

#include <cmath>
#include <numbers>

#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kRimPoints = 8;

struct CylinderAtPlane {
  Vector3d normal;    // world
  double radial;      // ρ
  double axial;       // B_z
  Vector2d downhill;  // unit, the way to the lowest point of the rim; +x where the cylinder stands upright
  double distance;
};

CylinderAtPlane stand(const Cylinder& cylinder, const Pose& pose, const Pose& plane) {
  const Vector3d normal = half_space_normal(plane);
  const Vector3d in_frame = pose.orientation.conjugate() * normal;
  const double radial = std::hypot(in_frame.x(), in_frame.y());
  const double support = cylinder.radius * radial + cylinder.half_length * std::abs(in_frame.z());
  return {normal, radial, in_frame.z(),
          radial > 0.0 ? Vector2d(-in_frame.head<2>() / radial) : Vector2d(Vector2d::UnitX()),
          normal.dot(pose.position - plane.position) - support};
}

}  // namespace

Proximity cylinder_half_space(const Cylinder& a, const Pose& pose_a, const HalfSpace& /*b*/, const Pose& pose_b) {
  const CylinderAtPlane standing = stand(a, pose_a, pose_b);
  const Vector2d rim = standing.radial > 0.0 ? Vector2d(a.radius * standing.downhill) : Vector2d(Vector2d::Zero());
  double end = 0.0;
  if (standing.axial != 0.0) end = std::copysign(a.half_length, -standing.axial);
  const Vector3d lowest = pose_a.to_world({rim.x(), rim.y(), end});
  return {.distance = standing.distance,
          .normal = standing.normal,
          .point_a = lowest,
          .point_b = lowest - standing.distance * standing.normal};
}

TouchingPoints cylinder_half_space_touching(const Cylinder& a, const Pose& pose_a, const HalfSpace& /*b*/,
                                            const Pose& pose_b, double tolerance) {
  const CylinderAtPlane standing = stand(a, pose_a, pose_b);
  TouchingPoints points(standing.normal);
  const auto add = [&](const Vector2d& direction, double end, double rise) {
    if (rise > tolerance) return;
    const double distance = standing.distance + rise;
    const Vector3d point = pose_a.to_world({a.radius * direction.x(), a.radius * direction.y(), end});
    points.add(distance, point, point - distance * standing.normal);
  };
  const double low_end = std::copysign(a.half_length, -standing.axial);
  const Vector2d across(-standing.downhill.y(), standing.downhill.x());
  for (int k = 0; k < kRimPoints; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kRimPoints;
    const double half_sine = std::sin(0.5 * angle);
    add(std::cos(angle) * standing.downhill + std::sin(angle) * across, low_end,
        2.0 * a.radius * standing.radial * half_sine * half_sine);
  }
  add(standing.downhill, -low_end, 2.0 * a.half_length * std::abs(standing.axial));
  return points;
}

}  // namespace carom
