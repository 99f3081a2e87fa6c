#include "carom/engine/smooth/smooth_engine.h"

#include <algorithm>
#include <numeric>

#include "carom/base/error.h"
#include "carom/base/prefetch.h"
#include "carom/engine/smooth/first_contacts.h"
#include "carom/engine/smooth/group_rest.h"
#include "carom/mechanics/initial_gaps.h"

namespace carom {

using namespace smooth;

namespace {

/// Events at one instant that are taken for an endless repetition.
constexpr int kMostRepeats = 10000;
/// Events after which the energy is looked at, besides ten for each body.
constexpr int kEnergyLook = 200;

std::shared_ptr<const Environment> environment_of(std::shared_ptr<const Model> model, const State& initial,
                                                  const SmoothOptions& options) {
  validate(*model);
  validate(*model, initial);
  return std::make_shared<const Environment>(std::move(model), options);
}

Eigen::Vector3d momentum(const Model& model, const State& state) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const BodyIndex body : model.bodies.indices()) sum += model.bodies[body].mass * state.bodies[body].velocity;
  return sum;
}

/// What joints will let go of needs laws too, and is to be refused now rather than then.
void require_laws_after_releases(const std::shared_ptr<const Environment>& environment) {
  Model model = environment->model();
  for (const ScriptedEvent& event : environment->model().script)
    for (const ScriptedAction& action : event.actions)
      if (const auto* release = std::get_if<ReleaseJoint>(&action)) model = without_joint(model, release->joint, 0.0);
  if (model.switches.size() == environment->model().switches.size()) return;
  const ContactLaws checked(
      std::make_shared<const Environment>(std::make_shared<const Model>(std::move(model)), environment->options()));
}

std::shared_ptr<const ContactLaws> laws_of(const std::shared_ptr<const Environment>& environment,
                                           const State& initial) {
  auto laws = std::make_shared<const ContactLaws>(environment);
  validate(environment->options());
  require_no_overlap(environment->model(), initial, kCompliantOverlap);
  require_laws_after_releases(environment);
  return laws;
}

}  // namespace

SmoothEngine::SmoothEngine(std::shared_ptr<const Model> model, const State& initial, const SmoothOptions& options)
    : Engine(RunLog()),
      environment_(environment_of(std::move(model), initial, options)),
      laws_(laws_of(environment_, initial)),
      motions_(environment_, initial),
      encounters_(*environment_, motions_.paths.states()),
      stepping_(environment_, laws_),
      script_watch_(environment_->model()),
      book_(laws_),
      events_(environment_, laws_),
      rest_watch_(*environment_, *laws_),
      energy_watch_(environment_->model()),
      start_(initial.time),
      now_(initial.time),
      end_(now_ + options.duration) {
  motions_.paths.set_exact_at(end_);
  std::vector<Contact> stretched;
  if (options.settle) stretched = settle_resting_bodies(contact_maker(), motions_, encounters_);
  std::vector<Contact> contacts = first_contacts(contact_maker(), motions_, encounters_);
  take_stretches(contacts, stretched);
  if (options.locate_events) {
    first_contacts_ = contacts;
    book_.begin_contacts(static_cast<int>(contacts.size()));
  }
  std::vector<BodyIndex> bodies(motions_.model().bodies.size());
  std::iota(bodies.begin(), bodies.end(), BodyIndex(0));
  regroup_and_go_on(bodies, contacts, 0.0);
  book_.set_first_momentum(momentum(motions_.model(), state_at(now_)));
}

std::unique_ptr<Engine> SmoothEngine::clone() const {
  return std::unique_ptr<Engine>(new SmoothEngine(*this));
}

void SmoothEngine::start() {
  std::vector<int> due;
  for (const Contact& contact : first_contacts_) {
    events_.report_start(contact, motions_.paths, now_, log_);
    if (contact.first_rate < 0.0) note_impact(contact, due);
  }
  first_contacts_.clear();
  run_scripts(due);
}

// ------------------------------------------------------------------------------------------------- the next event

