/// Joints and constraints in the equations of an island: their rows, how far their bodies have turned, and how bodies
/// are put back on them.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/persistent_rows.h"
#include "carom/mechanics/attitude.h"

namespace carom::event {

namespace {

/// A joint does not turn by more than this in one step, nor by more than half of it between two looks, so that whole
/// turns can be counted [rad].
constexpr double kMostTurn = 3.0;
constexpr int kTurnLooks = 4;
/// Rounds of Newton's method by which positions are put on joints, and the residual, relative to the size, that ends
/// them.
constexpr int kMostRounds = 6;
constexpr double kOnJoints = 1e-15;
/// Residuals that are good, and moves, relative to size and radian, that are not: no step drifts so far.
constexpr double kJointsKept = 1e-10, kMostMove = 1e-2;

}  // namespace

void IslandDynamics::read_members(const Island& island, const double* y) {
  members_.resize(island.bodies.size());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    members_[slot] =
        body_state(y + kPerBody * static_cast<int>(slot), model_->bodies[island.bodies[slot]].principal_axes);
}

JointStates IslandDynamics::joint_states(const Island& island, JointIndex joint, double time) const {
  return joints_.states(
      joint, time,
      [&](BodyIndex body) -> const BodyState& { return members_[static_cast<std::size_t>(island.slot(body))]; },
      [&](JointIndex other) -> const JointTurns& { return island.turns_of(other); });
}

void IslandDynamics::add_persistent_row(const JointRow& row, const std::array<int, 4>& slots, double size,
                                        const double* y) {
  Row& added = rows_.emplace_back(Row{.owner = -1,
                                      .block = block_,
                                      .touching = false,
                                      .normal = false,
                                      .equation = true,
                                      .exact_bias = true,
                                      .slots = slots,
                                      .bias = row.bias,
                                      .rate = 0.0,
                                      .wall_rate = row.drive,
                                      .driven = 0.0,
                                      .motor = row.motor,
                                      .gap = row.residual,
                                      .size = size});
  for (std::size_t side = 0; side < slots.size(); ++side) {
    if (slots[side] < 0) continue;
    // A body on two sides (two gears on one frame) has one place.
    const auto place = static_cast<std::size_t>(std::find(slots.begin(), slots.end(), slots[side]) - slots.begin());
    if (place != side) added.slots[side] = -1;
    double* part = added.entry.data() + 6 * place;
    const Quaterniond inverse = attitude_of(y + kPerBody * slots[side]).conjugate();
    Eigen::Map<Vector3d>(part) += row.sides[side].linear;
    Eigen::Map<Vector3d>(part + 3) += inverse * row.sides[side].angular;
  }
}

void IslandDynamics::add_constraint_rows(const Island& island, const Constraint& constraint, double time,
                                         const double* y) {
  if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
    ContactPoint contact;
    contact.a = rolling->body;
    contact.b = model_->body_count() + rolling->plane;
    contact = follow(island, contact, time, y);
    add_contact_rows(island, contact, -1, ContactMode::stick);
    return;
  }
  const BodyIndex body = std::visit([](const auto& typed) { return typed.body; }, constraint);
  const auto* rod = std::get_if<RodConstraint>(&constraint);
  const double size = rod != nullptr ? rod->length : extent_of(body);
  persistent_.clear();
  ++block_;
  append_rows(constraint, object_state(island, body, time, y), persistent_);
  for (const JointRow& row : persistent_) add_persistent_row(row, {island.slot(body), -1, -1, -1}, size, y);
}

void IslandDynamics::add_joint_rows(const Island& island, double time, const double* y) {
  if (island.joints.empty()) return;
  read_members(island, y);
  for (const JointIndex joint : island.joints) {
    std::array<int, 4> slots = {-1, -1, -1, -1};
    const std::span<const BodyIndex> bodies = joints_.bodies(joint);
    for (std::size_t side = 0; side < bodies.size(); ++side)
      if (bodies[side] != kNone) slots[side] = island.slot(bodies[side]);
    persistent_.clear();
    ++block_;
    joints_.append_rows(joint, joint_states(island, joint, time), persistent_);
    for (const JointRow& row : persistent_) add_persistent_row(row, slots, joints_.size(joint), y);
  }
  add_dry_rows(island, time, y);
}

void IslandDynamics::add_limit_row(const Island& island, int contact, double time, const double* y) {
  const ContactPoint& at = island.contacts[static_cast<std::size_t>(contact)].contact;
  const JointIndex joint = at.limit.joint;
  std::array<int, 4> slots = {-1, -1, -1, -1};
  for (std::size_t side = 0; side < 2; ++side)
    if (const BodyIndex body = joints_.bodies(joint)[side]; body != kNone) slots[side] = island.slot(body);
  add_persistent_row(limit_row(joints_, at.limit, joint_states(island, joint, time)), slots, joints_.size(joint), y);
  rows_.back().owner = contact;
  rows_.back().touching = rows_.back().normal = true;
  const std::array<Vector3d, 2> across = contact::tangents_of(at.normal);
  std::copy(across.begin(), across.end(), tangent_.begin() + 2 * contact);
}

void IslandDynamics::push_coordinate(const Island& island, JointIndex joint, const JointRow& row, double force,
                                     const double* y) {
  pushes_.push_back({joint, {force * row.sides[0].linear, force * row.sides[0].angular}});
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyIndex body = joints_.bodies(joint)[side];
    if (body == kNone) continue;
    const int slot = island.slot(body);
    const Quaterniond inverse = attitude_of(y + kPerBody * slot).conjugate();
    Eigen::Map<Vector3d>(force_.data() + 6 * slot) += force * row.sides[side].linear;
    Eigen::Map<Vector3d>(force_.data() + 6 * slot + 3) += inverse * (force * row.sides[side].angular);
  }
}

