/// How contacts change along the motion, in closed form.

#include <cmath>

#include "carom/engine/event/contact_point.h"

namespace carom::event {

std::optional<ContactRates> contact_rates(const ContactPoint& contact, const Shape& a, const BodyState& state_a,
                                          const Shape& b, const BodyState& state_b) {
  const Vector3d& w = state_a.angular_velocity;
  const Vector3d n = contact.normal;
  if (const Sphere* ball = std::get_if<Sphere>(&a)) {
    const Vector3d v = state_a.velocity - state_b.velocity;
    if (const Sphere* other = std::get_if<Sphere>(&b)) {
      const Vector3d turn = (v - n * n.dot(v)) / (state_a.position - state_b.position).norm();
      // Levers −r_a n and r_b n.
      return ContactRates{turn, w.cross(-ball->radius * turn) - state_b.angular_velocity.cross(other->radius * turn)};
    }
    if (!state_b.angular_velocity.isZero(0.0)) return std::nullopt;
    Vector3d turn = Vector3d::Zero();
    if (contact.feature == Feature::ball_on_line || contact.feature == Feature::ball_on_vertex) {
      const Vector3d off = off_feature(contact, state_b.pose().to_local(state_a.position));
      Vector3d across = v;
      if (contact.feature == Feature::ball_on_line) {
        const Vector3d along = state_b.orientation * contact.local_point;
        across -= along * along.dot(v);
      }
      turn = (across - n * n.dot(across)) / off.norm();
    } else if (std::holds_alternative<Shell>(b)) {
      turn = -(v - n * n.dot(v)) / (state_a.position - state_b.position).norm();
    } else if (const Bore* bore = std::get_if<Bore>(&b)) {
      const Vector3d centre = state_b.pose().to_local(state_a.position);
      if (std::abs(centre.z()) > bore->half_length) return std::nullopt;  // on the rim
      const Vector3d along = state_b.orientation * Vector3d::UnitZ();
      const Vector3d across = v - along * along.dot(v);
      turn = -(across - n * n.dot(across)) / centre.head<2>().norm();
    } else if (contact.feature != Feature::ball_on_face && !std::holds_alternative<HalfSpace>(b)) {
      return std::nullopt;
    }
    return ContactRates{turn, w.cross(-ball->radius * turn)};
  }
  // A body on something flat that does not turn: u̇ = ω × ρ̇ with the lever ρ of the contact point.
  if (!state_b.angular_velocity.isZero(0.0)) return std::nullopt;
  const Vector3d lever = contact.point_a - state_a.position;
  if (contact.feature == Feature::point_on_face) return ContactRates{Vector3d::Zero(), w.cross(w.cross(lever))};
  if (!std::holds_alternative<HalfSpace>(b)) return std::nullopt;
  if (const Ellipsoid* ellipsoid = std::get_if<Ellipsoid>(&a)) {
    // r = −S²B/h, B = Aᵀn, Ḃ = B × ω (body frame)
    const Quaterniond inverse = state_a.orientation.conjugate();
    const Vector3d square = ellipsoid->semi_axes.cwiseAbs2();
    const Vector3d spin = inverse * w;
    const Vector3d direction = inverse * n;
    const Vector3d turning = direction.cross(spin);
    const double h = std::sqrt(direction.dot(square.cwiseProduct(direction)));
    const double h_rate = square.cwiseProduct(direction).dot(turning) / h;
    const Vector3d r = -square.cwiseProduct(direction) / h;
    const Vector3d r_rate = -square.cwiseProduct(turning) / h + square.cwiseProduct(direction) * (h_rate / (h * h));
    return ContactRates{Vector3d::Zero(), w.cross(state_a.orientation * (spin.cross(r) + r_rate))};
  }
  if (contact.feature == Feature::rim) {
    // ρ = ±L a + r e with the axis a and e = −(n − s a)/q, s = n·a, q = |n − s a|; n − s a = a × (n × a) without
    // cancellation, since a cylinder that begins to tip is all but upright
    const Cylinder& cylinder = std::get<Cylinder>(a);
    const Vector3d axis = state_a.orientation * Vector3d::UnitZ();
    const Vector3d axis_rate = w.cross(axis);
    const double s = n.dot(axis), s_rate = n.dot(axis_rate);
    const Vector3d off_axis = axis.cross(n.cross(axis));
    const double q = off_axis.norm();
    if (q <= kFlat) return ContactRates{Vector3d::Zero(), w.cross(w.cross(lever))};
    const Vector3d down_rate = (s_rate * axis + s * axis_rate) / q - off_axis * (s * s_rate / (q * q * q));
    return ContactRates{Vector3d::Zero(),
                        w.cross(contact.rim_end * cylinder.half_length * axis_rate + cylinder.radius * down_rate)};
  }
  return std::nullopt;
}

}  // namespace carom::event
