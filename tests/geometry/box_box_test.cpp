#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/random.h"
#include "carom/geometry/pairs/nearest_point.h"
#include "geometry/random_shapes.h"

namespace carom::test::box_box_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const Box kCube{{1, 1, 1}};
constexpr double kEighth = std::numbers::pi / 4.0;

Proximity from(const Pose& pose) {
  return carom::proximity(kCube, pose, kCube, Pose{});
}
TouchingPoints touching_from(const Pose& pose, double tolerance = 1e-10) {
  return touching_points(kCube, pose, kCube, Pose{}, tolerance);
}

double gap_along(const Case& test, const Vector3d& n) {
  const auto reach = [&](const Shape& shape, const Pose& pose) {
    return std::get<Box>(shape).half_sizes.dot(Vector3d(pose.orientation.conjugate() * n).cwiseAbs());
  };
  return n.dot(test.pose_a.position - test.pose_b.position) - reach(test.a, test.pose_a) - reach(test.b, test.pose_b);
}

TEST(BoxBox, EveryPointOfFacesThatAreALittleInclinedHasItsOwnGap) {
  // One tenth of the tolerance over the width; whichever of the two is turned.
  for (const bool upper : {true, false}) {
    const Quaterniond turn(AngleAxisd(1e-6, Vector3d::UnitY()));
    const Pose above{{0.5, 0.25, 2.0 + 1e-5}, upper ? turn : Quaterniond::Identity()};
    const Pose below{Vector3d::Zero(), upper ? Quaterniond::Identity() : turn};
    const TouchingPoints points = touching_points(kCube, above, kCube, below, 1e-4);
    ASSERT_EQ(points.size(), 4);
    for (const TouchingPoint& point : points) {
      EXPECT_NEAR(std::abs(above.to_local(point.point_a).z()), 1.0, 1e-11) << upper;
      EXPECT_NEAR(std::abs(below.to_local(point.point_b).z()), 1.0, 1e-11) << upper;
      EXPECT_NEAR((point.point_a - point.point_b).norm(), point.distance, 1e-15) << upper;
    }
  }
}

TEST(BoxBox, FaceOnFaceTouchesInTheCornersOfTheCommonPart) {
  const Pose above{{0.5, 0.25, 2.0}, Quaterniond::Identity()};
  const Proximity nearest = from(above);
  EXPECT_EQ(nearest.distance, 0.0);
  EXPECT_EQ(nearest.normal, Vector3d::UnitZ());
  EXPECT_NEAR((nearest.point_a - Vector3d(0.25, 0.125, 1.0)).norm(), 0.0, 1e-15);
  const TouchingPoints points = touching_from(above);
  ASSERT_EQ(points.size(), 4);
  for (const TouchingPoint& point : points) {
    EXPECT_TRUE(point.point_a.x() == -0.5 || point.point_a.x() == 1.0);
    EXPECT_TRUE(point.point_a.y() == -0.75 || point.point_a.y() == 1.0);
    EXPECT_EQ(point.distance, 0.0);
  }
}

TEST(BoxBox, WhereBoxesOverlapTheirSidesNeedNotBeInLineBetterThanThat) {
  // One box on the other, a little too deep and beside it by less than that: corners are corners of both.
  const double deep = 4e-9, beside = 1e-9;
  const Pose above{{0.0, beside, 2.0 - deep}, Quaterniond::Identity()};
  for (const double tolerance : {1e-8, 1e-12}) {
    const TouchingPoints points = touching_from(above, tolerance);
    ASSERT_EQ(points.size(), 4);
    for (const TouchingPoint& point : points) {
      const double side = above.to_local(point.point_a).y();
      const bool within = tolerance >= beside;
      EXPECT_NEAR(side, side > 0.0 && !within ? 1.0 - beside : std::copysign(1.0, side), 1e-15);
      EXPECT_NEAR(point.distance, -deep, 1e-15);
    }
  }
}

