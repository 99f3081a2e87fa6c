#include "carom/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/error.h"
#include "carom/geometry/polyhedron.h"
#include "carom/geometry/principal_axes.h"
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

/// Volume, centroid and second moments of a solid of revolution by Gauss's rule of three points on each stretch of its
/// profile ρ(z), which is exact as ρ² is a polynomial of degree two.
struct Slices {
  double volume = 0.0;
  double first = 0.0;   ///< ∫ z dV
  double along = 0.0;   ///< ∫ z² dV
  double across = 0.0;  ///< ∫ x² dV

  template <class Profile>
  void add(double from, double to, const Profile& square_of_radius) {
    constexpr double kPlaces[] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    constexpr double kWeights[] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    for (int i = 0; i < 3; ++i) {
      const double z = 0.5 * (from + to) + 0.5 * (to - from) * kPlaces[i];
      const double square = square_of_radius(z);
      const double disc = 0.5 * (to - from) * kWeights[i] * std::numbers::pi * square;
      volume += disc;
      first += z * disc;
      along += z * z * disc;
      across += 0.25 * square * disc;
    }
  }

  void expect(const Shape& shape) const {
    const MassProperties found = mass_properties(shape);
    const double middle = first / volume;
    const double z = along / volume - middle * middle;
    const double x = across / volume;
    EXPECT_NEAR(found.volume / volume, 1.0, 1e-14);
    EXPECT_NEAR((found.centroid - Vector3d(0, 0, middle)).norm(), 0.0, 1e-14);
    EXPECT_NEAR((found.inertia_per_mass - Vector3d(x + z, x + z, 2 * x)).norm(), 0.0, 1e-13 * (x + z));
  }
};

TEST(MassProperties, OfCapsulesAndConesAgreeWithIntegrationOverTheirSlices) {
  Random random(11);
  for (int number = 0; number < 30; ++number) {
    const double r = random.uniform(0.1, 2.0);
    const double h = random.uniform(0.1, 2.0);
    Slices capsule;
    capsule.add(-h, h, [&](double) { return r * r; });
    capsule.add(h, h + r, [&](double z) { return r * r - (z - h) * (z - h); });
    capsule.add(-h - r, -h, [&](double z) { return r * r - (z + h) * (z + h); });
    capsule.expect(Capsule{r, h});
    Slices cone;
    cone.add(0.0, h, [&](double z) { return r * r * (1.0 - z / h) * (1.0 - z / h); });
    cone.expect(Cone{r, h});
  }
}

TEST(MassProperties, OfAHalfCylinderAreThoseOfHalfADisc) {
  // The disc's own, shifted: J about the centroid is half of the cylinder's minus m d², d = 4r/(3π).
  const double r = 0.7;
  const double h = 0.4;
  const MassProperties half = mass_properties(HalfCylinder{r, h});
  const MassProperties whole = mass_properties(Cylinder{r, h});
  const double d = 4.0 * r / (3.0 * std::numbers::pi);
  EXPECT_NEAR(half.volume, 0.5 * whole.volume, 1e-15);
  EXPECT_NEAR((half.centroid - Vector3d(0, -d, 0)).norm(), 0.0, 1e-16);
  EXPECT_NEAR((half.inertia_per_mass - (whole.inertia_per_mass - Vector3d(d * d, 0, d * d))).norm(), 0.0, 1e-15);
}

TEST(MassProperties, OfARodAreThoseOfALineAndNeverZero) {
  // m L²/12 across; along the axis that of a wire a thousand times as long as it is thick.
  const MassProperties rod = mass_properties(Rod{3});
  EXPECT_EQ(rod.volume, 0.0);
  EXPECT_DOUBLE_EQ(rod.inertia_per_mass.x(), 36.0 / 12.0);
  EXPECT_DOUBLE_EQ(rod.inertia_per_mass.y(), 36.0 / 12.0);
  EXPECT_DOUBLE_EQ(rod.inertia_per_mass.z(), 0.5 * 9e-6);
}

TEST(MassProperties, OfATurnedBoxAsAPolyhedronAreThoseOfTheBox) {
  Random random(5);
  for (int number = 0; number < 20; ++number) {
    const Box box{{random.uniform(0.2, 2.0), random.uniform(0.2, 2.0), random.uniform(0.2, 2.0)}};
    const Pose pose{{random.uniform(-3, 3), 1, 2}, test::random_rotation(random)};
    std::vector<Vector3d> corners;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0})
          corners.push_back(pose.to_world(box.half_sizes.cwiseProduct(Vector3d(x, y, z))));
    const MassProperties hull = mass_properties(Convex{std::make_shared<const Polyhedron>(corners, "vertices")});
    const MassProperties known = mass_properties(box);
    EXPECT_NEAR(hull.volume / known.volume, 1.0, 1e-13);
    EXPECT_NEAR((hull.centroid - pose.position).norm(), 0.0, 1e-13);
    const Eigen::Matrix3d turn = hull.principal_axes.toRotationMatrix();
    const Eigen::Matrix3d known_turn = pose.rotation();
    EXPECT_NEAR((turn * hull.inertia_per_mass.asDiagonal() * turn.transpose() -
                 known_turn * known.inertia_per_mass.asDiagonal() * known_turn.transpose())
                    .norm(),
                0.0, 1e-13 * known.inertia_per_mass.norm());
  }
}

TEST(PrincipalAxes, OfADiagonalMatrixAreItsOwnInTheirOrder) {
  const PrincipalAxes axes = principal_axes(Vector3d(3, 1, 2).asDiagonal());
  EXPECT_EQ(axes.values, Vector3d(3, 1, 2));
  EXPECT_EQ(axes.turn.coeffs(), Eigen::Quaterniond::Identity().coeffs());
}

TEST(PrincipalAxes, MakeTheMatrixAgain) {
  Random random(8);
  for (int i = 0; i < test::property_cases(300); ++i) {
    // Values over twelve orders of magnitude: each is found to round-off of the largest.
    const Vector3d values(std::pow(10, random.uniform(-6, 6)), std::pow(10, random.uniform(-6, 6)),
                          std::pow(10, random.uniform(-6, 6)));
    const Eigen::Matrix3d turn = test::random_rotation(random).toRotationMatrix();
    const Eigen::Matrix3d matrix = turn * values.asDiagonal() * turn.transpose();
    const PrincipalAxes axes = principal_axes(matrix);
    const Eigen::Matrix3d found = axes.turn.toRotationMatrix();
    EXPECT_LT((found * axes.values.asDiagonal() * found.transpose() - matrix).norm(), 3e-15 * values.maxCoeff() * 3)
        << i;
    EXPECT_NEAR(axes.values.sum(), values.sum(), 1e-14 * values.sum());
  }
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
