#include "carom/contact/contact_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace carom::contact {

namespace {

/// Turns of the search for the farthest point of a rim, at most.
constexpr int kMostTurns = 100;

/// The wall of a shell or a bore, in its frame.
struct HollowWall {
  bool bore;
  double radius;
  double half_length = std::numeric_limits<double>::infinity();

  explicit HollowWall(const Shape& shape) : bore(std::holds_alternative<Bore>(shape)) {
    radius = bore ? std::get<Bore>(shape).radius : std::get<Shell>(shape).radius;
    if (bore) half_length = std::get<Bore>(shape).half_length;
  }
  /// From the middle of the shell, or the axis of the bore.
  [[nodiscard]] Vector3d from_middle(const Vector3d& x) const { return bore ? Vector3d(x.x(), x.y(), 0.0) : x; }
};

/// Points, normal and gap of a contact whose objects have moved.
struct Follower {
  const PairFunction& pair;
  const PlacedPair& placed;
  ContactPoint& next;  ///< as it was, to be changed

  void operator()(const NearestPoints&) const {
    const Proximity near = pair.proximity_near(placed.a, placed.pose_a, placed.b, placed.pose_b, {next.normal});
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
    if (edges.thickness_a == 0.0 && edges.thickness_b == 0.0) return;
    next.gap -= edges.thickness_a + edges.thickness_b;
    next.point_a -= edges.thickness_a * across;
    next.point_b += edges.thickness_b * across;
  }
  void operator()(const RimOnFace& rim) const {
    const bool of_a = rim.owner == Owner::a;
    const Pose& round = of_a ? placed.pose_a : placed.pose_b;
    const Pose& flat = of_a ? placed.pose_b : placed.pose_a;
    const bool plane = of_a && std::holds_alternative<HalfSpace>(placed.b);
    const Vector3d normal = plane ? half_space_normal(flat) : Vector3d(flat.orientation * rim.normal);
    const Vector3d down = round.orientation.conjugate() * Vector3d(-normal);
    const double across = std::hypot(down.x(), down.y());
    Vector3d local(0.0, 0.0, rim.height);
    if (across > flat_tilt(rim)) {
      local.head<2>() = down.head<2>() * (rim.radius / across);
    } else {  // as good as flat: the point that it began with
      local.head<2>() = rim.point.head<2>();
    }
    const Vector3d on_rim = round.to_world(local);
    const double gap = normal.dot(on_rim - (plane ? flat.position : flat.to_world(rim.anchor)));
    set_round(rim.owner, on_rim, gap, normal);
  }
  void operator()(const BallInHollow& on) const {
    const HollowWall wall(placed.b);
    const Vector3d middle = placed.pose_a.to_world(on.ball.centre);
    const Vector3d off = wall.from_middle(placed.pose_b.to_local(middle));
    const double distance = off.norm();
    const Vector3d normal = placed.pose_b.orientation * Vector3d(-off / distance);
    set_round(Owner::a, middle - on.ball.radius * normal, wall.radius - distance - on.ball.radius, normal);
  }
  /// The farthest point c + r(d₁e₁ + d₂e₂) of the circle, |d| = 1, has d along (e₁·w, e₂·w) of its own place w; that
  /// iteration never comes nearer to the middle.
  void operator()(const RimInHollow& rim) const {
    const HollowWall wall(placed.b);
    const Quaterniond turn = placed.pose_b.orientation.conjugate() * placed.pose_a.orientation;
    const Vector3d middle = placed.pose_b.to_local(placed.pose_a.to_world({0.0, 0.0, rim.height}));
    const Vector3d centre = wall.from_middle(middle);
    const Vector3d e1 = wall.from_middle(turn * Vector3d::UnitX()), e2 = wall.from_middle(turn * Vector3d::UnitY());
    Eigen::Vector2d direction = rim.point.head<2>() / rim.radius;
    Vector3d place = centre;
    for (int k = 0; k < kMostTurns; ++k) {
      const Eigen::Vector2d along(e1.dot(place), e2.dot(place));
      if (!(along.norm() > kFlat * wall.radius)) break;  // all points are as far
      const Eigen::Vector2d turned = along.normalized();
      const double change = (turned - direction).norm();
      direction = turned;
      place = centre + rim.radius * (direction.x() * e1 + direction.y() * e2);
      if (change < 1e-16) break;
    }
    place = centre + rim.radius * (direction.x() * e1 + direction.y() * e2);
    const double distance = place.norm();
    const Vector3d normal = placed.pose_b.orientation * Vector3d(-place / distance);
    const Vector3d local(rim.radius * direction.x(), rim.radius * direction.y(), rim.height);
    set_round(Owner::a, placed.pose_a.to_world(local), wall.radius - distance, normal);
  }
  void operator()(const RimOnLine& on) const {
    const bool of_a = on.owner == Owner::a;
    const Pose& round = of_a ? placed.pose_a : placed.pose_b;
    const RimAtLine at = rim_at_line(on.rim, line_in_rim(on, placed), on.point);
    const double distance = at.off.norm();
    Vector3d normal = on.thickness > 0.0 ? Vector3d(at.off / distance)
                                         : Vector3d(at.tangent.cross(line_in_rim(on, placed).direction).normalized());
    normal = round.orientation * normal;
    const Vector3d known = of_a ? next.normal : Vector3d(-next.normal);
    if (on.thickness == 0.0 && normal.dot(known) < 0.0) normal = -normal;
    const double gap = on.thickness > 0.0 ? distance - on.thickness : normal.dot(round.orientation * at.off);
    std::get<RimOnLine>(next.feature).point = at.point;
    set_round(on.owner, round.to_world(at.point), gap, normal);
  }
  void operator()(const RimOnRim& on) const {
    const RimCrossing at = rims_crossing({on.rim_a, placed.pose_a, on.point_a}, {on.rim_b, placed.pose_b, on.point_b});
    next.normal = at.normal.dot(next.normal) < 0.0 ? Vector3d(-at.normal) : at.normal;
    next.gap = next.normal.dot(at.apart);
    next.point_a = placed.pose_a.to_world(at.point_a);
    next.point_b = placed.pose_b.to_world(at.point_b);
    RimOnRim& feature = std::get<RimOnRim>(next.feature);
    feature.point_a = at.point_a;
    feature.point_b = at.point_b;
  }
  void operator()(const BallOnFace& on) const { follow_ball(on, 0.0); }
  void operator()(const BallOnLine& on) const { follow_ball(on, on.thickness); }
  void operator()(const BallOnVertex& on) const { follow_ball(on, on.thickness); }
  void operator()(const BallOnRim& on) const { follow_ball(on, 0.0); }

