#include "carom/engine/event/island_motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_state.h"
#include "carom/engine/event/motion_in_island.h"
#include "carom/engine/event/rest.h"

namespace carom::event {

using contact::Turning;

namespace {

/// A contact goes on with its force where it has moved by less than this part of the size.
constexpr double kSameForce = 1e-2;
/// Whether one stands still is looked at after one step, two more, four more and so on, but not less often than this.
constexpr int kMostStepsBetweenLooks = 64;
/// Bodies within a step that are farther off their joints, relative to size, are put back in states that are asked for.
constexpr double kOffJoints = 1e-11;
/// So many integrated steps in a row with a mean length below kCrawl of the time reached get nowhere.
constexpr std::int64_t kCrawlWindow = 4096;
constexpr double kCrawl = 1e-9;
/// So many steps in a row of no length mean contacts that open and close at once.
constexpr int kMostIdleSteps = 200;

DensePolynomial polynomial_of(const Island& island) {
  return {island.dense.data(), island.size(), island.time, island.step};
}

bool is_known_to_end(const Island& island) {
  return island.end() > island.time &&
         std::all_of(island.dense.begin(), island.dense.end(), [](double value) { return std::isfinite(value); });
}

void book_works(const Island& island, const std::vector<double>& state, EnergyBook& book) {
  const double* integrals = state.data() + island.size() - island.integrals();
  book.damping += integrals[0];
  book.torque_work += integrals[1];
  book.wall_work += integrals[2];
  if (island.dissipates()) book.friction += integrals[3];
  const auto last = static_cast<std::size_t>(island.size() - 1);
  if (island.driven) book.motor_work += state[last - (island.dry.empty() ? 0 : 1)];
  if (!island.dry.empty()) book.friction += state[last];
}

/// What a step has done up to a time within it.
void book_works_until(const IslandDynamics& dynamics, const Island& island, double time, EnergyBook& book) {
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  island.state_at(polynomial_of(island).position(time), 0, island.size(), y.data());
  book_works(island, y, book);
  if (island.is_crowded()) book.cut_off += dynamics.left_over(island, y);
}

bool has_constant_rows(const World& world, const Island& island) {
  const Object& o = world.object(island.bodies[0]);
  bool planar_only = island.contacts.empty();
  for (const ActiveContact& active : island.contacts) {
    const Object& wall = world.object(active.contact.b);
    if (!o.round || wall.parts[0].kind != ShapeKind::half_space || wall.motion.max_spin > 0.0) return false;
    if (!wall.motion.in_closed_form()) return false;
  }
  for (const ConstraintIndex index : island.constraints) {
    const Constraint& constraint = world.model().constraints[index];
    if (std::holds_alternative<RodConstraint>(constraint)) return false;
    if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
      planar_only = false;
      const Motion& plane = world.object(world.body_count() + rolling->plane).motion;
      if (!o.round || plane.max_spin > 0.0 || !plane.in_closed_form()) return false;
    }
  }
  return o.round || planar_only;
}

}  // namespace

IslandMotions::IslandMotions(const World& world, std::optional<double> settle_speed)
    : settle_speed_(settle_speed), balls_(world) {
  islands_.resize(world.model().bodies.size());
  wall_power_.assign(world.model().bodies.size(), 0.0);
  loads_.resize(world.model().joints.size());
}

void IslandMotions::keep_forces(World& world, Island& settled) const {
  for (ActiveContact& active : settled.contacts) {
    const Island* const before = island_of(as_body(active.contact.a));
    if (before == nullptr || !before->is_crowded()) continue;
    double nearest = kSameForce * world.object(active.contact.a).size;
    for (const ActiveContact& old : before->contacts) {
      if (!old.contact.same_parts(active.contact)) continue;
      const double apart = (world.followed_now(old.contact).point_a - active.contact.point_a).norm();
      if (apart >= nearest) continue;
      nearest = apart;
      active.force = old.force;
    }
  }
}

