#include "carom/engine/smooth/contact_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::smooth {

namespace {

Touch part_plane(const contact::BodyPart& part, const Pose& a, const Pose& b, const Vector3d& normal) {
  Vector3d point = a.position + a.orientation * part.centre;
  if (part.disc_radius > 0.0) {
    const Vector3d axis = a.orientation * Vector3d::UnitZ();
    const Vector3d down = -(normal - normal.dot(axis) * axis);
    const double length = down.norm();
    const double side = part.side == contact::BodyPart::Side::near ? 1.0 : -1.0;
    const Vector3d direction = length > 1e-12 ? Vector3d(down / length) : Vector3d(a.orientation * Vector3d::UnitX());
    point += (side * part.disc_radius) * direction;
  }
  const double gap = normal.dot(point - b.position);
  return {-gap, normal, point - 0.5 * gap * normal};
}

/// A vertex at `point` over a face of the body at `at`: n·(point − face).
Touch vertex_on_face(const Vector3d& point, const Facets::Face& face, const Pose& at) {
  const Vector3d normal = at.orientation * face.normal;
  const double gap = normal.dot(point - at.position) - face.offset;
  return {-gap, normal, point - 0.5 * gap * normal};
}

/// Two edges that cross: the nearest points of their lines, p + s u and q + t v, are apart by n·(p − q) along
/// n = ±u × v/|u × v|, which looks out of b.
struct EdgeCrossing {
  EdgeCrossing(const PairGeometry& g, const Pose& a_at, const Pose& b_at) {
    const Facets::Edge& edge_a = g.facets_a->edges[static_cast<std::size_t>(g.facet_a)];
    const Facets::Edge& edge_b = g.facets_b->edges[static_cast<std::size_t>(g.facet_b)];
    const Vector3d p = a_at.to_world(g.facets_a->vertices[static_cast<std::size_t>(edge_a.from)]);
    const Vector3d q = b_at.to_world(g.facets_b->vertices[static_cast<std::size_t>(edge_b.from)]);
    Vector3d u = a_at.to_world(g.facets_a->vertices[static_cast<std::size_t>(edge_a.to)]) - p;
    Vector3d v = b_at.to_world(g.facets_b->vertices[static_cast<std::size_t>(edge_b.to)]) - q;
    length_a = u.norm();
    length_b = v.norm();
    u /= length_a;
    v /= length_b;
    normal = u.cross(v);
    const double sine = normal.norm();
    const Vector3d outward = b_at.orientation * edge_b.outward;
    if (!(sine > kParallel)) {
      parallel = true;
      normal = outward.normalized();
      touch = {-normal.dot(p - q), normal, 0.5 * (p + q)};
      return;
    }
    normal /= outward.dot(normal) < 0.0 ? -sine : sine;
    const double cosine = u.dot(v);
    const Vector3d apart = p - q;
    s = (cosine * v.dot(apart) - u.dot(apart)) / (sine * sine);
    t = (v.dot(apart) - cosine * u.dot(apart)) / (sine * sine);
    const double gap = normal.dot(apart);
    touch = {-gap, normal, q + t * v + 0.5 * gap * normal};
  }

  static constexpr double kParallel = 1e-9;
  Vector3d normal;
  double length_a, length_b;
  double s = 0.0, t = 0.0;
  bool parallel = false;
  Touch touch;
};

/// How far a point is on the inner side of all edges of a face of the body at `at`.
double inside_face(const Vector3d& point, const Facets& facets, int face, const Pose& at) {
  const Vector3d local = at.to_local(point);
  const Facets::Face& on = facets.faces[static_cast<std::size_t>(face)];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < on.vertices.size(); ++k)
    least = std::min(least, on.inward[k].dot(local - facets.vertices[static_cast<std::size_t>(on.vertices[k])]));
  return least;
}

Vector3d vertex_at(const Facets& facets, int vertex, const Pose& at) {
  return at.to_world(facets.vertices[static_cast<std::size_t>(vertex)]);
}

}  // namespace

double inside_facets(const PairGeometry& g, const Pose& a, const Pose& b) {
  if (g.form == ContactForm::vertex_face)
    return inside_face(vertex_at(*g.facets_a, g.facet_a, a), *g.facets_b, g.facet_b, b);
  if (g.form == ContactForm::face_vertex)
    return inside_face(vertex_at(*g.facets_b, g.facet_b, b), *g.facets_a, g.facet_a, a);
  const EdgeCrossing crossing(g, a, b);
  if (crossing.parallel) return -std::numeric_limits<double>::infinity();
  return std::min({crossing.s, crossing.length_a - crossing.s, crossing.t, crossing.length_b - crossing.t});
}

bool supports(const PairGeometry& g, const Pose& a, const Pose& b) {
  const Vector3d up = g.touch(a, b).normal;
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

Touch PairGeometry::general_touch(const Pose& a_at, const Pose& b_at) const {
  switch (form) {
    case ContactForm::part_plane: return part_plane(part, a_at, b_at, half_space_normal(b_at));
    case ContactForm::vertex_face:
      return vertex_on_face(vertex_at(*facets_a, facet_a, a_at), facets_b->faces[static_cast<std::size_t>(facet_b)],
                            b_at);
    case ContactForm::face_vertex: {
      Touch touch =
          vertex_on_face(vertex_at(*facets_b, facet_b, b_at), facets_a->faces[static_cast<std::size_t>(facet_a)], a_at);
      touch.normal = -touch.normal;
      return touch;
    }
    case ContactForm::edge_edge: return EdgeCrossing(*this, a_at, b_at).touch;
    default: break;
  }
  const Proximity near = pair->proximity(*shape_a, a_at, *shape_b, b_at);
  return {-near.distance, near.normal, 0.5 * (near.point_a + near.point_b)};
}

DentAt dent_at(const Model& model, ObjectIndex object, const Pose& at, const Vector3d& towards, bool about_axis) {
  DentAt result;
  const Vector3d axis = at.orientation * Vector3d::UnitZ();
  for (const Dent& dent : model.dents) {
    if (dent.object != object) continue;
    Vector3d centre = at.orientation * dent.direction;
    if (about_axis) centre = (centre - axis.dot(centre) * axis).normalized();
    const double sine = towards.cross(centre).norm();
    const double angle = std::atan2(sine, towards.dot(centre));
    if (angle >= dent.half_width) continue;
    const double s = angle / dent.half_width;
    const double rest = 1.0 - s * s;
    result.depth += dent.depth * rest * rest;
    if (sine > 0.0) {
      const Vector3d along = (centre - towards.dot(centre) * towards) / sine;
      result.pull += (4.0 * dent.depth * s * rest / dent.half_width) * along;
    }
  }
  return result;
}

Touch dented_touch(const Model& model, const PairGeometry& g, const Pose& a, const Pose& b) {
  Touch touch = g.touch(a, b);
  if (!g.dented_a && !g.dented_b) return touch;
  const bool axial = g.axial();
  const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  if (g.dented_b && (axial || g.form == ContactForm::sphere_sphere))
    touch.depth -= dent_at(model, g.b, b, sign * touch.normal, axial).depth;
  if (g.dented_a) touch.depth -= dent_at(model, g.a, a, -touch.normal, false).depth;
  return touch;
}

}  // namespace carom::smooth
