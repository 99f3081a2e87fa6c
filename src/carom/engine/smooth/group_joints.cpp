#include "carom/engine/smooth/group_joints.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::smooth {

namespace {

/// Rows of which less than this is left beside the others, squared, are solved once more for what is missing.
constexpr double kRefine = 1e-7;
/// Newton's method ends at this residual, relative to size; a larger one than the second is not good.
constexpr int kMostRounds = 8;
constexpr double kOnJoints = 1e-12, kJointsKept = 1e-10;
/// Moves, relative to size and radian, from which the factors are made anew, and that no step drifts so far as.
constexpr double kNewFactors = 1e-5, kMostMove = 1e-2;

const BodyState& ground() {
  static const BodyState kGround;
  return kGround;
}

}  // namespace

void GroupJoints::begin(const Indexed<SlotIndex, BodyIndex>& bodies,
                        const Indexed<SlotIndex, BodyConstraints>& constraints,
                        const Indexed<JointIndex, JointTurns>& turns) {
  joints_.clear();
  held_.clear();
  dry_.clear();
  limits_.clear();
  rank_ = -1;
  pushes_ = false;
  std::vector<int> place(bodies.size(), -1);  // of each slot among held_
  std::vector<JointIndex> found;
  for (const SlotIndex slot : bodies.indices()) {
    const std::vector<JointIndex>& own = environment_->body(bodies[slot]).joints;
    if (own.empty()) continue;
    place[slot.slot()] = static_cast<int>(held_.size());
    held_.push_back({slot, bodies[slot], constraints[slot], constraints[slot].row_counts(),
                     environment_->body(bodies[slot]).principal_axes.toRotationMatrix(),
                     environment_->body(bodies[slot]).principal_axes.vec().isZero(0.0)});
    found.insert(found.end(), own.begin(), own.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const JointIndex joint : found) {
    HeldJoint held{joint, {-1, -1, -1, -1}, turns[joint], {-1, -1}};
    bool whole = true;  // a joint of a body that was swallowed is gone
    const std::span<const BodyIndex> sides = kinematics().bodies(joint);
    for (std::size_t side = 0; side < sides.size(); ++side) {
      if (sides[side] == kNone) continue;
      const auto at = std::lower_bound(bodies.begin(), bodies.end(), sides[side]);
      whole = whole && at != bodies.end() && *at == sides[side];
      if (whole) held.slots[side] = place[static_cast<std::size_t>(at - bodies.begin())];
    }
    if (!whole) continue;
    const Joint& of = model().joints[joint];
    for (std::size_t k = 0; k < 2 && of.kind == JointKind::gear; ++k)
      held.geared[k] = static_cast<int>(std::lower_bound(found.begin(), found.end(), of.geared[k]) - found.begin());
    for (int k = 0; k < coordinate_count(of.kind); ++k) {
      const JointDrive& drive = of.drives[static_cast<std::size_t>(k)];
      pushes_ = pushes_ || drive.pushes() || drive.friction.any();
      if (drive.friction.any())
        dry_.push_back(
            {static_cast<int>(joints_.size()), k, DryCoordinate::Mode::stick, drive.motor.position.has_value()});
    }
    joints_.push_back(held);
    const std::vector<LimitIndex> limits = limits_of(model(), joint);
    limits_.insert(limits_.end(), limits.begin(), limits.end());
  }
  pushes_ = pushes_ || !limits_.empty();
  states_.resize(held_.size());
  rotations_.assign(held_.size(), Eigen::Matrix3d::Identity());
  twists_.resize(held_.size());
  lay_out();
}

void GroupJoints::lay_out() {
  system_.clear(static_cast<int>(held_.size()));
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const BodyInfo& info = environment_->body(held_[k].body);
    system_.bodies[k] = {info.inverse_mass, info.inertia.cwiseInverse(), Eigen::Matrix3d::Identity()};
  }
  int first = 0;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    HeldJoint& held = joints_[k];
    rows_.clear();
    kinematics().append_rows(held.joint, states(held, 0.0), rows_);
    auto count = static_cast<int>(rows_.size());
    held.first_row = first;
    for (DryCoordinate& dry : dry_)
      if (dry.joint == static_cast<int>(k)) dry.row = dry.sticks() ? first + count++ : -1;
    held.rows = count;
    system_.add_block(held.slots, count);
    first += count;
  }
  for (std::size_t k = 0; k < held_.size(); ++k)
    for (const int count : held_[k].row_counts) system_.add_block({static_cast<int>(k), -1, -1, -1}, count);
  system_.analyse();
  tree_.clear();
  tree_fits_ = false;
  if (std::any_of(dry_.begin(), dry_.end(), [](const DryCoordinate& dry) { return dry.sticks(); })) return;
  std::vector<BodyIndex> bodies;
  for (const HeldBody& held : held_) {
    if (!held.row_counts.empty()) return;
    bodies.push_back(held.body);
  }
  std::vector<JointTree::Held> joints;
  for (const HeldJoint& held : joints_) joints.push_back({held.joint, {held.slots[0], held.slots[1]}});
  tree_.analyse(kinematics(), bodies, joints);
}

