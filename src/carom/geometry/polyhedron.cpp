#include "carom/geometry/polyhedron.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "carom/base/error.h"
#include "carom/geometry/convex_hull.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// The outlines of the faces, as numbers of points.
using Outlines = std::vector<std::vector<int>>;

const Vector3d& point_of(std::span<const Vector3d> points, int i) {
  return points[static_cast<std::size_t>(i)];
}

/// Twice the area of a polygon along its normal: the cross products of the fan from its first corner.
Vector3d area_vector(std::span<const int> outline, std::span<const Vector3d> points) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = point_of(points, outline[0]);
  for (std::size_t k = 1; k + 1 < outline.size(); ++k)
    sum += (point_of(points, outline[k]) - origin).cross(point_of(points, outline[k + 1]) - origin);
  return sum;
}

/// The unit normal of a polygon, zero where it has no area. In a long polygon the round-off of the cross products would
/// turn it about the short side; across the longest side it is known to round-off.
Vector3d normal_of_polygon(std::span<const int> outline, std::span<const Vector3d> points) {
  Vector3d normal = area_vector(outline, points).stableNormalized();
  Vector3d longest = Vector3d::Zero();
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Vector3d side = point_of(points, outline[(k + 1) % outline.size()]) - point_of(points, outline[k]);
    if (side.squaredNorm() > longest.squaredNorm()) longest = side;
  }
  const Vector3d along = longest.stableNormalized();
  normal -= normal.dot(along) * along;
  return normal.stableNormalized();
}

/// Which face each triangle belongs to: from the largest triangle on, all connected ones that lie in its plane.
std::vector<int> faces_of(std::span<const HullTriangle> triangles, std::span<const Vector3d> points, double flat) {
  std::vector<double> areas;
  for (const HullTriangle& t : triangles) {
    areas.push_back(area_vector(t.corners, points).norm());
  }
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    return areas[static_cast<std::size_t>(i)] > areas[static_cast<std::size_t>(j)];
  });
  std::vector<int> face(triangles.size(), -1);
  int count = 0;
  for (const int seed : order) {
    if (face[static_cast<std::size_t>(seed)] >= 0) continue;
    const HullTriangle& first = triangles[static_cast<std::size_t>(seed)];
    const Vector3d& origin = point_of(points, first.corners[0]);
    const Vector3d known = normal_of_polygon(first.corners, points);
    const Vector3d normal = known.isZero() ? first.normal : known;
    std::vector<int> region = {seed};
    face[static_cast<std::size_t>(seed)] = count;
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (const int other : triangles[static_cast<std::size_t>(region[i])].neighbours) {
        if (face[static_cast<std::size_t>(other)] >= 0) continue;
        const auto& corners = triangles[static_cast<std::size_t>(other)].corners;
        const bool in_plane = std::all_of(corners.begin(), corners.end(), [&](int corner) {
          return std::abs(normal.dot(point_of(points, corner) - origin)) <= flat;
        });
        if (!in_plane) continue;
        face[static_cast<std::size_t>(other)] = count;
        region.push_back(other);
      }
    }
    ++count;
  }
  return face;
}

/// The border of every face as a closed walk; empty where one is not a single walk.
Outlines outlines_of(std::span<const HullTriangle> triangles, const std::vector<int>& face) {
  const int count = 1 + *std::max_element(face.begin(), face.end());
  std::vector<std::map<int, int>> next(static_cast<std::size_t>(count));
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (face[static_cast<std::size_t>(triangles[t].neighbours[k])] == face[t]) continue;
      auto& walk = next[static_cast<std::size_t>(face[t])];
      if (!walk.emplace(triangles[t].corners[k], triangles[t].corners[(k + 1) % 3]).second) return {};
    }
  }
  Outlines outlines;
  for (const auto& walk : next) {
    if (walk.empty()) return {};
    std::vector<int> outline;
    int corner = walk.begin()->first;
    do {
      outline.push_back(corner);
      corner = walk.at(corner);
    } while (corner != outline.front() && outline.size() <= walk.size());
    if (outline.size() != walk.size()) return {};
    outlines.push_back(std::move(outline));
  }
  return outlines;
}

