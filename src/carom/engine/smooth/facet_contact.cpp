#include "carom/engine/smooth/facet_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::smooth {

namespace {

const Facets::Vertex& vertex_of(const Facets& facets, int index) {
  return facets.vertices[static_cast<std::size_t>(index)];
}

/// A vertex over a face of another body, the gap along the face's normal.
struct VertexOnFace {
  VertexOnFace(const Facets::Vertex& vertex, const Pose& at, const Facets::Face& face, const Pose& face_at)
      : normal(face_at.orientation * face.normal),
        point(at.to_world(vertex.sharp() ? vertex.at : vertex.surface(at.orientation.conjugate() * Vector3d(-normal)))),
        gap(normal.dot(point - face_at.position) - face.offset) {}
  Vector3d normal, point;
  double gap;

  [[nodiscard]] Touch touch(bool of_b) const {
    return {-gap, of_b ? Vector3d(-normal) : normal, point - 0.5 * gap * normal};
  }
};

VertexOnFace vertex_on_face(const PairGeometry& g, const Pose& a, const Pose& b) {
  if (g.form == ContactForm::vertex_face)
    return {vertex_of(*g.facets_a, g.facet_a), a, g.facets_b->faces[static_cast<std::size_t>(g.facet_b)], b};
  return {vertex_of(*g.facets_b, g.facet_b), b, g.facets_a->faces[static_cast<std::size_t>(g.facet_a)], a};
}

/// How far a point of a face's frame is on the inner side of all its edges.
double inside_face(const Facets& facets, const Facets::Face& face, const Vector3d& local) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < face.vertices.size(); ++k)
    least = std::min(least, face.inward[k].dot(local - vertex_of(facets, face.vertices[k]).at));
  // The octagon of a disc is narrower than the disc.
  if (face.disc_radius > 0.0) least = face.disc_radius - local.head<2>().norm();
  return least;
}

/// Two edges that cross: the nearest points of their lines, p + s u and q + t v, are apart by n·(p − q) along
/// n = ±u × v/|u × v|, from b to a; round edges are nearer by their thickness.
struct EdgeCrossing {
  static constexpr double kParallel = 1e-9;
  Touch touch;
  double inside = -std::numeric_limits<double>::infinity();

  EdgeCrossing(const PairGeometry& g, const Pose& a_at, const Pose& b_at) {
    const Facets::Edge& of_a = g.facets_a->edges[static_cast<std::size_t>(g.facet_a)];
    const Facets::Edge& of_b = g.facets_b->edges[static_cast<std::size_t>(g.facet_b)];
    const Vector3d p = a_at.to_world(of_a.from), q = b_at.to_world(of_b.from);
    const Vector3d u = a_at.orientation * of_a.along, v = b_at.orientation * of_b.along;
    const Vector3d apart = p - q;
    const double thick = of_a.thickness + of_b.thickness;
    // Out of b, or not into a, or from the one line to the other where neither has an inside.
    Vector3d out = b_at.orientation * of_b.outward - a_at.orientation * of_a.outward;
    if (of_a.thickness > 0.0 || of_b.thickness > 0.0 || out.isZero(0.0)) out = apart - u.dot(apart) * u;
    Vector3d normal = u.cross(v);
    const double sine = normal.norm();
    if (!(sine > kParallel)) {
      normal = out.normalized();
      touch = {thick - normal.dot(apart), normal, 0.5 * (p + q)};
      return;
    }
    normal *= 1.0 / (out.dot(normal) < 0.0 ? -sine : sine);
    const double cosine = u.dot(v), along_u = u.dot(apart), along_v = v.dot(apart), inverse = 1.0 / (sine * sine);
    const double s = (cosine * along_v - along_u) * inverse;
    const double t = (along_v - cosine * along_u) * inverse;
    const double gap = normal.dot(apart) - thick;
    touch = {-gap, normal, q + t * v + (of_b.thickness + 0.5 * gap) * normal};
    inside = std::min({s, of_a.length - s, t, of_b.length - t});
  }
};

/// The end of a round line beside another line along it: the distance of that point from the line.
struct EndOnEdge {
  Touch touch;  ///< with the normal from the edge to the end
  double inside;

