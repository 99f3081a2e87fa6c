/// The general distance against closed forms, each shape in the guise of another, and the points in which faces, edges
/// and lines touch.

#include "carom/geometry/convex/convex_distance.h"

#include <gtest/gtest.h>

#include "carom/geometry/polyhedron.h"
#include "carom/geometry/support.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kFlat = 1e-12;   // of the sizes: what polyhedra promise
constexpr double kRound = 1e-10;  // of the sizes: what the others promise

Convex hull_of(const Shape& shape) {
  return {std::make_shared<Polyhedron>(shape_vertices(shape), "vertices")};
}

/// The general method on shapes whose pair has a closed form.
void expect_closed_form(ShapeKind a, ShapeKind b, double tolerance, int usual_cases) {
  const PairFunction& pair = *find_pair(a, b);
  Random random(static_cast<std::uint64_t>(a) * 17 + static_cast<std::uint64_t>(b));
  for (int number = 0; number < property_cases(usual_cases); ++number) {
    const Case test = random_case(pair, random);
    const Proximity closed = pair.proximity(test.a, test.pose_a, test.b, test.pose_b);
    const Proximity general = convex_proximity(test.a, test.pose_a, test.b, test.pose_b);
    ASSERT_NEAR(general.distance, closed.distance, tolerance * test.scale)
        << shape_name(a) << ' ' << shape_name(b) << ' ' << number;
  }
}

TEST(ConvexDistance, AgreesWithTheClosedForms) {
  expect_closed_form(ShapeKind::box, ShapeKind::box, kFlat, 300);
  expect_closed_form(ShapeKind::sphere, ShapeKind::box, kFlat, 300);
  expect_closed_form(ShapeKind::sphere, ShapeKind::prism, kFlat, 300);
  expect_closed_form(ShapeKind::sphere, ShapeKind::cylinder, kRound, 200);
  expect_closed_form(ShapeKind::sphere, ShapeKind::ellipsoid, kRound, 200);
  expect_closed_form(ShapeKind::ellipsoid, ShapeKind::ellipsoid, kRound, 200);
}

/// The same two bodies, one of them described by another shape. Deep inside each other a search may end at a way out
/// that is not the shortest; then its residual says by how much it may be off.
void expect_same(const Case& test, const Case& guise, double tolerance) {
  const Proximity one = proximity(test);
  const Proximity other = proximity(guise);
  ASSERT_NEAR(one.distance, other.distance, tolerance * test.scale + one.residual + other.residual)
      << shape_name(test.a) << ' ' << shape_name(test.b);
}

TEST(ConvexDistance, DoesNotDependOnWhatAShapeIsCalled) {
  Random random(5);
  for (const PairFunction& pair : all_pairs()) {
    if (!is_solid(pair.kind_a) || !is_solid(pair.kind_b)) continue;
    for (int number = 0; number < property_cases(8); ++number) {
      const Case test = random_case(pair, random);
      Case guise = test;
      if (pair.kind_a == ShapeKind::box || pair.kind_a == ShapeKind::prism) {
        guise.a = hull_of(test.a);
      } else if (pair.kind_a == ShapeKind::sphere) {
        guise.a = Ellipsoid{Vector3d::Constant(std::get<Sphere>(test.a).radius)};
        expect_same(test, guise, kRound);
        guise.a = Capsule{std::get<Sphere>(test.a).radius, 0.0};
      } else {
        continue;
      }
      expect_same(test, guise, kRound);
    }
  }
}

TEST(ConvexDistance, OfACylinderIsBetweenThoseOfPrismsInAndAroundIt) {
  Random random(6);
  constexpr int kSides = 64;
  for (int number = 0; number < property_cases(40); ++number) {
    const Case test = random_case(*find_pair(ShapeKind::cylinder, ShapeKind::convex), random);
    const Cylinder& cylinder = std::get<Cylinder>(test.a);
    const auto polygon = [&](double radius) {
      std::vector<Vector3d> corners;
      for (int k = 0; k < kSides; ++k)
        for (const double z : {-cylinder.half_length, cylinder.half_length})
          corners.emplace_back(radius * std::cos(2.0 * std::numbers::pi * k / kSides),
                               radius * std::sin(2.0 * std::numbers::pi * k / kSides), z);
      return Convex{std::make_shared<Polyhedron>(corners, "vertices")};
    };
    Case inside = test, around = test;
    inside.a = polygon(cylinder.radius);
    around.a = polygon(cylinder.radius / std::cos(std::numbers::pi / kSides));
    const double distance = proximity(test).distance;
    EXPECT_GE(proximity(inside).distance, distance - kRound);
    EXPECT_LE(proximity(around).distance, distance + kRound);
  }
}

