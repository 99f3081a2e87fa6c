#pragma once
/// Where everything is and how it moves: a plain value. Obstacles follow from the time alone (Obstacle::pose_at).

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/mechanics/contact_load.h"
#include "carom/mechanics/model.h"

namespace carom {

/// One body. World frame, but for the orientation, which turns body into world.
struct BodyState {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< centre of mass [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< unit
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< of the centre of mass [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       ///< [rad/s]

  [[nodiscard]] Pose pose() const { return {position, orientation}; }
};

/// What a joint does to the first of its bodies, at its anchor there; of a gear to the first body of its first joint.
/// World frame.
struct JointLoad {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d couple = Eigen::Vector3d::Zero();  ///< about the anchor [N m]
  bool unique = true;  ///< false: other joints could bear a part of it; those of least norm (joint_system.h)

  static JointLoad unknown() {
    const Eigen::Vector3d none = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
    return {none, none};
  }
};

struct State {
  double time = 0.0;                     ///< [s]
  Indexed<BodyIndex, BodyState> bodies;  ///< in the order of Model::bodies
  /// Of the joints, whole turns included, in the order of Model::joints; empty: within half a turn of the start's.
  Indexed<JointIndex, JointTurns> turns{};
  /// Of the joints, where an engine knows them: what holds, drives, springs and rubs in each; empty otherwise.
  Indexed<JointIndex, JointLoad> joint_loads{};
  /// What contacts do, where it was asked for (Engine::contact_loads_at); those that press alone.
  std::vector<ContactLoad> contact_loads{};
};

/// Energies of a state [J].
struct Energy {
  double kinetic = 0.0;
  double gravity = 0.0;   ///< −Σ m g·x
  double springs = 0.0;   ///< Σ ½k(ℓ − ℓ₀)², those of joints included
  double loads = 0.0;     ///< −Σ F·x: constant forces have a potential, torques do not
  double contacts = 0.0;  ///< stored in compliant contacts

  [[nodiscard]] double total() const { return kinetic + gravity + springs + loads + contacts; }
};

/// All but what contacts store, which the state alone does not tell.
Energy energy(const Model& model, const State& state);

/// Throws InputError: as many bodies as the model has, finite, unit quaternions; places and
/// velocities that constraints and joints allow (`constraint-violated`, saying by how much).
void validate(const Model& model, const State& state);

/// All that validate would throw about single bodies, constraints and joints.
std::vector<InputError> complaints(const Model& model, const State& state);

}  // namespace carom