void IslandDynamics::add_joint_forces(const Island& island, const double* y) {
  motor_force_power_ = 0.0;
  if (!island.pushed) return;
  read_members(island, y);
  for (const JointIndex index : island.joints) {
    const Joint& joint = model_->joints[index];
    for (int k = 0; k < coordinate_count(joint.kind); ++k) {
      const JointDrive& drive = joint.drives[static_cast<std::size_t>(k)];
      if (!drive.pushes()) continue;
      const JointStates states = joint_states(island, index, island.time);
      const JointRow row = joints_.coordinate_row(index, k, states);
      const double rate = rate_of(row, states);
      const double away = joints_.coordinate(index, k, states) - drive.spring.rest;
      const double force = drive.motor.force - drive.spring.stiffness * away - drive.spring.damping * rate;
      damping_power_ += drive.spring.damping * rate * rate;
      motor_force_power_ += drive.motor.force * rate;
      push_coordinate(island, index, row, force, y);
    }
  }
}

bool IslandDynamics::turns_are_counted(const Island& island) {
  const bool any = std::any_of(island.joints.begin(), island.joints.end(),
                               [&](JointIndex joint) { return turn_count(model_->joints[joint].kind) > 0; });
  if (!any) return true;
  const DensePolynomial motion = step_motion();
  // Bodies that turn little enough all along need not be looked at.
  double fastest = 0.0;
  for (int slot = 0; slot < static_cast<int>(island.bodies.size()); ++slot)
    fastest = std::max(fastest, motion.value_bound(kPerBody * slot + 10, 3));
  if (2.0 * fastest * std::abs(motion.step) <= 0.5 * kMostTurn) return true;
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  std::vector<JointTurns> before = island.turns;
  const auto turns_now = [&](std::size_t k) {
    JointStates states = joint_states(island, island.joints[k], island.time);
    states.near = before[k];
    return joints_.turns(island.joints[k], states);
  };
  for (int look = 1; look <= kTurnLooks; ++look) {
    motion.value(static_cast<double>(look) / kTurnLooks, 0, island.size(), y.data());
    read_members(island, y.data());
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
      const JointTurns now = turns_now(k);
      for (std::size_t i = 0; i < now.size(); ++i)
        if (std::abs(now[i] - before[k][i]) > 0.5 * kMostTurn || std::abs(now[i] - island.turns[k][i]) > kMostTurn)
          return false;
      before[k] = now;
    }
  }
  return true;
}

void IslandDynamics::solve_held(const Island& island, double time, const double* y) {
  build_forces(island, y);
  acceleration_.resize(force_.size());
  for (std::size_t k = 0; k < force_.size(); ++k) acceleration_[k] = force_[k] * inverse_mass_[k];
  wall_power_ = 0.0;
  if (held_.ready()) {
    motor_power_ = held_.hold(time, y, acceleration_);
    return;
  }
  held_.prepare(island, y);
  motor_power_ = held_.hold(time, y, acceleration_);
  held_.release();
}

bool IslandDynamics::project_positions(const Island& island, double time, double* y) {
  if (HeldIsland::fits(island)) {
    held_.prepare(island, y);
    const bool kept = held_.put_places(time, y);
    held_.release();
    return kept;
  }
  // Contacts and rods are put back to first order, which is all that a step drifts off them; joints as near as can be.
  const int rounds = island.joints.empty() ? 1 : kMostRounds;
  for (int round = 0; round < rounds; ++round) {
    build_forces(island, y);
    build_rows(island, time, y);
    if (!put_gaps()) return true;
    std::fill(force_.begin(), force_.end(), 0.0);
    // Gaps of redundant rows contradict each other by round-off; the answer is the nearest then.
    const AccelerationStatus status = solve(island, island.contacts.size());
    const bool usable =
        status == AccelerationStatus::solved || (status == AccelerationStatus::inconsistent && !island.joints.empty());
    if (!usable) return island.joints.empty();
    acceleration_.assign(dynamics_.acceleration().begin(), dynamics_.acceleration().end());
    if (!island.joints.empty() && !is_small_move(island)) return false;
    move_bodies(acceleration_, y);
  }
  if (island.joints.empty()) return true;
  build_rows(island, time, y);
  return std::all_of(rows_.begin(), rows_.end(),
                     [](const Row& row) { return std::abs(row.gap) <= kJointsKept * row.size; });
}

/// Near a position where rows become dependent, or contradict each other, what is missing moves bodies far.
bool IslandDynamics::is_small_move(const Island& island) const {
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* move = acceleration_.data() + 6 * slot;
    const double size = extent_of(island.bodies[slot]);
    const double way = Eigen::Map<const Vector3d>(move).norm() / size,
                 turn = Eigen::Map<const Vector3d>(move + 3).norm();
    if (!(way + turn <= kMostMove)) return false;
  }
  return true;
}

std::size_t IslandDynamics::persistent_row_count() const {
  return static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.owner < 0; }));
}

bool IslandDynamics::put_gaps() {
  bool off = false;
  for (Row& row : rows_) {
    row.bias = row.gap;
    off = off || std::abs(row.gap) > kOnJoints * row.size;
  }
  return off;
}

bool IslandDynamics::put_on_joints(const Island& island, double time, double* y) {
  Island held;
  held.bodies = island.bodies;
  held.joints = island.joints;
  held.turns = island.turns;
  held.constraints = island.constraints;
  return project_positions(held, time, y);
}

}  // namespace carom::event
