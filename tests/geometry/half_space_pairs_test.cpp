/// Ellipsoid, box, cylinder and prism over a plane: oracles, values by hand, all touching points.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "geometry/random_shapes.h"
#include "support/places.h"

namespace carom::test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using nlohmann::json;

Vector3d to_vector(const json& values) {
  return {values[0].get<double>(), values[1].get<double>(), values[2].get<double>()};
}

/// A = Rx(ψ) Ry(θ) Rz(φ)
Quaterniond from_bryan(const json& angles) {
  return Quaterniond(AngleAxisd(angles[0].get<double>(), Vector3d::UnitX()) *
                     AngleAxisd(angles[1].get<double>(), Vector3d::UnitY()) *
                     AngleAxisd(angles[2].get<double>(), Vector3d::UnitZ()));
}

TEST(EllipsoidHalfSpace, AgreesWithTheOraclesOfFiftyDigits) {
  std::ifstream file(test_data("ellipsoid_distance_oracles.json"));
  const json oracles = json::parse(file);
  ASSERT_GE(oracles["cases"].size(), 20u);
  for (const json& oracle : oracles["cases"]) {
    SCOPED_TRACE(oracle["id"].get<std::string>());
    const json& input = oracle["input"];
    const json& expected = oracle["expected"];
    const Ellipsoid ellipsoid{to_vector(input["semi_axes"])};
    const Pose pose{to_vector(input["center"]), from_bryan(input["bryan_rad"])};
    // α X + β Y + γ Z + δ = 0 passes through −δ n / |n|².
    const Vector3d given = to_vector(input["plane_abgd"]);
    const Vector3d point = -input["plane_abgd"][3].get<double>() / given.squaredNorm() * given;
    const Proximity nearest =
        carom::proximity(ellipsoid, pose, HalfSpace{}, half_space_pose(given.normalized(), point));
    const double tolerance = 2e-15 * (ellipsoid.semi_axes.maxCoeff() + pose.position.norm() + point.norm());
    EXPECT_NEAR((nearest.point_a - to_vector(expected["contact_fixed"])).norm(), 0.0, tolerance);
    EXPECT_NEAR((pose.to_local(nearest.point_a) - to_vector(expected["contact_body"])).norm(), 0.0, tolerance);
    const Vector3d lever =
        pose.to_local(nearest.point_a).cross(Vector3d(pose.orientation.conjugate() * nearest.normal));
    EXPECT_NEAR((lever - to_vector(expected["lever_body"])).norm(), 0.0, 2.0 * tolerance);
    if (expected.contains("signed_distance")) {
      EXPECT_NEAR(nearest.distance, expected["signed_distance"].get<double>(), tolerance);
      EXPECT_NEAR((nearest.normal - to_vector(expected["unit_normal_fixed"])).norm(), 0.0, 1e-15);
    }
  }
}

Pose turned(double angle, const Vector3d& axis, double height) {
  return {{0.3, -0.2, height}, Quaterniond(AngleAxisd(angle, axis))};
}

void expect_heights(const TouchingPoints& points, int count, double distance) {
  ASSERT_EQ(points.size(), count);
  for (const TouchingPoint& point : points) {
    EXPECT_NEAR(point.distance, distance, 2e-15);
    EXPECT_NEAR(point.point_a.z(), distance, 2e-15);
    EXPECT_NEAR(point.point_b.z(), 0.0, 2e-15);
  }
}

/// The middle of all points.
Vector3d middle(const TouchingPoints& points) {
  Vector3d sum = Vector3d::Zero();
  for (const TouchingPoint& point : points) sum += point.point_a;
  return sum / points.size();
}

TEST(BoxHalfSpace, StandsOnAFaceAnEdgeOrAVertex) {
  const Box box{{1, 2, 3}};
  const Pose flat = turned(0.0, Vector3d::UnitX(), 3.0);
  expect_heights(touching_points(box, flat, HalfSpace{}, Pose{}, 1e-12), 4, 0.0);
  EXPECT_NEAR((middle(touching_points(box, flat, HalfSpace{}, Pose{}, 1e-12)) - Vector3d(0.3, -0.2, 0)).norm(), 0.0,
              1e-15);
  EXPECT_NEAR((carom::proximity(box, flat, HalfSpace{}, Pose{}).point_a - Vector3d(0.3, -0.2, 0)).norm(), 0.0, 1e-15);

  const double angle = 0.7;
  const Pose on_edge = turned(angle, Vector3d::UnitX(), 5.0);
  const double height = 5.0 - 2.0 * std::sin(angle) - 3.0 * std::cos(angle);
  expect_heights(touching_points(box, on_edge, HalfSpace{}, Pose{}, 1e-12), 2, height);
  EXPECT_NEAR(carom::proximity(box, on_edge, HalfSpace{}, Pose{}).distance, height, 1e-15);

  const Pose on_vertex{{0, 0, 1}, Quaterniond::FromTwoVectors(Vector3d(1, 2, 3), Vector3d::UnitZ())};
  const TouchingPoints one = touching_points(box, on_vertex, HalfSpace{}, Pose{}, 1e-12);
  expect_heights(one, 1, 1.0 - std::sqrt(14.0));
}

