#include "carom/engine/event/event_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/contact/accumulation.h"
#include "carom/engine/event/disc_contacts.h"
#include "carom/mechanics/initial_gaps.h"

namespace carom {

using namespace event;

namespace {

std::shared_ptr<const Model> checked(std::shared_ptr<const Model> model, const State& initial,
                                     const EventOptions& options) {
  validate(*model);
  validate(*model, initial);
  validate(options);
  require_no_overlap(*model, initial);
  return model;
}

}  // namespace

void validate(const EventOptions& options) {
  const auto refuse = [](const char* field, double value, const char* expected) {
    throw InputError(std::isfinite(value) ? Kind::out_of_range : Kind::not_finite, std::string("run.") + field,
                     fmt::format("run.{} is {}, expected {}", field, value, expected));
  };
  if (!(options.duration > 0.0) || !std::isfinite(options.duration))
    refuse("duration", options.duration, "a finite time above 0");
  if (!(options.contact_tolerance > 0.0 && options.contact_tolerance <= 1e-3))
    refuse("contact_tolerance", options.contact_tolerance, "a number above 0, at most 0.001");
  if (!(options.integration_tolerance >= 1e-14 && options.integration_tolerance <= 1e-2))
    refuse("integration_tolerance", options.integration_tolerance, "a number from 1e-14 to 0.01");
  if (options.settle_speed && !(*options.settle_speed >= 0.0 && std::isfinite(*options.settle_speed)))
    refuse("settle_speed", *options.settle_speed, "a finite speed, at least 0");
  validate_law_options(options.impact);
}

EventEngine::EventEngine(std::shared_ptr<const Model> model, const State& initial, const EventOptions& options)
    : Engine(RunLog(options.max_events)),
      world_(checked(std::move(model), initial, options), initial),
      closed_(world_.body_count(), options.contact_tolerance),
      impacts_(*options.law, options.impact, Settling(options.settle_speed), options.max_rounds),
      rest_(world_),
      held_(world_),
      dynamics_(world_.model(), options.integration_tolerance),
      motions_(world_, options.settle_speed),
      timeline_(initial.time, initial.time + options.duration) {}

std::unique_ptr<Engine> EventEngine::clone() const {
  return std::unique_ptr<Engine>(new EventEngine(*this));
}

// ------------------------------------------------------------------------------------------------- events

void EventEngine::start() {
  settled_.assign(world_.model().bodies.size(), 0);
  next_unsettled_ = 0;
  schedule_script();
  settle_next();
}

void EventEngine::settle_next() {
  for (; next_unsettled_ < world_.body_count(); ++next_unsettled_) {
    if (settled_[next_unsettled_]) continue;
    resolve_and_settle({next_unsettled_});
    if (log_.stopped()) return;
    for (const BodyIndex member : closed_.bodies()) settled_[member] = 1;
  }
}

std::optional<double> EventEngine::next_time() {
  if (is_unfinished()) return world_.time();
  const UpcomingEvent* const next = timeline_.next(situation());
  return next == nullptr ? std::nullopt : std::optional(next->time);
}

void EventEngine::finish_instant() {
  const Bodies bodies = unfinished_;
  if (!bodies.empty()) resolve_and_settle(bodies);
  settle_next();
}

void EventEngine::handle_next() {
  if (is_unfinished()) {
    finish_instant();
    return;
  }
  const UpcomingEvent event = timeline_.take();
  if (auto reason =
          stalls_.look(event.time, event.carry, event.what == UpcomingEvent::What::contact, world_.object_count())) {
    log_.fail(std::move(*reason), world_.time(), closed_.bodies());
    return;
  }
  closed_.add_nearest(stalls_.repeats(world_.object_count()));
  world_.move_to(event.time, event.carry);
  switch (event.what) {
    case UpcomingEvent::What::contact: {
      seeds_.assign(1, event.a);
      if (world_.is_body(event.b)) seeds_.emplace_back(event.b);
      resolve_and_settle(seeds_);
      break;
    }
    case UpcomingEvent::What::search_on: timeline_.search_on(situation(), event); break;
    case UpcomingEvent::What::step_end: end_step(event.a); break;
    case UpcomingEvent::What::cell: timeline_.cross_cell(situation(), event.a); break;
    case UpcomingEvent::What::report_rest: report_rest(event.a); break;
    case UpcomingEvent::What::scripted: run_script(event.which); break;
    case UpcomingEvent::What::condition: change_condition(event.which, false); break;
    case UpcomingEvent::What::apart: change_condition(event.which, true); break;
  }
}

bool EventEngine::at_rest(double /*next*/) {
  if (world_.moving_count() > 0 || held_.report_pending()) return false;
  // What rests may still be hit by what is driven.
  bool driven = world_.progress().waits_for_time(world_.model());
  for (const ObjectIndex obstacle : world_.obstacles()) driven = driven || world_.is_moving(obstacle);
  return !driven || timeline_.stays_quiet(situation());
}

/// Between the ends of a step velocities are off joints and constraints by what the integration tolerates, or by
/// round-off of what forces do meanwhile, which may be much beside the speeds of bodies that are all but at rest.
void EventEngine::put_velocities(const Bodies& seeds) {
  closed_.gather(world_, seeds);
  std::vector<const Island*> done;
  for (const BodyIndex body : closed_.bodies()) {
    const Island* const present = motions_.island_of(body);
    if (present == nullptr || std::count(done.begin(), done.end(), present) != 0) continue;
    if (present->joints.empty() && present->constraints.empty()) continue;
    done.push_back(present);
    Island island = *present;
    write_state(world_, island);
    if (!dynamics_.is_coarse() && dynamics_.satisfies_constraints(island, world_.time(), island.state.data())) continue;
    const std::optional<VelocityCorrection> correction =
        dynamics_.project_velocities(island, world_.time(), island.state.data(), island.contacts.size());
    if (!correction) continue;
    book(*correction);
    read_state(world_, island, island.state.data());
  }
}

void EventEngine::resolve_and_settle(const Bodies& seeds) {
  if (unfinished_.empty()) impacts_.begin_instant();
  rest_.forget_pulls();
  unfinished_ = seeds;
  if (!world_.model().joints.empty() || !world_.model().constraints.empty()) put_velocities(seeds);
  impacts_.resolve(instant(), seeds);
  if (log_.stopped()) return;
  if (impacts_.struck_any() && can_rattle()) rest_.busy().note_struck(world_, closed_.bodies());
  std::vector<char> counted;
  std::vector<int> due = note_struck(counted);
  unfinished_ = closed_.bodies();
  if (!all_fly()) settle(unfinished_);
  if (log_.stopped()) return;
  unfinished_.clear();
  const std::vector<int> more = note_struck(counted);
  due.insert(due.end(), more.begin(), more.end());
  for (const int which : due)
    if (!log_.stopped()) run_script(which);
}

/// Whether bounces in the cluster at hand may go on for ever.
bool EventEngine::can_rattle() const {
  const Bodies& bodies = closed_.bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](BodyIndex body) { return !world_.object(body).free_acceleration.isZero(0.0); }) &&
         std::any_of(closed_.contacts().begin(), closed_.contacts().end(),
                     [](const ContactPoint& contact) { return contact.rule.restitution.at_rest() >= 1.0; });
}

