/// The right-hand side of a cluster: forces of contacts, springs and loads, and the accelerations they make.

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/cluster.h"
#include "carom/engine/smooth/cluster_state.h"

namespace carom::smooth {

namespace {

/// Torque on a against its rolling and spinning on b.
Vector3d resisting_torque(const Resistance& resistance, double normal_force, const Vector3d& normal,
                          const Vector3d& turning) {
  const double about = normal.dot(turning);
  const Vector3d rolling = turning - about * normal;
  return -normal_force * (resistance.rolling_over_rate(rolling.norm()) * rolling +
                          (resistance.spinning_over_rate(std::abs(about)) * about) * normal);
}

}  // namespace

/// Force of friction on a [N]; of a tangential spring also how its stretch changes.
inline Vector3d Cluster::rub(const Contact& contact, const Vector3d& normal, const Vector3d& slip, double normal_force,
                             const double* y, double* slope) const {
  if (!contact.has_spring) return -normal_force * contact.friction.over_speed_of_square(slip.squaredNorm()) * slip;
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
  Vector3d resisting = resisting_torque(contact.resistance, sliding.normal_force, sliding.normal, sliding.turning);
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

/// Whether the contact lies in a dent of one of the two.
bool Cluster::in_dent(const Contact& contact, double time) const {
  const PairGeometry& g = contact.geometry;
  const Motion& a = motion_[static_cast<std::size_t>(contact.slot_a)];
  const bool axial = g.form == ContactForm::sphere_bore || g.form == ContactForm::sphere_cylinder;
  if (!axial && g.form != ContactForm::sphere_sphere) return true;  // a ball's dent on a plane: let the general way see
  static const Driven kNobody;
  const Driven& driven = contact.slot_b == kNone ? obstacle(g.b, time) : kNobody;
  const Motion* const b = contact.slot_b == kNone ? nullptr : &motion_[static_cast<std::size_t>(contact.slot_b)];
  Vector3d apart = a.position - (b != nullptr ? b->position : driven.place.position);
  if (axial) {
    const Vector3d axis = b != nullptr ? Vector3d(b->attitude * Vector3d::UnitZ()) : driven.axis;
    apart -= axis.dot(apart) * axis;
  }
  const double distance = apart.norm();
  const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  for (const Dent& dent : environment_->model().dents) {
    if (dent.object == g.b) {
      if (axial && std::abs(dent.direction.z()) > 1e-9) return true;
      const Quaterniond& attitude = b != nullptr ? b->attitude : driven.place.orientation;
      if (apart.dot(attitude * dent.direction) > std::cos(dent.half_width) * distance * 0.999) return true;
    } else if (dent.object == g.a) {
      if (-sign * apart.dot(a.attitude * dent.direction) > std::cos(dent.half_width) * distance * 0.999) return true;
    }
  }
  return false;
}

/// A ball on anything round or flat, no dent in the way: the normal goes through its centre.
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
  read_motion(y);
  wall_power_ = 0.0;
  double damping_power = springs_.empty() ? 0.0 : add_springs();
  double torque_power = 0.0;
  if (has_loads_) add_loads(damping_power, torque_power);
  for (const Contact& contact : contacts) {
    if (contact.plain) {
      add_plain_contact(contact, slope);
    } else if (contact.held) {
      continue;  // when all other forces are known
    } else if (contact.round && !(contact.dented && in_dent(contact, time))) {
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
