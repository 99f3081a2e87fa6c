#include "carom/engine/smooth/stepping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/smooth/face_points.h"
#include "carom/engine/smooth/step_end.h"

namespace carom::smooth {

namespace {

/// Steps after which tolerances are looked at again, and the change of the scales that makes them anew.
constexpr int kLookAtScale = 32;
constexpr double kScaleChange = 3.0;
/// Penetration of the smaller body's size from which the two have passed through each other.
constexpr double kTunnel = 0.9;

}  // namespace

Stepping::Stepping(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws)
    : environment_(std::move(environment)),
      laws_(std::move(laws)),
      integrator_(&integrator(environment_->options().integrator)),
      first_part_(std::min(0.1, 10.0 * std::pow(environment_->options().rtol, 0.4))) {}

double Stepping::tolerance() const {
  return environment_->options().rtol * integrator_->step_share;
}

void Stepping::begin(Motions& motions, GroupIndex index, double now, double step) const {
  const SmoothOptions& options = environment_->options();
  Group& group = motions.groups[index];
  GroupDynamics& dynamics = group.dynamics;
  group.start = group.end = now;
  ++group.version;
  group.integrated = dynamics.bodies.size() > 1 || !dynamics.contacts.empty() || !options.locate_events ||
                     !options.clusters || environment_->body(dynamics.bodies[0]).needs_steps;
  if (!group.integrated) return;
  group.clearances.begin(dynamics.bodies.size());
  if (!group.stepper) group.stepper = make_stepper(options.integrator, {.step = options.step});
  dynamics.begin(now, motions.paths.states(), group.y);
  for (Contact& contact : dynamics.contacts) {
    const GroupDynamics::Gap gap = dynamics.gap(contact, now, group.y.data());
    contact.gap = gap.gap;
    contact.rate = gap.rate;
  }
  group.measure(now, group.y.data(), tolerance());
  group.stepper->start(dynamics, now, group.y, group.tolerances);
  group.steps_since_scale = 0;
  group.next_step = group.stepper->proposed_step();
  if (!integrator_->adaptive) return;
  if (step > 0.0) group.next_step = std::min(step, group.next_step);
  if (dynamics.contacts.empty()) return;
  const double contact_time = group.scale.contact_time;
  for (const Contact& contact : dynamics.contacts)
    if (contact.began == now) group.next_step = std::min(group.next_step, first_part_ * contact_time);
  group.next_step = std::min(group.next_step, 0.25 * contact_time);
}

std::optional<StepFailure> Stepping::go_on(Motions& motions, Encounters& encounters, GroupIndex index, Span span) {
  Group& group = motions.groups[index];
  ++group.version;
  group.start = span.from;
  group.at_end = {};
  encounters.enter_cells(motions, index);
  if (!group.integrated) {
    fly(motions, encounters, index, span);
    return std::nullopt;
  }
  adapt_scale(group, span.from);
  if (auto failure = take_step(motions.model(), group, span)) return failure;
  lay_tracks(motions, group);
  if (environment_->options().locate_events) find_end(motions, encounters, index, span);
  return std::nullopt;
}

// ------------------------------------------------------------------------------------------------- flight

void Stepping::fly(Motions& motions, Encounters& encounters, GroupIndex index, Span span) {
  Group& group = motions.groups[index];
  const BodyIndex body = group.dynamics.bodies[0];
  motions.paths.begin_flight(body, span.from, span.to);
  group.end = span.to;
  if (encounters.has_cells()) {
    group.end = std::min(group.end, encounters.cell_exit(body, motions.paths.track(body)));
    motions.paths.shorten_flight(body, group.end);
  }
  encounters.find_at_obstacles(motions, index);
  motions.paths.shorten_flight(body, group.end);
}

// ------------------------------------------------------------------------------------------------- steps

void Stepping::adapt_scale(Group& group, double now) const {
  if (group.steps_since_scale < kLookAtScale || !integrator_->adaptive) return;
  group.steps_since_scale = 0;
  Stepper& stepper = *group.stepper;
  const GroupScale before = group.scale;
  group.measure(now, stepper.y().data(), tolerance());
  const auto changed = [](double a, double b) { return a > kScaleChange * b || b > kScaleChange * a; };
  if (!changed(before.speed, group.scale.speed) && !changed(before.depth, group.scale.depth)) return;
  group.y.assign(stepper.y().begin(), stepper.y().end());
  stepper.start(group.dynamics, now, group.y, group.tolerances);
}

/// One step that the error control accepts.
std::optional<StepFailure> Stepping::take_step(const Model& model, Group& group, Span span) {
  Stepper& stepper = *group.stepper;
  const double max_step = environment_->options().max_step;
  const double remaining = span.to - span.from;
  double h = group.next_step;
  if (!(h > 0.0)) h = remaining;
  // Where a drive turns round, or its third derivative jumps, a step ends.
  if (integrator_->adaptive)
    for (const Contact& contact : group.dynamics.contacts)
      if (contact.geometry.drive != nullptr) h = std::min(h, contact.geometry.drive->next_stop(span.from) - span.from);
  for (;;) {
    Activity::tick();
    if (max_step > 0.0) h = std::min(h, max_step);
    const bool last = h >= remaining;
    const double tried = last ? remaining : h;
    if (!(tried > 0.0)) {
      group.end = span.from;
      break;
    }
    const double error = stepper.attempt(tried);
    if (error <= 1.0) {
      group.end = last ? span.to : span.from + tried;
      group.next_step = last ? std::max(h, stepper.proposed_step()) : stepper.proposed_step();
      break;
    }
    ++counts_.rejected;
    h = std::min(stepper.proposed_step(), 0.5 * tried);
    const double shortest = 1e-15 * std::max(std::abs(span.from), std::min(1e-3 * group.scale.contact_time, 1.0));
    if (!(h > shortest) || !std::isfinite(h)) return too_short(model, group, span.from, error);
  }
  ++group.steps_since_scale;
  return std::nullopt;
}

StepFailure Stepping::too_short(const Model& model, const Group& group, double now, double error) const {
  std::string who;
  std::vector<BodyIndex> bodies = group.dynamics.bodies;
  double deepest = 0.0;
  for (const Contact& contact : group.dynamics.contacts) {
    const auto& [a, b] = std::pair(contact.geometry.a, contact.geometry.b);
    const double depth = group.dynamics.motion_of(contact, now, group.stepper->y().data()).touch.depth;
    if (!who.empty() && depth <= deepest) continue;
    deepest = depth;
    who = fmt::format(" between '{}' and '{}'", model.name(a), model.name(b));
    bodies = {BodyIndex(a.slot())};
    if (model.is_body(b)) bodies.push_back(BodyIndex(b.slot()));
  }
  if (!std::isfinite(error)) return {fmt::format("forces are not finite{}", who), bodies};
  return {fmt::format("the tolerance rtol = {} cannot be met{}: steps have become shorter than time can tell",
                      environment_->options().rtol, who),
          bodies};
}

/// The first thing that happens within the step: a contact opens, two bodies touch, a body falls into a pocket, or
/// leaves its cell. The step is taken again up to it.
void Stepping::find_end(Motions& motions, Encounters& encounters, GroupIndex index, Span span) const {
  Group& group = motions.groups[index];
  const double whole = group.end;
  find_openings(motions, group);
  if (encounters.has_cells()) {
    for (const BodyIndex body : group.dynamics.bodies) {
      const double exit = encounters.cell_exit(body, motions.paths.track(body));
      if (exit >= group.end) continue;
      group.end = exit;
      group.at_end = {};
    }
  }
  encounters.find_inside(motions, index);
  encounters.find_at_obstacles(motions, index);
  if (group.at_end.is_nothing() && group.end == whole) return;
  retake_step(*environment_, group, span);
  lay_tracks(motions, group);
}

void Stepping::lay_tracks(Motions& motions, Group& group) {
  const Stepper& stepper = *group.stepper;
  const GroupLayout& layout = group.dynamics.layout();
  const auto end_of_step = [&layout](SlotIndex slot, const double* y, const double* slope) {
    const int v = layout.velocity(slot);
    return Track::End{vector_at(y + layout.position(slot)), vector_at(y + v), vector_at(slope + v)};
  };
  for (const SlotIndex slot : group.dynamics.bodies.indices()) {
    const BodyIndex body = group.dynamics.bodies[slot];
    motions.paths.follow(
        body, Track::step(group.start, group.end, end_of_step(slot, stepper.y().data(), stepper.slope().data()),
                          end_of_step(slot, stepper.trial_y().data(), stepper.trial_slope().data())));
    group.clearances.set_step(slot, motions.paths.track(body).speed * (group.end - group.start) +
                                        group.turning(slot) * motions.environment().body(body).size);
  }
}

void Stepping::find_openings(const Motions& motions, Group& group) const {
  const double whole = group.end;
  double first = whole;
  const auto& contacts = group.dynamics.contacts;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    if (contact.geometry.on_facets()) {
      const std::optional<double> left = FacePoints(motions).leaving_time(group, contact);
      if (left && (*left < first || group.at_end.is_nothing())) {
        first = *left;
        group.at_end = StretchEnd::leaving(static_cast<int>(k));
      }
    }
    const std::optional<double> time = opening_time(motions, group, contact, whole);
    if (!time || (*time >= first && !group.at_end.is_nothing())) continue;
    first = *time;
    group.at_end = StretchEnd::release(static_cast<int>(k));
  }
  group.end = first;
}