bool EventEngine::all_fly() {
  for (const BodyIndex body : closed_.bodies())
    if (world_.object(body).is_guided() || !held_.of(body).empty() || !motions_.is_free(body)) return false;
  for (const ContactPoint& contact : closed_.contacts())
    if (Rest::rests(instant(), contact, impacts_.settling())) return false;
  for (const BodyIndex body : closed_.bodies()) world_.fly(body);
  timeline_.predict(situation(), closed_.bodies());
  return true;
}

void EventEngine::settle(const Bodies& bodies) {
  const auto coupled = [this](BodyIndex body, const ClosedContacts::AddBody& add) {
    for (const SpringIndex index : world_.object(body).springs) {
      const Spring& spring = world_.model().springs[index];
      add(spring.body_a);
      if (spring.body_b != kNone) add(spring.body_b);
    }
    if (const Island* const island = motions_.island_of(body))
      for (const BodyIndex member : island->bodies) add(member);
    // What rests on a body that moves has to be told, and what it rests on.
    for (const HeldIndex index : held_.of(body)) {
      const ContactPoint& contact = held_.at(index).contact;
      add(as_body(contact.a));
      if (world_.is_body(contact.b)) add(as_body(contact.b));
    }
  };
  std::vector<Island> islands = rest_.settle(instant(), bodies, impacts_, coupled);
  if (log_.stopped()) return;
  for (Island& island : islands) {
    rest_.busy().note_settled(world_, island.bodies);
    motions_.keep_forces(world_, island);
  }
  motions_.leave(instant(), closed_.bodies());
  held_.loosen(closed_.bodies());
  std::vector<std::vector<ContactPoint>> started;
  for (Island& island : islands) {
    if (stand_on_rims(world_, island) && !island.is_crowded()) put_on_contacts(island);
    started.push_back(hold(island));
  }
  std::vector<ContactPoint> slipping, sticking;
  for (const ActiveContact& active : held_.changed()) {
    if (active.slides()) slipping.push_back(active.contact);
    if (active.sticks()) sticking.push_back(active.contact);
  }
  std::vector<ContactPoint> opened = held_.opened();
  for (ContactPoint& contact : opened) contact = world_.followed_now(contact);
  if (opened.empty()) opened = rest_.let_open();  // never held, and to be known of all the same
  log_.result.contacts_opened += static_cast<std::int64_t>(opened.size());
  if (!world_.progress().is_on.empty()) switch_off_opened(opened);
  report(EventKind::release, opened);
  report(EventKind::stick, sticking);
  report(EventKind::slip, slipping);
  for (std::size_t i = 0; i < islands.size(); ++i) {
    write_state(world_, islands[i]);
    motions_.move_on(instant(), islands[i], timeline_);
    if (log_.stopped()) return;
    // Bodies that were struck and now stand still have come to rest; others have got a contact that goes on.
    const bool rests = world_.object(islands[i].bodies[0]).at_rest && impacts_.struck_any();
    report(rests ? EventKind::rest : EventKind::contact_start, started[i]);
  }
  timeline_.predict(situation(), closed_.bodies());
}

