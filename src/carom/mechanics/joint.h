#pragma once
/// Joints: what holds two bodies, or a body and the ground, together for ever while they move against each other in the
/// ways that the kind of joint leaves.
///
/// Each of the two ends has a point and a frame. In the world, with the poses of the bodies, the points are P_a and P_b
/// and the axes x_a, y_a, z_a and x_b, y_b, z_b; d = P_a − P_b. A joint keeps (joint_rows.h):
///   spherical    d = 0
///   revolute     d = 0, z_a = z_b                       turns about z
///   universal    d = 0, x_a ⟂ z_b                       turns about x_a, the first body's axis, and about z_b
///   prismatic    d ∥ z_b, the frames parallel           shifts along z
///   cylindrical  d ∥ z_b, z_a = z_b                     shifts along z and turns about it
///   fixed        d = 0, the frames parallel
///   rod          |d| = length
///   gear         the turn of one joint is `ratio` times that of another, but for a constant
/// Coordinates are those of the first body against the second, right-handed about the axis: the frames are parallel
/// where all turns are zero; a shift is z_b·d + `shift`. Turns count whole ones. On each coordinate q a spring, a
/// damper and a motor may act: −k(q − q₀) − c q̇ + F, and dry friction; a motor that prescribes q = f(t) is one more
/// thing that the joint keeps. Limits of a coordinate are no part of what a joint keeps: they are one-sided, as
/// contacts are (joint_limit.h).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "carom/mechanics/indices.h"
#include "carom/mechanics/profile.h"
#include "carom/mechanics/restitution.h"

namespace carom {

enum class JointKind { spherical, revolute, universal, prismatic, cylindrical, fixed, rod, gear };

inline constexpr JointKind kLastJointKind = JointKind::gear;

/// `spherical`, `revolute`, …
std::string_view joint_kind_name(JointKind kind);

/// How many angles a kind leaves: of a universal joint two, about x_a and about z_b.
constexpr int turn_count(JointKind kind) {
  if (kind == JointKind::universal) return 2;
  return kind == JointKind::revolute || kind == JointKind::cylindrical ? 1 : 0;
}
/// Whether it leaves a shift along the axis.
constexpr bool has_shift(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::cylindrical;
}

/// How many coordinates it leaves, and which of them are shifts: the first where there is one.
constexpr int coordinate_count(JointKind kind) {
  return turn_count(kind) + (has_shift(kind) ? 1 : 0);
}
constexpr bool is_shift(JointKind kind, int coordinate) {
  return has_shift(kind) && coordinate == 0;
}

/// The angles of a joint [rad], as many as it has.
using JointTurns = std::array<double, 2>;

/// Where a joint is fixed to one of the two.
struct JointEnd {
  BodyIndex body = kNone;                                     ///< kNone: the ground
  Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< body frame; of the ground world [m]
  Eigen::Quaterniond frame = Eigen::Quaterniond::Identity();  ///< axes of the joint to those of the body, or world
};

/// On a turn with torques and radians, on a shift with forces and metres.
struct JointSpring {
  double stiffness = 0.0;  ///< k ≥ 0 [N/m, N m/rad]
  double damping = 0.0;    ///< c ≥ 0 [N s/m, N m s/rad]
  double rest = 0.0;       ///< q₀ [m, rad]
};

/// Friction of constant size against the motion of a coordinate, whatever the joint bears: F_k while it moves, up to
/// F_s at rest.
struct DryFriction {
  double kinetic_force = 0.0;  ///< F_k ≥ 0 [N, N m]
  double static_force = 0.0;   ///< F_s ≥ F_k

  [[nodiscard]] bool any() const { return static_force > 0.0; }
};

/// What drives a coordinate.
struct JointMotor {
  std::optional<Profile> position;  ///< f(t), which the coordinate follows exactly [m, rad]
  double force = 0.0;               ///< F, constant, where it does not [N, N m]
};

/// What acts on one coordinate.
struct JointDrive {
  JointSpring spring;
  JointMotor motor;
  DryFriction friction;

  /// Whether there is a finite force.
  [[nodiscard]] bool pushes() const { return spring.stiffness > 0.0 || spring.damping > 0.0 || motor.force != 0.0; }
};

/// Between what a coordinate may be; infinite where nothing ends it.
struct JointRange {
  double lower = -std::numeric_limits<double>::infinity();  ///< [m, rad], whole turns included
  double upper = std::numeric_limits<double>::infinity();   ///< > lower
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::spherical;
  std::array<JointEnd, 2> ends{};               ///< the first is a body; of a gear none
  double length = 0.0;                          ///< rod: > 0 [m]
  double shift = 0.0;                           ///< coordinate where the points are level with each other [m]
  JointTurns start = {0.0, 0.0};                ///< angles at the start, whole turns included
  std::array<JointDrive, 2> drives{};           ///< on its coordinates
  std::array<JointRange, 2> ranges{};           ///< of its coordinates
  Restitution restitution;                      ///< of the limits of its coordinates
  std::optional<double> limit_stiffness;        ///< of its limits where they give way, > 0 [N/m, N m/rad]
  std::array<JointIndex, 2> geared = {-1, -1};  ///< gear: joints with one angle each
  double ratio = 1.0;                           ///< gear: φ₁ = ratio · φ₂ + constant, not 0
  bool collide = false;                         ///< whether its two bodies meet each other
  bool released = false;                        ///< it holds nothing any more
};

struct Model;

/// Throws InputError that names the field (`joint.elbow.length`).
void validate(const Model& model, JointIndex joint);

}  // namespace carom
