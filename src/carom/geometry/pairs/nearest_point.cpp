#include "carom/geometry/pairs/nearest_point.h"

#include <algorithm>
#include <cmath>

namespace carom {

NearestPoint extruded(const NearestInPlane& in_plane, double z, double half_length) {
  const double side = in_plane.distance;
  const double up = z < 0.0 ? -1.0 : 1.0;
  const double beyond = std::abs(z) - half_length;
  const Eigen::Vector2d& n = in_plane.normal;
  const Eigen::Vector2d& q = in_plane.point;
  if (side > 0.0 && beyond > 0.0) {
    const double distance = std::hypot(side, beyond);
    const double share = side / distance;
    return {distance, {share * n.x(), share * n.y(), up * beyond / distance}, {q.x(), q.y(), up * half_length}};
  }
  // Above or below, or inside and nearer to an end than to the side.
  if (beyond > side) {
    const Eigen::Vector2d p = q + side * n;
    return {beyond, {0.0, 0.0, up}, {p.x(), p.y(), up * half_length}};
  }
  return {side, {n.x(), n.y(), 0.0}, {q.x(), q.y(), z}};
}

}  // namespace carom
