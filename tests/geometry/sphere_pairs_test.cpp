/// Spheres against the shapes with closed forms: values by hand, and the places where the nearest point is not unique.

#include <gtest/gtest.h>

#include "carom/geometry/pairs/nearest_point.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// A unit sphere (unless told) with its centre here against a shape at the origin.
Proximity from(const Vector3d& centre, const Shape& shape, double radius = 1.0) {
  return carom::proximity(Sphere{radius}, Pose{.position = centre}, shape, Pose{});
}

void expect(const Proximity& nearest, double distance, const Vector3d& normal) {
  EXPECT_DOUBLE_EQ(nearest.distance, distance);
  EXPECT_NEAR((nearest.normal - normal).norm(), 0.0, 4e-16) << nearest.normal.transpose();
}

TEST(SphereSphere, StandsAlongTheLineOfCentres) {
  expect(from({3, 0, 4}, Sphere{2}), 2.0, {0.6, 0, 0.8});
  expect(from({0, 0, -0.5}, Sphere{2}), -2.5, {0, 0, -1});
  expect(from({0, 0, 0}, Sphere{2}), -3.0, {1, 0, 0});
}

TEST(SphereSphere, KeepsTheNormalOfTinyAndHugeDistances) {
  const Proximity tiny =
      carom::proximity(Sphere{1e-200}, Pose{.position = {3e-200, 4e-200, 0}}, Sphere{1e-200}, Pose{});
  EXPECT_NEAR((tiny.normal - Vector3d(0.6, 0.8, 0)).norm(), 0.0, 4e-16);
  EXPECT_NEAR(tiny.distance, 3e-200, 1e-214);
  expect(from({3e200, 4e200, 0}, Sphere{1}), 5e200, {0.6, 0.8, 0});
}

TEST(SphereHalfSpace, IsTheHeightLessTheRadius) {
  expect(from({7, -3, 4}, HalfSpace{}), 3.0, {0, 0, 1});
  expect(from({7, -3, -4}, HalfSpace{}), -5.0, {0, 0, 1});
  const Proximity oblique =
      carom::proximity(Sphere{1}, Pose{.position = {5, 9, 5}}, HalfSpace{}, half_space_pose({0.6, 0, 0.8}, {0, 9, 0}));
  EXPECT_NEAR(oblique.distance, 6.0, 2e-15);
}

TEST(NearestPoint, OfAHalfSpaceIsStraightBelow) {
  const NearestPoint nearest = nearest_point(HalfSpace{}, {7, -3, -4});
  EXPECT_EQ(nearest.distance, -4.0);
  EXPECT_EQ(nearest.normal, Vector3d::UnitZ());
  EXPECT_EQ(nearest.point, Vector3d(7, -3, 0));
}

TEST(SphereBox, MeetsFacesEdgesAndVertices) {
  const Box box{{1, 2, 3}};
  expect(from({4, 0.5, 0.5}, box), 2.0, {1, 0, 0});
  expect(from({0.5, -5, 0.5}, box), 2.0, {0, -1, 0});
  expect(from({4, 6, 0.5}, box), 4.0, {0.6, 0.8, 0});
  expect(from({3, 4, -4}, box), 2.0, Vector3d(2, 2, -1) / 3.0);
}

TEST(SphereBox, FromInsideLeavesByTheNearestFace) {
  const Box box{{1, 2, 3}};
  expect(from({0.75, 0, 0}, box), -1.25, {1, 0, 0});
  expect(from({0, -1.75, 2.5}, box), -1.25, {0, -1, 0});
  expect(from({0, 0, 0}, box), -2.0, {1, 0, 0});
  expect(from({0, 0, 0}, Box{{1, 1, 1}}), -2.0, {1, 0, 0});
  expect(from({-0.5, 0.5, 0}, Box{{1, 1, 1}}), -1.5, {-1, 0, 0});
}

TEST(SphereBox, WithTheCentreOnTheSurfaceHasTheFacesNormal) {
  const Box box{{1, 2, 3}};
  expect(from({1, 0, 0}, box), -1.0, {1, 0, 0});
  expect(from({0, 0, -3}, box), -1.0, {0, 0, -1});
  expect(from({1, 2, 0}, box), -1.0, {1, 0, 0});
  expect(from({-1, -2, -3}, box), -1.0, {-1, 0, 0});
}

TEST(SphereBox, OfVeryDifferentSizes) {
  expect(from({1e3 + 2e-6, 0, 0}, Box{{1e3, 1e3, 1e3}}, 1e-6), (1e3 + 2e-6) - 1e3 - 1e-6, {1, 0, 0});
  const Proximity small_box = from({1e3 + 0.5, 0, 0}, Box{{1e-6, 1e-6, 1e-6}}, 1e3);
  EXPECT_NEAR(small_box.distance, 0.5 - 1e-6, 2e-13);
  EXPECT_EQ(small_box.normal, Vector3d::UnitX());
}

