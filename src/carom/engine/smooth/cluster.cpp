#include "carom/engine/smooth/cluster.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/cluster_state.h"

namespace carom::smooth {

namespace {

/// Turned by the angle ωτ about ω.
Quaterniond turned(const Quaterniond& attitude, const Vector3d& spin, double tau) {
  const double speed = spin.norm();
  if (speed == 0.0 || tau == 0.0) return attitude;
  return Eigen::AngleAxisd(speed * tau, spin / speed) * attitude;
}

/// Penetration at which a contact has stopped two bodies that met with this speed.
double stopping_depth(const Contact& contact, double speed) {
  const double p = contact.normal.exponent;
  return std::pow(0.5 * (p + 1.0) * contact.reduced_mass * speed * speed / contact.normal.stiffness, 1.0 / (p + 1.0));
}

}  // namespace

void Cluster::begin(double time, const std::vector<BodyState>& states, std::vector<double>& y) {
  const auto count = bodies.size();
  slots_.assign(count, {});
  motion_.resize(count);
  int next = 6 * static_cast<int>(count);
  constrained_ = false;
  has_loads_ = false;
  for (std::size_t i = 0; i < count; ++i) {
    has_loads_ = has_loads_ || !environment_->body(bodies[i]).loads.empty();
    const BodyState& state = states[static_cast<std::size_t>(bodies[i])];
    const BodyInfo& info = environment_->body(bodies[i]);
    Slot& slot = slots_[i];
    slot.body = bodies[i];
    slot.began = time;
    slot.attitude = motion_[i].attitude = state.orientation;
    slot.spin = motion_[i].spin = state.angular_velocity;
    motion_[i].torque.setZero();
    if (info.spins) {
      slot.rest = next;
      next += 7;
    }
    int planes = 0;
    for (const int index : info.constraints) {
      const Constraint& constraint = environment_->model().constraints[static_cast<std::size_t>(index)];
      if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
        if (planes < 2) slot.plane_offset[planes++] = planar->normal.dot(state.position);
        constrained_ = constrained_ || !info.round;
      } else {
        constrained_ = true;
      }
      if (const auto* const rolling = std::get_if<RollingConstraint>(&constraint)) {
        const Driven plane = environment_->obstacle(environment_->model().body_count() + rolling->plane, time);
        const Vector3d n = half_space_normal({plane.place.position, plane.place.orientation});
        slot.rolling_height = n.dot(state.position - plane.place.position);
      }
    }
  }
  for (Contact& contact : contacts) {
    contact.extra = next;
    next += contact.extras();
    contact.slot_a = contact.slot_b = kNone;
    for (std::size_t i = 0; i < count; ++i) {
      if (bodies[i] == contact.geometry.a) contact.slot_a = static_cast<int>(i);
      if (bodies[i] == contact.geometry.b) contact.slot_b = static_cast<int>(i);
    }
  }
  size_ = next + (environment_->others_work() ? kWorks : 0);
  y.assign(static_cast<std::size_t>(size_), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const BodyState& state = states[static_cast<std::size_t>(bodies[i])];
    put(state.position, &y[3 * i]);
    put(state.velocity, &y[3 * (count + i)]);
    if (slots_[i].rest == kNone) continue;
    double* const rest = &y[static_cast<std::size_t>(slots_[i].rest)];
    rest[0] = state.orientation.w();
    put(state.orientation.vec(), rest + 1);
    put(state.angular_velocity, rest + 4);
  }
  for (const Contact& contact : contacts) {
    double* extra = &y[static_cast<std::size_t>(contact.extra)];
    extra[0] = contact.impulse;
    extra[1] = contact.damping_work;
    if (contact.has_friction) {
      extra[2] = contact.friction_work;
      put(contact.tangential_impulse, extra + 3);
    }
    if (contact.has_spring) put(contact.stretch, extra + 6);
  }
  collect_springs();
}

