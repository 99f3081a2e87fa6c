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

/// How much higher along n than its lowest corner, the first, the edge or face is above or below a point of space.
double rise_at(const PlacedBox& box, const Outline& feature, const Vector3d& point, const Vector3d& n) {
  const Vector3d from = point - feature.at(0);
  if (feature.count == 2) {
    const Vector3d side = feature.at(1) - feature.at(0);
    return n.dot(side) * (side.dot(from) / side.squaredNorm());
  }
  int across = 0;
  (box.axes.transpose() * n).cwiseAbs().maxCoeff(&across);
  // The place z of the face there has m·(z − first corner) = 0 and lies along n off the point.
  const Vector3d m = box.axes.col(across);
  return n.dot(from) - m.dot(from) / m.dot(n);
}

}  // namespace

TouchingPoints touching_features(const PlacedBox& a, const PlacedBox& b, const Proximity& nearest, double tolerance) {
  const Vector3d& n = nearest.normal;
  const Outline feature_a = lowest_feature(a, n, tolerance);
  const Outline feature_b = lowest_feature(b, -n, tolerance);
  if (feature_a.count == 1 || feature_b.count == 1) return TouchingPoints(nearest);

  // Where they overlap by more than round-off, so may their sides.
  const double overlap = std::min(-nearest.distance, tolerance);
  const double slack = std::max(kOutside * (a.half_sizes.maxCoeff() + b.half_sizes.maxCoeff()), overlap);
  const CommonPart common = common_part(feature_a, feature_b, n, tolerance, slack);
  if (common.outline.count == 0) return TouchingPoints(nearest);

  // Each point's partner is straight below or above it on the other box: on its supporting plane along n, and where the
  // feature is a little inclined to that, higher.
  TouchingPoints points(n);
  for (int i = 0; i < common.outline.count; ++i) {
    const Vector3d& point = common.outline.at(i);
    if (common.of_first) {
      const double distance = n.dot(point - b.centre) - b.reach(n) + rise_at(b, feature_b, point, -n);
      points.add(distance, point, point - distance * n);
    } else {
      const double distance = n.dot(a.centre - point) - a.reach(n) + rise_at(a, feature_a, point, n);
      points.add(distance, point + distance * n, point);
    }
  }
  return points;
}

}  // namespace carom
