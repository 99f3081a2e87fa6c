#include "carom/geometry/curvature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "carom/geometry/polyhedron.h"
#include "support/property_cases.h"

namespace carom {
namespace {

using Eigen::Vector3d;

SurfaceCurvature curvature_at(const Shape& shape, const Vector3d& point) {
  const auto found = local_curvature(shape, point);
  EXPECT_TRUE(found.has_value());
  return found.value_or(SurfaceCurvature{});
}

void expect_frame(const SurfaceCurvature& curvature, const Vector3d& normal) {
  EXPECT_NEAR(curvature.smaller_direction.norm(), 1.0, 1e-14);
  EXPECT_NEAR(curvature.larger_direction.norm(), 1.0, 1e-14);
  EXPECT_NEAR(curvature.smaller_direction.dot(curvature.larger_direction), 0.0, 1e-14);
  EXPECT_NEAR(curvature.smaller_direction.dot(normal), 0.0, 1e-14);
  EXPECT_NEAR(curvature.larger_direction.dot(normal), 0.0, 1e-14);
}

TEST(Curvature, RoundShapesHaveThatOfTheirRadius) {
  const Vector3d direction = Vector3d(1, -2, 0.5).normalized();
  const SurfaceCurvature ball = curvature_at(Sphere{0.25}, 0.25 * direction);
  EXPECT_EQ(ball.smaller, 4.0);
  EXPECT_EQ(ball.larger, 4.0);
  expect_frame(ball, direction);
  const SurfaceCurvature hollow = curvature_at(Shell{0.25}, 0.25 * direction);
  EXPECT_EQ(hollow.smaller, -4.0);
  EXPECT_EQ(hollow.larger, -4.0);

  const Vector3d side(0.3, 0.4, 0.7);
  const SurfaceCurvature cylinder = curvature_at(Cylinder{0.5, 1.0}, side);
  EXPECT_EQ(cylinder.smaller, 0.0);
  EXPECT_EQ(cylinder.larger, 2.0);
  EXPECT_NEAR((cylinder.larger_direction - Vector3d(-0.8, 0.6, 0.0)).norm(), 0.0, 1e-15);
  const SurfaceCurvature bore = curvature_at(Bore{0.5, 1.0}, side);
  EXPECT_EQ(bore.smaller, -2.0);
  EXPECT_EQ(bore.larger, 0.0);
  EXPECT_NEAR((bore.smaller_direction - Vector3d(-0.8, 0.6, 0.0)).norm(), 0.0, 1e-15);
  expect_frame(bore, Vector3d(0.6, 0.8, 0.0));
}

TEST(Curvature, FacesAreFlatAndEdgesHaveNone) {
  const Shape box = Box{{1, 2, 3}};
  EXPECT_EQ(curvature_at(box, {0.5, 2, -1}).larger, 0.0);
  expect_frame(curvature_at(box, {0.5, 2, -1}), Vector3d::UnitY());
  EXPECT_FALSE(local_curvature(box, {1, 2, -1}));
  EXPECT_FALSE(local_curvature(box, {1, 2, 3}));

  const Shape cylinder = Cylinder{1, 2};
  EXPECT_EQ(curvature_at(cylinder, {0.2, 0.3, 2}).larger, 0.0);
  EXPECT_FALSE(local_curvature(cylinder, {0.6, 0.8, 2}));
  EXPECT_FALSE(local_curvature(Bore{1, 2}, {0.6, 0.8, -2}));

  const Shape prism = Prism{{{{0, 0}, {2, 0}, {0.5, 1.5}}}, 1};
  const SurfaceCurvature side = curvature_at(prism, {1, 0, 0.3});
  EXPECT_EQ(side.larger, 0.0);
  expect_frame(side, Vector3d::UnitY());
  EXPECT_EQ(curvature_at(prism, {1, 0.5, 1}).larger, 0.0);
  EXPECT_FALSE(local_curvature(prism, {2, 0, 0}));
  EXPECT_FALSE(local_curvature(prism, {1, 0, -1}));
  EXPECT_EQ(curvature_at(HalfSpace{}, {1, 2, 0}).larger, 0.0);
}

TEST(Curvature, OfACapsuleIsThatOfItsSideAndItsCaps) {
  const Shape capsule = Capsule{0.5, 1.0};
  const SurfaceCurvature side = curvature_at(capsule, {0.3, 0.4, 0.7});
  EXPECT_EQ(side.smaller, 0.0);
  EXPECT_EQ(side.larger, 2.0);
  EXPECT_EQ(side.smaller_direction, Vector3d::UnitZ());
  const SurfaceCurvature cap = curvature_at(capsule, Vector3d(0, 0, -1) + 0.5 * Vector3d(0.6, 0, -0.8));
  EXPECT_EQ(cap.smaller, 2.0);
  EXPECT_EQ(cap.larger, 2.0);
  expect_frame(cap, Vector3d(0.6, 0, -0.8));
}

TEST(Curvature, OfAConeIsThatOfTheSphereInsideItThatTouchesThere) {
  // Across a generator a cone has the curvature of the sphere on its axis that touches it in the same circle
  // (Meusnier): with half angle a and distance s from the apex its radius is s tan a.
  const double r = 0.6, h = 0.8, half_angle = std::atan2(r, h);
  const double s = 0.37;
  const Vector3d point(0.0, s * std::sin(half_angle), h - s * std::cos(half_angle));
  const SurfaceCurvature side = curvature_at(Cone{r, h}, point);
  EXPECT_EQ(side.smaller, 0.0);
  EXPECT_NEAR(side.larger, 1.0 / (s * std::tan(half_angle)), 1e-14);
  expect_frame(side, Vector3d(0, std::cos(half_angle), std::sin(half_angle)));
  EXPECT_NEAR(std::abs(side.larger_direction.x()), 1.0, 1e-15);
  EXPECT_EQ(curvature_at(Cone{r, h}, {0.1, 0.2, 0}).larger, 0.0);
  EXPECT_FALSE(local_curvature(Cone{r, h}, {0.6, 0, 0}));
  EXPECT_FALSE(local_curvature(Cone{r, h}, {0, 0, 0.8}));
}

TEST(Curvature, OfAHalfCylinderDependsOnTheFace) {
  const Shape half = HalfCylinder{0.5, 1.0};
  EXPECT_EQ(curvature_at(half, {0.3, -0.4, 0.2}).larger, 2.0);
  EXPECT_EQ(curvature_at(half, {0.3, 0, 0.2}).larger, 0.0);
  expect_frame(curvature_at(half, {0.3, 0, 0.2}), Vector3d::UnitY());
  EXPECT_EQ(curvature_at(half, {0.1, -0.2, -1}).larger, 0.0);
  EXPECT_FALSE(local_curvature(half, {0.5, 0, 0.2}));
  EXPECT_FALSE(local_curvature(half, {0.3, -0.4, 1}));
  EXPECT_FALSE(local_curvature(half, {0.3, 0, 1}));
}

TEST(Curvature, OfAPolyhedronIsNoneAtItsEdgesAndOfARodNowhere) {
  const std::vector<Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Shape hull = Convex{std::make_shared<const Polyhedron>(corners, "vertices")};
  EXPECT_EQ(curvature_at(hull, {0.2, 0.3, 0}).larger, 0.0);
  expect_frame(curvature_at(hull, {0.2, 0.3, 0.5}), Vector3d(1, 1, 1).normalized());
  EXPECT_FALSE(local_curvature(hull, {0.5, 0.5, 0}));
  EXPECT_FALSE(local_curvature(hull, {0, 0, 1}));
  EXPECT_FALSE(local_curvature(Rod{1}, {0, 0, 0.5}));
}

TEST(Curvature, EllipsoidAtTheEndsOfItsAxes) {
  // At the end of axis a the sections are ellipses with curvatures a/b² and a/c².
  const double a = 1.0, b = 2.0, c = 3.0;
  const SurfaceCurvature end = curvature_at(Ellipsoid{{a, b, c}}, {a, 0, 0});
  EXPECT_NEAR(end.smaller, a / (c * c), 1e-16);
  EXPECT_NEAR(end.larger, a / (b * b), 1e-16);
  EXPECT_NEAR(std::abs(end.smaller_direction.z()), 1.0, 1e-15);
  EXPECT_NEAR(std::abs(end.larger_direction.y()), 1.0, 1e-15);
}

/// The normal of the ellipsoid's level surface through a point.
Vector3d ellipsoid_normal(const Vector3d& axes, const Vector3d& point) {
  return point.cwiseQuotient(axes.cwiseAbs2()).normalized();
}

Vector3d random_direction(Random& random) {
  Vector3d direction;
  do direction = Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  while (direction.norm() < 0.1 || direction.norm() > 1.0);
  return direction.normalized();
}

TEST(Curvature, EllipsoidsTurnTheirNormalAsTheirTensorSays) {
  // ∂n/∂x along each principal direction by central differences of fourth order, h = 3e-4: error h⁴ n⁗/30 below
  // 1e-9 for axes of this size.
  Random random(7);
  for (int i = 0; i < test::property_cases(500); ++i) {
    const Vector3d axes(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
    const Vector3d point = axes.cwiseProduct(random_direction(random));
    const Vector3d normal = ellipsoid_normal(axes, point);
    const SurfaceCurvature curvature = curvature_at(Ellipsoid{axes}, point);
    expect_frame(curvature, normal);
    EXPECT_LE(curvature.smaller, curvature.larger);
    const double h = 3e-4;
    const auto turning = [&](const Vector3d& along) -> Vector3d {
      const auto at = [&](double step) { return ellipsoid_normal(axes, point + step * along); };
      return (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
    };
    const auto in_plane = [&](const Vector3d& v) -> Vector3d { return v - v.dot(normal) * normal; };
    const Vector3d first = in_plane(turning(curvature.smaller_direction));
    const Vector3d second = in_plane(turning(curvature.larger_direction));
    EXPECT_LT((first - curvature.smaller * curvature.smaller_direction).norm(), 1e-9) << i;
    EXPECT_LT((second - curvature.larger * curvature.larger_direction).norm(), 1e-9) << i;
    // Gauss: κ₁κ₂ = 1/(a²b²c² (Σ x_i²/a_i⁴)²).
    const double sum = point.cwiseQuotient(axes.cwiseAbs2()).squaredNorm();
    const double gauss = 1.0 / (axes.cwiseAbs2().prod() * sum * sum);
    EXPECT_NEAR(curvature.smaller * curvature.larger / gauss, 1.0, 1e-12) << i;
  }
}

TEST(Curvature, ABallInABoreHasTheRadiiOfTheHandbooks) {
  const double r = 0.01, bore = 0.05;
  const Vector3d normal = Vector3d::UnitX();
  const SurfaceCurvature ball = curvature_at(Sphere{r}, r * normal);
  const auto inside = relative_curvatures(ball, curvature_at(Bore{bore, 1}, bore * normal), normal);
  EXPECT_NEAR(1.0 / inside.larger, r, 1e-17);
  EXPECT_NEAR(1.0 / inside.smaller, r * bore / (bore - r), 1e-16);
  const auto outside = relative_curvatures(ball, curvature_at(Cylinder{bore, 1}, bore * normal), normal);
  EXPECT_NEAR(1.0 / outside.larger, r * bore / (bore + r), 1e-17);
  EXPECT_NEAR(1.0 / outside.smaller, r, 1e-16);
}

TEST(Curvature, CrossedCylindersFollowTheAngleBetweenThem) {
  // Johnson (4.2): A + B = ½(1/R₁ + 1/R₂), B − A = ½√(1/R₁² + 1/R₂² + 2 cos 2θ/(R₁R₂)); ours are 2A and 2B.
  const double first_radius = 0.3, second_radius = 0.7;
  const Vector3d normal = Vector3d::UnitX();
  for (const double angle : {0.0, 0.3, 0.9, 1.2, 1.5707963267948966}) {
    const SurfaceCurvature a = curvature_at(Cylinder{first_radius, 1}, first_radius * normal);
    const SurfaceCurvature b = rotated(curvature_at(Cylinder{second_radius, 1}, second_radius * normal),
                                       Eigen::Quaterniond(Eigen::AngleAxisd(angle, normal)));
    const RelativeCurvatures relative = relative_curvatures(a, b, normal);
    const double p = 1.0 / first_radius, q = 1.0 / second_radius;
    EXPECT_NEAR(relative.larger + relative.smaller, p + q, 1e-14);
    EXPECT_NEAR(relative.larger - relative.smaller, std::sqrt(p * p + q * q + 2 * p * q * std::cos(2 * angle)), 1e-14);
  }
}

TEST(Curvature, OfAnEllipsoidFollowsFromItsSupportFunction) {
  // The radius of curvature along a principal direction is 1/κ = h + h'', h the support function by the angle of its
  // direction; the second difference with ε = 1e-3 is good to about 1e-5.
  const Vector3d axes(1.0, 1.6, 2.3);
  const Vector3d down = Vector3d(0.3, -0.5, -0.8).normalized();
  const Vector3d point = axes.cwiseAbs2().cwiseProduct(down) / axes.cwiseProduct(down).norm();
  const SurfaceCurvature curvature = curvature_at(Ellipsoid{axes}, point);
  const auto support = [&](const Vector3d& direction) { return axes.cwiseProduct(direction).norm(); };
  const double epsilon = 1e-3;
  for (const auto& [kappa, along] : {std::pair(curvature.smaller, curvature.smaller_direction),
                                     std::pair(curvature.larger, curvature.larger_direction)}) {
    const double second = (support(std::cos(epsilon) * down + std::sin(epsilon) * along) - 2.0 * support(down) +
                           support(std::cos(epsilon) * down - std::sin(epsilon) * along)) /
                          (epsilon * epsilon);
    EXPECT_NEAR(1.0 / kappa, support(down) + second, 1e-5);
  }
}

}  // namespace
}  // namespace carom
