#pragma once
/// Whether joints hold at the start of a run: what a file says may be off by rounding, which is put right, but not by
/// more.

#include <vector>

#include "carom/base/error.h"
#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/state.h"

namespace carom {

/// What a joint may be off at the start: lengths relative to its size, velocities relative to the fastest of its
/// bodies.
inline constexpr double kJointAtStart = 1e-6;

/// Throws `constraint-violated`: how far the anchors are apart, how much its frames are turned, or how fast they move
/// against what the joint allows.
void require_joint_holds(const JointKinematics& kinematics, JointIndex joint, const State& state);

/// A closed loop of hinges and sliders alone moves in a plane, and has three rows too many: they say the same only
/// where all hinges are parallel, and sliders perpendicular to them. For each loop that is so to 1e-3 and not to 1e-9:
/// `constraint-violated`, with its joints.
std::vector<InputError> loops_askew(const Model& model);

/// For each limit that a joint begins beyond, by more than `tolerance` in radians or of the size of the joint:
/// `out-of-range`.
std::vector<InputError> limits_passed(const Model& model, const State& state, double tolerance);

}  // namespace carom
