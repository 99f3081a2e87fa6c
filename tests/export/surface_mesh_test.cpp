#include "carom/export/surface_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/polyhedron.h"

namespace carom {
namespace {

using Eigen::Vector3d;

/// ⅙ Σ a·(b × c) over the triangles of each face: positive where faces look outwards.
double volume(const SurfaceMesh& mesh) {
  double sum = 0.0;
  for (const std::vector<int>& face : mesh.faces) {
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      sum += mesh.points[static_cast<std::size_t>(face[0])].dot(
          mesh.points[static_cast<std::size_t>(face[i])].cross(mesh.points[static_cast<std::size_t>(face[i + 1])]));
    }
  }
  return sum / 6.0;
}

const Shape kSolids[] = {
    Sphere{0.7},
    Ellipsoid{{0.3, 0.5, 1.1}},
    Box{{0.2, 0.4, 0.7}},
    Cylinder{0.4, 0.9},
    Prism{{{{0.0, 0.0}, {1.0, 0.1}, {0.2, 0.8}}}, 0.3},
    Prism{{{{0.0, 0.0}, {0.2, 0.8}, {1.0, 0.1}}}, 0.3},
    Capsule{0.4, 0.9},
    Cone{0.4, 0.9},
    HalfCylinder{0.4, 0.9},
    Convex{std::make_shared<const Polyhedron>(
        std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, "vertices")}};

TEST(SurfaceMesh, IsClosedAndLooksOutwards) {
  for (const Shape& shape : kSolids) {
    const SurfaceMesh mesh = surface_mesh(shape, 24, 0.0);
    std::map<std::pair<int, int>, int> edges;
    for (const std::vector<int>& face : mesh.faces) {
      for (std::size_t i = 0; i < face.size(); ++i) ++edges[{face[i], face[(i + 1) % face.size()]}];
    }
    for (const auto& edge : edges) {
      const std::pair<int, int> back{edge.first.second, edge.first.first};
      EXPECT_EQ(edge.second, 1) << shape_name(shape);
      EXPECT_EQ(edges.count(back), 1u) << shape_name(shape);
    }
    EXPECT_GT(volume(mesh), 0.0) << shape_name(shape);
  }
}

TEST(SurfaceMesh, VolumesConvergeWithSecondOrder) {
  for (const Shape& shape : kSolids) {
    const double exact = mass_properties(shape).volume;
    const double coarse = exact - volume(surface_mesh(shape, 24, 0.0));
    const double fine = exact - volume(surface_mesh(shape, 48, 0.0));
    if (std::abs(coarse) < 1e-14) continue;  // a polyhedron itself
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05) << shape_name(shape);
  }
}

TEST(SurfaceMesh, ExtentsAlongTheAxesAreExact) {
  const SurfaceMesh mesh = surface_mesh(Ellipsoid{{0.3, 0.5, 1.1}}, 8, 0.0);
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
  for (const Vector3d& point : mesh.points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  EXPECT_EQ(high, Vector3d(0.3, 0.5, 1.1));
  EXPECT_EQ(low, Vector3d(-0.3, -0.5, -1.1));
}

TEST(SurfaceMesh, OfPartsStandsWhereTheyDo) {
  const Parts parts = {{Box{{1, 1, 1}}, {}}, {Cone{1, 3}, {{0, 0, 5}, Eigen::Quaterniond(0, 1, 0, 0)}}};
  const SurfaceMesh mesh = surface_mesh(parts, 24, 0.0);
  EXPECT_NEAR(volume(mesh),
              volume(surface_mesh(parts[0].shape, 24, 0.0)) + volume(surface_mesh(parts[1].shape, 24, 0.0)), 1e-13);
  // The cone stands on its head: its apex is at z = 5 − 3.
  double lowest = 9.0;
  for (std::size_t i = 8; i < mesh.points.size(); ++i) lowest = std::min(lowest, mesh.points[i].z());
  EXPECT_NEAR(lowest, 2.0, 1e-15);
}

TEST(SurfaceMesh, ARodIsDrawnThin) {
  for (const Vector3d& point : surface_mesh(Rod{2.0}, 24, 0.0).points) {
    EXPECT_NEAR(point.head<2>().norm(), 0.02, 1e-15);
    EXPECT_EQ(std::abs(point.z()), 2.0);
  }
}

TEST(SurfaceMesh, HollowsAreSeenFromInside) {
  EXPECT_LT(volume(surface_mesh(Shell{2.0}, 24, 0.0)), 0.0);
  const SurfaceMesh bore = surface_mesh(Bore{0.5, 1.0}, 24, 0.0);
  for (const Vector3d& point : bore.points) EXPECT_NEAR(point.head<2>().norm(), 0.5, 1e-15);
  const SurfaceMesh plane = surface_mesh(HalfSpace{}, 24, 3.0);
  ASSERT_EQ(plane.points.size(), 4u);
  EXPECT_EQ(plane.points[2], Vector3d(3.0, 3.0, 0.0));
}

}  // namespace
}  // namespace carom
