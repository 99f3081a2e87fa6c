#include "carom/engine/smooth/face_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/engine/smooth/facet_contact.h"
#include "carom/engine/smooth/step_end.h"

namespace carom::smooth {

namespace {

/// Overlap at the beginning of a step, in hand-over distances, that a point may begin with: it was passed over when it
/// began to touch, because its gap widened just then, or it opened and closed within round-off.
constexpr double kBeginDepth = 0.3;
/// Gap of a body in front of a face, of the smaller body's size, that is on the point of touching it.
constexpr double kFrontOfFace = 1e-6;
/// How far the depth of a first corner may be from that of the nearest points, in hand-over distances.
constexpr double kFirstCorner = 0.1;
/// Points that are nearer to each other, in hand-over distances, are the same: a vertex of one body and one of the
/// other that lie on each other.
constexpr double kSamePlace = 1.0;
/// Motion of two bodies against each other, in hand-over distances, after which other corners may touch.
constexpr double kCornersStay = 0.1;
/// Parts of a step whose ends are looked at where a point touches by round-off at its beginning.
constexpr int kTouchParts = 4;

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

/// How far the other body is in front of the plane of a face; negative: it reaches behind it.
double distance_in_front(const Facets::Face& face, const Pose& at, const PlacedFacets& other) {
  const Vector3d out = at.orientation * face.normal;
  const Vector3d down = other.pose.orientation.conjugate() * Vector3d(-out);
  double least = std::numeric_limits<double>::infinity();
  for (const Facets::Vertex& vertex : other.facets.vertices)
    least = std::min(least, out.dot(other.pose.to_world(vertex.surface(down)) - at.position) - face.offset);
  return least;
}

}  // namespace

Pose FacePoints::pose(ObjectIndex object, double time) const {
  return motions_.is_body(object) ? motions_.state_of(BodyIndex(object.slot()), time).pose()
                                  : motions_.environment().obstacle(object, time).place;
}

double FacePoints::margin(const PairGeometry& g) {
  return kHandOver * std::min(g.facets_a->size, g.facets_b->size);
}

/// Whether the objects, being here, can touch at this place; where it is the end of a line beside another line, by
/// lines that cross with a smaller sine than `crossing`.
bool FacePoints::fits(const PairGeometry& g, const Poses& at, double crossing) {
  return inside_facets(g, at.a, at.b) >= -margin(g) && supports(g, at.a, at.b) &&
         crossing_sine(g, at.a, at.b) < crossing;
}

/// The corners of the two parts of a pair, the objects being here.
void FacePoints::corners_along(const PairGeometry& g, const Poses& at, const Vector3d& normal,
                               std::vector<FaceCorner>& found) {
  find_corners({*g.facets_a, g.pose_a(at.a)}, {*g.facets_b, g.pose_b(at.b)}, normal, found);
  const Feature parts = Feature::from(g.feature);
  for (FaceCorner& corner : found) {
    corner.feature.part_a = parts.part_a;
    corner.feature.part_b = parts.part_b;
  }
}

// ------------------------------------------------------------------------------------------------- how they begin

std::vector<FaceCorner> FacePoints::corners(const Pair& pair) const {
  const PairGeometry g = motions_.environment().geometry(pair.a, pair.b, pair.parts);
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  const Touch nearest = g.touch(a, b);
  std::vector<FaceCorner> found, best;
  corners_along(g, {a, b}, nearest.normal, best);
  // The normal of nearest points that all but coincide says little where edges or vertices meet: a face that has the
  // other body just in front of it knows better.
  const double size = std::min(g.facets_a->size, g.facets_b->size);
  const double near = std::max(kFrontOfFace * size, 2.0 * std::abs(nearest.depth));
  for (const bool second : {false, true}) {
    const PlacedFacets face_of{second ? *g.facets_b : *g.facets_a, second ? g.pose_b(b) : g.pose_a(a)};
    const PlacedFacets other{second ? *g.facets_a : *g.facets_b, second ? g.pose_a(a) : g.pose_b(b)};
    for (const Facets::Face& face : face_of.facets.faces) {
      if (std::abs(distance_in_front(face, face_of.pose, other)) > near) continue;
      const Vector3d out = face_of.pose.orientation * face.normal;
      corners_along(g, {a, b}, second ? out : Vector3d(-out), found);
      if (touching_count(found, pair, near) > touching_count(best, pair, near)) best = found;
    }
  }
  return best;
}

/// How many of the corners are no farther apart than this.
int FacePoints::touching_count(const std::vector<FaceCorner>& corners, const Pair& pair, double near) const {
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  return static_cast<int>(std::count_if(corners.begin(), corners.end(), [&](const FaceCorner& corner) {
    const PairGeometry g = motions_.environment().geometry(pair.a, pair.b, corner.feature.code());
    return std::abs(g.touch(a, b).depth) <= near && supports(g, a, b);
  }));
}

std::vector<FaceCorner> FacePoints::touching(const Pair& pair, double tolerance) const {
  const Environment& environment = motions_.environment();
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  const PairGeometry whole = environment.geometry(pair.a, pair.b, pair.parts);
  const double nearest = whole.touch(a, b).depth, most = nearest + kFirstCorner * margin(whole);
  if (nearest < -tolerance) return {};
  std::vector<FaceCorner> found = corners(pair);
  const auto apart = [&](const FaceCorner& corner) {
    const PairGeometry g = environment.geometry(pair.a, pair.b, corner.feature.code());
    const double depth = g.touch(a, b).depth;
    return depth < -tolerance || depth > most || !fits(g, {a, b}, kTakesAlong);
  };
  found.erase(std::remove_if(found.begin(), found.end(), apart), found.end());
  return found;
}

std::optional<FaceCorner> FacePoints::first(const Pair& pair) const {
  const Pose a = motions_.paths.pose(pair.a, pair.now), b = motions_.paths.pose(pair.b, pair.now);
  // A corner that is farther from touching than the nearest points, or deeper, is not what touches.
  const PairGeometry whole = motions_.environment().geometry(pair.a, pair.b, pair.parts);
  const double nearest = whole.touch(a, b).depth, off = kFirstCorner * margin(whole);
  double most = nearest - off;
  std::optional<FaceCorner> deepest;
  for (const FaceCorner& corner : corners(pair)) {
    const PairGeometry g = motions_.environment().geometry(pair.a, pair.b, corner.feature.code());
    const double depth = g.touch(a, b).depth;
    if (depth <= most || depth > nearest + off || !fits(g, {a, b}, kTakesAlong)) continue;
    // The corners of a disc are those of a polygon, which may part while the discs meet elsewhere.
    if (!(meeting_at(motions_.environment(), motions_.paths, g, pair.now).rate < 0.0)) continue;
    deepest = corner;
    most = depth;
  }
  return deepest;
}

double FacePoints::share(const Pair& pair, FeatureCode feature) const {
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
  corners_along(any, {a, b}, deepest.normal, now);
  for (const FaceCorner& corner : now) {
    const FeatureCode code = corner.feature.code();
    if (group.has_contact(any.a, any.b, code)) continue;
    if (std::none_of(found.begin(), found.end(), [code](const FaceCorner& c) { return c.feature.code() == code; }))
      found.push_back(corner);
  }
}

/// When the gap of a point closes within the step; where it is closed by no more than `depth` at its beginning, by more
/// than round-off, its rate alone decides.
std::optional<double> FacePoints::beginning(const Group& group, const Contact& probe, double depth) const {
  const double none = kRoundoffGap * motions_.environment().body(probe.geometry.a).size;
  const double h = group.end - group.start;
  const GroupDynamics::Gap first = motions_.gap_at(group, probe, group.start);
  const auto overlap = [&](double time) { return -motions_.gap_at(group, probe, time).gap; };
  if (first.gap < -none) return first.gap >= -depth && first.rate < 0.0 ? std::optional(group.start) : std::nullopt;
  const GroupDynamics::Gap last = motions_.gap_at(group, probe, group.end);
  const bool may_dip = first.rate < 0.0 && last.rate > 0.0;
  const double lowest = may_dip ? group.start + h * lowest_of_cubic(first, last, h) : group.end;
  if (first.gap <= none) return beginning_in_touch(group, probe, {none, may_dip ? lowest : group.start});
  if (last.gap <= 0.0) return first_crossing(overlap, {group.start, group.end});
  if (!may_dip || overlap(lowest) <= 0.0) return std::nullopt;
  return first_crossing(overlap, {group.start, lowest});
}

/// The same of a point whose gap is round-off where the step begins. If it narrows there, by more than round-off within
/// the step, it begins there; otherwise where it has become deeper than round-off: one that opens first would begin and
/// open without end.
std::optional<double> FacePoints::beginning_in_touch(const Group& group, const Contact& probe,
                                                     const TouchAtStart& touch) const {
  const auto pressed = [&](double time) { return -motions_.gap_at(group, probe, time).gap - touch.none; };
  const double h = group.end - group.start;
  const bool narrows = motions_.gap_at(group, probe, group.start).rate * h < -touch.none;
  double before = group.start;
  for (int k = 1; k <= kTouchParts; ++k) {
    const double time = k == kTouchParts ? group.end : group.start + k * h / kTouchParts;
    if (pressed(time) > 0.0) return narrows ? group.start : first_crossing(pressed, {before, time});
    before = time;
  }
  if (!(touch.lowest > group.start && pressed(touch.lowest) > 0.0)) return std::nullopt;
  return narrows ? group.start : first_crossing(pressed, {group.start, touch.lowest});
}

double FacePoints::find_further(Group& group, ObjectIndex a, ObjectIndex b, FeatureCode parts) const {
  if (!(group.end > group.start)) return 0.0;
  std::vector<const Contact*> touching;
  for (const Contact& contact : group.dynamics.contacts)
    if (contact.geometry.is_of_parts(a, b, parts)) touching.push_back(&contact);
  std::vector<FaceCorner> further;
  for (const double time : {group.start, group.end}) corners_at(group, touching, time, further);
  const double beyond = margin(touching.front()->geometry);
  // The first of them may have been noticed a little late, the others then are as deep.
  // One that opened while there was overlap left, because it had counted its depth from there, may begin again.
  double depth = kBeginDepth * beyond;
  for (const Contact* const contact : touching) depth = std::max(depth, 2.0 * contact->geometry.late);
  for (const Contact* const contact : touching)
    if (contact->began == group.start)
      depth = std::max(depth, -2.0 * motions_.gap_at(group, *contact, group.start).gap);
  // Nearest points stand for lines that all but cross.
  const bool nearest = std::any_of(touching.begin(), touching.end(),
                                   [](const Contact* contact) { return !contact->geometry.on_facets(); });
  const double crossing = nearest ? kTakesAlong : kAlongEachOther;
  Contact probe;
  probe.slot_a = touching.front()->slot_a;
  probe.slot_b = touching.front()->slot_b;
  // Corners come and go with a part of their margin, those that are there close when their gap is used up.
  double clearance = kCornersStay * beyond;
  for (const FaceCorner& corner : further) {
    probe.geometry = motions_.environment().geometry(a, b, corner.feature.code());
    clearance = std::min(clearance, kCornersStay * motions_.gap_at(group, probe, group.start).gap);
    const std::optional<double> time = beginning(group, probe, depth);
    if (!time || (*time >= group.end && !group.at_end.is_nothing())) continue;
    const Poses at{pose(a, *time), pose(b, *time)};
    if (!fits(probe.geometry, at, crossing)) continue;
    const Vector3d place = probe.geometry.touch(at.a, at.b).point;
    const bool taken = std::any_of(touching.begin(), touching.end(), [&](const Contact* contact) {
      return (contact->geometry.touch(at.a, at.b).point - place).norm() < kSamePlace * beyond;
    });
    if (taken) continue;
    group.end = std::min(*time, group.end);
    group.at_end = StretchEnd::encounter(a, b, corner.feature.code());
    clearance = 0.0;
  }
  return std::max(clearance, 0.0);
}

bool FacePoints::find_first(Group& group, ObjectIndex a, ObjectIndex b, FeatureCode parts) const {
  if (!(group.end > group.start)) return false;
  const PairGeometry g = motions_.environment().geometry(a, b, parts);
  const double gap = -g.touch(pose(a, group.start), pose(b, group.start)).depth;
  if (std::abs(gap) > kFrontOfFace * std::min(g.facets_a->size, g.facets_b->size)) return false;
  const std::vector<FaceCorner> facing = corners({a, b, parts, group.start});
  const double beyond = margin(g);
  Contact probe;
  probe.slot_a = group.slot_of(a);
  probe.slot_b = motions_.is_body(b) ? group.slot_of(b) : SlotIndex(kNone);
  for (const FaceCorner& corner : facing) {
    probe.geometry = motions_.environment().geometry(a, b, corner.feature.code());
    const std::optional<double> time = beginning(group, probe, kBeginDepth * beyond);
    if (!time || (*time >= group.end && !group.at_end.is_nothing())) continue;
    if (!fits(probe.geometry, {pose(a, *time), pose(b, *time)}, kTakesAlong)) continue;
    group.end = std::min(*time, group.end);
    group.at_end = StretchEnd::encounter(a, b, corner.feature.code());
  }
  return !facing.empty();
}

}  // namespace carom::smooth
