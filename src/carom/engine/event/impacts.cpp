#include "carom/engine/event/impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/base/activity.h"
#include "carom/base/error.h"
#include "carom/engine/event/rest.h"

namespace carom::event {

using contact::Vector6d;

namespace {

/// Rounds of one instant after which contacts have struck often enough: where all lose energy, and where one does not.
/// In a narrow wedge of angle α elastic rounds end after some π/α.
constexpr int kManyRounds = 100, kManyElasticRounds = 500;
/// Rounds without rebound after which approach slower than the speed of rest is round-off.
constexpr int kEndingRounds = 10;

/// In clusters of this many contacts, and of bodies that rattle or move as crowds, laws need not be exact: their cone
/// problems are solved to this accuracy, which takes a small part of the time that exact impulses of least norm take,
/// and springs are let go with this part of the energy.
constexpr std::size_t kManyStruck = 9;
constexpr double kManyStruckAccuracy = 1e-9, kManyStruckEnergy = 1e-2;
/// Among bodies that move as crowds their steps are no more accurate than this.
constexpr double kCrowdAccuracy = 1e-7;
/// Slip in such clusters that is none, as a part of the fastest approach, and among bodies that move as crowds.
constexpr double kNoSlip = 1e-9, kNoSlipInCrowd = 1e-5;
/// Accuracy of impulses that end what no law could end: what is left of an approach is asked for again.
constexpr double kClosingAccuracy = 1e-2;

/// Nothing of the approach comes back.
void take_rebound(Contact& contact) {
  contact.restitution = 0.0;
  if (contact.tangential_restitution) contact.tangential_restitution = 0.0;
}

double fastest_approach(const ImpactProblem& problem) {
  double fastest = 0.0;
  for (const Contact& contact : problem.contacts)
    fastest = std::max(fastest, -contact.normal.dot(problem.velocity) - contact.offset);
  return fastest;
}

/// Whether a contact that resists slip has more of it than is allowed, at these velocities.
bool any_slips(const ImpactProblem& problem, std::span<const double> velocities, double allowed) {
  const Eigen::Map<const Vector> velocity(velocities.data(), static_cast<Eigen::Index>(velocities.size()));
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), [&](const Contact& contact) {
    if (!contact.resists_slip()) return false;
    Vector slip = contact.tangents * velocity;
    if (contact.tangent_offsets.size() > 0) slip += contact.tangent_offsets;
    return slip.norm() > allowed;
  });
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

bool Impacts::struck(const ContactPoint& contact) const {
  return std::find(struck_pairs_.begin(), struck_pairs_.end(), std::pair(contact.a, contact.b)) != struck_pairs_.end();
}

bool Impacts::struck(const AtImpact& impact) const {
  return std::any_of(struck_places_.begin(), struck_places_.end(), [&](const ContactPoint& contact) {
    return contact.is_limit() ? contact.limit.joint == impact.joint : impact.is_of(contact.a, contact.b);
  });
}

void Impacts::note_struck(const ContactPoint& contact) {
  struck_pairs_.emplace_back(contact.a, contact.b);
  struck_places_.push_back(contact);
}

SlipRows Impacts::slip_rows(const ImpactLaw& law) {
  if (law.needs.friction) return SlipRows::friction;
  return law.needs.tangents ? SlipRows::rough : SlipRows::none;
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
  for (Contact& contact : builder_.problem().contacts)
    if (contact.resists_slip()) contact.offset = -contact.normal.dot(velocity) - approach;
  Flags flags;
  flags.set(Flag::impact_without_collision);
  flags.set(Flag::painleve_inconsistent);
  return solve_problem(world, kCompliantLaw, 0, log, flags);
}

bool Impacts::is_finished(const ImpactLaw& law) const {
  const bool finite =
      std::all_of(outcome_.velocity.begin(), outcome_.velocity.end(), [](double v) { return std::isfinite(v); });
  const bool keeps_promise = law.promises.no_energy_created != Promise::always || builder_.moves_with_planes() ||
                             !outcome_.audit.flags.has(Flag::energy_created);
  return finished(outcome_.stop) && finite && keeps_promise;
}

/// Whether one of these laws answers, the first that does.
bool Impacts::answered_by(std::initializer_list<const ImpactLaw*> laws) {
  return std::any_of(laws.begin(), laws.end(), [&](const ImpactLaw* law) {
    solver_.solve(builder_.problem(), *law, outcome_);
    return is_finished(*law);
  });
}

/// Where nothing slips, and nothing would without friction either, friction has nothing to do: boxes that fall flat
/// onto each other. What keeps a problem symmetric, and is quickly found, is taken then.
bool Impacts::answered_without_slip(const ImpactLaw& law) {
  ImpactProblem& problem = builder_.problem();
  const double allowed = (builder_.crowded() ? kNoSlipInCrowd : kNoSlip) * fastest_approach(problem);
  const Vector& before = problem.velocity;
  if (any_slips(problem, {before.data(), static_cast<std::size_t>(before.size())}, allowed)) return false;
  std::vector<std::pair<double, bool>> friction;
  for (Contact& contact : problem.contacts)
    friction.emplace_back(std::exchange(contact.friction, 0.0), std::exchange(contact.rough, false));
  const bool answered = answered_by({&law});
  for (std::size_t i = 0; i < friction.size(); ++i)
    std::tie(problem.contacts[i].friction, problem.contacts[i].rough) = friction[i];
  return answered && !any_slips(problem, outcome_.velocity, allowed);
}

/// The law answers. Where it does not come to an end, impulses end what is left: first with the restitutions of the
/// contacts, all at once or one after the other. Where these stand in each other's way: without friction where one is
/// full, since nothing else keeps its energy; and where none is without rebound, since bounces that are infinitely many
/// end at once. Without rebound there is always an answer that loses energy: to a coarse accuracy sweeps find it, and
/// at last without friction, where it is the point of a convex set that is nearest.
void Impacts::answer(const ImpactLaw& law, Flags& remarks) {
  ImpactProblem& problem = builder_.problem();
  const bool busy = selected_.size() > 1 && (builder_.crowded() || builder_.rattles());
  const bool many = busy || selected_.size() >= kManyStruck;
  const double accuracy = builder_.crowded() ? kCrowdAccuracy : kManyStruckAccuracy;
  problem.options.accuracy = many ? accuracy : 0.0;
  problem.options.closing_energy = many ? kManyStruckEnergy : 0.0;
  if (many && law.needs.friction && answered_without_slip(law)) return;
  if (answered_by({&law})) return;
  remarks.set(Flag::closed_by_impulses);
  const bool coupled = &law == &kNewtonLaw || &law == &kPoissonLaw;
  if (!coupled && answered_by({&kPoissonLaw})) return;
  if (answered_by({&kSequentialLaw})) return;
  const bool loses = std::all_of(selected_.begin(), selected_.end(),
                                 [](const ContactPoint& contact) { return contact.rule.restitution.at_rest() < 1.0; });
  const auto take_friction = [&] {
    for (Contact& contact : problem.contacts) {
      contact.friction = 0.0;
      contact.rough = false;
    }
  };
  if (!loses) {
    take_friction();
    (void)answered_by({&kPoissonLaw, &kSequentialLaw, &law});
    return;
  }
  for (Contact& contact : problem.contacts) take_rebound(contact);
  const auto ends = [&] {
    return answered_by({&kNewtonLaw}) &&
           (builder_.moves_with_planes() || !outcome_.audit.flags.has(Flag::energy_created));
  };
  if (ends()) return;
  problem.options.accuracy = kClosingAccuracy;
  if (ends()) return;
  take_friction();
  solver_.solve(problem, kNewtonLaw, outcome_);
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

// ---------------------------------------------------------------------------------------------- rounds

void Impacts::capture(World& world, const ClosedContacts& closed) {
  const std::vector<ContactPoint>& contacts = closed.contacts();
  builder_.build(world, contacts, SlipRows::friction);
  captured_ = builder_.problem();
  captured_->diagonal = false;  // whoever has it may change it
  captured_->coordinates = builder_.coordinate_names(world);
  for (Contact& contact : captured_->contacts) contact.known = {};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactPoint& contact = contacts[i];
    captured_->contacts[i].name =
        contact.is_limit()
            ? fmt::format("{}-{}", world.model().joints[contact.limit.joint].name, limit_side_name(contact.limit.side))
            : fmt::format("{}-{}", world.model().name(contact.a), world.model().name(contact.b));
  }
}

/// Separation slower than this would be set down again at once: such a contact takes part in what happens to others.
double Impacts::slow(const Instant& at, const ContactPoint& contact) const {
  return std::max(at.closed.approach_threshold(), settling_.speed_of(at, contact));
}

/// A contact that was struck and approaches again at the same instant would go on doing so, with others by turns.
/// Without full restitution these bounces, infinitely many, end together: from then on all that were struck belong to
/// the problem, whether they separate or not, without rebound, which loses energy whatever takes part. So their number
/// only grows.
void Impacts::select(const Instant& at, TakesContacts takes) {
  World& world = at.world;
  const ClosedContacts& closed = at.closed;
  const double threshold = closed.approach_threshold();
  const auto was_struck = [&](const ContactPoint& contact) {
    return std::any_of(struck_places_.begin(), struck_places_.end(), [&](const ContactPoint& old) {
      return old.same_parts(contact) && old.point_a == contact.point_a && old.normal == contact.normal;
    });
  };
  for (const ContactPoint& contact : closed.contacts())
    again_ = again_ ||
             (contact.rule.restitution.at_rest() < 1.0 && world.rate_of(contact) < -threshold && was_struck(contact));
  selected_.clear();
  for (const ContactPoint& contact : closed.contacts()) {
    const double rate = world.rate_of(contact);
    const bool old = was_struck(contact);
    if (takes == TakesContacts::approaching && rate >= -threshold) continue;
    if (takes == TakesContacts::not_separating && rate > slow(at, contact) && !(again_ && old)) continue;
    selected_.push_back(contact);
    if (!old) note_struck(contact);
  }
}

const ImpactLaw& Impacts::select(const Instant& at) {
  World& world = at.world;
  select(at, law_->needs.takes);
  if (law_->needs.answers_lone_rough_contact()) return *law_;
  // A plane that a constraint lets a body roll on is no contact of its own.
  const auto rolls = [&](const ContactPoint& contact) {
    const std::vector<ConstraintIndex>& constraints = world.object(contact.a).constraints;
    return std::any_of(constraints.begin(), constraints.end(), [&](ConstraintIndex index) {
      const auto* rolling = std::get_if<RollingConstraint>(&world.model().constraints[index]);
      return rolling != nullptr && world.body_count() + rolling->plane == contact.b;
    });
  };
  const auto first = std::find_if_not(selected_.begin(), selected_.end(), rolls);
  if (first == selected_.end() || !first->rule.rough) return *law_;
  if (std::find_if_not(first + 1, selected_.end(), rolls) != selected_.end()) return *law_;
  const ImpactLaw& rough = law_for_rough_contacts(*law_);
  select(at, rough.needs.takes);
  return rough;
}

bool Impacts::resolve_settling(const Instant& at, int round) {
  World& world = at.world;
  const std::vector<ContactPoint>& contacts = at.closed.contacts();
  const double threshold = at.closed.approach_threshold();
  std::vector<char> plastic;
  bool all = true;
  selected_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double rate = world.rate_of(contacts[i]);
    if (rate > slow(at, contacts[i])) continue;
    selected_.push_back(contacts[i]);
    plastic.push_back(settling_.settles(i));
    all = all && (settling_.settles(i) || rate >= -threshold);
    note_struck(contacts[i]);
  }
  builder_.build(world, selected_, slip_rows(*law_));
  for (std::size_t i = 0; i < selected_.size(); ++i)
    if (plastic[i]) take_rebound(builder_.problem().contacts[i]);
  Flags flags;
  flags.set(Flag::settled);
  // Where nothing rebounds all laws mean the same: the velocities nearest to those before that the contacts allow.
  return solve_problem(world, all ? kNewtonLaw : *law_, round, at.log, flags) && !at.log.stopped();
}

