#include <gtest/gtest.h>

#include <algorithm>

#include "carom/geometry/pairs/nearest_point.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using Real = long double;

/// The distance by bisection of Σ (e_i x_i/(t + e_i²))² = 1 in long double: slow, and independent of the solver.
double distance_by_bisection(const Vector3d& axes, const Vector3d& from) {
  const auto excess = [&](Real t) {
    Real sum = -1;
    for (int i = 0; i < 3; ++i) {
      const Real e = axes[i];
      const Real ratio = e * from[i] / (t + e * e);
      sum += ratio * ratio;
    }
    return sum;
  };
  const Real smallest = axes.minCoeff();
  Real low = -smallest * smallest;
  Real high = static_cast<Real>(axes.maxCoeff()) * from.norm() + 1;
  for (int step = 0; step < 200; ++step) {
    const Real middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  Real sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Real w = from[i] / (high + static_cast<Real>(axes[i]) * axes[i]);
    sum += w * w;
  }
  return static_cast<double>(high * std::sqrt(sum));
}

TEST(SphereEllipsoid, AgreesWithBisectionInHigherPrecision) {
  Random random(11);
  double worst = 0.0;
  for (int number = 0; number < property_cases(20000); ++number) {
    const Vector3d axes(std::pow(10.0, random.uniform(-1.5, 1.5)), std::pow(10.0, random.uniform(-1.5, 1.5)),
                        std::pow(10.0, random.uniform(-1.5, 1.5)));
    const Vector3d from = random.uniform(0.2, 2.0) * axes.cwiseProduct(random_direction(random));
    const NearestPoint nearest = nearest_point(Ellipsoid{axes}, from);
    worst = std::max(worst, std::abs(nearest.distance - distance_by_bisection(axes, from)) / axes.maxCoeff());
    ASSERT_NEAR((nearest.point + nearest.distance * nearest.normal - from).norm(), 0.0, 1e-14 * axes.maxCoeff());
  }
  EXPECT_LE(worst, 4e-15);
}

TEST(SphereEllipsoid, NoPointOfTheSurfaceIsNearer) {
  Random random(12);
  for (int number = 0; number < property_cases(300); ++number) {
    const Ellipsoid ellipsoid = std::get<Ellipsoid>(random_shape(ShapeKind::ellipsoid, random));
    const Vector3d from = random.uniform(0.0, 2.0) * ellipsoid.semi_axes.cwiseProduct(random_direction(random));
    const double distance = std::abs(nearest_point(ellipsoid, from).distance);
    for (int sample = 0; sample < 500; ++sample) {
      const Vector3d point = ellipsoid.semi_axes.cwiseProduct(random_direction(random));
      ASSERT_GE((point - from).norm(), distance - 1e-13);
    }
  }
}

TEST(SphereEllipsoid, OnTheAxes) {
  const Ellipsoid ellipsoid{{3, 1, 2}};
  EXPECT_DOUBLE_EQ(nearest_point(ellipsoid, {5, 0, 0}).distance, 2.0);
  EXPECT_DOUBLE_EQ(nearest_point(ellipsoid, {0, -5, 0}).distance, 4.0);
  EXPECT_DOUBLE_EQ(nearest_point(ellipsoid, {0, 0, 5}).distance, 3.0);
  EXPECT_EQ(nearest_point(ellipsoid, {0, -5, 0}).normal, Vector3d(0, -1, 0));
}

TEST(SphereEllipsoid, FromTheCentreLeavesByTheShortestAxis) {
  const NearestPoint nearest = nearest_point(Ellipsoid{{3, 1, 2}}, Vector3d::Zero());
  EXPECT_EQ(nearest.distance, -1.0);
  EXPECT_EQ(nearest.normal, Vector3d::UnitY());
  EXPECT_EQ(nearest.point, Vector3d::UnitY());
  EXPECT_EQ(nearest_point(Ellipsoid{{2, 2, 2}}, Vector3d::Zero()).normal, Vector3d::UnitX());
}

TEST(SphereEllipsoid, FromTheLongAxisInsideMeetsTheFlank) {
  // Ellipse 2:1 from (x, 0): nearest at q_x = 4x/3 while |x| ≤ 3/2, distance² = 1 − x²/3.
  const NearestPoint nearest = nearest_point(Ellipsoid{{2, 1, 2}}, {0.75, 0, 0});
  EXPECT_NEAR(nearest.distance, -std::sqrt(1.0 - 0.1875), 1e-15);
  EXPECT_NEAR(nearest.point.x(), 1.0, 1e-15);
  EXPECT_GT(nearest.normal.y(), 0.0);
  // At the centre of curvature of the tip, and beyond it, the tip itself.
  EXPECT_NEAR(nearest_point(Ellipsoid{{2, 1, 2}}, {1.5, 0, 0}).distance, -0.5, 1e-15);
  EXPECT_NEAR(nearest_point(Ellipsoid{{2, 1, 2}}, {1.75, 0, 0}).distance, -0.25, 1e-15);
}

TEST(SphereEllipsoid, IsContinuousAcrossTheMiddlePlane) {
  const Ellipsoid ellipsoid{{2, 1, 3}};
  const NearestPoint on = nearest_point(ellipsoid, {0.4, 0.0, 0.3});
  for (double off = 1e-3; off > 1e-320; off *= 1e-3) {
    const NearestPoint near = nearest_point(ellipsoid, {0.4, off, 0.3});
    ASSERT_NEAR(near.distance, on.distance, 2.0 * off + 1e-15) << off;
    ASSERT_NEAR((near.normal - on.normal).norm(), 0.0, 10.0 * off + 1e-14) << off;
  }
}

TEST(SphereEllipsoid, OfEqualAxesIsASphere) {
  Random random(13);
  for (int number = 0; number < 1000; ++number) {
    const Vector3d from = random.uniform(0.0, 5.0) * random_direction(random);
    const NearestPoint nearest = nearest_point(Ellipsoid{{2, 2, 2}}, from);
    EXPECT_NEAR(nearest.distance, from.norm() - 2.0, 2e-15);
    EXPECT_NEAR((nearest.normal - from.normalized()).norm(), 0.0, 1e-15);
  }
}

TEST(SphereEllipsoid, OfExtremeSizes) {
  const Vector3d axes(1e-6, 1.0, 1e3);
  Random random(14);
  for (int number = 0; number < 2000; ++number) {
    const Vector3d from = random.uniform(0.1, 2.0) * axes.cwiseProduct(random_direction(random));
    const NearestPoint nearest = nearest_point(Ellipsoid{axes}, from);
    ASSERT_NEAR(surface_residual(Ellipsoid{axes}, nearest.point), 0.0, 1e-15 * axes.maxCoeff());
    ASSERT_NEAR((nearest.point + nearest.distance * nearest.normal - from).norm(), 0.0, 1e-14 * axes.maxCoeff());
  }
  // A grain of dust on a large egg, and a small egg under a large ball.
  const Proximity dust =
      carom::proximity(Sphere{1e-6}, Pose{.position = {0, 0, 1e3 + 3e-6}}, Ellipsoid{{1e3, 1e3, 1e3}}, Pose{});
  EXPECT_NEAR(dust.distance, 2e-6, 2e-13);
  const Proximity under =
      carom::proximity(Sphere{1e3}, Pose{.position = {0, 0, 1e3 + 5e-6}}, Ellipsoid{{1e-6, 2e-6, 3e-6}}, Pose{});
  EXPECT_NEAR(under.distance, 2e-6, 2e-13);
}

}  // namespace
}  // namespace carom::test
