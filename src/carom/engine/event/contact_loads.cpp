#include "carom/engine/event/contact_loads.h"

#include <algorithm>
#include <limits>

#include "carom/engine/event/island_state.h"
#include "carom/engine/event/rest.h"

namespace carom::event {

namespace {

/// A ball that resistance keeps from rolling away: everything is in balance.
ContactLoad held_by_resistance(const Object& o, const ContactPoint& contact, const BodyState& state) {
  const Vector3d borne = -o.mass * o.free_acceleration;
  ContactLoad load{contact.a, contact.b, contact.point(), contact.normal, contact.normal.dot(borne)};
  load.friction = borne - load.force * contact.normal;
  load.couple = -(load.point - state.position).cross(load.friction);
  load.mode = SlipMode::stick;
  return load;
}

ContactLoad unknown_load(const ContactPoint& contact) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  ContactLoad load{contact.a, contact.b, contact.point(), contact.normal, kUnknown};
  if (contact.rule.resists_slip()) load.friction.setConstant(kUnknown);
  return load;
}

}  // namespace

bool ContactLoads::Standing::goes_on(const World& world, const Bodies& same) const {
  if (bodies != same) return false;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (world.object(bodies[i]).version != versions[i]) return false;
  return true;
}

/// Those of a group, anew; kept for the next time where it stands.
void ContactLoads::look_for(const World& world, const Island& group, const State& state, bool stands) {
  Standing& standing = standing_[group.bodies[0]];
  standing = {};
  const bool single = group.bodies.size() == 1 && group.contacts.size() == 1;
  if (stands && single && group.contacts[0].contact.rule.resistance.any()) {
    const BodyIndex body = group.bodies[0];
    standing.loads.push_back(held_by_resistance(world.object(body), group.contacts[0].contact, state.bodies[body]));
  } else {
    std::vector<double> y(static_cast<std::size_t>(group.size()), 0.0);
    for (std::size_t i = 0; i < group.bodies.size(); ++i)
      write_body_state(state.bodies[group.bodies[i]], world.object(group.bodies[i]).principal_axes,
                       y.data() + Island::kPerBody * i);
    using Source = IslandDynamics::LoadSource;
    const Source source = group.is_crowded() ? Source::crowd_balance : Source::balance;
    IslandDynamics(world.model()).append_contact_loads(group, state.time, y.data(), source, standing.loads);
  }
  if (!stands) return;
  standing.bodies = group.bodies;
  for (const BodyIndex body : group.bodies) standing.versions.push_back(world.object(body).version);
}

/// Bodies that are not integrated: at rest, or in closed form.
void ContactLoads::add_settled(const World& world, const Island& group, const State& state, Effort effort,
                               std::vector<ContactLoad>& loads) {
  const bool stands = std::all_of(group.bodies.begin(), group.bodies.end(),
                                  [&](BodyIndex body) { return world.object(body).in_place; });
  const Standing& standing = standing_[group.bodies[0]];
  if (!stands || !standing.goes_on(world, group.bodies)) {
    if (effort == Effort::known_alone) {
      for (const ActiveContact& active : group.contacts) loads.push_back(unknown_load(active.contact));
      return;
    }
    look_for(world, group, state, stands);
  }
  loads.insert(loads.end(), standing.loads.begin(), standing.loads.end());
}

std::vector<ContactLoad> ContactLoads::at(const World& world, const HeldContacts& held, const IslandMotions& motions,
                                          const State& state, Effort effort) {
  standing_.resize(world.model().bodies.size());
  std::vector<ContactLoad> loads;
  Bodies settled;
  std::vector<ActiveContact> contacts;
  std::vector<char> joins(world.model().bodies.size(), 0);
  for (const BodyIndex body : world.bodies()) {
    if (const Island* const island = motions.island_of(body)) {
      if (island->bodies[0] == body) motions.add_contact_loads(world, *island, state.time, loads);
      continue;
    }
    settled.push_back(body);
    joins[static_cast<std::size_t>(body)] = 1;
  }
  for (const BodyIndex body : settled) {
    for (const HeldIndex index : held.of(body)) {
      const HeldContacts::Held& one = held.at(index);
      if (one.contact.a != body) continue;  // told by the other one
      if (world.is_body(one.contact.b) && !joins[static_cast<std::size_t>(one.contact.b)]) continue;
      ActiveContact active;
      active.contact = one.contact;
      active.mode = one.mode;
      active.direction = one.direction;
      contacts.push_back(active);
    }
  }
  if (contacts.empty()) return loads;
  for (const Island& group : connected_groups(world, settled, contacts))
    if (!group.contacts.empty()) add_settled(world, group, state, effort, loads);
  return loads;
}

}  // namespace carom::event