TEST(BoxBox, ABoxThatLiesAllButFlatOnAFaceTouchesWithACornerOfItsOwn) {
  const Box small{{0.1, 0.1, 0.1}};
  Random random(5);
  for (int k = 0; k < 300; ++k) {
    // One of its axes stands upright up to round-off, which makes it seem longer or shorter than one.
    const Vector3d about = k % 2 == 0 ? Vector3d::UnitX() : Vector3d::UnitY();
    const Quaterniond upright(AngleAxisd(random.uniform(0.0, 6.0), Vector3d::UnitZ()) *
                              AngleAxisd(2.0 * kEighth, about));
    const Vector3d axis(std::cos(k), std::sin(k), 0.0);
    const Quaterniond turn(AngleAxisd(std::pow(10.0, random.uniform(-10.0, -7.0)), axis) * upright);
    const Pose pose{{0.7, -0.6, 1.1 - 1e-9}, turn};
    const Proximity nearest = carom::proximity(small, pose, kCube, Pose{});
    EXPECT_LE(pose.to_local(nearest.point_a).cwiseAbs().maxCoeff(), 0.1 * (1.0 + 1e-6)) << k;
    for (const TouchingPoint& point : touching_points(small, pose, kCube, Pose{}, 1e-12))
      EXPECT_LE(pose.to_local(point.point_a).cwiseAbs().maxCoeff(), 0.1 * (1.0 + 1e-6)) << k;
  }
}

