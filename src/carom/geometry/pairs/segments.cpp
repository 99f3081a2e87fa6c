/// Capsules and rods: segments, with a radius or without. A ball and a segment: the nearest point of the segment.
///
/// Two segments c + s u, |s| ≤ a and t v, |t| ≤ b: |c + s u − t v|² is least where s = ((u·v)(v·c) − u·c)/|u×v|² and t
/// likewise, both brought back to the ends, one after the other (Ericson, Real-Time Collision Detection, 2005, section
/// 5.1.9); where they are parallel, at the middle of what lies side by side. The normal is along the difference of the
/// nearest points: as it is, across one of the lines, or across both, u × v, which is well known even where the
/// segments meet; of these the one with the largest s(n) = n·c − a |n·u| − b |n·v|.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/convex/convex_gap.h"
#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr double kRodSkin = 1e-13;     // of the lengths: a radius of rods that meet each other
constexpr double kSideBySide = 1e-12;  // of the lengths: how far the ends of parallel segments may be off

NearestPoint nearest_on_segment(double half_length, double radius, const Vector3d& from) {
  const Vector3d core(0.0, 0.0, std::clamp(from.z(), -half_length, half_length));
  const Vector3d arm = from - core;
  const double distance = length(arm);
  const Vector3d normal = distance > 0.0 ? Vector3d(arm / distance) : Vector3d(Vector3d::UnitX());
  return {distance - radius, normal, core + radius * normal};
}

/// A segment at its place, the other's position as the origin.
struct PlacedSegment {
  Vector3d direction;
  double half_length;
  double radius;

  PlacedSegment(const Capsule& capsule, const Pose& pose)
      : direction(pose.orientation * Vector3d::UnitZ()), half_length(capsule.half_length), radius(capsule.radius) {}
  PlacedSegment(const Rod& rod, const Pose& pose)
      : direction(pose.orientation * Vector3d::UnitZ()), half_length(rod.half_length), radius(0.0) {}
};

/// Any unit vector across u.
Vector3d any_across(const Vector3d& u) {
  int smallest = 0;
  u.cwiseAbs().minCoeff(&smallest);
  return u.cross(Vector3d::Unit(smallest)).normalized();
}

template <class A, class B>
Proximity segment_segment(const A& shape_a, const Pose& pose_a, const B& shape_b, const Pose& pose_b) {
  const PlacedSegment a(shape_a, pose_a), b(shape_b, pose_b);
  const Vector3d c = pose_a.position - pose_b.position;
  const Vector3d& u = a.direction;
  const Vector3d& v = b.direction;
  const Vector3d cross = u.cross(v);
  const double sine = cross.norm();
  const double cosine = u.dot(v);
  const double scale = c.norm() + a.half_length + b.half_length;
  const bool parallel = sine * std::min(a.half_length, b.half_length) <= kSideBySide * scale;
  double s = 0.0;
  if (parallel) {
    const double middle = -u.dot(c);
    const double low = std::max(-a.half_length, middle - b.half_length);
    const double high = std::min(a.half_length, middle + b.half_length);
    s = std::clamp(0.5 * (low + high), -a.half_length, a.half_length);
  } else {
    s = std::clamp((cosine * v.dot(c) - u.dot(c)) / (sine * sine), -a.half_length, a.half_length);
  }
  const double t = std::clamp(v.dot(c) + s * cosine, -b.half_length, b.half_length);
  if (!parallel || std::abs(t) == b.half_length) s = std::clamp(t * cosine - u.dot(c), -a.half_length, a.half_length);

  const auto gap = [&](const Vector3d& normal) {
    return normal.dot(c) - a.half_length * std::abs(normal.dot(u)) - b.half_length * std::abs(normal.dot(v));
  };
  const Vector3d apart = c + s * u - t * v;
  Vector3d n = any_across(u);
  double value = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector3d& direction) {
    const double size = length(direction);
    if (!(size > 0.0)) return;
    const double found = gap(direction / size);
    if (found <= value) return;
    n = direction / size;
    value = found;
  };
  // Across a line twice: what round-off leaves along it would reach its end.
  const auto across = [&](const Vector3d& line) {
    const Vector3d off = (apart - apart.dot(line) * line).stableNormalized();
    return Vector3d(off - off.dot(line) * line);
  };
  consider(apart);
  consider(across(u));
  consider(across(v));
  if (sine > 0.0) {
    const Vector3d off = cross / sine;
    const Vector3d both = off - off.dot(u) * u;
    consider(both.dot(c) < 0.0 ? Vector3d(-both) : both);
  }
  if (!(value > -std::numeric_limits<double>::infinity())) value = gap(n);
  return {.distance = value - a.radius - b.radius,
          .normal = n,
          .point_a = pose_a.position + s * u - a.radius * n,
          .point_b = pose_b.position + t * v + b.radius * n};
}

template <class A, class B>
TouchingPoints segments_touching(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double tolerance) {
  const Shape shape_a = a, shape_b = b;
  const ConvexGap gap(shape_a, pose_a, shape_b, pose_b);
  return touching_features(gap, segment_segment(a, pose_a, b, pose_b), tolerance, pose_b.position);
}

}  // namespace

NearestPoint nearest_point(const Capsule& capsule, const Vector3d& from) {
  return nearest_on_segment(capsule.half_length, capsule.radius, from);
}

NearestPoint nearest_point(const Rod& rod, const Vector3d& from) {
  return nearest_on_segment(rod.half_length, 0.0, from);
}

Proximity sphere_capsule(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}
Proximity sphere_rod(const Sphere& a, const Pose& pose_a, const Rod& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

Proximity capsule_capsule(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b) {
  return segment_segment(a, pose_a, b, pose_b);
}
Proximity capsule_rod(const Capsule& a, const Pose& pose_a, const Rod& b, const Pose& pose_b) {
  return segment_segment(a, pose_a, b, pose_b);
}
// Lines without thickness have no inside: a step of round-off beyond their contact the normal would be the opposite
// one. So they meet a little before, on the side that they come from.
Proximity rod_rod(const Rod& a, const Pose& pose_a, const Rod& b, const Pose& pose_b) {
  Proximity nearest = segment_segment(a, pose_a, b, pose_b);
  const double skin = kRodSkin * (a.half_length + b.half_length);
  nearest.distance -= 2.0 * skin;
  nearest.point_a -= skin * nearest.normal;
  nearest.point_b += skin * nearest.normal;
  return nearest;
}

TouchingPoints capsule_capsule_touching(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                                        double tolerance) {
  return segments_touching(a, pose_a, b, pose_b, tolerance);
}
TouchingPoints capsule_rod_touching(const Capsule& a, const Pose& pose_a, const Rod& b, const Pose& pose_b,
                                    double tolerance) {
  return segments_touching(a, pose_a, b, pose_b, tolerance);
}
TouchingPoints rod_rod_touching(const Rod& a, const Pose& pose_a, const Rod& b, const Pose& pose_b, double tolerance) {
  const TouchingPoints points = segments_touching(a, pose_a, b, pose_b, tolerance);
  return points.size() == 1 ? TouchingPoints(rod_rod(a, pose_a, b, pose_b)) : points;
}

}  // namespace carom
