#include "carom/contact/shape_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/geometry/pair_table.h"
#include "carom/mechanics/free_rotation.h"
#include "contact/heavy_cases.h"
#include "geometry/random_shapes.h"

namespace carom::contact {
namespace {

using namespace test;
using Eigen::Quaterniond;

constexpr ShapeKind kSolid[] = {ShapeKind::sphere, ShapeKind::ellipsoid, ShapeKind::box, ShapeKind::cylinder,
                                ShapeKind::prism};

/// A point of the shape's frame, often inside.
bool inside(const Shape& shape, const Vector3d& x) {
  return surface_residual(shape, x) <= 0.0;
}

TEST(ShapeSupport, IsTheDistanceToAPlaneThatTheShapeTouches) {
  Random random(21);
  for (const ShapeKind kind : kSolid)
    for (int k = 0; k < heavy_cases(200); ++k) {
      const Shape shape = random_shape(kind, random);
      const Vector3d u = random_direction(random);
      const double far = 10.0;
      // The pair table knows nothing of supports: distance to { x·u ≥ far } is far − h(u).
      const Proximity near = proximity(shape, {}, HalfSpace{}, half_space_pose(-u, far * u));
      EXPECT_NEAR(support(shape, u), far - near.distance, 1e-13 * far) << shape_name(kind);
      const double length = random.uniform(0.1, 10.0);
      EXPECT_NEAR(support(shape, length * u), length * support(shape, u), 1e-14 * length * far);
    }
}

TEST(ShapeSupport, NoPointOfTheShapeIsBeyondAndSomeAreNear) {
  Random random(22);
  for (const ShapeKind kind : kSolid)
    for (int k = 0; k < heavy_cases(10); ++k) {
      const Shape shape = random_shape(kind, random);
      const double radius = bounding_radius(shape);
      const Vector3d u = random_direction(random);
      double highest = -radius;
      int found = 0;
      for (int trial = 0; trial < 3000; ++trial) {
        const Vector3d x = radius * std::cbrt(random.uniform()) * random_direction(random);
        if (!inside(shape, x)) continue;
        ++found;
        highest = std::max(highest, u.dot(x));
        ASSERT_LE(u.dot(x), support(shape, u) + 1e-12 * radius) << shape_name(kind);
      }
      // From a thousand points and more some lie in the upper part.
      if (found > 1000) {
        EXPECT_GT(highest, support(shape, u) - 0.5 * radius) << shape_name(kind);
      }
    }
}

TEST(ShapeSupport, VerticesAreThePointsThatAttainIt) {
  Random random(23);
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::prism})
    for (int k = 0; k < heavy_cases(100); ++k) {
      const Shape shape = random_shape(kind, random);
      const std::vector<Vector3d> vertices = shape_vertices(shape);
      ASSERT_EQ(vertices.size(), kind == ShapeKind::box ? 8u : 6u);
      const Vector3d u = random_direction(random);
      double highest = -1e300;
      for (const Vector3d& vertex : vertices) {
        highest = std::max(highest, u.dot(vertex));
        EXPECT_NEAR(surface_residual(shape, vertex), 0.0, 1e-14 * bounding_radius(shape));
      }
      EXPECT_NEAR(highest, support(shape, u), 1e-14 * bounding_radius(shape));
    }
  EXPECT_TRUE(shape_vertices(Sphere{1.0}).empty());
  EXPECT_TRUE(shape_vertices(Cylinder{1.0, 1.0}).empty());
}

