#include "carom/engine/event/rest.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/accumulation.h"
#include "carom/contact/groups.h"

namespace carom::event {

namespace {

/// Slip faster than this part of the cluster's speed is caught by an impulse that is reported; slower slip is
/// round-off.
constexpr double kSlip = 1e-9;
/// So is slip that bounces leave which have come to rest, this many times their rest speed at most.
constexpr double kSlipAtRest = 100.0;
/// A contact presses when it keeps up with more than this part of the accelerations at hand.
constexpr double kPressing = 1e-10;

/// Whether a body of the contact moves under constraints, springs or resistance.
bool is_guided(const World& world, const ContactPoint& contact) {
  return world.object(contact.a).is_guided() || (world.is_body(contact.b) && world.object(contact.b).is_guided());
}

double slip_of(World& world, const ContactPoint& contact) {
  const Vector3d relative = world.relative_velocity(contact);
  return (relative - contact.normal * contact.normal.dot(relative)).norm();
}

bool has_no_answer(AccelerationStatus status) {
  return status == AccelerationStatus::infeasible || status == AccelerationStatus::failed;
}

void book(const VelocityCorrection& correction, RunLog& log) {
  log.result.energy.cut_off += correction.cut_off;
  log.result.energy.wall_work += correction.wall_work;
}

/// Rows that the constraints of an island have in its dynamics, before those of the contacts.
std::size_t constraint_rows(const Model& model, const Island& island) {
  std::size_t rows = 0;
  for (const ConstraintIndex index : island.constraints)
    rows += std::holds_alternative<RodConstraint>(model.constraints[index]) ? 1 : 3;
  return rows;
}

}  // namespace

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

/// Contacts that press, or that bodies with integrated motion keep because closed forms do not tell for them.
void Rest::keep_pressing(const Instant& at, Island& island) {
  const ContactDynamics& answer = at.dynamics.answer();
  std::vector<ActiveContact> kept;
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    ActiveContact& active = island.contacts[i];
    active.pressing = answer.normal_force()[i] * at.dynamics.inertance(index);
    const double size = at.world.object(active.contact.a).size;
    const double noise = kPressing * (at.dynamics.acceleration_scale() + at.closed.speed() * at.closed.speed() / size);
    const bool presses = answer.presses(index) && active.pressing > noise;
    const bool stays =
        !answer.opens(index) && answer.gap_acceleration()[i] <= noise && is_guided(at.world, active.contact);
    if (!presses && !stays) continue;
    if (answer.slides(index)) active.sticks = false;
    kept.push_back(active);
  }
  island.contacts.swap(kept);
}

void Rest::choose_persistent(const Instant& at, Island& island) {
  double* y = island.state.data();
  const double time = at.world.time();
  const auto set_sticking = [&](bool sticking) {
    for (ActiveContact& active : island.contacts) active.sticks = sticking && active.contact.rule.rough;
  };
  set_sticking(false);
  book(at.dynamics.project_velocities(island, time, y, false), at.log);
  set_sticking(true);
  AccelerationStatus status = at.dynamics.solve_unilateral(island, time, y);
  if (has_no_answer(status)) {  // contacts that cannot all stick slide
    set_sticking(false);
    status = at.dynamics.solve_unilateral(island, time, y);
  }
  if (has_no_answer(status)) {
    at.log.fail("no contact forces hold the bodies that rest on each other (the contacts contradict each other)", time,
                island.bodies);
    return;
  }
  keep_pressing(at, island);
}

/// A rough contact that persists does not slip: slip that is there is caught by an impulse of its own (restitution 0),
/// reported as an impact.
void Rest::catch_slip(const Instant& at, Island& island, const ImpactLaw& rough_law) {
  if (island.contacts.empty()) return;
  bool slips = false;
  for (const ActiveContact& active : island.contacts)
    slips = slips || (active.sticks && slip_of(at.world, active.contact) >
                                           kSlip * at.closed.speed() + kSlipAtRest * rest_speed(at, active.contact));
  const VelocityCorrection correction =
      at.dynamics.project_velocities(island, at.world.time(), island.state.data(), true);
  if (slips) {
    report_caught_slip(at, island, rough_law);
  } else {
    book(correction, at.log);
    read_state(at.world, island, island.state.data());
  }
}

