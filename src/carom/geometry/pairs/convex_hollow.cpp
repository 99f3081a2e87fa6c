/// Any bounded convex body inside a shell or a bore: the least distance of its points from the wall.
///
/// Shell: R less the distance of the farthest point from the middle. Bore: the body's far points from the axis, and its
/// lowest and highest ones, each at its distance from the plate (nearest_point.h); where the body sticks out of the
/// bore, the points of the rim as well, each at its distance from the body (the pair with a ball without radius), of
/// which the least ones around the rim are found from 24 of them. A body that does not fit overlaps.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/geometry/pair_table.h"
#include "carom/geometry/pairs/far_points.h"
#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/support.h"

namespace carom {

namespace {

using Eigen::Vector3d;

constexpr int kRimSamples = 24;
constexpr int kMostRimSteps = 60;
/// A rim point as near as this part of the sizes to one that is known already is that one.
constexpr double kSamePoint = 1e-9;

const Shape kPoint = Sphere{0.0};
const Shape kPlane = HalfSpace{};

/// What touches the wall, in the hollow's frame: point_a = point_b + distance · normal.
struct WallPoint {
  double distance;
  Vector3d normal;
  Vector3d point_b;
};

/// The first of the nearest points.
class NearestWall {
 public:
  void add(const WallPoint& point) {
    if (point.distance < best_.distance) best_ = point;
  }
  [[nodiscard]] const WallPoint& best() const { return best_; }

 private:
  WallPoint best_{std::numeric_limits<double>::infinity(), Vector3d::UnitX(), Vector3d::Zero()};
};

Pose relative(const Pose& body, const Pose& hollow) {
  return {.position = hollow.to_local(body.position),
          .orientation = (hollow.orientation.conjugate() * body.orientation).normalized()};
}

template <class Visit>
void for_each_wall_point(const Shell& shell, const Shape& body, const Pose& pose, const Visit& visit) {
  const FarPoints points(body, pose, HollowMiddle::point);
  points.for_each([&](const Vector3d& core) {
    const NearestPoint nearest = nearest_point(shell, core);
    visit(WallPoint{nearest.distance - points.radius(), nearest.normal, nearest.point});
  });
}

/// The distance of the body from the points of one rim.
class Rim {
 public:
  Rim(const Bore& bore, double height, const Shape& body, const Pose& pose)
      : radius_(bore.radius),
        height_(height),
        body_(body),
        pose_(pose),
        to_point_(find_pair(shape_kind(body), ShapeKind::sphere)) {}

  /// The least distances around the rim.
  template <class Visit>
  void for_each(const Visit& visit) {
    std::array<Place, kRimSamples> places;
    for (int k = 0; k < kRimSamples; ++k)
      places[static_cast<std::size_t>(k)] = at(2.0 * std::numbers::pi * k / kRimSamples);
    bool any = false;
    for (std::size_t k = 0; k < kRimSamples; ++k) {
      Place low = places[k], high = places[(k + 1) % kRimSamples];
      if (k + 1 == kRimSamples) high.angle += 2.0 * std::numbers::pi;
      if (!(low.slope < 0.0 && high.slope >= 0.0)) continue;
      any = true;
      visit(lowest_between(low, high).wall);
    }
    if (!any)
      visit(std::min_element(places.begin(), places.end(), [](const Place& x, const Place& y) {
              return x.wall.distance < y.wall.distance;
            })->wall);
  }

 private:
  struct Place {
    double angle;
    double slope;  // of the distance, over the angle
    WallPoint wall;
  };

  [[nodiscard]] Place at(double angle) {
    const Vector3d point(radius_ * std::cos(angle), radius_ * std::sin(angle), height_);
    const Proximity nearest = to_point_->proximity_from(body_, pose_, kPoint, Pose{.position = point}, hint_);
    const Vector3d around(-point.y(), point.x(), 0.0);
    return {angle, -nearest.normal.dot(around), {nearest.distance, normal_at(point, nearest), point}};
  }

  /// A rod that meets a point has no normal; across the rim and the rod, towards the axis of the bore, it has.
  [[nodiscard]] Vector3d normal_at(const Vector3d& point, const Proximity& nearest) const {
    const Rod* rod = std::get_if<Rod>(&body_);
    if (rod == nullptr || nearest.distance > kSamePoint * rod->half_length) return nearest.normal;
    const Vector3d line = pose_.orientation * Vector3d::UnitZ();
    const Vector3d across = line.cross(Vector3d(-point.y(), point.x(), 0.0));
    if (!(across.norm() > kSamePoint * radius_)) return nearest.normal;
    return (across.head<2>().dot(point.head<2>()) < 0.0 ? across : Vector3d(-across)).normalized();
  }

