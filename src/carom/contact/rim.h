#pragma once
/// Points of a rim, a circle about the z axis, that are nearest to a line or to another rim: those near a known one.
///
/// A rim has up to two such points at a line, the ends of the chord above it, and at another rim two crossings. Each is
/// followed by itself: which of them is the nearest of all changes at once.

#include <Eigen/Core>
#include <optional>

#include "carom/geometry/proximity.h"
#include "carom/geometry/shape.h"

namespace carom::contact {

using Eigen::Vector3d;

/// A circle about the z axis.
struct Circle {
  double height = 0.0;  ///< z
  double radius = 0.0;

  [[nodiscard]] Vector3d at(const Eigen::Vector2d& direction) const {
    return {radius * direction.x(), radius * direction.y(), height};
  }
};

/// A straight line, by a point and a unit vector.
struct Line {
  Vector3d anchor, direction;

  [[nodiscard]] Vector3d across(const Vector3d& v) const { return v - direction * direction.dot(v); }
};

/// A point of a rim at which its distance from a line is stationary; all in the frame of the rim.
struct RimAtLine {
  Vector3d point;
  Vector3d tangent;  ///< of the rim there, unit
  Vector3d off;      ///< from the line's nearest point to it
  /// Second derivative of half the squared distance along the rim: the distance has a minimum where it is positive.
  double curvature;
};

/// Where a rim is said to cross a line or another rim, at least by these sines: to be followed as such, and to remain
/// so. What meets at smaller angles has two crossings that are about to become one.
inline constexpr double kCrosses = 0.03, kStillCrosses = 0.01;

/// Whether the minimum is as narrow as that of a rim across the line at such an angle.
inline bool crosses(const RimAtLine& at, const Circle& rim, double sine) {
  return at.curvature > sine * sine * rim.radius * rim.radius;
}

/// The one near `start`.
RimAtLine rim_at_line(const Circle& rim, const Line& line, const Vector3d& start);

/// Two rims whose points are opposite each other, seen along the common perpendicular of their tangents.
struct RimCrossing {
  Vector3d point_a, point_b;  ///< in the frames of their rims
  Vector3d normal;            ///< of both tangents, unit, world
  Vector3d apart;             ///< from b's point to a's, world
  double sine;                ///< of the angle between the tangents
};

/// A rim at its place, and a point of it in its own frame.
struct PlacedRim {
  Circle rim;
  Pose pose;
  Vector3d start;
};

/// The crossing near the two starts.
RimCrossing rims_crossing(const PlacedRim& a, const PlacedRim& b);

}  // namespace carom::contact
