#include "carom/geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/error.h"
#include "carom/geometry/polyhedron.h"

namespace carom {
namespace {

using Eigen::Vector3d;
using Triangles = std::vector<std::array<Vector3d, 3>>;

/// A quadrilateral, counter-clockwise seen from outside.
void add_quad(Triangles& triangles, const std::array<Vector3d, 4>& corners) {
  triangles.push_back({corners[0], corners[1], corners[2]});
  triangles.push_back({corners[0], corners[2], corners[3]});
}

/// The cuboid between two corners.
Triangles cuboid(const Vector3d& low, const Vector3d& high) {
  Triangles triangles;
  const auto at = [&](int x, int y, int z) -> Vector3d {
    return {x != 0 ? high.x() : low.x(), y != 0 ? high.y() : low.y(), z != 0 ? high.z() : low.z()};
  };
  add_quad(triangles, {at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)});
  add_quad(triangles, {at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)});
  add_quad(triangles, {at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)});
  add_quad(triangles, {at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)});
  add_quad(triangles, {at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)});
  add_quad(triangles, {at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)});
  return triangles;
}

/// The body of an outline in the xy-plane, counter-clockwise, from z = 0 to 1; its ends are fans about `middle`, which
/// sees all of the outline.
Triangles tower(const std::vector<Vector3d>& outline, const Vector3d& middle) {
  Triangles triangles;
  const Vector3d up = Vector3d::UnitZ();
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector3d& a = outline[i];
    const Vector3d& b = outline[(i + 1) % outline.size()];
    add_quad(triangles, {a, b, b + up, a + up});
    triangles.push_back({middle + up, a + up, b + up});
    triangles.push_back({middle, b, a});
  }
  return triangles;
}

std::string error_of(const Triangles& triangles) {
  try {
    (void)convex_polyhedron(mesh_of(triangles), {"\"part.stl\"", "body.part.shape.file"});
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().field, "body.part.shape.file");
    return std::string(kind_name(error.kind())) + ": " + error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TriangleMesh, ACuboidIsAPolyhedronOfSixFaces) {
  const TriangleMesh mesh = mesh_of(cuboid({0, 0, 0}, {1, 2, 3}));
  EXPECT_EQ(mesh.vertices.size(), 8u);
  const auto hull = convex_polyhedron(mesh, {"mesh", "file"});
  EXPECT_EQ(hull->faces().size(), 6u);
  EXPECT_DOUBLE_EQ(hull->volume(), 6.0);
}

TEST(TriangleMesh, TrianglesWithoutAreaDoNothing) {
  Triangles triangles = cuboid({0, 0, 0}, {1, 1, 1});
  triangles.push_back({Vector3d(0, 0, 0), Vector3d(0, 0, 0), Vector3d(1, 0, 0)});
  EXPECT_EQ(mesh_of(triangles).triangles.size(), 12u);
  EXPECT_EQ(error_of(triangles), "no error");
}

TEST(TriangleMesh, AHoleIsFoundAtItsEdge) {
  Triangles triangles = cuboid({0, 0, 0}, {1, 2, 3});
  triangles.pop_back();
  const std::string error = error_of(triangles);
  EXPECT_TRUE(contains(error, "out-of-range: body.part.shape.file is \"part.stl\", which has a hole: the edge from ["))
      << error;
  EXPECT_TRUE(contains(error, "belongs to one triangle only, expected two")) << error;
}

TEST(TriangleMesh, OneTriangleTurnedRoundIsWrongWinding) {
  Triangles triangles = cuboid({0, 0, 0}, {1, 2, 3});
  std::swap(triangles[7][0], triangles[7][1]);
  const std::string error = error_of(triangles);
  EXPECT_TRUE(contains(error, "whose winding is wrong: triangles ")) << error;
  EXPECT_TRUE(contains(error, "and 7 both run along the edge")) << error;
}

TEST(TriangleMesh, AllTrianglesTurnedRoundLookInwards) {
  Triangles triangles = cuboid({0, 0, 0}, {1, 2, 3});
  for (auto& corners : triangles) std::swap(corners[0], corners[1]);
  const std::string error = error_of(triangles);
  EXPECT_TRUE(contains(error, "whose winding is wrong: its volume is -6")) << error;
  EXPECT_TRUE(contains(error, "expected them counter-clockwise seen from outside")) << error;
}

TEST(TriangleMesh, AFlatOneHasNoVolume) {
  const std::string error = error_of(cuboid({0, 0, 0}, {1, 2, 0}));
  EXPECT_TRUE(contains(error, "out-of-range")) << error;
  EXPECT_TRUE(contains(error, "volume") || contains(error, "winding")) << error;
}

TEST(TriangleMesh, AnLIsNotConvex) {
  const std::vector<Vector3d> outline = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  const std::string error = error_of(tower(outline, {0.5, 0.5, 0}));
  EXPECT_TRUE(contains(error, "unsupported: ")) << error;
  EXPECT_TRUE(contains(error, "which is not convex: at the edge from [1, 1, 0] to [1, 1, 1]") ||
              contains(error, "which is not convex: at the edge from [1, 1, 1] to [1, 1, 0]"))
      << error;
  EXPECT_TRUE(contains(error, "cut it into convex pieces and give these as the parts of a compound")) << error;
}

TEST(TriangleMesh, TwoBodiesInOneFileAreNotConvex) {
  Triangles triangles = cuboid({0, 0, 0}, {1, 1, 1});
  for (const auto& corners : cuboid({3, 0, 0}, {4, 1, 1})) triangles.push_back(corners);
  const std::string error = error_of(triangles);
  EXPECT_TRUE(contains(error, "which is not convex: its volume is 2, that of its convex hull 4")) << error;
}

TEST(TriangleMesh, ACoarseBallInSinglePrecisionIsConvex) {
  // Rounding to single precision makes dents of 6e-8 of the size, which are flat.
  constexpr int kCount = 100;
  std::vector<Vector3d> outline;
  for (int i = 0; i < kCount; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCount;
    outline.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0.0);
  }
  EXPECT_EQ(error_of(tower(outline, {0, 0, 0})), "no error");
}

TEST(TriangleMesh, TooManyTrianglesAreRefusedWithTheLimit) {
  TriangleMesh mesh = mesh_of(cuboid({0, 0, 0}, {1, 1, 1}));
  mesh.triangles.resize(1'000'000, mesh.triangles[0]);
  try {
    (void)convex_polyhedron(mesh, {"mesh", "file"});
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::limit);
    EXPECT_STREQ(error.what(), "file is mesh, which has 1000000 triangles, expected at most 100000");
  }
}

}  // namespace
}  // namespace carom