  /// The zero of the slope, by the method of false position with bisection.
  Place lowest_between(Place low, Place high) {
    for (int count = 0; count < kMostRimSteps && high.angle - low.angle > 1e-15; ++count) {
      const double part = low.slope / (low.slope - high.slope);
      const bool halve = count % 3 == 2 || !(part > 0.0 && part < 1.0);
      const Place middle = at(low.angle + (halve ? 0.5 : part) * (high.angle - low.angle));
      if (middle.angle <= low.angle || middle.angle >= high.angle) break;
      (middle.slope < 0.0 ? low : high) = middle;
    }
    return low.wall.distance <= high.wall.distance ? low : high;
  }

  double radius_, height_;
  const Shape& body_;
  const Pose& pose_;
  const PairFunction* to_point_;
  ProximityHint hint_;
};

template <class Visit>
void for_each_wall_point(const Bore& bore, const Shape& body, const Pose& pose, const Visit& visit) {
  const FarPoints points(body, pose, HollowMiddle::axis);
  const auto visit_core = [&](const Vector3d& core) {
    const NearestPoint nearest = nearest_point(bore, core);
    visit(WallPoint{nearest.distance - points.radius(), nearest.normal, nearest.point});
  };
  points.for_each(visit_core);
  const Vector3d up = pose.orientation.conjugate() * Vector3d::UnitZ();
  const double highest = pose.position.z() + support(body, up);
  const double lowest = pose.position.z() - support(body, -up);
  for (const double end : {-1.0, 1.0}) {
    const double beyond = end > 0.0 ? highest - bore.half_length : -bore.half_length - lowest;
    if (!(beyond > 0.0)) continue;
    // Beside the bore the plate's face is nearest to what is lowest over it.
    const Proximity over = convex_half_space(
        body, pose, kPlane, half_space_pose(end * Vector3d::UnitZ(), Vector3d(0.0, 0.0, end * bore.half_length)));
    if (over.point_b.head<2>().norm() >= bore.radius && over.distance > 0.0)
      visit(WallPoint{over.distance, over.normal, over.point_b});
    Rim(bore, end * bore.half_length, body, pose).for_each(visit);
  }
}

Proximity in_world(const WallPoint& wall, const Pose& hollow) {
  const Vector3d normal = hollow.orientation * wall.normal;
  const Vector3d point = hollow.to_world(wall.point_b);
  return {.distance = wall.distance, .normal = normal, .point_a = point + wall.distance * normal, .point_b = point};
}

template <class Hollow>
Proximity nearest_in(const Shape& body, const Pose& pose_a, const Hollow& hollow, const Pose& pose_b) {
  NearestWall nearest;
  for_each_wall_point(hollow, body, relative(pose_a, pose_b), [&](const WallPoint& point) { nearest.add(point); });
  return in_world(nearest.best(), pose_b);
}

template <class Hollow>
TouchingPoints touching_in(const Shape& body, const Pose& pose_a, const Hollow& hollow, const Pose& pose_b,
                           double tolerance) {
  const Proximity nearest = nearest_in(body, pose_a, hollow, pose_b);
  TouchingPoints points(nearest.normal);
  const double near = kSamePoint * (bounding_radius(body) + hollow.radius);
  for_each_wall_point(hollow, body, relative(pose_a, pose_b), [&](const WallPoint& wall) {
    if (wall.distance > nearest.distance + tolerance || points.size() == TouchingPoints::kCapacity) return;
    const Vector3d normal = pose_b.orientation * wall.normal;
    const Vector3d point = pose_b.to_world(wall.point_b);
    for (const TouchingPoint& known : points)
      if ((known.point_b - point).norm() <= near) return;
    points.add({wall.distance, point + wall.distance * normal, point, normal});
  });
  return points;
}

}  // namespace

Proximity convex_shell(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return nearest_in(a, pose_a, std::get<Shell>(b), pose_b);
}
Proximity convex_bore(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return nearest_in(a, pose_a, std::get<Bore>(b), pose_b);
}
Proximity convex_bore_rim(const Shape& a, const Pose& pose_a, const Bore& bore, const Pose& pose_b) {
  const Pose pose = relative(pose_a, pose_b);
  NearestWall nearest;
  for (const double end : {-1.0, 1.0}) {
    const Vector3d out = pose.orientation.conjugate() * Vector3d(0.0, 0.0, end);
    if (!(end * pose.position.z() + support(a, out) > bore.half_length)) continue;
    Rim(bore, end * bore.half_length, a, pose).for_each([&](const WallPoint& point) { nearest.add(point); });
  }
  return in_world(nearest.best(), pose_b);
}
TouchingPoints convex_shell_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     double tolerance) {
  return touching_in(a, pose_a, std::get<Shell>(b), pose_b, tolerance);
}
TouchingPoints convex_bore_touching(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                    double tolerance) {
  return touching_in(a, pose_a, std::get<Bore>(b), pose_b, tolerance);
}

}  // namespace carom
