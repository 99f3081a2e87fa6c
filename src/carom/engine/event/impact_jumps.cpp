/// Velocities jump by the impulses of an impact, which is booked and reported.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/engine/event/impacts.h"

namespace carom::event {

namespace {

/// Approach of an impact without collision, in that which an iterating law takes for rest.
constexpr double kSeen = 2.0;

/// Approach that is no rest beside the speeds of these bodies, at any of the contacts.
double seen_approach(const ImpactProblem& problem) {
  const Vector masses = problem.metric.diagonal();
  double speed = std::sqrt(problem.velocity.cwiseAbs2().dot(masses)), inertance = 0.0;
  for (const Contact& contact : problem.contacts) {
    if (!contact.resists_slip()) continue;
    const double own = contact.normal.cwiseAbs2().cwiseQuotient(masses).sum();
    inertance = std::max(inertance, own);
    speed = std::max(speed, std::abs(contact.normal.dot(problem.velocity)) / std::sqrt(own));  // of a driven wall
  }
  return kSeen * problem.options.rest * speed * std::sqrt(inertance);
}

/// Change of a body's velocities for a unit of impulse at one contact.
struct UnitChange {
  Vector3d velocity, angular_velocity;
};

/// Adds the body's part of D = n·G⁻¹·n to `inertance`.
UnitChange unit_change(World& world, BodyIndex body, const Vector3d& point, const Vector3d& normal, double& inertance) {
  const Object& o = world.object(body);
  UnitChange change{normal / o.mass, Vector3d::Zero()};
  inertance += 1.0 / o.mass;
  if (o.round) return change;
  const BodyState& state = world.now(body);
  const Quaterniond principal = state.orientation * o.principal_axes;
  const Vector3d lever = principal.conjugate() * (point - state.position).cross(normal);
  const Vector3d spin = lever.cwiseQuotient(o.inertia);
  inertance += lever.dot(spin);
  change.angular_velocity = principal * spin;
  return change;
}

}  // namespace

ImpactEnergy energy_of_impact(double before, double after, double work, double wall) {
  ImpactEnergy energy;
  energy.before = before;
  energy.after = after;
  energy.change = after - before;
  energy.change_from_impulses = work + wall;
  energy.contact_work = work;
  energy.wall_work = wall;
  return energy;
}

ContactRecord& add_contact(EventDraft& draft, const ContactPoint& contact, const World& world) {
  ContactRecord& record = draft.add_contact(contact.a, contact.b == world.ground() ? ObjectIndex(kNone) : contact.b);
  record.point = contact.point();
  record.normal = contact.normal;
  record.limit = contact.limit;
  return record;
}

void Impacts::begin_event(World& world, const Bodies& bodies, int round, const RunLog& log) {
  if (!log.observed()) return;
  draft_.begin(EventKind::impact, world.time());
  draft_.record.round = round;
  for (const BodyIndex body : bodies) draft_.add_jump(body, world.now(body));
}

/// A single smooth contact without constraints: all laws agree on v⁺ = v⁻ + p G⁻¹nᵀ, p = −(1+e)γ⁻/D.
void Impacts::resolve_single(World& world, const ContactPoint& contact, int round, RunLog& log) {
  const double rate = world.rate_of(contact);
  const bool both = world.is_body(contact.b);
  Bodies& bodies = two_;
  bodies.assign(1, as_body(contact.a));
  if (both) bodies.push_back(as_body(contact.b));
  begin_event(world, bodies, round, log);
  const double before = log.observed() ? world.kinetic_energy(bodies) : 0.0;
  double inertance = 0.0;
  std::array<UnitChange, 2> changes;
  changes[0] = unit_change(world, bodies[0], contact.point_a, contact.normal, inertance);
  if (both) changes[1] = unit_change(world, bodies[1], contact.point_b, -contact.normal, inertance);
  const double restitution = contact.rule.restitution.at(-rate);
  const double impulse = -(1.0 + restitution) * rate / inertance;
  for (std::size_t side = 0; side < bodies.size(); ++side) {
    BodyState state = world.now(bodies[side]);
    state.velocity += impulse * changes[side].velocity;
    state.angular_velocity += impulse * changes[side].angular_velocity;
    world.set_now(bodies[side], state);
  }
  const double work = 0.5 * impulse * (rate - restitution * rate);
  const double wall =
      both ? 0.0 : impulse * contact.normal.dot(contact::point_velocity(world.now(contact.b), contact.point_b));
  log.result.energy.impacts -= work;
  log.result.energy.wall_work += wall;
  log.count_impact(1, 1);
  if (!log.observed()) return;
  draft_.finish_jumps([&](BodyIndex body) -> const BodyState& { return world.now(body); });
  ContactRecord& record = draft_.add_contact(contact.a, contact.b);
  record.point = contact.point();
  record.normal = contact.normal;
  record.impulse = impulse;
  record.rate_before = rate;
  record.rate_after = world.rate_of(contact);
  record.restitution = restitution;
  draft_.record.law = law_->name;
  draft_.record.steps = 1;
  draft_.record.energy = energy_of_impact(before, world.kinetic_energy(bodies), work, wall);
  draft_.record.min_impulse = impulse;
  draft_.record.min_gap_rate_after = record.rate_after;
  draft_.report(log);
}

bool Impacts::resolve_problem(World& world, const ImpactLaw& chosen, int round, RunLog& log) {
  const ImpactLaw& law = law_for_contacts(chosen, static_cast<int>(selected_.size()));
  builder_.build(world, selected_, slip_rows(law));
  if (again_ && law.needs.takes == TakesContacts::not_separating)
    for (Contact& contact : builder_.problem().contacts) contact.restitution = 0.0;
  return solve_problem(world, law, round, log, {});
}

bool Impacts::jump_without_collision(World& world, const std::vector<ContactPoint>& contacts, double approach,
                                     RunLog& log) {
  selected_ = contacts;
  builder_.build(world, selected_, SlipRows::friction);
  const Vector& velocity = builder_.problem().velocity;
  approach = std::max(approach, seen_approach(builder_.problem()));
  for (Contact& contact : builder_.problem().contacts)
    if (contact.resists_slip()) contact.offset = -contact.normal.dot(velocity) - approach;
  Flags flags;
  flags.set(Flag::impact_without_collision);
  flags.set(Flag::painleve_inconsistent);
  if (!solve_problem(world, kCompliantLaw, 0, log, flags)) return false;
  // Other impulses end the approach that was posed, and no slip: where the law finds no end, none is to be had.
  return pressed_count(outcome_.impulses) > 0 && !outcome_.audit.flags.has(Flag::closed_by_impulses);
}

bool Impacts::solve_problem(World& world, const ImpactLaw& law, int round, RunLog& log, Flags more) {
  const Bodies& bodies = builder_.bodies();
  begin_event(world, bodies, round, log);
  const double before = world.kinetic_energy(bodies);
  try {
    answer(law, more);
  } catch (const InputError& error) {
    log.fail(fmt::format("the impact problem could not be posed: {}", error.what()), world.time(), bodies);
    return false;
  }
  if (!is_finished(law)) {
    const Flag fixed = Flag::contact_fixed_by_constraint;
    const std::string why =
        outcome_.audit.flags.has(fixed) ? fmt::format(": {}, {}", flag_name(fixed), flag_meaning(fixed)) : "";
    log.fail(fmt::format("the law {} stopped with {} after {} steps at an impact of {} contacts{}", law.name,
                         stop_name(outcome_.stop), outcome_.steps, selected_.size(), why),
             world.time(), bodies);
    return false;
  }
  approach_left_ = approach_left();
  builder_.apply(world, outcome_);
  for (const Flag flag : all_flags())
    if (more.has(flag)) outcome_.audit.flags.set(flag);
  outcome_.energy.before = before;
  outcome_.energy.after = world.kinetic_energy(bodies);
  if (builder_.moves_with_planes()) {  // posed in moving frames: the planes' work is what contacts did not do
    outcome_.energy.change = outcome_.energy.after - before;
    outcome_.energy.wall_work = outcome_.energy.change - outcome_.energy.contact_work;
    outcome_.energy.change_from_impulses = outcome_.energy.change;
  }
  log.result.energy.impacts -= outcome_.energy.contact_work;
  const double motors = builder_.motor_work(outcome_);
  log.result.energy.motor_work += motors;
  log.result.energy.wall_work += outcome_.energy.wall_work - motors;
  log.count_impact(selected_.size(), pressed_count(outcome_.impulses));
  if (log.observed()) report(world, round, log);
  return true;
}

void Impacts::report(World& world, int round, RunLog& log) {
  draft_.finish_jumps([&](BodyIndex body) -> const BodyState& { return world.now(body); });
  std::size_t tangent = 0;
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const ContactPoint& contact = selected_[i];
    ContactRecord& record = add_contact(draft_, contact, world);
    const double arm = contact.arm > 0.0 ? contact.arm : 1.0;
    record.impulse = arm * outcome_.impulses[i];
    record.rate_before = outcome_.rate_before[i] / arm;
    record.rate_after = outcome_.rate_after[i] / arm;
    record.restitution = outcome_.audit.restitution[i];
    if (builder_.problem().contacts[i].tangents.rows() == 0 || outcome_.tangential_impulses.empty()) continue;
    for (const Vector3d& across : contact::tangents_of(contact.normal))
      record.tangential_impulse += outcome_.tangential_impulses[tangent++] * across;
  }
  builder_.report_joints(outcome_, draft_);
  draft_.take_outcome(outcome_);
  draft_.record.round = round;
  draft_.report(log);
}

}  // namespace carom::event
