#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/contact/accumulation.h"
#include "carom/engine/lagrangian/lagrangian_run.h"

namespace carom::lagrangian {

namespace {

/// A gap rate below this part of the fastest that the kinetic energy allows is zero.
constexpr double kZeroRate = 1e-12;
/// Bounces of an elastic contact never end; below this height, relative to the size, they cannot be told from rest.
constexpr double kElasticRest = 1e-16;
/// Contacts that others push together on coming to rest rest as well where they are not faster than this many times the
/// greatest rest rate at hand; faster ones are impacts.
constexpr double kSlow = 10.0;
/// A persistent contact is let go where it pulls with more than this part of the largest acceleration.
constexpr double kPull = 1e-11;

/// A rough contact that can neither stick nor open slides.
bool has_answer(AccelerationStatus status) {
  return status == AccelerationStatus::solved || status == AccelerationStatus::undecided;
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

void LagrangianRun::instant() {
  const Vector& gaps = dynamics_.gaps(state_.q);
  closed_.clear();
  for (int i = 0; i < dynamics_.contacts(); ++i)
    if (gaps[i] <= gap_closed_ || contains(held_, i)) closed_.push_back(i);
  // What is left when everything comes to rest is round-off of the speed that came in.
  speed_ = 0.0;
  measure_rates();
  // Setting contacts on their constraints can make others approach: then the law is asked again.
  int round = 0;
  do {
    for (; running_ && something_approaches(); ++round) {
      if (round >= options_.max_rounds) return fail("the law left contacts approaching in every round of one instant");
      if (!resolve(round)) return;
      if (options_.max_events > 0 && result_.run.impacts >= options_.max_events) return stop(RunStop::event_limit);
    }
    settle();
  } while (running_ && something_approaches());
}

bool LagrangianRun::something_approaches() {
  measure_rates();
  return std::any_of(closed_.begin(), closed_.end(), [&](int i) { return approaches(i); });
}

void LagrangianRun::measure_rates() {
  rates_ = dynamics_.gap_rates(state_.q, state_.v);
  lengths_ = dynamics_.row_lengths(state_.q);
  speed_ = std::max(speed_, std::sqrt(2.0 * dynamics_.kinetic_energy(state_.q, state_.v)));
}

bool LagrangianRun::approaches(int contact) const {
  // Above what a law leaves behind, so that it is not asked again for its own round-off.
  const double left_behind = 4.0 * std::max(options_.impact.tolerance, options_.impact.rest);
  return rates_[contact] < -left_behind * speed_ * lengths_[contact];
}

void LagrangianRun::gather_problem() {
  dynamics_.metric(state_.q, problem_.metric);
  dynamics_.constraint_rows(state_.q, problem_.persistent);
  problem_.velocity = state_.v;
  taking_part_ = closed_;
  // `newton` would reverse contacts that separate already.
  if (options_.law == &kNewtonLaw)
    std::erase_if(taking_part_, [&](int i) { return rates_[i] > kZeroRate * speed_ * lengths_[i]; });
  problem_.contacts.resize(taking_part_.size());
  for (std::size_t j = 0; j < taking_part_.size(); ++j) {
    Contact& contact = problem_.contacts[j];
    contact.normal = dynamics_.gap_rows().row(taking_part_[j]);
    contact.restitution = system_.restitution(taking_part_[j]);
    dynamics_.tangent_rows(state_.q, taking_part_[j], contact.tangents);
  }
}

bool LagrangianRun::resolve(int round) {
  gather_problem();
  const bool rough = std::any_of(taking_part_.begin(), taking_part_.end(), [&](int i) { return dynamics_.rough(i); });
  solver_.solve(problem_, rough ? kRoughLaw : *options_.law, outcome_);
  state_.v = Eigen::Map<const Vector>(outcome_.velocity.data(), dynamics_.speeds());
  pack();
  ++result_.run.impacts;
  if (taking_part_.size() > 1) ++result_.run.multiple;
  result_.run.energy.impacts -= outcome_.energy.change;
  record_impact(round);
  if (finished(outcome_.stop)) return true;
  fail("the impact law stopped: " + std::string(stop_name(outcome_.stop)));
  return false;
}

void LagrangianRun::record_impact(int round) {
  if (observer_ == nullptr) return;
  records_.assign(taking_part_.size(), {});
  for (std::size_t j = 0; j < taking_part_.size(); ++j) {
    records_[j].b = taking_part_[j];
    records_[j].impulse = outcome_.impulses[j];
    records_[j].rate_before = outcome_.rate_before[j];
    records_[j].rate_after = outcome_.rate_after[j];
  }
  EventRecord event;
  event.time = state_.time;
  event.round = round;
  event.law = outcome_.law;
  event.contacts = records_;
  event.steps = outcome_.steps;
  event.stop = outcome_.stop;
  event.energy = outcome_.energy;
  event.min_impulse = outcome_.audit.min_impulse;
  event.min_gap_rate_after = outcome_.audit.min_gap_rate_after;
  event.constraint_residual = outcome_.audit.constraint_residual;
  event.complementarity_residual = outcome_.audit.complementarity_residual;
  event.flags = outcome_.audit.flags;
  observer_->event(event);
}

void LagrangianRun::emit(EventKind kind, double time, std::span<const int> contacts) {
  if (observer_ == nullptr || contacts.empty()) return;
  records_.assign(contacts.size(), {});
  for (std::size_t j = 0; j < contacts.size(); ++j) records_[j].b = contacts[j];
  EventRecord event;
  event.time = time;
  event.kind = kind;
  event.contacts = records_;
  observer_->event(event);
}

void LagrangianRun::emit_rests(double until) {
  while (!pending_rests_.empty() && pending_rests_.front().time <= until) {
    PendingRest rest = std::move(pending_rests_.front());
    pending_rests_.erase(pending_rests_.begin());
    std::erase_if(rest.contacts, [&](int i) { return !contains(held_, i); });
    emit(EventKind::rest, rest.time, rest.contacts);
  }
}

bool LagrangianRun::choose_candidates() {
  // Contacts that are pulled together and bounce too low to be told from rest. Whether one is pulled can depend on
  // others that press (a block wedged in), so look again until no more are found.
  measure_rates();
  chosen_.clear();
  pull_.setZero(dynamics_.contacts());
  rest_rate_.setZero(dynamics_.contacts());
  bool more = !closed_.empty();
  while (more) {
    more = false;
    if (!has_answer(dynamics_.accelerate(state_.time, state_.q, state_.v, {}, chosen_))) return false;
    const Vector& accelerations = dynamics_.gap_accelerations(state_.q, state_.v);
    const double scale = dynamics_.answer().scale();
    for (const int i : closed_) {
      if (contains(chosen_, i)) continue;
      pull_[i] = -accelerations[i];
      const double height = system_.restitution(i) < 1.0 ? gap_closed_ : kElasticRest * system_.size();
      rest_rate_[i] = std::max(rest_rate(std::max(pull_[i], 0.0), height), kZeroRate * speed_ * lengths_[i]);
      if (pull_[i] < -ContactDynamics::kZero * scale * lengths_[i] || rates_[i] > rest_rate_[i]) continue;
      chosen_.push_back(i);
      more = true;
    }
  }
  return drop_opening();
}

bool LagrangianRun::drop_opening() {
  std::sort(chosen_.begin(), chosen_.end());
  if (chosen_.empty()) return true;
  if (!has_answer(dynamics_.accelerate(state_.time, state_.q, state_.v, {}, chosen_))) return false;
  std::size_t kept = 0;
  for (std::size_t j = 0; j < chosen_.size(); ++j) {
    dynamics_.set_sliding(chosen_[j], dynamics_.answer().slides(static_cast<int>(j)));
    if (!dynamics_.answer().opens(static_cast<int>(j))) chosen_[kept++] = chosen_[j];
  }
  chosen_.resize(kept);
  return true;
}

bool LagrangianRun::set_down() {
  // To set contacts on their constraints can push others together: slow ones come to rest with them, at once.
  const Vector rates = rates_;
  const double slow = kSlow * rest_rate_.maxCoeff();
  put_on_constraints(chosen_);
  for (bool more = true; more;) {
    more = false;
    measure_rates();
    for (const int i : closed_)
      if (!contains(chosen_, i) && approaches(i) && rates_[i] > -slow) {
        chosen_.push_back(i);
        more = true;
      }
    if (more) put_on_constraints(chosen_);
  }
  rates_ = rates;
  return drop_opening();
}

void LagrangianRun::settle() {
  if (!choose_candidates()) return fail("the forces of the resting contacts could not be found");
  if (!chosen_.empty() && !set_down()) return fail("the forces of the resting contacts could not be found");
  std::vector<int> opened;
  std::vector<int> started;
  std::vector<int> resting;
  for (const int i : held_)
    if (!contains(chosen_, i)) opened.push_back(i);
  double end = 0.0;
  for (const int i : chosen_) {
    if (contains(held_, i)) continue;
    const double e = system_.restitution(i);
    const bool bounces = e > 0.0 && e < 1.0 && pull_[i] > 0.0 && rates_[i] > kZeroRate * speed_ * lengths_[i];
    (bounces ? resting : started).push_back(i);
    if (bounces) end = std::max(end, accumulation_remainder(rates_[i], pull_[i], e));
  }
  held_ = chosen_;
  result_.run.contacts_opened += static_cast<std::int64_t>(opened.size());
  emit(EventKind::release, state_.time, opened);
  emit(EventKind::contact_start, state_.time, started);
  if (!resting.empty()) {
    PendingRest rest{state_.time + end, resting};
    const auto later = std::find_if(pending_rests_.begin(), pending_rests_.end(),
                                    [&](const PendingRest& other) { return other.time > rest.time; });
    pending_rests_.insert(later, std::move(rest));
  }
  if (held_.empty() && dynamics_.constraints() > 0) put_on_constraints(held_);
}

bool LagrangianRun::wants_release(double after) {
  Vector q;
  Vector v;
  state_within(after, q, v);
  const double time = state_.time + after;
  std::vector<int> pulling;
  if (dynamics_.accelerate(time, q, v, held_, {}) != AccelerationStatus::solved) return false;
  const ContactDynamics& answer = dynamics_.answer();
  if (answer.rows_independent()) {
    for (std::size_t j = 0; j < held_.size(); ++j) {
      const int row = dynamics_.constraints() + static_cast<int>(j);
      const double force = answer.constraint_force()[static_cast<std::size_t>(row)] * answer.constraint_length(row);
      if (force < -kPull * answer.scale()) pulling.push_back(held_[j]);
    }
  } else {
    // The shares of the contacts are not unique; whether one opens is.
    if (!has_answer(dynamics_.accelerate(time, q, v, {}, held_))) return false;
    for (std::size_t j = 0; j < held_.size(); ++j)
      if (answer.opens(static_cast<int>(j))) pulling.push_back(held_[j]);
  }
  if (pulling.empty()) return false;
  releasing_ = pulling;
  return true;
}

void LagrangianRun::release() {
  std::erase_if(held_, [&](int i) { return contains(releasing_, i); });
  result_.run.contacts_opened += static_cast<std::int64_t>(releasing_.size());
  emit(EventKind::release, state_.time, releasing_);
}

void LagrangianRun::put_on_constraints(std::span<const int> held) {
  const double before = total_energy();
  dynamics_.project(state_.q, state_.v, held);
  result_.run.energy.cut_off += before - total_energy();
  pack();
}

double LagrangianRun::total_energy() {
  return dynamics_.kinetic_energy(state_.q, state_.v) + system_.potential(state_.q);
}

}  // namespace carom::lagrangian
