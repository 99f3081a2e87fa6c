/// A ball in a bore, the set { x² + y² ≥ R², |z| ≤ h }: the outside of a circle in the plane, extruded along z. Beyond
/// the ends of the bore the nearest point is on the rim.

#include <cmath>

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

NearestPoint nearest_point(const Bore& bore, const Eigen::Vector3d& from) {
  const double radius = std::hypot(from.x(), from.y());
  const Eigen::Vector2d outwards =
      radius > 0.0 ? Eigen::Vector2d(from.x() / radius, from.y() / radius) : Eigen::Vector2d::UnitX();
  return extruded({bore.radius - radius, -outwards, bore.radius * outwards}, from.z(), bore.half_length);
}

Proximity sphere_bore(const Sphere& a, const Pose& pose_a, const Bore& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

}  // namespace carom