void Cluster::collect_springs() {
  springs_.clear();
  const auto slot_of = [this](int body) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i] == body) return static_cast<int>(i);
    return kNone;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const int index : environment_->body(bodies[i]).springs) {
      const Spring& spring = environment_->model().springs[static_cast<std::size_t>(index)];
      if (spring.body_a != bodies[i]) continue;
      const bool central = spring.point_a.isZero(0.0) && spring.body_b != kNone && spring.point_b.isZero(0.0);
      springs_.push_back(
          {index, static_cast<int>(i), spring.body_b == kNone ? kNone : slot_of(spring.body_b), central});
    }
  }
}

void Cluster::read_contacts(const double* y) {
  for (Contact& contact : contacts) {
    const double* extra = y + contact.extra;
    contact.impulse = extra[0];
    contact.damping_work = extra[1];
    if (contact.has_friction) {
      contact.friction_work = extra[2];
      contact.tangential_impulse = vector_at(extra + 3);
    }
    if (contact.has_spring) contact.stretch = vector_at(extra + 6);
  }
}

void Cluster::read_place(int slot, const double* y, Motion& motion) const {
  const auto count = static_cast<int>(bodies.size());
  const Slot& at = slots_[static_cast<std::size_t>(slot)];
  motion.position = vector_at(y + 3 * slot);
  motion.velocity = vector_at(y + 3 * (count + slot));
  if (at.rest == kNone) {
    motion.spin = at.spin;
    motion.attitude = at.attitude;  // a ball: its attitude acts on nothing
  } else {
    motion.attitude = attitude_at(y + at.rest).normalized();
    motion.spin = vector_at(y + at.rest + 4);
  }
}

void Cluster::read_motion(const double* y) {
  const std::size_t count = slots_.size();
  for (std::size_t i = 0; i < count; ++i) {
    Motion& motion = motion_[i];
    motion.force.setZero();
    motion.position = vector_at(y + 3 * i);
    motion.velocity = vector_at(y + 3 * (count + i));
    if (slots_[i].rest == kNone) continue;  // its spin and attitude stand there since begin()
    const double* const rest = y + slots_[i].rest;
    motion.attitude = attitude_at(rest);
    if (environment_->body(bodies[i]).attitude_acts) motion.attitude.normalize();
    motion.spin = vector_at(rest + 4);
    motion.torque.setZero();
  }
}

BodyState Cluster::body_state(int slot, double time, const double* y) const {
  Motion motion;
  read_place(slot, y, motion);
  const Slot& at = slots_[static_cast<std::size_t>(slot)];
  if (at.rest == kNone) motion.attitude = turned(at.attitude, at.spin, time - at.began).normalized();
  return {motion.position, motion.attitude, motion.velocity, motion.spin};
}

/// Many contacts ask for the same one at the same time.
const Driven& Cluster::obstacle(int object, double time) const {
  const auto index = static_cast<std::size_t>(object - environment_->model().body_count());
  if (obstacles_.size() <= index)
    obstacles_.resize(environment_->model().obstacles.size(), {std::numeric_limits<double>::quiet_NaN(), Driven{}});
  auto& [known_time, known] = obstacles_[index];
  if (known_time != time) {
    known_time = time;
    known = environment_->obstacle(object, time);
  }
  return known;
}

Cluster::Standing Cluster::stand(const Contact& contact, const Motion& a, const Motion* b, const Driven& driven) const {
  const PairGeometry& g = contact.geometry;
  const Pose place_a{a.position, a.attitude};
  const Pose place_b = b != nullptr ? Pose{b->position, b->attitude} : driven.place;
  Standing s;
  s.touch = g.touch(place_a, place_b);
  const Vector3d velocity_a = a.velocity + a.spin.cross(s.touch.point - a.position);
  s.velocity_b = b != nullptr ? Vector3d(b->velocity + b->spin.cross(s.touch.point - b->position))
                              : driven.velocity_of(s.touch.point);
  const Vector3d relative = velocity_a - s.velocity_b;
  s.rate = s.touch.normal.dot(relative);
  s.slip = relative - s.rate * s.touch.normal;
  if (g.dented_a || g.dented_b) add_dents(g, a, b, driven, s);
  return s;
}

