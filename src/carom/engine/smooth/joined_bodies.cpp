#include "carom/engine/smooth/joined_bodies.h"

#include <algorithm>

#include "carom/engine/smooth/body_constraints.h"

namespace carom::smooth {

namespace {

/// What joints leave of a row, relative to the row, from which on it can move.
constexpr double kRowMoves = 1e-10;

}  // namespace

JointStates joint_states(const Environment& environment, const Paths& paths, JointIndex joint, double now) {
  return environment.kinematics().states(
      joint, now, [&](BodyIndex body) -> const BodyState& { return paths.state(body); },
      [&](JointIndex other) -> const JointTurns& { return paths.turns()[other]; });
}

JoinedBodies::JoinedBodies(const Environment& environment, const Paths& paths, BodyIndex one, double now)
    : environment_(environment), paths_(paths), bodies_{one}, now_(now) {
  const JointKinematics& kinematics = environment.kinematics();
  std::vector<JointIndex> joints;
  for (std::size_t next = 0; next < bodies_.size(); ++next) {
    for (const JointIndex joint : environment.body(bodies_[next]).joints) {
      if (std::find(joints.begin(), joints.end(), joint) != joints.end()) continue;
      joints.push_back(joint);
      for (const BodyIndex body : kinematics.bodies(joint))
        if (body != kNone && std::find(bodies_.begin(), bodies_.end(), body) == bodies_.end()) bodies_.push_back(body);
    }
  }
  std::vector<std::vector<JointRow>> rows;
  system_.clear(static_cast<int>(bodies_.size()));
  const auto add = [&](const JointSystem::Slots& at, std::vector<JointRow> some) {
    if (some.empty()) return;
    system_.add_block(at, static_cast<int>(some.size()));
    rows.push_back(std::move(some));
  };
  for (const JointIndex joint : joints) {
    std::vector<JointRow> own;
    kinematics.append_rows(joint, joint_states(environment, paths, joint, now), own);
    if (!own.empty()) joints_.push_back(joint);
    add(slots(joint), std::move(own));
  }
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    std::vector<JointRow> all;
    const BodyConstraints constraints(environment, bodies_[k], paths.state(bodies_[k]), now);
    constraints.append_rows(paths.state(bodies_[k]), now, all);
    auto from = all.begin();
    for (const int count : constraints.row_counts()) {
      add({static_cast<int>(k), -1, -1, -1}, {from, from + count});
      from += count;
    }
  }
  system_.analyse();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const BodyInfo& info = environment.body(bodies_[k]);
    system_.bodies[k] = {info.inverse_mass, info.inertia.cwiseInverse(),
                         (paths.state(bodies_[k]).orientation * info.principal_axes).toRotationMatrix()};
  }
  for (std::size_t block = 0; block < rows.size(); ++block) system_.set_rows(static_cast<int>(block), rows[block]);
  system_.factor();
}

JointSystem::Slots JoinedBodies::slots(JointIndex joint) const {
  JointSystem::Slots found = {-1, -1, -1, -1};
  const std::span<const BodyIndex> sides = environment_.kinematics().bodies(joint);
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (sides[k] != kNone)
      found[k] = static_cast<int>(std::find(bodies_.begin(), bodies_.end(), sides[k]) - bodies_.begin());
  return found;
}

double JoinedBodies::mass_along(const JointRow& row, JointIndex joint) {
  const JointSystem::Slots at = slots(joint);
  std::vector<Twist> answer(bodies_.size());
  const auto for_each_side = [&](const auto& visit) {
    for (std::size_t k = 0; k < 2; ++k)
      if (at[k] >= 0) visit(row.sides[k], static_cast<std::size_t>(at[k]));
  };
  const auto rate = [&] {
    double sum = 0.0;
    for_each_side([&](const RowSide& side, std::size_t slot) {
      sum += side.linear.dot(answer[slot].linear) + side.angular.dot(system_.bodies[slot].axes * answer[slot].angular);
    });
    return sum;
  };
  for_each_side([&](const RowSide& side, std::size_t slot) {
    const HeldInertia& body = system_.bodies[slot];
    answer[slot].linear += body.inverse_mass * side.linear;
    answer[slot].angular += body.inverse_moments.cwiseProduct(body.axes.transpose() * side.angular);
  });
  const double alone = rate();
  system_.correct(answer, nullptr);
  const double joined = rate();
  return 1.0 / (joined > kRowMoves * alone ? joined : alone);
}

JoinedBodies::Held JoinedBodies::held_velocities() {
  std::vector<Twist> twists;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const BodyState& state = paths_.state(bodies_[k]);
    twists.push_back({state.velocity, system_.bodies[k].axes.transpose() * state.angular_velocity});
  }
  system_.correct(twists, &JointSystem::Offset::drive);
  Held held;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    held.states.push_back(paths_.state(bodies_[k]));
    held.states.back().velocity = twists[k].linear;
    held.states.back().angular_velocity = system_.bodies[k].axes * twists[k].angular;
  }
  for (std::size_t r = 0; r < system_.offsets().size(); ++r) {
    const JointSystem::Offset& row = system_.offsets()[r];
    if (row.drive != 0.0) (row.motor ? held.motor_work : held.wall_work) -= system_.forces()[r] * row.drive;
  }
  system_.take_least_forces();
  held.impulses.assign(environment_.model().joints.size(), {});
  for (std::size_t block = 0; block < joints_.size(); ++block) {
    const JointIndex joint = joints_[block];
    const Twist load = system_.load_on_first(static_cast<int>(block));
    const Vector3d lever = environment_.kinematics().lever(joint, joint_states(environment_, paths_, joint, now_));
    held.impulses[joint] = {load.linear, load.angular - lever.cross(load.linear),
                            system_.is_unique(static_cast<int>(block))};
  }
  return held;
}

}  // namespace carom::smooth