// --------------------------------------------------------------------------------------------------- rows

void GroupJoints::read(const Bodies& bodies) {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const BodyMotion& motion = bodies[held_[k].slot];
    states_[k] = {motion.position, motion.attitude, motion.velocity, motion.spin};
    rotations_[k] = motion.attitude.toRotationMatrix();
    system_.bodies[k].axes = rotations_[k];
    if (!held_[k].is_principal) system_.bodies[k].axes *= held_[k].principal;
  }
  tree_fits_ = false;
}

bool GroupJoints::reads_same(const Bodies& bodies) const {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const BodyMotion& motion = bodies[held_[k].slot];
    const BodyState& known = states_[k];
    if (motion.position != known.position || motion.attitude.coeffs() != known.orientation.coeffs() ||
        motion.velocity != known.velocity || motion.spin != known.angular_velocity)
      return false;
  }
  return true;
}

JointStates GroupJoints::states(const HeldJoint& held, double time) const {
  JointStates at;
  at.time = time;
  at.near = held.turns;
  for (std::size_t k = 0; k < 2; ++k)
    if (held.geared[k] >= 0) at.near[k] = joints_[static_cast<std::size_t>(held.geared[k])].turns[0];
  const std::size_t sides = kinematics().bodies(held.joint).size();
  for (std::size_t k = 0; k < sides; ++k) {
    const auto slot = static_cast<std::size_t>(held.slots[k]);
    at.sides[k] = held.slots[k] < 0 ? &ground() : &states_[slot];
    at.rotations[k] = held.slots[k] < 0 ? nullptr : &rotations_[slot];
  }
  return at;
}

double GroupJoints::unit_of(const DryCoordinate& dry) const {
  const HeldJoint& held = joints_[static_cast<std::size_t>(dry.joint)];
  return is_shift(model().joints[held.joint].kind, dry.coordinate) ? 1.0 : size(held);
}

const DryFriction& GroupJoints::friction_of(const DryCoordinate& dry) const {
  const Joint& joint = model().joints[joints_[static_cast<std::size_t>(dry.joint)].joint];
  return joint.drives[static_cast<std::size_t>(dry.coordinate)].friction;
}

JointRow GroupJoints::stick_row(const DryCoordinate& dry, const JointStates& at) const {
  const JointIndex joint = joints_[static_cast<std::size_t>(dry.joint)].joint;
  const double unit = unit_of(dry);
  JointRow row = kinematics().coordinate_row(joint, dry.coordinate, at);
  for (RowSide& side : row.sides) side = {unit * side.linear, unit * side.angular};
  row.bias *= unit;
  row.residual = unit * (kinematics().coordinate(joint, dry.coordinate, at) - dry.held);
  return row;
}

void GroupJoints::build(double time) {
  int block = 0;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const JointStates at = states(joints_[k], time);
    rows_.clear();
    kinematics().append_rows(joints_[k].joint, at, rows_);
    for (const DryCoordinate& dry : dry_)
      if (dry.joint == static_cast<int>(k) && dry.sticks()) rows_.push_back(stick_row(dry, at));
    system_.set_rows(block++, rows_);
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (held_[k].row_counts.empty()) continue;
    rows_.clear();
    held_[k].constraints.append_rows(states_[k], time, rows_);
    std::span<const JointRow> rest = rows_;
    for (const int count : held_[k].row_counts) {
      system_.set_rows(block++, rest.first(static_cast<std::size_t>(count)));
      rest = rest.subspan(static_cast<std::size_t>(count));
    }
  }
}

// --------------------------------------------------------------------------------------------------- motion

void GroupJoints::push(HeldJoint& held, const JointRow& row, double force, Bodies& bodies) const {
  held.pushed.linear += force * row.sides[0].linear;
  held.pushed.angular += force * row.sides[0].angular;
  for (std::size_t side = 0; side < 2; ++side) {
    if (held.slots[side] < 0) continue;
    BodyMotion& body = bodies[held_[static_cast<std::size_t>(held.slots[side])].slot];
    body.force += force * row.sides[side].linear;
    body.torque += force * row.sides[side].angular;
  }
}

