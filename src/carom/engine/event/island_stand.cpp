/// When bodies that are held together stand still.
///
/// What moves exactly stands where nothing moves. Steps of crowds are not that exact, and what a heap leaves rolls or
/// slides on without end: bodies of heaps stand where they are hardly faster than the settling speed and forces hold
/// them from a stand. A ball turns without changing its place, and where nothing that grips it stands across its spin
/// nothing ever ends that: it pivots on.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_motions.h"
#include "carom/engine/event/island_state.h"
#include "carom/engine/event/settling.h"

namespace carom::event {

namespace {

/// Accelerations and speeds below this part of the scale at hand are none.
constexpr double kStill = 1e-12;
/// Forces of a heap are in balance where what is left of the accelerations is below this part of the free ones.
constexpr double kHeapBalance = 1e-5;
/// What sweeps leave of them at the limit of balance, 0.008 in a tower of cylinders that stands; and in heaps of
/// hundreds of contacts, 0.0014 in one of 125 smooth balls. Those that a step has left standing stand then.
constexpr double kNearBalance = 0.1;
/// Its bodies stand still below this multiple of the settling speed, and what it has left on contacts that are closed
/// to this part of the size.
constexpr double kHeapStill = 3.0, kClosed = 2e-7;
/// So many contacts can still be asked exactly.
constexpr std::size_t kMostExactly = 120;

/// Whether all have been in a heap, so that what is hardly faster than the settling speed is none. Resistance to
/// rolling ends motion by itself; across a gap nothing is borne yet.
bool comes_from_heap(const World& world, const Island& island) {
  const auto goes_on = [&](const ActiveContact& active) {
    const double size = std::min(world.object(active.contact.a).size, world.object(active.contact.b).size);
    return active.contact.rule.resistance.any() || active.contact.gap > kClosed * size;
  };
  return std::all_of(island.bodies.begin(), island.bodies.end(),
                     [&](BodyIndex body) { return world.object(body).from_heap; }) &&
         std::none_of(island.contacts.begin(), island.contacts.end(), goes_on);
}

/// Takes away the contacts of a crowd that are open now: across a gap nothing is borne. Returns the places that the
/// contacts have then, −1 for those that are gone.
std::vector<int> leave_out_open(World& world, Island& island) {
  std::vector<int> places;
  int kept = 0;
  std::erase_if(island.contacts, [&](const ActiveContact& active) {
    const double size = std::min(world.object(active.contact.a).size, world.object(active.contact.b).size);
    const bool open = !active.contact.is_limit() && world.followed_now(active.contact).gap > kCrowdClosed * size;
    places.push_back(open ? -1 : kept++);
    return open;
  });
  return places;
}

/// Whether the bodies stood when the last step began.
bool stood_before(const Island& island) {
  if (static_cast<int>(island.dense.size()) != DensePolynomial::size(island.size())) return false;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* state = island.dense.data() + Island::kPerBody * slot;
    if (std::any_of(state + 7, state + Island::kPerBody, [](double speed) { return speed != 0.0; })) return false;
  }
  return true;
}

/// How fast a body changes its place or slips where it is gripped, and the spin of a ball beyond that.
struct Stand {
  double speed = 0.0;
  Vector3d spin = Vector3d::Zero();
};

/// `presses(i)`: whether contact i does.
template <class Presses>
Stand stand_of(World& world, const Island& island, BodyIndex body, const Presses& presses) {
  const Object& o = world.object(body);
  if (!o.round) return {world.fastest_point(body), Vector3d::Zero()};
  Stand stand{world.now(body).velocity.norm(), world.now(body).angular_velocity};
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const ContactPoint& contact = island.contacts[i].contact;
    if ((contact.a != body && contact.b != body) || !contact.rule.resists_slip() || !presses(i)) continue;
    const Vector3d along = contact.normal.dot(stand.spin) * contact.normal;
    stand.speed = std::max(stand.speed, (stand.spin - along).norm() * o.size);
    stand.spin = along;
  }
  return stand;
}

}  // namespace

/// Whether a body that touches one of the island, and is not of it, would run into it at once if the island stood: it
/// has just struck it. At the present instant only: the cluster at hand is that of the bodies.
bool IslandMotions::is_followed(const Instant& at, const Island& island) {
  const std::vector<ContactPoint>& contacts = at.closed.contacts();
  return std::any_of(contacts.begin(), contacts.end(), [&](const ContactPoint& contact) {
    if (contact.is_limit()) return false;
    const bool first = island.slot(contact.a) >= 0;
    if (first == (island.slot(contact.b) >= 0)) return false;
    const Vector3d velocity = first ? -contact::point_velocity(at.world.now(contact.b), contact.point_b)
                                    : contact::point_velocity(at.world.now(contact.a), contact.point_a);
    return contact.normal.dot(velocity) < -at.closed.approach_threshold();
  });
}

