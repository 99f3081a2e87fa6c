#include "carom/engine/smooth/group_rest.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/contact_maker.h"

namespace carom::smooth {

namespace {

/// A speed that counts as none, in errors of a step: what they add up to where nothing damps.
constexpr double kSlow = 100.0;
/// The window, in times of a fall through a body's size and in times of the quickest contact.
constexpr double kFalls = 0.05, kContactTimes = 30.0;
/// Area of the triangle of three points, of the body's size squared, from which they are not on a line.
constexpr double kNotOnALine = 1e-3;

bool slow(const Group& group) {
  const double* const y = group.stepper->y().data();
  const double* const allowed = group.tolerances.data();
  const GroupLayout& layout = group.dynamics.layout();
  for (const SlotIndex slot : group.dynamics.bodies.indices()) {
    const GroupLayout::Slot& of = layout.slots()[slot];
    const int v = layout.velocity(slot), w = of.rest + 4;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(y[v + k]) > kSlow * allowed[v + k]) return false;
      if (of.spins() ? std::abs(y[w + k]) > kSlow * allowed[w + k] : of.spin[k] != 0.0) return false;
    }
  }
  return true;
}

double window_of(const Group& group) {
  double longest = kContactTimes * group.scale.contact_time;
  for (const BodyIndex body : group.dynamics.bodies) {
    const BodyInfo& info = group.dynamics.environment().body(body);
    const double pull = info.free_acceleration.norm();
    if (pull > 0.0) longest = std::max(longest, kFalls * std::sqrt(2.0 * info.size / pull));
  }
  return longest;
}

/// Whether three of the points are not on a line.
bool spread(const std::vector<Vector3d>& points, double size) {
  if (points.size() < 3) return false;
  const auto farther = [&](const Vector3d& p, const Vector3d& q) {
    return (p - points[0]).squaredNorm() < (q - points[0]).squaredNorm();
  };
  const Vector3d side = *std::max_element(points.begin(), points.end(), farther) - points[0];
  return std::any_of(points.begin(), points.end(), [&](const Vector3d& point) {
    return side.cross(point - points[0]).norm() > 2.0 * kNotOnALine * size * size;
  });
}

bool stands_firmly(const Group& group, SlotIndex slot, double time) {
  const BodyInfo& info = group.dynamics.environment().body(group.dynamics.bodies[slot]);
  if (!info.springs.empty() || !info.loads.empty() || !info.constraints.empty()) return false;
  std::vector<Vector3d> points;
  for (const Contact& contact : group.dynamics.contacts) {
    if (contact.slot_a != slot && contact.slot_b != slot) continue;
    const bool on_plane = contact.geometry.form == ContactForm::sphere_plane;
    if (info.round && !on_plane) return false;
    if (!(contact.gap < 0.0) && !contact.held) continue;
    points.push_back(group.dynamics.motion_of(contact, time, group.stepper->y().data()).touch.point);
  }
  return info.round ? !points.empty() : spread(points, info.size);
}

}  // namespace

bool has_come_to_rest(Group& group, double time) {
  if (group.dynamics.contacts.empty() || !slow(group)) {
    group.slow_since = time;
    return false;
  }
  if (time - group.slow_since < window_of(group)) return false;
  for (const SlotIndex slot : group.dynamics.bodies.indices()) {
    if (stands_firmly(group, slot, time)) continue;
    group.slow_since = time;  // asked again after another window
    return false;
  }
  return true;
}

double kinetic_energy(const Group& group, const Paths& paths) {
  double sum = 0.0;
  for (const BodyIndex body : group.dynamics.bodies)
    sum += kinetic_energy(group.dynamics.environment().body(body), paths.state(body));
  return sum;
}

}  // namespace carom::smooth
