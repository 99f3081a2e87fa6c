#include "carom/engine/smooth/encounters.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/engine/smooth/face_points.h"

namespace carom::smooth {

namespace {

/// Part of a gap that may be used up before it is looked at again: round-off of the bounds.
constexpr double kSafeClearance = 0.9;

contact::CellGrid grid_for(const Environment& environment, const Indexed<BodyIndex, BodyState>& states) {
  std::vector<double> radii;
  std::vector<Vector3d> positions;
  for (const BodyIndex body : states.indices()) {
    radii.push_back(environment.body(body).size);
    positions.push_back(states[body].position);
  }
  return {radii, positions};
}

}  // namespace

Encounters::Encounters(const Environment& environment, const Indexed<BodyIndex, BodyState>& states)
    : grid_(grid_for(environment, states)) {
  for (const BodyIndex body : states.indices()) grid_.insert(body, states[body].position);
}

void Encounters::enter_cells(const Motions& motions, GroupIndex group) {
  if (grid_.single()) return;
  for (const BodyIndex body : motions.groups[group].dynamics.bodies)
    grid_.move(body, motions.paths.state(body).position);
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

void Encounters::find_around(const Motions& motions, GroupIndex index, Timeline& timeline) const {
  const Group& group = motions.groups[index];
  if (!(group.end > group.start)) return;
  const Environment& environment = motions.environment();
  const ContactSearch search(motions);
  for (const BodyIndex body : group.dynamics.bodies) {
    Activity::tick();
    grid_.neighbours(body, [&](BodyIndex other) {
      const GroupIndex beside = motions.groups.of(other);
      if (beside == index || beside == kNone || motions.paths.apart(body, other)) return;
      if (!environment.can_meet(body, other)) return;
      const Group& other_group = motions.groups[beside];
      const double to = std::min(group.end, other_group.end);
      if (!(to > group.start) || motions.paths.too_far(body, other, group.start, to)) return;
      const auto pair = environment.ordered(body, other);
      environment.for_each_place(pair.first, pair.second, [&](FeatureCode place) {
        const ContactSearch::Found found = search.first_contact(pair.first, pair.second, place, {group.start, to});
        if (!found.hit) return;
        timeline.add({.time = found.time,
                      .group = index,
                      .version = group.version,
                      .other = beside,
                      .other_version = other_group.version,
                      .a = pair.first,
                      .b = pair.second,
                      .feature = place});
      });
    });
  }
}

void Encounters::find_pair(Motions& motions, Group& group, BodyIndex first, BodyIndex second) const {
  if (motions.paths.apart(first, second) || motions.paths.too_far(first, second, group.start, group.end) ||
      !motions.environment().can_meet(first, second))
    return;
  const auto pair = motions.environment().ordered(first, second);
  find_at_places(motions, group, pair.first, pair.second);
}

void Encounters::find_at_places(Motions& motions, Group& group, ObjectIndex a, ObjectIndex b) {
  const Environment& environment = motions.environment();
  const bool remembers = group.integrated && (motions.is_body(b) || environment.resting_obstacle(b) != nullptr);
  const SlotIndex slot_a = remembers ? group.slot_of(a) : SlotIndex(kNone);
  const SlotIndex slot_b = remembers && motions.is_body(b) ? group.slot_of(b) : SlotIndex(kNone);
  environment.for_each_place(a, b, [&](FeatureCode place) {
    const Clearances::Pair pair{a, b, place, slot_a, slot_b};
    if (remembers && group.clearances.stays_clear(pair)) return;
    if (group.integrated && environment.have_faces(a, b, place) && group.parts_touch(a, b, place)) {
      const double clearance = FacePoints(motions).find_further(group, a, b, place);
      if (remembers && clearance > 0.0) group.clearances.note(pair, clearance);
      return;
    }
    if (group.integrated && group.has_contact(a, b, place)) return;
    const ContactSearch::Found found = ContactSearch(motions).first_contact(a, b, place, {group.start, group.end});
    if (!found.hit && remembers) {
      const double gap = -environment.geometry(a, b, place)
                              .touch(motions.paths.pose(a, group.start), motions.paths.pose(b, group.start))
                              .depth;
      if (gap > 0.0) group.clearances.note(pair, kSafeClearance * gap);
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
  for (const BodyIndex body : bodies) {
    Activity::tick();
    for (const BodyIndex other : near(body))
      if (other > body && motions.groups.of(other) == index) find_pair(motions, group, body, other);
  }
}

void Encounters::find_at_obstacles(Motions& motions, GroupIndex index) {
  Group& group = motions.groups[index];
  const Environment& environment = motions.environment();
  const Model& model = motions.model();
  const ContactSearch search(motions);
  for (const BodyIndex body : group.dynamics.bodies) {
    Activity::tick();
    for (const ObjectIndex obstacle : model.obstacle_indices()) {
      if (motions.paths.clear_of(body, obstacle) || !environment.can_meet(body, obstacle)) continue;
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
