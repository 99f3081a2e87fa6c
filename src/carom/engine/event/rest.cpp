#include "carom/engine/event/rest.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/contact/accumulation.h"
#include "carom/contact/groups.h"

namespace carom::event {

void write_state(World& world, Island& island) {
  island.state.assign(static_cast<std::size_t>(island.size()), 0.0);
  double* y = island.state.data();
  for (const BodyIndex body : island.bodies) {
    write_body_state(world.now(body), world.object(body).principal_axes, y);
    y += Island::kPerBody;
  }
}

void read_state(World& world, const Island& island, const double* y) {
  for (const BodyIndex body : island.bodies) {
    world.set_now(body, body_state(y, world.object(body).principal_axes));
    y += Island::kPerBody;
  }
}

std::vector<Island> connected_groups(const World& world, const Bodies& bodies,
                                     const std::vector<ActiveContact>& contacts) {
  contact::Groups groups(bodies);
  for (const ActiveContact& active : contacts)
    if (world.is_body(active.contact.b)) groups.join(as_body(active.contact.a), as_body(active.contact.b));
  for (const BodyIndex body : bodies)
    for (const SpringIndex index : world.object(body).springs) {
      const Spring& spring = world.model().springs[index];
      if (spring.body_b != kNone) groups.join(spring.body_a, spring.body_b);
    }
  std::vector<Island> islands(groups.count());
  for (const BodyIndex body : bodies) {
    Island& island = islands[groups.number_of(body)];
    const Object& o = world.object(body);
    island.bodies.push_back(body);
    island.constraints.insert(island.constraints.end(), o.constraints.begin(), o.constraints.end());
    for (const ConstraintIndex index : o.constraints)
      island.bound = island.bound || !std::holds_alternative<PlanarConstraint>(world.model().constraints[index]);
    island.loads.insert(island.loads.end(), o.loads.begin(), o.loads.end());
    island.springs.insert(island.springs.end(), o.springs.begin(), o.springs.end());
  }
  for (const ActiveContact& active : contacts)
    islands[groups.number_of(as_body(active.contact.a))].contacts.push_back(active);
  for (Island& island : islands) {
    std::sort(island.springs.begin(), island.springs.end());
    island.springs.erase(std::unique(island.springs.begin(), island.springs.end()), island.springs.end());
  }
  return islands;
}

double Rest::rest_speed(const Instant& at, const ContactPoint& contact) {
  const Object& a = at.world.object(contact.a);
  const Object& b = at.world.object(contact.b);
  // Where other contacts hold the bodies up, their weight may press this one together in any direction.
  const double free = at.closed.contacts().size() > 1
                          ? std::max(a.free_acceleration.norm(), b.free_acceleration.norm())
                          : std::abs(contact.normal.dot(a.free_acceleration - b.free_acceleration));
  const double driven = contact.normal.dot(at.world.wall_acceleration(contact));
  const double moving = std::abs(contact.normal.dot(a.motion.acceleration - b.motion.acceleration)) + std::abs(driven);
  const double size = std::min(a.size, b.size);
  // Curved paths press too: |v|²/size and |ω|² size stand for what that can be.
  const BodyState& first = at.world.now(contact.a);
  const BodyState& second = at.world.now(contact.b);
  const double curved = (first.velocity - second.velocity).squaredNorm() / size +
                        (first.angular_velocity - second.angular_velocity).squaredNorm() * size;
  return contact::rest_rate(std::max(free, moving) + curved, contact::kGapRoundoff * size) +
         at.closed.approach_threshold();
}

bool Rest::rests(const Instant& at, const ContactPoint& contact, const Settling& settling) {
  return at.world.rate_of(contact) <= std::max(rest_speed(at, contact), settling.speed_of(at, contact));
}

namespace {

/// Whether two bodies move against each other at a contact by more than round-off.
bool moves(const Instant& at, const ContactPoint& contact) {
  const BodyState& a = at.world.now(contact.a);
  const BodyState& b = at.world.now(contact.b);
  const double turning = (a.angular_velocity - b.angular_velocity).norm() * at.world.object(contact.a).size;
  return at.world.relative_velocity(contact).norm() + turning > Rest::rest_speed(at, contact);
}

/// A ball alone on an obstacle at rest: its motion is known, however often it changes.
bool is_ball_on_wall(const World& world, const Island& island) {
  if (island.bodies.size() != 1 || island.contacts.size() != 1) return false;
  const ContactPoint& contact = island.contacts[0].contact;
  return world.object(contact.a).round && !world.is_body(contact.b) && !world.is_moving(contact.b);
}

bool any_slides(const Island& island) {
  return std::any_of(island.contacts.begin(), island.contacts.end(),
                     [](const ActiveContact& active) { return active.slides(); });
}

}  // namespace

void Rest::settle_group(const Instant& at, Island& island, Impacts& impacts) {
  write_state(at.world, island);
  const std::vector<ActiveContact> all = std::move(island.contacts);
  std::vector<ActiveContact> crowd;
  bool contradict = false;
  const auto take_resting = [&] {
    crowd.clear();
    island.contacts.clear();
    std::vector<ActiveContact> resting;
    for (const ActiveContact& active : all)
      if (rests(at, active.contact, impacts.settling())) resting.push_back(active);
    for (const Island& part : connected_groups(at.world, island.bodies, resting)) {
      const bool busy = busy_.any_busy(at.world, part.bodies) && !is_ball_on_wall(at.world, part);
      const bool undecided = part.can_crowd() && (contradict || busy);
      if (!part.is_crowded() && !undecided) {
        island.contacts.insert(island.contacts.end(), part.contacts.begin(), part.contacts.end());
        continue;
      }
      // With all points of two bodies that touch at rest: those that part may come together again within a step.
      for (const ActiveContact& active : all) {
        if (std::none_of(part.contacts.begin(), part.contacts.end(),
                         [&](const ActiveContact& other) { return other.contact.same_parts(active.contact); }))
          continue;
        crowd.push_back(active);
        crowd.back().undecided = undecided;
      }
    }
  };
  take_resting();
  while (!island.contacts.empty()) {
    Activity::tick();
    const std::vector<ActiveContact> candidates = island.contacts;
    const bool chosen = choose_persistent(at, island, impacts.settling());
    read_state(at.world, island, island.state.data());
    if (!chosen && !contradict && island.can_crowd() && (island.bodies.size() > 1 || !any_slides(island))) {
      contradict = true;  // as it seems: steps with whole cones have an answer
      take_resting();
      continue;
    }
    if (chosen ? catch_slip(at, island, candidates, impacts) : jump_out(at, island, impacts)) {
      if (at.log.stopped()) return;
      // Velocities have jumped, and energy was lost: which contacts rest now?
      take_resting();
      write_state(at.world, island);
      continue;
    }
    const bool settled = is_still(at, island);
    set_down(at, island, all);
    if (settled) break;
    take_resting();  // velocities have changed, and with them the forces
  }
  if (island.contacts.empty() && crowd.empty()) set_down(at, island, all);
  // The steps of crowded islands ask at every instant which contacts hold.
  for (ActiveContact& active : crowd) {
    set_mode(at, island, active);
    ContactPoint& contact = active.contact;
    contact.feature = contact::held_in_place(contact.feature, at.world.placed(contact),
                                             {contact.point_a, contact.point_b, contact.normal});
    island.contacts.push_back(active);
  }
}

bool Rest::is_still(const Instant& at, const Island& island) {
  return std::all_of(island.contacts.begin(), island.contacts.end(), [&](const ActiveContact& active) {
    return at.world.rate_of(active.contact) <= rest_speed(at, active.contact);
  });
}

/// The contacts that persist keep their gaps; none of the others may be driven together by that.
void Rest::set_down(const Instant& at, Island& island, const std::vector<ActiveContact>& all) {
  const std::size_t held = island.contacts.size();
  Island closed = island;
  for (ActiveContact& active : closed.contacts)
    if (active.begins) active.mode = ContactMode::stick;  // what slip there is has another direction
  for (const ActiveContact& active : all) {
    const auto same = [&](const ActiveContact& other) {
      return other.contact.same_parts(active.contact) && other.contact.point_a == active.contact.point_a;
    };
    if (std::none_of(island.contacts.begin(), island.contacts.end(), same)) closed.contacts.push_back(active);
  }
  if (!project(at, closed, held)) {
    closed.contacts.resize(held);
    project(at, closed, held);
  }
  island.state = closed.state;
  read_state(at.world, island, island.state.data());
}

bool Rest::project(const Instant& at, Island& island, std::size_t held) {
  const std::optional<VelocityCorrection> correction =
      at.dynamics.project_velocities(island, at.world.time(), island.state.data(), held);
  if (!correction) return false;
  at.log.result.energy.cut_off += correction->cut_off;
  at.log.result.energy.wall_work += correction->wall_work;
  return true;
}

std::vector<Island> Rest::settle(const Instant& at, const Bodies& seeds, Impacts& impacts,
                                 const ClosedContacts::Coupled& coupled) {
  Bodies bodies = seeds;
  flags_ = {};
  let_open_.clear();
  const auto approaching = [&] {
    const auto& contacts = at.closed.contacts();
    return std::any_of(contacts.begin(), contacts.end(), [&](const ContactPoint& contact) {
      return at.world.rate_of(contact) < -2.0 * rest_speed(at, contact) &&
             !impacts.settling().is_left_to_steps(at, contact);
    });
  };
  for (int attempt = 0;; ++attempt) {
    at.closed.gather(at.world, bodies, coupled);
    bodies = at.closed.bodies();
    if (!approaching()) {
      std::vector<ActiveContact> closed, persisting;
      for (const ContactPoint& contact : at.closed.contacts())
        closed.push_back({.contact = contact, .moves = moves(at, contact), .arrival_rate = at.world.rate_of(contact)});
      for (Island& island : connected_groups(at.world, bodies, closed)) {
        settle_group(at, island, impacts);
        if (at.log.stopped()) return {};
        persisting.insert(persisting.end(), island.contacts.begin(), island.contacts.end());
      }
      if (!approaching()) return connected_groups(at.world, bodies, persisting);  // one set down may drive another
    }
    if (attempt >= impacts.max_rounds()) {
      at.log.fail("contacts at rest and impacts do not come to terms at one instant", at.world.time(), bodies);
      return {};
    }
    impacts.begin_instant();
    impacts.resolve(at, bodies);
    if (at.log.stopped()) return {};
  }
}

}  // namespace carom::event
