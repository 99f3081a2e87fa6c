#include "carom/contact/rim.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace carom::contact {

namespace {

using Eigen::Vector2d;

/// Newton's steps, at most; the largest one [rad]; and the one after which nothing is left, since the next would be its
/// square.
constexpr int kMostTurnsOfRim = 30;
constexpr double kLargestTurnOfRim = 0.3, kLastTurnOfRim = 1e-8;

/// A direction in the plane of a rim, turned by an angle that is small in the end.
Vector2d turned_on_rim(const Vector2d& direction, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return Vector2d(c * direction.x() - s * direction.y(), s * direction.x() + c * direction.y()).normalized();
}

Vector3d tangent_at(const Vector2d& direction) {
  return {-direction.y(), direction.x(), 0.0};
}

Vector3d to_middle(const Circle& rim, const Vector2d& direction) {
  return {-rim.radius * direction.x(), -rim.radius * direction.y(), 0.0};
}

}  // namespace

// With the angle φ of p(φ) = c + r e(φ) and the difference d across the line: ½|d|² has the slope d·p' and the
// curvature |p'|² − (p'·u)² + d·p''.
RimAtLine rim_at_line(const Circle& rim, const Line& line, const Vector3d& start) {
  Vector2d direction = start.head<2>().normalized();
  RimAtLine at{};
  bool last = false;
  for (int k = 0; k < kMostTurnsOfRim; ++k) {
    at.point = rim.at(direction);
    at.tangent = tangent_at(direction);
    at.off = line.across(at.point - line.anchor);
    const double slope = rim.radius * at.off.dot(at.tangent);
    const Vector3d run = rim.radius * line.across(at.tangent);
    at.curvature = run.squaredNorm() + at.off.dot(to_middle(rim, direction));
    if (last) break;
    // Downhill where there is no minimum near.
    const double turn = at.curvature > 0.0 ? -slope / at.curvature : -std::copysign(kLargestTurnOfRim, slope);
    last = std::abs(turn) <= kLastTurnOfRim;
    direction = turned_on_rim(direction, std::clamp(turn, -kLargestTurnOfRim, kLargestTurnOfRim));
  }
  return at;
}

// d = p − q with d·p' = 0 and d·q' = 0, by Newton's method in both angles. At d = 0 its matrix is that of the products
// of the tangents, which is regular where these cross.
RimCrossing rims_crossing(const PlacedRim& a, const PlacedRim& b) {
  Vector2d of_a = a.start.head<2>().normalized(), of_b = b.start.head<2>().normalized();
  RimCrossing at{};
  bool last = false;
  for (int k = 0; k < kMostTurnsOfRim; ++k) {
    at.point_a = a.rim.at(of_a);
    at.point_b = b.rim.at(of_b);
    const Vector3d run_a = a.rim.radius * (a.pose.orientation * tangent_at(of_a));
    const Vector3d run_b = b.rim.radius * (b.pose.orientation * tangent_at(of_b));
    at.apart = a.pose.to_world(at.point_a) - b.pose.to_world(at.point_b);
    at.normal = run_a.cross(run_b);
    at.sine = at.normal.norm() / (a.rim.radius * b.rim.radius);
    const double aa = run_a.squaredNorm() + at.apart.dot(a.pose.orientation * to_middle(a.rim, of_a));
    const double bb = run_b.squaredNorm() - at.apart.dot(b.pose.orientation * to_middle(b.rim, of_b));
    const double ab = -run_a.dot(run_b);
    const double fa = at.apart.dot(run_a), fb = -at.apart.dot(run_b);
    const double determinant = aa * bb - ab * ab;
    if (last || !(determinant > 0.0)) break;
    const double turn_a = (ab * fb - bb * fa) / determinant, turn_b = (ab * fa - aa * fb) / determinant;
    last = std::max(std::abs(turn_a), std::abs(turn_b)) <= kLastTurnOfRim;
    of_a = turned_on_rim(of_a, std::clamp(turn_a, -kLargestTurnOfRim, kLargestTurnOfRim));
    of_b = turned_on_rim(of_b, std::clamp(turn_b, -kLargestTurnOfRim, kLargestTurnOfRim));
  }
  at.normal.normalize();
  return at;
}

}  // namespace carom::contact