std::optional<double> SmoothEngine::next_time() {
  const std::optional<ScriptWatch::Due> scripted = script_watch_.next(motions_, now_);
  const std::optional<double> moved = next_of_motion();
  if (scripted && scripted->time <= end_ && (!moved || scripted->time <= *moved)) return scripted->time;
  return moved;
}

std::optional<double> SmoothEngine::next_of_motion() {
  const GroupEvent* const event = timeline_.next(motions_.groups);
  return event == nullptr || event->time > end_ ? std::nullopt : std::optional(event->time);
}

void SmoothEngine::handle_next() {
  const std::optional<ScriptWatch::Due> scripted = script_watch_.next(motions_, now_);
  const std::optional<double> moved = next_of_motion();
  if (scripted && (!moved || scripted->time <= *moved)) {
    now_ = std::max(now_, scripted->time);
    if (repeats_without_end(now_)) {
      fail({"conditions of the script change at one instant without end", {}});
      return;
    }
    switch (scripted->what) {
      case ScriptWatch::Due::What::scripted: run_script(scripted->which); break;
      case ScriptWatch::Due::What::condition: change_condition(scripted->which, false); break;
      case ScriptWatch::Due::What::apart: change_condition(scripted->which, true); break;
    }
    return;
  }
  const GroupEvent event = *timeline_.next(motions_.groups);
  timeline_.pop();
  encounters_.prefetch_around(motions_, event.group);
  look_ahead();
  now_ = std::max(now_, event.time);
  if (repeats_without_end(event.time)) {
    fail({"events repeat at one instant without end", motions_.groups[event.group].dynamics.bodies});
    return;
  }
  watch_energy();
  if (event.other == kNone) {
    end_stretch(event.group);
  } else if (arrive(event.group, event.time) && arrive(event.other, event.time)) {
    close_contact(event.a, event.b, event.feature);
  }
  if (environment_->options().stop_when_apart && book_.all_apart() && !failed()) log_.stop(RunStop::apart);
}

void SmoothEngine::look_ahead() const {
  bool first = true;
  timeline_.visit_coming([&](GroupIndex index) {
    const Group& group = motions_.groups[index];
    if (!first) {
      prefetch(&group, sizeof group);
      return;
    }
    first = false;  // its head has been asked for before this event, as a rule
    for (const BodyIndex body : group.dynamics.bodies) {
      motions_.paths.prefetch(body);
      encounters_.prefetch(body);
    }
    group.prefetch();
  });
}

bool SmoothEngine::repeats_without_end(double time) {
  repeats_ = time == repeated_time_ ? repeats_ + 1 : 0;
  repeated_time_ = time;
  return repeats_ > kMostRepeats + 4 * environment_->body_count();
}

void SmoothEngine::watch_energy() {
  if (until_watch_-- > 0) return;
  until_watch_ = kEnergyLook + 10 * environment_->body_count();
  const SmoothOptions& options = environment_->options();
  if (!options.locate_events) return;
  stepping_.set_tolerance_share(energy_watch_.share(energy_at(state_at(now_)), options.rtol));
}

void SmoothEngine::end_stretch(GroupIndex index) {
  const StretchEnd what = motions_.groups[index].at_end;
  if (!arrive(index, motions_.groups[index].end)) return;
  switch (what.kind) {
    case StretchEnd::Kind::nothing:
      if (!motions_.groups[index].asleep && stepping_.may_sleep(motions_.groups[index], now_)) put_to_sleep(index);
      go_on(index);
      break;
    case StretchEnd::Kind::release: open_contact(index, what.contact); break;
    case StretchEnd::Kind::leaving: hand_over_contact(index, what.contact); break;
    case StretchEnd::Kind::jump: move_contact(index, what.contact, what.normal); break;
    case StretchEnd::Kind::encounter: close_contact(what.a, what.b, what.feature); break;
    case StretchEnd::Kind::limit: close_limit(index, what.limit); break;
    case StretchEnd::Kind::dry_joint: change_dry_joints(index); break;
    case StretchEnd::Kind::pocket: swallow(BodyIndex(what.a.slot()), what.pocket); break;
  }
}

