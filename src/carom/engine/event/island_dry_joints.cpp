/// Joints with dry friction of constant size: they slide against it, or stick.
///
/// The events are those of Coulomb friction under a constant normal force. A coordinate that moves meets F_k against
/// its motion until its rate is zero; there it sticks where the force that this needs is at most F_s, and otherwise
/// slides on the way that the rest of the forces pushes it. One that sticks is an equation more, on its place too, so
/// that it does not creep, until it needs more than F_s. Friction does nothing where other joints, or limits that
/// press, do not let the coordinate move: that equation would say what others say, and its force could be any. A limit
/// that the coordinate would leave does not hold it: friction does, and the limit bears nothing.

#include <algorithm>
#include <cmath>

#include "carom/contact/motion.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"

namespace carom::event {

namespace {

/// Looks at dry joints within a step, and halvings by which a change is located.
constexpr int kDryLooks = 8;
constexpr int kDryHalvings = 60;

/// What other rows leave of that of a coordinate, squared, where they hold it.
constexpr double kHeldByOthers = 1e-12;
/// Accelerations this small beside those at hand have no direction.
constexpr double kNoAcceleration = 1e-9;
/// Steps towards a singular position get shorter and shorter; their motion is good so many times beyond them.
constexpr double kBeyond = 4.0;

const DryFriction& friction_of_joint(const Model& model, const DryJoint& dry) {
  return model.joints[dry.joint].drives[static_cast<std::size_t>(dry.coordinate)].friction;
}

}  // namespace

void IslandDynamics::add_dry_rows(const Island& island, double time, const double* y) {
  for (const DryJoint& dry : island.dry) {
    if (dry.mode != DryMode::stick) continue;
    const JointStates states = joint_states(island, dry.joint, time);
    const bool shift = is_shift(model_->joints[dry.joint].kind, dry.coordinate);
    const double size = joints_.size(dry.joint), scale = shift ? 1.0 : size;
    JointRow row = joints_.coordinate_row(dry.joint, dry.coordinate, states);
    for (RowSide& side : row.sides) side = {scale * side.linear, scale * side.angular};
    row.bias *= scale;
    row.residual = scale * (joints_.coordinate(dry.joint, dry.coordinate, states) - dry.held);
    std::array<int, 4> slots = {-1, -1, -1, -1};
    for (std::size_t side = 0; side < 2; ++side)
      if (const BodyIndex body = joints_.bodies(dry.joint)[side]; body != kNone) slots[side] = island.slot(body);
    ++block_;
    add_persistent_row(row, slots, size, y);
  }
}

void IslandDynamics::add_dry_forces(const Island& island, const double* y) {
  dry_power_ = 0.0;
  if (island.dry.empty()) return;
  read_members(island, y);
  for (const DryJoint& dry : island.dry) {
    if (dry.sign() == 0.0) continue;
    const JointStates states = joint_states(island, dry.joint, island.time);
    const JointRow row = joints_.coordinate_row(dry.joint, dry.coordinate, states);
    const double force = -dry.sign() * friction_of_joint(*model_, dry).kinetic_force;
    dry_power_ -= force * rate_of(row, states);
    push_coordinate(island, dry.joint, row, force, y);
  }
}

double IslandDynamics::dry_force(const Island& island, std::size_t which) const {
  // Their rows are the last of the persistent ones, in order.
  std::size_t row = persistent_row_count();
  for (std::size_t i = island.dry.size(); i > which; --i)
    if (island.dry[i - 1].mode == DryMode::stick) --row;
  const DryJoint& dry = island.dry[which];
  const bool shift = is_shift(model_->joints[dry.joint].kind, dry.coordinate);
  return answer_force_[row] * (shift ? 1.0 : joints_.size(dry.joint));
}

bool IslandDynamics::lets_move(const Island& island, Holders holders, const DryJoint& which, double time,
                               const double* y) {
  Island bare = island;
  bare.contacts.clear();
  bare.dry.clear();
  if (holders == Holders::limits) {
    for (const ActiveContact& active : island.contacts) {
      const LimitIndex& limit = active.contact.limit;
      if (active.contact.is_limit())
        bare.dry.push_back({.joint = limit.joint, .coordinate = limit.coordinate, .mode = DryMode::stick});
    }
  } else if (holders == Holders::friction) {
    for (const DryJoint& dry : island.dry)
      if (dry.mode == DryMode::stick) bare.dry.push_back(dry);
    if (bare.dry.empty()) return true;
  }
  if (!HeldIsland::fits(bare)) return true;
  held_.prepare(bare, y);
  const double left = held_.freedom(which.joint, which.coordinate, time, y);
  held_.release();
  return left > kHeldByOthers;
}

bool IslandDynamics::friction_holds(const Island& island, const LimitIndex& limit, double time, const double* y) {
  return !lets_move(island, Holders::friction, {.joint = limit.joint, .coordinate = limit.coordinate}, time, y);
}

/// Under the accelerations of the last answer; with the states of members_.
double IslandDynamics::coordinate_acceleration(const Island& island, const DryJoint& dry, double time,
                                               const double* y) const {
  const JointRow row = joints_.coordinate_row(dry.joint, dry.coordinate, joint_states(island, dry.joint, time));
  double sum = row.bias;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyIndex body = joints_.bodies(dry.joint)[side];
    if (body == kNone) continue;
    const int slot = island.slot(body);
    const double* const a = dynamics_.acceleration().data() + 6 * slot;
    sum += row.sides[side].linear.dot(Eigen::Map<const Vector3d>(a)) +
           row.sides[side].angular.dot(attitude_of(y + kPerBody * slot) * Eigen::Map<const Vector3d>(a + 3));
  }
  return sum;
}

