#include "carom/export/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/assert.h"
#include "carom/geometry/polyhedron.h"

namespace carom {
namespace {

using Eigen::Vector3d;

/// A rod has no thickness; it is drawn as a cylinder with this part of its half length as radius.
constexpr double kDrawnThickness = 0.01;

/// cos and sin of k/n of a turn, exact at the quarters.
std::pair<double, double> on_circle(int k, int n) {
  const int quarter = 4 * k / n;
  if (4 * k == quarter * n) {
    constexpr double kCosines[] = {1.0, 0.0, -1.0, 0.0};
    return {kCosines[quarter % 4], kCosines[(quarter + 3) % 4]};
  }
  const double angle = 2.0 * std::numbers::pi * k / n;
  return {std::cos(angle), std::sin(angle)};
}

/// A circle about the z-axis.
struct Parallel {
  double radius;
  double height;
};

/// The surface between a north pole, parallels from the north and a south pole. Points: the poles first, then the
/// parallels in their order, from the x-axis around.
SurfaceMesh revolved(double north, const std::vector<Parallel>& parallels, double south, int meridians) {
  const int last = static_cast<int>(parallels.size()) - 1;
  SurfaceMesh mesh;
  mesh.points = {{0.0, 0.0, north}, {0.0, 0.0, south}};
  for (const Parallel& parallel : parallels) {
    for (int i = 0; i < meridians; ++i) {
      const auto direction = on_circle(i, meridians);
      mesh.points.emplace_back(parallel.radius * direction.first, parallel.radius * direction.second, parallel.height);
    }
  }
  const auto corner = [meridians](int parallel, int i) { return 2 + parallel * meridians + i % meridians; };
  for (int i = 0; i < meridians; ++i) {
    mesh.faces.push_back({0, corner(0, i), corner(0, i + 1)});
    for (int j = 0; j < last; ++j) {
      mesh.faces.push_back({corner(j, i), corner(j + 1, i), corner(j + 1, i + 1), corner(j, i + 1)});
    }
    mesh.faces.push_back({1, corner(last, i + 1), corner(last, i)});
  }
  return mesh;
}

SurfaceMesh unit_sphere(int meridians) {
  CAROM_ASSERT(meridians >= 4 && meridians % 4 == 0);
  std::vector<Parallel> parallels;
  for (int j = 1; j < meridians / 2; ++j) {
    const auto height_and_radius = on_circle(j, meridians);
    parallels.push_back({height_and_radius.second, height_and_radius.first});
  }
  return revolved(1.0, parallels, -1.0, meridians);
}

/// Two halves of a sphere with a cylinder between them.
SurfaceMesh capsule(const Capsule& shape, int meridians) {
  CAROM_ASSERT(meridians >= 4 && meridians % 4 == 0);
  std::vector<Parallel> parallels;
  for (const int side : {1, -1}) {
    for (int j = side > 0 ? 1 : meridians / 4; j <= (side > 0 ? meridians / 4 : meridians / 2 - 1); ++j) {
      const auto height_and_radius = on_circle(j, meridians);
      parallels.push_back(
          {shape.radius * height_and_radius.second, shape.radius * height_and_radius.first + side * shape.half_length});
    }
  }
  return revolved(shape.half_length + shape.radius, parallels, -shape.half_length - shape.radius, meridians);
}

void scale(SurfaceMesh& mesh, const Vector3d& factors) {
  for (Vector3d& point : mesh.points) point = point.cwiseProduct(factors);
}

void turn_inside_out(SurfaceMesh& mesh) {
  for (std::vector<int>& face : mesh.faces) std::reverse(face.begin(), face.end());
}

/// The polygon (counterclockwise) extruded to |z| ≤ half_length, with or without its ends.
SurfaceMesh extruded(const std::vector<Eigen::Vector2d>& polygon, double half_length, bool ends) {
  SurfaceMesh mesh;
  const int n = static_cast<int>(polygon.size());
  for (const double z : {-half_length, half_length}) {
    for (const Eigen::Vector2d& corner : polygon) mesh.points.emplace_back(corner.x(), corner.y(), z);
  }
  std::vector<int> bottom, top;
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    mesh.faces.push_back({i, next, n + next, n + i});
    bottom.push_back(n - 1 - i);
    top.push_back(n + i);
  }
  if (!ends) return mesh;
  mesh.faces.push_back(bottom);
  mesh.faces.push_back(top);
  return mesh;
}

std::vector<Eigen::Vector2d> circle(double radius, int corners) {
  std::vector<Eigen::Vector2d> polygon;
  for (int i = 0; i < corners; ++i) {
    const auto direction = on_circle(i, corners);
    polygon.emplace_back(radius * direction.first, radius * direction.second);
  }
  return polygon;
}

/// The lower half of the circle, from −x to x.
std::vector<Eigen::Vector2d> half_circle(double radius, int corners) {
  std::vector<Eigen::Vector2d> polygon;
  for (int i = corners / 2; i <= corners; ++i) {
    const auto direction = on_circle(i, corners);
    polygon.emplace_back(radius * direction.first, radius * direction.second);
  }
  return polygon;
}

struct Mesher {
  int meridians;
  double half_size;