/// Up to what speed bodies of a heap stand still.
double IslandMotions::heap_speed(double acceleration, double size) const {
  const bool given = settle_speed_ && *settle_speed_ > 0.0;
  return given ? *settle_speed_ : Settling::kFraction * std::sqrt(acceleration * size);
}

bool IslandMotions::stay(const Instant& at, const Island& island, bool followed) {
  World& world = at.world;
  if (island.contacts.empty() && island.constraints.empty() && island.joints.empty() && island.springs.empty())
    return false;
  double scale = 0.0, size = 0.0;
  for (const BodyIndex body : island.bodies) {
    scale = std::max(scale, world.object(body).free_acceleration.norm());
    size = std::max(size, world.object(body).size);
  }
  const bool crowded = island.is_crowded();
  const bool switched_off = settle_speed_ && *settle_speed_ == 0.0;
  const bool heap = crowded || (!switched_off && comes_from_heap(world, island));
  if (heap && followed) return false;
  const double still =
      heap ? kHeapStill * heap_speed(scale, size) : kStill * (std::sqrt(scale * size) + at.closed.speed());
  std::vector<Vector3d> spins(island.bodies.size(), Vector3d::Zero());
  const auto stand_still = [&](const auto& presses) {
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
      const BodyIndex body = island.bodies[slot];
      const Stand stand = heap ? stand_of(world, island, body, presses) : Stand{world.fastest_point(body), {}};
      if (stand.speed > still) return false;
      const bool turns = heap && stand.spin.norm() * world.object(body).size > still;
      spins[slot] = turns ? stand.spin : Vector3d::Zero();
    }
    return true;
  };
  // Which contacts press is known for sure when forces from a stand are; those of the last step tell beforehand.
  const auto pressed = [&](std::size_t i) { return island.contacts[i].force[0] > 0.0; };
  if (!stand_still(pressed)) return false;
  for (const JointIndex joint : island.joints)
    for (const JointDrive& drive : world.model().joints[joint].drives)
      if (drive.motor.position && still_from(*drive.motor.position) > world.time()) return false;
  for (const ActiveContact& active : island.contacts) {
    if (world.is_body(active.contact.b)) continue;
    if (world.is_moving(active.contact.b)) return false;
  }
  const auto stop = [&] {
    const double before = world.kinetic_energy(island.bodies);
    for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
      world.stop(island.bodies[slot], crowded, spins[slot]);
    at.log.result.energy.cut_off += before - world.kinetic_energy(island.bodies);
    if (!island.joints.empty()) at.dynamics.write_joint_loads(island, world.time(), island.state.data(), loads_);
    return true;
  };
  if (crowded) {
    const bool has_stood = world.kinetic_energy(island.bodies) == 0.0 && stood_before(island);
    const double unbalanced = at.dynamics.unbalanced(island, world.time(), island.state.data());
    if (unbalanced <= (has_stood ? kNearBalance : kHeapBalance) * scale) {
      const std::vector<char> pressing = at.dynamics.pressing_in_balance(island.contacts.size());
      return stand_still([&](std::size_t i) { return pressing[i] != 0; }) && stop();
    }
    // At the very limit of balance sweeps come near to it only; a stack that stands, and has not moved yet, is asked
    // exactly. Far from balance that question would have no answer, and take minutes to find none.
    if (unbalanced > kNearBalance * scale || island.contacts.size() > kMostExactly) return false;
    if (world.kinetic_energy(island.bodies) > 0.0) return false;
  }
  Island standing = island;
  const std::vector<int> places = crowded ? leave_out_open(world, standing) : std::vector<int>();
  std::vector<double> y = island.state;
  stop_bodies(y.data(), island.bodies.size());
  const bool held = HeldIsland::fits(standing);
  if (held) at.dynamics.solve_held(standing, world.time(), y.data());
  if (!held && at.dynamics.solve_unilateral(standing, world.time(), y.data()) != AccelerationStatus::solved)
    return false;
  const double limit = (crowded ? kHeapBalance : kStill * 100.0) * std::max(scale, at.dynamics.acceleration_scale());
  const double* a = held ? at.dynamics.acceleration().data() : at.dynamics.answer().acceleration().data();
  for (const BodyIndex body : island.bodies) {
    for (int k = 0; k < 6; ++k)
      if (std::abs(a[k]) * (k < 3 ? 1.0 : world.object(body).size) > limit) return false;
    a += 6;
  }
  const auto presses = [&](std::size_t i) {
    const int place = crowded ? places[i] : static_cast<int>(i);
    return !held && place >= 0 && at.dynamics.answer().presses(place);
  };
  return stand_still(presses) && stop();
}

}  // namespace carom::event