TEST(ConvexDistance, HoldsForSizesThatDifferByAMillion) {
  Random random(7);
  for (const PairFunction& pair : all_pairs()) {
    if (!is_solid(pair.kind_a) || pair.kind_b != ShapeKind::convex) continue;
    for (int number = 0; number < property_cases(10); ++number) {
      Case test = random_case(pair, random);
      test.b = random_polyhedron(12, 1e6, random);
      // Off a face of the large one, by half the small one's size along the normal.
      const Polyhedron& large = *std::get<Convex>(test.b).polyhedron;
      const int face = static_cast<int>(random.uniform() * static_cast<double>(large.faces().size()));
      const Polyhedron::Face& chosen = large.faces()[static_cast<std::size_t>(face)];
      Vector3d middle = Vector3d::Zero();
      for (const int corner : large.corners(face))
        middle += large.vertices()[static_cast<std::size_t>(corner)] / chosen.corners;
      test.pose_a.position = test.pose_b.to_world(middle + 0.5 * size_of(test.a) * chosen.normal);
      const Proximity nearest = proximity(test);
      const Vector3d normal = test.pose_b.orientation * chosen.normal;
      const double expected = normal.dot(test.pose_a.position - test.pose_b.position) - chosen.offset -
                              support(test.a, test.pose_a.orientation.conjugate() * Vector3d(-normal));
      EXPECT_NEAR(nearest.distance, expected, kFlat * 1e6) << shape_name(test.a);
      EXPECT_NEAR((nearest.normal - normal).norm(), 0.0, 1e-9);
    }
  }
}

TEST(ConvexTouching, TwoCubesAndTheirHullsTouchInTheSameFourPoints) {
  const Shape box = Box{{1, 1, 1}};
  const Shape hull = hull_of(box);
  const Pose above{{0.5, 0.25, 2.0}, Quaterniond::Identity()};
  const TouchingPoints boxes = touching_points(box, above, box, Pose{}, 1e-9);
  const TouchingPoints hulls = touching_points(hull, above, hull, Pose{}, 1e-9);
  ASSERT_EQ(boxes.size(), 4);
  ASSERT_EQ(hulls.size(), 4);
  for (const TouchingPoint& point : hulls) {
    EXPECT_NEAR(point.distance, 0.0, 1e-15);
    double least = 1.0;
    for (const TouchingPoint& other : boxes) least = std::min(least, (point.point_a - other.point_a).norm());
    EXPECT_NEAR(least, 0.0, 1e-15);
  }
}

TEST(ConvexTouching, ACylinderStandsOnABoxWithAnOctagonThatTurnsWithIt) {
  const Shape cylinder = Cylinder{1.0, 0.5};
  const Shape box = Box{{3, 3, 1}};
  Vector3d before = Vector3d::Zero();
  for (const double angle : {0.0, 1e-10, 0.3}) {
    const Pose pose{{0, 0, 1.5}, Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ()))};
    const TouchingPoints points = touching_points(cylinder, pose, box, Pose{}, 1e-8);
    ASSERT_EQ(points.size(), 8);
    for (int k = 0; k < 8; ++k) {
      const double turn = angle + std::numbers::pi / 4.0 * k;
      EXPECT_NEAR((points[k].point_a - Vector3d(std::cos(turn), std::sin(turn), 1.0)).norm(), 0.0, 1e-9) << k;
    }
    if (angle == 1e-10) {
      EXPECT_NEAR((points[0].point_a - before).norm(), 0.0, 1e-9);
    }
    before = points[0].point_a;
  }
}

TEST(ConvexTouching, ADiscThatLeansTouchesWhereItIsNearestToWhatItStandsOn) {
  // Of the lens that two discs have in common, or a disc and a square: the octagons alone miss its deepest point by up
  // to 0.08 of radius and lean. Compared with points all along the borders.
  Random random(21);
  for (int number = 0; number < property_cases(200); ++number) {
    const double lean = random.uniform(1e-6, 1e-4), radius = random.uniform(0.8, 1.2);
    const Shape upper = Cylinder{1.0, 0.3};
    const bool on_disc = number % 2 == 0;
    const Shape lower = on_disc ? Shape(Cylinder{radius, 0.5}) : Shape(Box{{radius, radius, 0.5}});
    const double towards = random.uniform(0.0, 6.0), offset = random.uniform(0.0, 0.6);
    const Vector3d axis(std::cos(towards), std::sin(towards), 0.0);
    const Pose pose{{offset, 0.3 * offset, 0.8 + 2e-4}, Quaterniond(Eigen::AngleAxisd(lean, axis))};
    const Vector3d down = pose.orientation * Vector3d(0.0, 0.0, -1.0);
    const Vector3d middle = pose.to_world({0.0, 0.0, -0.3});
    const auto on_both = [&](double x, double y) {
      const bool below =
          on_disc ? std::hypot(x, y) <= radius + 1e-9 : std::max(std::abs(x), std::abs(y)) <= radius + 1e-9;
      return below && std::hypot(x - middle.x(), y - middle.y()) <= 1.0 + 1e-9;
    };
    double least = 1.0;
    const auto consider = [&](double x, double y) {
      if (!on_both(x, y)) return;
      least =
          std::min(least, middle.z() - (down.x() * (x - middle.x()) + down.y() * (y - middle.y())) / down.z() - 0.5);
    };
    for (int k = 0; k < 4000; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 4000, c = std::cos(angle), s = std::sin(angle);
      consider(middle.x() + c, middle.y() + s);
      const double reach = on_disc ? radius : radius / std::max(std::abs(c), std::abs(s));
      consider(reach * c, reach * s);
    }
    double nearest = 1.0;
    for (const TouchingPoint& point : touching_points(upper, pose, lower, Pose{}, 1e-3))
      nearest = std::min(nearest, point.distance);
    EXPECT_NEAR(nearest, least, 3e-3 * lean) << number;
  }
}

