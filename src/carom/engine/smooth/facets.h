#pragma once
/// What a shape touches others with besides a single nearest point, in the shape's frame: its vertices, its straight
/// edges and its flat faces. Round shapes have them too: the ends and the axis of a capsule with its radius about them,
/// the rims and the side of a cylinder.

#include <Eigen/Core>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom::smooth {

using Eigen::Vector3d;

struct Facets {
  /// A point of the surface that depends on the direction `down` in which the body is touched: a sharp one stands
  /// still, a round one is at + thickness · down, that of a rim its point nearest that way, or the one opposite to it.
  struct Vertex {
    Vector3d at = Vector3d::Zero();
    double thickness = 0.0;
    double rim_radius = 0.0;  ///< of a circle about the z axis through `at`
    bool opposite = false;    ///< the other side of the rim: it touches when the disc lies flat
    /// How far above `at` the middle of the ball is that touches the side along the rim: below, where the side slants.
    double ball_offset = 0.0;

    [[nodiscard]] Vector3d surface(const Vector3d& down) const;
    [[nodiscard]] bool sharp() const { return thickness == 0.0 && rim_radius == 0.0; }
  };
  /// A straight line from one point to another, round about it or between two faces.
  struct Edge {
    Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
    Vector3d along = Vector3d::Zero();  ///< unit, from the one to the other
    double length = 0.0;                ///< [m]
    double thickness = 0.0;
    double slope = 0.0;                   ///< by which it grows along the line, from the apex of a cone on its axis
    bool hollow = false;                  ///< the axis of a bore: the thickness is met from inside
    Vector3d outward = Vector3d::Zero();  ///< between the normals of its two faces; zero for a round one
    std::vector<Vector3d> inward;         ///< into each of the two: unit, within the face, across the edge
  };
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< outward, unit
    double offset = 0.0;                 ///< normal·x of its points [m]
    std::vector<int> vertices;           ///< counter-clockwise, seen from outside
    std::vector<int> edges;              ///< the k-th joins the k-th vertex to the next one
    std::vector<Vector3d> inward;        ///< of each edge: into this face
    /// A disc: the octagon above stands for it where it is not wholly covered; where it is, the vertices `near` of its
    /// rim and `far` opposite to it.
    double disc_radius = 0.0;
    int near = 0, far = 0;
  };
  /// A line of the surface that can lie on a face. Its outward normal is (radial, axial) about the z axis.
  struct Line {
    int vertices[2] = {0, 0};
    int edge = 0;
    double radial = 1.0, axial = 0.0;
    bool half = false;  ///< only where the normal has y ≤ 0
  };
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<Line> lines;
  std::vector<std::vector<int>> faces_at;       ///< of each vertex
  std::vector<std::vector<Vector3d>> edges_at;  ///< of each sharp vertex: directions of its edges away from it, unit
  double size = 0.0;                            ///< the largest distance of a vertex from the middle of all [m]

  [[nodiscard]] bool empty() const { return faces.empty() && lines.empty(); }
};

/// Empty for shapes that touch in one point always: spheres and ellipsoids; and for planes, which have their own way.
Facets facets_of(const Shape& shape);

/// Vertices of the polygon that stands for a disc.
inline constexpr int kDiscVertices = 8;

}  // namespace carom::smooth
