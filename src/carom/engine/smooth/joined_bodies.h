#pragma once
/// All bodies that joints connect with one of them, and what joints, motors and constraints keep of these, as one
/// system of rows at an instant; dry friction, which is finite, is no part of it.

#include <vector>

#include "carom/engine/smooth/paths.h"
#include "carom/mechanics/joint_system.h"

namespace carom::smooth {

class JoinedBodies {
 public:
  /// Where the stretches of the bodies begin, which is now.
  JoinedBodies(const Environment& environment, const Paths& paths, BodyIndex one, double now);

  [[nodiscard]] const std::vector<BodyIndex>& bodies() const { return bodies_; }
  [[nodiscard]] JointSystem::Slots slots(JointIndex joint) const;

  /// 1/(l W lᵀ) of a row of the joint: what it feels of its bodies through all rows; where these leave it no motion, of
  /// its two bodies alone.
  [[nodiscard]] double mass_along(const JointRow& row, JointIndex joint);

  /// Velocities that all rows ask for, the nearest in the metric to the present ones, in the order of bodies().
  struct Held {
    std::vector<BodyState> states;
    double motor_work = 0.0, wall_work = 0.0;  ///< [J]
    Indexed<JointIndex, JointLoad> impulses;   ///< of joints that hold them, [N s] and [N m s]
  };
  [[nodiscard]] Held held_velocities();

 private:
  const Environment& environment_;
  const Paths& paths_;
  std::vector<BodyIndex> bodies_;
  std::vector<JointIndex> joints_;  ///< of the first blocks of the system, in their order
  double now_;
  JointSystem system_;
};

/// What a joint depends on, where the stretches of its bodies begin.
JointStates joint_states(const Environment& environment, const Paths& paths, JointIndex joint, double now);

}  // namespace carom::smooth
