#include "carom/mechanics/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/pair_table.h"
#include "carom/mechanics/check_finite.h"
#include "carom/mechanics/check_list.h"
#include "carom/mechanics/joint_start.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// What a constraint may be off at the start: lengths relative to the body's size or the rod's length, velocities
/// relative to the fastest that takes part.
constexpr double kConstraint = 1e-9;
/// How far a quaternion of a state may be from unit length.
constexpr double kQuaternionLength = 1e-9;

std::string body_path(const Model& model, std::size_t index) {
  const std::string& name = model.bodies[index].name;
  return name.empty() ? fmt::format("body.{}", index) : "body." + name;
}

void check_body(const BodyState& body, const std::string& path) {
  check_finite(body.position, path + ".position");
  check_finite(body.velocity, path + ".velocity");
  check_finite(body.angular_velocity, path + ".angular_velocity");
  const double length = body.orientation.coeffs().stableNorm();
  if (!std::isfinite(length)) {
    throw InputError{Kind::not_finite, path + ".orientation", path + ".orientation must be finite"};
  }
  if (std::abs(length - 1.0) > kQuaternionLength) {
    throw InputError{Kind::out_of_range, path + ".orientation",
                     fmt::format("{}.orientation has length {}, expected a quaternion of length 1", path, length)};
  }
}

struct ConstraintAtStart {
  const Model& model;
  const State& state;
  std::size_t index;
  double fastest;  ///< speed of the fastest body: what is round-off beside it is none

  [[nodiscard]] const Body& body(BodyIndex i) const { return model.bodies[i]; }
  [[nodiscard]] const BodyState& motion(BodyIndex i) const { return state.bodies[i]; }
  /// The fastest that a point of the body, or another body, can be.
  [[nodiscard]] double speed_scale(BodyIndex i) const {
    return fastest + motion(i).angular_velocity.norm() * body_radius(body(i).parts);
  }
  [[noreturn]] void refuse(BodyIndex i, const std::string& what) const {
    const std::string path = fmt::format("constraint.{}", index);
    throw InputError{Kind::constraint_violated, path, fmt::format("{}: body '{}' {}", path, body(i).name, what)};
  }

  // Velocity of the touching point p against the plane: v + ω × (p − x) − (v_p + ω_p × (p − x_p)) = 0.
  void operator()(const RollingConstraint& rolling) const {
    const Obstacle& plane = model.obstacles[static_cast<std::size_t>(rolling.plane)];
    const FrameMotion moving = plane.motion_at(state.time);
    const BodyState& now = motion(rolling.body);
    const Proximity nearest = proximity(body(rolling.body).parts, now.pose(), plane.parts, moving.pose);
    const double size = bounding_radius(body(rolling.body).parts);
    if (std::abs(nearest.distance) > kConstraint * size) {
      refuse(rolling.body,
             fmt::format("is {} m {} the plane '{}', expected it to touch the plane it rolls on",
                         std::abs(nearest.distance), nearest.distance > 0.0 ? "above" : "below", plane.name));
    }
    const Vector3d of_plane = moving.velocity_of(nearest.point_b);
    const Vector3d slip = now.velocity + now.angular_velocity.cross(nearest.point_a - now.position) - of_plane;
    if (slip.norm() > kConstraint * (speed_scale(rolling.body) + of_plane.norm())) {
      refuse(rolling.body, fmt::format("does not roll on the plane '{}': its touching point moves at ({}, {}, {}) m/s "
                                       "against the plane, a speed of {} m/s, expected 0",
                                       plane.name, slip.x(), slip.y(), slip.z(), slip.norm()));
    }
  }

  void operator()(const RodConstraint& rod) const {
    const BodyState& now = motion(rod.body);
    const Vector3d arm = now.position - rod.pivot;
    const double off = arm.norm() - rod.length;
    if (std::abs(off) > kConstraint * rod.length) {
      refuse(rod.body, fmt::format("is {} m from the pivot of its rod, expected the length {} m: {} m too {}",
                                   arm.norm(), rod.length, std::abs(off), off > 0.0 ? "far" : "near"));
    }
    const double along = arm.normalized().dot(now.velocity);
    if (std::abs(along) > kConstraint * speed_scale(rod.body)) {
      refuse(rod.body, fmt::format("moves along its rod at {} m/s, expected 0", along));
    }
  }