void IslandMotions::leave(const Instant& at, const Bodies& bodies) {
  at.world.note_turns(bodies);
  const World& world = at.world;
  EnergyBook& book = at.log.result.energy;
  for (const BodyIndex body : bodies) {
    if (wall_power_[body] != 0.0)
      book.wall_work += wall_power_[body] * (world.time() - world.object(body).motion.start);
    wall_power_[body] = 0.0;
    balls_.leave(world, body, book);
    if (!islands_[body]) continue;
    const std::shared_ptr<const Island> island = islands_[body];
    for (const BodyIndex member : island->bodies) islands_[member].reset();
    for (const JointIndex joint : island->joints) loads_[joint] = JointLoad::unknown();  // until they move on
    if (island != ended_) book_works_until(at.dynamics, *island, world.time(), book);
  }
}

void IslandMotions::add_works(const World& world, const IslandDynamics& dynamics, double time, EnergyBook& book) const {
  for (const BodyIndex body : world.bodies()) {
    book.wall_work += wall_power_[body] * (time - world.object(body).motion.start);
    balls_.add_works(body, time, book);
    const Island* const island = island_of(body);
    const bool booked = islands_[body] == ended_;  // stopped between the end of a step and what follows
    if (island != nullptr && !booked && island->bodies[0] == body) book_works_until(dynamics, *island, time, book);
  }
}

void IslandMotions::put_on_joints(const World& world, State& state) const {
  HeldIsland held(world.model());
  std::vector<double> y;
  for (const BodyIndex body : world.bodies()) {
    const Island* const island = island_of(body);
    if (island == nullptr || island->bodies[0] != body || !HeldIsland::fits(*island)) continue;
    if (world.known_at(body, state.time) != nullptr) continue;
    y.resize(static_cast<std::size_t>(island->size()));
    island->state_at(polynomial_of(*island).position(state.time), 0, island->size(), y.data());
    held.prepare(*island, y.data());
    held.hurry();
    if (held.residual(state.time, y.data()) <= kOffJoints || !held.put_places(state.time, y.data())) continue;
    (void)held.put_velocities(y.data());
    for (std::size_t slot = 0; slot < island->bodies.size(); ++slot)
      state.bodies[island->bodies[slot]] =
          body_state(y.data() + Island::kPerBody * slot, world.object(island->bodies[slot]).principal_axes);
  }
}

Indexed<JointIndex, JointLoad> IslandMotions::joint_loads(const World& world, double time) const {
  Indexed<JointIndex, JointLoad> loads = loads_;
  IslandDynamics dynamics(world.model());
  std::vector<double> y;
  for (const BodyIndex body : world.bodies()) {
    const Island* const island = island_of(body);
    if (island == nullptr || island->bodies[0] != body || island->joints.empty()) continue;
    y.resize(static_cast<std::size_t>(island->size()));
    island->state_at(polynomial_of(*island).position(time), 0, island->size(), y.data());
    dynamics.write_joint_loads(*island, time, y.data(), loads);
  }
  for (const JointIndex joint : world.model().joints.indices())
    if (world.model().joints[joint].released) loads[joint] = {};
  return loads;
}

void IslandMotions::add_contact_loads(const World& world, const Island& island, double time,
                                      std::vector<ContactLoad>& loads) const {
  if (island.contacts.empty()) return;
  std::vector<double> y(static_cast<std::size_t>(island.size()));
  island.state_at(polynomial_of(island).position(time), 0, island.size(), y.data());
  using Source = IslandDynamics::LoadSource;
  const Source source = island.is_crowded() ? Source::crowded_step : Source::modes;
  IslandDynamics(world.model()).append_contact_loads(island, time, y.data(), source, loads);
}

