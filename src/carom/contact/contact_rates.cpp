/// How contacts change along the motion, in closed form.

#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "carom/contact/contact_point.h"
#include "carom/contact/surface_rates.h"

namespace carom::contact {

namespace {

/// Lines that cross at a smaller angle than this [rad] have no normal of their own.
constexpr double kAllButParallel = 1e-6;

/// A contact and the motion of its two objects.
struct Moving {
  const ContactPoint& contact;
  const BodyState& a;
  const BodyState& b;

  /// ṅ of a ball of which the component `across` of the relative velocity turns the normal, `distance` off.
  [[nodiscard]] Vector3d turn(const Vector3d& across, double distance) const {
    const Vector3d& n = contact.normal;
    return (across - n * n.dot(across)) / distance;
  }
};

/// ω × (ω × r) of a point of a body.
Vector3d centripetal(const BodyState& body, const Vector3d& point) {
  const Vector3d& w = body.angular_velocity;
  return w.cross(w.cross(point - body.position));
}

/// u̇ = ω_a × ρ̇_a − ω_b × ρ̇_b with the levers ρ of the two points.
Vector3d velocity_rate(const Moving& moving, const Vector3d& lever_rate_a, const Vector3d& lever_rate_b) {
  return moving.a.angular_velocity.cross(lever_rate_a) - moving.b.angular_velocity.cross(lever_rate_b);
}

/// n (n·u): what parts the two points.
Vector3d parting(const Moving& moving) {
  const ContactPoint& contact = moving.contact;
  const Vector3d u = point_velocity(moving.a, contact.point_a) - point_velocity(moving.b, contact.point_b);
  return contact.normal * contact.normal.dot(u);
}

/// Where it is known how the normal turns and how the lever of a's point changes, b's point being opposite.
ContactRates rates_with_opposite(const Moving& moving, const Vector3d& normal_rate, const Vector3d& lever_rate) {
  const Vector3d opposite = moving.a.velocity + lever_rate - parting(moving) - moving.b.velocity;
  return {normal_rate, velocity_rate(moving, lever_rate, opposite)};
}

/// ṅ of a ball on b, seen from b; none where it is not known.
std::optional<Vector3d> normal_rate_of_ball(const Moving& moving, const Shape& b) {
  const ContactPoint& contact = moving.contact;
  const Vector3d v = moving.a.velocity - point_velocity(moving.b, moving.a.position);
  if (const BallOnLine* line = std::get_if<BallOnLine>(&contact.feature)) {
    const Vector3d off = off_feature(*line, moving.b.pose().to_local(moving.a.position));
    const Vector3d along = moving.b.orientation * line->direction;
    const Vector3d across = v - along * along.dot(v);
    return moving.turn(across, off.norm());
  }
  if (const BallOnVertex* vertex = std::get_if<BallOnVertex>(&contact.feature))
    return moving.turn(v, off_feature(*vertex, moving.b.pose().to_local(moving.a.position)).norm());
  if (const BallOnRim* on = std::get_if<BallOnRim>(&contact.feature)) {
    // The point of the rim runs about its axis as the middle of the ball does.
    const Vector3d centre = moving.b.pose().to_local(moving.a.position);
    const double aside = centre.head<2>().norm();
    const Vector3d along = moving.b.orientation * Vector3d(-centre.y() / aside, centre.x() / aside, 0.0);
    const Vector3d run = along * (along.dot(v) * on->rim.radius / aside);
    return moving.turn(v - run, off_feature(*on, centre).norm());
  }
  if (std::holds_alternative<Shell>(b))
    return Vector3d(-moving.turn(v, (moving.a.position - moving.b.position).norm()));
  if (const Bore* bore = std::get_if<Bore>(&b)) {
    const Vector3d centre = moving.b.pose().to_local(moving.a.position);
    if (std::abs(centre.z()) > bore->half_length) return std::nullopt;  // on the rim
    const Vector3d along = moving.b.orientation * Vector3d::UnitZ();
    const Vector3d across = v - along * along.dot(v);
    return Vector3d(-moving.turn(across, centre.head<2>().norm()));
  }
  if (std::holds_alternative<BallOnFace>(contact.feature) || std::holds_alternative<HalfSpace>(b))
    return Vector3d(Vector3d::Zero());
  return std::nullopt;
}

std::optional<ContactRates> rates_of_ball(const Moving& moving, double radius, const Shape& b) {
  const Vector3d& w = moving.a.angular_velocity;
  if (const Sphere* other = std::get_if<Sphere>(&b)) {
    const Vector3d v = moving.a.velocity - moving.b.velocity;
    const Vector3d turn = moving.turn(v, (moving.a.position - moving.b.position).norm());
    // Levers −r_a n and r_b n.
    return ContactRates{turn, w.cross(-radius * turn) - moving.b.angular_velocity.cross(other->radius * turn)};
  }
  const std::optional<Vector3d> turn = normal_rate_of_ball(moving, b);
  if (!turn) return std::nullopt;
  const Vector3d normal_rate = *turn + moving.b.angular_velocity.cross(moving.contact.normal);
  return rates_with_opposite(moving, normal_rate, -radius * normal_rate);
}

/// r = −S²B/h, B = Aᵀn, Ḃ = B × ω (body frame).
ContactRates rates_of_ellipsoid(const Moving& moving, const Ellipsoid& ellipsoid) {
  const Vector3d& w = moving.a.angular_velocity;
  const Quaterniond inverse = moving.a.orientation.conjugate();
  const Vector3d square = ellipsoid.semi_axes.cwiseAbs2();
  const Vector3d spin = inverse * w;
  const Vector3d direction = inverse * moving.contact.normal;
  const Vector3d turning = direction.cross(spin);
  const double h = std::sqrt(direction.dot(square.cwiseProduct(direction)));
  const double h_rate = square.cwiseProduct(direction).dot(turning) / h;
  const Vector3d r = -square.cwiseProduct(direction) / h;
  const Vector3d r_rate = -square.cwiseProduct(turning) / h + square.cwiseProduct(direction) * (h_rate / (h * h));
  return {Vector3d::Zero(), w.cross(moving.a.orientation * (spin.cross(r) + r_rate))};
}

/// ρ = z a + r e with the axis a and e = −(n − s a)/q, s = n·a, q = |n − s a|; n − s a = a × (n × a) without
/// cancellation, since a cylinder that begins to tip is all but upright.
/// Seen from b, whose face keeps its normal there; e turns with b besides.
ContactRates rates_of_rim(const Moving& moving, const RimOnFace& rim) {
  const Vector3d& w = moving.a.angular_velocity;
  const Vector3d& carried_by = moving.b.angular_velocity;
  const Vector3d& n = moving.contact.normal;
  const Vector3d axis = moving.a.orientation * Vector3d::UnitZ();
  const Vector3d axis_rate = (w - carried_by).cross(axis);
  const double s = n.dot(axis), s_rate = n.dot(axis_rate);
  const Vector3d off_axis = axis.cross(n.cross(axis));
  const double q = off_axis.norm();
  const Vector3d normal_rate = carried_by.cross(n);
  if (q <= flat_tilt(rim))
    return rates_with_opposite(moving, normal_rate, w.cross(moving.contact.point_a - moving.a.position));
  const Vector3d down_rate = (s_rate * axis + s * axis_rate) / q - off_axis * (s * s_rate / (q * q * q));
  const Vector3d seen = rim.height * axis_rate + rim.radius * down_rate;
  return rates_with_opposite(moving, normal_rate,
                             seen + carried_by.cross(rim.height * axis - off_axis * (rim.radius / q)));
}

/// Two lines with directions d: n = ± d_a × d_b / |d_a × d_b|. Along them the points move so that they stay opposite:
/// their difference is L n, L = 0 but for what the two are thick, and changes by L ṅ across n.
std::optional<ContactRates> rates_of_edges(const Moving& moving, const EdgeOnEdge& edges) {
  const Vector3d& n = moving.contact.normal;
  const Vector3d along_a = moving.a.orientation * edges.direction_a;
  const Vector3d along_b = moving.b.orientation * edges.direction_b;
  const Vector3d across = along_a.cross(along_b);
  const double sine = across.dot(n);  // with the sign of the normal
  if (!(std::abs(sine) > kAllButParallel)) return std::nullopt;
  const Vector3d turn =
      moving.a.angular_velocity.cross(along_a).cross(along_b) + along_a.cross(moving.b.angular_velocity.cross(along_b));
  const Vector3d normal_rate = (turn - n * n.dot(turn)) / sine;
  const Vector3d line_a = moving.contact.point_a + edges.thickness_a * n;
  const Vector3d line_b = moving.contact.point_b - edges.thickness_b * n;
  const Vector3d rate_a = moving.a.angular_velocity.cross(line_a - moving.a.position);
  const Vector3d rate_b = moving.b.angular_velocity.cross(line_b - moving.b.position);
  const Vector3d u =
      moving.a.velocity + rate_a - moving.b.velocity - rate_b - (edges.thickness_a + edges.thickness_b) * normal_rate;
  const double run_a = u.dot(n.cross(along_b)) / sine;  // d_a·(n × d_b) = −n·(d_a × d_b)
  const double run_b = u.dot(n.cross(along_a)) / sine;
  return ContactRates{normal_rate, velocity_rate(moving, rate_a + run_a * along_a - edges.thickness_a * normal_rate,
                                                 rate_b + run_b * along_b + edges.thickness_b * normal_rate)};
}

/// p = c + r e from the middle of the shell, e along c⊥ = c − k(k·c), k the axis of the circle; n = −p/|p|.
ContactRates rates_of_rim_in_shell(const Moving& moving, const RimInHollow& rim) {
  const Vector3d& w = moving.a.angular_velocity;
  const Vector3d& n = moving.contact.normal;
  const Vector3d axis = moving.a.orientation * Vector3d::UnitZ();
  const Vector3d axis_rate = w.cross(axis);
  const Vector3d arm = rim.height * axis;
  const Vector3d centre = moving.a.position + arm - moving.b.position;
  const Vector3d centre_rate = moving.a.velocity + w.cross(arm) - moving.b.velocity;
  const Vector3d across = axis.cross(centre.cross(axis));
  const double distance = across.norm();
  const Vector3d place = moving.contact.point_a - moving.b.position;
  Vector3d lever_rate = w.cross(moving.contact.point_a - moving.a.position);
  if (distance > kFlat * place.norm()) {
    const Vector3d outwards = across / distance;
    const Vector3d across_rate =
        centre_rate - axis_rate * axis.dot(centre) - axis * (axis_rate.dot(centre) + axis.dot(centre_rate));
    lever_rate = w.cross(arm) + (rim.radius / distance) * (across_rate - outwards * outwards.dot(across_rate));
  }
  const Vector3d place_rate = centre_rate - w.cross(arm) + lever_rate;
  return {-(place_rate - n * n.dot(place_rate)) / place.norm(), w.cross(lever_rate)};
}

/// The state of a frame that a body carries along, its origin at `place` in the body's frame.
BodyState carried(const BodyState& body, const Pose& place) {
  const Vector3d arm = body.orientation * place.position;
  return {body.position + arm, body.orientation * place.orientation, body.velocity + body.angular_velocity.cross(arm),
          body.angular_velocity};
}

/// The same contact seen from the other side: u and n are the opposite.
std::optional<ContactRates> rates_of_mirrored(const Moving& moving, const Shape& a, const Shape& b);

/// The rates of features that have formulas of their own, with the states of the parts' frames.
std::optional<ContactRates> rates_in_part(const Moving& moving, const Shape& a, const Shape& b) {
  if (!is_solid(shape_kind(a))) return rates_of_mirrored(moving, a, b);  // a ring on an obstacle
  const Feature& feature = moving.contact.feature;
  if (const Ball* ball = ball_of(feature); ball != nullptr && !ball->whole) {
    if (ball->owner == Owner::b) return rates_of_mirrored(moving, a, b);
    const BodyState centre = carried(moving.a, {ball->centre, Quaterniond::Identity()});
    std::optional<ContactRates> rates = rates_of_ball({moving.contact, centre, moving.b}, ball->radius, b);
    if (rates) rates->velocity_rate += centripetal(moving.a, centre.position);
    return rates;
  }
  if (const Sphere* ball = std::get_if<Sphere>(&a)) return rates_of_ball(moving, ball->radius, b);
  const Vector3d &w_a = moving.a.angular_velocity, &w_b = moving.b.angular_velocity;
  if (std::holds_alternative<PointOnFace>(feature))
    return rates_with_opposite(moving, w_b.cross(moving.contact.normal),
                               w_a.cross(moving.contact.point_a - moving.a.position));
  if (std::holds_alternative<FaceOnPoint>(feature)) {
    const Vector3d rate_b = w_b.cross(moving.contact.point_b - moving.b.position);
    const Vector3d opposite = moving.b.velocity + rate_b + parting(moving) - moving.a.velocity;
    return ContactRates{w_a.cross(moving.contact.normal), velocity_rate(moving, opposite, rate_b)};
  }
  if (const EdgeOnEdge* edges = std::get_if<EdgeOnEdge>(&feature)) return rates_of_edges(moving, *edges);
  if (const RimOnFace* rim = std::get_if<RimOnFace>(&feature))
    return rim->owner == Owner::a ? rates_of_rim(moving, *rim) : rates_of_mirrored(moving, a, b);
  if (w_b.isZero(0.0)) {
    if (const RimInHollow* rim = std::get_if<RimInHollow>(&feature); rim != nullptr && std::holds_alternative<Shell>(b))
      return rates_of_rim_in_shell(moving, *rim);
    const Ellipsoid* const ellipsoid = std::get_if<Ellipsoid>(&a);
    if (ellipsoid != nullptr && std::holds_alternative<HalfSpace>(b)) return rates_of_ellipsoid(moving, *ellipsoid);
  }
  return std::nullopt;
}

std::optional<ContactRates> rates_of_mirrored(const Moving& moving, const Shape& a, const Shape& b) {
  ContactPoint mirrored = moving.contact;
  std::swap(mirrored.point_a, mirrored.point_b);
  mirrored.normal = -mirrored.normal;
  std::visit(
      [](auto& feature) {
        if constexpr (requires { feature.owner; }) feature.owner = Owner::a;
        if constexpr (requires { feature.ball; }) feature.ball.owner = Owner::a;
      },
      mirrored.feature);
  const std::optional<ContactRates> rates = rates_in_part({mirrored, moving.b, moving.a}, b, a);
  if (!rates) return std::nullopt;
  return ContactRates{-rates->normal_rate, -rates->velocity_rate};
}

}  // namespace

std::optional<ContactRates> contact_rates(const ContactPoint& contact, const Part& a, const BodyState& state_a,
                                          const Part& b, const BodyState& state_b) {
  const auto rates_of_shapes = [&](const BodyState& frame_a, const BodyState& frame_b) {
    const std::optional<ContactRates> rates = rates_in_part({contact, frame_a, frame_b}, a.shape, b.shape);
    return rates ? rates : rates_of_surfaces(contact, a.shape, frame_a, b.shape, frame_b);
  };
  const bool placed_a = !is_identity(a.placement), placed_b = !is_identity(b.placement);
  if (!placed_a && !placed_b) return rates_of_shapes(state_a, state_b);
  const BodyState part_a = placed_a ? carried(state_a, a.placement) : state_a;
  const BodyState part_b = placed_b ? carried(state_b, b.placement) : state_b;
  std::optional<ContactRates> rates = rates_of_shapes(part_a, part_b);
  // The origins of the parts are carried about the centres.
  if (rates) rates->velocity_rate += centripetal(state_a, part_a.position) - centripetal(state_b, part_b.position);
  return rates;
}

}  // namespace carom::contact