/// Dents widen the gap by f(θ), θ the angle between the direction u to the contact and the dent's middle. With
/// p = −f′e, e the tangent at u towards the middle, the gap opens by p·u̇ − ω·(u × p) more than the shapes say, and
/// energy is kept by the forces and torques that belong to these rates.
void Cluster::add_dents(const PairGeometry& g, const Motion& a, const Motion* b, const Driven& driven,
                        Standing& s) const {
  const Pose place_b = b != nullptr ? Pose{b->position, b->attitude} : driven.place;
  const Vector3d velocity_b = b != nullptr ? b->velocity : driven.velocity;
  const Vector3d spin_b = b != nullptr ? b->spin : driven.angular_velocity;
  const bool axial = g.form == ContactForm::sphere_bore || g.form == ContactForm::sphere_cylinder;
  const bool flat = !axial && g.form != ContactForm::sphere_sphere;
  Vector3d apart = a.position - place_b.position;
  if (axial) {
    const Vector3d axis = place_b.orientation * Vector3d::UnitZ();
    apart -= axis.dot(apart) * axis;
  }
  const double distance = apart.norm();
  if (distance == 0.0) return;
  if (g.dented_b && !flat) {
    const Vector3d u = apart / distance;
    const DentAt dent = dent_at(environment_->model(), g.b, place_b, u, axial);
    s.touch.depth -= dent.depth;
    s.pull += dent.pull / distance;
    s.torque_b -= u.cross(dent.pull);
  }
  if (g.dented_a) {
    const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
    const Vector3d u = flat ? Vector3d(-s.touch.normal) : Vector3d(-sign * apart / distance);
    const DentAt dent = dent_at(environment_->model(), g.a, {a.position, a.attitude}, u, false);
    s.touch.depth -= dent.depth;
    if (!flat) s.pull -= sign * dent.pull / distance;
    s.torque_a -= u.cross(dent.pull);
  }
  s.rate += s.pull.dot(a.velocity - velocity_b) + s.torque_a.dot(a.spin) + s.torque_b.dot(spin_b);
}

Cluster::Gap Cluster::gap(const Contact& contact, double time, const double* y) const {
  const PairGeometry& g = contact.geometry;
  const auto count = static_cast<int>(bodies.size());
  const bool axial = g.form == ContactForm::sphere_bore || g.form == ContactForm::sphere_cylinder;
  // The spin of a ball does not change its gap, nor does that of what is round about its own axis.
  if (contact.round && !contact.dented && (contact.slot_b == kNone || !axial)) {
    static const Driven kNobody;
    const Driven& driven = contact.slot_b == kNone ? obstacle(g.b, time) : kNobody;
    const Vector3d centre = contact.slot_b == kNone ? driven.place.position : vector_at(y + 3 * contact.slot_b);
    const Vector3d velocity = contact.slot_b == kNone ? driven.velocity : vector_at(y + 3 * (count + contact.slot_b));
    Vector3d normal;
    double gap = 0.0;
    if ((!axial || driven.spins_about_axis) &&
        round_gap(g, vector_at(y + 3 * contact.slot_a) - centre, driven.axis, gap, normal))
      return {gap, normal.dot(vector_at(y + 3 * (count + contact.slot_a)) - velocity)};
  }
  const Standing s = standing(contact, time, y);
  return {-s.touch.depth, s.rate};
}

Cluster::Standing Cluster::standing(const Contact& contact, double time, const double* y) const {
  Motion a, b;
  read_place(contact.slot_a, y, a);
  if (contact.slot_b == kNone) return stand(contact, a, nullptr, obstacle(contact.geometry.b, time));
  read_place(contact.slot_b, y, b);
  return stand(contact, a, &b, {});
}

