#include "carom/engine/event/island_held.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "carom/engine/event/island.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/persistent_rows.h"
#include "carom/mechanics/attitude.h"
#include "carom/numerics/larger.h"

namespace carom::event {

namespace {

/// Newton's method ends at the first residual, relative to size; one above the second is not good.
constexpr int kHeldRounds = 6;
constexpr double kHeldExactly = 1e-15, kHeldWell = 1e-10;
/// Moves, relative to size and radian, that no step drifts so far as.
constexpr double kHeldMove = 1e-2;
/// Corrections of accelerations and velocities: the second makes up for the squared condition of the rows.
constexpr int kCorrections = 2;

const BodyState& ground() {
  static const BodyState kGround;
  return kGround;
}

}  // namespace

bool HeldIsland::fits(const Island& island) {
  return island.contacts.empty() && !island.joints.empty() && !island.rolls;
}

void HeldIsland::prepare(const Island& island, const double* y) {
  bodies_ = island.bodies;
  held_.clear();
  stuck_.clear();
  guided_.clear();
  std::unordered_map<int, int> slot_of, place_of;
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) slot_of[bodies_[slot]] = static_cast<int>(slot);
  for (std::size_t k = 0; k < island.joints.size(); ++k) place_of[island.joints[k]] = static_cast<int>(k);
  for (std::size_t k = 0; k < island.joints.size(); ++k) {
    const JointIndex joint = island.joints[k];
    Held held{joint, {-1, -1, -1, -1}, island.turns[k], {-1, -1}};
    const std::span<const BodyIndex> sides = joints_.bodies(joint);
    for (std::size_t side = 0; side < sides.size(); ++side)
      if (sides[side] != kNone) held.slots[side] = slot_of.at(sides[side]);
    if (model_->joints[joint].kind == JointKind::gear)
      for (std::size_t i = 0; i < 2; ++i) held.geared[i] = place_of.at(model_->joints[joint].geared[i]);
    held_.push_back(held);
  }
  for (const DryJoint& dry : island.dry)
    if (dry.mode == DryMode::stick) stuck_.push_back({place_of.at(dry.joint), dry.coordinate, dry.held});
  for (const ConstraintIndex index : island.constraints) {
    const BodyIndex body = std::visit([](const auto& one) { return one.body; }, model_->constraints[index]);
    const auto* rod = std::get_if<RodConstraint>(&model_->constraints[index]);
    guided_.push_back(
        {slot_of.at(body), index, rod != nullptr ? rod->length : body_radius(model_->bodies[body].parts)});
  }
  rank_ = -1;
  watch_.begin();
  ready_ = true;
  hurries_ = false;
  last_layout_.clear();
  for (const BodyIndex body : bodies_) last_layout_.push_back(body);
  for (const Held& held : held_) last_layout_.insert(last_layout_.end(), {-1, held.joint});
  for (const Stuck& stuck : stuck_) last_layout_.insert(last_layout_.end(), {-2, stuck.held, stuck.coordinate});
  for (const Guided& guided : guided_) last_layout_.insert(last_layout_.end(), {-3, guided.constraint});
  if (last_layout_ == layout_) {
    system_.set_decision({});  // the rows of this place decide, whoever asked before
    read(y);
    return;
  }
  layout_ = last_layout_;
  tree_is_known_ = false;
  states_.resize(bodies_.size());
  twists_.resize(bodies_.size());
  rotations_.resize(bodies_.size());
  principal_.clear();
  is_principal_.clear();
  row_size_.clear();
  system_.clear(static_cast<int>(bodies_.size()));
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    const Body& body = model_->bodies[bodies_[slot]];
    principal_.push_back(body.principal_axes.toRotationMatrix());
    is_principal_.push_back(body.principal_axes.vec().isZero(0.0) ? 1 : 0);
    system_.bodies[slot] = {1.0 / body.mass, body.inertia.cwiseInverse(), Eigen::Matrix3d::Identity()};
  }
  read(y);
  visit_blocks(island.time, [&](const JointSystem::Slots& slots, double size) {
    row_size_.resize(row_size_.size() + rows_.size(), size);
    system_.add_block(slots, static_cast<int>(rows_.size()));
  });
  system_.analyse();
}

void HeldIsland::review(double time, const double* y) {
  if (hurries_ || !system_.is_doubtful()) return;
  build(time, y);
  system_.review();
}

void HeldIsland::hurry() {
  if (!stuck_.empty() || !guided_.empty()) return;
  if (!tree_is_known_) {
    std::vector<JointTree::Held> joints;
    for (const Held& held : held_) joints.push_back({held.joint, {held.slots[0], held.slots[1]}});
    tree_.analyse(joints_, bodies_, joints);
    tree_is_known_ = true;
  }
  hurries_ = tree_.ready();
}