// ------------------------------------------------------------------------------------------------- making it final

Arrival Stepping::arrive(Motions& motions, GroupIndex index, double time) {
  Group& group = motions.groups[index];
  const auto& bodies = group.dynamics.bodies;
  if (!group.integrated) {
    motions.paths.set_state(bodies[0], motions.paths.flight_state(bodies[0], time));
    group.start = time;
    return {};
  }
  Stepper& stepper = *group.stepper;
  if (time > group.start) {
    if (time != group.end || stepper.trial_time() != time) stepper.attempt(time - group.start);
    if (group.dynamics.constrained()) {
      if (environment_->options().constraints == ConstraintMethod::projection) {
        group.y.assign(stepper.trial_y().begin(), stepper.trial_y().end());
        group.dynamics.project(time, group.y.data());
        stepper.replace_trial(group.y);
      }
      counts_.constraint_drift =
          std::max(counts_.constraint_drift, group.dynamics.drift(time, stepper.trial_y().data()));
    }
    stepper.accept();
    group.clearances.finish_step();
    ++counts_.accepted;
  }
  group.start = time;
  const double* const y = stepper.y().data();
  for (const SlotIndex slot : bodies.indices())
    motions.paths.set_state(bodies[slot], group.dynamics.layout().body_state(slot, time, y));
  group.dynamics.read_contacts(y);
  return look_at_contacts(motions, group, time);
}

