#pragma once
/// A convex polyhedron: the hull of points, with its faces, edges and neighbours, and the integrals over its inside.
///
/// The faces are polygons: neighbouring triangles of the hull whose corners lie in one plane to `kFlat` of the size are
/// one face, and points in the middle of a face or of an edge are no vertices. The hull is found on a grid of 2⁻⁴⁰ of
/// the bounding box, on which all decisions are exact (convex_hull.h), so that it is a polyhedron whatever the points;
/// the vertices are the given points themselves. A point that sticks out of the hull of the others by less than that
/// grid may be missing.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

namespace carom {

class Polyhedron {
 public:
  /// Corners within this part of the size of a plane lie in it.
  static constexpr double kFlat = 1e-12;
  /// A hull thinner than this part of its size in some direction has no volume.
  static constexpr double kThin = 1e-9;

  struct Face {
    Eigen::Vector3d normal;  ///< unit, outwards
    double offset;           ///< normal·x of the farthest corner: the polyhedron is in { normal·x ≤ offset }
    int first_corner;        ///< of its corners in the list of all
    int corners;             ///< how many
  };
  /// An edge runs from its first vertex to its second with the left face on the left, seen from outside.
  struct Edge {
    int from, to;
    int left, right;
  };

  /// The hull of the points. Throws an InputError with the field `field` (a path such as `body.die.shape.vertices`)
  /// unless there are four points or more, all are finite and the hull has a volume.
  Polyhedron(std::span<const Eigen::Vector3d> points, const std::string& field);

  [[nodiscard]] std::span<const Eigen::Vector3d> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const Face> faces() const { return faces_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// The unit vectors along the edges, in their order.
  [[nodiscard]] std::span<const Eigen::Vector3d> directions() const { return directions_; }
  /// The vertices of a face, counter-clockwise seen from outside.
  [[nodiscard]] std::span<const int> corners(int face) const {
    const Face& f = faces_[static_cast<std::size_t>(face)];
    return {corners_.data() + f.first_corner, static_cast<std::size_t>(f.corners)};
  }
  /// The vertices at the other ends of a vertex's edges, and those edges and faces (face k lies between the edges k and
  /// k + 1), counter-clockwise seen from outside.
  [[nodiscard]] std::span<const int> neighbours(int vertex) const { return around(neighbours_, vertex); }
  [[nodiscard]] std::span<const int> edges_at(int vertex) const { return around(edges_at_, vertex); }
  [[nodiscard]] std::span<const int> faces_at(int vertex) const { return around(faces_at_, vertex); }

  /// A vertex that is farthest in this direction, searched along the edges from `start`: of several, which one depends
  /// on the start.
  [[nodiscard]] int farthest_vertex(const Eigen::Vector3d& direction, int start = 0) const;

  /// Farthest vertex from the origin of the frame [m].
  [[nodiscard]] double bounding_radius() const { return bounding_radius_; }

  /// Integrals over the inside.
  [[nodiscard]] double volume() const { return volume_; }                      ///< [m³]
  [[nodiscard]] const Eigen::Vector3d& centroid() const { return centroid_; }  ///< [m]
  /// (1/V) ∫ (x−g)(x−g)ᵀ dV about the centroid g [m²]; the inertia per mass is tr(C) 1 − C.
  [[nodiscard]] const Eigen::Matrix3d& covariance() const { return covariance_; }

  /// The numbers of those points that lie inside, deeper below the surface than `tolerance` [m]: none where all points
  /// are on the hull. A mesh with such vertices is concave (or has parts inside).
  [[nodiscard]] std::vector<int> points_inside(std::span<const Eigen::Vector3d> points, double tolerance) const;

 private:
  [[nodiscard]] std::span<const int> around(const std::vector<int>& list, int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {list.data() + first_at_[v], static_cast<std::size_t>(first_at_[v + 1] - first_at_[v])};
  }
  void collect_neighbours();
  void integrate();

  std::vector<Eigen::Vector3d> vertices_;
  std::vector<Face> faces_;
  std::vector<int> corners_;
  std::vector<Edge> edges_;
  std::vector<Eigen::Vector3d> directions_;
  std::vector<int> first_at_, neighbours_, edges_at_, faces_at_;
  double bounding_radius_ = 0.0;
  double volume_ = 0.0;
  Eigen::Vector3d centroid_;
  Eigen::Matrix3d covariance_;
};

}  // namespace carom
