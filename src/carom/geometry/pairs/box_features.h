#pragma once
/// Boxes with their place, and the region in which the touching features of two boxes cover each other.
///
/// The feature of a box against a direction is the vertex, edge or face whose points are within a tolerance of the
/// lowest one. Two features that share a normal are seen along it (convex/outline.h), and the corners of what they have
/// in common are the touching points.

#include <algorithm>

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom {

struct PlacedBox {
  Eigen::Vector3d centre;
  Eigen::Matrix3d axes;  ///< columns, unit, world
  Eigen::Vector3d half_sizes;

  PlacedBox(const Box& box, const Pose& pose)
      : centre(pose.position), axes(pose.rotation()), half_sizes(box.half_sizes) {}

  /// Support function from the centre: Σ |n·a_i| h_i.
  [[nodiscard]] double reach(const Eigen::Vector3d& n) const {
    return (axes.transpose() * n).cwiseAbs().dot(half_sizes);
  }
};

/// All touching points of two boxes whose nearest points are known, with distances up to `tolerance` above the least.
/// The points lie on the feature with fewer corners exactly, on the other one to the tolerance.
TouchingPoints touching_features(const PlacedBox& a, const PlacedBox& b, const Proximity& nearest, double tolerance);

}  // namespace carom