/// What is left of its motion, less than the error of a step, is booked as lost in its contacts.
void SmoothEngine::put_to_sleep(GroupIndex index) {
  Group& group = motions_.groups[index];
  book_works(group);
  log_.result.energy.contacts += kinetic_energy(group, motions_.paths);
  for (const BodyIndex body : group.dynamics.bodies) {
    BodyState still = motions_.paths.state(body);
    still.velocity.setZero();
    still.angular_velocity.setZero();
    motions_.paths.set_state(body, still);
  }
  (void)stepping_.begin(motions_, index, now_, group.next_step);
  group.asleep = true;
}

void SmoothEngine::go_on(GroupIndex index) {
  if (auto failure = stepping_.go_on(motions_, encounters_, index, now_, now_ - start_)) {
    fail(std::move(*failure));
    return;
  }
  const Group& group = motions_.groups[index];
  timeline_.add({.time = group.end, .group = index, .version = group.version, .other = {}, .a = {}, .b = {}});
  encounters_.find_around(motions_, index, timeline_);
  script_watch_.look(motions_, index);
}

bool SmoothEngine::arrive(GroupIndex index, double time) {
  Arrival arrival = stepping_.arrive(motions_, index, time);
  if (arrival.noticed > 0) {
    book_.notice_contacts(arrival.noticed);
    for (int i = 0; i < arrival.noticed; ++i) log_.count_impact(1, 1);
  }
  log_.result.energy.cut_off += arrival.taken;
  if (arrival.failure) fail(std::move(*arrival.failure));
  return !failed();
}

void SmoothEngine::extend(double end) {
  end_ = end;
  motions_.paths.set_exact_at(end);
}

bool SmoothEngine::at_rest(double next) {
  if (!next_time() || motions_.script.waits_for_time(motions_.model())) return false;
  const double then = std::max(now_, next);
  if (!rest_watch_.rests_at(motions_, then)) return false;
  now_ = then;
  return true;
}

void SmoothEngine::fail(StepFailure failure) {
  log_.fail(std::move(failure.reason), now_, std::move(failure.bodies));
}

ContactMaker SmoothEngine::contact_maker() {
  return {{*environment_, *laws_, motions_.paths, book_, log_.result.energy}, now_};
}

// ------------------------------------------------------------------------------------------------- how it stands

EnergyBook SmoothEngine::energy_at(const State& state) const {
  EnergyBook book = log_.result.energy;
  book.now = energy(motions_.model(), state);
  std::vector<double> y;
  for (const GroupIndex index : motions_.integrated_groups()) {
    const Group& group = motions_.groups[index];
    group.state_within(motions_.paths, state.time, y);
    group.dynamics.works(y.data()).add_to(book);
    for (const Contact& contact : group.dynamics.contacts) {
      const GroupDynamics::Stored stored = group.dynamics.stored(contact, state.time, y.data());
      const double* const extra = y.data() + contact.extra;
      book.now.contacts += stored.normal + stored.tangential;
      book.contacts += extra[1];
      if (contact.has_friction) book.friction += extra[2] - stored.tangential;
    }
  }
  return book;
}

RunResult SmoothEngine::result(const State& reached) const {
  RunResult result = log_.result;
  result.steps_accepted += stepping_.counts().accepted;
  result.steps_rejected += stepping_.counts().rejected;
  for (const GroupIndex index : motions_.groups.indices())
    if (const Stepper* const stepper = motions_.groups[index].stepper.get())
      result.evaluations += stepper->evaluations();
  result.guarantee = environment_->options().locate_events ? Guarantee::bounded : Guarantee::sampled;
  result.compliant = book_.report(motions_.groups, motions_.paths, reached.time);
  result.compliant->integrator = environment_->options().integrator;
  result.compliant->constraint_drift = stepping_.counts().constraint_drift;
  result.compliant->momentum_after = momentum(motions_.model(), reached);
  return result;
}

}  // namespace carom
