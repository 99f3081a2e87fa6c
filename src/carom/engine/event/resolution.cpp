/// Impacts: the cluster of closed contacts becomes one problem, the law answers, velocities jump.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

double EventEngine::Core::kinetic_energy(const std::vector<int>& bodies) {
  double sum = 0.0;
  for (const int body : bodies) {
    const Object& o = object(body);
    const BodyState& state = now(body);
    sum += 0.5 * o.mass * state.velocity.squaredNorm();
    if (state.angular_velocity.isZero(0.0)) continue;
    const Vector3d spin = (state.orientation * o.principal_axes).conjugate() * state.angular_velocity;
    sum += 0.5 * o.inertia.dot(spin.cwiseAbs2());
  }
  return sum;
}

std::vector<int> EventEngine::Core::bodies_of_chosen() const {
  std::vector<int> bodies;
  for (const int index : chosen_) {
    const ContactPoint& contact = closed_[static_cast<std::size_t>(index)];
    bodies.push_back(contact.a);
    if (is_body(contact.b)) bodies.push_back(contact.b);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

void EventEngine::Core::note_velocities_before(const std::vector<int>& bodies) {
  if (observer_ == nullptr) return;
  jumps_.clear();
  for (const int body : bodies)
    jumps_.push_back({.body = body,
                      .velocity_before = now(body).velocity,
                      .velocity_after = Vector3d::Zero(),
                      .angular_velocity_before = now(body).angular_velocity,
                      .angular_velocity_after = Vector3d::Zero()});
}

void EventEngine::Core::note_velocities_after() {
  for (JumpRecord& jump : jumps_) {
    jump.velocity_after = now(jump.body).velocity;
    jump.angular_velocity_after = now(jump.body).angular_velocity;
  }
}

void EventEngine::Core::count_impact(std::size_t contacts) {
  ++result_.impacts;
  if (contacts > 1) ++result_.multiple;
  if (options_.max_events > 0 && result_.impacts >= options_.max_events) {
    result_.stop = RunStop::event_limit;
    over_ = true;
  }
}

// A single smooth contact without constraints: all laws agree on v⁺ = v⁻ + p G⁻¹nᵀ, p = −(1+e)γ⁻/D.
void EventEngine::Core::resolve_single(const ContactPoint& contact, int round) {
  const double rate = rate_of(contact);
  const bool both = is_body(contact.b);
  problem_bodies_.assign(1, contact.a);
  if (both) problem_bodies_.push_back(contact.b);
  note_velocities_before(problem_bodies_);
  const double before = observer_ != nullptr ? kinetic_energy(problem_bodies_) : 0.0;
  double inertance = 0.0;
  Vector6d change[2];
  for (int side = 0; side < (both ? 2 : 1); ++side) {
    const int body = side == 0 ? contact.a : contact.b;
    const Object& o = object(body);
    const Vector3d normal = side == 0 ? contact.normal : Vector3d(-contact.normal);
    change[side].head<3>() = normal / o.mass;
    inertance += 1.0 / o.mass;
    if (o.round) {
      change[side].tail<3>().setZero();
      continue;
    }
    const BodyState& state = now(body);
    const Quaterniond principal = state.orientation * o.principal_axes;
    const Vector3d lever =
        principal.conjugate() * ((side == 0 ? contact.point_a : contact.point_b) - state.position).cross(normal);
    const Vector3d spin = lever.cwiseQuotient(o.inertia);
    inertance += lever.dot(spin);
    change[side].tail<3>() = principal * spin;
  }
  const double impulse = -(1.0 + contact.rule.restitution) * rate / inertance;
  for (int side = 0; side < (both ? 2 : 1); ++side) {
    BodyState& state = now_state_[static_cast<std::size_t>(side == 0 ? contact.a : contact.b)];
    state.velocity += impulse * change[side].head<3>();
    state.angular_velocity += impulse * change[side].tail<3>();
  }
  const double after = -contact.rule.restitution * rate;
  const double work = 0.5 * impulse * (rate + after);
  const double wall = both ? 0.0 : impulse * contact.normal.dot(point_velocity(now(contact.b), contact.point_b));
  result_.energy.impacts -= work;
  result_.energy.wall_work += wall;
  count_impact(1);
  if (observer_ == nullptr) return;
  note_velocities_after();
  contact_records_.assign(1, {.a = contact.a,
                              .b = contact.b,
                              .point = contact.point(),
                              .normal = contact.normal,
                              .impulse = impulse,
                              .tangential_impulse = Vector3d::Zero(),
                              .rate_before = rate,
                              .rate_after = rate_of(contact)});
  EventRecord record;
  record.time = now_;
  record.round = round;
  record.law = options_.law->name;
  record.contacts = contact_records_;
  record.jumps = jumps_;
  record.steps = 1;
  record.energy.before = before;
  record.energy.after = kinetic_energy(problem_bodies_);
  record.energy.change = record.energy.after - before;
  record.energy.change_from_impulses = work + wall;
  record.energy.contact_work = work;
  record.energy.wall_work = wall;
  record.min_impulse = impulse;
  record.min_gap_rate_after = contact_records_[0].rate_after;
  observer_->event(record);
}

bool EventEngine::Core::resolve_problem(const ImpactLaw& law, int round) {
  const bool rough = law.name == kRoughLaw.name;
  build_problem(rough);
  note_velocities_before(problem_bodies_);
  const double before = kinetic_energy(problem_bodies_);
  try {
    solver_.solve(problem_, law, outcome_);
  } catch (const InputError& error) {
    fail(fmt::format("the impact problem could not be posed: {}", error.what()), problem_bodies_);
    return false;
  }
  read_velocities();
  outcome_.energy.before = before;
  outcome_.energy.after = kinetic_energy(problem_bodies_);
  double carried = 0.0;
  for (std::size_t k = 0; k < carrier_.size(); ++k) carried += carrier_[k].norm() + carrier_spin_[k].norm();
  if (carried > 0.0) {  // the problem was posed in moving frames: the planes' work is what contacts did not do
    outcome_.energy.change = outcome_.energy.after - before;
    outcome_.energy.wall_work = outcome_.energy.change - outcome_.energy.contact_work;
    outcome_.energy.change_from_impulses = outcome_.energy.change;
  }
  result_.energy.impacts -= outcome_.energy.contact_work;
  result_.energy.wall_work += outcome_.energy.wall_work;
  count_impact(chosen_.size());
  tell_impact(outcome_, round);
  if (finished(outcome_.stop)) return true;
  fail(fmt::format("the law {} stopped with {} after {} steps at an impact of {} contacts", law.name,
                   stop_name(outcome_.stop), outcome_.steps, chosen_.size()),
       problem_bodies_);
  return false;
}

void EventEngine::Core::tell_impact(const ImpactOutcome& outcome, int round) {
  if (observer_ == nullptr) return;
  note_velocities_after();
  contact_records_.clear();
  std::size_t tangent = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const ContactPoint& contact = closed_[static_cast<std::size_t>(chosen_[i])];
    ContactRecord record{.a = contact.a,
                         .b = contact.b,
                         .point = contact.point(),
                         .normal = contact.normal,
                         .impulse = outcome.impulses[i],
                         .tangential_impulse = Vector3d::Zero(),
                         .rate_before = outcome.rate_before[i],
                         .rate_after = outcome.rate_after[i]};
    if (problem_.contacts[i].tangents.rows() > 0 && !outcome.tangential_impulses.empty()) {
      for (const Vector3d& across : tangents_of(contact.normal))
        record.tangential_impulse += outcome.tangential_impulses[tangent++] * across;
    }
    contact_records_.push_back(record);
  }
  EventRecord record;
  record.time = now_;
  record.round = round;
  record.law = outcome.law;
  record.contacts = contact_records_;
  record.jumps = jumps_;
  record.steps = outcome.steps;
  record.stop = outcome.stop;
  record.energy = outcome.energy;
  record.min_impulse = outcome.audit.min_impulse;
  record.min_gap_rate_after = outcome.audit.min_gap_rate_after;
  record.constraint_residual = outcome.audit.constraint_residual;
  record.complementarity_residual = outcome.audit.complementarity_residual;
  record.flags = outcome.audit.flags;
  observer_->event(record);
}

// ---------------------------------------------------------------------------------------------- rounds

void EventEngine::Core::capture_problem() {
  bool rough = false;
  chosen_.clear();
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    chosen_.push_back(static_cast<int>(i));
    rough = rough || closed_[i].rule.rough;
  }
  build_problem(rough);
  for (std::size_t i = 0; i < closed_.size(); ++i)
    problem_.contacts[i].name = fmt::format("{}-{}", model_.name(closed_[i].a), model_.name(closed_[i].b));
  captured_ = problem_;
  over_ = true;
}

