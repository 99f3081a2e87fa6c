/// What the script of a model asks the compliant engine for: joints that let go, pushes, motors that change, contacts
/// that come into play.
///
/// Whatever happens, all groups stand still at that instant and are made anew from there. A joint that is released or
/// gets another motor makes a new model, and with it everything that knows the model.

#include <algorithm>

#include "carom/engine/smooth/limit_contacts.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom {

using namespace smooth;

namespace {

/// Objects that overlap by less than this, relative to the smaller one, touch.
constexpr double kOverlapOfTouch = 1e-9;

}  // namespace

SmoothEngine::Halted SmoothEngine::halt() {
  Halted all;
  for (const GroupIndex index : motions_.groups.indices()) {
    const Group& group = motions_.groups[index];
    if (!group.alive || !arrive(index, now_)) continue;
    all.bodies.insert(all.bodies.end(), group.dynamics.bodies.begin(), group.dynamics.bodies.end());
    all.contacts.insert(all.contacts.end(), group.dynamics.contacts.begin(), group.dynamics.contacts.end());
    if (group.integrated) all.step = all.step == 0.0 ? group.next_step : std::min(all.step, group.next_step);
    dissolve(index);
  }
  std::sort(all.bodies.begin(), all.bodies.end());
  return all;
}

void SmoothEngine::go_on_from(const Halted& all) {
  regroup_and_go_on(all.bodies, all.contacts, all.step);
}

void SmoothEngine::take_model(std::shared_ptr<const Model> model, const State& state) {
  environment_ = std::make_shared<const Environment>(std::move(model), environment_->options());
  laws_ = std::make_shared<const ContactLaws>(environment_);
  motions_ = Motions(environment_, state);
  timeline_ = Timeline();
  stepping_.change_model(environment_, laws_);
  book_.change_laws(laws_);
  events_ = ContactEvents(environment_, laws_);
}

void SmoothEngine::change_joints(Model next, Halted& all) {
  const State state = halted_state();
  const double before = energy(motions_.model(), state).total();
  for (const GroupIndex index : motions_.groups.indices())
    if (const Stepper* const stepper = motions_.groups[index].stepper.get())
      log_.result.evaluations += stepper->evaluations();
  Indexed<BodyIndex, char> plays;
  for (const BodyIndex body : state.bodies.indices()) plays.push_back(motions_.paths.in_play(body) ? 1 : 0);
  ScriptProgress progress = motions_.script;
  take_model(std::make_shared<const Model>(std::move(next)), state);
  for (const BodyIndex body : state.bodies.indices())
    if (plays[body] == 0) motions_.paths.leave_play(body);
  motions_.script = std::move(progress);
  const Model& model = motions_.model();
  for (std::size_t i = motions_.script.is_on.size(); i < model.switches.size(); ++i) {
    motions_.script.holds.push_back(1);
    motions_.script.is_on.push_back(are_apart(model.switches[i]) ? 1 : 0);
  }
  for (Contact& contact : all.contacts) {
    if (contact.is_limit()) continue;
    PairGeometry geometry = environment_->geometry(contact.geometry.a, contact.geometry.b, contact.geometry.feature);
    geometry.late = contact.geometry.late;
    geometry.known = contact.geometry.known;
    geometry.arc_end = contact.geometry.arc_end;
    contact.geometry = geometry;
  }
  // What springs of joints that let go had stored.
  log_.result.energy.cut_off += before - energy(model, state).total();
}

State SmoothEngine::halted_state() const {
  State state;
  state.time = now_;
  state.bodies = motions_.paths.states();
  state.turns = motions_.paths.turns();
  return state;
}

bool SmoothEngine::are_apart(const ContactSwitch& contacts) const {
  const double size = environment_->smaller_size(contacts.a, contacts.b);
  return motions_.distance_at(contacts.a, contacts.b, now_).gap >= -kOverlapOfTouch * size;
}

/// Puts the velocities of what joints connect with a body on these; returns what motors and walls did for that.
JoinedBodies::Held SmoothEngine::hold_velocities(BodyIndex body, ScriptedJump& jump) {
  JoinedBodies joined(*environment_, motions_.paths, body, now_);
  JoinedBodies::Held held = joined.held_velocities();
  for (std::size_t k = 0; k < joined.bodies().size(); ++k) motions_.paths.set_state(joined.bodies()[k], held.states[k]);
  log_.result.energy.motor_work += held.motor_work;
  log_.result.energy.wall_work += held.wall_work;
  jump.add(held.impulses);
  return held;
}

double SmoothEngine::kinetic_energy_of_all() const {
  double sum = 0.0;
  for (const BodyIndex body : motions_.paths.states().indices())
    sum += smooth::kinetic_energy(environment_->body(body), motions_.paths.state(body));
  return sum;
}

// ------------------------------------------------------------------------------------------------- actions

void SmoothEngine::act(const ReleaseJoint& release, Halted& all, ScriptedJump& /*jump*/) {
  const Model& model = motions_.model();
  // What its limits have stored is lost.
  std::erase_if(all.contacts, [&](Contact& contact) {
    if (!contact.is_limit() || contact.limit.joint != release.joint) return false;
    events_.report_end(contact, motions_.paths, now_, log_);
    log_.result.energy.cut_off += contact.normal.stored(
        LimitContacts(*environment_, *laws_, motions_.paths).standing(contact.limit, now_).touch.depth);
    book_.end_contact(contact, log_.result.energy);
    ++log_.result.contacts_opened;
    return true;
  });
  change_joints(without_joint(model, release.joint, now_), all);
}