  EndOnEdge(const Facets::Vertex& end, const Pose& at, const Facets::Edge& edge, const Pose& edge_at) {
    const Vector3d from = edge_at.to_world(edge.from), x = at.to_world(end.at);
    const Vector3d along = edge_at.orientation * edge.along;
    const double s = along.dot(x - from);
    const Vector3d off = x - from - s * along;
    const double distance = off.norm(), radius = end.thickness + end.rim_radius;
    const Vector3d away = distance > 0.0 ? Vector3d(off / distance) : along.unitOrthogonal();
    const double sign = edge.hollow ? -1.0 : 1.0;
    const double gap = sign * (distance - edge.thickness) - radius;
    const Vector3d normal = sign * away;
    touch = {-gap, normal, x - (radius + 0.5 * gap) * normal};
    inside = std::min(s, edge.length - s);
  }
};

EndOnEdge end_on_edge(const PairGeometry& g, const Pose& a, const Pose& b) {
  if (g.form == ContactForm::vertex_edge)
    return {vertex_of(*g.facets_a, g.facet_a), a, g.facets_b->edges[static_cast<std::size_t>(g.facet_b)], b};
  return {vertex_of(*g.facets_b, g.facet_b), b, g.facets_a->edges[static_cast<std::size_t>(g.facet_a)], a};
}

}  // namespace

/// Of the parts where they stand.
Touch PairGeometry::facet_touch(const Pose& a_at, const Pose& b_at) const {
  switch (form) {
    case ContactForm::edge_edge: return EdgeCrossing(*this, a_at, b_at).touch;
    case ContactForm::vertex_edge: return end_on_edge(*this, a_at, b_at).touch;
    case ContactForm::edge_vertex: {
      Touch touch = end_on_edge(*this, a_at, b_at).touch;
      touch.normal = -touch.normal;
      return touch;
    }
    default: return vertex_on_face(*this, a_at, b_at).touch(form == ContactForm::face_vertex);
  }
}

double inside_facets(const PairGeometry& g, const Pose& whole_a, const Pose& whole_b) {
  const Pose a = g.pose_a(whole_a), b = g.pose_b(whole_b);
  switch (g.form) {
    case ContactForm::edge_edge: return EdgeCrossing(g, a, b).inside;
    case ContactForm::vertex_edge:
    case ContactForm::edge_vertex: return end_on_edge(g, a, b).inside;
    default: break;
  }
  const Vector3d point = vertex_on_face(g, a, b).point;
  if (g.form == ContactForm::vertex_face)
    return inside_face(*g.facets_b, g.facets_b->faces[static_cast<std::size_t>(g.facet_b)], b.to_local(point));
  return inside_face(*g.facets_a, g.facets_a->faces[static_cast<std::size_t>(g.facet_a)], a.to_local(point));
}

double crossing_sine(const PairGeometry& g, const Pose& a, const Pose& b) {
  if (g.form != ContactForm::vertex_edge && g.form != ContactForm::edge_vertex) return 0.0;
  const auto direction = [](const Facets& facets, const Pose& at) -> Vector3d {
    return at.orientation * facets.edges[static_cast<std::size_t>(facets.lines.front().edge)].along;
  };
  const Vector3d normal = g.touch(a, b).normal;
  const Vector3d u = normal.cross(direction(*g.facets_a, g.pose_a(a)));
  const Vector3d v = normal.cross(direction(*g.facets_b, g.pose_b(b)));
  const double lengths = u.norm() * v.norm();
  return lengths > 0.0 ? std::min(u.cross(v).norm() / lengths, 1.0) : 1.0;
}

bool supports(const PairGeometry& g, const Pose& whole_a, const Pose& whole_b) {
  const Vector3d up = g.touch(whole_a, whole_b).normal;
  const Pose a = g.pose_a(whole_a), b = g.pose_b(whole_b);
  const Vector3d up_a = a.orientation.conjugate() * up, down_b = b.orientation.conjugate() * Vector3d(-up);
  const auto rises = [](const std::vector<Vector3d>& directions, const Vector3d& along) {
    return std::all_of(directions.begin(), directions.end(),
                       [&](const Vector3d& direction) { return along.dot(direction) >= -kSupportSlope; });
  };
  const auto at_a = static_cast<std::size_t>(g.facet_a), at_b = static_cast<std::size_t>(g.facet_b);
  switch (g.form) {
    case ContactForm::vertex_face: return rises(g.facets_a->edges_at[at_a], up_a);
    case ContactForm::face_vertex: return rises(g.facets_b->edges_at[at_b], down_b);
    case ContactForm::edge_edge:
      return rises(g.facets_a->edges[at_a].inward, up_a) && rises(g.facets_b->edges[at_b].inward, down_b);
    default: return true;
  }
}

}  // namespace carom::smooth