bool EventEngine::Core::resolve_round(int round) {
  const double threshold = kApproach * speed_;
  chosen_.clear();
  bool rough = options_.law->name == kRoughLaw.name;
  bool any = false;
  for (const ContactPoint& contact : closed_) {
    if (rate_of(contact) >= -threshold) continue;
    any = true;
    rough = rough || contact.rule.rough;
  }
  if (!any) return false;
  if (capture_) {
    capture_problem();
    return false;
  }
  const bool newton = options_.law->name == kNewtonLaw.name;
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    const double rate = rate_of(closed_[i]);
    // `rough` acts on what approaches; `newton` leaves out what separates.
    if (rough && rate >= -threshold) continue;
    if (newton && rate > threshold) continue;
    chosen_.push_back(static_cast<int>(i));
    struck_pairs_.emplace_back(closed_[i].a, closed_[i].b);
  }
  if (chosen_.size() == 1) {
    const ContactPoint& contact = closed_[static_cast<std::size_t>(chosen_[0])];
    const bool constrained =
        !object(contact.a).constraints.empty() || (is_body(contact.b) && !object(contact.b).constraints.empty());
    if (!constrained && !contact.rule.rough) {
      resolve_single(contact, round);
      return !over_;
    }
  }
  return resolve_problem(rough ? kRoughLaw : *options_.law, round) && !over_;
}

void EventEngine::Core::resolve(const std::vector<int>& seeds) {
  gather(seeds, false);
  speed_ = cluster_speed();
  struck_pairs_.clear();
  for (int round = 0; resolve_round(round); ++round) {
    if (round + 1 < options_.max_rounds) continue;
    fail(fmt::format("the law {} still leaves a contact approaching after {} rounds at one instant", options_.law->name,
                     options_.max_rounds),
         cluster_);
    break;
  }
}

}  // namespace carom
