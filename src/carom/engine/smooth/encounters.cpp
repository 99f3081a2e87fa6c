#include "carom/engine/smooth/encounters.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/smooth/face_points.h"

namespace carom::smooth {

namespace {

/// Part of a gap that may be used up before it is looked at again: round-off of the bounds.
constexpr double kSafeClearance = 0.9;
/// Of a body's size: a gap that counts as none.
constexpr double kAlmostTouching = 1e-6;

contact::CellGrid grid_for(const Environment& environment, const Indexed<BodyIndex, BodyState>& states) {
  std::vector<double> radii;
  std::vector<Vector3d> positions;
  for (const BodyIndex body : states.indices()) {
    radii.push_back(environment.body(body).size);
    positions.push_back(states[body].position);
  }
  return {radii, positions};
}

/// Remembers how far two objects are apart at a time on the stretches of both.
void note_clearance(Motions& motions, const Clearances::Pair& pair, double time) {
  const auto pose_of = [&](ObjectIndex object) {
    return motions.is_body(object) ? motions.state_of(BodyIndex(object.slot()), time).pose()
                                   : motions.environment().obstacle(object, time).place;
  };
  const PairGeometry geometry = motions.environment().geometry(pair.a, pair.b, pair.place);
  const double gap = -geometry.touch(pose_of(pair.a), pose_of(pair.b)).depth;
  if (gap > 0.0) motions.clearances.note(pair, time, kSafeClearance * gap);
}

}  // namespace

Encounters::Encounters(const Environment& environment, const Indexed<BodyIndex, BodyState>& states)
    : grid_(grid_for(environment, states)), pairs_(states.size()) {
  for (const BodyIndex body : states.indices()) grid_.insert(body, states[body].position);
}

void Encounters::enter_cells(const Motions& motions, GroupIndex group) {
  if (grid_.single()) return;
  for (const BodyIndex body : motions.groups[group].dynamics.bodies)
    if (grid_.move(body, motions.paths.state(body).position) != grid_.cell(body)) pairs_.forget(body);
}

void Encounters::prefetch_around(const Motions& motions, GroupIndex group) const {
  if (grid_.single()) return;
  for (const BodyIndex body : motions.groups[group].dynamics.bodies)
    for (const BodyIndex other : pairs_.of(body)) motions.paths.prefetch_way(other);
}

void Encounters::cover(const Motions& motions, const Group& group) {
  if (grid_.single()) return;
  for (const BodyIndex body : group.dynamics.bodies)
    pairs_.cover(body, motions.paths.box(body), motions.environment().body(body).size, grid_);
}

double Encounters::cell_exit(BodyIndex body, const Track& track) const {
  contact::Motion motion;
  motion.start = track.start;
  motion.position = track.c[0];
  motion.velocity = track.c[1];
  motion.acceleration = 2.0 * track.c[2];
  motion.acceleration_spread = track.variation;
  return grid_.exit_time(body, motion, track.start);
}

const std::vector<BodyIndex>& Encounters::near(BodyIndex body) {
  near_.clear();
  grid_.neighbours(body, [this](BodyIndex other) { near_.push_back(other); });
  if (!grid_.single()) std::sort(near_.begin(), near_.end());
  return near_;
}

const std::vector<BodyIndex>& Encounters::later_ones_near(const Motions& motions, BodyIndex body) {
  near_.clear();
  const GroupIndex group = motions.groups.of(body);
  visit_near(body, [&](BodyIndex other) {
    if (other > body && motions.groups.of(other) == group) near_.push_back(other);
  });
  std::sort(near_.begin(), near_.end());
  return near_;
}

void Encounters::find_around(Motions& motions, GroupIndex index, Timeline& timeline) {
  const Group& group = motions.groups[index];
  if (!(group.end > group.start)) return;
  const Environment& environment = motions.environment();
  const ContactSearch search(motions);
  cover(motions, group);
  for (const BodyIndex body : group.dynamics.bodies) {
    Activity::tick();
    visit_near(body, [&](BodyIndex other) {
      const GroupIndex beside = motions.groups.of(other);
      if (beside == index || beside == kNone || motions.paths.apart(body, other)) return;
      if (!motions.can_meet(body, other)) return;
      const double to = std::min(group.end, motions.paths.track(other).end);
      if (!(to > group.start) || motions.paths.too_far(body, other, group.start, to)) return;
      const auto pair = environment.ordered(body, other);
      // To search two balls costs less than to remember them.
      const bool both_round = environment.body(body).round && environment.body(other).round;
      environment.for_each_place(pair.first, pair.second, [&](FeatureCode place) {
        const Clearances::Pair places{pair.first, pair.second, place};
        if (!both_round && motions.clearances.stay_clear(places, to)) return;
        const ContactSearch::Found found = search.first_contact(pair.first, pair.second, place, {group.start, to});
        if (!found.hit) {
          if (!both_round) note_clearance(motions, places, group.start);
          return;
        }
        timeline.add({.time = found.time,
                      .group = index,
                      .version = group.version,
                      .other = beside,
                      .other_version = motions.groups[beside].version,
                      .a = pair.first,
                      .b = pair.second,
                      .feature = place});
      });
    });
  }
}

/// Whether a vertex or rim that all but lies on a plane at rest stays there: on the cubic through its gap and rate at
/// both ends of the step it does not come below. The search by safe steps would take no end of them.
bool Encounters::slides_along(const Motions& motions, const Group& group, const Clearances::Pair& pair) {
  Contact probe;
  probe.geometry = motions.environment().geometry(pair.a, pair.b, pair.place);
  if (probe.geometry.form != ContactForm::part_plane) return false;
  probe.slot_a = group.slot_of(pair.a);
  probe.slot_b = kNone;
  const double size = motions.environment().body(BodyIndex(pair.a.slot())).size;
  const GroupDynamics::Gap first = motions.gap_at(group, probe, group.start);
  if (!(std::abs(first.gap) < kAlmostTouching * size)) return false;
  const GroupDynamics::Gap last = motions.gap_at(group, probe, group.end);
  const double h = group.end - group.start;
  const double dip = 0.25 * h * (std::max(-first.rate, 0.0) + std::max(last.rate, 0.0));
  return std::min(first.gap, last.gap) - dip > -kRoundoffGap * size;
}

void Encounters::find_pair(Motions& motions, Group& group, BodyIndex first, BodyIndex second) const {
  if (motions.paths.apart(first, second) || motions.paths.too_far(first, second, group.start, group.end) ||
      !motions.can_meet(first, second))
    return;
  const auto pair = motions.environment().ordered(first, second);
  find_at_places(motions, group, pair.first, pair.second);
}

void Encounters::find_at_places(Motions& motions, Group& group, ObjectIndex a, ObjectIndex b) {
  const Environment& environment = motions.environment();
  const bool remembers = group.integrated && (motions.is_body(b) || environment.resting_obstacle(b) != nullptr);
  environment.for_each_place(a, b, [&](FeatureCode place) {
    const Clearances::Pair pair{a, b, place};
    if (remembers && motions.clearances.stay_clear(pair, group.end)) return;
    if (group.integrated && environment.have_faces(a, b, place) && group.parts_touch(a, b, place)) {
      const double clearance = FacePoints(motions).find_further(group, a, b, place);
      if (remembers && clearance > 0.0) motions.clearances.note(pair, group.start, clearance);
      return;
    }
    if (group.integrated && environment.have_faces(a, b, place) && FacePoints(motions).find_first(group, a, b, place))
      return;
    if (group.integrated && group.has_contact(a, b, place)) return;
    if (remembers && slides_along(motions, group, pair)) return;
    const ContactSearch::Found found = ContactSearch(motions).first_contact(a, b, place, {group.start, group.end});
    if (!found.hit && remembers) note_clearance(motions, pair, group.start);
    if (!found.hit && found.time > group.start && found.time < group.end) {
      // A long search, as of bodies that all but touch: from there on it is gone on with.
      group.end = found.time;
      group.at_end = {};
    }
    if (!found.hit || (found.time >= group.end && !group.at_end.is_nothing())) return;
    group.end = std::min(found.time, group.end);
    group.at_end = StretchEnd::encounter(a, b, place);
  });
}

void Encounters::find_inside(Motions& motions, GroupIndex index) {
  Group& group = motions.groups[index];
  const auto& bodies = group.dynamics.bodies;
  if (grid_.single()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Activity::tick();
      for (std::size_t j = i + 1; j < bodies.size(); ++j) find_pair(motions, group, bodies[i], bodies[j]);
    }
    return;
  }
  if (bodies.size() < 2) return;
  cover(motions, group);
  for (const BodyIndex body : bodies) {
    Activity::tick();
    for (const BodyIndex other : later_ones_near(motions, body)) find_pair(motions, group, body, other);
  }
}

void Encounters::find_at_obstacles(Motions& motions, GroupIndex index) {
  Group& group = motions.groups[index];
  const Model& model = motions.model();
  const ContactSearch search(motions);
  for (const BodyIndex body : group.dynamics.bodies) {
    Activity::tick();
    for (const ObjectIndex obstacle : model.obstacle_indices()) {
      if (motions.paths.clear_of(body, obstacle) || !motions.can_meet(body, obstacle)) continue;
      find_at_places(motions, group, body, obstacle);
    }
    for (const PocketIndex pocket : model.pockets.indices()) {
      const ContactSearch::Found found = search.first_pocket(body, model.pockets[pocket], {group.start, group.end});
      if (!found.hit) continue;
      group.end = std::min(found.time, group.end);
      group.at_end = StretchEnd::fall(body, pocket);
    }
  }
}

}  // namespace carom::smooth