/// Calls visit(slots, size) for each block, whose rows stand in rows_ then.
template <class Visit>
void HeldIsland::visit_blocks(double time, const Visit& visit) {
  for (const Held& held : held_) {
    rows_.clear();
    joints_.append_rows(held.joint, states(held, time), rows_);
    visit(held.slots, joints_.size(held.joint));
  }
  for (const Stuck& stuck : stuck_) {
    const Held& held = held_[static_cast<std::size_t>(stuck.held)];
    rows_.assign(1, stuck_row(stuck, states(held, time)));
    visit(held.slots, joints_.size(held.joint));
  }
  for (const Guided& guided : guided_) {
    rows_.clear();
    append_rows(model_->constraints[guided.constraint], states_[static_cast<std::size_t>(guided.slot)], rows_);
    visit({guided.slot, -1, -1, -1}, guided.size);
  }
}

void HeldIsland::read(const double* y) {
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    const double* const body = y + Island::kPerBody * slot;
    Eigen::Matrix3d& axes = system_.bodies[slot].axes;
    axes = attitude_of(body).toRotationMatrix();
    rotations_[slot] = axes;
    if (is_principal_[slot] == 0) rotations_[slot] *= principal_[slot].transpose();
    states_[slot].position = position_of(body);
    states_[slot].velocity = velocity_of(body);
    states_[slot].angular_velocity = axes * spin_of(body);
  }
}

JointStates HeldIsland::states(const Held& held, double time) const {
  JointStates at;
  at.time = time;
  at.near = held.turns;
  for (std::size_t k = 0; k < 2; ++k)
    if (held.geared[k] >= 0) at.near[k] = held_[static_cast<std::size_t>(held.geared[k])].turns[0];
  const std::size_t sides = joints_.bodies(held.joint).size();
  for (std::size_t k = 0; k < sides; ++k) {
    const auto slot = static_cast<std::size_t>(held.slots[k]);
    at.sides[k] = held.slots[k] < 0 ? &ground() : &states_[slot];
    at.rotations[k] = held.slots[k] < 0 ? nullptr : &rotations_[slot];
  }
  return at;
}

JointRow HeldIsland::stuck_row(const Stuck& stuck, const JointStates& at) const {
  const JointIndex joint = held_[static_cast<std::size_t>(stuck.held)].joint;
  const double unit = is_shift(model_->joints[joint].kind, stuck.coordinate) ? 1.0 : joints_.size(joint);
  JointRow row = joints_.coordinate_row(joint, stuck.coordinate, at);
  for (RowSide& side : row.sides) side = {unit * side.linear, unit * side.angular};
  row.bias *= unit;
  row.residual = unit * (joints_.coordinate(joint, stuck.coordinate, at) - stuck.at);
  return row;
}

void HeldIsland::build(double time, const double* y) {
  read(y);
  int block = 0;
  visit_blocks(time, [&](const JointSystem::Slots&, double) { system_.set_rows(block++, rows_); });
}

/// Of motors: the work per time of the forces of rows, or the work of their impulses.
double HeldIsland::motor_power() const {
  double power = 0.0;
  for (std::size_t r = 0; r < row_size_.size(); ++r) power -= system_.forces()[r] * system_.offsets()[r].drive;
  return power;
}

double HeldIsland::hold(double time, const double* y, std::vector<double>& acceleration) {
  if (hurries_) {
    read(y);
  } else {
    build(time, y);
    system_.factor();
    if (rank_ < 0) rank_ = system_.rank();
    watch_.note(system_.rank() == rank_ ? system_.log_volume_of_kept() : -std::numeric_limits<double>::infinity());
  }
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot)
    twists_[slot] = {Eigen::Map<const Vector3d>(acceleration.data() + 6 * slot),
                     Eigen::Map<const Vector3d>(acceleration.data() + 6 * slot + 3)};
  if (hurries_) {
    tree_.place(places());
    tree_.factor();
    tree_.accelerate(twists_);
  } else {
    for (int k = 0; k < kCorrections; ++k) system_.correct(twists_, &JointSystem::Offset::bias);
  }
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    Eigen::Map<Vector3d>(acceleration.data() + 6 * slot) = twists_[slot].linear;
    Eigen::Map<Vector3d>(acceleration.data() + 6 * slot + 3) = twists_[slot].angular;
  }
  return hurries_ ? 0.0 : motor_power();
}

void HeldIsland::add_loads(double time, Indexed<JointIndex, JointLoad>& loads) {
  system_.take_least_forces();
  const auto add = [&](const Held& held, int block) {
    const Twist load = system_.load_on_first(block);
    JointLoad& sum = loads[held.joint];
    sum.force += load.linear;
    sum.couple += load.angular - joints_.lever(held.joint, states(held, time)).cross(load.linear);
    sum.unique = sum.unique && system_.is_unique(block);
  };
  int block = 0;
  for (const Held& held : held_) add(held, block++);
  for (const Stuck& stuck : stuck_) add(held_[static_cast<std::size_t>(stuck.held)], block++);
}

double HeldIsland::log_volume(double time, const double* y) {
  build(time, y);
  return system_.log_volume();
}