/// The island's state vector has the velocities after, the world those before.
void Rest::report_caught_slip(const Instant& at, const Island& island, const ImpactLaw& rough_law) {
  World& world = at.world;
  const double before = world.kinetic_energy(island.bodies);
  draft_.begin(EventKind::impact, world.time());
  for (const BodyIndex body : island.bodies) draft_.add_jump(body, world.now(body));
  // Rows of the bilateral answer: constraints first, then normal and tangents contact by contact.
  std::size_t row = constraint_rows(world.model(), island);
  const std::span<const double> impulse = at.dynamics.answer().constraint_force();
  double work = 0.0, wall = 0.0;
  for (const ActiveContact& active : island.contacts) {
    const ContactPoint& contact = active.contact;
    ContactRecord& record = draft_.add_contact(contact.a, contact.b);
    record.point = contact.point();
    record.normal = contact.normal;
    record.impulse = impulse[row++];
    record.rate_before = world.rate_of(contact);
    if (active.sticks)
      for (const Vector3d& across : contact::tangents_of(contact.normal))
        record.tangential_impulse += impulse[row++] * across;
    const Vector3d total = record.impulse * record.normal + record.tangential_impulse;
    work += 0.5 * total.dot(world.relative_velocity(contact));  // to rest: the mean of the velocity before and zero
    if (!world.is_body(contact.b)) wall += total.dot(contact::point_velocity(world.now(contact.b), contact.point_b));
  }
  read_state(world, island, island.state.data());
  at.log.result.energy.impacts -= work;
  at.log.result.energy.wall_work += wall;
  at.log.count_impact(island.contacts.size());
  if (!at.log.observed()) return;
  draft_.finish_jumps([&](BodyIndex body) -> const BodyState& { return world.now(body); });
  draft_.record.law = rough_law.name;
  draft_.record.steps = 1;
  draft_.record.energy = energy_of_impact(before, world.kinetic_energy(island.bodies), work, wall);
  draft_.report(at.log);
}

void Rest::settle_group(const Instant& at, Island& island, const ImpactLaw& rough_law) {
  write_state(at.world, island);
  if (island.contacts.empty()) return;
  Island resting = island;
  choose_persistent(at, island);
  if (at.log.stopped()) return;
  read_state(at.world, island, island.state.data());
  catch_slip(at, island, rough_law);
  // What the contacts that persist were given may have brought others of the resting ones back by round-off.
  resting.state = island.state;
  book(at.dynamics.project_velocities(resting, at.world.time(), resting.state.data(), false), at.log);
  read_state(at.world, resting, resting.state.data());
}

std::vector<Island> Rest::settle(const Instant& at, const Bodies& seeds, Impacts& impacts,
                                 const ClosedContacts::Coupled& coupled) {
  Bodies bodies = seeds;
  const auto approaching = [&] {
    const auto& contacts = at.closed.contacts();
    return std::any_of(contacts.begin(), contacts.end(), [&](const ContactPoint& contact) {
      return at.world.rate_of(contact) < -2.0 * rest_speed(at, contact);
    });
  };
  for (int attempt = 0;; ++attempt) {
    at.closed.gather(at.world, bodies, coupled);
    bodies = at.closed.bodies();
    if (!approaching()) {
      std::vector<ActiveContact> resting, persisting;
      for (const ContactPoint& contact : at.closed.contacts()) {
        const double rate = at.world.rate_of(contact);
        if (rate <= rest_speed(at, contact)) resting.push_back({contact, false, rate, 0.0});
      }
      for (Island& island : connected_groups(at.world, bodies, resting)) {
        settle_group(at, island, impacts.rough_law());
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
    impacts.resolve(at.world, bodies, at.closed, at.log);
    if (at.log.stopped()) return {};
  }
}

}  // namespace carom::event
