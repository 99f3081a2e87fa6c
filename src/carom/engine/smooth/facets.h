#pragma once
/// The vertices, straight edges and flat faces of a shape, in its frame: what bodies with faces touch with.

#include <Eigen/Core>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom::smooth {

using Eigen::Vector3d;

struct Facets {
  struct Edge {
    int from = 0, to = 0;                 ///< vertices
    Vector3d outward = Vector3d::Zero();  ///< between the normals of its two faces
    std::vector<Vector3d> inward;         ///< into each of the two: unit, within the face, across the edge
  };
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< outward, unit
    double offset = 0.0;                 ///< normal·x of its points [m]
    std::vector<int> vertices;           ///< counter-clockwise, seen from outside
    std::vector<int> edges;              ///< the k-th joins the k-th vertex to the next one
    std::vector<Vector3d> inward;        ///< of each edge: into this face
  };
  std::vector<Vector3d> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<std::vector<int>> faces_at;       ///< of each vertex
  std::vector<std::vector<Vector3d>> edges_at;  ///< of each vertex: directions of the edges away from it, unit
  double size = 0.0;                            ///< the largest distance of a vertex from the others' middle [m]

  [[nodiscard]] bool empty() const { return faces.empty(); }
};

/// Those of a solid with flat faces; empty for every other shape.
Facets facets_of(const Shape& shape);

}  // namespace carom::smooth
