/// How bodies move after an event: at rest, in closed form, or integrated.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

namespace {

/// Accuracy of integrated steps, dense output included.
constexpr double kStepTolerance = 1e-13;
/// Accelerations and speeds below this part of the scale at hand are none.
constexpr double kStill = 1e-12;

/// So many integrated steps in a row with a mean length below kCrawl of the time reached get nowhere.
constexpr std::int64_t kCrawlWindow = 4096;
constexpr double kCrawl = 1e-9;

/// One body within its island's present step.
class IslandMotion final : public IntegratedMotion {
 public:
  IslandMotion(std::shared_ptr<const Island> island, int slot, const Quaterniond& principal_axes)
      : island_(std::move(island)), slot_(slot), principal_axes_(principal_axes) {}

  [[nodiscard]] BodyState after(double tau) const override {
    const DensePolynomial motion{island_->dense.data(), island_->size(), island_->time, island_->step};
    double y[Island::kPerBody];
    motion.value(tau / island_->step, Island::kPerBody * slot_, Island::kPerBody, y);
    return body_state(y, principal_axes_);
  }

 private:
  std::shared_ptr<const Island> island_;
  int slot_;
  Quaterniond principal_axes_;
};

}  // namespace

void EventEngine::Core::write_island_state(Island& island) {
  island.state.assign(static_cast<std::size_t>(island.size()), 0.0);
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    write_body_state(now(island.bodies[slot]), object(island.bodies[slot]).principal_axes,
                     island.state.data() + Island::kPerBody * static_cast<int>(slot));
}

void EventEngine::Core::read_island_state(const Island& island, const double* y) {
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const int body = island.bodies[slot];
    const auto i = static_cast<std::size_t>(body);
    now_mark_[i] = instant_;
    now_state_[i] = body_state(y + Island::kPerBody * static_cast<int>(slot), object(body).principal_axes);
  }
}

void EventEngine::Core::set_motion(int body, const Motion& motion) {
  Object& o = object(body);
  if (&o.motion != &motion) o.motion = motion;
  ++o.version;
  flight_[static_cast<std::size_t>(body)] = {o.motion.position,        o.motion.velocity,    o.motion.acceleration,
                                             o.motion.start,           o.motion.start_carry, o.size,
                                             o.motion.in_closed_form()};
  if (!grid_->single() && !grid_->inside(body, o.motion.position)) grid_->move(body, o.motion.position);
  const bool rests = o.motion.in_closed_form() && o.motion.velocity.isZero(0.0) && o.motion.acceleration.isZero(0.0) &&
                     o.motion.max_spin == 0.0 && o.motion.max_spin_rate == 0.0;
  moving_ += static_cast<int>(o.at_rest) - static_cast<int>(rests);
  o.at_rest = rests;
}

void EventEngine::Core::fly(int body) {
  Object& o = object(body);
  const BodyState& state = now(body);
  Motion& motion = o.motion;
  motion.start = now_;
  motion.start_carry = now_carry_;
  motion.end = kForever;
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.acceleration = o.free_acceleration;
  motion.acceleration_spread = 0.0;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.spin_rate.setZero();
  motion.integrated.reset();
  motion.max_spin_rate = 0.0;
  if (state.angular_velocity.isZero(0.0)) {
    motion.turning = Turning::fixed;
    motion.max_spin = 0.0;
  } else if (o.round) {
    motion.turning = Turning::uniform;
    motion.max_spin = state.angular_velocity.norm();
  } else {
    motion.turning = Turning::free;
    motion.principal_axes = o.principal_axes;
    const Quaterniond attitude = state.orientation * o.principal_axes;
    motion.rotation = std::make_shared<const FreeRotation>(
        o.inertia, RotationState{attitude, attitude.conjugate() * state.angular_velocity});
    motion.max_spin = motion.rotation->max_angular_speed();
    motion.max_spin_rate = motion.rotation->max_angular_acceleration();
  }
  set_motion(body, motion);
}

