/// Where within a step of an island its contacts cease to hold: features change, forces end, bodies come together
/// elsewhere.

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/world.h"

namespace carom::event {

namespace {

/// Overlap of bodies with faces, relative to their size, that ends a step in which they are held by other contacts.
constexpr double kOverlap = 1e-11;
/// The same in a crowd, relative to how thin they are: its places are no more accurate. And how closely the end of its
/// step is found then.
constexpr double kCrowdOverlap = 1e-7, kCrowdPart = 1e-6;
/// Points of a body that are closer than this, relative to its size, are one, and in a crowd.
constexpr double kSameSpot = 1e-6, kSameInCrowd = 1e-3;
/// Faces that lie on each other have the same normal everywhere: its cosine with that of a contact is more than this.
constexpr double kSameNormal = 1.0 - 1e-6;
/// Halvings that find where a rim comes to lie flat.
constexpr int kFlatHalvings = 40;
/// Looks at the contacts of a step on driven obstacles.
constexpr int kDrivenLooks = 8;
/// Pulls below this part of the accelerations at hand are what the unilateral problem cannot tell from none.
constexpr double kFaded = 1e-6;

}  // namespace

/// Whether points of the contact's pair overlap that no contact of the island holds, and approach, or have come
/// together within the step; the states of the pair have been read.
bool IslandDynamics::comes_together_elsewhere(const Island& island, const ContactPoint& contact) {
  const double extent = std::min(extent_of(contact.a), extent_of(contact.b));
  const contact::PlacedPair here = placed(contact);
  const bool crowded = island.is_crowded();
  const double allowed = crowded ? kCrowdOverlap * width_of(contact) : kOverlap * extent;
  const double same = (crowded ? kSameInCrowd : kSameSpot) * extent;
  // Which points stand for faces that lie on each other depends on the gap that counts as closed.
  touching_.clear();
  contact::append_closed_contacts(pair(contact), here, crowded ? kCrowdGap * extent : -allowed, touching_);
  for (const ContactPoint& point : touching_) {
    if (point.gap > -allowed || (!parting_points_count_ && gap_rate(point, state_a_, state_b_) >= 0.0)) continue;
    bool known = false;
    for (const ActiveContact& active : island.contacts) {
      if (!active.contact.same_parts(contact)) continue;
      const ContactPoint held = contact::followed(active.contact, pair(contact), here);
      // The same place, along the same normal: where the feature has changed they overlap by more than is known.
      // Of the same faces, where the contact is still on them.
      const bool near = (held.point_a - point.point_a).norm() < same ||
                        (crowded && held.normal.dot(point.normal) > kSameNormal &&
                         contact::same_feature(active.contact, pair(contact), here, kCrowdGap));
      known = known || (near && point.gap > held.gap - allowed);
    }
    if (!known) return true;
  }
  return false;
}

bool IslandDynamics::rim_has_lain_flat(const Island& island, const ContactPoint& contact, double time,
                                       const double* y) {
  const auto direction_at = [&](double at, const double* state) {
    const ContactPoint there = follow(island, contact, at, state);
    return contact::direction_on_rim(there, placed(there));
  };
  const std::optional<Vector3d> before = direction_at(island.time, island.state.data());
  const std::optional<Vector3d> now = direction_at(time, y);
  return before && now && before->dot(*now) < -0.5;
}

/// The part of the step just tried up to where a rim lies flat; 1 where none does. There the point that it rolls on
/// goes to its other side at once, and a step across is not smooth: it has to end there.
double IslandDynamics::part_before_flat(const Island& island, double step) {
  const DensePolynomial motion = step_motion();
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  const auto has_lain_flat = [&](double theta) {
    motion.value(theta, 0, island.size(), y.data());
    return std::any_of(island.contacts.begin(), island.contacts.end(), [&](const ActiveContact& active) {
      return std::holds_alternative<contact::RimOnFace>(active.contact.feature) &&
             rim_has_lain_flat(island, active.contact, island.time + theta * step, y.data());
    });
  };
  if (!has_lain_flat(1.0)) return 1.0;
  double before = 0.0, after = 1.0;
  for (int k = 0; k < kFlatHalvings; ++k) {
    const double middle = 0.5 * (before + after);
    (has_lain_flat(middle) ? after : before) = middle;
  }
  return after;
}

/// Whether a body stands on a disc there, or on the rim of one.
bool IslandDynamics::is_on_disc(const ContactPoint& contact) const {
  if (std::holds_alternative<contact::RimOnFace>(contact.feature)) return true;
  const auto* on = std::get_if<contact::PointOnFace>(&contact.feature);
  return on != nullptr && contact::rim_at(part(contact.a, contact.part_a).shape, on->point).has_value();
}

/// Whether bodies of the contact may come together elsewhere: those with faces. Planes are searched for that in their
/// own way (timeline.cpp), but not for a disc in a crowd, which may leave all the points that hold it while it turns.
bool IslandDynamics::may_touch_elsewhere(const Island& island, const ContactPoint& contact) const {
  const bool searched = is_plane(model_->parts(contact.b)) && !(island.is_crowded() && is_on_disc(contact));
  return contact::is_flat(contact.feature) && !searched;
}

/// Two looks may miss that bodies come together between them: at the second they part already. Where none did when the
/// step began, those that overlap then have.
void IslandDynamics::see_parting_points(const Island& island) {
  parting_points_count_ = false;
  if (island.is_crowded()) return;
  parting_points_count_ = true;
  for (const ActiveContact& active : island.contacts) {
    if (active.contact.is_limit() || !may_touch_elsewhere(island, active.contact)) continue;
    read_states(island, active.contact, island.time, island.state.data());
    if (!comes_together_elsewhere(island, active.contact)) continue;
    parting_points_count_ = false;
    return;
  }
}

bool IslandDynamics::keeps_features(const Island& island, double time, const double* y) {
  const bool crowded = island.is_crowded();
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    if (contact.is_limit()) continue;
    read_states(island, contact, time, y);
    // A crowd is looked at anew after the step where a feature has changed (put_crowd_back).
    if (!crowded && !contact::same_feature(contact, pair(contact), placed(contact))) return false;
    if (!may_touch_elsewhere(island, contact)) continue;
    const bool looked_at = &active != island.contacts.data() && (&active)[-1].contact.same_parts(contact) &&
                           contact::is_flat((&active)[-1].contact.feature);
    if (!looked_at && comes_together_elsewhere(island, contact)) return false;
    if (rim_has_lain_flat(island, contact, time, y)) return false;
  }
  return true;
}