double IslandDynamics::no_acceleration(const DryJoint& dry) const {
  const bool shift = is_shift(model_->joints[dry.joint].kind, dry.coordinate);
  return kNoAcceleration * acceleration_scale_ / (shift ? 1.0 : joints_.size(dry.joint));
}

/// The next joint that is held by others, as was thought, and leaves its limit under the last answer, sticks instead.
/// Returns whether there is one.
bool IslandDynamics::stop_holding(Island& island, double time, const double* y) {
  read_members(island, y);
  for (DryJoint& dry : island.dry) {
    if (dry.mode != DryMode::held) continue;
    if (std::abs(coordinate_acceleration(island, dry, time, y)) <= no_acceleration(dry)) continue;
    if (!lets_move(island, Holders::joints, dry, time, y)) continue;
    dry.mode = DryMode::stick;
    return true;
  }
  return false;
}

/// The one that is furthest beyond what friction can hold under the last answer lets go, if there is one.
DryJoint* IslandDynamics::furthest_beyond(Island& island) const {
  DryJoint* worst = nullptr;
  double excess = 0.0, needed = 0.0;
  for (std::size_t i = 0; i < island.dry.size(); ++i) {
    if (island.dry[i].mode != DryMode::stick) continue;
    const double limit = friction_of_joint(*model_, island.dry[i]).static_force;
    const double force = dry_force(island, i);
    if (std::abs(force) - limit <= excess) continue;
    excess = std::abs(force) - limit;
    needed = force;
    worst = &island.dry[i];
  }
  if (worst != nullptr) worst->mode = needed > 0.0 ? DryMode::falls : DryMode::rises;
  return worst;
}

