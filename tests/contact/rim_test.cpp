#include "carom/contact/rim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/contact/contact_point.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/attitude.h"

namespace carom::contact {
namespace {

/// A standing cylinder whose end lies on the side of a log along x, the middle of its disc above (x, y) of the log.
struct DiscOnLog {
  static constexpr double kRadius = 0.3, kHalf = 0.2, kLog = 0.5;
  Shape standing = Cylinder{kRadius, kHalf}, log = Cylinder{kLog, 2.0};
  Pose pose_standing, pose_log;

  DiscOnLog(double x, double y) {
    pose_log.orientation = Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()));
    pose_log.position = {0.0, 0.0, -kLog};
    pose_standing.position = {x, y, kHalf};
  }
  /// Turned about the middle of the disc.
  [[nodiscard]] DiscOnLog turned(const Vector3d& by) const {
    DiscOnLog later = *this;
    const Vector3d middle = pose_standing.position - Vector3d(0.0, 0.0, kHalf);
    later.pose_standing.orientation = rotation_by(by);
    later.pose_standing.position = middle + later.pose_standing.orientation * Vector3d(0.0, 0.0, kHalf);
    return later;
  }
  [[nodiscard]] const PairFunction& pair() const { return *find_pair(shape_kind(standing), shape_kind(log)); }
  [[nodiscard]] PlacedPair placed() const { return {standing, pose_standing, log, pose_log}; }
  [[nodiscard]] std::vector<ContactPoint> closed(double tolerance = 1e-10) const {
    std::vector<ContactPoint> found;
    append_closed_contacts(pair(), placed(), tolerance, found);
    std::sort(found.begin(), found.end(),
              [](const ContactPoint& one, const ContactPoint& other) { return one.point_a.x() < other.point_a.x(); });
    return found;
  }
  /// The least gap of points of the rim on one side (−1 or 1 along x of the standing cylinder), looked for everywhere.
  [[nodiscard]] double least_gap(double side) const {
    double least = 1e9;
    for (int k = 0; k <= 20000; ++k) {
      const double angle = std::numbers::pi * (k / 20000.0 - 0.5);
      const Vector3d local(side * kRadius * std::cos(angle), kRadius * std::sin(angle), -kHalf);
      const Vector3d at = pose_standing.to_world(local) - pose_log.position;
      least = std::min(least, std::hypot(at.y(), at.z()) - kLog);
    }
    return least;
  }
};

TEST(Rim, ADiscLiesOnALogWithBothEndsOfAChord) {
  const double y = 0.12, half_chord = std::sqrt(0.3 * 0.3 - y * y);
  const DiscOnLog scene(0.4, y);
  const std::vector<ContactPoint> closed = scene.turned({0.0, 0.0, 0.7}).closed();
  ASSERT_EQ(closed.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_TRUE(std::holds_alternative<RimOnLine>(closed[k].feature));
    // On the rim itself, not on the corners of what stands for it.
    EXPECT_NEAR((closed[k].point_a - Vector3d(0.4 + (k == 0 ? -1.0 : 1.0) * half_chord, 0.0, 0.0)).norm(), 0.0, 1e-14);
  }
}

TEST(Rim, EachEndOfAChordIsFollowedByItself) {
  const DiscOnLog scene(0.4, 0.12);
  const std::vector<ContactPoint> flat = scene.closed();
  ASSERT_EQ(flat.size(), 2u);
  // As the disc tilts to one side and the other, the lower end would be the nearest point of all.
  for (const double tilt : {-0.03, -1e-3, 1e-3, 0.03}) {
    const DiscOnLog tilted = scene.turned({0.3 * tilt, tilt, 0.2});
    for (std::size_t k = 0; k < 2; ++k) {
      const ContactPoint end = followed(flat[k], tilted.pair(), tilted.placed());
      EXPECT_NEAR(end.gap, tilted.least_gap(k == 0 ? -1.0 : 1.0), 1e-9) << tilt << " " << k;
      EXPECT_EQ(end.point_a.x() < 0.4, k == 0);
      EXPECT_NEAR((end.point_a - end.point_b - end.gap * end.normal).norm(), 0.0, 1e-15);
      EXPECT_TRUE(same_feature(end, tilted.pair(), tilted.placed(), 0.1));  // however far apart
    }
    const double lower = std::min(tilted.least_gap(-1.0), tilted.least_gap(1.0));
    EXPECT_NEAR(tilted.pair().proximity(tilted.standing, tilted.pose_standing, tilted.log, tilted.pose_log).distance,
                lower, 1e-9);
  }
}