  SurfaceMesh operator()(const Sphere& sphere) const {
    SurfaceMesh mesh = unit_sphere(meridians);
    scale(mesh, Vector3d::Constant(sphere.radius));
    return mesh;
  }
  SurfaceMesh operator()(const Ellipsoid& ellipsoid) const {
    SurfaceMesh mesh = unit_sphere(meridians);
    scale(mesh, ellipsoid.semi_axes);
    return mesh;
  }
  SurfaceMesh operator()(const Box& box) const {
    const double x = box.half_sizes.x(), y = box.half_sizes.y();
    return extruded({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, box.half_sizes.z(), true);
  }
  SurfaceMesh operator()(const Cylinder& cylinder) const {
    return extruded(circle(cylinder.radius, meridians), cylinder.half_length, true);
  }
  SurfaceMesh operator()(const Prism& prism) const {
    std::vector<Eigen::Vector2d> triangle(prism.vertices.begin(), prism.vertices.end());
    const Eigen::Vector2d u = triangle[1] - triangle[0], v = triangle[2] - triangle[0];
    if (u.x() * v.y() < u.y() * v.x()) std::swap(triangle[1], triangle[2]);
    return extruded(triangle, prism.half_length, true);
  }
  SurfaceMesh operator()(const HalfSpace&) const {
    const double s = half_size;
    return {{{-s, -s, 0.0}, {s, -s, 0.0}, {s, s, 0.0}, {-s, s, 0.0}}, {{0, 1, 2, 3}}};
  }
  SurfaceMesh operator()(const Bore& bore) const {
    SurfaceMesh mesh = extruded(circle(bore.radius, 2 * meridians), bore.half_length, false);
    turn_inside_out(mesh);
    return mesh;
  }
  SurfaceMesh operator()(const Shell& shell) const {
    SurfaceMesh mesh = (*this)(Sphere{shell.radius});
    turn_inside_out(mesh);
    return mesh;
  }
  SurfaceMesh operator()(const Capsule& shape) const { return capsule(shape, meridians); }
  SurfaceMesh operator()(const Cone& cone) const { return revolved(cone.height, {{cone.radius, 0.0}}, 0.0, meridians); }
  SurfaceMesh operator()(const HalfCylinder& half) const {
    return extruded(half_circle(half.radius, meridians), half.half_length, true);
  }
  SurfaceMesh operator()(const Rod& rod) const {
    return extruded(circle(kDrawnThickness * rod.half_length, meridians / 2), rod.half_length, true);
  }
  SurfaceMesh operator()(const Convex& convex) const {
    const Polyhedron& polyhedron = *convex.polyhedron;
    SurfaceMesh mesh;
    mesh.points.assign(polyhedron.vertices().begin(), polyhedron.vertices().end());
    for (int face = 0; face < static_cast<int>(polyhedron.faces().size()); ++face) {
      const std::span<const int> corners = polyhedron.corners(face);
      mesh.faces.emplace_back(corners.begin(), corners.end());
    }
    return mesh;
  }
};

}  // namespace

SurfaceMesh surface_mesh(const Shape& shape, int meridians, double half_size) {
  return std::visit(Mesher{meridians, half_size}, shape);
}

SurfaceMesh surface_mesh(const Parts& parts, int meridians, double half_size) {
  SurfaceMesh whole;
  for (const Part& part : parts) {
    SurfaceMesh mesh = surface_mesh(part.shape, meridians, half_size);
    const int offset = static_cast<int>(whole.points.size());
    for (const Vector3d& point : mesh.points) {
      whole.points.push_back(is_identity(part.placement) ? point : part.placement.to_world(point));
    }
    for (std::vector<int>& face : mesh.faces) {
      for (int& corner : face) corner += offset;
      whole.faces.push_back(std::move(face));
    }
  }
  return whole;
}

}  // namespace carom
