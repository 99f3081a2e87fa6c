#include "carom/engine/smooth/stepping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/activity.h"
#include "carom/engine/smooth/face_points.h"
#include "carom/engine/smooth/group_rest.h"
#include "carom/engine/smooth/limit_contacts.h"
#include "carom/engine/smooth/peak_force.h"
#include "carom/engine/smooth/step_end.h"

namespace carom::smooth {

namespace {

/// Steps after which tolerances are looked at again, and the change of the scales that makes them anew.
constexpr int kLookAtScale = 32;
constexpr double kScaleChange = 3.0;
/// The longest stretch of a group at first: so many passages, or seconds where nothing moves.
constexpr double kPassages = 64.0;
constexpr double kWhereNothingMoves = 1.0;
/// Stretches of a group that stands still, so that a run which is to stop at rest notices it [s]; later this part of
/// the time that it has lasted.
constexpr double kLookAtRest = 0.02;
constexpr double kPartAtRest = 1e-3;
/// Penetration of the smaller body's size from which the two have passed through each other.
constexpr double kTunnel = 0.9;

StepFailure singular(const Group& group) {
  return {
      "singular-mechanism: what joints, motors and constraints keep cannot all hold here, or leaves the motion open",
      group.dynamics.bodies};
}

/// First step of a new contact, as a part of its time: its force begins as δ^{3/2}, of which a step of any order makes
/// an error ∝ h^{5/2}.
double first_part(double rtol) {
  return std::min(0.1, 10.0 * std::pow(rtol, 0.4));
}

/// No point of a body that turns at most so fast [rad/s] is faster on its present track.
double fastest_point(const Motions& motions, BodyIndex body, double spin) {
  const BodyInfo& info = motions.environment().body(body);
  return motions.paths.track(body).speed + (info.attitude_acts ? spin * info.size : 0.0);
}

}  // namespace

Stepping::Stepping(std::shared_ptr<const Environment> environment, std::shared_ptr<const ContactLaws> laws)
    : environment_(std::move(environment)),
      laws_(std::move(laws)),
      integrator_(&integrator(environment_->options().integrator)),
      first_part_(first_part(environment_->options().rtol)) {}

void Stepping::set_tolerance_share(double share) {
  if (share == tolerance_share_) return;
  tolerance_share_ = share;
  first_part_ = first_part(environment_->options().rtol * share);
}

double Stepping::tolerance() const {
  return environment_->options().rtol * integrator_->step_share * tolerance_share_;
}

Arrival Stepping::begin(Motions& motions, GroupIndex index, double now, double step) const {
  Arrival arrival;
  const SmoothOptions& options = environment_->options();
  Group& group = motions.groups[index];
  GroupDynamics& dynamics = group.dynamics;
  group.start = group.end = group.slow_since = now;
  group.asleep = false;
  ++group.version;
  group.integrated = dynamics.bodies.size() > 1 || !dynamics.contacts.empty() || !options.locate_events ||
                     !options.clusters || environment_->body(dynamics.bodies[0]).needs_steps;
  if (!group.integrated) return arrival;
  if (!group.stepper) group.stepper = make_stepper(options.integrator, {.step = options.step});
  dynamics.begin(now, motions.paths.states(), motions.paths.turns(), group.y);
  if (dynamics.has_joints()) put_on_joints(motions, group, arrival);
  for (Contact& contact : dynamics.contacts) {
    const GroupDynamics::Gap gap = dynamics.gap(contact, now, group.y.data());
    contact.gap = gap.gap;
    contact.rate = gap.rate;
  }
  group.measure(now, group.y.data(), tolerance());
  group.stepper->start(dynamics, now, group.y, group.tolerances);
  group.steps_since_scale = 0;
  group.next_step = group.stepper->proposed_step();
  if (!integrator_->adaptive) return arrival;
  // The guess from position, velocity and acceleration is far too short for bodies that hardly move.
  if (step > 0.0) group.next_step = step;
  if (dynamics.contacts.empty()) return arrival;
  const double contact_time = group.scale.contact_time;
  for (const Contact& contact : dynamics.contacts)
    if (contact.began == now) group.next_step = std::min(group.next_step, first_part_ * contact_time);
  group.next_step = std::min(group.next_step, 0.25 * contact_time);
  return arrival;
}

/// What a scene says is off by rounding, and dry joints that stick from here on may move a little.
void Stepping::put_on_joints(Motions& motions, Group& group, Arrival& arrival) const {
  GroupDynamics& dynamics = group.dynamics;
  const GroupDynamics::Projected projected = dynamics.project(group.start, group.y.data());
  if (!projected.kept) arrival.failure = singular(group);
  arrival.taken = projected.taken;
  for (const SlotIndex slot : dynamics.bodies.indices())
    motions.paths.set_state(dynamics.bodies[slot], dynamics.layout().body_state(slot, group.start, group.y.data()));
  dynamics.note_turns(group.start, group.y.data(), motions.paths.turns());
}

Span Stepping::longest_stretch(const Motions& motions, const Group& group, double now, double elapsed) const {
  if (group.asleep) return {now, now + std::max(kLookAtRest, kPartAtRest * elapsed)};
  if (!integrator_->adaptive) return {now, std::numeric_limits<double>::infinity()};  // whole steps
  double passage = std::numeric_limits<double>::infinity();
  for (const BodyIndex body : group.dynamics.bodies) {
    const BodyInfo& info = environment_->body(body);
    if (!std::isfinite(info.size)) continue;
    const BodyState& state = motions.paths.state(body);
    passage = std::min(passage, info.size / (state.velocity.norm() + state.angular_velocity.norm() * info.size +
                                             std::sqrt(info.free_acceleration.norm() * info.size)));
  }
  return {now, now + std::max(std::isfinite(passage) ? kPassages * passage : kWhereNothingMoves, elapsed)};
}

std::optional<StepFailure> Stepping::go_on(Motions& motions, Encounters& encounters, GroupIndex index, double now,
                                           double elapsed) {
  Group& group = motions.groups[index];
  const Span span = longest_stretch(motions, group, now, elapsed);
  ++group.version;
  group.start = now;
  group.at_end = {};
  encounters.enter_cells(motions, index);
  if (group.asleep) {
    stand_still(motions, index, span);
    return std::nullopt;
  }
  if (!group.integrated) {
    fly(motions, encounters, index, span);
    return std::nullopt;
  }
  adapt_scale(group, span.from);
  if (auto failure = take_step(motions.model(), group, span)) return failure;
  lay_tracks(motions, group);
  if (environment_->options().locate_events || group.dynamics.has_joints()) find_end(motions, encounters, index, span);
  return std::nullopt;
}

// ------------------------------------------------------------------------------------------------- rest and flight

bool Stepping::may_sleep(Group& group, double time) const {
  const SmoothOptions& options = environment_->options();
  return group.integrated && options.locate_events && integrator_->adaptive && !environment_->anything_driven() &&
         !group.dynamics.has_joints() && has_come_to_rest(group, time);
}

/// Nothing moves, so nothing has to be looked for: whoever comes near looks for itself.
void Stepping::stand_still(Motions& motions, GroupIndex index, Span span) {
  Group& group = motions.groups[index];
  group.end = span.to;
  for (const BodyIndex body : group.dynamics.bodies) {
    Track track = Track::flight(span.from, motions.paths.state(body).position, Vector3d::Zero(), Vector3d::Zero());
    track.end = group.end;
    motions.paths.follow(body, track);
    motions.clearances.set_speed(body, span.from, 0.0);
  }
}

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
  // Free rotation keeps J ω² ≤ 2T, and J is between the least and the largest moment of inertia.
  const Eigen::Vector3d& inertia = motions.environment().body(body).inertia;
  const double spin =
      motions.paths.state(body).angular_velocity.norm() * std::sqrt(inertia.maxCoeff() / inertia.minCoeff());
  motions.clearances.set_speed(body, span.from, fastest_point(motions, body, spin));
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
  if (integrator_->adaptive && group.dynamics.has_joints())
    h = std::min(h, group.dynamics.longest_step(span.from, stepper.y().data()));
  for (;;) {
    Activity::tick();
    if (max_step > 0.0) h = std::min(h, max_step);
    const bool last = h >= remaining;
    const double tried = last ? remaining : h;
    if (!(tried > 0.0)) {
      group.end = span.from;
      break;
    }
    if (group.dynamics.has_joints()) group.dynamics.independence_watch().begin();
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
    who = contact.is_limit() ? fmt::format(" at a limit of '{}'", model.joints[contact.limit.joint].name)
                             : fmt::format(" between '{}' and '{}'", model.name(a), model.name(b));
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
  if (environment_->options().locate_events) find_openings(motions, group);
  if (group.dynamics.has_dry_joints()) find_dry_change(motions, group);
  if (group.dynamics.has_joints() && group.dynamics.independence_watch().came_near_zero())
    find_singular_position(motions, group);
  if (encounters.has_cells()) {
    for (const BodyIndex body : group.dynamics.bodies) {
      const double exit = encounters.cell_exit(body, motions.paths.track(body));
      if (exit >= group.end) continue;
      group.end = exit;
      group.at_end = {};
    }
  }
  if (environment_->options().locate_events) {
    if (group.dynamics.has_limits()) find_limits(motions, group);
    encounters.find_inside(motions, index);
    encounters.find_at_obstacles(motions, index);
  }
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
    const double h = group.end - group.start;
    if (h > 0.0) motions.clearances.set_speed(body, group.start, fastest_point(motions, body, group.turning(slot) / h));
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
    if (group.at_end.is_nothing() && FacePoints(motions).lies_flat(group, contact))
      group.at_end = StretchEnd::leaving(static_cast<int>(k));
    if (const std::optional<PointJump> jump = find_jump(motions, group, contact);
        jump && (jump->time < first || group.at_end.is_nothing())) {
      first = jump->time;
      group.at_end = StretchEnd::jump(static_cast<int>(k), jump->normal);
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
    motions.paths.end_flight(bodies[0], time);
    group.start = time;
    return {};
  }
  Stepper& stepper = *group.stepper;
  if (group.asleep) {
    if (time > group.start) stepper.start(group.dynamics, time, group.y, group.tolerances);
    group.start = time;
    return {};
  }
  Arrival arrival;
  if (time > group.start) {
    if (time != group.end || stepper.trial_time() != time) stepper.attempt(time - group.start);
    if (group.dynamics.constrained()) {
      if (group.dynamics.keeps_places()) {
        group.y.assign(stepper.trial_y().begin(), stepper.trial_y().end());
        const GroupDynamics::Projected projected = group.dynamics.project(time, group.y.data());
        if (!projected.kept) arrival.failure = singular(group);
        arrival.taken = projected.taken;
        counts_.constraint_drift = std::max(counts_.constraint_drift, projected.error);
        if (group.dynamics.has_joints()) {
          stepper.nudge_trial(group.y);
        } else {
          stepper.replace_trial(group.y);
        }
      }
      counts_.constraint_drift =
          std::max(counts_.constraint_drift, group.dynamics.drift(time, stepper.trial_y().data()));
    }
    note_peak_forces(motions, group);
    stepper.accept();
    ++counts_.accepted;
  }
  group.start = time;
  const double* const y = stepper.y().data();
  for (const SlotIndex slot : bodies.indices())
    motions.paths.set_state(bodies[slot], group.dynamics.layout().body_state(slot, time, y));
  if (group.dynamics.has_joints()) group.dynamics.note_turns(time, y, motions.paths.turns());
  group.dynamics.read_contacts(y);
  if (!arrival.failure) look_at_contacts(motions, group, time, arrival);
  return arrival;
}

/// What the contacts are like at the end of a step: how deep, whether cut off. Without location a contact is noticed
/// after the fact, with the speed that it then has.
void Stepping::look_at_contacts(const Motions& motions, Group& group, double time, Arrival& arrival) const {
  const Model& model = motions.model();
  const bool located = environment_->options().locate_events;
  const double* const y = group.stepper->y().data();
  for (Contact& contact : group.dynamics.contacts) {
    if (contact.geometry.follows_normal())
      contact.geometry.known.normal = group.dynamics.motion_of(contact, time, y).touch.normal;
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
    if (!contact.pressed && !located && contact.is_limit()) {
      LimitContacts(*environment_, *laws_, motions.paths).prepare(contact, time);
      ++arrival.noticed;
    } else if (!contact.pressed && !located) {
      const ContactMotion motion = group.dynamics.motion_of(contact, time, y);
      laws_->prepare(contact, {motion.touch, motions.paths.pose(a, time), motions.paths.pose(b, time),
                               std::max(-motion.rate, kLeastApproach)});
      ++arrival.noticed;
    }
    // What has only been touched by round-off opens beyond round-off, or it would begin and open without end.
    if (!located || contact.is_limit() || depth > kRoundoffGap * environment_->body(a).size) contact.pressed = true;
    if (contact.normal.evaluate(depth, -rate).clamped) contact.ever_clamped = true;
    const double size = environment_->smaller_size(a, b);
    const double overlap = depth + contact.geometry.late;
    contact.deepest = std::max(contact.deepest, overlap / size);
    if (overlap <= kTunnel * size || contact.is_limit()) continue;
    std::vector<BodyIndex> both = {BodyIndex(a.slot())};
    if (model.is_body(b)) both.emplace_back(b.slot());
    arrival.failure = StepFailure{
        fmt::format("'{}' has gone through '{}' ({} m deep): the contact is too soft, or the steps are too long",
                    model.name(a), model.name(b), overlap),
        std::move(both)};
    return;
  }
  if (arrival.noticed > 0) group.measure(time, y, tolerance());
}

}  // namespace carom::smooth