Cluster::Stored Cluster::stored(const Contact& contact, double time, const double* y) const {
  const Standing s = standing(contact, time, y);
  if (contact.held) return {};
  Stored energy{contact.normal.stored(s.touch.depth), 0.0};
  if (contact.has_spring) {
    const double stiffness = contact.friction.spring_stiffness;
    const double most = contact.friction.mu * contact.normal.evaluate(s.touch.depth, -s.rate).force;
    const double stretch = std::min(vector_at(y + contact.extra + 6).norm(), most / stiffness);
    energy.tangential = 0.5 * stiffness * stretch * stretch;
  }
  return energy;
}

// ------------------------------------------------------------------------------------------------- scales

void Cluster::scale(double time, const double* y, double rtol, std::vector<double>& scale) {
  const auto count = bodies.size();
  double speed = 0.0, quickest = 0.0, smallest = kInfinite, heaviest = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const BodyInfo& info = environment_->body(bodies[i]);
    if (std::isfinite(info.size)) smallest = std::min(smallest, info.size);
    heaviest = std::max(heaviest, info.mass);
  }
  if (!std::isfinite(smallest)) smallest = 1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const BodyInfo& info = environment_->body(bodies[i]);
    const double turning = slots_[i].rest == kNone ? 0.0 : vector_at(y + slots_[i].rest + 4).norm() * smallest;
    quickest = std::max({quickest, vector_at(y + 3 * (count + i)).norm(), turning,
                         std::sqrt(info.free_acceleration.norm() * smallest)});
  }
  depth_scale_ = smallest;
  double rest_depth = 0.0;
  int elastic = 0;
  for (const Contact& contact : contacts) {
    const Standing s = standing(contact, time, y);
    if (contact.held) {
      speed = std::max(speed, s.slip.norm());
      continue;
    }
    ++elastic;
    const double pull = environment_->body(contact.geometry.a).free_acceleration.norm();
    const double weight = pull > 0.0 ? contact.normal.static_depth(contact.reduced_mass * pull) : 0.0;
    const double depth = std::max(weight, s.touch.depth);
    // A contact that presses could set its bodies off with the speed of the energy that it stores.
    speed = std::max({speed, std::abs(s.rate), s.slip.norm(), contact.approach,
                      std::sqrt(2.0 * contact.normal.stored(depth) / contact.reduced_mass)});
    rest_depth = std::max(rest_depth, depth);
  }
  if (speed == 0.0) speed = quickest > 0.0 ? quickest : smallest;
  for (const Contact& contact : contacts)
    if (!contact.held) depth_scale_ = std::min(depth_scale_, std::max(stopping_depth(contact, speed), rest_depth));
  speed_scale_ = elastic == 0 ? quickest : speed;
  if (speed_scale_ == 0.0) speed_scale_ = smallest;
  contact_time_ = elastic == 0 ? kInfinite : depth_scale_ / speed_scale_;

  scale.assign(static_cast<std::size_t>(size_), kInfinite);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    scale[i] = rtol * depth_scale_;
    scale[3 * count + i] = rtol * speed_scale_;
  }
  if (!environment_->options().locate_events) {
    // As a program for differential equations takes it that knows nothing of contacts: relative to the coordinates.
    constexpr double kAbsolute = 1e-3;
    for (std::size_t i = 0; i < 6 * count; ++i) scale[i] = rtol * std::max(std::abs(y[i]), kAbsolute);
  }
  for (const Slot& slot : slots_) {
    if (slot.rest == kNone) continue;
    const double size = environment_->body(slot.body).size;
    const auto rest = static_cast<std::size_t>(slot.rest);
    for (std::size_t k = 0; k < 4; ++k) scale[rest + k] = rtol;
    for (std::size_t k = 4; k < 7; ++k) scale[rest + k] = rtol * speed_scale_ / (std::isfinite(size) ? size : smallest);
  }
  const double energy = rtol * heaviest * speed_scale_ * speed_scale_;
  for (const Contact& contact : contacts) {
    const auto extra = static_cast<std::size_t>(contact.extra);
    scale[extra + 1] = energy;
    if (contact.has_friction) scale[extra + 2] = energy;
    if (contact.has_spring)
      for (std::size_t k = 6; k < 9; ++k) scale[extra + k] = rtol * depth_scale_;
  }
}

}  // namespace carom::smooth