void IslandDynamics::choose_dry_modes(Island& island, double time, const double* y) {
  if (island.dry.empty()) return;
  const double slow = kSlowSlip * speed_scale(island, y);
  read_members(island, y);
  for (DryJoint& dry : island.dry) {
    const JointStates states = joint_states(island, dry.joint, time);
    const bool shift = is_shift(model_->joints[dry.joint].kind, dry.coordinate);
    const double rate = rate_of(joints_.coordinate_row(dry.joint, dry.coordinate, states), states);
    dry.held = joints_.coordinate(dry.joint, dry.coordinate, states);
    dry.mode = rate > 0.0 ? DryMode::rises : DryMode::falls;
    if (std::abs(rate) * (shift ? 1.0 : joints_.size(dry.joint)) <= slow) dry.mode = DryMode::stick;
  }
  for (DryJoint& dry : island.dry)
    if (dry.mode == DryMode::stick && !lets_move(island, Holders::limits, dry, time, y)) dry.mode = DryMode::held;
  std::vector<DryJoint*> let_go;
  for (;;) {
    const AccelerationStatus status = solve_unilateral(island, time, y);
    if (status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent) return;
    // A limit only pushes: what would leave it is held by friction, or by nothing.
    if (stop_holding(island, time, y)) continue;
    DryJoint* const worst = furthest_beyond(island);
    if (worst == nullptr) break;
    let_go.push_back(worst);
  }
  // Of joints that move together only what their forces do together is known: one may have let go the wrong way.
  read_members(island, y);
  for (std::size_t round = 0; round < let_go.size(); ++round) {
    DryJoint* wrong = nullptr;
    for (DryJoint* const dry : let_go) {
      if (dry->sign() * coordinate_acceleration(island, *dry, time, y) < -no_acceleration(*dry)) wrong = dry;
    }
    if (wrong == nullptr) break;
    wrong->mode = wrong->mode == DryMode::rises ? DryMode::falls : DryMode::rises;
    if (solve_unilateral(island, time, y) != AccelerationStatus::solved) return;
    read_members(island, y);
  }
  // One that lets go and goes nowhere is stopped by contacts, which may as well bear all of it.
  for (DryJoint* const dry : let_go)
    if (std::abs(coordinate_acceleration(island, *dry, time, y)) <= no_acceleration(*dry)) dry->mode = DryMode::held;
}

double IslandDynamics::dry_margin(const Island& island, double time, const double* y) {
  double least = contact::kForever;
  const bool sticks =
      std::any_of(island.dry.begin(), island.dry.end(), [](const DryJoint& dry) { return dry.mode == DryMode::stick; });
  if (sticks) (void)solve_unilateral(island, time, y);
  read_members(island, y);
  for (std::size_t i = 0; i < island.dry.size(); ++i) {
    const DryJoint& dry = island.dry[i];
    if (dry.mode == DryMode::stick) {
      least = std::min(least, friction_of_joint(*model_, dry).static_force - std::abs(dry_force(island, i)));
    } else if (dry.mode != DryMode::held) {
      const JointStates states = joint_states(island, dry.joint, time);
      least = std::min(least, dry.sign() * rate_of(joints_.coordinate_row(dry.joint, dry.coordinate, states), states));
    }
  }
  return least;
}

void IslandDynamics::find_dry_change(Island& island) {
  if (island.dry.empty()) return;
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  const auto margin_at = [&](double theta) {
    motion.value(theta, 0, island.size(), y.data());
    return dry_margin(island, island.time + theta * island.step, y.data());
  };
  double kept = 0.0, lost = 2.0;
  for (int look = 1; look <= kDryLooks && lost > 1.0; ++look) {
    const double theta = island.opening * look / kDryLooks;
    (margin_at(theta) < 0.0 ? lost : kept) = theta;
  }
  if (lost > 1.0) return;
  for (int k = 0; k < kDryHalvings && lost - kept > 1e-15; ++k) {
    const double middle = 0.5 * (kept + lost);
    (margin_at(middle) < 0.0 ? lost : kept) = middle;
  }
  motion.value(lost, 0, island.size(), island.after.data());
  island.opening = lost;
  island.opens = true;
}

void IslandDynamics::find_singular_position(Island& island) {
  if (!held_.ready() || !held_.watch().came_near_zero()) return;
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  const auto at = [&](double theta) {
    motion.value(theta, 0, island.size(), y.data());
    return island.time + theta * island.step;
  };
  const std::optional<double> found =
      singular_instant({.as_integrated = [&](double theta) { return held_.log_volume(at(theta), y.data()); },
                        .on_joints = [&](double theta) { return held_.log_volume_on_joints(at(theta), y.data()); },
                        .is_blocked = [&](double theta) { return held_.is_singular(at(theta), y.data()); }},
                       {0.0, island.opening, kBeyond * island.opening});
  if (!found) return;
  motion.value(*found, 0, island.size(), island.after.data());
  island.opening = *found;
  island.opens = true;
}

}  // namespace carom::event