/// Velocities as the contacts have it, where these have become others.
void EventEngine::put_on_contacts(Island& island) {
  write_state(world_, island);
  const std::optional<VelocityCorrection> correction =
      dynamics_.project_velocities(island, world_.time(), island.state.data(), island.contacts.size());
  if (!correction) return;
  book(*correction);
  read_state(world_, island, island.state.data());
}

void EventEngine::end_stretch(BodyIndex body) {
  const HeldIndex index = held_.of(body)[0];
  const HeldContacts::Held& held = held_.at(index);
  const std::optional<BallMotions::Next> next = motions_.balls().next_stretch(instant(), held.contact, timeline_);
  if (!next) {
    resolve_and_settle({body});
    return;
  }
  const bool changed = held.mode != next->action.mode || held.direction != next->action.direction;
  held_.change_mode(index, next->action.mode, next->action.direction);
  if (changed && log_.observed()) {
    const bool slides = next->action.mode == ContactMode::slide;
    report(slides ? EventKind::slip : EventKind::stick, {world_.followed_now(held.contact)});
  }
  if (next->rests && log_.observed()) report(EventKind::rest, {world_.followed_now(held.contact)});
  timeline_.predict(situation(), {body});
}

/// Whether an island is to be followed otherwise from here on: as a crowd, since its bodies have become busy, or
/// exactly again, since they are no more.
bool EventEngine::changes_steps(const Island& island) {
  if (!island.can_crowd() || island.has_many_contacts()) return false;
  return island.is_crowded() != rest_.is_busy(world_, island);
}

void EventEngine::end_step(BodyIndex body) {
  if (motions_.balls().moves(body)) {
    end_stretch(body);
    return;
  }
  const std::shared_ptr<const Island> island = motions_.end_step(instant(), body);
  if (log_.stopped()) return;
  rest_.busy().note_step(world_, island->bodies);
  if (island->opens || island->stops || changes_steps(*island)) {
    double speed = 0.0;
    for (const BodyIndex member : island->bodies) speed = std::max(speed, world_.fastest_point(member));
    closed_.set_speed(speed);
    impacts_.begin_instant();
    rest_.let_go(*island, world_.time());
    unfinished_ = island->bodies;
    settle(island->bodies);
    if (!log_.stopped()) unfinished_.clear();
    return;
  }
  motions_.next_step(instant(), *island, timeline_);
  if (log_.stopped()) return;
  timeline_.predict(situation(), island->bodies);
}