  void operator()(const PlanarConstraint& planar) const {
    const BodyState& now = motion(planar.body);
    const double allowed = kConstraint * speed_scale(planar.body);
    const double out_of_plane = planar.normal.dot(now.velocity);
    if (std::abs(out_of_plane) > allowed) {
      refuse(planar.body, fmt::format("moves out of its plane at {} m/s, expected 0", out_of_plane));
    }
    const Vector3d tilt = now.angular_velocity - planar.normal * planar.normal.dot(now.angular_velocity);
    if (tilt.norm() * bounding_radius(body(planar.body).parts) > allowed) {
      refuse(planar.body,
             fmt::format("turns out of its plane at {} rad/s, expected a spin about the normal only", tilt.norm()));
    }
  }
};

/// Where the end of a spring is in the world.
Vector3d spring_end(const State& state, BodyIndex body, const Vector3d& point) {
  return body == kNone ? point : state.bodies[body].pose().to_world(point);
}

void check_state_size(const Model& model, const State& state) {
  if (state.bodies.size() != model.bodies.size()) {
    throw InputError{
        Kind::size_mismatch, "body",
        fmt::format("the state has {} bodies, expected {} as in the model", state.bodies.size(), model.bodies.size())};
  }
  if (!state.turns.empty() && state.turns.size() != model.joints.size()) {
    throw InputError{
        Kind::size_mismatch, "joint",
        fmt::format("the state has {} joints, expected {} as in the model", state.turns.size(), model.joints.size())};
  }
  if (!std::isfinite(state.time)) {
    throw InputError{Kind::not_finite, "time", fmt::format("time is {}, expected a finite number", state.time)};
  }
}

void check_state(const Model& model, const State& state, const CheckList& checks) {
  check_state_size(model, state);
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    checks.attempt([&] { check_body(state.bodies[i], body_path(model, i)); });
  double fastest = 0.0;
  for (const BodyState& body : state.bodies) fastest = std::max(fastest, body.velocity.norm());
  for (std::size_t i = 0; i < model.constraints.size(); ++i)
    checks.attempt([&] { std::visit(ConstraintAtStart{model, state, i, fastest}, model.constraints[i]); });
  if (model.joints.empty()) return;
  const JointKinematics kinematics(model);
  for (const JointIndex joint : model.joints.indices())
    if (!model.joints[joint].released) checks.attempt([&] { require_joint_holds(kinematics, joint, state); });
  for (const InputError& error : loops_askew(model)) checks.attempt([&] { throw InputError(error); });
}

}  // namespace

namespace {

/// Of the springs in joints.
double energy_of_joints(const Model& model, const State& state) {
  const JointKinematics kinematics(model);
  double sum = 0.0;
  for (const JointIndex index : model.joints.indices()) {
    const Joint& joint = model.joints[index];
    for (int k = 0; k < coordinate_count(joint.kind); ++k) {
      const JointSpring& spring = joint.drives[static_cast<std::size_t>(k)].spring;
      if (spring.stiffness == 0.0) continue;
      const JointStates states = kinematics.states(
          index, state.time, [&](BodyIndex body) -> const BodyState& { return state.bodies[body]; },
          [&](JointIndex other) { return state.turns.empty() ? model.joints[other].start : state.turns[other]; });
      const double away = kinematics.coordinate(index, k, states) - spring.rest;
      sum += 0.5 * spring.stiffness * away * away;
    }
  }
  return sum;
}

}  // namespace

Energy energy(const Model& model, const State& state) {
  Energy energy;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const BodyState& now = state.bodies[i];
    const Vector3d spin = (now.orientation * body.principal_axes).conjugate() * now.angular_velocity;
    energy.kinetic += 0.5 * (body.mass * now.velocity.squaredNorm() + body.inertia.dot(spin.cwiseAbs2()));
    energy.gravity -= body.mass * model.gravity.dot(now.position);
  }
  for (const Spring& spring : model.springs) {
    const double length =
        (spring_end(state, spring.body_a, spring.point_a) - spring_end(state, spring.body_b, spring.point_b)).norm();
    const double extension = length - spring.rest_length;
    energy.springs += 0.5 * spring.stiffness * extension * extension;
  }
  if (std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
        return joint.drives[0].spring.stiffness > 0.0 || joint.drives[1].spring.stiffness > 0.0;
      }))
    energy.springs += energy_of_joints(model, state);
  for (const Load& load : model.loads) {
    energy.loads -= load.force.dot(state.bodies[load.body].position);
  }
  return energy;
}

void validate(const Model& model, const State& state) {
  check_state(model, state, CheckList(nullptr));
}

std::vector<InputError> complaints(const Model& model, const State& state) {
  std::vector<InputError> list;
  check_state(model, state, CheckList(&list));
  return list;
}
}  // namespace carom
