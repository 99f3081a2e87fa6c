/// The neighbours of a polyhedron's vertices, its farthest vertices and the integrals over its inside.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "carom/base/assert.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void Polyhedron::collect_neighbours() {
  const std::size_t count = vertices_.size();
  // The edge from u to v by (u, v), and the face on its left.
  std::map<std::pair<int, int>, int> face_of, edge_of;
  for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
    const std::span<const int> loop = corners(f);
    for (std::size_t k = 0; k < loop.size(); ++k) face_of[{loop[k], loop[(k + 1) % loop.size()]}] = f;
  }
  std::vector<int> an_edge(count, -1);  // a neighbour to begin with
  for (const auto& [ends, left] : face_of) {
    const auto& [from, to] = ends;
    an_edge[static_cast<std::size_t>(from)] = to;
    if (from > to) continue;
    edge_of[{from, to}] = edge_of[{to, from}] = static_cast<int>(edges_.size());
    edges_.push_back({from, to, left, face_of.at({to, from})});
    directions_.push_back(
        (vertices_[static_cast<std::size_t>(to)] - vertices_[static_cast<std::size_t>(from)]).stableNormalized());
  }
  for (std::size_t v = 0; v < count; ++v) {
    first_at_.push_back(static_cast<int>(neighbours_.size()));
    const int vertex = static_cast<int>(v);
    int neighbour = an_edge[v];
    do {
      // The face on the left of the edge to this neighbour lies counter-clockwise of it; the next edge is the one that
      // comes into the vertex along that face.
      const int face = face_of.at({vertex, neighbour});
      neighbours_.push_back(neighbour);
      edges_at_.push_back(edge_of.at({vertex, neighbour}));
      faces_at_.push_back(face);
      const std::span<const int> loop = corners(face);
      const auto here = std::find(loop.begin(), loop.end(), vertex);
      neighbour = here == loop.begin() ? loop.back() : *(here - 1);
    } while (neighbour != an_edge[v]);
  }
  first_at_.push_back(static_cast<int>(neighbours_.size()));
}

int Polyhedron::farthest_vertex(const Vector3d& direction, int start) const {
  int best = start;
  double most = direction.dot(vertices_[static_cast<std::size_t>(best)]);
  for (bool better = true; better;) {
    better = false;
    for (const int other : neighbours(best)) {
      const double value = direction.dot(vertices_[static_cast<std::size_t>(other)]);
      if (value > most) {
        most = value;
        best = other;
        better = true;
      }
    }
  }
  return best;
}

// Tetrahedra from a point inside to the triangles of the faces: with a, b, c measured from there, V = det/6 and
// ∫ x xᵀ dV = det/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ), s = a + b + c.
void Polyhedron::integrate() {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& v : vertices_) middle += v / static_cast<double>(vertices_.size());
  double six_volumes = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
    const std::span<const int> loop = corners(f);
    const auto corner = [&](std::size_t k) { return Vector3d(vertices_[static_cast<std::size_t>(loop[k])] - middle); };
    const Vector3d a = corner(0);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      const Vector3d b = corner(k), c = corner(k + 1);
      const double determinant = a.dot(b.cross(c));
      const Vector3d sum = a + b + c;
      six_volumes += determinant;
      first += determinant / 4.0 * sum;
      second +=
          determinant / 20.0 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  }
  const Vector3d off = first / six_volumes;
  volume_ = six_volumes / 6.0;
  centroid_ = middle + off;
  covariance_ = second / six_volumes - off * off.transpose();
}

// A point is below the surface by the least of offset − normal·x over the faces. Seen from a point c inside, the face
// that a point is nearest to relative to c has the largest normal·(x−c)/(offset − normal·c): that is a linear function
// on the dual polyhedron, whose largest value is found by walking from face to face.
std::vector<int> Polyhedron::points_inside(std::span<const Vector3d> points, double tolerance) const {
  const auto share = [&](int face, const Vector3d& x) {
    const Face& f = faces_[static_cast<std::size_t>(face)];
    return f.normal.dot(x - centroid_) / (f.offset - f.normal.dot(centroid_));
  };
  std::vector<std::vector<int>> beside(faces_.size());
  for (const Edge& edge : edges_) {
    beside[static_cast<std::size_t>(edge.left)].push_back(edge.right);
    beside[static_cast<std::size_t>(edge.right)].push_back(edge.left);
  }
  const auto depth = [&](int face, const Vector3d& x) {
    const Face& f = faces_[static_cast<std::size_t>(face)];
    return f.offset - f.normal.dot(x);
  };
  std::vector<int> inside;
  int face = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double most = share(face, points[i]);
    double least_depth = depth(face, points[i]);
    for (bool better = true; better;) {
      better = false;
      for (const int other : beside[static_cast<std::size_t>(face)]) {
        const double value = share(other, points[i]);
        if (value <= most) continue;
        most = value;
        face = other;
        better = true;
        break;
      }
    }
    least_depth = std::min(least_depth, depth(face, points[i]));
    if (least_depth > tolerance) inside.push_back(static_cast<int>(i));
  }
  return inside;
}

}  // namespace carom