bool EventEngine::Core::stay(const Island& island) {
  if (island.contacts.empty() && island.constraints.empty() && island.springs.empty()) return false;
  double scale = 0.0, size = 0.0;
  for (const int body : island.bodies) {
    scale = std::max(scale, object(body).free_acceleration.norm());
    size = std::max(size, object(body).size);
  }
  const double still = kStill * (std::sqrt(scale * size) + speed_);
  for (const int body : island.bodies)
    if (now(body).velocity.norm() + now(body).angular_velocity.norm() * object(body).size > still) return false;
  for (const ActiveContact& active : island.contacts)
    if (!is_body(active.contact.b) &&
        object(active.contact.b).motion.max_spin + object(active.contact.b).motion.velocity.norm() > 0.0)
      return false;
  std::vector<double> y = island.state;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(Island::kPerBody * slot + 7), 6, 0.0);
  if (dynamics_->solve_unilateral(island, now_, y.data()) != AccelerationStatus::solved) return false;
  const double limit = kStill * 100.0 * std::max(scale, dynamics_->acceleration_scale());
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot) {
    const double* a = dynamics_->answer().acceleration().data() + 6 * slot;
    const double radius = object(island.bodies[slot]).size;
    for (int k = 0; k < 6; ++k)
      if (std::abs(a[k]) * (k < 3 ? 1.0 : radius) > limit) return false;
  }
  result_.energy.cut_off += kinetic_energy(island.bodies);
  for (const int body : island.bodies) {
    Motion motion;
    motion.start = now_;
    motion.start_carry = now_carry_;
    motion.position = now(body).position;
    motion.attitude = now(body).orientation;
    set_motion(body, motion);
    BodyState& state = now_state_[static_cast<std::size_t>(body)];
    state.velocity.setZero();
    state.angular_velocity.setZero();
  }
  return true;
}

/// One body whose rows do not change: a round one on planes that do not turn (sliding, rolling, pivoting), and any body
/// that a planar constraint alone guides. Accelerations are constant then.
bool EventEngine::Core::move_in_closed_form(const Island& island) {
  if (island.bodies.size() != 1) return false;
  const int body = island.bodies[0];
  Object& o = object(body);
  if (o.integrated) return false;
  bool planar_only = island.contacts.empty();
  for (const ActiveContact& active : island.contacts) {
    const Object& wall = object(active.contact.b);
    if (!o.round || wall.mover.kind != ShapeKind::half_space || wall.motion.max_spin > 0.0) return false;
  }
  for (const int index : island.constraints) {
    const Constraint& constraint = model_.constraints[static_cast<std::size_t>(index)];
    if (std::holds_alternative<RodConstraint>(constraint)) return false;
    if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
      planar_only = false;
      if (!o.round || object(bodies_ + rolling->plane).motion.max_spin > 0.0) return false;
    }
  }
  if (!o.round && !planar_only) return false;
  const AccelerationStatus status = dynamics_->solve_bilateral(island, now_, island.state.data());
  if (status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent) return false;
  const double* a = dynamics_->answer().acceleration().data();
  const double noise = 1e-13 * dynamics_->acceleration_scale();
  const BodyState& state = now(body);
  Motion motion;
  motion.start = now_;
  motion.start_carry = now_carry_;
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
  motion.max_spin = motion.spin.norm() + (accelerated ? motion.max_spin_rate * (options_.duration - now_) : 0.0);
  set_motion(body, motion);
  o.wall_power = dynamics_->wall_power();
  return true;
}

/// A cylinder that stood on its face and is held by one or two points of the rim any more tips over the arc between
/// them: it goes on as one on its rim.
void EventEngine::Core::stand_on_rims(Island& island) const {
  for (const int body : island.bodies) {
    const Cylinder* cylinder = std::get_if<Cylinder>(object(body).mover.shape);
    if (cylinder == nullptr) continue;
    const auto stands = [&](const ActiveContact& active) {
      return active.contact.a == body && active.contact.feature == Feature::point_on_face;
    };
    const auto count = std::count_if(island.contacts.begin(), island.contacts.end(), stands);
    if (count == 0 || count > 2) continue;
    ActiveContact rim = *std::find_if(island.contacts.begin(), island.contacts.end(), stands);
    Vector3d middle = Vector3d::Zero();
    for (const ActiveContact& active : island.contacts)
      if (stands(active)) middle += active.contact.local_point;
    if (middle.head<2>().norm() < 0.1 * cylinder->radius) continue;  // two opposite points: it rocks over neither
    island.contacts.erase(std::remove_if(island.contacts.begin(), island.contacts.end(), stands),
                          island.contacts.end());
    rim.contact.feature = Feature::rim;
    rim.contact.rim_end = middle.z() >= 0.0 ? 1.0 : -1.0;
    rim.contact.local_point.head<2>() = middle.head<2>().normalized() * cylinder->radius;
    island.contacts.push_back(rim);
  }
}

