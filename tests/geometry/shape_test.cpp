#include "carom/geometry/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_error(const Shape& shape, Kind kind, const std::string& field) {
  try {
    validate(shape, "body.egg.shape");
    ADD_FAILURE() << "no error at " << field;
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.place().field, "body.egg.shape." + field);
    EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
  }
}

TEST(Shape, HasTheNamesOfTheSceneFormat) {
  EXPECT_EQ(shape_name(Sphere{1}), "sphere");
  EXPECT_EQ(shape_name(Ellipsoid{{1, 2, 3}}), "ellipsoid");
  EXPECT_EQ(shape_name(Box{{1, 2, 3}}), "box");
  EXPECT_EQ(shape_name(Cylinder{1, 2}), "cylinder");
  EXPECT_EQ(shape_name(Prism{}), "prism");
  EXPECT_EQ(shape_name(HalfSpace{}), "plane");
  EXPECT_EQ(shape_name(Bore{1, 2}), "bore");
  EXPECT_EQ(shape_name(Shell{1}), "shell");
  EXPECT_EQ(shape_name(Capsule{1, 2}), "capsule");
  EXPECT_EQ(shape_name(Cone{1, 2}), "cone");
  EXPECT_EQ(shape_name(HalfCylinder{1, 2}), "half_cylinder");
  EXPECT_EQ(shape_name(Rod{1}), "rod");
  EXPECT_EQ(shape_name(Convex{}), "convex");
}

TEST(Shape, OnlyBoundedOnesCanBeBodies) {
  for (const Shape& shape : {Shape(HalfSpace{}), Shape(Bore{}), Shape(Shell{})})
    EXPECT_FALSE(is_solid(shape_kind(shape)));
  int solid = 0;
  for (int kind = 0; kind < kShapeKinds; ++kind) solid += is_solid(static_cast<ShapeKind>(kind)) ? 1 : 0;
  EXPECT_EQ(solid, kShapeKinds - 3);
}

TEST(Shape, ValidOnesPass) {
  EXPECT_NO_THROW(validate(Sphere{1e-6}, "shape"));
  EXPECT_NO_THROW(validate(Ellipsoid{{1e-6, 1, 1e3}}, "shape"));
  EXPECT_NO_THROW(validate(Box{{1, 2, 3}}, "shape"));
  EXPECT_NO_THROW(validate(Cylinder{1, 2}, "shape"));
  EXPECT_NO_THROW(validate(Prism{{{{0, 0}, {0, 1}, {1, 0}}}, 1}, "shape"));
  EXPECT_NO_THROW(validate(HalfSpace{}, "shape"));
  EXPECT_NO_THROW(validate(Bore{1, 2}, "shape"));
  EXPECT_NO_THROW(validate(Shell{1}, "shape"));
  EXPECT_NO_THROW(validate(Capsule{1, 1e-6}, "shape"));
  EXPECT_NO_THROW(validate(Cone{1e-6, 1}, "shape"));
  EXPECT_NO_THROW(validate(HalfCylinder{1, 2}, "shape"));
  EXPECT_NO_THROW(validate(Rod{1}, "shape"));
}

TEST(Shape, SizesMustBePositive) {
  expect_error(Sphere{0.0}, Kind::out_of_range, "radius");
  expect_error(Ellipsoid{{1, -2, 3}}, Kind::out_of_range, "semi_axes.1");
  expect_error(Box{{1, 2, 0}}, Kind::out_of_range, "half_sizes.2");
  expect_error(Cylinder{-1, 2}, Kind::out_of_range, "radius");
  expect_error(Cylinder{1, 0}, Kind::out_of_range, "half_length");
  expect_error(Bore{1, -1}, Kind::out_of_range, "half_length");
  expect_error(Shell{-0.0}, Kind::out_of_range, "radius");
  expect_error(Capsule{0, 1}, Kind::out_of_range, "radius");
  expect_error(Capsule{1, 0}, Kind::out_of_range, "half_length");
  expect_error(Cone{-1, 1}, Kind::out_of_range, "radius");
  expect_error(Cone{1, -1}, Kind::out_of_range, "height");
  expect_error(HalfCylinder{0, 1}, Kind::out_of_range, "radius");
  expect_error(HalfCylinder{1, 0}, Kind::out_of_range, "half_length");
  expect_error(Rod{0}, Kind::out_of_range, "half_length");
  expect_error(Prism{{{{0, 0}, {1, 0}, {0, 1}}}, 0.0}, Kind::out_of_range, "half_length");
}

TEST(Shape, SizesMustBeFinite) {
  expect_error(Sphere{kNan}, Kind::not_finite, "radius");
  expect_error(Box{{1, kInfinity, 1}}, Kind::not_finite, "half_sizes.1");
  expect_error(Prism{{{{0, 0}, {1, kNan}, {0, 1}}}, 1.0}, Kind::not_finite, "vertices.1.1");
}

TEST(Shape, ATriangleOnALineIsNone) {
  expect_error(Prism{{{{0, 0}, {1, 1}, {3, 3}}}, 1.0}, Kind::out_of_range, "vertices");
  expect_error(Prism{{{{2, 2}, {2, 2}, {2, 2}}}, 1.0}, Kind::out_of_range, "vertices");
}

TEST(Shape, BoundingRadiusReachesTheFarthestPoint) {
  EXPECT_EQ(bounding_radius(Sphere{2}), 2.0);
  EXPECT_EQ(bounding_radius(Ellipsoid{{1, 4, 3}}), 4.0);
  EXPECT_EQ(bounding_radius(Box{{2, 3, 6}}), 7.0);
  EXPECT_EQ(bounding_radius(Cylinder{3, 4}), 5.0);
  EXPECT_EQ(bounding_radius(Prism{{{{0, 0}, {3, 0}, {0, 1}}}, 4}), 5.0);
  EXPECT_EQ(bounding_radius(HalfSpace{}), kInfinity);
  EXPECT_EQ(bounding_radius(Bore{1, 1}), kInfinity);
  EXPECT_EQ(bounding_radius(Shell{1}), kInfinity);
  EXPECT_EQ(bounding_radius(Capsule{1, 2}), 3.0);
  EXPECT_EQ(bounding_radius(Cone{1, 2}), 2.0);
  EXPECT_EQ(bounding_radius(Cone{3, 2}), 3.0);
  EXPECT_EQ(bounding_radius(HalfCylinder{3, 4}), 5.0);
  EXPECT_EQ(bounding_radius(Rod{2}), 2.0);
}

TEST(Pose, TurnsAndMovesThereAndBack) {
  const Pose pose{{1, 2, 3}, Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitZ()))};
  EXPECT_NEAR((pose.to_world({1, 0, 0}) - Eigen::Vector3d(1, 3, 3)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((pose.to_local({1, 3, 3}) - Eigen::Vector3d(1, 0, 0)).norm(), 0.0, 1e-15);
}

TEST(Pose, OfAHalfSpaceHasTheNormalAsItsThirdAxis) {
  for (const Eigen::Vector3d& normal :
       {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(0, 0, -1), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0.6, 0, -0.8)}) {
    const Pose pose = half_space_pose(normal, {1, 2, 3});
    EXPECT_NEAR((pose.orientation * Eigen::Vector3d::UnitZ() - normal).norm(), 0.0, 5e-16);
    EXPECT_EQ(pose.position, Eigen::Vector3d(1, 2, 3));
  }
}

}  // namespace
}  // namespace carom