  template <class On>
  void follow_ball(const On& on, double thickness) const {
    const bool of_a = on.ball.owner == Owner::a;
    const Pose& round = of_a ? placed.pose_a : placed.pose_b;
    const Pose& other = of_a ? placed.pose_b : placed.pose_a;
    const Vector3d middle = on.ball.whole ? round.position : round.to_world(on.ball.centre);
    const Vector3d centre = other.to_local(middle);
    const Vector3d off = off_feature(on, centre);
    const double distance = off.norm();
    const Vector3d normal = other.orientation * (off / distance);
    set_round(on.ball.owner, middle - on.ball.radius * normal, distance - thickness - on.ball.radius, normal);
  }

  /// The point of the round one, with the normal that points to it.
  void set_round(Owner owner, const Vector3d& point, double gap, const Vector3d& normal) const {
    next.gap = gap;
    const Vector3d other = point - gap * normal;
    next.point_a = owner == Owner::a ? point : other;
    next.point_b = owner == Owner::a ? other : point;
    next.normal = owner == Owner::a ? normal : Vector3d(-normal);
  }
};

/// Whether the feature that a contact had is the one that it has.
struct Unchanged {
  const ContactPoint& contact;
  const PairFunction& pair;
  const PlacedPair& placed;
  double room;

  /// Vertices and ends leave their face at its border; where borders cross, the crossing wanders and is found anew now
  /// and then.
  [[nodiscard]] double border(bool fixed) const { return fixed ? room : 1e-3; }
  [[nodiscard]] double border(const Shape& shape, const Vector3d& point) const {
    return border(is_vertex(shape, point));
  }