void EventEngine::Core::move_on(const Island& island) {
  const Object& first = object(island.bodies[0]);
  if (island.bodies.size() == 1 && island.contacts.empty() && first.constraints.empty() && !first.integrated) {
    fly(island.bodies[0]);
    return;
  }
  if (stay(island) || move_in_closed_form(island)) return;
  auto moving = std::make_shared<Island>(island);
  moving->time = now_;
  integrate(moving);
}

void EventEngine::Core::integrate(const std::shared_ptr<Island>& island) {
  result_.guarantee = std::max(result_.guarantee, Guarantee::bounded);
  if (now_ >= options_.duration) {  // the states at the end are known, and what the last step did is booked
    for (const int member : island->bodies) object(member).island.reset();
    return;
  }
  if (!dynamics_->take_step(*island, options_.duration, kStepTolerance)) {
    fail("the motion of bodies in contact could not be integrated: no step size is accepted", island->bodies);
    return;
  }
  // Progress that is none means contacts that open and close at once.
  idle_steps_ = island->end() - island->time < 1e-13 * std::max(1.0, now_) ? idle_steps_ + 1 : 0;
  if (idle_steps_ > 200) {
    fail("a contact neither holds nor opens: the integration makes no progress", island->bodies);
    return;
  }
  const DensePolynomial polynomial{island->dense.data(), island->size(), island->time, island->step};
  for (std::size_t slot = 0; slot < island->bodies.size(); ++slot) {
    const int body = island->bodies[slot];
    const int first = Island::kPerBody * static_cast<int>(slot);
    const double* y = island->state.data() + first;
    Motion motion;
    motion.start = island->time;
    motion.start_carry = now_carry_;
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
    motion.integrated = std::make_shared<IslandMotion>(island, static_cast<int>(slot), object(body).principal_axes);
    object(body).island = island;
    set_motion(body, motion);
  }
  const int lead = island->bodies[0];
  queue_.push({island->end(), 0.0, Upcoming::step_end, lead, lead, object(lead).version, object(lead).version});
}

void EventEngine::Core::end_step(int body) {
  const std::shared_ptr<Island> island = object(body).island;
  if (++steps_ended_ % kCrawlWindow == 0) {
    if (now_ - crawl_time_ < static_cast<double>(kCrawlWindow) * kCrawl * now_) {
      fail(fmt::format("the integration of bodies in contact crawls: {} steps took {} s", kCrawlWindow,
                       now_ - crawl_time_),
           island->bodies);
      return;
    }
    crawl_time_ = now_;
  }
  const double* integrals = island->after.data() + island->size() - Island::kIntegrals;
  result_.energy.damping += integrals[0];
  result_.energy.torque_work += integrals[1];
  result_.energy.wall_work += integrals[2];
  book(island->put_back);
  read_island_state(*island, island->after.data());
  if (island->opens) {
    const std::vector<int> bodies = island->bodies;
    speed_ = 0.0;
    struck_pairs_.clear();
    for (const int member : bodies)
      speed_ =
          std::max(speed_, now(member).velocity.norm() + now(member).angular_velocity.norm() * object(member).size);
    settle(bodies);
    return;
  }
  auto next = std::make_shared<Island>(*island);
  next->state = island->after;
  std::fill_n(next->state.end() - Island::kIntegrals, Island::kIntegrals, 0.0);
  next->time = island->end();
  integrate(next);
  if (over_) return;
  for (const int member : next->bodies) predict(member);
}

}  // namespace carom