bool HeldIsland::is_singular(double time, const double* y) {
  build(time, y);
  system_.factor();
  return system_.rank() != rank_ || system_.is_singular();
}

std::optional<double> HeldIsland::log_volume_on_joints(double time, double* y) {
  const JointSystem::Decision decision = system_.decision();
  const bool kept = put_on_rows(time, y);
  system_.set_decision(decision);
  return kept ? std::optional(log_volume(time, y)) : std::nullopt;
}

double HeldIsland::freedom(JointIndex joint, int coordinate, double time, const double* y) {
  build(time, y);
  system_.factor();
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.joint == joint; });
  const JointRow row = joints_.coordinate_row(joint, coordinate, states(*found, time));
  std::fill(twists_.begin(), twists_.end(), Twist{});
  for (std::size_t side = 0; side < 2; ++side) {
    if (found->slots[side] < 0) continue;
    const auto slot = static_cast<std::size_t>(found->slots[side]);
    const HeldInertia& inertia = system_.bodies[slot];
    twists_[slot] += {inertia.inverse_mass * row.sides[side].linear,
                      inertia.inverse_moments.cwiseProduct(inertia.axes.transpose() * row.sides[side].angular)};
  }
  const double whole = 2.0 * kinetic_energy();
  for (int k = 0; k < kCorrections; ++k) system_.project(twists_);
  return 2.0 * kinetic_energy() / whole;
}

double HeldIsland::set_up(double time, const double* y) {
  if (hurries_) {
    read(y);
    tree_.place(places());
    return tree_.measure_residuals();
  }
  build(time, y);
  double largest = 0.0;
  for (std::size_t r = 0; r < row_size_.size(); ++r) {
    largest = larger_or_nan(largest, std::abs(system_.offsets()[r].residual) / row_size_[r]);
  }
  return largest;
}

void HeldIsland::factor() {
  if (hurries_) {
    tree_.factor();
  } else {
    system_.factor();
  }
}

bool HeldIsland::put_places(double time, double* y) {
  return put_on_rows(time, y) && (hurries_ || rank_ < 0 || (system_.rank() == rank_ && !system_.is_singular()));
}

bool HeldIsland::put_on_rows(double time, double* y) {
  double before = std::numeric_limits<double>::infinity();
  bool factored = false;
  for (int round = 0;; ++round) {
    const double off = set_up(time, y);
    if (!std::isfinite(off)) return false;
    if (off <= kHeldExactly || round == kHeldRounds || (round > 1 && off > 0.25 * before)) {
      if (off > kHeldWell) return false;
      break;
    }
    before = off;
    factor();
    factored = true;
    if (hurries_) {
      tree_.find_moves(twists_);
    } else {
      std::fill(twists_.begin(), twists_.end(), Twist{});
      system_.correct(twists_, &JointSystem::Offset::residual);
    }
    for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
      const Twist& move = twists_[slot];
      const double size = body_radius(model_->bodies[bodies_[slot]].parts);
      if (!(move.linear.norm() / size + move.angular.norm() <= kHeldMove)) return false;
      double* const body = y + Island::kPerBody * slot;
      Eigen::Map<Vector3d>(body) += move.linear;
      write_attitude((attitude_of(body) * rotation_by(move.angular)).normalized(), body);
    }
  }
  // Those of a moment ago serve a tree as well: what they are off by changes velocities by round-off of their change.
  if (!hurries_ || !factored) factor();
  return true;
}

double HeldIsland::kinetic_energy() const {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    const Body& body = model_->bodies[bodies_[slot]];
    const Vector3d& spin = twists_[slot].angular;
    sum += 0.5 * body.mass * twists_[slot].linear.squaredNorm() + 0.5 * spin.dot(body.inertia.cwiseProduct(spin));
  }
  return sum;
}

VelocityCorrection HeldIsland::put_velocities(double time, double* y) {
  build(time, y);
  system_.factor();
  return put_velocities(y);
}

/// With the rows and factors that put_places() has left.
VelocityCorrection HeldIsland::put_velocities(double* y) {
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot)
    twists_[slot] = {velocity_of(y + Island::kPerBody * slot), spin_of(y + Island::kPerBody * slot)};
  const double before = kinetic_energy();
  if (hurries_) {
    changes_.resize(twists_.size());
    tree_.find_changes(changes_);
    for (std::size_t slot = 0; slot < bodies_.size(); ++slot) twists_[slot] += changes_[slot];
  } else {
    for (int k = 0; k < kCorrections; ++k) system_.correct(twists_, &JointSystem::Offset::drive);
  }
  for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
    double* const body = y + Island::kPerBody * slot;
    Eigen::Map<Vector3d>(body + 7) = twists_[slot].linear;
    Eigen::Map<Vector3d>(body + 10) = twists_[slot].angular;
  }
  const double work = hurries_ ? 0.0 : motor_power();
  return {before - kinetic_energy() + work, 0.0, work};
}

}  // namespace carom::event
