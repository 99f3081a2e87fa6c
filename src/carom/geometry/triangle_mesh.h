#pragma once
/// A surface of triangles, as programs for drawing write it, and the convex polyhedron that it bounds.
///
/// A mesh bounds a body where every edge belongs to two triangles that run along it in opposite directions, and the
/// triangles look outwards, so that the volume ⅙ Σ a·(b × c) is positive. It is convex where at every edge the corner
/// across is not above the plane of the triangle on this side, and the volume is that of the hull: the first finds
/// every notch, the second what is convex at every edge and yet not as a whole, such as two bodies in one file. Room
/// for round-off: files of single precision have coordinates good to 6e-8 of the size, so 1e-6 of it is flat.

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace carom {

class Polyhedron;

/// Most triangles of a mesh that is taken as a body.
inline constexpr std::size_t kMostTriangles = 100'000;

struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;      ///< all different [m]
  std::vector<std::array<int, 3>> triangles;  ///< corners, counter-clockwise seen from outside
};

/// The mesh of these triangles, given by their corners. Corners with the same coordinates are one vertex; a triangle of
/// which two corners are the same has no area and no effect, and is left out.
TriangleMesh mesh_of(const std::vector<std::array<Eigen::Vector3d, 3>>& triangles);

/// Who is blamed where a mesh is wrong.
struct MeshOrigin {
  std::string name;   ///< of the mesh in messages: `"part.stl"`
  std::string field;  ///< dotted path of an input field
};

/// The polyhedron inside the mesh, made of its vertices. Throws InputError: `limit` above kMostTriangles, `not_finite`,
/// `out_of_range` for holes, triangles that run the wrong way round and a volume of zero, `unsupported` where the mesh
/// is not convex.
std::shared_ptr<const Polyhedron> convex_polyhedron(const TriangleMesh& mesh, const MeshOrigin& origin);

}  // namespace carom
