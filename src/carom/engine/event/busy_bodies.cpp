#include "carom/engine/event/busy_bodies.h"

#include <algorithm>
#include <cmath>

namespace carom::event {

namespace {

constexpr double kManyShared = 5.0;
constexpr double kManyAlone = 200.0;
constexpr double kManyAtOnce = 20.0;
constexpr double kManyStrikes = 200.0;
constexpr double kInstant = 1e-4;

/// The time in which a body covers its size, at its speed or from a stand.
double time_scale(World& world, BodyIndex body) {
  const Object& o = world.object(body);
  const double fastest = std::max(world.fastest_point(body), std::sqrt(o.free_acceleration.norm() * o.size));
  return fastest > 0.0 ? o.size / fastest : contact::kForever;
}

}  // namespace

BusyBodies::BusyBodies(const World& world) {
  counts_.resize(world.model().bodies.size());
}

BusyBodies::Count BusyBodies::faded(World& world, BodyIndex body) const {
  Count count = counts_[body];
  const double passed = (world.time() - count.time) / time_scale(world, body);
  count.shared *= std::exp(-passed);
  count.alone *= std::exp(-passed);
  count.all *= std::exp(-passed / kInstant);
  count.strikes *= std::exp(-passed);
  return count;
}

void BusyBodies::note_settled(World& world, const Bodies& bodies) {
  note(world, bodies, bodies.size() > 1 ? &Count::shared : &Count::alone);
}

void BusyBodies::note_step(World& world, const Bodies& bodies) {
  note(world, bodies, nullptr);
}

void BusyBodies::note(World& world, const Bodies& bodies, double Count::*kind) {
  for (const BodyIndex body : bodies) {
    Count count = faded(world, body);
    count.time = world.time();
    count.all += 1.0;
    if (kind != nullptr) count.*kind += 1.0;
    counts_[body] = count;
  }
}

void BusyBodies::note_struck(World& world, const Bodies& bodies) {
  for (const BodyIndex body : bodies) {
    Count count = faded(world, body);
    count.time = world.time();
    count.strikes += 1.0;
    counts_[body] = count;
    world.set_rattles(body, count.strikes > kManyStrikes);
  }
}

bool BusyBodies::is_busy(World& world, BodyIndex body) const {
  const Count count = faded(world, body);
  return count.shared > kManyShared || count.alone > kManyAlone || count.all > kManyAtOnce;
}

bool BusyBodies::any_busy(World& world, const Bodies& bodies) const {
  return std::any_of(bodies.begin(), bodies.end(), [&](BodyIndex body) { return is_busy(world, body); });
}

}  // namespace carom::event
