#include "carom/engine/smooth/step_end.h"

#include <algorithm>
#include <cmath>

namespace carom::smooth {

namespace {

/// Attempts to bring a located instant home.
constexpr int kPolish = 4;

}  // namespace

double opening_time(const Motions& motions, const Group& group, const Contact& contact, double whole) {
  const PairGeometry& g = contact.geometry;
  const auto position = [&](ObjectIndex object, double time) {
    const Track& track = motions.paths.track(object);
    return track.position(time - track.start);
  };
  const auto gap = [&](double time) {
    if (!contact.plain) return motions.gap_at(group, contact, time).gap;
    const Vector3d x = position(g.a, time);
    if (contact.slot_b == kNone) return g.plane_normal.dot(x - g.plane_point) - g.radius_a;
    const Vector3d d = x - position(g.b, time);
    const double reach = g.radius_a + g.radius_b;
    return (d.squaredNorm() - reach * reach) / (d.norm() + reach);
  };
  return first_crossing(gap, {group.start, whole});
}

void retake_step(const Environment& environment, Group& group, Span span) {
  const double now = span.from;
  const double latest = std::min(group.end + (group.end - now), span.to);
  double time = group.end;
  const double fine = 1e-3 * environment.options().rtol * group.scale.depth;
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
  for (int k = 0;; ++k) {
    time = std::clamp(time, now, latest);
    group.end = time;
    if (!(time > now)) return;
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
