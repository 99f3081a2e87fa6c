#include <gtest/gtest.h>

#include <algorithm>

#include "carom/geometry/pairs/nearest_point.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

const PairFunction& pair() {
  return *find_pair(ShapeKind::ellipsoid, ShapeKind::ellipsoid);
}

/// φ(n) = n·(c_a − c_b) − h_a(n) − h_b(n)
double gap_along(const Case& test, const Vector3d& n) {
  const auto reach = [&](const Shape& shape, const Pose& pose) {
    return std::get<Ellipsoid>(shape).semi_axes.cwiseProduct(pose.orientation.conjugate() * n).norm();
  };
  return n.dot(test.pose_a.position - test.pose_b.position) - reach(test.a, test.pose_a) - reach(test.b, test.pose_b);
}

Case case_of(const Vector3d& axes_a, const Vector3d& centre_a, const Vector3d& axes_b) {
  return {Ellipsoid{axes_a}, Pose{.position = centre_a}, Ellipsoid{axes_b}, Pose{},
          axes_a.norm() + axes_b.norm() + centre_a.norm()};
}

TEST(EllipsoidEllipsoid, OfBallsIsTheClosedForm) {
  const Proximity apart = proximity(case_of({1, 1, 1}, {3, 0, 4}, {2, 2, 2}));
  EXPECT_NEAR(apart.distance, 2.0, 1e-15);
  EXPECT_NEAR((apart.normal - Vector3d(0.6, 0, 0.8)).norm(), 0.0, 1e-15);
  const Proximity deep = proximity(case_of({1, 1, 1}, {0.3, 0, 0.4}, {2, 2, 2}));
  EXPECT_NEAR(deep.distance, -2.5, 1e-15);
  const Proximity concentric = proximity(case_of({1, 1, 1}, {0, 0, 0}, {2, 2, 2}));
  EXPECT_NEAR(concentric.distance, -3.0, 1e-15);
  EXPECT_EQ(concentric.normal, Vector3d::UnitX());
}

TEST(EllipsoidEllipsoid, AlongACommonAxis) {
  EXPECT_NEAR(proximity(case_of({1, 2, 3}, {0, 0, 9}, {2, 1, 4})).distance, 2.0, 1e-14);
  EXPECT_NEAR(proximity(case_of({1, 2, 3}, {0, -9, 0}, {2, 1, 4})).distance, 6.0, 1e-14);
  EXPECT_NEAR(proximity(case_of({1, 2, 3}, {0, 0, 0}, {1, 3, 4})).distance, -2.0, 1e-14);
}

TEST(EllipsoidEllipsoid, WithOneBallAgreesWithSphereEllipsoid) {
  Random random(31);
  for (int number = 0; number < property_cases(5000); ++number) {
    Case test = random_case(pair(), random);
    const double radius = random.uniform(0.1, 2.0);
    test.a = Ellipsoid{{radius, radius, radius}};
    const Proximity general = proximity(test);
    const Proximity closed = carom::proximity(Sphere{radius}, test.pose_a, test.b, test.pose_b);
    ASSERT_NEAR(general.distance, closed.distance, 1e-14 * test.scale) << number;
  }
}

TEST(EllipsoidEllipsoid, NoDirectionGivesALargerGap) {
  Random random(32);
  int overlapping = 0;
  const int cases = property_cases(2000);
  for (int number = 0; number < cases; ++number) {
    const Case test = random_case(pair(), random);
    const double distance = proximity(test).distance;
    overlapping += distance < 0.0 ? 1 : 0;
    // The best of many directions, then a random walk uphill.
    Vector3d best = random_direction(random);
    for (int sample = 0; sample < 400; ++sample) {
      const Vector3d n = random_direction(random);
      if (gap_along(test, n) > gap_along(test, best)) best = n;
    }
    for (double reach = 0.1; reach > 1e-4; reach *= 0.96) {
      const Vector3d n = (best + reach * random_direction(random)).normalized();
      if (gap_along(test, n) > gap_along(test, best)) best = n;
    }
    ASSERT_LE(gap_along(test, best), distance + 1e-13 * test.scale) << number;
    ASSERT_GE(gap_along(test, best), distance - 0.05 * test.scale) << number;
  }
  EXPECT_GE(overlapping, cases / 100);
}

TEST(EllipsoidEllipsoid, ApartAgreesWithAlternatingProjections) {
  Random random(33);
  int compared = 0;
  for (int number = 0; number < property_cases(1000); ++number) {
    const Case test = random_case(pair(), random);
    const Proximity nearest = proximity(test);
    if (nearest.distance < 0.1) continue;
    ++compared;
    const auto project = [](const Shape& shape, const Pose& pose, const Vector3d& point) {
      return pose.to_world(nearest_point(std::get<Ellipsoid>(shape), pose.to_local(point)).point);
    };
    Vector3d on_a = test.pose_a.position;
    Vector3d on_b = test.pose_b.position;
    for (int step = 0; step < 3000; ++step) {
      on_b = project(test.b, test.pose_b, on_a);
      on_a = project(test.a, test.pose_a, on_b);
    }
    ASSERT_NEAR((on_a - on_b).norm(), nearest.distance, 1e-10) << number;
  }
  EXPECT_GT(compared, 0);
}

TEST(EllipsoidEllipsoid, MovedApartByTheirOverlapTheyTouch) {
  Random random(34);
  for (int number = 0; number < property_cases(3000); ++number) {
    Case test = random_case(pair(), random);
    const Proximity nearest = proximity(test);
    test.pose_a.position -= nearest.distance * nearest.normal;
    EXPECT_NEAR(proximity(test).distance, 0.0, 1e-13 * test.scale) << number;
  }
}

TEST(EllipsoidEllipsoid, OfExtremeShapesAndSizesReachTheirMaximum) {
  Random random(35);
  for (int number = 0; number < property_cases(3000); ++number) {
    Case test = random_case(pair(), random);
    for (Shape* shape : {&test.a, &test.b}) {
      Vector3d axes;
      for (int i = 0; i < 3; ++i) axes[i] = std::pow(10.0, random.uniform(-4.0, 2.0));
      *shape = Ellipsoid{axes};
    }
    const double reach = size_of(test.a) + size_of(test.b);
    test.pose_a.position = test.pose_b.position + random.uniform(0.0, 1.2) * reach * random_direction(random);
    // The support point moves by the radius of curvature, up to 1e6 sizes, times the round-off of the normal.
    const Proximity nearest = proximity(test);
    ASSERT_LE(nearest.residual, 1e-9 * reach) << number;
    for (int sample = 0; sample < 200; ++sample) {
      ASSERT_LE(gap_along(test, random_direction(random)), nearest.distance + 1e-14 * (reach + 10.0)) << number;
    }
  }
  const Proximity dust = proximity(case_of({1e-6, 2e-6, 1e-6}, {0, 1e3 + 3e-6, 0}, {1e3, 1e3, 1e3}));
  EXPECT_NEAR(dust.distance, 1e-6, 5e-13);
}

}  // namespace
}  // namespace carom::test
