#include "carom/engine/smooth/step_end.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/activity.h"
#include "carom/engine/singular_search.h"
#include "carom/engine/smooth/limit_contacts.h"

namespace carom::smooth {

namespace {

/// Attempts to bring a located instant home.
constexpr int kPolish = 4;
/// The gap that may be left there, in errors of a step: as little of the energy of the contact as its square at most.
constexpr double kHome = 0.2;

}  // namespace

namespace {

/// Parts of a step whose ends are looked at where a contact may open and close again within it.
constexpr int kOpeningParts = 4;

/// The gap of a contact within the step of its group.
class StepGap {
 public:
  StepGap(const Motions& motions, const Group& group, const Contact& contact)
      : motions_(motions), group_(group), contact_(contact) {}

  [[nodiscard]] GroupDynamics::Gap at(double time) const { return motions_.gap_at(group_, contact_, time); }
  /// Where the gap, which narrows at the beginning of the span and widens at its end, is least; on the far side.
  [[nodiscard]] double least(Span span) const {
    double low = span.from, high = span.to;
    for (int k = 0; k < 60 && high - low > 1e-9 * (span.to - span.from); ++k) {
      const double middle = 0.5 * (low + high);
      (at(middle).rate < 0.0 ? low : high) = middle;
    }
    return high;
  }
  [[nodiscard]] double opens(Span span) const {
    return first_crossing([this](double time) { return at(time).gap; }, span);
  }

 private:
  const Motions& motions_;
  const Group& group_;
  const Contact& contact_;
};

/// The gap from which on a contact is open: more than round-off where it has not been pressed yet, and of a ball that
/// is held.
double open_gap(const Environment& environment, const Contact& contact) {
  if (contact.held) return 1e-10 * contact.geometry.radius_a;
  return contact.pressed ? 0.0 : kRoundoffGap * environment.body(contact.geometry.a).size;
}

}  // namespace

std::optional<double> opening_time(const Motions& motions, const Group& group, const Contact& contact, double whole) {
  const GroupDynamics::Gap last = group.dynamics.gap(contact, whole, group.stepper->trial_y().data());
  const double open = open_gap(motions.environment(), contact);
  const bool open_at_end = last.gap > open && last.rate > 0.0;
  const StepGap gap(motions, group, contact);
  if (!contact.pressed || contact.held) {
    if (!open_at_end) return std::nullopt;
    // One that has only begun narrows first, or not at all.
    double from = group.start;
    if (!contact.held && contact.gap >= 0.0 && contact.rate < 0.0) from = gap.least({from, whole});
    return from > group.start && gap.at(from).gap >= 0.0 ? from : gap.opens({from, whole});
  }
  const double h = whole - group.start;
  // On the cubic through both ends the gap rises above the larger of their gaps by less than this.
  const double rise = 0.25 * h * (std::max(contact.rate, 0.0) + std::max(-last.rate, 0.0));
  if (!open_at_end && std::max(contact.gap, last.gap) + rise < 0.0) return std::nullopt;
  double before = group.start;
  if (contact.gap >= 0.0) {  // opens here, or was pressed by no more than round-off
    if (!(contact.rate < 0.0)) return open_at_end ? std::optional(before) : std::nullopt;
    if (!open_at_end) return std::nullopt;
    before = gap.least({before, whole});
    if (gap.at(before).gap >= 0.0) return before;
  }
  const double from = before, part = (whole - before) / kOpeningParts;
  std::optional<Span> opening;
  for (int k = 1; k <= kOpeningParts; ++k) {
    const double time = k == kOpeningParts ? whole : before + part;
    const bool open_now = (k == kOpeningParts ? last.gap : gap.at(time).gap) > 0.0;
    if (open_now && !opening) opening = Span{before, time};
    if (opening && !open_now) return gap.opens(*opening);  // and closes again
    before = time;
  }
  if (!opening) return std::nullopt;
  return gap.opens({from, whole});
}

std::optional<PointJump> find_jump(const Motions& motions, const Group& group, const Contact& contact) {
  // Normals that differ by less than this [rad] belong to one place, and the part of the way to the jump that is left.
  constexpr double kOnePlace = 0.02, kLeft = 1e-3;
  constexpr int kHalvings = 40;
  if (!contact.geometry.follows_normal() || !contact.pressed) return std::nullopt;
  std::vector<double> y;
  const auto touch_at = [&](const Contact& of, double time) {
    group.interpolate_bodies(motions.paths, of, time, y);
    return group.dynamics.motion_of(of, time, y.data()).touch;
  };
  const auto one_place = [](const Vector3d& n, const Vector3d& m) { return (n - m).norm() < kOnePlace; };
  const Vector3d& before = contact.geometry.known.normal;
  Vector3d after = touch_at(contact, group.end).normal;
  if (one_place(before, after)) return std::nullopt;
  double low = group.start, high = group.end;
  Vector3d at_low = before;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    const Vector3d normal = touch_at(contact, middle).normal;
    if ((normal - at_low).norm() < (normal - after).norm()) {
      low = middle;
      at_low = normal;
    } else {
      high = middle;
      after = normal;
    }
  }
  if (one_place(at_low, after)) return std::nullopt;  // it turns quickly
  const double time = low - kLeft * (low - group.start);
  Contact there = contact;
  there.geometry.known.normal = after;
  if (!(time > group.start) || !one_place(touch_at(there, time).normal, after)) return std::nullopt;
  return PointJump{time, after};
}

