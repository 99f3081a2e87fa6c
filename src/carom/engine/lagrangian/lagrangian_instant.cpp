#include "carom/engine/lagrangian/lagrangian_instant.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/activity.h"
#include "carom/contact/accumulation.h"

namespace carom::lagrangian {

namespace {

/// A gap rate below this part of the fastest that the kinetic energy allows is zero.
constexpr double kZeroRate = 1e-12;
/// A slip slower than this part of the fastest that the kinetic energy allows is none.
constexpr double kZeroSlip = 1e-10;
/// Slip accelerations below this part of the largest acceleration have no direction.
constexpr double kNoDirection = 1e-9;
/// Friction this near to its limit has reached it.
constexpr double kAtLimit = 1e-6;
/// Bounces of an elastic contact never end; below this height, relative to the size, they cannot be told from rest.
constexpr double kElasticRest = 1e-16;
/// Contacts that others push together on coming to rest rest as well where they are not faster than this many times the
/// greatest rest rate at hand; faster ones are impacts.
constexpr double kSlow = 10.0;

}  // namespace

LagrangianInstant::LagrangianInstant(const InstantTools& tools, SystemState& state, InstantProgress& progress)
    : dynamics_(tools.dynamics),
      system_(tools.dynamics.system()),
      options_(tools.options),
      log_(tools.log),
      scratch_(tools.scratch),
      state_(state),
      progress_(progress) {}

ContactList LagrangianInstant::closed_contacts(LagrangianDynamics& dynamics, const SystemState& state,
                                               double closed_gap) {
  const Vector& gaps = dynamics.gaps(state.q);
  ContactList closed;
  for (const ContactIndex i : dynamics.contact_indices())
    if (gaps[i] <= closed_gap || contains(state.held, i)) closed.push_back(i);
  return closed;
}

bool LagrangianInstant::handle() {
  // An instant of such a system is short, and is not left half done.
  const std::vector<const std::atomic<bool>*> nobody;
  const InterruptWatch undisturbed(nobody);
  // Setting contacts on their constraints can make others approach: then the law is asked again.
  do {
    while (something_approaches()) {
      if (progress_.round >= options_.max_rounds)
        return fail("the law left contacts approaching in every round of one instant");
      if (!resolve()) return false;
      ++progress_.round;
      if (log_.stopped()) return false;
    }
    if (!settle()) return fail("the forces of the resting contacts could not be found");
  } while (something_approaches());
  return true;
}

bool LagrangianInstant::fail(std::string reason) {
  log_.fail(std::move(reason), state_.time, {});
  return false;
}

// ------------------------------------------------------------------------------------------------ impacts

bool LagrangianInstant::something_approaches() {
  measure_rates();
  return std::any_of(progress_.closed.begin(), progress_.closed.end(), [&](ContactIndex i) { return approaches(i); });
}

void LagrangianInstant::measure_rates() {
  rates_ = dynamics_.gap_rates(state_.q, state_.v);
  lengths_ = dynamics_.row_lengths(state_.q);
  progress_.speed = std::max(progress_.speed, std::sqrt(2.0 * dynamics_.kinetic_energy(state_.q, state_.v)));
}

bool LagrangianInstant::approaches(ContactIndex contact) const {
  // Above what a law leaves behind, so that it is not asked again for its own round-off.
  const double left_behind = 4.0 * std::max(options_.impact.tolerance, options_.impact.rest);
  return rates_[contact] < -left_behind * progress_.speed * lengths_[contact];
}

const ImpactLaw& LagrangianInstant::gather_problem() {
  const auto select = [&](TakesContacts takes) {
    // What only grazes is left to the law.
    if (takes == TakesContacts::not_separating)
      std::erase_if(selected_, [&](ContactIndex i) { return rates_[i] > kZeroRate * progress_.speed * lengths_[i]; });
    if (takes == TakesContacts::approaching) std::erase_if(selected_, [&](ContactIndex i) { return rates_[i] >= 0.0; });
  };
  const ImpactLaw* law = options_.law;
  selected_ = progress_.closed;
  select(law->needs.takes);
  const auto without_limit = [&](ContactIndex i) { return dynamics_.rough(i) && !dynamics_.has_limit(i); };
  if (selected_.size() == 1 && without_limit(selected_[0]) && !law->needs.answers_lone_rough_contact()) {
    law = &law_for_rough_contacts(*law);
    select(law->needs.takes);
  }
  law = &law_for_contacts(*law, static_cast<int>(selected_.size()));
  ImpactProblem& problem = scratch_.problem;
  dynamics_.metric(state_.q, problem.metric);
  dynamics_.constraint_rows(state_.q, problem.persistent);
  problem.velocity = state_.v;
  problem.options = options_.impact;
  problem.contacts.resize(selected_.size());
  for (std::size_t j = 0; j < selected_.size(); ++j) {
    Contact& contact = problem.contacts[j];
    contact.normal = dynamics_.gap_rows().row(selected_[j]);
    contact.restitution = system_.restitution(selected_[j]);
    const ContactIndex i = selected_[j];
    contact.rough = without_limit(i);
    contact.friction = dynamics_.has_limit(i) ? dynamics_.friction(i).kinetic_friction : 0.0;
    contact.tangents.resize(0, 0);
    if (law->needs.friction || (law->needs.tangents && contact.rough))
      dynamics_.tangent_rows(state_.q, i, contact.tangents);
    if (contact.tangents.rows() == 0) contact.friction = 0.0;
    contact.rough = contact.rough && contact.tangents.rows() > 0;
  }
  return *law;
}

bool LagrangianInstant::resolve() {
  const ImpactLaw& law = gather_problem();
  ImpactOutcome& outcome = scratch_.outcome;
  scratch_.solver.solve(scratch_.problem, law, outcome);
  state_.v = Eigen::Map<const Vector>(outcome.velocity.data(), dynamics_.speeds());
  log_.count_impact(selected_.size(), pressed_count(outcome.impulses));
  log_.result.energy.impacts -= outcome.energy.change;
  report_impact();
  if (finished(outcome.stop)) return true;
  return fail("the impact law stopped: " + std::string(stop_name(outcome.stop)));
}

void LagrangianInstant::report_impact() {
  if (!log_.observed()) return;
  const ImpactOutcome& outcome = scratch_.outcome;
  EventDraft& draft = scratch_.draft.begin(EventKind::impact, state_.time);
  draft.record.round = progress_.round;
  draft.take_outcome(outcome);
  for (std::size_t j = 0; j < selected_.size(); ++j) {
    ContactRecord& contact = draft.add_contact(kNone, int{selected_[j]});
    contact.impulse = outcome.impulses[j];
    contact.rate_before = outcome.rate_before[j];
    contact.rate_after = outcome.rate_after[j];
    contact.restitution = outcome.audit.restitution[j];
  }
  draft.report(log_);
}

// ------------------------------------------------------------------------------------------------ rest

bool LagrangianInstant::settle() {
  if (!choose_candidates()) return false;
  if (!persisting_.empty() && !set_down()) return false;
  hold_persisting();
  if (state_.held.empty() && dynamics_.constraints() > 0) put_on(state_.held);
  return true;
}

bool LagrangianInstant::choose_candidates() {
  // Contacts that are pulled together and bounce too low to be told from rest. Whether one is pulled can depend on
  // others that press (a block wedged in), so look again until no more are found.
  measure_rates();
  set_slips();
  persisting_.clear();
  pull_.setZero(dynamics_.contacts());
  rest_rate_.setZero(dynamics_.contacts());
  bool more = !progress_.closed.empty();
  while (more) {
    more = false;
    if (!has_answer(dynamics_.accelerate(state_.time, state_.q, state_.v, {}, persisting_))) return false;
    const Vector& accelerations = dynamics_.gap_accelerations(state_.q, state_.v);
    const double scale = dynamics_.answer().scale();
    for (const ContactIndex i : progress_.closed) {
      if (contains(persisting_, i)) continue;
      pull_[i] = -accelerations[i];
      const double height =
          system_.restitution(i) < 1.0 ? options_.contact_tolerance * system_.size() : kElasticRest * system_.size();
      rest_rate_[i] =
          std::max(contact::rest_rate(std::max(pull_[i], 0.0), height), kZeroRate * progress_.speed * lengths_[i]);
      if (pull_[i] < -ContactDynamics::kZero * scale * lengths_[i] || rates_[i] > rest_rate_[i]) continue;
      persisting_.push_back(i);
      more = true;
    }
  }
  return drop_opening();
}

void LagrangianInstant::set_slips() {
  for (const ContactIndex i : progress_.closed) {
    LagrangianDynamics::Slip slip = dynamics_.slip(i);
    const bool ended = std::exchange(slip.ended, false);
    slip.slides = false;
    if (dynamics_.has_limit(i) && !ended) {
      const std::array<double, 2> rate = dynamics_.slip_rate(state_.q, state_.v, i);
      const double speed = std::hypot(rate[0], rate[1]);
      slip.slides = speed > kZeroSlip * progress_.speed * lengths_[i];
      if (slip.slides) slip = {true, false, {rate[0] / speed, rate[1] / speed}, false};
    }
    dynamics_.set_slip(i, slip);
  }
}

bool LagrangianInstant::begin_slips() {
  const ContactDynamics& answer = dynamics_.answer();
  bool told = false;
  int tangent = 0;
  for (std::size_t j = 0; j < persisting_.size(); ++j) {
    const ContactIndex i = persisting_[j];
    const int first = tangent;
    tangent += dynamics_.tangents(i);
    if (!dynamics_.rough(i)) continue;
    LagrangianDynamics::Slip slip = dynamics_.slip(i);
    if (!dynamics_.has_limit(i)) {
      slip.slides = answer.slides(static_cast<int>(j));
    } else if (!slip.slides) {
      double friction[2] = {}, rate[2] = {};
      for (int k = 0; k < dynamics_.tangents(i); ++k) {
        friction[k] = answer.tangential_force()[static_cast<std::size_t>(first + k)];
        rate[k] = answer.slip_acceleration(first + k);
      }
      const double limit = dynamics_.friction(i).kinetic_friction * answer.normal_force()[j];
      const double size = std::hypot(friction[0], friction[1]), fast = std::hypot(rate[0], rate[1]);
      const bool begins = answer.slides(static_cast<int>(j));
      const bool at_limit = slip.lets_go && limit > 0.0 && size >= limit * (1.0 - kAtLimit);
      if (begins && fast > kNoDirection * answer.scale() * lengths_[i]) {
        slip = {true, false, {rate[0] / fast, rate[1] / fast}, false};
      } else if ((begins || at_limit) && size > 0.0) {
        told = told || !begins;
        slip = {true, false, {-friction[0] / size, -friction[1] / size}, false};
      }
    }
    dynamics_.set_slip(i, slip);
  }
  return told;
}

bool LagrangianInstant::drop_opening() {
  std::sort(persisting_.begin(), persisting_.end());
  if (persisting_.empty()) return true;
  do {
    if (!has_answer(dynamics_.accelerate(state_.time, state_.q, state_.v, {}, persisting_))) return false;
  } while (begin_slips());
  const ContactDynamics& answer = dynamics_.answer();
  ContactList kept;
  for (std::size_t j = 0; j < persisting_.size(); ++j) {
    if (!answer.opens(static_cast<int>(j))) kept.push_back(persisting_[j]);
  }
  persisting_ = std::move(kept);
  return true;
}

bool LagrangianInstant::set_down() {
  // To set contacts on their constraints can push others together: slow ones come to rest with them, at once.
  const Vector rates = rates_;
  const double slow = kSlow * rest_rate_.maxCoeff();
  put_on(persisting_);
  for (bool more = true; more;) {
    more = false;
    measure_rates();
    for (const ContactIndex i : progress_.closed)
      if (!contains(persisting_, i) && approaches(i) && rates_[i] > -slow) {
        persisting_.push_back(i);
        more = true;
      }
    if (more) put_on(persisting_);
  }
  rates_ = rates;
  return drop_opening();
}

void LagrangianInstant::hold_persisting() {
  ContactList opened;
  ContactList started;
  PendingRest rest{state_.time, {}};
  for (const ContactIndex i : state_.held)
    if (!contains(persisting_, i)) opened.push_back(i);
  double remainder = 0.0;
  ContactList sticking, slipping;
  for (const ContactIndex i : persisting_) {
    if (contains(state_.held, i)) {
      const auto was = progress_.slides_before.find(i);
      const bool slides = dynamics_.slip(i).slides,
                 turned = was != progress_.slides_before.end() && was->second.slides && slides &&
                          was->second.direction[0] * dynamics_.slip(i).direction[0] +
                                  was->second.direction[1] * dynamics_.slip(i).direction[1] <
                              0.0;
      if (was != progress_.slides_before.end() && dynamics_.has_limit(i) && (was->second.slides != slides || turned))
        (slides ? slipping : sticking).push_back(i);
      continue;
    }
    const double e = system_.restitution(i);
    const bool bounces = e > 0.0 && e < 1.0 && pull_[i] > 0.0 && rates_[i] > kZeroRate * progress_.speed * lengths_[i];
    (bounces ? rest.contacts : started).push_back(i);
    if (bounces) remainder = std::max(remainder, contact::accumulation_remainder(rates_[i], pull_[i], e));
  }
  state_.held = persisting_;
  log_.result.contacts_opened += static_cast<std::int64_t>(opened.size());
  report({EventKind::release, state_.time, opened}, scratch_.draft, log_);
  report({EventKind::stick, state_.time, sticking}, scratch_.draft, log_);
  report({EventKind::slip, state_.time, slipping}, scratch_.draft, log_);
  report({EventKind::contact_start, state_.time, started}, scratch_.draft, log_);
  if (rest.contacts.empty()) return;
  rest.time += remainder;
  const auto later = std::find_if(state_.rests.begin(), state_.rests.end(),
                                  [&](const PendingRest& other) { return other.time > rest.time; });
  state_.rests.insert(later, std::move(rest));
}

void LagrangianInstant::put_on(std::span<const ContactIndex> held) {
  log_.result.energy.cut_off += put_on_constraints(dynamics_, held, state_);
}

}  // namespace carom::lagrangian
