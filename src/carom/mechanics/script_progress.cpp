#include "carom/mechanics/script_progress.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/meeting.h"

namespace carom {

ScriptProgress::ScriptProgress(const Model& model, double now, const std::function<double(const Level&)>& level_of) {
  for (const ScriptedEvent& event : model.script) {
    has_happened.push_back(event.has_happened ? 1 : 0);
    impacts.push_back(event.impacts);
  }
  for (const ContactSwitch& each : model.switches) {
    const auto* time = std::get_if<AtTime>(&each.on);
    holds.push_back(time != nullptr ? now >= time->time : level_of(std::get<Level>(each.on)) > 0.0);
  }
  is_on = holds;
  for (std::size_t i = 0; i < is_on.size(); ++i)
    if (model.switches[i].until_apart) is_on[i] = 0;
}

bool ScriptProgress::waits_for_time(const Model& model) const {
  for (std::size_t i = 0; i < has_happened.size(); ++i)
    if (!has_happened[i] && std::holds_alternative<AtTime>(model.script[i].trigger)) return true;
  for (std::size_t i = 0; i < holds.size(); ++i)
    if (!holds[i] && std::holds_alternative<AtTime>(model.switches[i].on)) return true;
  return false;
}

std::vector<int> ScriptProgress::count_impact(const Model& model,
                                              const std::function<bool(int, const AtImpact&)>& is_it) {
  std::vector<int> due;
  for (std::size_t i = 0; i < has_happened.size(); ++i) {
    const auto* impact = std::get_if<AtImpact>(&model.script[i].trigger);
    if (impact == nullptr || has_happened[i] || !is_it(static_cast<int>(i), *impact)) continue;
    if (++impacts[i] == impact->count) due.push_back(static_cast<int>(i));
  }
  return due;
}

Model ScriptProgress::noted_in(Model model) const {
  for (std::size_t i = 0; i < model.script.size(); ++i) {
    model.script[i].has_happened = has_happened[i] != 0;
    model.script[i].impacts = impacts[i];
  }
  for (std::size_t i = 0; i < model.switches.size(); ++i) model.switches[i].until_apart = holds[i] && !is_on[i];
  return model;
}

std::vector<JointIndex> joints_gone_with(const Model& model, JointIndex joint) {
  std::vector<JointIndex> joints{joint};
  for (const JointIndex other : model.joints.indices()) {
    const Joint& gear = model.joints[other];
    if (gear.kind == JointKind::gear && (gear.geared[0] == joint || gear.geared[1] == joint)) joints.push_back(other);
  }
  return joints;
}

Model without_joint(const Model& model, JointIndex joint, double now) {
  Model next = model;
  for (const JointIndex gone : joints_gone_with(model, joint)) {
    next.joints[gone].released = true;
    next.joints[gone].drives = {};
    next.joints[gone].ranges = {};
  }
  const BodyIndex a = model.joints[joint].ends[0].body, b = model.joints[joint].ends[1].body;
  if (a != kNone && b != kNone && can_meet(model.parts(a), model.parts(b)) && !MeetingRules(model).may_meet(a, b) &&
      MeetingRules(next).may_meet(a, b))
    next.switches.push_back({ObjectIndex(a), ObjectIndex(b), AtTime{now}});
  next.changes.push_back({ReleaseJoint{joint}, now});
  return next;
}

Model with_motor(const Model& model, const SwitchMotor& change, double place, double now) {
  Model next = model;
  JointMotor& motor = next.joints[change.joint].drives[static_cast<std::size_t>(change.coordinate)].motor;
  motor = {};
  motor.force = change.force;
  if (change.speed) motor.position = PolynomialProfile{{place - *change.speed * now, *change.speed}};
  next.changes.push_back({change, now, place});
  return next;
}

Model with_changes(Model model, const std::vector<ScriptChange>& changes) {
  for (const ScriptChange& change : changes) {
    if (const auto* const release = std::get_if<ReleaseJoint>(&change.action)) {
      model = without_joint(model, release->joint, change.time);
    } else {
      model = with_motor(model, std::get<SwitchMotor>(change.action), change.place, change.time);
    }
  }
  return model;
}

double roundoff_of(const Level& level, const JointKinematics& joints, const StateView& view) {
  constexpr double kRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
  const Model& model = joints.model();
  const auto size_of = [&](const StateQuantity& quantity) {
    using Of = StateQuantity::Kind;
    const bool shift = quantity.is_of_joint() && is_shift(model.joints[quantity.joint].kind, quantity.component);
    double size = quantity.kind == Of::coordinate ? std::abs(value_of(quantity, joints, view)) : 0.0;
    if (quantity.kind == Of::coordinate && !shift) return std::max(size, 1.0);
    for (const BodyIndex body : bodies_of(model, quantity)) {
      const BodyState& state = view.state_of(body);
      if (quantity.kind == Of::position || quantity.kind == Of::coordinate) {
        size = std::max(size, state.position.norm());
      } else if (quantity.kind == Of::velocity || shift) {
        size = std::max(size, state.velocity.norm());
      } else {
        size = std::max(size, state.angular_velocity.norm());
      }
    }
    return size;
  };
  return kRoundoff * (size_of(level.first) + (level.second ? size_of(*level.second) : 0.0) + std::abs(level.value));
}

}  // namespace carom
