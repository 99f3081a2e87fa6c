#include "carom/engine/smooth/cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::smooth {

namespace {

Vector3d vector_at(const double* y) {
  return {y[0], y[1], y[2]};
}

void put(const Vector3d& value, double* y) {
  for (int k = 0; k < 3; ++k) y[k] = value[k];
}

Quaterniond attitude_at(const double* y) {
  return {y[0], y[1], y[2], y[3]};
}

/// Turned by the angle ωτ about ω.
Quaterniond turned(const Quaterniond& attitude, const Vector3d& spin, double tau) {
  const double speed = spin.norm();
  if (speed == 0.0 || tau == 0.0) return attitude;
  return Eigen::AngleAxisd(speed * tau, spin / speed) * attitude;
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Penetration at which a contact has stopped two bodies that met with this speed.
double stopping_depth(const Contact& contact, double speed) {
  const double p = contact.normal.exponent;
  return std::pow(0.5 * (p + 1.0) * contact.reduced_mass * speed * speed / contact.normal.stiffness, 1.0 / (p + 1.0));
}

/// Gap and normal of a ball (its centre at `d` from b's) with anything round or flat; false beyond the ends of a bore
/// or cylinder with that axis.
inline bool round_gap(const PairGeometry& g, const Vector3d& d, const Vector3d& axis, double& gap, Vector3d& normal) {
  if (g.form == ContactForm::sphere_plane) {
    gap = g.plane_normal.dot(d) - g.radius_a;
    normal = g.plane_normal;
    return true;
  }
  if (g.form == ContactForm::sphere_sphere) {
    const double squared = d.squaredNorm(), length = std::sqrt(squared), reach = g.radius_a + g.radius_b;
    gap = (squared - reach * reach) / (length + reach);
    normal = (1.0 / length) * d;
    return true;
  }
  const double along = axis.dot(d);
  if (std::abs(along) > g.half_length) return false;
  const Vector3d out = d - along * axis;
  const double distance = out.norm(), sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  gap = sign * (distance - g.radius_b) - g.radius_a;
  normal = (sign / distance) * out;
  return true;
}

/// Torque on a against its rolling and spinning on b.
Vector3d resisting_torque(const Resistance& resistance, double normal_force, const Vector3d& normal,
                          const Vector3d& turning) {
  const double about = normal.dot(turning);
  const Vector3d rolling = turning - about * normal;
  return -normal_force * (resistance.rolling_over_rate(rolling.norm()) * rolling +
                          (resistance.spinning_over_rate(std::abs(about)) * about) * normal);
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

void Cluster::read_place(int slot, double time, const double* y, Motion& motion) const {
  const auto count = static_cast<int>(bodies.size());
  const Slot& at = slots_[static_cast<std::size_t>(slot)];
  motion.position = vector_at(y + 3 * slot);
  motion.velocity = vector_at(y + 3 * (count + slot));
  if (at.rest == kNone) {
    motion.spin = at.spin;
    motion.attitude = at.attitude;  // a ball: its attitude acts on nothing
    (void)time;
  } else {
    motion.attitude = attitude_at(y + at.rest).normalized();
    motion.spin = vector_at(y + at.rest + 4);
  }
}

void Cluster::read_motion(double time, const double* y) {
  const std::size_t count = slots_.size();
  for (std::size_t i = 0; i < count; ++i) {
    Motion& motion = motion_[i];
    motion.force.setZero();
    if (slots_[i].rest == kNone) {  // its spin and attitude stand there since begin()
      motion.position = vector_at(y + 3 * i);
      motion.velocity = vector_at(y + 3 * (count + i));
    } else {
      read_place(static_cast<int>(i), time, y, motion);
      motion.torque.setZero();
    }
  }
}

BodyState Cluster::body_state(int slot, double time, const double* y) const {
  Motion motion;
  read_place(slot, time, y, motion);
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
  if (contact.round && (contact.slot_b == kNone || !axial)) {
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
  read_place(contact.slot_a, time, y, a);
  if (contact.slot_b == kNone) return stand(contact, a, nullptr, obstacle(contact.geometry.b, time));
  read_place(contact.slot_b, time, y, b);
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

// ------------------------------------------------------------------------------------------------- forces

/// Force of friction on a [N]; of a tangential spring also how its stretch changes.
inline Vector3d Cluster::rub(const Contact& contact, const Vector3d& normal, const Vector3d& slip, double normal_force,
                             const double* y, double* slope) const {
  if (!contact.has_spring) return -normal_force * contact.friction.over_speed(slip.norm()) * slip;
  // The spring follows the slip in the tangent plane; what Coulomb's limit does not bear of its stretch is given up at
  // the pace of the spring's own oscillation, so that the right-hand side stays a function of the state.
  const double stiffness = contact.friction.spring_stiffness;
  Vector3d stretch = vector_at(y + contact.extra + 6);
  stretch -= normal.dot(stretch) * normal;
  const double most = contact.friction.mu * normal_force;
  const double length = stretch.norm();
  Vector3d force = -stiffness * stretch - contact.friction.spring_damping * slip;
  const double size = force.norm();
  if (size > most) force *= most / size;
  Vector3d rate = slip;
  const double excess = length - most / stiffness;
  if (excess > 0.0) {
    const double pace = 4.0 * std::sqrt(stiffness / contact.reduced_mass);
    rate -= (pace * excess / length) * stretch;
  }
  put(rate, slope + contact.extra + 6);
  return force;
}

/// Friction and resistance at a contact: adds to the force, returns the torque on a that is not that of the force.
inline Vector3d Cluster::add_friction(const Contact& contact, const Sliding& sliding, const double* y, double* slope,
                                      Vector3d& force) const {
  double* const extra = slope + contact.extra;
  const Vector3d friction = rub(contact, sliding.normal, sliding.slip, sliding.normal_force, y, slope);
  extra[2] = -friction.dot(sliding.slip);
  put(friction, extra + 3);
  force += friction;
  if (!contact.has_resistance) return Vector3d::Zero();
  const Vector3d resisting =
      resisting_torque(contact.resistance, sliding.normal_force, sliding.normal, sliding.turning);
  extra[2] -= resisting.dot(sliding.turning);
  return resisting;
}

/// Two balls, or a ball and a plane at rest, without friction: the force acts along the line of the centres.
void Cluster::add_plain_contact(const Contact& contact, double* slope) {
  const PairGeometry& g = contact.geometry;
  Motion& a = motion_[static_cast<std::size_t>(contact.slot_a)];
  Motion* const b = contact.slot_b == kNone ? nullptr : &motion_[static_cast<std::size_t>(contact.slot_b)];
  Vector3d normal;
  double depth = 0.0, rate = 0.0;
  if (b != nullptr) {
    const Vector3d d = a.position - b->position;
    const double squared = d.squaredNorm();
    const double length = std::sqrt(squared);
    const double reach = g.radius_a + g.radius_b;
    normal = d * (1.0 / length);
    depth = -(squared - reach * reach) / (length + reach);
    rate = normal.dot(a.velocity - b->velocity);
  } else {
    normal = g.plane_normal;
    depth = g.radius_a - normal.dot(a.position - g.plane_point);
    rate = normal.dot(a.velocity);
  }
  const NormalValue value = contact.normal.evaluate(depth, -rate);
  double* const extra = slope + contact.extra;
  extra[0] = value.force;
  extra[1] = (value.elastic - value.force) * rate;
  const Vector3d force = value.force * normal;
  a.force += force;
  if (b != nullptr) b->force -= force;
}

/// A ball on anything round or flat, without dents: the normal goes through its centre.
void Cluster::add_round_contact(const Contact& contact, double time, const double* y, double* slope) {
  const PairGeometry& g = contact.geometry;
  Motion& a = motion_[static_cast<std::size_t>(contact.slot_a)];
  Motion* const b = contact.slot_b == kNone ? nullptr : &motion_[static_cast<std::size_t>(contact.slot_b)];
  static const Driven kNobody;
  const Driven& driven = b == nullptr ? obstacle(g.b, time) : kNobody;
  const Vector3d& centre_b = b != nullptr ? b->position : driven.place.position;
  Vector3d normal;
  double gap = 0.0;
  const Vector3d axis = b != nullptr ? Vector3d(b->attitude * Vector3d::UnitZ()) : driven.axis;
  if (!round_gap(g, a.position - centre_b, axis, gap, normal)) {
    add_contact(contact, time, y, slope);
    return;
  }
  const Vector3d arm_a = -(g.radius_a + 0.5 * gap) * normal;
  const Vector3d arm_b = a.position + arm_a - centre_b;
  const Vector3d& spin_b = b != nullptr ? b->spin : driven.angular_velocity;
  const Vector3d velocity_b = (b != nullptr ? b->velocity : driven.velocity) + spin_b.cross(arm_b);
  const Vector3d relative = a.velocity + a.spin.cross(arm_a) - velocity_b;
  const double rate = normal.dot(relative);
  const NormalValue value = contact.normal.evaluate(-gap, -rate);
  double* const extra = slope + contact.extra;
  extra[0] = value.force;
  extra[1] = (value.elastic - value.force) * rate;
  Vector3d force = value.force * normal;
  Vector3d torque = Vector3d::Zero();
  if (contact.has_friction)
    torque = add_friction(contact, {normal, relative - rate * normal, a.spin - spin_b, value.force}, y, slope, force);
  a.force += force;
  a.torque += arm_a.cross(force) + torque;
  if (b != nullptr) {
    b->force -= force;
    b->torque -= arm_b.cross(force) + torque;
  } else if (driven.moves) {
    wall_power_ += force.dot(velocity_b) + torque.dot(spin_b);
  }
}

/// A ball that keeps its height on a plane at rest: the plane bears what the other forces leave.
void Cluster::add_held_contact(const Contact& contact, const double* y, double* slope) {
  const PairGeometry& g = contact.geometry;
  Motion& a = motion_[static_cast<std::size_t>(contact.slot_a)];
  const BodyInfo& info = environment_->body(g.a);
  const Vector3d& normal = g.plane_normal;
  const double load = -normal.dot(a.force + info.mass * info.free_acceleration);
  const double push = std::max(load, 0.0);
  double* const extra = slope + contact.extra;
  extra[0] = push;
  extra[1] = 0.0;
  const Vector3d arm = -g.radius_a * normal;
  Vector3d force = push * normal;
  Vector3d torque = Vector3d::Zero();
  if (contact.has_friction) {
    const Vector3d relative = a.velocity + a.spin.cross(arm);
    const Vector3d slip = relative - normal.dot(relative) * normal;
    torque = add_friction(contact, {normal, slip, a.spin, push}, y, slope, force);
  }
  a.force += force;
  a.torque += arm.cross(force) + torque;
}

void Cluster::add_contact(const Contact& contact, double time, const double* y, double* slope) {
  Motion& a = motion_[static_cast<std::size_t>(contact.slot_a)];
  Motion* const b = contact.slot_b == kNone ? nullptr : &motion_[static_cast<std::size_t>(contact.slot_b)];
  static const Driven kNobody;
  const Driven& driven = b == nullptr ? obstacle(contact.geometry.b, time) : kNobody;
  const Standing s = stand(contact, a, b, driven);
  const NormalValue value = contact.normal.evaluate(s.touch.depth, -s.rate);
  double* const extra = slope + contact.extra;
  extra[0] = value.force;
  extra[1] = (value.elastic - value.force) * s.rate;
  Vector3d force = value.force * s.touch.normal;
  Vector3d torque_a = value.force * s.torque_a;
  Vector3d torque_b = value.force * s.torque_b;
  const Vector3d spin_b = b != nullptr ? b->spin : driven.angular_velocity;
  if (contact.has_friction) {
    const Vector3d torque =
        add_friction(contact, {s.touch.normal, s.slip, a.spin - spin_b, value.force}, y, slope, force);
    torque_a += torque;
    torque_b -= torque;
  }
  // At the point, and for dents at the centres.
  const Vector3d pull = value.force * s.pull;
  a.force += force + pull;
  a.torque += (s.touch.point - a.position).cross(force) + torque_a;
  if (b != nullptr) {
    b->force -= force + pull;
    b->torque += torque_b - (s.touch.point - b->position).cross(force);
  } else if (driven.moves) {
    wall_power_ += force.dot(s.velocity_b) + pull.dot(driven.velocity) - torque_b.dot(spin_b);
  }
}

double Cluster::add_springs() {
  double damping_power = 0.0;
  for (const SpringEnds& ends : springs_) {
    const Spring& spring = environment_->model().springs[static_cast<std::size_t>(ends.spring)];
    Motion& a = motion_[static_cast<std::size_t>(ends.slot_a)];
    Motion* const b = ends.slot_b == kNone ? nullptr : &motion_[static_cast<std::size_t>(ends.slot_b)];
    if (ends.central && b != nullptr) {
      const Vector3d along = a.position - b->position;
      const double length = along.norm();
      if (length == 0.0) continue;
      const double rate = along.dot(a.velocity - b->velocity) / length;
      const double tension = spring.stiffness * (length - spring.rest_length) + spring.damping * rate;
      damping_power += spring.damping * rate * rate;
      const Vector3d force = (-tension / length) * along;
      a.force += force;
      b->force -= force;
      continue;
    }
    const Vector3d arm_a = a.attitude * spring.point_a;
    const Vector3d arm_b = b != nullptr ? Vector3d(b->attitude * spring.point_b) : spring.point_b;
    const Vector3d along = a.position + arm_a - (b != nullptr ? Vector3d(b->position + arm_b) : arm_b);
    Vector3d velocity = a.velocity + a.spin.cross(arm_a);
    if (b != nullptr) velocity -= b->velocity + b->spin.cross(arm_b);
    const double length = along.norm();
    if (length == 0.0) continue;
    const Vector3d direction = along / length;
    const double rate = direction.dot(velocity);
    const Vector3d force = -(spring.stiffness * (length - spring.rest_length) + spring.damping * rate) * direction;
    damping_power += spring.damping * rate * rate;
    a.force += force;
    a.torque += arm_a.cross(force);
    if (b == nullptr) continue;
    b->force -= force;
    b->torque -= arm_b.cross(force);
  }
  return damping_power;
}

void Cluster::add_loads(double& damping_power, double& torque_power) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Motion& motion = motion_[i];
    for (const int index : environment_->body(bodies[i]).loads) {
      const Load& load = environment_->model().loads[static_cast<std::size_t>(index)];
      motion.force -= load.damping * motion.velocity;
      motion.torque += load.torque - load.angular_damping * motion.spin;
      damping_power += load.damping * motion.velocity.squaredNorm() + load.angular_damping * motion.spin.squaredNorm();
      torque_power += load.torque.dot(motion.spin);
    }
  }
}

/// Euler's equation, in the world frame.
Vector3d Cluster::angular_acceleration(const BodyInfo& info, const Motion& motion) {
  if (info.round) return motion.torque / info.inertia[0];
  const Quaterniond principal = motion.attitude * info.principal_axes;
  const Vector3d spin = principal.conjugate() * motion.spin;
  const Vector3d torque = principal.conjugate() * motion.torque;
  const Vector3d rate = (torque - spin.cross(info.inertia.cwiseProduct(spin))).cwiseQuotient(info.inertia);
  return principal * rate;
}

void Cluster::slope(double time, const double* y, double* slope) {
  const auto count = static_cast<int>(bodies.size());
  read_motion(time, y);
  wall_power_ = 0.0;
  double damping_power = springs_.empty() ? 0.0 : add_springs();
  double torque_power = 0.0;
  if (has_loads_) add_loads(damping_power, torque_power);
  for (const Contact& contact : contacts) {
    if (contact.plain) {
      add_plain_contact(contact, slope);
    } else if (contact.held) {
      continue;  // when all other forces are known
    } else if (contact.round) {
      add_round_contact(contact, time, y, slope);
    } else {
      add_contact(contact, time, y, slope);
    }
  }
  for (const Contact& contact : contacts)
    if (contact.held) add_held_contact(contact, y, slope);
  for (int i = 0; i < count; ++i) {
    const Slot& slot = slots_[static_cast<std::size_t>(i)];
    const BodyInfo& info = environment_->body(slot.body);
    const Motion& motion = motion_[static_cast<std::size_t>(i)];
    Vector3d linear = info.free_acceleration + info.inverse_mass * motion.force;
    put(motion.velocity, slope + 3 * i);
    if (slot.rest == kNone && (info.in_plane || info.constraints.empty())) {
      if (info.in_plane) linear -= info.plane_normal.dot(linear) * info.plane_normal;
      put(linear, slope + 3 * (count + i));
      continue;
    }
    Vector3d angular = slot.rest == kNone ? Vector3d(Vector3d::Zero()) : angular_acceleration(info, motion);
    if (info.in_plane) {
      linear -= info.plane_normal.dot(linear) * info.plane_normal;
      angular = info.plane_normal.dot(angular) * info.plane_normal;
    } else if (!info.constraints.empty()) {
      constrain_accelerations(slot, motion, time, linear, angular);
    }
    put(linear, slope + 3 * (count + i));
    if (slot.rest == kNone) continue;
    const Quaterniond turning = Quaterniond(0.0, motion.spin.x(), motion.spin.y(), motion.spin.z()) * motion.attitude;
    double* const rest = slope + slot.rest;
    rest[0] = 0.5 * turning.w();
    put(0.5 * turning.vec(), rest + 1);
    put(angular, rest + 4);
  }
  if (!environment_->others_work()) return;
  double* const works = slope + size_ - kWorks;
  works[0] = damping_power;
  works[1] = wall_power_;
  works[2] = torque_power;
}

}  // namespace carom::smooth
