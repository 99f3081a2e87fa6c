#include "carom/geometry/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "carom/base/error.h"
#include "carom/geometry/polyhedron.h"

namespace carom {

namespace {

using Eigen::Vector3d;
using Corners = std::array<int, 3>;

/// What counts as flat, relative to the size of the mesh: some units of single precision.
constexpr double kFlatMesh = 1e-6;
/// A mesh whose volume is below this part of its size cubed has none.
constexpr double kNoVolume = 1e-12;

/// A directed edge; `next` to it, on its left, is one triangle of a sound mesh.
std::uint64_t edge_key(int from, int to) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
}

std::string shown(const Vector3d& point) {
  return fmt::format("[{}, {}, {}]", point.x(), point.y(), point.z());
}

class MeshCheck {
 public:
  MeshCheck(const TriangleMesh& mesh, const MeshOrigin& origin) : mesh_(mesh), origin_(origin) {}

  std::shared_ptr<const Polyhedron> polyhedron() {
    check_numbers();
    collect_edges();
    check_edges();
    const double volume = check_volume();
    check_creases();
    auto hull = std::make_shared<const Polyhedron>(mesh_.vertices, origin_.field);
    check_hull(*hull, volume);
    return hull;
  }

 private:
  [[noreturn]] void refuse(Kind kind, const std::string& what) const {
    throw InputError(kind, origin_.field, fmt::format("{} is {}, {}", origin_.field, origin_.name, what));
  }

  [[nodiscard]] const Vector3d& vertex(int i) const { return mesh_.vertices[static_cast<std::size_t>(i)]; }

  void check_numbers() {
    if (mesh_.triangles.size() > kMostTriangles) {
      refuse(Kind::limit,
             fmt::format("which has {} triangles, expected at most {}", mesh_.triangles.size(), kMostTriangles));
    }
    if (mesh_.triangles.empty())
      refuse(Kind::out_of_range, "which has no triangle with an area, expected a closed surface");
    Vector3d low = mesh_.vertices[0], high = low;
    for (const Vector3d& point : mesh_.vertices) {
      if (!point.allFinite())
        refuse(Kind::not_finite, fmt::format("in which the corner {} is not finite", shown(point)));
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    size_ = (high - low).norm();
    if (!std::isfinite(size_)) refuse(Kind::out_of_range, "whose size leaves the range of numbers");
    middle_ = low + 0.5 * (high - low);
  }

  void collect_edges() {
    edges_.reserve(3 * mesh_.triangles.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const Corners& corners = mesh_.triangles[t];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [found, first] = edges_.try_emplace(edge_key(corners[k], corners[(k + 1) % 3]), t);
        if (first) continue;
        refuse(
            Kind::out_of_range,
            fmt::format("whose winding is wrong: triangles {} and {} both run along the edge from {} to {}, expected "
                        "opposite directions",
                        found->second, t, shown(vertex(corners[k])), shown(vertex(corners[(k + 1) % 3]))));
      }
    }
  }

  void check_edges() const {
    for (const Corners& corners : mesh_.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int from = corners[k], to = corners[(k + 1) % 3];
        if (edges_.contains(edge_key(to, from))) continue;
        refuse(Kind::out_of_range,
               fmt::format("which has a hole: the edge from {} to {} belongs to one triangle only, expected two",
                           shown(vertex(from)), shown(vertex(to))));
      }
    }
  }

  [[nodiscard]] double check_volume() const {
    double sum = 0.0;
    for (const Corners& corners : mesh_.triangles) {
      const Vector3d a = vertex(corners[0]) - middle_, b = vertex(corners[1]) - middle_;
      sum += a.dot(b.cross(vertex(corners[2]) - middle_)) / 6.0;
    }
    if (!(std::abs(sum) > kNoVolume * size_ * size_ * size_)) {
      refuse(Kind::out_of_range, fmt::format("whose volume is {:.6g}, expected a body with a volume", sum));
    }
    if (sum < 0.0) {
      refuse(Kind::out_of_range,
             fmt::format("whose winding is wrong: its volume is {:.6g}, as its triangles look inwards, expected them "
                         "counter-clockwise seen from outside",
                         sum));
    }
    return sum;
  }

  [[noreturn]] void refuse_concave(const std::string& where) const {
    refuse(
        Kind::unsupported,
        fmt::format("which is not convex: {}; expected a convex mesh: cut it into convex pieces and give these as the "
                    "parts of a compound",
                    where));
  }

  /// Above how high the corner across an edge stands over the plane of the triangle on this side.
  void check_creases() const {
    for (const Corners& corners : mesh_.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int from = corners[k], to = corners[(k + 1) % 3];
        const Corners& other = mesh_.triangles[edges_.at(edge_key(to, from))];
        const int across = other[0] + other[1] + other[2] - from - to;
        const Vector3d along = vertex(to) - vertex(from);
        const Vector3d here = along.cross(vertex(corners[(k + 2) % 3]) - vertex(from));
        const Vector3d step = vertex(across) - vertex(from);
        // Over the larger of the two triangles: slivers have no plane worth speaking of.
        const double area = std::max(here.norm(), along.cross(step).norm());
        const double height = area > 0.0 ? here.dot(step) / area : 0.0;
        if (height <= kFlatMesh * size_) continue;
        refuse_concave(fmt::format("at the edge from {} to {} the surface turns outwards by {:.6g}",
                                   shown(vertex(from)), shown(vertex(to)), height));
      }
    }
  }

  void check_hull(const Polyhedron& hull, double volume) const {
    double area = 0.0;
    for (const Corners& corners : mesh_.triangles) {
      const Vector3d& a = vertex(corners[0]);
      area += 0.5 * (vertex(corners[1]) - a).cross(vertex(corners[2]) - a).norm();
    }
    if (std::abs(hull.volume() - volume) <= kFlatMesh * size_ * area) return;
    refuse_concave(fmt::format("its volume is {:.6g}, that of its convex hull {:.6g}", volume, hull.volume()));
  }

  const TriangleMesh& mesh_;
  const MeshOrigin& origin_;
  std::unordered_map<std::uint64_t, std::size_t> edges_;  ///< directed edges and the triangle on their left
  double size_ = 0.0;                                     ///< diagonal of the bounding box
  Vector3d middle_ = Vector3d::Zero();
};

struct Before {
  bool operator()(const Vector3d& a, const Vector3d& b) const {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  }
};

}  // namespace

TriangleMesh mesh_of(const std::vector<std::array<Vector3d, 3>>& triangles) {
  TriangleMesh mesh;
  std::map<Vector3d, int, Before> numbers;
  for (const std::array<Vector3d, 3>& corners : triangles) {
    Corners triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [found, first] = numbers.try_emplace(corners[k], static_cast<int>(mesh.vertices.size()));
      if (first) mesh.vertices.push_back(corners[k]);
      triangle[k] = found->second;
    }
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0]) {
      mesh.triangles.push_back(triangle);
    }
  }
  return mesh;
}

std::shared_ptr<const Polyhedron> convex_polyhedron(const TriangleMesh& mesh, const MeshOrigin& origin) {
  return MeshCheck(mesh, origin).polyhedron();
}

}  // namespace carom
