#include "carom/engine/smooth/facets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "carom/contact/shape_support.h"

namespace carom::smooth {

namespace {

/// The faces of a box and of a prism by the order of their vertices in contact::shape_vertices; which way round they
/// run is put right below.
using Loops = std::vector<std::vector<int>>;

/// All corners of each face in order round it, from vertices and the planes that bound the solid: those vertices that
/// no other one is beyond.
Loops loops_of(const std::vector<Vector3d>& vertices, const std::vector<Vector3d>& normals, double size) {
  Loops loops;
  for (const Vector3d& normal : normals) {
    double most = normal.dot(vertices.front());
    for (const Vector3d& vertex : vertices) most = std::max(most, normal.dot(vertex));
    std::vector<int> loop;
    Vector3d middle = Vector3d::Zero();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (normal.dot(vertices[i]) < most - 1e-9 * size) continue;
      loop.push_back(static_cast<int>(i));
      middle += vertices[i];
    }
    middle /= static_cast<double>(loop.size());
    const Vector3d first = (vertices[static_cast<std::size_t>(loop.front())] - middle).normalized();
    const Vector3d second = normal.cross(first);
    const auto angle = [&](int i) {
      const Vector3d arm = vertices[static_cast<std::size_t>(i)] - middle;
      return std::atan2(second.dot(arm), first.dot(arm));
    };
    std::sort(loop.begin(), loop.end(), [&](int i, int j) { return angle(i) < angle(j); });
    loops.push_back(std::move(loop));
  }
  return loops;
}

/// Outward normals of all faces.
std::vector<Vector3d> normals_of(const Shape& shape) {
  std::vector<Vector3d> normals;
  if (std::holds_alternative<Box>(shape)) {
    for (int k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0}) normals.push_back(sign * Vector3d::Unit(k));
  } else if (const auto* const prism = std::get_if<Prism>(&shape)) {
    normals = {Vector3d::UnitZ(), -Vector3d::UnitZ()};
    const auto& v = prism->vertices;
    for (std::size_t k = 0; k < 3; ++k) {
      const Eigen::Vector2d along = v[(k + 1) % 3] - v[k], to_third = v[(k + 2) % 3] - v[k];
      const Eigen::Vector2d across(along.y(), -along.x());
      const double sign = across.dot(to_third) > 0.0 ? -1.0 : 1.0;
      normals.emplace_back(sign * across.x(), sign * across.y(), 0.0);
      normals.back().normalize();
    }
  }
  return normals;
}

void add_face(Facets& facets, const Vector3d& normal, const std::vector<int>& loop,
              std::map<std::pair<int, int>, int>& known) {
  Facets::Face face;
  face.normal = normal;
  face.vertices = loop;
  face.offset = normal.dot(facets.vertices[static_cast<std::size_t>(loop.front())]);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const int from = loop[k], to = loop[(k + 1) % loop.size()];
    const auto [at, is_new] =
        known.try_emplace({std::min(from, to), std::max(from, to)}, static_cast<int>(facets.edges.size()));
    if (is_new) facets.edges.push_back({from, to, Vector3d::Zero(), {}});
    Facets::Edge& edge = facets.edges[static_cast<std::size_t>(at->second)];
    const Vector3d along =
        (facets.vertices[static_cast<std::size_t>(to)] - facets.vertices[static_cast<std::size_t>(from)]).normalized();
    edge.outward += normal;
    edge.inward.push_back(normal.cross(along));
    face.inward.push_back(edge.inward.back());
    face.edges.push_back(at->second);
    facets.edges_at[static_cast<std::size_t>(from)].push_back(along);
    facets.faces_at[static_cast<std::size_t>(from)].push_back(static_cast<int>(facets.faces.size()));
  }
  facets.faces.push_back(std::move(face));
}

}  // namespace

Facets facets_of(const Shape& shape) {
  Facets facets;
  const std::vector<Vector3d> normals = normals_of(shape);
  if (normals.empty()) return facets;
  facets.vertices = contact::shape_vertices(shape);
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& vertex : facets.vertices) middle += vertex / static_cast<double>(facets.vertices.size());
  for (const Vector3d& vertex : facets.vertices) facets.size = std::max(facets.size, (vertex - middle).norm());
  facets.faces_at.resize(facets.vertices.size());
  facets.edges_at.resize(facets.vertices.size());
  const Loops loops = loops_of(facets.vertices, normals, facets.size);
  std::map<std::pair<int, int>, int> known;
  for (std::size_t k = 0; k < normals.size(); ++k) add_face(facets, normals[k], loops[k], known);
  return facets;
}

}  // namespace carom::smooth
