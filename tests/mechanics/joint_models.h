#pragma once
/// Two bodies with a joint between them, placed as the joint allows or anyhow, for tests.

#include <random>
#include <vector>

#include "carom/mechanics/attitude.h"
#include "carom/mechanics/joint_rows.h"

namespace carom::test {

inline constexpr JointKind kHoldingKinds[] = {JointKind::spherical, JointKind::revolute,    JointKind::universal,
                                              JointKind::prismatic, JointKind::cylindrical, JointKind::fixed,
                                              JointKind::rod};

/// Random vectors and turns, the same on every machine.
class RandomMotions {
 public:
  explicit RandomMotions(unsigned seed) : engine_(seed) {}

  double number() { return static_cast<double>(engine_()) / 2147483648.0 - 1.0; }
  Eigen::Vector3d vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Eigen::Quaterniond turn() { return rotation_by(3.0 * vector()); }
  BodyState state() {
    BodyState state;
    state.position = vector();
    state.orientation = turn();
    state.velocity = vector();
    state.angular_velocity = 2.0 * vector();
    return state;
  }

 private:
  std::mt19937 engine_;
};

/// A box and a ball, with a joint of this kind at random points and with random axes.
inline Model joined_pair(JointKind kind, RandomMotions& random) {
  Model model;
  model.bodies = {homogeneous_body("box", Box{{0.3, 0.5, 0.2}}, 2.0), homogeneous_body("ball", Sphere{0.4}, 1.0)};
  Joint joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.ends = {JointEnd{0, random.vector(), random.turn()}, JointEnd{1, random.vector(), random.turn()}};
  joint.length = 0.7;
  joint.shift = 0.1;
  model.joints = {joint};
  return model;
}

/// The state after constant velocity and angular velocity (world) for a time.
inline BodyState moved(const BodyState& state, double time) {
  BodyState later = state;
  later.position += time * state.velocity;
  later.orientation = rotation_by(time * state.angular_velocity) * state.orientation;
  return later;
}

inline JointStates states_of(const JointKinematics& kinematics, JointIndex joint, const std::vector<BodyState>& bodies,
                             const std::vector<JointTurns>& turns = {}) {
  return kinematics.states(
      joint, 0.0, [&](BodyIndex body) -> const BodyState& { return bodies[body.slot()]; },
      [&](JointIndex other) { return turns.empty() ? JointTurns{} : turns[other.slot()]; });
}

/// The first body where its coordinates against the second are these, moving with these rates; for joints that turn
/// about z or shift along it, and universal ones.
inline BodyState placed_first(const Joint& joint, const BodyState& second, const JointTurns& turns, double shift) {
  const Eigen::Quaterniond base = second.orientation * joint.ends[1].frame;
  Eigen::Quaterniond turn = rotation_by(turns[0] * Eigen::Vector3d::UnitZ());
  if (joint.kind == JointKind::universal)
    turn = rotation_by(turns[1] * Eigen::Vector3d::UnitZ()) * rotation_by(turns[0] * Eigen::Vector3d::UnitX());
  BodyState first;
  first.orientation = base * turn * joint.ends[0].frame.conjugate();
  const Eigen::Vector3d anchor = second.position + second.orientation * joint.ends[1].point +
                                 (shift - joint.shift) * (base * Eigen::Vector3d::UnitZ());
  first.position = anchor - first.orientation * joint.ends[0].point;
  return first;
}

}  // namespace carom::test
