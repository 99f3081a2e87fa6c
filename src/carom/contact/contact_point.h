#pragma once
/// One closed contact at one instant: where, along which normal, between whom; how it goes on while it persists; and
/// its rows in the velocities.
///
/// Coordinates of a body in impact problems and in the dynamics of islands: v (world) and ω in the principal frame, so
/// that the metric is diagonal. With the lever r = point − centre and A_p the principal frame's rotation the gap rate
/// of a body a against something at rest is  n·v + (A_pᵀ(r × n))·ω_p;  for body b with the opposite sign. An obstacle
/// moves the contact at the rate w = −n·(velocity of its point).
///
/// A limit of a joint (mechanics/joint_limit.h) is a contact of its two bodies without friction. That of a shift acts
/// at the anchor along the axis; that of a turn by a couple along the axis, and its rate is arm · n·(ω_a − ω_b).

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "carom/contact/feature.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/joint_limit.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom::contact {

using Eigen::Quaterniond;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// A cylinder whose axis is inclined to the normal by less than this [rad] stands flat.
inline constexpr double kFlat = 1e-9;

/// The same of a rim on a face: one that has begun to roll there does so from a point of its own, one that comes down
/// has none, and rolls on its lowest one as long as there is any. The middle of the disc comes down all the way.
inline double flat_tilt(const RimOnFace& rim) {
  return rim.point.isZero(0.0) ? 1e-4 * kFlat : kFlat;
}

struct ContactPoint {
  ObjectIndex a;   ///< a body
  ObjectIndex b;   ///< a body or an obstacle
  int part_a = 0;  ///< of a, in whose frame the feature stands
  int part_b = 0;  ///< of b
  Vector3d point_a = Vector3d::Zero();
  Vector3d point_b = Vector3d::Zero();
  Vector3d normal = Vector3d::Zero();  ///< from b to a
  double gap = 0.0;
  PairRule rule;
  Feature feature;
  LimitIndex limit;  ///< of a joint; none where bodies touch
  double arm = 0.0;  ///< of the limit of a turn [m]; 0 of all others

  [[nodiscard]] bool is_limit() const { return limit.exists(); }
  /// Whether it is one between the same two parts, or the same limit.
  [[nodiscard]] bool same_parts(const ContactPoint& other) const {
    return a == other.a && b == other.b && part_a == other.part_a && part_b == other.part_b && limit == other.limit;
  }
  [[nodiscard]] Vector3d point() const { return 0.5 * (point_a + point_b); }
};

/// Appends the closed contacts of a pair: all touching points with a gap of at most `tolerance`, features recognised.
void append_closed_contacts(const PairFunction& pair, const PlacedPair& placed, double tolerance,
                            std::vector<ContactPoint>& closed);

/// The same contact with the bodies at other poses: points, normal and gap anew.
ContactPoint followed(const ContactPoint& contact, const PairFunction& pair, const PlacedPair& placed);

/// Whether what touches is still the same: a ball that has rolled over an edge, a vertex that has left its face, have
/// another feature. A vertex has left its face where it is beyond the border by more than `room`, a part of the size.
bool same_feature(const ContactPoint& contact, const PairFunction& pair, const PlacedPair& placed, double room = 1e-9);

/// Where the point of a contact on a rim is, seen from the middle of the rim, unit, world; none for other contacts. It
/// jumps to the other side where the rim goes through lying flat.
std::optional<Vector3d> direction_on_rim(const ContactPoint& contact, const PlacedPair& placed);

/// How the velocity u of a's contact point relative to b's, and the normal, change while v and ω (body frame) are kept:
/// the bias of a row along a fixed direction is direction·u̇, that of the normal's row ṅ·u + n·u̇.
struct ContactRates {
  Vector3d normal_rate;    ///< ṅ
  Vector3d velocity_rate;  ///< u̇
};

/// In closed form; none where it is not known: at places between two kinds (surface_rates.h). The states are those of
/// the bodies, the parts those that touch.
std::optional<ContactRates> contact_rates(const ContactPoint& contact, const Part& a, const BodyState& state_a,
                                          const Part& b, const BodyState& state_b);

/// Velocity of the point of a body or obstacle that is at `point` now.
inline Vector3d point_velocity(const BodyState& state, const Vector3d& point) {
  return state.velocity + state.angular_velocity.cross(point - state.position);
}

/// Gap rate γ of a contact between two objects in these states.
inline double gap_rate(const ContactPoint& contact, const BodyState& a, const BodyState& b) {
  if (contact.arm > 0.0) return contact.arm * contact.normal.dot(a.angular_velocity - b.angular_velocity);
  return contact.normal.dot(point_velocity(a, contact.point_a) - point_velocity(b, contact.point_b));
}

/// The row of velocity along `direction` of a body's point, in (v, ω principal).
inline Vector6d velocity_row(const Vector3d& centre, const Quaterniond& principal_attitude, const Vector3d& point,
                             const Vector3d& direction) {
  Vector6d row;
  row.head<3>() = direction;
  row.tail<3>() = principal_attitude.conjugate() * (point - centre).cross(direction);
  return row;
}

/// The contact that a limit of a joint is, with b the given object where the joint holds its body to the ground.
ContactPoint limit_contact(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states,
                           ObjectIndex ground);

/// Two unit vectors that make a right-handed frame with the unit normal.
std::array<Vector3d, 2> tangents_of(const Vector3d& normal);

}  // namespace carom::contact