/// One body whose rows do not change: a round one on planes that do not turn (sliding, rolling, pivoting), and any body
/// that a planar constraint alone guides. Accelerations are constant then.
bool IslandMotions::move_in_closed_form(const Instant& at, const Island& island) {
  World& world = at.world;
  if (island.bodies.size() != 1) return false;
  const BodyIndex body = island.bodies[0];
  const Object& o = world.object(body);
  if (o.integrated || !has_constant_rows(world, island)) return false;
  for (const ActiveContact& active : island.contacts)
    if (active.slides() || active.contact.rule.resistance.any()) return false;
  const AccelerationStatus status = at.dynamics.solve_bilateral(island, world.time(), island.state.data());
  if (status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent) return false;
  const double* a = at.dynamics.answer().acceleration().data();
  const double noise = 1e-13 * at.dynamics.acceleration_scale();
  const BodyState& state = world.now(body);
  Motion motion;
  motion.start = world.time();
  motion.start_carry = world.carry();
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.acceleration = Vector3d(a[0], a[1], a[2]);
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  if (o.round) motion.spin_rate = (state.orientation * o.principal_axes) * Vector3d(a[3], a[4], a[5]);
  for (int k = 0; k < 3; ++k) {
    if (std::abs(motion.acceleration[k]) <= noise) motion.acceleration[k] = 0.0;
    if (std::abs(motion.spin_rate[k]) * o.size <= noise) motion.spin_rate[k] = 0.0;
  }
  const bool accelerated = !motion.spin_rate.isZero(0.0);
  motion.turning = accelerated ? Turning::accelerated : (motion.spin.isZero(0.0) ? Turning::fixed : Turning::uniform);
  motion.max_spin_rate = motion.spin_rate.norm();
  motion.max_spin = motion.spin.norm();  // of a ball at the start: its attitude matters to nothing
  world.set_motion(body, motion);
  wall_power_[body] = at.dynamics.wall_power();
  return true;
}

void IslandMotions::move_on(const Instant& at, const Island& settled, Timeline& timeline) {
  std::optional<Island> dry;
  if (!settled.dry.empty()) settle_dry_joints(at, dry.emplace(settled));
  const Island& island = dry ? *dry : settled;
  const Object& first = at.world.object(island.bodies[0]);
  if (island.bodies.size() == 1 && island.contacts.empty() && !first.is_guided()) {
    at.world.fly(island.bodies[0]);
    return;
  }
  if (stay(at, island, is_followed(at, island))) return;
  if (!island.is_crowded()) {
    if (balls_.move_on(at, island, timeline)) return;
    if (move_in_closed_form(at, island)) return;
  }
  auto moving = std::make_shared<Island>(island);
  moving->time = at.world.time();
  note_turns(at.world, *moving);
  integrate(at, moving, timeline);
}

void IslandMotions::integrate(const Instant& at, const std::shared_ptr<Island>& island, Timeline& timeline) {
  Guarantee& guarantee = at.log.result.guarantee;
  guarantee = std::max(guarantee, Guarantee::bounded);
  const double time = at.world.time();
  const double horizon = timeline.horizon(at.world, island->bodies);
  bool taken = at.dynamics.take_step(*island, horizon);
  if (!taken && island->can_crowd() && !island->is_crowded()) {
    for (ActiveContact& active : island->contacts) active.undecided = true;
    taken = at.dynamics.take_step(*island, horizon);
  }
  if (!taken && !island->joints.empty()) {  // near a singular position forces grow without bound
    fail_singular(at, *island, time);
    return;
  }
  if (!taken) {
    at.log.fail("the motion of bodies in contact could not be integrated: no step size is accepted", time,
                island->bodies);
    return;
  }
  // Up to where joints cannot be kept the motion is known, and the run stops there (end_step).
  if (!island->keeps_joints && !is_known_to_end(*island)) {
    fail_singular(at, *island, island->end());
    return;
  }
  if (island->is_crowded()) {
    at.log.result.energy.cut_off += island->jump.cut_off;
    at.log.result.energy.wall_work += island->jump.wall_work;
    read_state(at.world, *island, island->state.data());
  }
  const double length = island->end() - island->time;
  idle_steps_ = length < 1e-13 * std::max(1.0, time) ? idle_steps_ + 1 : 0;
  if (idle_steps_ > kMostIdleSteps) {
    at.log.fail("a contact neither holds nor opens: the integration makes no progress", time, island->bodies);
    return;
  }
  lay_motions(at.world, island);
  timeline.add_step_end(at.world, island->bodies[0], island->end());
}