/// Leaves out points in the middle of an edge: of two faces only, and on the line of their neighbours.
Outlines without_middles(const Outlines& outlines, std::span<const Vector3d> points, double flat) {
  std::map<int, int> uses;
  for (const auto& outline : outlines)
    for (const int corner : outline) ++uses[corner];
  const auto in_the_middle = [&](int before, int corner, int after) {
    if (uses[corner] != 2) return false;
    const Vector3d along = (point_of(points, after) - point_of(points, before)).normalized();
    return along.cross(point_of(points, corner) - point_of(points, before)).norm() <= flat;
  };
  // Both faces must agree, whatever their neighbours in each: decided once, seen from the first.
  std::map<int, bool> left_out;
  for (const auto& outline : outlines) {
    const std::size_t size = outline.size();
    std::size_t kept = size - 1;
    for (std::size_t k = 0; k < size; ++k) {
      const int corner = outline[k];
      if (!left_out.contains(corner)) left_out[corner] = in_the_middle(outline[kept], corner, outline[(k + 1) % size]);
      if (!left_out[corner]) kept = k;
    }
  }
  Outlines result;
  for (const auto& outline : outlines) {
    std::vector<int> shorter;
    for (const int corner : outline)
      if (!left_out[corner]) shorter.push_back(corner);
    result.push_back(std::move(shorter));
  }
  return result;
}

/// Whether the outlines close to a surface: every side once in each direction, and Euler's V − E + F = 2.
bool is_closed(const Outlines& outlines) {
  std::map<std::pair<int, int>, int> sides;
  std::map<int, int> corners;
  for (const auto& outline : outlines) {
    if (outline.size() < 3) return false;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      ++corners[outline[k]];
      if (++sides[{outline[k], outline[(k + 1) % outline.size()]}] > 1) return false;
    }
  }
  for (const auto& [side, uses] : sides)
    if (!sides.contains({side.second, side.first})) return false;
  const auto edges = static_cast<std::ptrdiff_t>(sides.size() / 2);
  return static_cast<std::ptrdiff_t>(corners.size()) - edges + static_cast<std::ptrdiff_t>(outlines.size()) == 2;
}

Outlines polygons_of(std::span<const HullTriangle> triangles, std::span<const Vector3d> points, double flat) {
  Outlines outlines = outlines_of(triangles, faces_of(triangles, points, flat));
  if (!outlines.empty()) outlines = without_middles(outlines, points, flat);
  if (!outlines.empty() && is_closed(outlines)) return outlines;
  // Points that crowd below the flatness: the triangles themselves are a surface in any case.
  outlines.clear();
  for (const HullTriangle& t : triangles) outlines.push_back({t.corners.begin(), t.corners.end()});
  return outlines;
}

[[noreturn]] void refuse(Kind kind, const std::string& field, const std::string& why) {
  throw InputError(kind, field, fmt::format("{}: {}", field, why));
}

}  // namespace

Polyhedron::Polyhedron(std::span<const Vector3d> points, const std::string& field) {
  if (points.size() < 4) {
    refuse(Kind::size_mismatch, field, fmt::format("{} points span no volume, at least 4 are needed", points.size()));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite())
      refuse(Kind::not_finite, fmt::format("{}.{}", field, i), "the coordinates of a point must be finite");
  }
  Vector3d low = points[0], high = points[0];
  for (const Vector3d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double size = (high - low).stableNorm();
  const auto flat = [&] {
    refuse(Kind::out_of_range, field, "the points lie in one plane (to 1e-9 of their size), must span a volume");
  };
  if (!std::isfinite(size)) refuse(Kind::out_of_range, field, "the points are too far apart");
  if (!((high - low).minCoeff() > kThin * size)) flat();
  const std::vector<HullTriangle> triangles = hull_triangles(points);
  if (triangles.empty()) flat();

  const Outlines outlines = polygons_of(triangles, points, kFlat * size);
  std::vector<int> number(points.size(), -1);
  for (const auto& outline : outlines)
    for (const int corner : outline) number[static_cast<std::size_t>(corner)] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(vertices_.size());
    vertices_.push_back(points[i]);
    bounding_radius_ = std::max(bounding_radius_, points[i].norm());
  }
  for (const auto& outline : outlines) {
    Vector3d normal = normal_of_polygon(outline, points);
    if (normal.isZero()) {  // a sliver: only the grid knows which way it looks
      for (const HullTriangle& t : triangles)
        if (t.corners[0] == outline[0] && t.corners[1] == outline[1]) normal = t.normal;
    }
    Face face{normal, -std::numeric_limits<double>::infinity(), static_cast<int>(corners_.size()),
              static_cast<int>(outline.size())};
    for (const int corner : outline) {
      corners_.push_back(number[static_cast<std::size_t>(corner)]);
      face.offset = std::max(face.offset, normal.dot(point_of(points, corner)));
    }
    faces_.push_back(face);
  }
  collect_neighbours();
  int vertex = 0;
  for (const Face& face : faces_) {
    vertex = farthest_vertex(-face.normal, vertex);
    if (!(face.offset - face.normal.dot(point_of(vertices_, vertex)) > kThin * size)) flat();
  }
  integrate();
}

}  // namespace carom
