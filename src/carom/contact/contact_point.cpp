#include "carom/contact/contact_point.h"

#include <cmath>

namespace carom::contact {

namespace {

/// Points, normal and gap of a contact whose objects have moved.
struct Follower {
  const PairFunction& pair;
  const PlacedPair& placed;
  ContactPoint& next;  ///< as it was, to be changed

  void operator()(const NearestPoints&) const {
    const Proximity near = pair.proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
    next.point_a = near.point_a;
    next.point_b = near.point_b;
    next.normal = near.normal;
    next.gap = near.distance;
  }
  void operator()(const PointOnFace& on) const {
    next.normal = placed.pose_b.orientation * on.normal;
    next.point_a = placed.pose_a.to_world(on.point);
    next.gap = next.normal.dot(next.point_a - placed.pose_b.to_world(on.anchor));
    next.point_b = next.point_a - next.gap * next.normal;
  }
  void operator()(const FaceOnPoint& on) const {
    next.normal = placed.pose_a.orientation * on.normal;
    next.point_b = placed.pose_b.to_world(on.point);
    next.gap = next.normal.dot(placed.pose_a.to_world(on.anchor) - next.point_b);
    next.point_a = next.point_b + next.gap * next.normal;
  }
  void operator()(const EdgeOnEdge& edges) const {
    const Vector3d u = placed.pose_a.orientation * edges.direction_a;
    const Vector3d v = placed.pose_b.orientation * edges.direction_b;
    const Vector3d p = placed.pose_a.to_world(edges.point_a);
    const Vector3d q = placed.pose_b.to_world(edges.point_b);
    Vector3d across = u.cross(v);
    const double sine = across.norm();
    across /= across.dot(next.normal) < 0.0 ? -sine : sine;
    const Vector3d apart = p - q;
    const double cosine = u.dot(v);
    next.point_a = p + u * ((cosine * v.dot(apart) - u.dot(apart)) / (sine * sine));
    next.point_b = q + v * ((v.dot(apart) - cosine * u.dot(apart)) / (sine * sine));
    next.normal = across;
    next.gap = across.dot(apart);
  }
  void operator()(const RimOnPlane& rim) const {
    const Cylinder& cylinder = std::get<Cylinder>(placed.a);
    next.normal = half_space_normal(placed.pose_b);
    const Vector3d down = placed.pose_a.orientation.conjugate() * Vector3d(-next.normal);
    const double across = std::hypot(down.x(), down.y());
    Vector3d local(0.0, 0.0, rim.end * cylinder.half_length);
    if (across > kFlat) {
      local.head<2>() = down.head<2>() * (cylinder.radius / across);
    } else {  // as good as flat: the point that it began with
      local.head<2>() = rim.point.head<2>();
    }
    next.point_a = placed.pose_a.to_world(local);
    next.gap = next.normal.dot(next.point_a - placed.pose_b.position);
    next.point_b = next.point_a - next.gap * next.normal;
  }
  void operator()(const BallOnFace& on) const { follow_ball(on, 0.0); }
  void operator()(const BallOnLine& on) const { follow_ball(on, on.thickness); }
  void operator()(const BallOnVertex& on) const { follow_ball(on, 0.0); }

  template <class On>
  void follow_ball(const On& on, double thickness) const {
    const double radius = std::get<Sphere>(placed.a).radius;
    const Vector3d centre = placed.pose_b.to_local(placed.pose_a.position);
    const Vector3d off = off_feature(on, centre);
    const double distance = off.norm();
    const Vector3d normal = off / distance;
    next.normal = placed.pose_b.orientation * normal;
    next.gap = distance - thickness - radius;
    next.point_a = placed.pose_a.position - radius * next.normal;
    next.point_b = next.point_a - next.gap * next.normal;
  }
};

/// Whether the feature that a contact had is the one that it has.
struct Unchanged {
  const ContactPoint& contact;
  const PairFunction& pair;
  const PlacedPair& placed;

  /// Vertices leave their face at its border; where borders cross, the crossing wanders and is found anew now and then.
  static double border(const Shape& shape, const Vector3d& point) { return is_vertex(shape, point) ? 1e-9 : 1e-3; }

  bool operator()(const NearestPoints&) const { return true; }
  bool operator()(const RimOnPlane&) const { return true; }
  bool operator()(const PointOnFace& on) const {
    const Vector3d at = placed.pose_b.to_local(placed.pose_a.to_world(on.point));
    const Vector3d on_face = at - on.normal * on.normal.dot(at - on.anchor);
    return beyond(placed.b, on_face) < border(placed.a, on.point);
  }
  bool operator()(const FaceOnPoint& on) const {
    const Vector3d at = placed.pose_a.to_local(placed.pose_b.to_world(on.point));
    const Vector3d on_face = at - on.normal * on.normal.dot(at - on.anchor);
    return beyond(placed.a, on_face) < border(placed.b, on.point);
  }
  bool operator()(const EdgeOnEdge&) const {
    const ContactPoint now = followed(contact, pair, placed);
    return beyond(placed.a, placed.pose_a.to_local(now.point_a)) < 1e-9 &&
           beyond(placed.b, placed.pose_b.to_local(now.point_b)) < 1e-9;
  }
  template <class BallOn>
  bool operator()(const BallOn&) const {
    const Proximity near = pair.proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
    return std::holds_alternative<BallOn>(recognise_ball(placed, near.point_b, near.normal));
  }
};

}  // namespace

void append_closed_contacts(const PairFunction& pair, const PlacedPair& placed, double tolerance,
                            std::vector<ContactPoint>& closed) {
  const TouchingPoints points = pair.touching(placed.a, placed.pose_a, placed.b, placed.pose_b, std::abs(tolerance));
  for (const TouchingPoint& touching : points) {
    if (touching.distance > tolerance) continue;
    ContactPoint contact;
    contact.point_a = touching.point_a;
    contact.point_b = touching.point_b;
    contact.normal = points.normal();
    contact.gap = touching.distance;
    contact.feature = recognise(placed, {contact.point_a, contact.point_b, contact.normal, points.size()});
    closed.push_back(contact);
  }
}

ContactPoint followed(const ContactPoint& contact, const PairFunction& pair, const PlacedPair& placed) {
  ContactPoint next = contact;
  std::visit(Follower{pair, placed, next}, contact.feature);
  return next;
}

bool same_feature(const ContactPoint& contact, const PairFunction& pair, const PlacedPair& placed) {
  return std::visit(Unchanged{contact, pair, placed}, contact.feature);
}

std::array<Vector3d, 2> tangents_of(const Vector3d& normal) {
  int smallest = 0;
  normal.cwiseAbs().minCoeff(&smallest);
  const Vector3d first = normal.cross(Vector3d::Unit(smallest)).normalized();
  return {first, normal.cross(first)};
}

}  // namespace carom::contact
