#include "carom/geometry/pairs/box_features.h"

#include <array>
#include <cmath>

namespace carom {

namespace {

using Eigen::Vector3d;

/// Corners may lie outside a side by this part of the sizes and still count as inside.
constexpr double kSlack = 1e-12;

/// A convex polygon, a segment or a point, the corners in order.
struct Outline {
  std::array<Vector3d, TouchingPoints::kCapacity> corners;
  int count = 0;

  void add(const Vector3d& corner) {
    CAROM_ASSERT(count < TouchingPoints::kCapacity);
    corners[static_cast<std::size_t>(count++)] = corner;
  }
  [[nodiscard]] const Vector3d& at(int i) const { return corners[static_cast<std::size_t>(i % count)]; }
  [[nodiscard]] Vector3d middle() const {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < count; ++i) sum += at(i);
    return sum / count;
  }
};

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

/// What is left of `subject` on the inner side of the plane through `through` with the outward direction `outwards`.
Outline cut(const Outline& subject, const Vector3d& through, const Vector3d& outwards, double slack) {
  Outline kept;
  for (int i = 0; i < subject.count; ++i) {
    const Vector3d& from = subject.at(i);
    const Vector3d& to = subject.at(i + 1);
    const double from_out = outwards.dot(from - through);
    const double to_out = outwards.dot(to - through);
    if (from_out <= slack) kept.add(from);
    const bool crosses = (from_out <= slack) != (to_out <= slack);
    // A corner within the slack stays as it is; only real crossings make a new one.
    if (crosses && std::max(from_out, to_out) > slack && std::min(from_out, to_out) < 0.0) {
      kept.add(from + from_out / (from_out - to_out) * (to - from));
    }
  }
  return kept;
}

/// Without corners that repeat an earlier one.
Outline distinct(const Outline& outline, double slack) {
  Outline result;
  for (int i = 0; i < outline.count; ++i) {
    bool repeated = false;
    for (int k = 0; k < result.count; ++k) repeated = repeated || (outline.at(i) - result.at(k)).norm() <= slack;
    if (!repeated) result.add(outline.at(i));
  }
  return result;
}

/// `subject` cut off at all sides of the polygon `window`, both seen along n.
Outline clipped(const Outline& subject, const Outline& window, const Vector3d& n, double slack) {
  const Vector3d middle = window.middle();
  Outline result = subject;
  for (int i = 0; i < window.count && result.count > 0; ++i) {
    Vector3d outwards = (window.at(i + 1) - window.at(i)).cross(n).normalized();
    if (outwards.dot(window.at(i) - middle) < 0.0) outwards = -outwards;
    result = distinct(cut(result, window.at(i), outwards, slack), slack);
  }
  return result;
}

/// The common part of two segments, where they are parallel to the tolerance; empty otherwise.
Outline overlap(const Outline& segment, const Outline& other, double tolerance, double slack) {
  const Vector3d side = segment.at(1) - segment.at(0);
  const Vector3d other_side = other.at(1) - other.at(0);
  const double length = side.norm();
  const Vector3d along = side / length;
  Outline result;
  if (along.cross(other_side).norm() > tolerance) return result;
  const double begin = along.dot(other.at(0) - segment.at(0));
  const double end = along.dot(other.at(1) - segment.at(0));
  const double low = std::max(0.0, std::min(begin, end));
  const double high = std::min(length, std::max(begin, end));
  if (low > high) return result;
  result.add(segment.at(0) + low * along);
  if (high > low + slack) result.add(segment.at(0) + high * along);
  return result;
}

}  // namespace

TouchingPoints touching_features(const PlacedBox& a, const PlacedBox& b, const Proximity& nearest, double tolerance) {
  const Vector3d& n = nearest.normal;
  const Outline feature_a = lowest_feature(a, n, tolerance);
  const Outline feature_b = lowest_feature(b, -n, tolerance);
  if (feature_a.count == 1 || feature_b.count == 1) return TouchingPoints(nearest);

  const bool a_is_cut = feature_a.count <= feature_b.count;
  const Outline& subject = a_is_cut ? feature_a : feature_b;
  const Outline& window = a_is_cut ? feature_b : feature_a;
  const double slack = kSlack * (a.half_sizes.maxCoeff() + b.half_sizes.maxCoeff());
  const Outline common =
      window.count == 2 ? overlap(subject, window, tolerance, slack) : clipped(subject, window, n, slack);
  if (common.count == 0) return TouchingPoints(nearest);

  // Each point's partner is straight below or above it in the other box's supporting plane.
  TouchingPoints points(n);
  for (int i = 0; i < common.count; ++i) {
    const Vector3d& point = common.at(i);
    if (a_is_cut) {
      const double distance = n.dot(point - b.centre) - b.reach(n);
      points.add({distance, point, point - distance * n});
    } else {
      const double distance = n.dot(a.centre - point) - a.reach(n);
      points.add({distance, point + distance * n, point});
    }
  }
  return points;
}

}  // namespace carom
