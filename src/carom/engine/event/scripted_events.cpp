/// What the script of a model asks the rigid engine for: joints that let go, pushes, motors that change, contacts that
/// come into play.
///
/// A model does not change; a joint that is released or gets another motor makes a new one, with which the engine goes
/// on from there. Velocities jump where a push or a motor of given speed asks for it, through all joints that hold.

#include <algorithm>

#include "carom/engine/event/event_engine.h"

namespace carom {

using namespace event;

namespace {

/// Objects that overlap by less than this, relative to the smaller one, touch.
constexpr double kTouches = 1e-9;

}  // namespace

void EventEngine::schedule_script() {
  const Model& model = world_.model();
  for (std::size_t i = 0; i < model.script.size(); ++i)
    if (const auto* at = std::get_if<AtTime>(&model.script[i].trigger);
        at != nullptr && !world_.progress().has_happened[i] && at->time >= world_.time())
      timeline_.add_timed(UpcomingEvent::What::scripted, static_cast<int>(i), at->time);
  for (std::size_t i = 0; i < model.switches.size(); ++i)
    if (const auto* at = std::get_if<AtTime>(&model.switches[i].on); at != nullptr && !world_.progress().holds[i])
      timeline_.add_timed(UpcomingEvent::What::condition, static_cast<int>(i), at->time);
}

std::vector<int> EventEngine::note_struck(std::vector<char>& counted) {
  const Model& model = world_.model();
  counted.resize(model.script.size(), 0);
  return world_.progress().count_impact(model, [&](int which, const AtImpact& impact) {
    char& before = counted[static_cast<std::size_t>(which)];
    if (before || !impacts_.struck(impact)) return false;
    before = 1;
    return true;
  });
}

void EventEngine::change_joints(Model next) {
  const State state = state_at(world_.time());
  const double before = energy(world_.model(), state).total();
  ScriptProgress& progress = world_.progress();
  world_.change_joints(std::make_shared<const Model>(std::move(next)));
  const Model& model = world_.model();
  dynamics_.change_joints(model);
  // Bodies that a joint has let go of may meet from now on, or as soon as they do not overlap.
  for (std::size_t i = progress.is_on.size(); i < model.switches.size(); ++i) {
    progress.holds.push_back(1);
    progress.is_on.push_back(are_apart(model.switches[i]) ? 1 : 0);
  }
  // What springs of joints that let go had stored.
  log_.result.energy.cut_off += before - energy(model, state).total();
}

bool EventEngine::are_apart(const ContactSwitch& contacts) const {
  const double size = std::min(world_.object(contacts.a).size, world_.object(contacts.b).size);
  return world_.distance_after(contacts.a, contacts.b, 0.0).gap >= -kTouches * size;
}

std::shared_ptr<const Model> EventEngine::changed_model() const {
  return std::make_shared<const Model>(world_.progress().noted_in(world_.model()));
}

VelocityCorrection EventEngine::hold_joints(const Bodies& bodies, ScriptedJump& jump) {
  closed_.gather(world_, bodies);
  VelocityCorrection sum;
  Indexed<JointIndex, JointLoad> impulses;
  impulses.assign(world_.model().joints.size(), {});
  for (Island& group : connected_groups(world_, closed_.bodies(), {})) {
    if (group.joints.empty() && group.constraints.empty()) continue;
    write_state(world_, group);
    const std::optional<VelocityCorrection> correction =
        dynamics_.hold_velocities(group, world_.time(), group.state.data(), impulses);
    if (!correction) continue;
    sum.cut_off += correction->cut_off;
    sum.wall_work += correction->wall_work;
    sum.motor_work += correction->motor_work;
    read_state(world_, group, group.state.data());
  }
  jump.add(impulses);
  return sum;
}

void EventEngine::book(const VelocityCorrection& correction) {
  EnergyBook& energy = log_.result.energy;
  energy.cut_off += correction.cut_off;
  energy.motor_work += correction.motor_work;
  energy.wall_work += correction.wall_work;
}

void EventEngine::act(const ReleaseJoint& release, ScriptedJump& jump) {
  for (const JointIndex joint : joints_gone_with(world_.model(), release.joint))
    for (const BodyIndex body : world_.joints().bodies(joint))
      if (body != kNone) jump.bodies.push_back(body);
  change_joints(without_joint(world_.model(), release.joint, world_.time()));
}

void EventEngine::act(const GiveImpulse& push, ScriptedJump& jump) {
  jump.bodies.push_back(push.body);
  closed_.gather(world_, {push.body});
  const Bodies connected = closed_.bodies();
  const double before = world_.kinetic_energy(connected);
  const BodyState old = world_.now(push.body);
  BodyState state = old;
  const Object& body = world_.object(push.body);
  const Quaterniond principal = state.orientation * body.principal_axes;
  state.velocity += push.impulse / body.mass;
  state.angular_velocity +=
      principal * Vector3d((principal.conjugate() * push.angular_impulse).cwiseQuotient(body.inertia));
  world_.set_now(push.body, state);
  const VelocityCorrection held = hold_joints({push.body}, jump);
  const BodyState& after = world_.now(push.body);
  jump.work += 0.5 * (push.impulse.dot(old.velocity + after.velocity) +
                      push.angular_impulse.dot(old.angular_velocity + after.angular_velocity)) +
               held.motor_work + held.wall_work;
  EnergyBook& energy = log_.result.energy;
  energy.motor_work += held.motor_work;
  energy.wall_work += held.wall_work;
  energy.torque_work += world_.kinetic_energy(connected) - before - held.motor_work - held.wall_work;
}

void EventEngine::act(const SwitchMotor& change, ScriptedJump& jump) {
  const double place = world_.joints().coordinate(change.joint, change.coordinate, world_.states_of(change.joint));
  for (const BodyIndex body : world_.joints().bodies(change.joint))
    if (body != kNone) jump.bodies.push_back(body);
  change_joints(with_motor(world_.model(), change, place, world_.time()));
  const VelocityCorrection held = hold_joints(jump.bodies, jump);
  jump.work += held.motor_work + held.wall_work - held.cut_off;
  book(held);
}

void EventEngine::act(const StopRun& /*stop*/, ScriptedJump& /*jump*/) {}

void EventEngine::run_script(int which) {
  const auto index = static_cast<std::size_t>(which);
  if (world_.progress().has_happened[index]) return;
  world_.progress().has_happened[index] = 1;
  const std::vector<ScriptedAction> actions = world_.model().script[index].actions;
  ScriptedJump jump;
  Indexed<BodyIndex, BodyState> before;
  for (const BodyIndex body : world_.bodies()) before.push_back(world_.now(body));
  bool stops = false;
  for (const ScriptedAction& action : actions) {
    std::visit([&](const auto& typed) { act(typed, jump); }, action);
    stops = stops || std::holds_alternative<StopRun>(action);
  }
  if (log_.observed())
    draft_.report_scripted(
        {which, world_.time(), jump, before, [this](BodyIndex body) { return world_.now(body); },
         [this](BodyIndex body, const BodyState& state) { return world_.kinetic_energy(body, state); }},
        log_);
  Bodies& changed = jump.bodies;
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  if (!changed.empty()) resolve_and_settle(changed);
  if (stops && !log_.stopped()) log_.stop(RunStop::scripted);
}

void EventEngine::change_condition(int which, bool still_holds) {
  const auto index = static_cast<std::size_t>(which);
  const ContactSwitch& contacts = world_.model().switches[index];
  ScriptProgress& progress = world_.progress();
  progress.holds[index] = still_holds || !progress.holds[index];
  Bodies bodies{as_body(contacts.a)};
  if (world_.is_body(contacts.b)) bodies.push_back(as_body(contacts.b));
  const bool was_on = progress.is_on[index];
  if (progress.holds[index]) {
    progress.is_on[index] = was_on || still_holds || are_apart(contacts);
  } else {
    progress.is_on[index] = was_on && held_.any_between(contacts.a, contacts.b);
  }
  if (progress.is_on[index] && !was_on) {
    resolve_and_settle(bodies);
  } else {
    Bodies all;
    for (const BodyIndex body : world_.bodies()) all.push_back(body);
    timeline_.predict_script(situation(), all);
  }
}

void EventEngine::switch_off_opened(const std::vector<ContactPoint>& opened) {
  const Model& model = world_.model();
  for (const ContactPoint& contact : opened) {
    for (std::size_t i = 0; i < model.switches.size(); ++i) {
      const auto* level = std::get_if<Level>(&model.switches[i].on);
      if (level != nullptr && model.switches[i].is_of(contact.a, contact.b) && world_.level_after(*level, 0.0) <= 0.0)
        world_.progress().is_on[i] = world_.progress().holds[i] = 0;
    }
  }
}

}  // namespace carom
