#include "carom/geometry/pairs/box_features.h"

#include <array>
#include <cmath>

#include "carom/geometry/convex/outline.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// Corners may lie outside a side by this part of the sizes and still count as inside.
constexpr double kOutside = 1e-12;

/// The corners that are lowest along n. Turning the sign of coordinate i raises a corner by 2 |n·a_i| h_i.
Outline lowest_feature(const PlacedBox& box, const Vector3d& n, double tolerance) {
  const Vector3d slope = box.axes.transpose() * n;
  const Vector3d rise = 2.0 * slope.cwiseAbs().cwiseProduct(box.half_sizes);
  Vector3d local = (slope.array() < 0.0).select(box.half_sizes, -box.half_sizes);
  const auto corner = [&] { return Vector3d(box.centre + box.axes * local); };

  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return rise[i] != rise[j] ? rise[i] < rise[j] : i < j; });
  const int first = order[0];
  const int second = order[1];
  Outline outline;
  outline.add(corner());
  if (rise[first] > tolerance) return outline;
  local[first] = -local[first];
  outline.add(corner());
  if (rise[second] > tolerance) return outline;
  local[second] = -local[second];
  if (rise[first] + rise[second] <= tolerance) outline.add(corner());
  local[first] = -local[first];
  outline.add(corner());
  return outline;
}

}  // namespace

TouchingPoints touching_features(const PlacedBox& a, const PlacedBox& b, const Proximity& nearest, double tolerance) {
  const Vector3d& n = nearest.normal;
  const Outline feature_a = lowest_feature(a, n, tolerance);
  const Outline feature_b = lowest_feature(b, -n, tolerance);
  if (feature_a.count == 1 || feature_b.count == 1) return TouchingPoints(nearest);

  const double slack = kOutside * (a.half_sizes.maxCoeff() + b.half_sizes.maxCoeff());
  const CommonPart common = common_part(feature_a, feature_b, n, tolerance, slack);
  if (common.outline.count == 0) return TouchingPoints(nearest);

  // Each point's partner is straight below or above it in the other box's supporting plane.
  TouchingPoints points(n);
  for (int i = 0; i < common.outline.count; ++i) {
    const Vector3d& point = common.outline.at(i);
    if (common.of_first) {
      const double distance = n.dot(point - b.centre) - b.reach(n);
      points.add(distance, point, point - distance * n);
    } else {
      const double distance = n.dot(a.centre - point) - a.reach(n);
      points.add(distance, point + distance * n, point);
    }
  }
  return points;
}

}  // namespace carom