// ------------------------------------------------------------------------------------------------- reports

std::vector<ContactPoint> EventEngine::hold(const Island& island) {
  std::vector<ContactPoint> started;
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    const std::optional<HeldIndex> fresh = held_.keep(world_, active);
    if (!fresh) continue;
    const bool pressed = impacts_.struck(contact) && active.arrival_rate > 0.0 && active.pressing > 0.0;
    const std::optional<double> remainder =
        pressed ? contact::end_of_bounces(active.arrival_rate, active.pressing, contact.rule.restitution)
                : std::nullopt;
    held_.mark_reported(*fresh, !remainder);
    if (remainder) log_.note_collapse(contact.a, contact.b, world_.time() + *remainder);
    if (remainder) {
      timeline_.add_report(held_, *fresh, world_.time() + *remainder);
    } else {
      started.push_back(contact);
    }
  }
  return started;
}

void EventEngine::report_rest(HeldIndex held) {
  held_.mark_reported(held, true);
  report(EventKind::rest, {world_.followed_now(held_.at(held).contact)});
}

void EventEngine::report(EventKind kind, const std::vector<ContactPoint>& contacts) {
  if (!log_.observed() || contacts.empty()) return;
  draft_.begin(kind, world_.time());
  draft_.record.flags = rest_.flags();
  for (const ContactPoint& contact : contacts) add_contact(draft_, contact, world_);
  draft_.report(log_);
}

// ------------------------------------------------------------------------------------------------- answers

State EventEngine::state_at(double time) const {
  State state;
  state.time = time;
  state.bodies.reserve(world_.model().bodies.size());
  for (const BodyIndex body : world_.bodies()) {
    // At the present instant velocities may have jumped already.
    const BodyState* const known = world_.known_at(body, time);
    state.bodies.push_back(known != nullptr ? *known : world_.object(body).motion.at(time));
  }
  if (!world_.model().joints.empty()) motions_.put_on_joints(world_, state);
  for (const JointIndex joint : world_.model().joints.indices())
    state.turns.push_back(world_.turns(joint, state.bodies));
  if (!state.turns.empty()) state.joint_loads = joint_loads_at(time);
  return state;
}

/// Who asked a run to stop waits for its last sample: what would have to be looked for stays unknown.
bool EventEngine::is_in_a_hurry() const {
  return log_.stopped() && log_.result.stop == RunStop::interrupted;
}

/// Which contacts last is not known before the start: a copy that has started tells.
Indexed<JointIndex, JointLoad> EventEngine::joint_loads_at(double time) const {
  if (!settled_.empty()) return motions_.joint_loads(world_, time);
  if (is_in_a_hurry()) {
    Indexed<JointIndex, JointLoad> unknown;
    unknown.assign(world_.model().joints.size(), JointLoad::unknown());
    return unknown;
  }
  EventEngine started(*this);
  started.start();
  return started.motions_.joint_loads(started.world_, time);
}

std::vector<ContactLoad> EventEngine::contact_loads_at(const State& state) const {
  using Effort = ContactLoads::Effort;
  if (is_in_a_hurry()) return loads_.at(world_, held_, motions_, state, Effort::known_alone);
  if (!settled_.empty()) return loads_.at(world_, held_, motions_, state);
  EventEngine started(*this);
  started.start();
  return started.loads_.at(started.world_, started.held_, started.motions_, state);
}

EnergyBook EventEngine::energy_at(const State& state) const {
  EnergyBook book = log_.result.energy;
  book.now = energy(world_.model(), state);
  motions_.add_works(world_, dynamics_, state.time, book);
  return book;
}

RunResult EventEngine::result(const State& /*reached*/) const {
  RunResult result = log_.result;
  if (timeline_.sampled()) result.guarantee = Guarantee::sampled;
  result.steps_accepted += dynamics_.accepted;
  result.steps_rejected += dynamics_.rejected;
  result.evaluations += dynamics_.evaluations;
  return result;
}

std::optional<ImpactProblem> EventEngine::first_impact() {
  impacts_.capture_first();
  start();
  while (!log_.stopped() && next_time()) handle_next();
  return impacts_.captured();
}

}  // namespace carom
