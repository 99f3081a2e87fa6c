#include "carom/engine/lagrangian/next_event.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"

namespace carom::lagrangian {

namespace {

/// Gaps are computed from coordinates to about this, relative to the size.
constexpr double kGapNoise = 1e-14;
/// Where gaps are sampled, no coordinate moves by more than this part of the size from one look to the next.
constexpr double kLook = 0.25;
/// Places within a step at which the forces of persistent contacts are looked at.
constexpr int kForceSamples = 4;
/// A persistent contact is let go where it pulls with more than this part of the largest acceleration.
constexpr double kPull = 1e-11;

}  // namespace

NextEvent EventSearch::first() {
  NextEvent next;
  find_closings(next);
  if (!start_.held.empty()) find_release(std::min(motion_.length(), next.after), next);
  return next;
}

contact::GapSample EventSearch::gap_after(ContactIndex contact, double after) {
  motion_.read_after(after, q_, v_);
  return {dynamics_.gaps(q_)[contact], dynamics_.gap_rates(q_, v_)[contact]};
}

void EventSearch::find_closings(NextEvent& next) {
  const LagrangianSystem& system = dynamics_.system();
  contact::GapSearch search;
  search.end = motion_.length();
  search.noise = kGapNoise * system.size();
  search.closed = closed_;
  search.pieces =
      std::max(search.pieces, static_cast<int>(std::ceil(motion_.farthest_travel() / (kLook * system.size()))));
  for (const ContactIndex i : dynamics_.contact_indices()) {
    if (contains(start_.held, i)) continue;
    search.bound = system.gap_acceleration_bound(i, start_.time, start_.q, start_.v, motion_.length());
    const contact::GapCrossing crossing =
        contact::first_closing([this, i](double after) { return gap_after(i, after); }, search);
    next.proven = next.proven && crossing.proven;
    if (!crossing.time) continue;
    // Later contacts need to be followed up to here only; one at the same time belongs to the same instant anyway.
    if (*crossing.time < next.after) {
      next.after = *crossing.time;
      next.closing = i;
    }
    search.end = std::min(search.end, next.after);
  }
}

void EventSearch::find_release(double until, NextEvent& next) {
  double before = 0.0;
  for (int k = 1; k <= kForceSamples; ++k) {
    double after = until * k / kForceSamples;
    ContactList pulling = pulling_after(after);
    ContactList ending = ending_after(after);
    if (pulling.empty() && ending.empty()) {
      before = after;
      continue;
    }
    while (true) {
      Activity::tick();
      const double middle = 0.5 * (before + after);
      if (!(middle > before && middle < after) || after - before < 1e-15 * until) break;
      ContactList then = pulling_after(middle);
      ContactList ends = ending_after(middle);
      if (then.empty() && ends.empty()) {
        before = middle;
      } else {
        after = middle;
        pulling = std::move(then);
        ending = std::move(ends);
      }
    }
    if (!(after < next.after)) return;
    next.after = after;
    next.closing = kNone;
    next.opening = std::move(pulling);
    next.ending = std::move(ending);
    return;
  }
}

/// Right after pulling_after: its answer is that of the same instant.
ContactList EventSearch::ending_after(double after) {
  ContactList ending;
  const ContactList& held = start_.held;
  if (std::none_of(held.begin(), held.end(), [&](ContactIndex i) { return dynamics_.has_limit(i); })) return ending;
  motion_.read_after(after, q_, v_);
  if (dynamics_.accelerate(start_.time + after, q_, v_, held, {}) != AccelerationStatus::solved) return ending;
  const std::span<const double> force = dynamics_.answer().constraint_force();
  auto normal = static_cast<std::size_t>(dynamics_.constraints());
  std::size_t tangent = normal + held.size();
  for (const ContactIndex i : held) {
    const LagrangianDynamics::Slip& slip = dynamics_.slip(i);
    const double pressing = force[normal++];
    if (!dynamics_.rough(i)) continue;
    if (slip.slides) {
      const std::array<double, 2> rate = dynamics_.slip_rate(q_, v_, i);
      if (dynamics_.has_limit(i) && rate[0] * slip.direction[0] + rate[1] * slip.direction[1] < 0.0)
        ending.push_back(i);
      continue;
    }
    double square = 0.0;
    for (int k = 0; k < dynamics_.tangents(i); ++k, ++tangent) square += force[tangent] * force[tangent];
    if (dynamics_.has_limit(i) && std::sqrt(square) > dynamics_.friction(i).static_friction * std::max(pressing, 0.0))
      ending.push_back(i);
  }
  return ending;
}

ContactList EventSearch::pulling_after(double after) {
  motion_.read_after(after, q_, v_);
  const double time = start_.time + after;
  const ContactList& held = start_.held;
  ContactList pulling;
  if (dynamics_.accelerate(time, q_, v_, held, {}) != AccelerationStatus::solved) return pulling;
  const ContactDynamics& answer = dynamics_.answer();
  if (answer.rows_independent()) {
    int row = dynamics_.constraints();
    for (const ContactIndex i : held) {
      const double force = answer.constraint_force()[static_cast<std::size_t>(row)] * answer.constraint_length(row);
      if (force < -kPull * answer.scale()) pulling.push_back(i);
      ++row;
    }
    return pulling;
  }
  // The shares of the contacts are not unique; whether one opens is.
  if (!has_answer(dynamics_.accelerate(time, q_, v_, {}, held))) return pulling;
  for (std::size_t j = 0; j < held.size(); ++j)
    if (answer.opens(static_cast<int>(j))) pulling.push_back(held[j]);
  return pulling;
}

}  // namespace carom::lagrangian
