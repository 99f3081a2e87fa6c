#include "carom/engine/smooth/group_dynamics.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/contact_forces.h"
#include "carom/engine/smooth/limit_contacts.h"

namespace carom::smooth {

namespace {

/// Euler's equation, in the world frame.
Vector3d angular_acceleration(const BodyInfo& info, const BodyMotion& motion) {
  if (info.round) return motion.torque / info.inertia[0];
  const Quaterniond principal = motion.attitude * info.principal_axes;
  const Vector3d spin = principal.conjugate() * motion.spin;
  const Vector3d torque = principal.conjugate() * motion.torque;
  const Vector3d rate = (torque - spin.cross(info.inertia.cwiseProduct(spin))).cwiseQuotient(info.inertia);
  return principal * rate;
}

}  // namespace

void GroupDynamics::begin(double time, const Indexed<BodyIndex, BodyState>& states,
                          const Indexed<JointIndex, JointTurns>& turns, std::vector<double>& y) {
  layout_.begin(time, bodies, states, contacts);
  layout_.write(states, contacts, y);
  other_forces_.begin(bodies);
  motions_.resize(bodies.size());
  constraints_.resize(bodies.size());
  constrained_ = false;
  for (const SlotIndex slot : bodies.indices()) {
    const BodyState& state = states[bodies[slot]];
    motions_[slot].attitude = state.orientation;
    motions_[slot].spin = state.angular_velocity;
    motions_[slot].torque.setZero();
    constraints_[slot] = BodyConstraints(*environment_, bodies[slot], state, time);
    constrained_ = constrained_ || constraints_[slot].needs_projection();
  }
  linear_.at.reset();
  if (linear_.stiffness) linear_.stiffness->begin();
  linearises_ = environment_->options().locate_events &&
                std::all_of(bodies.begin(), bodies.end(),
                            [this](BodyIndex body) {
                              const BodyInfo& info = environment_->body(body);
                              return info.constraints.empty() && info.joints.empty();
                            }) &&
                std::none_of(contacts.begin(), contacts.end(), [](const Contact& contact) { return contact.held; });
  if (!environment_->has_joints()) return;
  joints_->begin(bodies, constraints_, turns);
  constrained_ = constrained_ || has_joints();
  if (has_dry_joints()) choose_dry_modes(time, y.data());
}

// ------------------------------------------------------------------------------------------------- right-hand side

void GroupDynamics::read_motions(const double* y) {
  for (const SlotIndex index : motions_.indices()) {
    BodyMotion& motion = motions_[index];
    const GroupLayout::Slot& slot = layout_.slots()[index];
    motion.force.setZero();
    motion.position = vector_at(y + layout_.position(index));
    motion.velocity = vector_at(y + layout_.velocity(index));
    if (!slot.spins()) continue;  // its spin and attitude stand there since begin()
    const double* const rest = y + slot.rest;
    motion.attitude = attitude_at(rest);
    if (environment_->body(slot.body).attitude_acts) motion.attitude.normalize();
    motion.spin = vector_at(rest + 4);
    motion.torque.setZero();
  }
}

void GroupDynamics::slope(double time, const double* y, double* slope) {
  read_motions(y);
  const OtherPowers powers = other_forces_.empty() ? OtherPowers{} : other_forces_.add(motions_);
  const JointPowers pushed = has_joints() ? joints_->add_forces(time, motions_) : JointPowers{};
  if (has_limits()) joints_->add_limit_forces(time, contacts, motions_, slope);
  const double wall_power =
      contacts.empty() ? 0.0
                       : add_contact_forces(*environment_, contacts, {time, y, slope, motions_.data()}, obstacles_);
  for (const SlotIndex index : motions_.indices()) {
    const GroupLayout::Slot& slot = layout_.slots()[index];
    const BodyInfo& info = environment_->body(slot.body);
    const BodyMotion& motion = motions_[index];
    Vector3d linear = info.free_acceleration + info.inverse_mass * motion.force;
    put(motion.velocity, slope + layout_.position(index));
    if (!slot.spins() && (info.in_plane || info.constraints.empty())) {
      if (info.in_plane) linear -= info.plane_normal.dot(linear) * info.plane_normal;
      put(linear, slope + layout_.velocity(index));
      continue;
    }
    Vector3d angular = slot.spins() ? angular_acceleration(info, motion) : Vector3d(Vector3d::Zero());
    if (info.in_plane) {
      linear -= info.plane_normal.dot(linear) * info.plane_normal;
      angular = info.plane_normal.dot(angular) * info.plane_normal;
    } else if (!info.constraints.empty() && info.joints.empty()) {
      constraints_[index].constrain(motion, time, slot.spins(), linear, angular);
    }
    put(linear, slope + layout_.velocity(index));
    if (!slot.spins()) continue;
    const Quaterniond turning = Quaterniond(0.0, motion.spin.x(), motion.spin.y(), motion.spin.z()) * motion.attitude;
    double* const rest = slope + slot.rest;
    rest[0] = 0.5 * turning.w();
    put(0.5 * turning.vec(), rest + 1);
    put(angular, rest + 4);
  }
  const JointPowers held = has_joints() ? joints_->hold(time, motions_, layout_, slope) : JointPowers{};
  if (layout_.works() == kNone) return;
  double* const works = slope + layout_.works();
  works[0] = powers.damping + pushed.damping;
  works[1] = wall_power + held.walls;
  works[2] = powers.torque;
  if (!environment_->has_joints()) return;
  works[3] = pushed.motors + held.motors;
  works[4] = pushed.friction;
}

// ------------------------------------------------------------------------------------------------- what is quick in it

void GroupDynamics::linearise(double time, const double* y) {
  if (linear_.at == time) return;
  if (!linear_.stiffness) linear_.stiffness = std::make_unique<GroupStiffness>();
  linear_.at = time;
  linear_.stiffness->clear(*environment_, layout_, y);
  for (const Contact& contact : contacts) linear_.stiffness->add(contact, motion_of(contact, time, y), y);
}

double GroupDynamics::quickest_rate(double time, const double* y) {
  linearise(time, y);
  return linear_.stiffness->quickest_rate();
}

void GroupDynamics::factor(double time, const double* y, double c) {
  linearise(time, y);
  linear_.stiffness->factor(c);
}

// ------------------------------------------------------------------------------------------------- contacts

GroupDynamics::Gap GroupDynamics::gap(const Contact& contact, double time, const double* y) const {
  const PairGeometry& g = contact.geometry;
  const bool alone = contact.slot_b == kNone;
  // The spin of a ball does not change its gap, nor does that of what is round about its own axis.
  if (contact.round && !contact.dented && (alone || !g.axial())) {
    const ObstacleState& obstacle = alone ? obstacles_.at(g.b, time) : kNoObstacle;
    const Vector3d centre = alone ? obstacle.place.position : vector_at(y + layout_.position(contact.slot_b));
    const Vector3d velocity = alone ? obstacle.velocity : vector_at(y + layout_.velocity(contact.slot_b));
    Vector3d normal;
    double gap = 0.0;
    if ((!g.axial() || obstacle.spins_about_axis) &&
        round_gap(g, vector_at(y + layout_.position(contact.slot_a)) - centre, obstacle.axis, gap, normal))
      return {gap, normal.dot(vector_at(y + layout_.velocity(contact.slot_a)) - velocity)};
  }
  const ContactMotion motion = motion_of(contact, time, y);
  return {-motion.touch.depth, motion.rate};
}

ContactMotion GroupDynamics::motion_of(const Contact& contact, double time, const double* y) const {
  if (contact.is_limit()) {
    const BodyState first = layout_.body_state(contact.slot_a, time, y);
    const BodyState second = contact.slot_b == kNone ? BodyState{} : layout_.body_state(contact.slot_b, time, y);
    JointStates states;
    states.sides = {&first, &second, nullptr, nullptr};
    states.near = joints_->turns_of(contact.limit.joint);
    states.time = time;
    return limit_motion(environment_->kinematics(), contact.limit, states);
  }
  BodyMotion a, b;
  layout_.read(contact.slot_a, y, a);
  const Model& model = environment_->model();
  if (contact.slot_b == kNone)
    return contact_motion(model, contact.geometry, {a, nullptr, obstacles_.at(contact.geometry.b, time)});
  layout_.read(contact.slot_b, y, b);
  return contact_motion(model, contact.geometry, {a, &b, kNoObstacle});
}

std::vector<LimitIndex> GroupDynamics::open_limits() const {
  std::vector<LimitIndex> open;
  for (const LimitIndex& limit : joints_->limits())
    if (std::none_of(contacts.begin(), contacts.end(),
                     [&](const Contact& contact) { return contact.is_limit() && contact.limit == limit; }))
      open.push_back(limit);
  return open;
}

GroupDynamics::Stored GroupDynamics::stored(const Contact& contact, double time, const double* y) const {
  if (contact.held) return {};
  const ContactMotion motion = motion_of(contact, time, y);
  Stored energy{contact.normal.stored(motion.touch.depth), 0.0};
  if (contact.has_spring) {
    const double stiffness = contact.friction.spring_stiffness;
    const double most = contact.friction.mu * contact.normal.evaluate(motion.touch.depth, -motion.rate).force;
    const double stretch = std::min(vector_at(y + contact.extra + 6).norm(), most / stiffness);
    energy.tangential = 0.5 * stiffness * stretch * stretch;
  }
  return energy;
}

GroupDynamics::Works GroupDynamics::works(const double* y) const {
  if (layout_.works() == kNone) return {};
  const double* const works = y + layout_.works();
  if (!environment_->has_joints()) return {works[0], works[1], works[2]};
  return {works[0], works[1], works[2], works[3], works[4]};
}

// ------------------------------------------------------------------------------------------------- constraints

double GroupDynamics::drift(double time, const double* y) const {
  double largest = 0.0;
  for (const SlotIndex slot : bodies.indices())
    largest = std::max(largest, constraints_[slot].drift(vector_at(y + layout_.position(slot)), time));
  return largest;
}

GroupDynamics::Projected GroupDynamics::project(double time, double* y) {
  Projected projected;
  if (has_joints()) {
    read_motions(y);
    projected.kept = joints_->project(time, motions_);
    projected.taken = joints_->taken();
    projected.error = joints_->residual();
    for (const SlotIndex index : bodies.indices()) {
      if (environment_->body(bodies[index]).joints.empty()) continue;
      const BodyMotion& motion = motions_[index];
      double* const rest = y + layout_.slots()[index].rest;
      put(motion.position, y + layout_.position(index));
      put(motion.velocity, y + layout_.velocity(index));
      rest[0] = motion.attitude.w();
      put(motion.attitude.vec(), rest + 1);
      put(motion.spin, rest + 4);
    }
  }
  for (const SlotIndex index : bodies.indices()) {
    const BodyInfo& info = environment_->body(bodies[index]);
    if (info.constraints.empty() || !info.joints.empty()) continue;
    const GroupLayout::Slot& slot = layout_.slots()[index];
    BodyMotion motion;
    layout_.read(index, y, motion);
    constraints_[index].project(motion, time, slot.spins());
    put(motion.position, y + layout_.position(index));
    put(motion.velocity, y + layout_.velocity(index));
    if (slot.spins()) put(motion.spin, y + slot.rest + 4);
  }
  return projected;
}

// ------------------------------------------------------------------------------------------------- joints

void GroupDynamics::note_turns(double time, const double* y, Indexed<JointIndex, JointTurns>& turns) {
  read_motions(y);
  joints_->note_turns(time, motions_, turns);
}

void GroupDynamics::write_joint_loads(double time, const double* y, Indexed<JointIndex, JointLoad>& loads) {
  scratch_.resize(static_cast<std::size_t>(size()));
  joints_->want_forces(true);
  slope(time, y, scratch_.data());
  joints_->write_loads(loads);
  joints_->want_forces(false);
}

double GroupDynamics::longest_step(double time, const double* y) {
  read_motions(y);
  return joints_->longest_step(time, motions_);
}

double GroupDynamics::dry_margin(double time, const double* y) {
  scratch_.resize(static_cast<std::size_t>(size()));
  slope(time, y, scratch_.data());
  return joints_->dry_margin();
}

/// Those that do not move stick, but for the ones that friction cannot hold.
void GroupDynamics::choose_dry_modes(double time, const double* y) {
  constexpr double kSlow = 1e-6;  // of the speeds at hand: about to end, or only begun
  scratch_.resize(static_cast<std::size_t>(size()));
  slope(time, y, scratch_.data());
  double speed = 0.0;
  for (const SlotIndex slot : bodies.indices()) {
    const BodyInfo& info = environment_->body(bodies[slot]);
    const double pull =
        std::max(vector_at(scratch_.data() + layout_.velocity(slot)).norm(), info.free_acceleration.norm());
    speed = std::max(
        {speed, motions_[slot].velocity.norm(), motions_[slot].spin.norm() * info.size, std::sqrt(pull * info.size)});
  }
  joints_->choose_modes(time, motions_, kSlow * speed);
  do {
    slope(time, y, scratch_.data());
  } while (joints_->release_worst(time));
}

}  // namespace carom::smooth