/// Contacts that go on striking each other by turns at one instant, none of them with full restitution, do so
/// infinitely often: what is left of their approach after many rounds ends at once, without rebound. Where one has full
/// restitution all contacts of the cluster take what is left together, separating ones too, by Poisson's law and
/// without friction: what is compressed comes back, nothing approaches afterwards, and no energy is created.
bool Impacts::end_rounds(const Instant& at, int round, bool loses) {
  const ImpactLaw& law = loses ? kNewtonLaw : kPoissonLaw;
  select(at, loses ? TakesContacts::not_separating : TakesContacts::all);
  builder_.build(at.world, selected_, loses ? slip_rows(law) : SlipRows::none);
  if (loses)
    for (Contact& contact : builder_.problem().contacts) take_rebound(contact);
  Flags flags;
  flags.set(Flag::closed_by_impulses);
  return solve_problem(at.world, law, round, at.log, flags) && !at.log.stopped();
}

bool Impacts::resolve_round(const Instant& at, int round) {
  World& world = at.world;
  const ClosedContacts& closed = at.closed;
  const std::vector<ContactPoint>& contacts = closed.contacts();
  // Impulses that end many rounds are as accurate as they can be: what they leave is set down at rest.
  const bool ended = round >= kManyRounds + kEndingRounds;
  if (std::none_of(contacts.begin(), contacts.end(), [&](const ContactPoint& contact) {
        const double least = ended ? Rest::rest_speed(at, contact) : closed.approach_threshold();
        return world.rate_of(contact) < -least && !settling_.is_left_to_steps(at, contact);
      }))
    return false;
  if (capture_) {
    capture(world, closed);
    at.log.stop(RunStop::event_limit);
    return false;
  }
  if (settling_.is_due(at)) return resolve_settling(at, round);
  const bool loses = std::all_of(contacts.begin(), contacts.end(),
                                 [](const ContactPoint& contact) { return contact.rule.restitution.at_rest() < 1.0; });
  if (round >= (loses ? kManyRounds : kManyElasticRounds)) return end_rounds(at, round, loses);
  const ImpactLaw& law = select(at);
  if (selected_.size() == 1 && !law.needs.own_single_contact) {
    const ContactPoint& contact = selected_[0];
    const auto is_held = [&](ObjectIndex body) {
      return world.is_body(body) && !(world.object(body).constraints.empty() && world.object(body).joints.empty());
    };
    const bool constrained = is_held(contact.a) || is_held(contact.b);
    const bool smooth = !contact.rule.resists_slip() || slip_rows(law) == SlipRows::none ||
                        (slip_rows(law) == SlipRows::rough && !contact.rule.rough);
    if (!constrained && smooth) {
      resolve_single(world, contact, round, at.log);
      return !at.log.stopped();
    }
  }
  return resolve_problem(world, law, round, at.log) && !at.log.stopped();
}

void Impacts::resolve(const Instant& at, const Bodies& seeds) {
  at.closed.gather(at.world, seeds);
  at.closed.measure_speed(at.world);
  const Activity activity("the rounds of one impact");
  for (int round = 0; resolve_round(at, round); ++round) {
    Activity::tick();
    if (round + 1 < max_rounds_) continue;
    at.log.fail(fmt::format("the law {} still leaves a contact approaching after {} rounds at one instant", law_->name,
                            max_rounds_),
                at.world.time(), at.closed.bodies());
    break;
  }
}

}  // namespace carom::event