bool IslandDynamics::keeps_contacts(const Island& island, double time, const double* y) {
  if (!keeps_features(island, time, y)) return false;
  if (island.is_crowded()) return true;  // its steps look after forces themselves
  if (island.dissipates()) return keeps_modes(island, time, y);
  const AccelerationStatus status = solve_unilateral(island, time, y);
  if (status != AccelerationStatus::solved) return status == AccelerationStatus::inconsistent;
  for (int i = 0; i < static_cast<int>(island.contacts.size()); ++i)
    if (dynamics_.opens(i)) return false;
  return true;
}

std::vector<const DrivenMotion*> IslandDynamics::drives(const Island& island) const {
  std::vector<const DrivenMotion*> found;
  const auto add = [&](const Obstacle& obstacle) {
    if (obstacle.motion) found.push_back(&*obstacle.motion);
  };
  for (const ActiveContact& active : island.contacts)
    if (!active.contact.is_limit() && !model_->is_body(active.contact.b)) add(model_->obstacle(active.contact.b));
  for (const ConstraintIndex index : island.constraints)
    if (const auto* rolling = std::get_if<RollingConstraint>(&model_->constraints[index]))
      add(model_->obstacles[static_cast<std::size_t>(rolling->plane)]);
  return found;
}

double IslandDynamics::least_pressing(const Island& island, double theta) {
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  motion.value(theta, 0, island.size(), y.data());
  if (island.dissipates()) return least_margin(island, island.time + theta * island.step, y.data());
  (void)solve_bilateral(island, island.time + theta * island.step, y.data());
  double least = contact::kForever;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].normal && rows_[r].owner >= 0) least = std::min(least, answer_force_[r] * inertance(rows_[r].owner));
  return least;
}

