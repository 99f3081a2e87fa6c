#include "carom/geometry/convex/outline.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace carom {

namespace {

using Eigen::Vector3d;

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

}  // namespace

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

CommonPart common_part(const Outline& first, const Outline& second, const Vector3d& n, double tolerance, double slack) {
  const bool of_first = first.count <= second.count;
  const Outline& subject = of_first ? first : second;
  const Outline& window = of_first ? second : first;
  return {window.count == 2 ? overlap(subject, window, tolerance, slack) : clipped(subject, window, n, slack),
          of_first};
}

Outline with_fewer_corners(const Outline& polygon, int most, const Vector3d& n) {
  Outline result = polygon;
  while (result.count > most) {
    int least = 0;
    double least_area = std::numeric_limits<double>::infinity();
    for (int i = 0; i < result.count; ++i) {
      const Vector3d& here = result.at(i);
      const double area = std::abs(n.dot((result.at(i + 1) - here).cross(result.at(i + result.count - 1) - here)));
      if (area < least_area) {
        least_area = area;
        least = i;
      }
    }
    for (int i = least; i + 1 < result.count; ++i)
      result.corners[static_cast<std::size_t>(i)] = result.corners[static_cast<std::size_t>(i) + 1];
    --result.count;
  }
  return result;
}

}  // namespace carom