TEST(BoxBox, FaceOnTurnedFaceTouchesInAnOctagon) {
  for (const double gap : {1e-3, 0.0, -1e-3}) {
    const Pose turned{{0, 0, 2.0 + gap}, Quaterniond(AngleAxisd(kEighth, Vector3d::UnitZ()))};
    EXPECT_NEAR(from(turned).distance, gap, 1e-15);
    EXPECT_NEAR((from(turned).normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
    const TouchingPoints points = touching_from(turned);
    ASSERT_EQ(points.size(), 8);
    for (const TouchingPoint& point : points) {
      EXPECT_NEAR(point.distance, gap, 1e-15);
      EXPECT_NEAR(point.point_a.head<2>().norm(), std::hypot(1.0, std::sqrt(2.0) - 1.0), 1e-14);
    }
  }
}

TEST(BoxBox, ASmallFaceInALargeOneTouchesWithItsCorners) {
  const TouchingPoints points =
      touching_points(Box{{0.1, 0.2, 0.3}}, Pose{{0.5, 0.5, 1.3}, Quaterniond(AngleAxisd(0.3, Vector3d::UnitZ()))},
                      Box{{1, 1, 1}}, Pose{}, 1e-10);
  ASSERT_EQ(points.size(), 4);
  for (const TouchingPoint& point : points) {
    EXPECT_NEAR((point.point_a.head<2>() - Eigen::Vector2d(0.5, 0.5)).norm(), std::hypot(0.1, 0.2), 1e-15);
  }
}

TEST(BoxBox, EdgeOnFaceTouchesWithItsTwoEnds) {
  const Pose on_edge{{0, 0, 1.0 + std::sqrt(2.0)}, Quaterniond(AngleAxisd(kEighth, Vector3d::UnitX()))};
  EXPECT_NEAR(from(on_edge).distance, 0.0, 1e-15);
  const TouchingPoints points = touching_from(on_edge);
  ASSERT_EQ(points.size(), 2);
  EXPECT_NEAR(std::abs(points[0].point_a.x() - points[1].point_a.x()), 2.0, 1e-14);
  EXPECT_NEAR(points[0].point_a.y(), 0.0, 1e-15);
}

TEST(BoxBox, ALongEdgeAcrossAFaceIsCutOffAtItsSides) {
  const Pose on_edge{{0, 0, 1.0 + std::sqrt(2.0) + 0.5}, Quaterniond(AngleAxisd(kEighth, Vector3d::UnitX()))};
  const Shape beam = Box{{5, 1, 1}};
  EXPECT_NEAR(carom::proximity(beam, on_edge, kCube, Pose{}).distance, 0.5, 1e-15);
  const TouchingPoints points = touching_points(beam, on_edge, kCube, Pose{}, 1e-10);
  ASSERT_EQ(points.size(), 2);
  for (const TouchingPoint& point : points) EXPECT_NEAR(std::abs(point.point_a.x()), 1.0, 1e-14);
}

/// Boxes flush with each other, one on the other, out of place by round-off of some size: whichever corner sticks out
/// by 1e-14, the direction of their nearest points is not made by that.
TEST(BoxBox, StackedBoxesKeepTheirNormalWhereCornersStickOutByRoundOff) {
  Random random(7);
  for (int k = 0; k < property_cases(20000); ++k) {
    const double size = std::pow(10.0, random.uniform(-16.0, -9.0));
    const auto jitter = [&] {
      return Vector3d(size * Vector3d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 1.0));
    };
    const Quaterniond turn(AngleAxisd(size * random.uniform(0.0, 1.0), jitter().normalized()));
    const Pose above{Vector3d(random.uniform(-0.9, 0.9), 0.0, 2.0) + jitter(), turn};
    for (const TouchingPoint& point : touching_from(above, 1e-6)) ASSERT_GE(point.distance, -1e-8) << k;
    const Proximity near = from(above);
    ASSERT_GT(near.normal.z(), 1.0 - 1e-8) << k;
    // The nearest point is one of the lowest.
    const Vector3d slope = above.orientation.conjugate() * near.normal;
    ASSERT_NEAR(near.normal.dot(near.point_a - above.position), -slope.cwiseAbs().sum(), 2e-11) << k;
  }
}

TEST(BoxBox, VertexOnFaceIsASinglePoint) {
  const Pose on_vertex{{0.2, 0.1, 1.0 + std::sqrt(3.0) + 0.25},
                       Quaterniond::FromTwoVectors(Vector3d(1, 1, 1), Vector3d::UnitZ())};
  const Proximity nearest = from(on_vertex);
  EXPECT_NEAR(nearest.distance, 0.25, 1e-15);
  EXPECT_EQ(nearest.normal, Vector3d::UnitZ());
  EXPECT_NEAR((nearest.point_b - Vector3d(0.2, 0.1, 1.0)).norm(), 0.0, 1e-15);
  EXPECT_EQ(touching_from(on_vertex).size(), 1);
}

/// Two beams with an edge towards each other, crossing at right angles.
Proximity crossed_edges(double gap) {
  const Quaterniond lower(AngleAxisd(kEighth, Vector3d::UnitX()));
  const Quaterniond upper(AngleAxisd(kEighth, Vector3d::UnitY()));
  return carom::proximity(Box{{1, 4, 1}}, Pose{{0.1, 0.2, 2.0 * std::sqrt(2.0) + gap}, upper}, Box{{4, 1, 1}},
                          Pose{{0, 0, 0}, lower});
}

TEST(BoxBox, EdgeOnEdgeKeepsItsNormalHoweverNearTheyAre) {
  for (const double gap : {0.5, 1e-6, 1e-12, 1e-15, -1e-15, -1e-12, -1e-6, -0.1}) {
    const Proximity nearest = crossed_edges(gap);
    EXPECT_NEAR(nearest.distance, gap, 2e-15);
    EXPECT_NEAR((nearest.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15) << gap;
    EXPECT_NEAR((nearest.point_b - Vector3d(0.1, 0.0, std::sqrt(2.0))).norm(), 0.0, 1e-14) << gap;
  }
}

TEST(BoxBox, ParallelEdgesTouchInTheirCommonPart) {
  const Quaterniond turned(AngleAxisd(kEighth, Vector3d::UnitX()));
  const Pose above{{0.5, 0, 2.0 * std::sqrt(2.0)}, turned};
  const TouchingPoints points = touching_points(kCube, above, kCube, Pose{{0, 0, 0}, turned}, 1e-10);
  ASSERT_EQ(points.size(), 2);
  EXPECT_NEAR(std::abs(points[0].point_a.x() - points[1].point_a.x()), 1.5, 1e-14);
}

TEST(BoxBox, VertexToVertexIsTheirDistance) {
  const Proximity nearest = from(Pose{{4, 4, 3}, Quaterniond::Identity()});
  EXPECT_NEAR(nearest.distance, 3.0, 1e-15);
  EXPECT_NEAR((nearest.normal - Vector3d(2, 2, 1) / 3.0).norm(), 0.0, 1e-15);
}

TEST(BoxBox, ConcentricBoxesPartAlongTheirShortestWay) {
  const Proximity nearest = carom::proximity(Box{{1, 2, 3}}, Pose{}, Box{{3, 1.5, 2}}, Pose{});
  EXPECT_NEAR(nearest.distance, -3.5, 1e-15);
  EXPECT_NEAR((nearest.normal - Vector3d::UnitY()).norm(), 0.0, 1e-15);
}

TEST(BoxBox, AlignedBoxesOnAGridAreTheClosedForm) {
  // Full of ties: common planes, common edges, common corners. Excess e_i = |c_i| − h_ai − h_bi.
  Random random(43);
  for (int number = 0; number < property_cases(3000); ++number) {
    const auto whole = [&](int low, int high) {
      const double x = random.integer(low, high);
      const double y = random.integer(low, high);
      return Vector3d(x, y, random.integer(low, high));
    };
    const Box a{whole(1, 3)};
    const Box b{whole(1, 3)};
    const Vector3d offset = whole(-6, 6);
    // Quarter turns, as exact as a quaternion of doubles has them.
    const Quaterniond frame(AngleAxisd(0.5 * std::numbers::pi * random.integer(0, 3), Vector3d::UnitY()));
    const Proximity nearest = carom::proximity(a, Pose{frame * offset, frame}, b, Pose{{0, 0, 0}, frame});
    const Vector3d excess = offset.cwiseAbs() - a.half_sizes - b.half_sizes;
    const double outside = excess.cwiseMax(0.0).norm();
    ASSERT_NEAR(nearest.distance, outside > 0.0 ? outside : excess.maxCoeff(), 4e-15) << number;
    ASSERT_NEAR((nearest.point_a - nearest.point_b - nearest.distance * nearest.normal).norm(), 0.0, 1e-14) << number;
    ASSERT_NEAR(surface_residual(a, frame.conjugate() * nearest.point_a - offset), 0.0, 1e-14) << number;
    ASSERT_NEAR(surface_residual(b, frame.conjugate() * nearest.point_b), 0.0, 1e-14) << number;
    // A coordinate in which the boxes overlap doubles the points, one in which they only meet does not.
    const TouchingPoints points = touching_points(a, Pose{frame * offset, frame}, b, Pose{{0, 0, 0}, frame}, 1e-10);
    const auto overlapping = (excess.array() < 0.0).count();
    const int expected = overlapping == 3 ? 4 : 1 << overlapping;
    ASSERT_EQ(points.size(), expected) << number << ' ' << excess.transpose();
  }
}

TEST(BoxBox, ApartAgreesWithAlternatingProjections) {
  Random random(41);
  const PairFunction& pair = *find_pair(ShapeKind::box, ShapeKind::box);
  int compared = 0;
  for (int number = 0; number < property_cases(2000); ++number) {
    const Case test = random_case(pair, random);
    const Proximity nearest = proximity(test);
    if (nearest.distance <= 0.0) continue;
    ++compared;
    const auto project = [](const Shape& shape, const Pose& pose, const Vector3d& point) {
      const Vector3d& half = std::get<Box>(shape).half_sizes;
      return pose.to_world(pose.to_local(point).cwiseMax(-half).cwiseMin(half));
    };
    Vector3d on_a = test.pose_a.position;
    Vector3d on_b = test.pose_b.position;
    for (int step = 0; step < 2000; ++step) {
      on_b = project(test.b, test.pose_b, on_a);
      on_a = project(test.a, test.pose_a, on_b);
    }
    // From above, and slow where edges are nearly parallel.
    ASSERT_GE((on_a - on_b).norm(), nearest.distance - 1e-13) << number;
    ASSERT_NEAR((on_a - on_b).norm(), nearest.distance, 1e-3) << number;
    // And no plane parts them by more: the distance is the largest gap of all directions.
    ASSERT_NEAR(gap_along(test, nearest.normal), nearest.distance, 1e-13) << number;
  }
  EXPECT_GT(compared, 0);
}

TEST(BoxBox, OverlappingNoDirectionGivesALargerGap) {
  Random random(42);
  const PairFunction& pair = *find_pair(ShapeKind::box, ShapeKind::box);
  for (int number = 0; number < property_cases(2000); ++number) {
    const Case test = random_case(pair, random);
    const Proximity nearest = proximity(test);
    ASSERT_NEAR(gap_along(test, nearest.normal), nearest.distance, 1e-13) << number;
    for (int sample = 0; sample < 500; ++sample) {
      ASSERT_LE(gap_along(test, random_direction(random)), nearest.distance + 1e-13) << number;
    }
  }
}

TEST(BoxBox, NearlyParallelBoxesKeepTheirDistance) {
  // The faces differ by the tilt times the size at most.
  for (double tilt = 1e-2; tilt > 1e-17; tilt *= 0.1) {
    for (const Vector3d& axis :
         {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0.6, 0.8, 0), Vector3d(0.48, 0.6, 0.64)}) {
      for (const double gap : {1e-2, 0.0, -1e-2}) {
        const Proximity nearest = from(Pose{{0.5, 0.25, 2.0 + gap}, Quaterniond(AngleAxisd(tilt, axis))});
        ASSERT_NEAR(nearest.distance, gap, 2.0 * tilt + 1e-15) << tilt;
        ASSERT_NEAR((nearest.normal - Vector3d::UnitZ()).norm(), 0.0, 1.5 * tilt + 1e-14) << tilt;
        ASSERT_NEAR((nearest.point_a - nearest.point_b - nearest.distance * nearest.normal).norm(), 0.0, 1e-11);
      }
    }
  }
}

TEST(BoxBox, DistanceIsContinuousWhereEdgesAllButTouch) {
  Random random(11);
  int edges = 0;
  for (int k = 0; k < 2000; ++k) {
    const auto turn = [&] {
      return Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
          .normalized();
    };
    const Box a{{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
    const Box b{{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
    const Pose pose_b{{0, 0, 0}, k % 3 == 0 ? Quaterniond::Identity() : turn()};
    // A third of them with a pair of parallel axes: an edge across the border of a face.
    Pose pose_a{{random.uniform(-1, 1), random.uniform(-1, 1), 3.0},
                k % 3 == 0 ? Quaterniond(AngleAxisd(random.uniform(-1, 1), Vector3d::UnitY())) : turn()};
    for (int turns = 0; turns < 60; ++turns) {
      const Proximity apart = carom::proximity(a, pose_a, b, pose_b);
      pose_a.position -= apart.distance * apart.normal;
    }
    const Proximity touching = carom::proximity(a, pose_a, b, pose_b);
    ASSERT_NEAR(touching.distance, 0.0, 1e-14);
    for (const double gap : {0.0, 1e-17, -1e-17, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12}) {
      Pose moved = pose_a;
      moved.position += gap * touching.normal;
      // The distance changes by no more than the box moves, whichever of several normals it has there.
      const double distance = carom::proximity(a, moved, b, pose_b).distance;
      EXPECT_NEAR(distance, touching.distance, std::abs(gap) + 1e-14) << k;
    }
    edges += touching_points(a, pose_a, b, pose_b, 1e-10).size() == 1 ? 1 : 0;
  }
  EXPECT_GT(edges, 500);
}

}  // namespace
}  // namespace carom::test::box_box_test
