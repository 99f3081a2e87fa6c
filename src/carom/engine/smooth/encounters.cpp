#include "carom/engine/smooth/encounters.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/face_points.h"

namespace carom::smooth {

namespace {

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
    grid_.neighbours(body, [&](BodyIndex other) {
      const GroupIndex beside = motions.groups.of(other);
      if (beside == index || beside == kNone || motions.paths.apart(body, other)) return;
      if (!environment.can_meet(body, other)) return;
      const Group& other_group = motions.groups[beside];
      const double to = std::min(group.end, other_group.end);
      if (!(to > group.start) || motions.paths.too_far(body, other, group.start, to)) return;
      const auto pair = environment.ordered(body, other);
      for (int feature = 0; feature < environment.features(pair.first, pair.second); ++feature) {
        const ContactSearch::Found found = search.first_contact(pair.first, pair.second, feature, {group.start, to});
        if (!found.hit) continue;
        timeline.add({.time = found.time,
                      .group = index,
                      .version = group.version,
                      .other = beside,
                      .other_version = other_group.version,
                      .a = pair.first,
                      .b = pair.second,
                      .feature = feature});
      }
    });
  }
}

void Encounters::find_pair(Motions& motions, Group& group, BodyIndex first, BodyIndex second) const {
  if (motions.paths.apart(first, second) || motions.paths.too_far(first, second, group.start, group.end) ||
      !motions.environment().can_meet(first, second))
    return;
  const auto [a, b] = motions.environment().ordered(first, second);
  if (motions.environment().have_faces(a, b) && group.has_contact(a, b)) {
    FacePoints(motions).find_further(group, a, b);
    return;
  }
  for (int feature = 0; feature < motions.environment().features(a, b); ++feature) {
    if (group.has_contact(a, b, feature)) continue;
    const ContactSearch::Found found = ContactSearch(motions).first_contact(a, b, feature, {group.start, group.end});
    if (!found.hit || (found.time >= group.end && !group.at_end.is_nothing())) continue;
    group.end = std::min(found.time, group.end);
    group.at_end = StretchEnd::encounter(a, b, feature);
  }
}

void Encounters::find_inside(Motions& motions, GroupIndex index) {
  Group& group = motions.groups[index];
  const auto& bodies = group.dynamics.bodies;
  if (grid_.single()) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j) find_pair(motions, group, bodies[i], bodies[j]);
    return;
  }
  if (bodies.size() < 2) return;
  for (const BodyIndex body : bodies)
    for (const BodyIndex other : near(body))
      if (other > body && motions.groups.of(other) == index) find_pair(motions, group, body, other);
}

void Encounters::find_at_obstacles(Motions& motions, GroupIndex index) {
  Group& group = motions.groups[index];
  const Environment& environment = motions.environment();
  const Model& model = motions.model();
  const ContactSearch search(motions);
  for (const BodyIndex body : group.dynamics.bodies) {
    for (const ObjectIndex obstacle : model.obstacle_indices()) {
      if (motions.paths.clear_of(body, obstacle) || !environment.can_meet(body, obstacle)) continue;
      if (group.integrated && environment.have_faces(body, obstacle) && group.has_contact(body, obstacle)) {
        FacePoints(motions).find_further(group, body, obstacle);
        continue;
      }
      for (int feature = 0; feature < environment.features(body, obstacle); ++feature) {
        if (group.integrated && group.has_contact(body, obstacle, feature)) continue;
        const ContactSearch::Found found = search.first_contact(body, obstacle, feature, {group.start, group.end});
        if (!found.hit || (found.time >= group.end && !group.at_end.is_nothing())) continue;
        group.end = std::min(found.time, group.end);
        group.at_end = StretchEnd::encounter(body, obstacle, feature);
      }
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
