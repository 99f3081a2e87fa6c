/// Bodies inside a bore and a shell against closed forms.

#include <gtest/gtest.h>

#include "carom/geometry/support.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST(InAShell, ABoxInTheMiddleTouchesWithAllItsCorners) {
  const Shape box = Box{{1.0, 2.0, 2.0}};
  const Shape shell = Shell{3.0};
  EXPECT_NEAR(carom::proximity(box, Pose{}, shell, Pose{}).distance, 0.0, 1e-15);
  const TouchingPoints points = touching_points(box, Pose{}, shell, Pose{}, 1e-12);
  ASSERT_EQ(points.size(), 8);
  for (const TouchingPoint& point : points) {
    EXPECT_NEAR(point.distance, 0.0, 1e-15);
    EXPECT_NEAR((point.normal + point.point_b / 3.0).norm(), 0.0, 1e-15);
  }
}

TEST(InAShell, EveryBodyIsAsFarAsItsFarthestPoint) {
  // |x| is largest where the support function is: compared over many directions.
  Random random(1);
  for (const PairFunction& pair : all_pairs()) {
    if (pair.kind_b != ShapeKind::shell) continue;
    for (int number = 0; number < property_cases(20); ++number) {
      const Case test = random_case(pair, random);
      const double distance = proximity(test).distance;
      const double radius = std::get<Shell>(test.b).radius;
      const Vector3d centre = test.pose_a.position - test.pose_b.position;
      double farthest = 0.0;
      Vector3d best = Vector3d::UnitX();
      const auto look = [&](const Vector3d& n) {
        const double reach = n.dot(centre) + support(test.a, test.pose_a.orientation.conjugate() * n);
        if (reach > farthest) {
          farthest = reach;
          best = n;
        }
      };
      for (int i = 0; i < 2000; ++i) look(random_direction(random));
      const Vector3d coarse = best;
      for (int i = 0; i < 2000; ++i) look((coarse + 0.05 * random.uniform() * random_direction(random)).normalized());
      EXPECT_LE(distance, radius - farthest + 1e-12 * test.scale) << shape_name(test.a);
      EXPECT_GE(distance, radius - farthest - 5e-3 * size_of(test.a)) << shape_name(test.a);
    }
  }
}

TEST(InABore, ABallIsTheSameAsAnEllipsoidAndACapsule) {
  Random random(2);
  for (int number = 0; number < property_cases(60); ++number) {
    const double radius = random.uniform(0.1, 0.9);
    const Shape bore = Bore{1.0, random.uniform(0.2, 2.0)};
    const Pose pose_bore{random_direction(random), random_rotation(random)};
    const Vector3d place((1.0 - radius) * random.uniform(), 0.0, random.uniform(-3.0, 3.0));
    const Pose pose{pose_bore.to_world(place), random_rotation(random)};
    const double ball = carom::proximity(Sphere{radius}, pose, bore, pose_bore).distance;
    EXPECT_NEAR(carom::proximity(Ellipsoid{Vector3d::Constant(radius)}, pose, bore, pose_bore).distance, ball, 1e-12);
    EXPECT_NEAR(carom::proximity(Capsule{radius, 1e-300}, pose, bore, pose_bore).distance, ball, 1e-12);
  }
}

TEST(InABore, ARodThroughTheHoleTouchesBothRims) {
  // In the plane of the axis, inclined by α: it touches the rims at (R, h) and (−R, −h) when tan α = R/h.
  const double radius = 1.0, half_length = 0.5;
  const Shape bore = Bore{radius, half_length};
  for (const double excess : {0.0, -0.1}) {
    const double inclination = std::atan2(radius, half_length) + excess;
    const Pose pose{Vector3d::Zero(), Quaterniond(Eigen::AngleAxisd(inclination, Vector3d::UnitY()))};
    const double expected = std::hypot(radius, half_length) * std::sin(-excess);
    const Proximity nearest = carom::proximity(Rod{5.0}, pose, bore, Pose{});
    EXPECT_NEAR(nearest.distance, expected, 1e-12);
    const TouchingPoints points = touching_points(Rod{5.0}, pose, bore, Pose{}, 1e-9);
    ASSERT_EQ(points.size(), 2);
    EXPECT_NEAR((points[0].point_b + points[1].point_b).norm(), 0.0, 1e-7);
    EXPECT_NEAR((points[0].normal + points[1].normal).norm(), 0.0, 1e-7);
  }
}

TEST(InABore, ABoxLiesOnTheWallWithTheEndsOfAnEdge) {
  // Corners at (±a, −b): the lowest edges lie on the circle where a² + (c + b)² = R².
  const double height = -std::sqrt(1.0 - 0.09) + 0.2;
  const Pose pose{{0.0, height, 0.0}, Quaterniond::Identity()};
  const TouchingPoints points = touching_points(Box{{0.3, 0.2, 0.4}}, pose, Bore{1.0, 2.0}, Pose{}, 1e-12);
  ASSERT_EQ(points.size(), 4);
  for (const TouchingPoint& point : points) {
    EXPECT_NEAR(point.distance, 0.0, 1e-15);
    EXPECT_NEAR(std::abs(point.point_a.x()), 0.3, 1e-15);
    EXPECT_NEAR(std::abs(point.point_a.z()), 0.4, 1e-15);
    EXPECT_NEAR((point.normal + Vector3d(point.point_b.x(), point.point_b.y(), 0.0)).norm(), 0.0, 1e-15);
  }
}

TEST(InAHollow, WhatDoesNotFitOverlaps) {
  EXPECT_LT(carom::proximity(Box{{1, 1, 1}}, Pose{}, Shell{1.5}, Pose{}).distance, 0.0);
  EXPECT_LT(carom::proximity(Cylinder{1.0, 0.1}, Pose{}, Bore{0.9, 0.5}, Pose{}).distance, 0.0);
  EXPECT_GT(carom::proximity(Cylinder{0.8, 0.1}, Pose{}, Bore{0.9, 0.5}, Pose{}).distance, 0.0);
}

}  // namespace
}  // namespace carom::test
