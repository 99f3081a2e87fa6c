/// What joints of a group do in the course of time: turns that are counted, and dry friction that begins and ends.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/engine/smooth/group_joints.h"

namespace carom::smooth {

namespace {

/// A joint does not turn by more than about this in one step, so that whole turns can be counted [rad].
constexpr double kMostTurn = 1.0;

}  // namespace

// --------------------------------------------------------------------------------------------------- turns

void GroupJoints::note_turns(double time, const Bodies& bodies, Indexed<JointIndex, JointTurns>& turns) {
  read(bodies);
  for (HeldJoint& held : joints_) {
    if (turn_count(model().joints[held.joint].kind) == 0) continue;
    held.turns = kinematics().turns(held.joint, states(held, time));
    turns[held.joint] = held.turns;
  }
}

double GroupJoints::longest_step(double time, const Bodies& bodies) {
  read(bodies);
  double fastest = 0.0, stop = std::numeric_limits<double>::infinity();
  for (const HeldJoint& held : joints_) {
    const Joint& joint = model().joints[held.joint];
    const JointStates at = states(held, time);
    if (turn_count(joint.kind) > 0)
      fastest = std::max(fastest, (at.sides[0]->angular_velocity - at.sides[1]->angular_velocity).norm());
    for (const JointDrive& drive : joint.drives)
      if (drive.motor.position) stop = std::min(stop, next_stop(*drive.motor.position, time) - time);
  }
  return std::min(stop, fastest > 0.0 ? kMostTurn / fastest : stop);
}

// --------------------------------------------------------------------------------------------------- dry friction

void GroupJoints::choose_modes(double time, const Bodies& bodies, double slow) {
  read(bodies);
  for (DryCoordinate& dry : dry_) {
    const HeldJoint& held = joints_[static_cast<std::size_t>(dry.joint)];
    const JointStates at = states(held, time);
    const double rate = rate_of(kinematics().coordinate_row(held.joint, dry.coordinate, at), at);
    dry.held = kinematics().coordinate(held.joint, dry.coordinate, at);
    dry.mode = rate > 0.0 ? DryCoordinate::Mode::rises : DryCoordinate::Mode::falls;
    dry.blocked = false;
    if (std::abs(rate) * unit_of(dry) <= slow) dry.mode = DryCoordinate::Mode::stick;
  }
  lay_out();
}

bool GroupJoints::joints_hold(const DryCoordinate& dry, double time) {
  if (system_.rank() == static_cast<int>(system_.offsets().size())) return false;  // no row depends on others
  const std::vector<DryCoordinate> chosen = dry_;
  const auto independent_rows = [&](bool sticks) {
    for (DryCoordinate& one : dry_)
      one.mode = sticks && &one == &dry ? DryCoordinate::Mode::stick : DryCoordinate::Mode::rises;
    lay_out();
    build(time);
    system_.factor();
    return system_.rank();
  };
  const bool holds = independent_rows(true) == independent_rows(false);
  std::copy(chosen.begin(), chosen.end(), dry_.begin());
  return holds;
}

bool GroupJoints::release_worst(double time) {
  DryCoordinate* worst = nullptr;
  double excess = 0.0, needed = 0.0;
  for (DryCoordinate& dry : dry_) {
    if (!dry.sticks()) continue;
    const double force = system_.forces()[static_cast<std::size_t>(dry.row)] * unit_of(dry);
    if (std::abs(force) - friction_of(dry).static_force <= excess) continue;
    excess = std::abs(force) - friction_of(dry).static_force;
    needed = force;
    worst = &dry;
  }
  if (worst == nullptr) return false;
  worst->blocked = joints_hold(*worst, time);
  // Friction would have to push against the way that everything else pushes.
  worst->mode = needed > 0.0 ? DryCoordinate::Mode::falls : DryCoordinate::Mode::rises;
  lay_out();
  return true;
}

double GroupJoints::dry_margin() const {
  double least = std::numeric_limits<double>::infinity();
  for (const DryCoordinate& dry : dry_) {
    if (dry.driven || dry.blocked) continue;
    const HeldJoint& held = joints_[static_cast<std::size_t>(dry.joint)];
    if (dry.sticks()) {
      const double force = system_.forces()[static_cast<std::size_t>(dry.row)] * unit_of(dry);
      least = std::min(least, friction_of(dry).static_force - std::abs(force));
    } else {
      const JointStates at = states(held, 0.0);
      const double rate = rate_of(kinematics().coordinate_row(held.joint, dry.coordinate, at), at);
      least = std::min(least, dry.sign() * rate);
    }
  }
  return least;
}

}  // namespace carom::smooth
