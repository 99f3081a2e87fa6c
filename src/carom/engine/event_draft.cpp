#include "carom/engine/event_draft.h"

#include <algorithm>

namespace carom {

EventDraft& EventDraft::begin(EventKind kind, double time) {
  record = EventRecord{};
  record.kind = kind;
  record.time = time;
  contacts_.clear();
  jumps_.clear();
  joints_.clear();
  return *this;
}

ContactRecord& EventDraft::add_contact(ObjectIndex a, ObjectIndex b) {
  ContactRecord& contact = contacts_.emplace_back();
  contact.a = a;
  contact.b = b;
  return contact;
}

JointRecord& EventDraft::add_joint(JointIndex joint) {
  JointRecord& record_of_joint = joints_.emplace_back();
  record_of_joint.joint = joint;
  return record_of_joint;
}

void EventDraft::add_jump(BodyIndex body, const BodyState& before) {
  JumpRecord& jump = jumps_.emplace_back();
  jump.body = body;
  jump.velocity_before = before.velocity;
  jump.angular_velocity_before = before.angular_velocity;
}

void EventDraft::take_outcome(const ImpactOutcome& outcome) {
  record.law = outcome.law;
  record.steps = outcome.steps;
  record.stop = outcome.stop;
  record.energy = outcome.energy;
  record.min_impulse = outcome.audit.min_impulse;
  record.min_gap_rate_after = outcome.audit.min_gap_rate_after;
  record.constraint_residual = outcome.audit.constraint_residual;
  record.complementarity_residual = outcome.audit.complementarity_residual;
  record.flags = outcome.audit.flags;
}

void ScriptedJump::add(const Indexed<JointIndex, JointLoad>& more) {
  if (impulses.empty()) impulses.assign(more.size(), {});
  for (const JointIndex joint : more.indices()) {
    impulses[joint].force += more[joint].force;
    impulses[joint].couple += more[joint].couple;
    impulses[joint].unique = impulses[joint].unique && more[joint].unique;
  }
}

void EventDraft::report_scripted(const Scripted& event, RunLog& log) {
  begin(EventKind::scripted, event.time);
  record.script = event.which;
  // Velocities that are put on joints anew change by round-off.
  constexpr double kRoundOff = 1e-14;
  double fastest = 0.0, quickest = 0.0;
  for (const BodyState& state : event.before) {
    fastest = std::max(fastest, state.velocity.norm());
    quickest = std::max(quickest, state.angular_velocity.norm());
  }
  for (const BodyIndex body : event.before.indices()) {
    const BodyState& before = event.before[body];
    const BodyState now = event.after(body);
    if ((now.velocity - before.velocity).norm() <= kRoundOff * fastest &&
        (now.angular_velocity - before.angular_velocity).norm() <= kRoundOff * quickest)
      continue;
    add_jump(body, before);
    record.energy.before += event.kinetic_energy(body, before);
    record.energy.after += event.kinetic_energy(body, now);
  }
  finish_jumps(event.after);
  record.energy.change = record.energy.after - record.energy.before;
  record.energy.change_from_impulses = event.jump.work;
  for (const JointIndex joint : event.jump.impulses.indices()) {
    const JointLoad& impulse = event.jump.impulses[joint];
    if (impulse.force.isZero(0.0) && impulse.couple.isZero(0.0)) continue;
    JointRecord& held = add_joint(joint);
    held.force = impulse.force;
    held.couple = impulse.couple;
    if (!impulse.unique) record.flags.set(Flag::joint_forces_not_unique);
  }
  report(log);
}

void EventDraft::report(RunLog& log) {
  record.contacts = contacts_;
  record.jumps = jumps_;
  record.joints = joints_;
  log.report(record);
}

}  // namespace carom
