#include "carom/engine/smooth/face_points.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/step_end.h"

namespace carom::smooth {

namespace {

/// Overlap at the beginning of a step, of the smaller body's size, that a point may begin with: round-off.
constexpr double kBeginDepth = 1e-10;
/// Points of one pair that are nearer to each other, in hand-over distances, may take over from each other.
constexpr double kNeighbour = 20.0;
/// The stiffness of a point changes at most by this factor where it is handed over.
constexpr double kMostChange = 2.0;

/// Where a cubic with these values and slopes at 0 and 1 is least, for slopes down at 0 and up at 1.
double lowest_of_cubic(const GroupDynamics::Gap& first, const GroupDynamics::Gap& last, double h) {
  const double a = 6.0 * (first.gap - last.gap) + 3.0 * h * (first.rate + last.rate);
  const double b = -6.0 * (first.gap - last.gap) - h * (4.0 * first.rate + 2.0 * last.rate);
  const double c = h * first.rate;
  // The root of a s² + b s + c, c < 0 < a + b + c.
  const double root = std::sqrt(std::max(b * b - 4.0 * a * c, 0.0));
  const double s = b >= 0.0 ? -2.0 * c / (b + root) : (root - b) / (2.0 * a);
  return std::clamp(s, 0.0, 1.0);
}

}  // namespace

Pose FacePoints::pose(ObjectIndex object, double time) const {
  return motions_.is_body(object) ? motions_.state_of(BodyIndex(object.slot()), time).pose()
                                  : motions_.environment().obstacle(object, time).place;
}

double FacePoints::margin(ObjectIndex a, ObjectIndex b) const {
  const PairGeometry g = motions_.environment().geometry(a, b, 0);
  return kHandOver * std::min(g.facets_a->size, g.facets_b->size);
}

// ------------------------------------------------------------------------------------------------- how they begin

std::vector<FaceCorner> FacePoints::corners(const Pair& pair) const {
  const PairGeometry g = motions_.environment().geometry(pair.a, pair.b, 0);
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  std::vector<FaceCorner> found;
  find_corners({*g.facets_a, a}, {*g.facets_b, b}, g.touch(a, b).normal, found);
  return found;
}

std::optional<FaceCorner> FacePoints::first(const Pair& pair) const {
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  std::optional<FaceCorner> deepest;
  double most = 0.0;
  for (const FaceCorner& corner : corners(pair)) {
    const PairGeometry g = motions_.environment().geometry(pair.a, pair.b, corner.feature.code());
    const double depth = g.touch(a, b).depth;
    if ((deepest && depth <= most) || !supports(g, a, b)) continue;
    deepest = corner;
    most = depth;
  }
  return deepest;
}

double FacePoints::share(const Pair& pair, int feature) const {
  for (const FaceCorner& corner : corners(pair))
    if (corner.feature.code() == feature) return corner.share;
  return 1.0;
}

/// The corners at a time within the step of the group, along the normal of the deepest contact.
void FacePoints::corners_at(const Group& group, const std::vector<const Contact*>& touching, double time,
                            std::vector<FaceCorner>& found) const {
  const PairGeometry& any = touching.front()->geometry;
  const Pose a = pose(any.a, time), b = pose(any.b, time);
  Touch deepest;
  deepest.depth = -std::numeric_limits<double>::infinity();
  for (const Contact* const contact : touching) {
    const Touch touch = contact->geometry.touch(a, b);
    if (touch.depth > deepest.depth) deepest = touch;
  }
  std::vector<FaceCorner> now;
  find_corners({*any.facets_a, a}, {*any.facets_b, b}, deepest.normal, now);
  for (const FaceCorner& corner : now) {
    const int code = corner.feature.code();
    if (group.has_contact(any.a, any.b, code)) continue;
    if (std::none_of(found.begin(), found.end(), [code](const FaceCorner& c) { return c.feature.code() == code; }))
      found.push_back(corner);
  }
}

/// When the gap of a point closes within the step; its rate alone decides where it is at round-off level already.
std::optional<double> FacePoints::beginning(const Group& group, const Contact& probe) const {
  const double h = group.end - group.start;
  const GroupDynamics::Gap first = motions_.gap_at(group, probe, group.start);
  if (first.gap <= 0.0) {
    const double size = std::min(probe.geometry.facets_a->size, probe.geometry.facets_b->size);
    if (first.gap < -kBeginDepth * size || !(first.rate < 0.0)) return std::nullopt;
    return group.start;
  }
  const auto gap = [&](double time) { return -motions_.gap_at(group, probe, time).gap; };
  const GroupDynamics::Gap last = motions_.gap_at(group, probe, group.end);
  if (last.gap <= 0.0) return first_crossing(gap, {group.start, group.end});
  if (!(first.rate < 0.0) || !(last.rate > 0.0)) return std::nullopt;
  const double lowest = group.start + h * lowest_of_cubic(first, last, h);
  if (gap(lowest) <= 0.0) return std::nullopt;
  return first_crossing(gap, {group.start, lowest});
}

void FacePoints::find_further(Group& group, ObjectIndex a, ObjectIndex b) const {
  if (!(group.end > group.start)) return;
  std::vector<const Contact*> touching;
  for (const Contact& contact : group.dynamics.contacts)
    if (contact.geometry.a == a && contact.geometry.b == b) touching.push_back(&contact);
  std::vector<FaceCorner> further;
  for (const double time : {group.start, group.end}) corners_at(group, touching, time, further);
  const double beyond = margin(a, b);
  Contact probe;
  probe.slot_a = touching.front()->slot_a;
  probe.slot_b = touching.front()->slot_b;
  for (const FaceCorner& corner : further) {
    probe.geometry = motions_.environment().geometry(a, b, corner.feature.code());
    const std::optional<double> time = beginning(group, probe);
    if (!time || (*time >= group.end && !group.at_end.is_nothing())) continue;
    const Pose at_a = pose(a, *time), at_b = pose(b, *time);
    if (inside_facets(probe.geometry, at_a, at_b) < -beyond || !supports(probe.geometry, at_a, at_b)) continue;
    group.end = std::min(*time, group.end);
    group.at_end = StretchEnd::encounter(a, b, corner.feature.code());
  }
}

// ------------------------------------------------------------------------------------------------- how they leave

std::optional<double> FacePoints::leaving_time(const Group& group, const Contact& contact) const {
  const PairGeometry& g = contact.geometry;
  const double beyond = kHandOver * std::min(g.facets_a->size, g.facets_b->size);
  const auto outside = [&](double time) { return -inside_facets(g, pose(g.a, time), pose(g.b, time)) - beyond; };
  if (!(outside(group.end) > 0.0)) return std::nullopt;
  return first_crossing(outside, {group.start, group.end});
}

bool FacePoints::hand_over(std::vector<Contact>& contacts, std::size_t which, double now) const {
  const Contact leaving = contacts[which];
  const ObjectIndex a = leaving.geometry.a, b = leaving.geometry.b;
  const Pose at_a = motions_.paths.pose(a, now), at_b = motions_.paths.pose(b, now);
  const Touch left = leaving.geometry.touch(at_a, at_b);
  std::vector<FaceCorner> found;
  find_corners({*leaving.geometry.facets_a, at_a}, {*leaving.geometry.facets_b, at_b}, left.normal, found);
  // Corners that are pressed and bear nothing yet.
  std::vector<Contact> taking;
  double energy = 0.0;
  for (const FaceCorner& corner : found) {
    const int code = corner.feature.code();
    if (std::any_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
          return contact.geometry.a == a && contact.geometry.b == b && contact.geometry.feature == code;
        }))
      continue;
    Contact next = leaving;
    next.geometry = motions_.environment().geometry(a, b, code);
    const double depth = next.geometry.touch(at_a, at_b).depth;
    if (!(depth > 0.0) || !supports(next.geometry, at_a, at_b)) continue;
    energy += next.normal.stored(depth);
    taking.push_back(next);
  }
  if (taking.empty()) return merge(contacts, which, now);
  const double stored = leaving.normal.stored(left.depth);
  const double part = 1.0 / static_cast<double>(taking.size());
  const double would_be = part * energy;
  const double change = would_be > 0.0 ? std::clamp(stored / would_be, 1.0 / kMostChange, kMostChange) : 1.0;
  for (std::size_t k = 0; k < taking.size(); ++k) {
    Contact& next = taking[k];
    next.scale(change, part);
    if (k == 0) {
      next.damping_work += stored - change * would_be;
    } else {
      next.forget_works();
    }
  }
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(which));
  contacts.insert(contacts.begin() + static_cast<std::ptrdiff_t>(which), taking.begin(), taking.end());
  return true;
}

