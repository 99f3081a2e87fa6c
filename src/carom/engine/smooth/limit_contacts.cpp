#include "carom/engine/smooth/limit_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/gap_search.h"
#include "carom/engine/smooth/joined_bodies.h"

namespace carom::smooth {

namespace {

/// How far a limit yields, relative to its joint or to the way between two limits.
constexpr double kLimitYields = 1e-3;

}  // namespace

PairGeometry limit_geometry(const Model& model, const LimitIndex& limit) {
  const Joint& joint = model.joints[limit.joint];
  PairGeometry geometry;
  geometry.a = joint.ends[0].body;
  geometry.b = joint.ends[1].body == kNone ? ObjectIndex(model.object_count()) : ObjectIndex(joint.ends[1].body);
  return geometry;
}

ContactMotion limit_motion(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states) {
  const JointRow row = limit_row(kinematics, limit, states);
  const bool shift = is_shift(kinematics.model().joints[limit.joint].kind, limit.coordinate);
  ContactMotion motion;
  motion.touch.depth = -row.residual;
  motion.touch.normal = shift ? row.sides[0].linear : Vector3d(row.sides[0].angular / limit_arm(kinematics, limit));
  motion.touch.point = states.sides[0]->position + kinematics.lever(limit.joint, states);
  motion.rate = rate_of(row, states);
  return motion;
}

Meeting LimitContacts::standing(const LimitIndex& limit, double now) const {
  const ContactMotion motion =
      limit_motion(environment_.kinematics(), limit, joint_states(environment_, paths_, limit.joint, now));
  return {motion.touch, motion.rate};
}

Contact LimitContacts::make(const LimitIndex& limit, double now) const {
  Contact contact;
  contact.limit = limit;
  contact.arm = limit_arm(environment_.kinematics(), limit);
  contact.geometry = limit_geometry(environment_.model(), limit);
  contact.began = now;
  const Meeting at = standing(limit, now);
  contact.first_rate = at.rate;
  contact.pressed = at.touch.depth > 0.0;
  prepare(contact, now);
  return contact;
}

void LimitContacts::prepare(Contact& contact, double now) const {
  contact.approach = std::max(-standing(contact.limit, now).rate, 0.0);
  const JointIndex joint = contact.limit.joint;
  const JointRow row =
      limit_row(environment_.kinematics(), contact.limit, joint_states(environment_, paths_, joint, now));
  contact.reduced_mass =
      JoinedBodies(environment_, paths_, BodyIndex(contact.geometry.a.slot()), now).mass_along(row, joint);
  laws_.prepare_limit(contact, stiffness(contact));
}

double LimitContacts::stiffness(const Contact& contact) const {
  const Joint& joint = environment_.model().joints[contact.limit.joint];
  if (joint.limit_stiffness) return *joint.limit_stiffness / (contact.arm * contact.arm);
  const JointRange& range = joint.ranges[static_cast<std::size_t>(contact.limit.coordinate)];
  const double length =
      std::min(environment_.kinematics().size(contact.limit.joint), contact.arm * (range.upper - range.lower));
  double pull = 0.0;
  for (const BodyIndex body : environment_.kinematics().bodies(contact.limit.joint))
    if (body != kNone) pull = std::max(pull, environment_.body(body).free_acceleration.norm());
  const double speed = std::max({contact.approach, std::sqrt(pull * length), length});
  const double rate = speed / (kLimitYields * length);
  return contact.reduced_mass * rate * rate;
}

// ------------------------------------------------------------------------------------------------- when they are met

namespace {

/// Bounds of a body's motion over the present step of its group.
MotionBounds bounds_in_step(const Motions& motions, const Group& group, ObjectIndex object) {
  MotionBounds bounds;
  if (!motions.is_body(object)) return bounds;
  const Track& track = motions.paths.track(object);
  const Stepper& stepper = *group.stepper;
  const double h = stepper.trial_time() - stepper.time();
  const SlotIndex slot = group.slot_of(object);
  bounds.speed = track.speed;
  bounds.acceleration = 2.0 * track.c[2].norm() + track.variation;
  bounds.spin = group.turning(slot) / h;
  const GroupLayout::Slot& of = group.dynamics.layout().slots()[slot];
  if (!of.spins()) return bounds;
  const auto spin_at = [&](std::span<const double> y) { return vector_at(y.data() + of.rest + 4); };
  // Of the cubic through values and slopes at both ends.
  bounds.spin_rate = 1.5 * (spin_at(stepper.trial_y()) - spin_at(stepper.y())).norm() / h +
                     spin_at(stepper.slope()).norm() + spin_at(stepper.trial_slope()).norm();
  return bounds;
}

}  // namespace

void find_limits(const Motions& motions, Group& group) {
  const double duration = group.end - group.start;
  if (!(duration > 0.0)) return;
  const JointKinematics& kinematics = motions.environment().kinematics();
  for (const LimitIndex& limit : group.dynamics.open_limits()) {
    Contact probe;
    probe.limit = limit;
    probe.geometry = limit_geometry(motions.model(), limit);
    probe.slot_a = group.slot_of(probe.geometry.a);
    probe.slot_b = motions.is_body(probe.geometry.b) ? group.slot_of(probe.geometry.b) : SlotIndex(kNone);
    const contact::GapFunction gap = [&](double tau) {
      const GroupDynamics::Gap at = motions.gap_at(group, probe, group.start + tau);
      return contact::GapSample{at.gap, at.rate};
    };
    const BodyState first = motions.paths.state(probe.geometry.a);
    const BodyState second = motions.is_body(probe.geometry.b) ? motions.paths.state(probe.geometry.b) : BodyState{};
    JointStates states;
    states.sides = {&first, &second, nullptr, nullptr};
    states.near = motions.paths.turns()[limit.joint];
    contact::GapSearch search;
    search.end = group.end - group.start;
    search.noise = search.closed = contact::kGapRoundoff * kinematics.size(limit.joint);
    search.bound = limit_acceleration_bound(kinematics, limit, states, bounds_in_step(motions, group, probe.geometry.a),
                                            bounds_in_step(motions, group, probe.geometry.b), duration);
    const std::optional<double> found = contact::first_closing(gap, search).time;
    if (!found || (group.start + *found >= group.end && !group.at_end.is_nothing())) continue;
    group.end = std::min(group.end, group.start + *found);
    group.at_end = StretchEnd::meeting_of_limit(limit);
  }
}

}  // namespace carom::smooth