JointPowers GroupJoints::add_forces(double time, Bodies& bodies) {
  if (!pushes_) return {};
  read(bodies);
  JointPowers powers;
  for (HeldJoint& held : joints_) {
    held.pushed = {};
    const Joint& joint = model().joints[held.joint];
    for (int k = 0; k < coordinate_count(joint.kind); ++k) {
      const JointDrive& drive = joint.drives[static_cast<std::size_t>(k)];
      if (!drive.pushes()) continue;
      const JointStates at = states(held, time);
      const JointRow row = kinematics().coordinate_row(held.joint, k, at);
      const double rate = rate_of(row, at);
      const double away = kinematics().coordinate(held.joint, k, at) - drive.spring.rest;
      powers.damping += drive.spring.damping * rate * rate;
      powers.motors += drive.motor.force * rate;
      push(held, row, drive.motor.force - drive.spring.stiffness * away - drive.spring.damping * rate, bodies);
    }
  }
  for (const DryCoordinate& dry : dry_) {
    if (dry.sticks() || dry.blocked) continue;
    HeldJoint& held = joints_[static_cast<std::size_t>(dry.joint)];
    const JointStates at = states(held, time);
    const JointRow row = kinematics().coordinate_row(held.joint, dry.coordinate, at);
    const double rate = rate_of(row, at);
    double sign = dry.sign();
    if (dry.driven) sign = rate == 0.0 ? 0.0 : std::copysign(1.0, rate);
    const double force = -sign * friction_of(dry).kinetic_force;
    powers.friction -= force * rate;
    push(held, row, force, bodies);
  }
  return powers;
}

const GroupJoints::HeldJoint& GroupJoints::held(JointIndex joint) const {
  return *std::lower_bound(joints_.begin(), joints_.end(), joint,
                           [](const HeldJoint& one, JointIndex other) { return one.joint < other; });
}

void GroupJoints::add_limit_forces(double time, const std::vector<Contact>& contacts, Bodies& bodies, double* slope) {
  for (const Contact& contact : contacts) {
    if (!contact.is_limit()) continue;
    HeldJoint& of = joints_[static_cast<std::size_t>(&held(contact.limit.joint) - joints_.data())];
    const JointStates at = states(of, time);
    const JointRow row = limit_row(kinematics(), contact.limit, at);
    const double rate = rate_of(row, at);
    const NormalValue value = contact.normal.evaluate(-row.residual, -rate);
    push(of, row, value.force, bodies);
    slope[contact.extra] = value.force;
    slope[contact.extra + 1] = (value.elastic - value.force) * rate;
  }
}

JointPowers GroupJoints::hold(double time, const Bodies& bodies, const GroupLayout& layout, double* slope) {
  read(bodies);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const SlotIndex slot = held_[k].slot;
    twists_[k] = {vector_at(slope + layout.velocity(slot)),
                  system_.bodies[k].axes.transpose() * vector_at(slope + layout.slots()[slot].rest + 4)};
  }
  if (hangs()) {
    tree_.place(places());
    tree_.factor();
    tree_.accelerate(twists_);
    tree_fits_ = true;
  } else {
    build(time);
    system_.factor();
    const bool same = rank_ < 0 || system_.rank() == rank_;
    watch_.note(same ? system_.log_volume_of_kept() : -std::numeric_limits<double>::infinity());
    system_.correct(twists_, &JointSystem::Offset::bias);
    if (system_.least_pivot() < kRefine) system_.correct(twists_, &JointSystem::Offset::bias);
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const SlotIndex slot = held_[k].slot;
    put(twists_[k].linear, slope + layout.velocity(slot));
    put(system_.bodies[k].axes * twists_[k].angular, slope + layout.slots()[slot].rest + 4);
  }
  JointPowers powers;
  if (hangs()) return powers;  // nothing drives
  for (std::size_t r = 0; r < system_.offsets().size(); ++r) {
    const JointSystem::Offset& row = system_.offsets()[r];
    if (row.drive != 0.0) (row.motor ? powers.motors : powers.walls) -= system_.forces()[r] * row.drive;
  }
  return powers;
}

double GroupJoints::log_volume(double time, const Bodies& bodies) {
  read(bodies);
  build(time);
  return system_.log_volume();
}

bool GroupJoints::is_singular(double time, const Bodies& bodies) {
  read(bodies);
  build(time);
  system_.factor();
  return (rank_ >= 0 && system_.rank() != rank_) || system_.is_singular();
}

std::optional<double> GroupJoints::log_volume_on_joints(double time, Bodies& bodies) {
  const JointSystem::Decision decision = system_.decision();
  const bool kept = put_places(time, bodies);
  system_.set_decision(decision);
  return kept ? std::optional(log_volume(time, bodies)) : std::nullopt;
}

