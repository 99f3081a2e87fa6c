#include "carom/engine/event/rest.h"

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/contact/accumulation.h"
#include "carom/contact/groups.h"
#include "carom/engine/event/disc_contacts.h"

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

void fail_singular(const Instant& at, const Island& island, double time) {
  at.log.fail(
      "singular-mechanism: what joints, motors and contacts keep cannot all hold here, or leaves the motion open", time,
      island.bodies);
}

void note_turns(const World& world, Island& island) {
  island.turns.clear();
  for (const JointIndex joint : island.joints) island.turns.push_back(world.turns(joint));
}

void settle_dry_joints(const Instant& at, Island& island) {
  if (island.dry.empty()) return;
  note_turns(at.world, island);
  write_state(at.world, island);
  at.dynamics.choose_dry_modes(island, at.world.time(), island.state.data());
  const std::optional<VelocityCorrection> correction =
      at.dynamics.project_velocities(island, at.world.time(), island.state.data(), island.contacts.size());
  if (!correction) return;
  at.log.result.energy.cut_off += correction->cut_off;
  at.log.result.energy.wall_work += correction->wall_work;
  at.log.result.energy.motor_work += correction->motor_work;
  read_state(at.world, island, island.state.data());
}

void take_joints(const World& world, Island& island) {
  island.joints.clear();
  for (const BodyIndex body : island.bodies)
    for (const JointIndex joint : world.object(body).joints) island.joints.push_back(joint);
  std::sort(island.joints.begin(), island.joints.end());
  island.joints.erase(std::unique(island.joints.begin(), island.joints.end()), island.joints.end());
  note_turns(world, island);
  island.driven = island.pushed = false;
  island.dry.clear();
  for (const JointIndex joint : island.joints) {
    const Joint& held = world.model().joints[joint];
    for (int k = 0; k < coordinate_count(held.kind); ++k) {
      const JointDrive& drive = held.drives[static_cast<std::size_t>(k)];
      island.driven = island.driven || drive.motor.position || drive.motor.force != 0.0;
      island.pushed = island.pushed || drive.pushes();
      if (drive.friction.any()) island.dry.push_back({.joint = joint, .coordinate = k});
    }
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
  for (const BodyIndex body : bodies)
    for (const JointIndex joint : world.object(body).joints)
      for (const BodyIndex held : world.joints().bodies(joint))
        if (held != kNone) groups.join(body, held);
  std::vector<Island> islands(groups.count());
  for (const BodyIndex body : bodies) {
    Island& island = islands[groups.number_of(body)];
    const Object& o = world.object(body);
    island.bodies.push_back(body);
    island.constraints.insert(island.constraints.end(), o.constraints.begin(), o.constraints.end());
    for (const ConstraintIndex index : o.constraints) {
      const Constraint& constraint = world.model().constraints[index];
      if (const auto* rod = std::get_if<RodConstraint>(&constraint))
        island.rods.push_back({static_cast<int>(island.bodies.size()) - 1, rod->pivot, rod->length});
      island.rolls = island.rolls || std::holds_alternative<RollingConstraint>(constraint);
    }
    island.loads.insert(island.loads.end(), o.loads.begin(), o.loads.end());
    island.springs.insert(island.springs.end(), o.springs.begin(), o.springs.end());
  }
  for (const ActiveContact& active : contacts)
    islands[groups.number_of(as_body(active.contact.a))].contacts.push_back(active);
  for (Island& island : islands) {
    take_joints(world, island);
    std::sort(island.springs.begin(), island.springs.end());
    island.springs.erase(std::unique(island.springs.begin(), island.springs.end()), island.springs.end());
  }
  return islands;
}

namespace {

/// Height of bounces on a limit, relative to what the search for them can tell, that are none.
constexpr double kLowBounce = 4.0;

/// Of a limit: what moves or turns its bodies now may press it together, whatever its direction.
double rest_speed_of_limit(const Instant& at, const ContactPoint& contact) {
  const double size = at.world.joints().size(contact.limit.joint);
  double pressing = 0.0;
  for (const ObjectIndex side : {contact.a, contact.b}) {
    if (!at.world.is_body(side)) continue;
    const Object& body = at.world.object(side);
    const double moving = body.motion.acceleration.norm() + body.motion.max_spin_rate * body.size;
    pressing +=
        std::max(body.free_acceleration.norm(), moving) + at.world.now(side).angular_velocity.squaredNorm() * body.size;
  }
  return contact::rest_rate(pressing, kLowBounce * contact::kGapRoundoff * size) + at.closed.approach_threshold();
}

}  // namespace

double Rest::rest_speed(const Instant& at, const ContactPoint& contact) {
  if (contact.is_limit()) return rest_speed_of_limit(at, contact);
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
  double curved = (first.velocity - second.velocity).squaredNorm() / size +
                  (first.angular_velocity - second.angular_velocity).squaredNorm() * size;
  // Places that bend more than bodies do, where rims cross at a small angle, are left and come back to faster than
  // that.
  const auto part_of = [&](ObjectIndex object, int index) -> const Part& {
    return at.world.model().parts(object)[static_cast<std::size_t>(index)];
  };
  const std::optional<contact::ContactRates> rates = contact::contact_rates(
      contact, part_of(contact.a, contact.part_a), first, part_of(contact.b, contact.part_b), second);
  if (rates)
    curved = std::max(curved, std::abs(contact.normal.dot(rates->velocity_rate) +
                                       rates->normal_rate.dot(at.world.relative_velocity(contact))));
  return contact::rest_rate(std::max(free, moving) + curved, contact::kGapRoundoff * size) +
         at.closed.approach_threshold();
}

bool Rest::rests(const Instant& at, const ContactPoint& contact, const Settling& settling) {
  return at.world.rate_of(contact) <= std::max(rest_speed(at, contact), settling.leaving_speed_of(at, contact));
}

namespace {

/// How often parts of a group are set down at one instant that do not stay so.
constexpr int kMostRestless = 5;
/// A contact that approaches faster than this part of the speed of rest is driven together.
constexpr double kDriven = 0.1;

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

/// Points of a body that has moved in a crowd are known as contacts across gaps that it would have to be moved by if
/// they were held exactly, into others that are closed. It has not come onto these yet.
void leave_open(const World& world, Island& part) {
  std::erase_if(part.contacts, [&](const ActiveContact& active) {
    const ContactPoint& contact = active.contact;
    const double size = std::min(world.object(contact.a).size, world.object(contact.b).size);
    return !contact.is_limit() && contact.gap > kCrowdClosed * size;
  });
}

bool any_slides(const Island& island) {
  return std::any_of(island.contacts.begin(), island.contacts.end(),
                     [](const ActiveContact& active) { return active.slides(); });
}

}  // namespace

bool Rest::is_busy(World& world, const Island& island) const {
  return busy_.any_busy(world, island.bodies) && !is_ball_on_wall(world, island);
}

/// The contacts that rest now, in parts that they connect. Parts that move as crowds are left to their steps.
std::vector<Island> Rest::resting_parts(const Instant& at, const Bodies& bodies, const Touching& touching,
                                        std::vector<ActiveContact>& crowd) const {
  std::vector<ActiveContact> resting;
  for (const ActiveContact& active : touching.contacts)
    if (rests(at, active.contact, touching.settling)) resting.push_back(active);
  std::vector<Island> parts;
  crowd.clear();
  for (Island& part : connected_groups(at.world, bodies, resting)) {
    if (part.contacts.empty()) continue;
    const bool undecided = part.can_crowd() && (touching.contradict || is_busy(at.world, part));
    if (!part.is_crowded() && !undecided) {
      leave_open(at.world, part);
      if (!part.contacts.empty()) parts.push_back(std::move(part));
      continue;
    }
    // With all points of two bodies that touch at rest: those that part may come together again within a step.
    for (const ActiveContact& active : touching.contacts) {
      if (std::none_of(part.contacts.begin(), part.contacts.end(),
                       [&](const ActiveContact& other) { return other.contact.same_parts(active.contact); }))
        continue;
      crowd.push_back(active);
      crowd.back().undecided = undecided;
    }
  }
  return parts;
}

void Rest::settle_group(const Instant& at, Island& group, Impacts& impacts) {
  write_state(at.world, group);
  if (!group.joints.empty()) {
    if (!at.dynamics.put_on_joints(group, at.world.time(), group.state.data())) {
      fail_singular(at, group, at.world.time());
      return;
    }
    read_state(at.world, group, group.state.data());
  }
  Touching touching{std::move(group.contacts), impacts.settling(), false};
  std::vector<ActiveContact> crowd;
  int restless = 0;
  for (bool again = true; again;) {
    Activity::tick();
    again = false;
    group.contacts.clear();
    for (Island& part : resting_parts(at, group.bodies, touching, crowd)) {
      const Settled settled = settle_part(at, part, impacts);
      if (at.log.stopped()) return;
      if (settled == Settled::not_still) ++restless;
      // What is set down and does not stay so, again and again, is left to steps with whole cones too.
      const bool endless = restless > kMostRestless;
      touching.contradict = touching.contradict || settled == Settled::contradicts || endless;
      again = settled == Settled::not_still ? !endless || part.can_crowd() : settled != Settled::yes;
      if (again && settled != Settled::not_still) break;
      set_down(at, part, group, touching.contacts);
      if (again) break;
      group.contacts.insert(group.contacts.end(), part.contacts.begin(), part.contacts.end());
    }
  }
  if (group.contacts.empty() && crowd.empty()) set_down(at, Island{}, group, touching.contacts);
  write_state(at.world, group);
  // The steps of crowded islands ask at every instant which contacts hold.
  for (ActiveContact& active : crowd) {
    set_mode(at, group, active);
    ContactPoint& contact = active.contact;
    contact.feature = contact::held_in_place(contact.feature, at.world.placed(contact),
                                             {contact.point_a, contact.point_b, contact.normal});
    group.contacts.push_back(active);
  }
}

Rest::Settled Rest::settle_part(const Instant& at, Island& part, Impacts& impacts) {
  write_state(at.world, part);
  const std::vector<ActiveContact> candidates = part.contacts;
  if (!part.dry.empty()) {
    for (ActiveContact& active : part.contacts) active.mode = ContactMode::smooth;
    at.dynamics.choose_dry_modes(part, at.world.time(), part.state.data());
  }
  const bool chosen = choose_persistent(at, part, impacts.settling());
  read_state(at.world, part, part.state.data());
  // As it seems no forces hold them: steps with whole cones have an answer.
  if (!chosen && part.can_crowd() && (part.bodies.size() > 1 || !any_slides(part))) return Settled::contradicts;
  // Where velocities have jumped, and energy was lost, other contacts may rest.
  if (chosen ? catch_slip(at, part, candidates, impacts) : jump_out(at, part, impacts)) return Settled::jumped;
  if (chosen) return is_still(at, part) ? Settled::yes : Settled::not_still;
  // Nor is there an impulse.
  if (!part.can_crowd() && !at.log.stopped())
    at.log.fail("no contact forces hold the bodies that rest on each other (the contacts contradict each other)",
                at.world.time(), part.bodies);
  return Settled::contradicts;
}

bool Rest::is_still(const Instant& at, const Island& island) {
  return std::all_of(island.contacts.begin(), island.contacts.end(), [&](const ActiveContact& active) {
    return at.world.rate_of(active.contact) <= rest_speed(at, active.contact);
  });
}

/// The contacts that persist keep their gaps, and none of the others of the group may be driven together by that.
void Rest::set_down(const Instant& at, const Island& part, const Island& group, const std::vector<ActiveContact>& all) {
  Island held = part;
  for (ActiveContact& active : held.contacts)
    if (active.begins) active.mode = ContactMode::stick;  // what slip there is has another direction
  if (!held.contacts.empty() && project(at, held, held.contacts.size())) read_state(at.world, held, held.state.data());
  Island closed = group;
  closed.contacts.insert(closed.contacts.end(), held.contacts.begin(), held.contacts.end());
  const std::size_t count = closed.contacts.size();
  bool driven = false;
  for (const ActiveContact& active : all) {
    const auto same = [&](const ActiveContact& other) {
      return other.contact.same_parts(active.contact) && other.contact.point_a == active.contact.point_a;
    };
    const auto end = closed.contacts.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::any_of(closed.contacts.begin(), end, same)) continue;
    closed.contacts.push_back(active);
    driven = driven || at.world.rate_of(active.contact) < -kDriven * rest_speed(at, active.contact);
  }
  if (!driven) return;
  write_state(at.world, closed);
  if (project(at, closed, count)) read_state(at.world, closed, closed.state.data());
}

bool Rest::project(const Instant& at, Island& island, std::size_t held) {
  const std::optional<VelocityCorrection> correction =
      at.dynamics.project_velocities(island, at.world.time(), island.state.data(), held);
  if (!correction) return false;
  at.log.result.energy.cut_off += correction->cut_off;
  at.log.result.energy.wall_work += correction->wall_work;
  at.log.result.energy.motor_work += correction->motor_work;
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
    add_rim_points(at, impacts.settling());
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