TEST(Rim, ItsEndIsLeftWhereTheLogEnds) {
  const DiscOnLog scene(1.6, 0.0);  // one end of the chord at 1.9, the log ends at 2
  const ContactPoint end = scene.closed().at(1);
  EXPECT_TRUE(same_feature(end, scene.pair(), scene.placed()));
  const DiscOnLog inside(1.7 - 1e-8, 0.0), outside(1.7 + 1e-8, 0.0);
  EXPECT_TRUE(same_feature(end, inside.pair(), inside.placed()));
  EXPECT_FALSE(same_feature(end, outside.pair(), outside.placed()));
  // And where the chord becomes a point.
  const DiscOnLog aside(0.4, 0.2999999);
  EXPECT_FALSE(same_feature(end, aside.pair(), aside.placed()));
}

TEST(Rim, ADiscThatLeansOnAFaceTouchesWithItsLowestPoint) {
  // Half way between points of the rim that are fixed in the body the disc would be lower by rθ(1 − cos 22.5°).
  const double radius = 0.3, lean = 1e-5;
  const Shape disc = Cylinder{radius, 0.2}, table = Box{{1.0, 1.0, 0.5}};
  for (const double direction : {0.0, 0.2, 0.39, 0.6, 2.0}) {
    const Vector3d axis(-std::sin(direction), std::cos(direction), 0.0);
    Pose pose{{0.1, -0.2, 0.2}, Quaterniond(Eigen::AngleAxisd(lean, axis))};
    const Pose at{{0.0, 0.0, -0.5}, Quaterniond::Identity()};
    const TouchingPoints points = touching_points(disc, pose, table, at, 1e-4);
    ASSERT_EQ(points.size(), 8);
    double lowest = 1.0;
    for (const TouchingPoint& point : points) lowest = std::min(lowest, point.distance);
    EXPECT_NEAR(lowest, 0.2 * (1.0 - std::cos(lean)) - radius * std::sin(lean), 1e-15);
  }
}

TEST(Rim, TwoRimsCrossAtTheCornersOfTheLens) {
  const double apart = 0.5, radius = 0.4, other = 0.3, gap = 1e-3;
  // Circles about (0, 0) and (0.5, 0): x = (d² + r² − s²)/2d.
  const double x = (apart * apart + radius * radius - other * other) / (2.0 * apart);
  const double y = std::sqrt(radius * radius - x * x);
  for (const double side : {-1.0, 1.0}) {
    const PlacedRim a{{0.1, radius}, {{0.0, 0.0, gap - 0.1}, Quaterniond::Identity()}, {0.3, 0.2 * side, 0.1}};
    const PlacedRim b{{0.2, other}, {{apart, 0.0, -0.2}, Quaterniond::Identity()}, {-0.2, 0.2 * side, 0.2}};
    const RimCrossing at = rims_crossing(a, b);
    EXPECT_NEAR((at.point_a - Vector3d(x, side * y, 0.1)).norm(), 0.0, 1e-14);
    EXPECT_NEAR((at.point_b - Vector3d(x - apart, side * y, 0.2)).norm(), 0.0, 1e-14);
    EXPECT_NEAR(std::abs(at.normal.z()), 1.0, 1e-15);
    EXPECT_NEAR((at.apart - Vector3d(0.0, 0.0, gap)).norm(), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace carom::contact