TEST(BoxHalfSpace, TheToleranceDecidesWhatTouches) {
  const Box box{{1, 1, 1}};
  const Pose tilted = turned(1e-9, Vector3d::UnitY(), 1.0);
  EXPECT_EQ(touching_points(box, tilted, HalfSpace{}, Pose{}, 1e-8).size(), 4);
  EXPECT_EQ(touching_points(box, tilted, HalfSpace{}, Pose{}, 1e-10).size(), 2);
}

TEST(CylinderHalfSpace, LiesOnALineWithTwoEnds) {
  const Cylinder cylinder{1, 3};
  const Pose lying{{0, 0, 1.5}, Quaterniond(AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()))};
  const TouchingPoints points = touching_points(cylinder, lying, HalfSpace{}, Pose{}, 1e-12);
  expect_heights(points, 2, 0.5);
  EXPECT_NEAR((points[0].point_a - points[1].point_a).norm(), 6.0, 1e-14);
  EXPECT_NEAR(carom::proximity(cylinder, lying, HalfSpace{}, Pose{}).distance, 0.5, 1e-15);
}

TEST(CylinderHalfSpace, StandsOnEightPointsOfItsRim) {
  const Cylinder cylinder{2, 3};
  for (const double angle : {0.0, std::numbers::pi}) {
    const Pose standing{{1, 2, 3.25}, Quaterniond(AngleAxisd(angle, Vector3d::UnitX()))};
    const TouchingPoints points = touching_points(cylinder, standing, HalfSpace{}, Pose{}, 1e-12);
    expect_heights(points, 8, 0.25);
    EXPECT_NEAR((middle(points) - Vector3d(1, 2, 0.25)).norm(), 0.0, 1e-14);
    for (const TouchingPoint& point : points) EXPECT_NEAR((point.point_a - Vector3d(1, 2, 0.25)).norm(), 2.0, 1e-14);
  }
}

TEST(CylinderHalfSpace, InclinedTouchesWithOnePointOfItsRim) {
  const double angle = 0.4;
  const Pose inclined{{0, 0, 0}, Quaterniond(AngleAxisd(angle, Vector3d::UnitY()))};
  const double expected = -2.0 * std::sin(angle) - 3.0 * std::cos(angle);
  expect_heights(touching_points(Cylinder{2, 3}, inclined, HalfSpace{}, Pose{}, 1e-12), 1, expected);
}

TEST(PrismHalfSpace, StandsOnEachOfItsFaces) {
  const Prism prism{{{{-1, -1}, {2, -1}, {-1, 1}}}, 2};
  const Pose on_end{{0, 0, 2}, Quaterniond::Identity()};
  expect_heights(touching_points(prism, on_end, HalfSpace{}, Pose{}, 1e-12), 3, 0.0);
  EXPECT_NEAR((carom::proximity(prism, on_end, HalfSpace{}, Pose{}).point_a - Vector3d(0, -1.0 / 3.0, 0)).norm(), 0.0,
              1e-15);
  // The side at y = −1 down: y up.
  const Pose on_side{{0, 0, 1}, Quaterniond(AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()))};
  expect_heights(touching_points(prism, on_side, HalfSpace{}, Pose{}, 1e-12), 4, 0.0);
  // An edge: turned about z of the prism first.
  const Pose on_edge{{0, 0, 4}, on_side.orientation * Quaterniond(AngleAxisd(0.3, Vector3d::UnitZ()))};
  EXPECT_EQ(touching_points(prism, on_edge, HalfSpace{}, Pose{}, 1e-12).size(), 2);
}

TEST(HalfSpacePairs, NoPointOfTheBodyIsLower) {
  Random random(21);
  for (const ShapeKind kind : {ShapeKind::ellipsoid, ShapeKind::box, ShapeKind::cylinder, ShapeKind::prism}) {
    const PairFunction& pair = *find_pair(kind, ShapeKind::half_space);
    for (int number = 0; number < property_cases(300); ++number) {
      const Case test = random_case(pair, random);
      const Proximity nearest = proximity(test);
      for (int sample = 0; sample < 200; ++sample) {
        // Points of the ball around the body; those of the body count.
        const Vector3d point = size_of(test.a) * random.uniform() * random_direction(random);
        if (surface_residual(test.a, point) > 0.0) continue;
        const double height = test.pose_b.to_local(test.pose_a.to_world(point)).z();
        ASSERT_GE(height, nearest.distance - 1e-13) << shape_name(kind);
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