  bool operator()(const NearestPoints&) const { return true; }
  bool operator()(const RimOnFace& rim) const {
    const Shape& round = rim.owner == Owner::a ? placed.a : placed.b;
    const Shape& flat = rim.owner == Owner::a ? placed.b : placed.a;
    const ContactPoint now = followed(contact, pair, placed);
    if (const HalfCylinder* half = std::get_if<HalfCylinder>(&round)) {
      const Vector3d on_rim =
          rim.owner == Owner::a ? placed.pose_a.to_local(now.point_a) : placed.pose_b.to_local(now.point_b);
      if (on_rim.y() > 1e-9 * half->radius) return false;  // over its edge
    }
    if (std::holds_alternative<HalfSpace>(flat)) return true;
    const Vector3d on_face =
        rim.owner == Owner::a ? placed.pose_b.to_local(now.point_b) : placed.pose_a.to_local(now.point_a);
    const bool at_end = rim_at(round, {rim.radius, 0.0, rim.height}).has_value();
    return beyond(flat, on_face) < border(at_end);
  }
  /// Whether the outward normal at a vertex of the shape, in its frame, is not one of its round side. What stands on an
  /// end or on the border of its flat side may lean over it by as much as a vertex may be beyond a border.
  [[nodiscard]] bool is_sharp_there(const Shape& shape, const Vector3d& outwards) const {
    return !std::holds_alternative<HalfCylinder>(shape) || outwards.y() >= -room;
  }
  /// A contact with a bore ends where the bore does; that of a half disc at the ends of its arc.
  [[nodiscard]] bool is_inside() const {
    const ContactPoint now = followed(contact, pair, placed);
    return std::abs(placed.pose_b.to_local(now.point_b).z()) <= HollowWall(placed.b).half_length;
  }
  bool operator()(const BallInHollow&) const { return is_inside(); }
  bool operator()(const RimInHollow& rim) const {
    const ContactPoint now = followed(contact, pair, placed);
    const bool arc = std::holds_alternative<HalfCylinder>(placed.a);
    return is_inside() && !(arc && placed.pose_a.to_local(now.point_a).y() > 1e-9 * rim.radius);
  }
  bool operator()(const PointOnFace& on) const {
    const Vector3d at = placed.pose_b.to_local(placed.pose_a.to_world(on.point));
    const Vector3d on_face = at - on.normal * on.normal.dot(at - on.anchor);
    const Vector3d outwards =
        placed.pose_a.orientation.conjugate() * (placed.pose_b.orientation * Vector3d(-on.normal));
    return beyond(placed.b, on_face) < border(placed.a, on.point) && is_sharp_there(placed.a, outwards);
  }
  bool operator()(const FaceOnPoint& on) const {
    const Vector3d at = placed.pose_a.to_local(placed.pose_b.to_world(on.point));
    const Vector3d on_face = at - on.normal * on.normal.dot(at - on.anchor);
    const Vector3d outwards = placed.pose_b.orientation.conjugate() * (placed.pose_a.orientation * on.normal);
    return beyond(placed.a, on_face) < border(placed.b, on.point) && is_sharp_there(placed.b, outwards);
  }
  bool operator()(const EdgeOnEdge&) const {
    const ContactPoint now = followed(contact, pair, placed);
    return beyond(placed.a, placed.pose_a.to_local(now.point_a)) < room &&
           beyond(placed.b, placed.pose_b.to_local(now.point_b)) < room;
  }
  /// Whether a point of the rim is one of an arc that ends at a diameter, or of a whole circle.
  static bool on_arc(const Shape& shape, const Vector3d& point, const Circle& rim) {
    return !std::holds_alternative<HalfCylinder>(shape) || point.y() <= 1e-9 * rim.radius;
  }
  bool operator()(const RimOnLine& on) const {
    const bool of_a = on.owner == Owner::a;
    const Pose& round = of_a ? placed.pose_a : placed.pose_b;
    const Pose& other = of_a ? placed.pose_b : placed.pose_a;
    const RimAtLine at = rim_at_line(on.rim, line_in_rim(on, placed), on.point);
    const Vector3d on_line = other.to_local(round.to_world(at.point));
    return crosses(at, on.rim, kStillCrosses) && on_arc(of_a ? placed.a : placed.b, at.point, on.rim) &&
           beyond(of_a ? placed.b : placed.a, on_line) < room;
  }
  bool operator()(const RimOnRim& on) const {
    const RimCrossing at = rims_crossing({on.rim_a, placed.pose_a, on.point_a}, {on.rim_b, placed.pose_b, on.point_b});
    return at.sine > kStillCrosses && on_arc(placed.a, at.point_a, on.rim_a) && on_arc(placed.b, at.point_b, on.rim_b);
  }
  /// A round end or a rim of a cylinder is left where the normal becomes that of the side.
  template <class On>
  [[nodiscard]] bool stays_at_end(const On& on, const Vector3d& off, const Shape& shape) const {
    if constexpr (std::is_same_v<On, BallOnVertex>)
      return on.thickness == 0.0 || off.z() * std::copysign(1.0, on.vertex.z()) >= -room * on.thickness;
    if constexpr (std::is_same_v<On, BallOnRim>)
      return std::holds_alternative<Cone>(shape) ||
             off.z() * std::copysign(1.0, on.rim.height) >= -room * on.rim.radius;
    return true;
  }
  template <class BallOn>
  bool operator()(const BallOn& on) const {
    const Ball& ball = on.ball;
    if (ball.whole) {
      const Proximity near = pair.proximity(placed.a, placed.pose_a, placed.b, placed.pose_b);
      const TouchedByBall at{placed.pose_b.to_local(near.point_b), placed.pose_b.orientation.conjugate() * near.normal,
                             placed.pose_b.to_local(placed.pose_a.position)};
      return std::holds_alternative<BallOn>(recognise_ball(placed.b, at, ball));
    }
    // Where it touches must still be there on the other one; for the axis of a line, beside it.
    const bool of_a = ball.owner == Owner::a;
    const Pose& round = of_a ? placed.pose_a : placed.pose_b;
    const Pose& other = of_a ? placed.pose_b : placed.pose_a;
    const Vector3d centre = other.to_local(round.to_world(ball.centre));
    const Shape& owner = of_a ? placed.a : placed.b;
    const Shape& other_shape = of_a ? placed.b : placed.a;
    const Capsule* const capsule = std::get_if<Capsule>(&owner);
    if (!stays_at_end(on, off_feature(on, centre), other_shape)) return false;
    const bool at_end = ball.radius == 0.0 || (capsule != nullptr && std::abs(ball.centre.z()) == capsule->half_length);
    return beyond(other_shape, centre - off_feature(on, centre)) < border(at_end);
  }
};

}  // namespace

