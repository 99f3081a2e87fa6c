#include "carom/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/error.h"
#include "geometry/random_shapes.h"

namespace carom {
namespace {

using Eigen::Vector3d;

TEST(MassProperties, OfTheTextbook) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(mass_properties(Sphere{2}).volume, 32.0 / 3.0 * kPi);
  EXPECT_NEAR((mass_properties(Sphere{2}).inertia_per_mass - Vector3d::Constant(1.6)).norm(), 0.0, 1e-15);
  const MassProperties egg = mass_properties(Ellipsoid{{1, 1, 2}});
  EXPECT_DOUBLE_EQ(egg.volume, 8.0 / 3.0 * kPi);
  EXPECT_NEAR((500.0 * egg.inertia_per_mass - Vector3d(500, 500, 200)).norm(), 0.0, 1e-12);
  const MassProperties block = mass_properties(Box{{1, 2, 3}});
  EXPECT_DOUBLE_EQ(block.volume, 48.0);
  EXPECT_NEAR((block.inertia_per_mass - Vector3d(13, 10, 5) / 3.0).norm(), 0.0, 1e-15);
  const MassProperties roller = mass_properties(Cylinder{2, 3});
  EXPECT_DOUBLE_EQ(roller.volume, 24.0 * kPi);
  EXPECT_NEAR((roller.inertia_per_mass - Vector3d(4, 4, 2)).norm(), 0.0, 1e-15);
}

TEST(MassProperties, OfAnEquilateralPrismAreTheSameAboutAllAxesOfThePlane) {
  // Side s: the polar moment of the triangle per mass is s²/12.
  const double height = std::sqrt(3.0) / 2.0;
  const MassProperties prism = mass_properties(Prism{{{{0, 0}, {1, 0}, {0.5, height}}}, 3});
  EXPECT_NEAR(prism.volume, 3.0 * height, 1e-15);
  EXPECT_NEAR((prism.centroid - Vector3d(0.5, height / 3.0, 0)).norm(), 0.0, 1e-16);
  EXPECT_NEAR((prism.inertia_per_mass - Vector3d(3.0 + 1.0 / 24.0, 3.0 + 1.0 / 24.0, 1.0 / 12.0)).norm(), 0.0, 1e-15);
}

TEST(MassProperties, OfARightPrismAgreeWithTheProductOfInertia) {
  // Legs a, b along the axes: per mass ∫x² = a²/18, ∫y² = b²/18, ∫xy = −ab/36 about the centroid.
  const double a = 3.0;
  const double b = 1.0;
  const MassProperties prism = mass_properties(Prism{{{{0, 0}, {0, b}, {a, 0}}}, 0.5});
  Eigen::Matrix3d covariance;
  covariance << a * a / 18, -a * b / 36, 0, -a * b / 36, b * b / 18, 0, 0, 0, 0.25 / 3;
  const Eigen::Matrix3d expected = covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
  const Eigen::Matrix3d turn = prism.principal_axes.toRotationMatrix();
  const Eigen::Matrix3d inertia = turn * prism.inertia_per_mass.asDiagonal() * turn.transpose();
  EXPECT_NEAR((inertia - expected).norm(), 0.0, 1e-15);
}

TEST(MassProperties, OfPrismsAgreeWithIntegrationOverTheirVolume) {
  Random random(3);
  for (int number = 0; number < 50; ++number) {
    const Prism prism = std::get<Prism>(test::random_shape(ShapeKind::prism, random));
    const MassProperties properties = mass_properties(prism);
    // Three points of a triangle and two along z integrate quadratics exactly (midpoints of the sides; Gauss).
    Vector3d centroid = Vector3d::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector2d middle = 0.5 * (prism.vertices[i] + prism.vertices[(i + 1) % 3]);
      for (const double sign : {-1.0, 1.0}) {
        const Vector3d point(middle.x(), middle.y(), sign * prism.half_length / std::sqrt(3.0));
        centroid += point / 6.0;
        second += point * point.transpose() / 6.0;
      }
    }
    const Eigen::Matrix3d covariance = second - centroid * centroid.transpose();
    const Eigen::Matrix3d expected = covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
    const Eigen::Matrix3d turn = properties.principal_axes.toRotationMatrix();
    EXPECT_NEAR((properties.centroid - centroid).norm(), 0.0, 1e-14);
    EXPECT_NEAR((turn * properties.inertia_per_mass.asDiagonal() * turn.transpose() - expected).norm(), 0.0, 1e-13);
  }
}

TEST(MassProperties, OfAPrismAboutItsCentroidAreCentred) {
  const Prism prism{{{{5, 7}, {8, 7}, {5, 8}}}, 2};
  const MassProperties before = mass_properties(prism);
  const MassProperties after = mass_properties(about_centroid(prism));
  EXPECT_NEAR(after.centroid.norm(), 0.0, 1e-15);
  EXPECT_NEAR((after.inertia_per_mass - before.inertia_per_mass).norm(), 0.0, 1e-14);
  EXPECT_NEAR(after.volume, before.volume, 1e-14);
}

TEST(MassProperties, ObstaclesHaveNone) {
  for (const Shape& shape : {Shape(HalfSpace{}), Shape(Bore{1, 1}), Shape(Shell{1})}) {
    try {
      mass_properties(shape);
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::unsupported);
      EXPECT_NE(std::string(error.what()).find(shape_name(shape)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace carom
