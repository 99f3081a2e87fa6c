#include "carom/geometry/polyhedron.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "carom/base/error.h"
#include "geometry/random_shapes.h"

namespace carom::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// All points of a 3×3×3 grid: 8 vertices, the others in the middle of edges, of faces and inside.
std::vector<Vector3d> grid(const Vector3d& half_sizes, const Eigen::Quaterniond& turn) {
  std::vector<Vector3d> points;
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.emplace_back(turn * half_sizes.cwiseProduct(Vector3d(x, y, z)));
  return points;
}

Kind kind_of_refusal(const std::vector<Vector3d>& points) {
  try {
    const Polyhedron made(points, "body.die.shape.vertices");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("body.die.shape.vertices"), std::string::npos);
    return error.kind();
  }
  ADD_FAILURE() << "not refused";
  return Kind::usage;
}

TEST(APolyhedron, LeavesOutPointsInTheMiddleOfFacesAndEdges) {
  Random random(1);
  for (int number = 0; number < 50; ++number) {
    const Vector3d sizes(1.0, 2.0, number % 2 == 0 ? 3.0 : 1e-6);
    const std::vector<Vector3d> points =
        grid(sizes, number == 0 ? Eigen::Quaterniond::Identity() : random_rotation(random));
    const Polyhedron box(points, "vertices");
    ASSERT_EQ(box.vertices().size(), 8u);
    ASSERT_EQ(box.faces().size(), 6u);
    ASSERT_EQ(box.edges().size(), 12u);
    EXPECT_NEAR(box.volume(), 8.0 * sizes.prod(), 1e-13 * 8.0 * sizes.prod() / sizes.minCoeff());
    EXPECT_EQ(box.points_inside(points, 1e-9 * sizes.minCoeff()), std::vector<int>{13});
  }
}

TEST(APolyhedron, HasTheIntegralsOfABoxAndOfATetrahedron) {
  const Polyhedron box(grid({1.0, 2.0, 3.0}, Eigen::Quaterniond::Identity()), "vertices");
  EXPECT_NEAR((box.covariance() - Matrix3d(Vector3d(1.0 / 3.0, 4.0 / 3.0, 3.0).asDiagonal())).norm(), 0.0, 1e-14);
  EXPECT_NEAR(box.centroid().norm(), 0.0, 1e-15);
  const std::vector<Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Polyhedron tetrahedron(corners, "vertices");
  EXPECT_NEAR(tetrahedron.volume(), 1.0 / 6.0, 1e-15);
  EXPECT_NEAR((tetrahedron.centroid() - Vector3d::Constant(0.25)).norm(), 0.0, 1e-15);
  // ∫x² over the tetrahedron is V/10, ∫xy is V/20.
  EXPECT_NEAR(tetrahedron.covariance()(0, 0), 0.1 - 0.0625, 1e-15);
  EXPECT_NEAR(tetrahedron.covariance()(0, 1), 0.05 - 0.0625, 1e-15);
}

TEST(APolyhedron, IsClosedAndHoldsAllItsPoints) {
  Random random(2);
  for (int number = 0; number < property_cases(300); ++number) {
    // Points on a coarse lattice, sheared: many in one plane, on one line, or equal.
    Matrix3d shear;
    for (int k = 0; k < 9; ++k) shear(k / 3, k % 3) = random.uniform(-1.0, 1.0);
    std::vector<Vector3d> points;
    const double levels = 2.0 + std::floor(4.0 * random.uniform());
    for (int i = 0; i < 40; ++i) {
      Vector3d lattice;
      for (int k = 0; k < 3; ++k) lattice[k] = std::floor(levels * random.uniform());
      points.push_back(shear * lattice);
    }
    const Polyhedron body(points, "vertices");
    const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
    EXPECT_EQ(count(body.vertices()) - count(body.edges()) + count(body.faces()), 2);
    for (const Polyhedron::Face& face : body.faces()) {
      EXPECT_NEAR(face.normal.norm(), 1.0, 1e-14);
      for (const Vector3d& point : points) EXPECT_LE(face.normal.dot(point), face.offset + 1e-11 * levels);
    }
    for (const Polyhedron::Edge& edge : body.edges()) {
      // Seen from outside the left face lies to the left: its normal turns about the edge to the right one's.
      const Vector3d along =
          body.vertices()[static_cast<std::size_t>(edge.to)] - body.vertices()[static_cast<std::size_t>(edge.from)];
      const Vector3d& left = body.faces()[static_cast<std::size_t>(edge.left)].normal;
      const Vector3d& right = body.faces()[static_cast<std::size_t>(edge.right)].normal;
      EXPECT_GT(left.cross(right).dot(along), 0.0);
    }
    for (int i = 0; i < 20; ++i) {
      const Vector3d direction = random_direction(random);
      double most = -1e300;
      for (const Vector3d& vertex : body.vertices()) most = std::max(most, direction.dot(vertex));
      const int start = static_cast<int>(random.uniform() * count(body.vertices()));
      EXPECT_NEAR(direction.dot(body.vertices()[static_cast<std::size_t>(body.farthest_vertex(direction, start))]),
                  most, 1e-12 * levels);
    }
  }
}

TEST(APolyhedron, FindsPointsThatLieInside) {
  Random random(3);
  const Convex hull = random_polyhedron(200, 1.0, random);
  std::vector<Vector3d> points(hull.polyhedron->vertices().begin(), hull.polyhedron->vertices().end());
  EXPECT_TRUE(hull.polyhedron->points_inside(points, 1e-9).empty());
  points.insert(points.begin() + 7, 0.5 * points[3]);
  EXPECT_EQ(hull.polyhedron->points_inside(points, 1e-9), std::vector<int>{7});
}

TEST(APolyhedron, RefusesPointsWithoutAVolume) {
  EXPECT_EQ(kind_of_refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), Kind::size_mismatch);
  EXPECT_EQ(kind_of_refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), Kind::out_of_range);
  EXPECT_EQ(kind_of_refusal({{0, 0, 0}, {1, 0, 0.1}, {0, 1, 0.2}, {1, 1, 0.3}, {2, 3, 0.8}}), Kind::out_of_range);
  EXPECT_EQ(kind_of_refusal({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), Kind::out_of_range);
  EXPECT_EQ(kind_of_refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}), Kind::not_finite);
}

}  // namespace
}  // namespace carom::test