TEST(ShapeSupport, GrowthIsTheDifferenceOfTwoSupports) {
  Random random(26);
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::ellipsoid, ShapeKind::box, ShapeKind::cylinder, ShapeKind::prism,
        ShapeKind::capsule, ShapeKind::cone, ShapeKind::half_cylinder, ShapeKind::rod, ShapeKind::convex})
    for (int k = 0; k < heavy_cases(200); ++k) {
      const Shape shape = random_shape(kind, random);
      const double radius = bounding_radius(shape);
      Vector3d u = random_direction(random);
      if (k % 3 == 0) u[static_cast<int>(3.0 * random.uniform())] = 0.0;  // an edge or a face is in front
      const Vector3d change = std::pow(10.0, random.uniform(-3.0, 0.5)) * random_direction(random);
      EXPECT_NEAR(support_growth(shape, u, change), support(shape, u + change) - support(shape, u), 1e-14 * radius)
          << shape_name(kind);
      // Of a change that is lost beside the direction it is the slope: as of a small one, but for what that one bends.
      const double small = 1e-8, smallest = 1e-25;
      EXPECT_NEAR(support_growth(shape, u, smallest * change) / smallest,
                  support_growth(shape, u, small * change) / small, 1e-4 * radius)
          << shape_name(kind);
    }
}

/// A tumbling body and a direction of the world as it sees it.
struct Tumbling {
  Shape shape;
  FreeRotation rotation;
  Vector3d world;

  [[nodiscard]] Vector3d direction(double tau) const { return rotation.at(tau).attitude.conjugate() * world; }
  [[nodiscard]] TurningDirection seen() const {
    const RotationState now = rotation.at(0.0);
    const Vector3d u = now.attitude.conjugate() * world;
    return {u, u.cross(now.angular_velocity), rotation.max_angular_speed(), rotation.max_angular_acceleration()};
  }
};

Tumbling random_tumbling(ShapeKind kind, Random& random) {
  // The inertia is any, not that of the shape: the bounds know only how it turns.
  const double a = random.uniform(0.2, 2.0), b = random.uniform(0.2, 2.0), c = random.uniform(0.2, 2.0);
  const Vector3d inertia(b * b + c * c, c * c + a * a, a * a + b * b);
  const Vector3d spin = std::pow(10.0, random.uniform(-1.0, 1.5)) * random_direction(random);
  const Quaterniond attitude = random_rotation(random);
  const Shape shape = random_shape(kind, random);
  return {shape, FreeRotation(inertia, {attitude, spin}), random_direction(random)};
}

TEST(SupportBound, IsAnUpperBoundWhileTheBodyTumbles) {
  Random random(24);
  for (const ShapeKind kind : kSolid)
    for (int k = 0; k < heavy_cases(300); ++k) {
      const Tumbling body = random_tumbling(kind, random);
      const SupportBound bound(body.shape, body.seen());
      const double radius = bounding_radius(body.shape);
      EXPECT_EQ(bound.smooth(), kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid);
      for (int j = 0; j < 20; ++j) {
        const double tau = std::pow(10.0, random.uniform(-5.0, 1.0)) / body.rotation.max_angular_speed();
        ASSERT_GE(bound.value() + bound.growth(tau), support(body.shape, body.direction(tau)) - 1e-13 * radius)
            << shape_name(kind) << " case " << k << " τ = " << tau;
      }
    }
}

TEST(SupportBound, TouchesTheSupportAtItsStartToFirstOrder) {
  Random random(25);
  for (const ShapeKind kind : kSolid)
    for (int k = 0; k < heavy_cases(100); ++k) {
      const Tumbling body = random_tumbling(kind, random);
      const SupportBound bound(body.shape, body.seen());
      const double radius = bounding_radius(body.shape);
      EXPECT_NEAR(bound.value(), support(body.shape, body.direction(0.0)), 1e-14 * radius);
      EXPECT_EQ(bound.growth(0.0), 0.0);
      // Of second order in the angle turned: the curvature, with the flattest ellipsoid at hand as a factor.
      const double angle = 1e-4;
      const double tau = angle / body.rotation.max_angular_speed();
      const double above = bound.value() + bound.growth(tau) - support(body.shape, body.direction(tau));
      const double sharpest = bound.curvature() * tau * tau + 2.0 * radius * angle * angle * 40.0;
      EXPECT_LT(above, sharpest) << shape_name(kind);
    }
}

}  // namespace
}  // namespace carom::contact