void find_singular_position(const Motions& motions, Group& group) {
  std::vector<double> y;
  const auto at = [&](double time) {
    group.interpolate(motions.paths, time, y);
    return y.data();
  };
  GroupDynamics& dynamics = group.dynamics;
  const std::optional<double> found =
      singular_instant({.as_integrated = [&](double time) { return dynamics.log_volume_of_joints(time, at(time)); },
                        .on_joints = [&](double time) { return dynamics.log_volume_on_joints(time, at(time)); },
                        .is_blocked = [&](double time) { return dynamics.has_singular_joints(time, at(time)); }},
                       {group.start, group.end, group.end});
  if (!found) return;
  group.end = *found;
  group.at_end = {};
}

void find_dry_change(const Motions& motions, Group& group) {
  constexpr int kLooks = 8, kHalvings = 50;
  const double start = group.start, whole = group.end;
  std::vector<double> y;
  const auto margin_at = [&](double time) {
    group.interpolate(motions.paths, time, y);
    return group.dynamics.dry_margin(time, y.data());
  };
  double kept = start, lost = std::numeric_limits<double>::infinity();
  for (int look = 1; look <= kLooks && lost > whole; ++look) {
    const double time = look == kLooks ? whole : start + (whole - start) * look / kLooks;
    (margin_at(time) < 0.0 ? lost : kept) = time;
  }
  if (lost > whole) return;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (kept + lost);
    if (!(middle > kept && middle < lost)) break;
    (margin_at(middle) < 0.0 ? lost : kept) = middle;
  }
  group.end = lost;
  group.at_end = StretchEnd::change_of_dry_joint();
}

namespace {

/// Brings the instant at which a dry joint changes home: the margin is zero there along steps up to it.
void polish_dry_change(Group& group, Span span) {
  const auto margin_after = [&](double time) {
    group.stepper->attempt(time - span.from);
    return group.dynamics.dry_margin(time, group.stepper->trial_y().data());
  };
  double last = group.end - 1e-3 * (group.end - span.from), last_margin = margin_after(last);
  double time = group.end, margin = margin_after(time);
  for (int k = 0; k < kPolish && margin != last_margin; ++k) {
    const double next = time - margin * (time - last) / (margin - last_margin);
    if (!(next > span.from && next <= span.to) || std::abs(next - time) > 0.5 * (time - span.from)) break;
    last = time;
    last_margin = margin;
    time = next;
    margin = margin_after(time);
  }
  group.end = time;
}

}  // namespace

void retake_step(const Environment& environment, Group& group, Span span) {
  const double now = span.from;
  const double latest = std::min(group.end + (group.end - now), span.to);
  double time = group.end;
  const double fine = kHome * environment.options().rtol * group.scale.depth;
  const bool opens = group.at_end.kind == StretchEnd::Kind::release;
  Contact probe;
  const Contact* watched = nullptr;
  if (opens) {
    watched = &group.dynamics.contacts[group.at_end.contact];
  } else if (group.at_end.kind == StretchEnd::Kind::encounter) {
    const auto [a, b] = environment.ordered(group.at_end.a, group.at_end.b);
    probe.geometry = environment.geometry(a, b, group.at_end.feature);
    probe.slot_a = group.slot_of(a);
    probe.slot_b = group.slot_of(b);
    watched = &probe;
  }
  if (group.at_end.kind == StretchEnd::Kind::limit) {
    probe.limit = group.at_end.limit;
    probe.geometry = limit_geometry(environment.model(), probe.limit);
    probe.slot_a = group.slot_of(probe.geometry.a);
    probe.slot_b = group.slot_of(probe.geometry.b);
    watched = &probe;
  }
  if (group.at_end.kind == StretchEnd::Kind::dry_joint && time > now) {
    polish_dry_change(group, span);
    return;
  }
  for (int k = 0;; ++k) {
    time = std::clamp(time, now, latest);
    group.end = time;
    if (!(time > now)) return;
    Activity::tick();
    group.stepper->attempt(time - now);
    if (watched == nullptr || k == kPolish) return;
    const GroupDynamics::Gap reached = group.dynamics.gap(*watched, time, group.stepper->trial_y().data());
    // A contact that opens does so on the far side, one that begins on the near one.
    const double target = opens ? 0.5 * fine : 0.0;
    const double off = reached.gap - target;
    if (std::abs(off) <= 0.5 * fine || reached.rate == 0.0) return;
    const double move = -off / reached.rate;
    if (!(std::abs(move) < 0.5 * (time - now))) return;
    time += move;
  }
}

}  // namespace carom::smooth