TEST(ConvexTouching, LyingLinesTouchWithBothEnds) {
  // A capsule, a cylinder, a rod and a half cylinder's edge, along x on a plate that is shorter or longer than they
  // are.
  const Quaterniond along_x(Eigen::AngleAxisd(std::numbers::pi / 2.0, Vector3d::UnitY()));
  for (const double half_plate : {0.5, 2.0}) {
    const Shape plate = Box{{half_plate, 1.0, 0.25}};
    const struct {
      Shape shape;
      double height;
    } lying[] = {{Capsule{0.25, 1.0}, 0.25}, {Cylinder{0.25, 1.0}, 0.25}, {Rod{1.0}, 0.0}};
    for (const auto& [shape, height] : lying) {
      const TouchingPoints points = touching_points(shape, {{0.0, 0.1, 0.25 + height}, along_x}, plate, Pose{}, 1e-9);
      ASSERT_EQ(points.size(), 2) << shape_name(shape);
      const double reach = std::min(1.0, half_plate);
      EXPECT_NEAR(points[0].point_a.x() + points[1].point_a.x(), 0.0, 1e-12);
      EXPECT_NEAR(std::abs(points[0].point_a.x()), reach, 1e-12) << shape_name(shape);
      EXPECT_NEAR(points[0].point_b.z(), 0.25, 1e-12);
    }
  }
}

TEST(ConvexTouching, CrossedEdgesTouchInOnePointAndParallelOnesInTwo) {
  const Shape prism = Prism{{{{-1, 0}, {1, 0}, {0, -1}}}, 1.0};
  const Shape upside = Prism{{{{-1, 0}, {1, 0}, {0, 1}}}, 1.0};
  const Quaterniond upright(Eigen::AngleAxisd(std::numbers::pi / 2.0, Vector3d::UnitX()));
  for (const double turn : {0.0, 0.4}) {
    // Ridge on ridge, along y, the upper one turned.
    const Quaterniond turned = Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitZ())) * upright;
    const TouchingPoints points = touching_points(prism, {{0, 0, 1}, turned}, upside, {{0, 0, -1}, upright}, 1e-9);
    ASSERT_EQ(points.size(), turn == 0.0 ? 2 : 1);
    EXPECT_NEAR(points[0].distance, 0.0, 1e-14);
    EXPECT_NEAR(std::abs(points[0].point_a.y()), turn == 0.0 ? 1.0 : 0.0, 1e-12);
    EXPECT_NEAR(points[0].point_a.x(), 0.0, 1e-12);
  }
}

TEST(ConvexTouching, KeepsItsOrderWhenTheBodiesMoveALittle) {
  Random random(8);
  const Shape body = hull_of(Box{{0.5, 0.4, 0.3}});
  const Shape table = hull_of(Box{{0.45, 2.0, 0.1}});
  const TouchingPoints first = touching_points(body, {{0.1, 0.2, 0.4}, Quaterniond::Identity()}, table, Pose{}, 1e-8);
  ASSERT_EQ(first.size(), 4);
  for (int number = 0; number < 50; ++number) {
    const Quaterniond tilt =
        Quaterniond(1.0, random.uniform(-1e-10, 1e-10), random.uniform(-1e-10, 1e-10), random.uniform(-1e-10, 1e-10))
            .normalized();
    const TouchingPoints now =
        touching_points(body, {Vector3d(0.1, 0.2, 0.4) + 1e-10 * random_direction(random), tilt}, table, Pose{}, 1e-8);
    ASSERT_EQ(now.size(), 4);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR((now[k].point_a - first[k].point_a).norm(), 0.0, 1e-8);
  }
}

}  // namespace
}  // namespace carom::test
