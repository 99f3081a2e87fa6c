#include "carom/engine/smooth/facets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include "carom/geometry/polyhedron.h"
#include "carom/geometry/support.h"

namespace carom::smooth {

namespace {

int add_vertex(Facets& facets, const Facets::Vertex& vertex) {
  facets.vertices.push_back(vertex);
  facets.faces_at.emplace_back();
  facets.edges_at.emplace_back();
  return static_cast<int>(facets.vertices.size()) - 1;
}

/// A face with its edges; those that another face has already are shared.
class FaceMaker {
 public:
  explicit FaceMaker(Facets& facets) : facets_(facets) {}

  Facets::Face& add(const Vector3d& normal, std::span<const int> loop) {
    Facets::Face face;
    // Round-off of a normal along an axis would push bodies out of a straight line.
    face.normal = (normal.array().abs() < 1e-15).select(0.0, normal).normalized();
    face.vertices.assign(loop.begin(), loop.end());
    face.offset = face.normal.dot(at(loop.front()));
    for (std::size_t k = 0; k < loop.size(); ++k) add_edge(face, loop[k], loop[(k + 1) % loop.size()]);
    facets_.faces.push_back(std::move(face));
    return facets_.faces.back();
  }

 private:
  [[nodiscard]] const Vector3d& at(int vertex) const { return facets_.vertices[static_cast<std::size_t>(vertex)].at; }

  void add_edge(Facets::Face& face, int from, int to) {
    const auto [known, is_new] =
        known_.try_emplace({std::min(from, to), std::max(from, to)}, static_cast<int>(facets_.edges.size()));
    if (is_new) facets_.edges.push_back({.from = at(from), .to = at(to), .inward = {}});
    Facets::Edge& edge = facets_.edges[static_cast<std::size_t>(known->second)];
    const Vector3d along = (at(to) - at(from)).normalized();
    edge.outward += face.normal;
    edge.inward.push_back(face.normal.cross(along));
    face.inward.push_back(edge.inward.back());
    face.edges.push_back(known->second);
    facets_.edges_at[static_cast<std::size_t>(from)].push_back(along);
    facets_.faces_at[static_cast<std::size_t>(from)].push_back(static_cast<int>(facets_.faces.size()));
  }