void IslandMotions::lay_motions(World& world, const std::shared_ptr<Island>& island) {
  const DensePolynomial polynomial = polynomial_of(*island);
  for (std::size_t slot = 0; slot < island->bodies.size(); ++slot) {
    const BodyIndex body = island->bodies[slot];
    const int first = Island::kPerBody * static_cast<int>(slot);
    const double* y = island->state.data() + first;
    Motion motion;
    motion.start = island->time;
    motion.start_carry = world.carry();
    motion.end = island->end();
    motion.turning = Turning::integrated;
    motion.position = Vector3d(y[0], y[1], y[2]);
    motion.velocity = Vector3d(y[7], y[8], y[9]);
    // ẍ = Σ a_j P_j of the velocity's polynomial: its mean a₀ and the rest.
    const double* mean = island->dense.data() + island->size() + first + 7;
    motion.acceleration = Vector3d(mean[0], mean[1], mean[2]) / island->step;
    const double bound = polynomial.slope_bound(first + 7, 3);
    motion.acceleration_spread = (bound - motion.acceleration.norm()) * (1.0 + 1e-6) + 1e-8 * bound;
    motion.max_spin = polynomial.value_bound(first + 10, 3) * (1.0 + 1e-9);
    motion.max_spin_rate = polynomial.slope_bound(first + 10, 3) * (1.0 + 1e-9);
    motion.integrated =
        std::make_shared<MotionInIsland>(island, static_cast<int>(slot), world.object(body).principal_axes);
    islands_[body] = island;
    world.set_motion(body, motion, island->is_crowded());
  }
}

bool IslandMotions::crawls(const Instant& at, const Island& island) {
  if (++steps_ended_ % kCrawlWindow != 0) return false;
  const double time = at.world.time(), lasted = time - crawl_time_;
  crawl_time_ = time;
  if (lasted >= static_cast<double>(kCrawlWindow) * kCrawl * time) return false;
  at.log.fail(fmt::format("the integration of bodies in contact crawls: {} steps took {} s", kCrawlWindow, lasted),
              time, island.bodies);
  return true;
}

std::shared_ptr<const Island> IslandMotions::end_step(const Instant& at, BodyIndex body) {
  std::shared_ptr<const Island> island = islands_[body];
  if (crawls(at, *island)) return island;
  if (!island->keeps_joints) {
    fail_singular(at, *island, island->end());
    return island;
  }
  EnergyBook& book = at.log.result.energy;
  book_works(*island, island->after, book);
  book.cut_off += island->correction.cut_off;
  book.wall_work += island->correction.wall_work;
  book.motor_work += island->correction.motor_work;
  read_state(at.world, *island, island->after.data());
  ended_ = island;
  at.world.note_turns(island->bodies);
  return island;
}

void IslandMotions::next_step(const Instant& at, const Island& ended, Timeline& timeline) {
  auto next = std::make_shared<Island>(ended);
  next->state = ended.after;
  std::fill_n(next->state.end() - next->integrals(), next->integrals(), 0.0);
  next->time = ended.end();
  note_turns(at.world, *next);
  if (next->is_crowded() && --next->steps_until_look <= 0) {
    if (stay(at, *next, false)) {
      for (const BodyIndex member : next->bodies) islands_[member].reset();
      return;
    }
    next->steps_until_look = next->steps_between_looks =
        std::min(2 * next->steps_between_looks, kMostStepsBetweenLooks);
  }
  integrate(at, next, timeline);
}

}  // namespace carom::event