/// What the contacts are like at the end of a step: how deep, whether cut off. Without location a contact is noticed
/// after the fact, with the speed that it then has.
Arrival Stepping::look_at_contacts(const Motions& motions, Group& group, double time) const {
  const Model& model = motions.model();
  const bool located = environment_->options().locate_events;
  const double* const y = group.stepper->y().data();
  Arrival arrival;
  for (Contact& contact : group.dynamics.contacts) {
    const auto [gap, rate] = group.dynamics.gap(contact, time, y);
    contact.gap = gap;
    contact.rate = rate;
    if (contact.held) continue;
    const double depth = -gap;
    if (!(depth > 0.0)) {
      if (!located) contact.pressed = false;
      continue;
    }
    const ObjectIndex a = contact.geometry.a, b = contact.geometry.b;
    if (!contact.pressed && !located) {
      const ContactMotion motion = group.dynamics.motion_of(contact, time, y);
      laws_->prepare(contact, {motion.touch, motions.paths.pose(a, time), motions.paths.pose(b, time),
                               std::max(-motion.rate, kLeastApproach)});
      ++arrival.noticed;
    }
    contact.pressed = true;
    if (contact.normal.evaluate(depth, -rate).clamped) contact.ever_clamped = true;
    const double size = environment_->smaller_size(a, b);
    const double overlap = depth + contact.geometry.late;
    contact.deepest = std::max(contact.deepest, overlap / size);
    if (overlap <= kTunnel * size) continue;
    std::vector<BodyIndex> both = {BodyIndex(a.slot())};
    if (model.is_body(b)) both.emplace_back(b.slot());
    arrival.failure = StepFailure{
        fmt::format("'{}' has gone through '{}' ({} m deep): the contact is too soft, or the steps are too long",
                    model.name(a), model.name(b), overlap),
        std::move(both)};
    return arrival;
  }
  if (arrival.noticed > 0) group.measure(time, y, tolerance());
  return arrival;
}

}  // namespace carom::smooth