void SmoothEngine::act(const GiveImpulse& push, Halted& /*all*/, ScriptedJump& jump) {
  const double before = kinetic_energy_of_all();
  const BodyState old = motions_.paths.state(push.body);
  BodyState state = old;
  const BodyInfo& body = environment_->body(push.body);
  const Quaterniond principal = state.orientation * body.principal_axes;
  state.velocity += body.inverse_mass * push.impulse;
  state.angular_velocity +=
      principal * Vector3d((principal.conjugate() * push.angular_impulse).cwiseQuotient(body.inertia));
  motions_.paths.set_state(push.body, state);
  const JoinedBodies::Held held = hold_velocities(push.body, jump);
  const BodyState& after = motions_.paths.state(push.body);
  jump.work += 0.5 * (push.impulse.dot(old.velocity + after.velocity) +
                      push.angular_impulse.dot(old.angular_velocity + after.angular_velocity)) +
               held.motor_work + held.wall_work;
  log_.result.energy.torque_work += kinetic_energy_of_all() - before - held.motor_work - held.wall_work;
}

void SmoothEngine::act(const SwitchMotor& change, Halted& all, ScriptedJump& jump) {
  const double place = environment_->kinematics().coordinate(
      change.joint, change.coordinate, joint_states(*environment_, motions_.paths, change.joint, now_));
  change_joints(with_motor(motions_.model(), change, place, now_), all);
  const double before = kinetic_energy_of_all();
  const JoinedBodies::Held held = hold_velocities(motions_.model().joints[change.joint].ends[0].body, jump);
  const double gained = kinetic_energy_of_all() - before;
  jump.work += gained;
  log_.result.energy.cut_off += held.motor_work + held.wall_work - gained;
}

void SmoothEngine::act(const StopRun& /*stop*/, Halted& /*all*/, ScriptedJump& /*jump*/) {}

void SmoothEngine::run_script(int which) {
  const auto index = static_cast<std::size_t>(which);
  if (motions_.script.has_happened[index]) return;
  motions_.script.has_happened[index] = 1;
  Halted all = halt();
  if (failed()) return;
  const Indexed<BodyIndex, BodyState> before = motions_.paths.states();
  ScriptedJump jump;
  bool stops = false;
  const std::vector<ScriptedAction> actions = motions_.model().script[index].actions;
  for (const ScriptedAction& action : actions) {
    std::visit([&](const auto& typed) { act(typed, all, jump); }, action);
    stops = stops || std::holds_alternative<StopRun>(action);
  }
  events_.report_scripted({which, now_, jump, before}, motions_.paths, log_);
  script_watch_.begin_anew(motions_.model());
  go_on_from(all);
  if (stops && !failed()) log_.stop(RunStop::scripted);
}

void SmoothEngine::note_impact(const Contact& contact, std::vector<int>& due) {
  const std::vector<int> more =
      motions_.script.count_impact(motions_.model(), [&](int /*which*/, const AtImpact& impact) {
        return contact.is_limit() ? impact.joint == contact.limit.joint
                                  : impact.is_of(contact.geometry.a, contact.geometry.b);
      });
  due.insert(due.end(), more.begin(), more.end());
}

void SmoothEngine::run_scripts(const std::vector<int>& due) {
  for (const int which : due)
    if (!log_.stopped()) run_script(which);
}

// ------------------------------------------------------------------------------------------------- conditions

void SmoothEngine::change_condition(int which, bool still_holds) {
  const auto index = static_cast<std::size_t>(which);
  const ContactSwitch contacts = motions_.model().switches[index];
  ScriptProgress& progress = motions_.script;
  const Halted all = halt();
  if (failed()) return;
  progress.holds[index] = still_holds || !progress.holds[index];
  if (progress.holds[index]) {
    progress.is_on[index] = progress.is_on[index] || still_holds || are_apart(contacts);
  } else {
    progress.is_on[index] = progress.is_on[index] && touch(all.contacts, contacts);
  }
  go_on_from(all);
}

bool SmoothEngine::touch(const std::vector<Contact>& all, const ContactSwitch& contacts) {
  return std::any_of(all.begin(), all.end(), [&](const Contact& contact) {
    return !contact.is_limit() && contacts.is_of(contact.geometry.a, contact.geometry.b);
  });
}

void SmoothEngine::switch_off_opened(const std::vector<Contact>& left) {
  const Model& model = motions_.model();
  for (std::size_t i = 0; i < model.switches.size(); ++i) {
    const auto* level = std::get_if<Level>(&model.switches[i].on);
    if (level == nullptr || !motions_.script.is_on[i] || motions_.script.holds[i]) continue;
    if (!touch(left, model.switches[i])) motions_.script.is_on[i] = 0;
  }
}

std::shared_ptr<const Model> SmoothEngine::changed_model() const {
  return std::make_shared<const Model>(motions_.script.noted_in(motions_.model()));
}

}  // namespace carom
