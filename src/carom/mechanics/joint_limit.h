#pragma once
/// Limits of the coordinates of joints: a lower or upper end of a turn or a shift, one-sided as a contact is.
///
/// The gap of a limit is how far the coordinate may still go, q − q_min or q_max − q; of a turn it is that angle times
/// the size of the joint, an arc, so that gaps of limits and of bodies are lengths that one tolerance serves. What a
/// limit pushes with is an axial force, or a couple: the force of its row times the arm.

#include <cmath>
#include <string_view>
#include <vector>

#include "carom/mechanics/joint_rows.h"

namespace carom {

enum class LimitSide { lower, upper };

/// `lower`, `upper`.
std::string_view limit_side_name(LimitSide side);

/// Which limit of a model's joints; none where there is no joint.
struct LimitIndex {
  JointIndex joint;
  int coordinate = 0;
  LimitSide side = LimitSide::lower;

  [[nodiscard]] bool exists() const { return joint != kNone; }
  friend bool operator==(const LimitIndex& x, const LimitIndex& y) {
    return int{x.joint} == int{y.joint} && x.coordinate == y.coordinate && x.side == y.side;
  }
};

/// All limits of a joint, in order.
std::vector<LimitIndex> limits_of(const Model& model, JointIndex joint);

/// 1 for a shift, the size of the joint for a turn [m]: gaps and rates are those of the coordinate times this.
double limit_arm(const JointKinematics& kinematics, const LimitIndex& limit);

/// The row of the gap's rate, with the gap as its residual [m].
JointRow limit_row(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states);

/// Largest |g̈| of its gap while these bounds hold, over a time in which both bodies move.
struct MotionBounds {
  double speed = 0.0;         ///< of the centre [m/s]
  double acceleration = 0.0;  ///< of the centre [m/s²]
  double spin = 0.0;          ///< [rad/s]
  double spin_rate = 0.0;     ///< [rad/s²]
};
double limit_acceleration_bound(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states,
                                const MotionBounds& first, const MotionBounds& second, double duration);

}  // namespace carom