/// On a driven obstacle a contact may pull for a moment in the middle of a step and press again: the looks are closer,
/// and there is one where the parabola through three of them has its minimum.
std::vector<double> IslandDynamics::looks(const Island& island) {
  if (island.is_crowded()) return {1.0};
  if (drives(island).empty()) return {0.25, 0.5, 0.75, 1.0};
  std::vector<double> parts, pressing{least_pressing(island, 0.0)};
  for (int k = 1; k <= kDrivenLooks; ++k) {
    parts.push_back(static_cast<double>(k) / kDrivenLooks);
    pressing.push_back(least_pressing(island, parts.back()));
  }
  std::vector<double> all;
  const double h = 1.0 / kDrivenLooks;
  for (std::size_t k = 1; k < pressing.size(); ++k) {
    if (k + 1 < pressing.size() && pressing[k] < pressing[k - 1] && pressing[k] <= pressing[k + 1]) {
      double middle = parts[k - 1], wide = h;
      double before = pressing[k - 1], at = pressing[k], after = pressing[k + 1];
      for (int round = 0; round < 3 && before + after > 2.0 * at; ++round) {
        middle += 0.5 * wide * (before - after) / (before - 2.0 * at + after);
        wide *= 0.1;
        before = least_pressing(island, middle - wide);
        at = least_pressing(island, middle);
        after = least_pressing(island, middle + wide);
      }
      if (middle > parts[k - 1] - h && middle < parts[k - 1] + h) all.push_back(middle);
    }
    all.push_back(parts[k - 1]);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The unilateral problem tells pressing from opening up to its tolerance only. Where the drive makes a force fade away
/// it is zero a moment before: at the zero of the force with all contacts as equations, by false position.
double IslandDynamics::end_of_pressing(const Island& island, double kept, double lost) {
  if (drives(island).empty()) return lost;
  const double tolerance = kFaded * acceleration_scale_;
  double high = lost, pull = least_pressing(island, lost);
  if (!(pull < 0.0 && pull > -tolerance)) return lost;
  double wide = std::max(lost - kept, 1e-12), low = lost - wide, push = least_pressing(island, std::max(low, 0.0));
  for (int k = 0; k < 20 && push < 0.0 && low > 0.0; ++k) {
    wide *= 8.0;
    low = lost - wide;
    push = least_pressing(island, std::max(low, 0.0));
  }
  if (push < 0.0) return lost;
  low = std::max(low, 0.0);
  for (int k = 0; k < 60 && high - low > 1e-15 && pull < 0.0; ++k) {
    double middle = low + (high - low) * (push / (push - pull));
    if (!(middle > low && middle < high) || k % 3 == 2) middle = 0.5 * (low + high);
    const double value = least_pressing(island, middle);
    (value > 0.0 ? low : high) = middle;
    (value > 0.0 ? push : pull) = value;
  }
  return high;
}

void IslandDynamics::find_opening(Island& island) {
  island.opens = false;
  if (island.contacts.empty()) return;
  const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
  std::vector<double>& y = island.after;
  const std::vector<double> end = y;
  see_parting_points(island);
  double kept = 0.0, lost = 2.0;
  for (const double theta : looks(island)) {
    if (theta < 1.0) {
      motion.value(theta, 0, island.size(), y.data());
    } else {
      y = end;
    }
    if (!keeps_contacts(island, island.time + theta * island.step, y.data())) {
      lost = theta;
      break;
    }
    kept = theta;
  }
  if (lost > 1.0) return;
  const bool crowded = island.is_crowded();
  if (island.dissipates() && !crowded && !no_answer_) narrow_by_margin(island, kept, lost);
  for (int k = 0; k < 60 && lost - kept > (crowded ? kCrowdPart : 1e-15) && !no_answer_; ++k) {
    const double middle = 0.5 * (kept + lost);
    motion.value(middle, 0, island.size(), y.data());
    (keeps_contacts(island, island.time + middle * island.step, y.data()) ? kept : lost) = middle;
  }
  if (!island.dissipates() && !crowded) lost = end_of_pressing(island, kept, lost);
  motion.value(lost, 0, island.size(), y.data());
  island.opens = true;
  if (island.dissipates() && !crowded) mark_limits(island, island.time + lost * island.step, y.data());
  // The polynomial holds on the part of the step that is left of it; its own step stays in `dense`.
  island.opening = lost;
}

/// The part of a step at which it will end since contacts do not hold beyond it; 1 where they do all along.
double IslandDynamics::part_until_opening(Island& island) {
  const std::vector<double> end = island.after;
  island.opening = 1.0;
  no_answer_ = false;
  find_opening(island);
  island.after = end;
  island.opens = false;
  return std::exchange(island.opening, 1.0);
}

}  // namespace carom::event