  Facets& facets_;
  std::map<std::pair<int, int>, int> known_;
};

Facets of_polyhedron(const Polyhedron& solid) {
  Facets facets;
  for (const Vector3d& vertex : solid.vertices()) add_vertex(facets, {.at = vertex});
  FaceMaker maker(facets);
  for (int face = 0; face < static_cast<int>(solid.faces().size()); ++face)
    maker.add(solid.faces()[static_cast<std::size_t>(face)].normal, solid.corners(face));
  return facets;
}

/// The disc of this radius at z that looks along ±z: its rim, and the polygon in its place. Returns the rim's vertex.
int add_disc(Facets& facets, FaceMaker& maker, double radius, double z, double sign) {
  const Vector3d middle(0.0, 0.0, z);
  const int near = add_vertex(facets, {.at = middle, .rim_radius = radius});
  const int far = add_vertex(facets, {.at = middle, .rim_radius = radius, .opposite = true});
  std::vector<int> loop;
  for (int k = 0; k < kDiscVertices; ++k) {
    const double angle = sign * 2.0 * std::numbers::pi * k / kDiscVertices;
    loop.push_back(add_vertex(facets, {.at = middle + radius * Vector3d(std::cos(angle), std::sin(angle), 0.0)}));
  }
  Facets::Face& face = maker.add(sign * Vector3d::UnitZ(), loop);
  face.disc_radius = radius;
  face.near = near;
  face.far = far;
  // The side of the disc's body belongs to each of these edges too.
  for (const int edge : face.edges) {
    Facets::Edge& of = facets.edges[static_cast<std::size_t>(edge)];
    of.outward += Vector3d(of.from.x() + of.to.x(), of.from.y() + of.to.y(), 0.0).normalized();
  }
  return near;
}

int add_round_edge(Facets& facets, const Vector3d& from, const Vector3d& to, double thickness) {
  facets.edges.push_back({.from = from, .to = to, .thickness = thickness, .inward = {}});
  return static_cast<int>(facets.edges.size()) - 1;
}

Facets of_cylinder(const Cylinder& cylinder) {
  Facets facets;
  FaceMaker maker(facets);
  const double z = cylinder.half_length;
  const int top = add_disc(facets, maker, cylinder.radius, z, 1.0);
  const int bottom = add_disc(facets, maker, cylinder.radius, -z, -1.0);
  const int edge = add_round_edge(facets, {0.0, 0.0, z}, {0.0, 0.0, -z}, cylinder.radius);
  facets.lines.push_back({{top, bottom}, edge, 1.0, 0.0});
  return facets;
}

/// The slanting side is that of all balls about the axis that touch it: from the apex, without a radius, to the one
/// that touches along the rim, whose middle is on the far side of the base.
Facets of_cone(const Cone& cone) {
  Facets facets;
  FaceMaker maker(facets);
  const int rim = add_disc(facets, maker, cone.radius, 0.0, -1.0);
  const Vector3d top(0.0, 0.0, cone.height);
  const int apex = add_vertex(facets, {.at = top});
  const double slant = std::hypot(cone.radius, cone.height);
  const double below = cone.radius * cone.radius / cone.height;
  facets.vertices[static_cast<std::size_t>(rim)].ball_offset = -below;
  const int edge = add_round_edge(facets, top, {0.0, 0.0, -below}, 0.0);
  facets.edges[static_cast<std::size_t>(edge)].slope = cone.radius / slant;
  facets.lines.push_back({{apex, rim}, edge, cone.height / slant, cone.radius / slant});
  return facets;
}

/// A flat face, two half discs as polygons, and a round side.
Facets of_half_cylinder(const HalfCylinder& half) {
  Facets facets;
  FaceMaker maker(facets);
  constexpr int kSteps = kDiscVertices / 2;
  int rims[2] = {0, 0};
  std::vector<int> arcs[2];
  for (const int end : {0, 1}) {
    const Vector3d middle(0.0, 0.0, end == 0 ? half.half_length : -half.half_length);
    rims[end] = add_vertex(facets, {.at = middle, .rim_radius = half.radius});
    for (int k = 0; k <= kSteps; ++k) {
      const double angle = std::numbers::pi * (1.0 + static_cast<double>(k) / kSteps);
      const double y = k == 0 || k == kSteps ? 0.0 : half.radius * std::sin(angle);
      arcs[end].push_back(add_vertex(facets, {.at = middle + Vector3d(half.radius * std::cos(angle), y, 0.0)}));
    }
  }
  const int flat[] = {arcs[0].front(), arcs[0].back(), arcs[1].back(), arcs[1].front()};
  maker.add(Vector3d::UnitY(), flat);
  maker.add(Vector3d::UnitZ(), arcs[0]);
  maker.add(-Vector3d::UnitZ(), std::vector<int>(arcs[1].rbegin(), arcs[1].rend()));
  const Vector3d end(0.0, 0.0, half.half_length);
  facets.lines.push_back({{rims[0], rims[1]}, add_round_edge(facets, end, -end, half.radius), 1.0, 0.0, true});
  return facets;
}

/// A segment on z, thick or thin.
Facets of_segment(double half_length, double thickness) {
  Facets facets;
  const Vector3d end(0.0, 0.0, half_length);
  const int first = add_vertex(facets, {.at = end, .thickness = thickness});
  const int second = add_vertex(facets, {.at = -end, .thickness = thickness});
  facets.lines.push_back({{first, second}, add_round_edge(facets, end, -end, thickness), 1.0, 0.0});
  return facets;
}

Facets without_size(const Shape& shape) {
  if (const auto* const convex = std::get_if<Convex>(&shape)) return of_polyhedron(*convex->polyhedron);
  if (std::holds_alternative<Box>(shape) || std::holds_alternative<Prism>(shape))
    return of_polyhedron(Polyhedron(shape_vertices(shape), {}));
  if (const auto* const cylinder = std::get_if<Cylinder>(&shape)) return of_cylinder(*cylinder);
  if (const auto* const cone = std::get_if<Cone>(&shape)) return of_cone(*cone);
  if (const auto* const half = std::get_if<HalfCylinder>(&shape)) return of_half_cylinder(*half);
  if (const auto* const capsule = std::get_if<Capsule>(&shape))
    return of_segment(capsule->half_length, capsule->radius);
  if (const auto* const rod = std::get_if<Rod>(&shape)) return of_segment(rod->half_length, 0.0);
  return {};
}

}  // namespace

Vector3d Facets::Vertex::surface(const Vector3d& down) const {
  if (sharp()) return at;
  if (thickness > 0.0) return at + thickness * down;
  const Eigen::Vector2d across = down.head<2>();
  const double length = across.norm();
  const Eigen::Vector2d towards = length > 1e-12 ? Eigen::Vector2d(across / length) : Eigen::Vector2d(1.0, 0.0);
  const double reach = opposite ? -rim_radius : rim_radius;
  return {at.x() + reach * towards.x(), at.y() + reach * towards.y(), at.z()};
}

Facets facets_of(const Shape& shape) {
  Facets facets = without_size(shape);
  if (facets.empty()) return facets;
  for (Facets::Edge& edge : facets.edges) {
    edge.length = (edge.to - edge.from).norm();
    edge.along = (edge.to - edge.from) / edge.length;
  }
  Vector3d middle = Vector3d::Zero();
  for (const Facets::Vertex& vertex : facets.vertices)
    middle += vertex.at / static_cast<double>(facets.vertices.size());
  for (const Facets::Vertex& vertex : facets.vertices)
    facets.size = std::max(facets.size, (vertex.at - middle).norm() + vertex.thickness + vertex.rim_radius);
  return facets;
}

}  // namespace carom::smooth