void append_closed_contacts(const PairFunction& pair, const PlacedPair& placed, double tolerance,
                            std::vector<ContactPoint>& closed) {
  TouchingPoints points = pair.touching(placed.a, placed.pose_a, placed.b, placed.pose_b, std::abs(tolerance));
  // Where two overlap by more, points that are closed may lie as much behind the deepest one.
  double deepest = 0.0;
  for (const TouchingPoint& touching : points) deepest = std::min(deepest, touching.distance);
  if (-deepest > std::abs(tolerance))
    points = pair.touching(placed.a, placed.pose_a, placed.b, placed.pose_b, std::abs(tolerance) - deepest);
  for (const TouchingPoint& touching : points) {
    if (touching.distance > tolerance) continue;
    ContactPoint contact;
    contact.point_a = touching.point_a;
    contact.point_b = touching.point_b;
    contact.normal = touching.normal;
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

bool same_feature(const ContactPoint& contact, const PairFunction& pair, const PlacedPair& placed, double room) {
  return std::visit(Unchanged{contact, pair, placed, room}, contact.feature);
}

std::optional<Vector3d> direction_on_rim(const ContactPoint& contact, const PlacedPair& placed) {
  const auto seen_from = [](const Pose& pose, double height, const Vector3d& point) {
    return Vector3d((point - pose.to_world({0.0, 0.0, height})).normalized());
  };
  if (const RimOnFace* rim = std::get_if<RimOnFace>(&contact.feature))
    return rim->owner == Owner::a ? seen_from(placed.pose_a, rim->height, contact.point_a)
                                  : seen_from(placed.pose_b, rim->height, contact.point_b);
  if (const RimInHollow* rim = std::get_if<RimInHollow>(&contact.feature))
    return seen_from(placed.pose_a, rim->height, contact.point_a);
  return std::nullopt;
}

ContactPoint limit_contact(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states,
                           ObjectIndex ground) {
  const Joint& joint = kinematics.model().joints[limit.joint];
  const JointRow row = limit_row(kinematics, limit, states);
  ContactPoint contact;
  contact.a = joint.ends[0].body;
  contact.b = joint.ends[1].body == kNone ? ground : ObjectIndex(joint.ends[1].body);
  contact.limit = limit;
  contact.gap = row.residual;
  contact.point_a = contact.point_b = states.sides[0]->position + kinematics.lever(limit.joint, states);
  contact.rule.restitution = joint.restitution;
  if (is_shift(joint.kind, limit.coordinate)) {
    contact.normal = row.sides[0].linear;
  } else {
    contact.arm = limit_arm(kinematics, limit);
    contact.normal = row.sides[0].angular / contact.arm;
  }
  return contact;
}

std::array<Vector3d, 2> tangents_of(const Vector3d& normal) {
  int smallest = 0;
  normal.cwiseAbs().minCoeff(&smallest);
  const Vector3d first = normal.cross(Vector3d::Unit(smallest)).normalized();
  return {first, normal.cross(first)};
}

}  // namespace carom::contact
