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

/// Two edges that cross, on the lines p + s u and q + t v. The normal n from b to a is across both, n·u = 0 = n·v; that
/// of a line whose thickness grows by its slope σ leans back on it: n·u = σ_a, n·v = −σ_b. So n = αu + βv ± γ u × v/|u
/// × v|, and the planes across n that touch a and b are apart by n·(p − q), less what the lines are thick at p and q.
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
    const bool round = of_a.thickness + of_a.slope + of_b.thickness + of_b.slope > 0.0;
    if (round || out.isZero(0.0)) out = apart - u.dot(apart) * u;
    const Vector3d cross = u.cross(v);
    const double sine = cross.norm(), cosine = u.dot(v), inverse = 1.0 / (sine * sine);
    const double on_u = of_a.slope, on_v = -of_b.slope;
    const double alpha = (on_u - cosine * on_v) * inverse, beta = (on_v - cosine * on_u) * inverse;
    const double rest = 1.0 - alpha * on_u - beta * on_v;
    if (!(sine > kParallel && rest > kParallel)) {
      const Vector3d normal = out.normalized();
      touch = {thick - normal.dot(apart), normal, 0.5 * (p + q)};
      return;
    }
    const Vector3d side = cross * (1.0 / (out.dot(cross) < 0.0 ? -sine : sine));
    const double gamma = std::sqrt(rest);
    const Vector3d normal = alpha * u + beta * v + gamma * side;
    // p + s u − q − t v is along n.
    const double along_n = side.dot(apart) / gamma;
    const double by_u = along_n * on_u - u.dot(apart), by_v = along_n * on_v - v.dot(apart);
    const double s = (by_u - cosine * by_v) * inverse;
    const double t = (cosine * by_u - by_v) * inverse;
    const double gap = normal.dot(apart) - thick;
    touch = {-gap, normal, q + t * v + (of_b.thickness + t * of_b.slope + 0.5 * gap) * normal};
    inside = std::min({s, of_a.length - s, t, of_b.length - t});
  }
};

/// The end of a round line beside another line along it: the distance of the ball there from that line, whose surface
/// leans by its slope σ: r √(1 − σ²) − s σ for a point r from the line, s along it.
struct EndOnEdge {
  Touch touch;  ///< with the normal from the edge to the end
  double inside;

  EndOnEdge(const Facets::Vertex& end, const Pose& at, const Facets::Edge& edge, const Pose& edge_at) {
    const Vector3d from = edge_at.to_world(edge.from);
    const Vector3d x = at.to_world(end.at + end.ball_offset * Vector3d::UnitZ());
    const Vector3d along = edge_at.orientation * edge.along;
    const double s = along.dot(x - from);
    const Vector3d off = x - from - s * along;
    const double distance = off.norm(), radius = end.thickness + std::hypot(end.rim_radius, end.ball_offset);
    const Vector3d away = distance > 0.0 ? Vector3d(off / distance) : along.unitOrthogonal();
    const double sign = edge.hollow ? -1.0 : 1.0, steep = std::sqrt(1.0 - edge.slope * edge.slope);
    const double gap = sign * (steep * distance - edge.slope * s - edge.thickness) - radius;
    const Vector3d normal = sign * (steep * away - edge.slope * along);
    touch = {-gap, normal, x - (radius + 0.5 * gap) * normal};
    const double foot = s + distance * edge.slope / steep;  // where the normal meets the line
    inside = std::min(foot, edge.length - foot);
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

double least_rise(const PairGeometry& g, const Pose& whole_a, const Pose& whole_b) {
  const Vector3d up = g.touch(whole_a, whole_b).normal;
  const Pose a = g.pose_a(whole_a), b = g.pose_b(whole_b);
  const Vector3d up_a = a.orientation.conjugate() * up, down_b = b.orientation.conjugate() * Vector3d(-up);
  double least = 1.0;
  const auto note = [&least](const std::vector<Vector3d>& directions, const Vector3d& along) {
    for (const Vector3d& direction : directions) least = std::min(least, along.dot(direction));
  };
  const auto at_a = static_cast<std::size_t>(g.facet_a), at_b = static_cast<std::size_t>(g.facet_b);
  switch (g.form) {
    case ContactForm::vertex_face: note(g.facets_a->edges_at[at_a], up_a); break;
    case ContactForm::face_vertex: note(g.facets_b->edges_at[at_b], down_b); break;
    case ContactForm::edge_edge:
      note(g.facets_a->edges[at_a].inward, up_a);
      note(g.facets_b->edges[at_b].inward, down_b);
      break;
    default: break;
  }
  return least;
}

}  // namespace carom::smooth