void GroupJoints::write_loads(Indexed<JointIndex, JointLoad>& loads) {
  system_.take_least_forces();
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const HeldJoint& held = joints_[k];
    Twist load = system_.load_on_first(static_cast<int>(k));
    load.linear += held.pushed.linear;
    load.angular += held.pushed.angular;
    const Vector3d lever = kinematics().lever(held.joint, states(held, 0.0));
    loads[held.joint] = {load.linear, load.angular - lever.cross(load.linear), system_.is_unique(static_cast<int>(k))};
  }
}

// --------------------------------------------------------------------------------------------------- projection

void GroupJoints::factor() {
  if (hangs()) {
    tree_.factor();
  } else {
    system_.factor();
  }
}

double GroupJoints::set_up(double time) {
  if (hangs()) {
    tree_.place(places());
    return tree_.measure_residuals();
  }
  build(time);
  return largest_residual();
}

/// Newton's method in the metric. The factors stay those of the beginning as long as bodies move next to nothing; where
/// the step ended with its right-hand side at this place they are at hand.
bool GroupJoints::put_places(double time, Bodies& bodies) {
  const bool known = tree_fits_ && hangs() && reads_same(bodies);
  bool factored = known;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0;; ++round) {
    const bool at_hand = known && round == 0;
    if (!at_hand) read(bodies);
    if (round == 0) {
      take_velocities();
      taken_ = energy();
    }
    const double off = at_hand ? tree_.measure_residuals() : set_up(time);
    if (!(off <= before || off <= kJointsKept) || !std::isfinite(off)) return false;
    const bool done = off <= kOnJoints || (round > 1 && off > 0.25 * before) || round == kMostRounds;
    before = off;
    if (!factored) factor();
    residual_ = off;
    if (done) return off <= kJointsKept;
    factored = true;
    if (hangs()) {
      tree_.find_moves(twists_);
    } else {
      std::fill(twists_.begin(), twists_.end(), Twist{});
      system_.correct(twists_, &JointSystem::Offset::residual);
    }
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const double way = twists_[k].linear.norm() / environment_->body(held_[k].body).size;
      const double turn = twists_[k].angular.norm();
      if (!(way + turn <= kMostMove)) return false;
      if (way + turn > kNewFactors) factored = false;
      BodyMotion& body = bodies[held_[k].slot];
      body.position += twists_[k].linear;
      const Vector3d turned = system_.bodies[k].axes * twists_[k].angular;
      body.attitude =
          (Quaterniond(1.0, 0.5 * turned.x(), 0.5 * turned.y(), 0.5 * turned.z()) * body.attitude).normalized();
    }
  }
}

bool GroupJoints::project(double time, Bodies& bodies) {
  if (!put_places(time, bodies)) {
    taken_ = 0.0;
    return false;
  }
  take_velocities();
  if (hangs()) {
    changes_.resize(twists_.size());
    tree_.find_changes(changes_);
    for (std::size_t k = 0; k < held_.size(); ++k) twists_[k] += changes_[k];
  } else {
    system_.correct(twists_, &JointSystem::Offset::drive);
    if (system_.least_pivot() < kRefine) system_.correct(twists_, &JointSystem::Offset::drive);
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    bodies[held_[k].slot].velocity = twists_[k].linear;
    bodies[held_[k].slot].spin = system_.bodies[k].axes * twists_[k].angular;
  }
  taken_ -= energy();
  if (hangs()) return true;
  if (system_.is_doubtful()) system_.review();
  if (rank_ < 0) rank_ = system_.rank();
  return system_.rank() == rank_ && !system_.is_singular();
}

void GroupJoints::take_velocities() {
  for (std::size_t k = 0; k < held_.size(); ++k)
    twists_[k] = {states_[k].velocity, system_.bodies[k].axes.transpose() * states_[k].angular_velocity};
}

double GroupJoints::energy() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const BodyInfo& info = environment_->body(held_[k].body);
    const Vector3d& spin = twists_[k].angular;
    sum += 0.5 * info.mass * twists_[k].linear.squaredNorm() + 0.5 * spin.dot(info.inertia.cwiseProduct(spin)) -
           info.mass * info.free_acceleration.dot(states_[k].position);
  }
  return sum;
}

double GroupJoints::largest_residual() const {
  double largest = 0.0;
  for (const HeldJoint& held : joints_) {
    const auto first = static_cast<std::size_t>(held.first_row);
    for (std::size_t r = first; r < first + static_cast<std::size_t>(held.rows); ++r)
      largest = std::max(largest, std::abs(system_.offsets()[r].residual) / size(held));
  }
  return largest;
}

}  // namespace carom::smooth