/// Where no corner is new, the nearest contact of the pair takes over.
bool FacePoints::merge(std::vector<Contact>& contacts, std::size_t which, double now) const {
  const Contact leaving = contacts[which];
  const ObjectIndex a = leaving.geometry.a, b = leaving.geometry.b;
  const Pose at_a = motions_.paths.pose(a, now), at_b = motions_.paths.pose(b, now);
  const Touch left = leaving.geometry.touch(at_a, at_b);
  double nearest = kNeighbour * margin(a, b);
  Contact* taking = nullptr;
  Touch there;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PairGeometry& g = contacts[k].geometry;
    if (k == which || g.a != a || g.b != b) continue;
    const Touch touch = g.touch(at_a, at_b);
    const double distance = (touch.point - left.point).norm();
    if (!(touch.depth > 0.0) || distance >= nearest) continue;
    nearest = distance;
    taking = &contacts[k];
    there = touch;
  }
  if (taking == nullptr) return false;
  const double stored = leaving.normal.stored(left.depth), would_be = leaving.normal.stored(there.depth);
  const double change = would_be > 0.0 ? std::clamp(stored / would_be, 1.0 / kMostChange, kMostChange) : 1.0;
  taking->add(leaving, change);
  taking->damping_work += stored - change * would_be;
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(which));
  return true;
}

}  // namespace carom::smooth
