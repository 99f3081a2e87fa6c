/// Any bounded convex shape over a plane: its lowest feature. The distance is −h(−n) of the shape about a point of the
/// plane; where a whole face, edge or line is lowest, its middle.

#include "carom/geometry/convex/placed_convex.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double kEquallyLow = 4.0 * std::numeric_limits<double>::epsilon();  // of the size

struct OverPlane {
  Vector3d normal;
  PlacedConvex shape;  // seen from a point of the plane
  int vertex = 0;
  double lowest;  // height of the core

  OverPlane(const Shape& a, const Pose& pose_a, const Pose& plane)
      : normal(half_space_normal(plane)), shape(a, pose_a, plane.position) {
    lowest = normal.dot(shape.farthest(-normal, vertex));
  }
};

}  // namespace

Proximity convex_half_space(const Shape& a, const Pose& pose_a, const Shape& /*b*/, const Pose& pose_b) {
  const OverPlane over(a, pose_a, pose_b);
  const FlatFeature feature = over.shape.feature(-over.normal, over.vertex, kEquallyLow * over.shape.size());
  const double distance = over.lowest - over.shape.radius();
  Vector3d middle = feature.outline.middle();
  middle += (over.lowest - over.normal.dot(middle)) * over.normal;
  const Vector3d point = pose_b.position + (middle - over.shape.radius() * over.normal);
  return {.distance = distance, .normal = over.normal, .point_a = point, .point_b = point - distance * over.normal};
}

TouchingPoints convex_half_space_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          double tolerance) {
  const OverPlane over(a, pose_a, pose_b);
  const FlatFeature feature = over.shape.feature(-over.normal, over.vertex, tolerance);
  if (feature.outline.count == 1) return TouchingPoints(convex_half_space(a, pose_a, b, pose_b));
  const Outline outline = with_fewer_corners(feature.outline, TouchingPoints::kCapacity, over.normal);
  TouchingPoints points(over.normal);
  for (int i = 0; i < outline.count; ++i) {
    const double distance = over.normal.dot(outline.at(i)) - over.shape.radius();
    const Vector3d point = pose_b.position + (outline.at(i) - over.shape.radius() * over.normal);
    points.add(distance, point, point - distance * over.normal);
  }
  return points;
}

}  // namespace carom
