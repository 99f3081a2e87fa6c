#pragma once
/// How a body keeps its rods, its rolling and its plane. Every constraint holds one body, so each body has a small
/// system of its own: J M⁻¹ Jᵀ λ = target − J u, u ← u + M⁻¹ Jᵀ λ, for accelerations and for velocities alike.

#include "carom/base/archive.h"
#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/environment.h"
#include "carom/mechanics/joint_rows.h"

namespace carom::smooth {

class ConstraintRows;

class BodyConstraints {
 public:
  BodyConstraints() = default;
  /// The planes that it moves in and the height at which it rolls are those of this state.
  BodyConstraints(const Environment& environment, BodyIndex body, const BodyState& state, double time);

  /// Whether anything has to be put back onto constraints after a step: not for balls in a plane, whose motion stays in
  /// it by itself.
  [[nodiscard]] bool needs_projection() const;
  /// Changes accelerations as little as possible (in the kinetic metric) so that the constraints go on to hold.
  /// `spins`: whether its angular velocity can change at all.
  void constrain(const BodyMotion& motion, double time, bool spins, Vector3d& linear, Vector3d& angular) const;
  /// Puts position and velocities back onto the constraints.
  void project(BodyMotion& motion, double time, bool spins) const;
  /// The largest error of a constraint, relative to the rod's length or the body's size.
  [[nodiscard]] double drift(const Vector3d& position, double time) const;

  /// The same as rows of a joint each, for bodies that joints hold too: how many of each constraint, and these. The
  /// body is on the first side.
  [[nodiscard]] std::vector<int> row_counts() const;
  void append_rows(const BodyState& state, double time, std::vector<JointRow>& rows) const;

  /// What a run goes on from, into an archive or back (group_checkpoint.cpp).
  void transfer(Archive& archive, const Environment& environment);

 private:
  /// For velocities, or for accelerations.
  template <bool velocities>
  void write_rows(const BodyMotion& motion, double time, ConstraintRows& rows) const;
  /// Where a body that rolls touches its plane, and what the velocity and the acceleration of that point are.
  struct RollingTargets {
    Vector3d normal, arm, velocity, acceleration;
  };
  [[nodiscard]] RollingTargets rolling_targets(const RollingConstraint& rolling, const BodyMotion& motion,
                                               double time) const;
  [[nodiscard]] ObstacleState plane_of(const RollingConstraint& rolling, double time) const;

  const Environment* environment_ = nullptr;
  BodyIndex body_;
  double plane_offset_[2] = {0.0, 0.0};  ///< n·x of planar constraints
  double rolling_height_ = 0.0;          ///< of the centre above the plane it rolls on
};

}  // namespace carom::smooth