TEST(SphereCylinder, MeetsSideEndAndRim) {
  const Cylinder cylinder{2, 3};
  expect(from({3, 4, 1}, cylinder), 2.0, {0.6, 0.8, 0});
  expect(from({1, 1, -6}, cylinder), 2.0, {0, 0, -1});
  expect(from({5, 0, 7}, cylinder), 4.0, {0.6, 0, 0.8});
  expect(from({0, 0, 5}, cylinder), 1.0, {0, 0, 1});
}

TEST(SphereCylinder, FromTheAxisInsideGoesTowardsX) {
  expect(from({0, 0, 0}, Cylinder{2, 3}), -3.0, {1, 0, 0});
  expect(from({0, 0, 0}, Cylinder{3, 2}), -3.0, {0, 0, 1});
  expect(from({0, 0, -1.5}, Cylinder{3, 2}), -1.5, {0, 0, -1});
  expect(from({0, 0, 0}, Cylinder{2, 2}), -3.0, {1, 0, 0});
  expect(from({0, 2, 3}, Cylinder{2, 3}), -1.0, {0, 1, 0});
}

TEST(SpherePrism, MeetsSidesEdgesAndEnds) {
  for (const Prism& prism : {Prism{{{{0, 0}, {4, 0}, {0, 3}}}, 2}, Prism{{{{0, 0}, {0, 3}, {4, 0}}}, 2}}) {
    expect(from({1, -3, 0}, prism), 2.0, {0, -1, 0});
    expect(from({2 + 1.8, 1.5 + 2.4, 1}, prism), 2.0, {0.6, 0.8, 0});
    expect(from({-3, -4, 0}, prism), 4.0, {-0.6, -0.8, 0});
    expect(from({1, 1, 5}, prism), 2.0, {0, 0, 1});
    expect(from({-3, 1, -6}, prism), 4.0, {-0.6, 0, -0.8});
    expect(from({1, 0.25, 0}, prism), -1.25, {0, -1, 0});
    expect(from({1, 1, 1.75}, prism), -1.25, {0, 0, 1});
    EXPECT_NEAR(from({1, 1, 0}, prism).distance, -2.0, 1e-15);
  }
}

TEST(SpherePrism, WithTheCentreAtAVertexHasASidesNormal) {
  const Proximity nearest = from({0, 0, 0}, Prism{{{{0, 0}, {4, 0}, {0, 3}}}, 2});
  expect(nearest, -1.0, {0, -1, 0});
}

TEST(SphereBore, RunsInsideAndMeetsTheRim) {
  const Bore bore{5, 2};
  expect(from({3, 0, 1}, bore), 1.0, {-1, 0, 0});
  expect(from({0, 0, 0}, bore), 4.0, {-1, 0, 0});
  expect(from({4.5, 0, 0}, bore), -0.5, {-1, 0, 0});
  expect(from({2, 0, 6}, bore), 4.0, {-0.6, 0, 0.8});
  expect(from({9, 0, 6}, bore), 3.0, {0, 0, 1});
  expect(from({5.5, 0, 0}, bore), -1.5, {-1, 0, 0});
  expect(from({5.5, 0, -1.75}, bore), -1.25, {0, 0, -1});
}

TEST(SphereShell, RunsInside) {
  const Shell shell{5};
  expect(from({0, 3, 0}, shell), 1.0, {0, -1, 0});
  expect(from({0, 0, 0}, shell), 4.0, {-1, 0, 0});
  expect(from({0, 0, -6}, shell), -2.0, {0, 0, 1});
}

TEST(SpherePairs, NearlyTouchingKeepTheirGap) {
  // The gap is known to one rounding of the lengths it is the difference of.
  for (const double gap : {1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9}) {
    for (const Shape& shape :
         {Shape(Box{{1, 1, 1}}), Shape(Cylinder{1, 1}), Shape(Sphere{1}), Shape(Ellipsoid{{1, 2, 3}})}) {
      const Proximity nearest = from({2.0 + gap, 0, 0}, shape);
      EXPECT_NEAR(nearest.distance, (2.0 + gap) - 2.0, 3e-16) << shape_name(shape);
      EXPECT_NEAR((nearest.normal - Vector3d::UnitX()).norm(), 0.0, 1e-15) << shape_name(shape);
    }
  }
}

}  // namespace
}  // namespace carom::test
