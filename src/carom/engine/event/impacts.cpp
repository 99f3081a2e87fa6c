#include "carom/engine/event/impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "carom/base/activity.h"
#include "carom/engine/event/disc_contacts.h"
#include "carom/engine/event/rest.h"

namespace carom::event {

namespace {

/// Rounds of one instant after which contacts have struck often enough: where all lose energy, and where one does not.
/// In a narrow wedge of angle α elastic rounds end after some π/α.
constexpr int kManyRounds = 100, kManyElasticRounds = 500;
/// What a law that came to no end leaves is to be less than this part of what it was asked for.
constexpr double kFewer = 0.5;
/// Rounds without rebound after which approach slower than the speed of rest is round-off.
constexpr int kEndingRounds = 10;

}  // namespace

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
  return std::max(at.closed.approach_threshold(), settling_.leaving_speed_of(at, contact));
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

/// Whether the law gets nowhere: it came to no end in the last round, and what the impulses that ended it have left
/// approaches as fast as what the round before had left; or it has created energy, as Newton's may with friction, and
/// contacts strike each other by turns faster than anything approached when the rounds began.
bool Impacts::gets_nowhere(const Instant& at, int round) {
  double fastest = 0.0;
  for (const ContactPoint& contact : at.closed.contacts()) fastest = std::max(fastest, -at.world.rate_of(contact));
  const double before = std::exchange(fastest_left_, fastest);
  if (round == 0) fastest_at_first_ = fastest;
  if (round <= 1) return false;
  const Flags& flags = outcome_.audit.flags;
  if (flags.has(Flag::energy_created) && fastest > fastest_at_first_) return true;
  return flags.has(Flag::closed_by_impulses) && fastest > kFewer * before;
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
  const bool loses = all_lose(contacts);
  if (gets_nowhere(at, round) || round >= (loses ? kManyRounds : kManyElasticRounds))
    return end_rounds(at, round, loses);
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
  fastest_at_first_ = fastest_left_ = contact::kForever;
  const Activity activity("the rounds of one impact");
  add_rim_points(at, settling_);
  for (int round = 0; resolve_round(at, round); ++round) {
    Activity::tick();
    at.closed.allow_approach(std::exchange(approach_left_, 0.0));
    add_rim_points(at, settling_);
    if (round + 1 < max_rounds_) continue;
    at.log.fail(fmt::format("the law {} still leaves a contact approaching after {} rounds at one instant", law_->name,
                            max_rounds_),
                at.world.time(), at.closed.bodies());
    break;
  }
}

}  // namespace carom::event
