#include "carom/engine/smooth/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/contact_motion.h"

namespace carom::smooth {

Vector3d resisting_torque(const Resistance& resistance, double normal_force, const Vector3d& normal,
                          const Vector3d& turning) {
  const double about = normal.dot(turning);
  const Vector3d rolling = turning - about * normal;
  return -normal_force * (resistance.rolling_over_rate(rolling.norm()) * rolling +
                          (resistance.spinning_over_rate(std::abs(about)) * about) * normal);
}

namespace {

/// What friction needs to know of a contact.
struct Sliding {
  Vector3d normal, slip;
  Vector3d turning;  ///< angular velocity of a against b
  double normal_force;
};

class ContactForces {
 public:
  ContactForces(const Environment& environment, const GroupInstant& now, ObstacleMemory& obstacles)
      : environment_(environment), now_(now), obstacles_(obstacles) {}

  void add_plain(const Contact& contact);
  void add_round(const Contact& contact);
  void add_held(const Contact& contact);
  void add_general(const Contact& contact);
  [[nodiscard]] bool in_dent(const Contact& contact);
  [[nodiscard]] double wall_power() const { return wall_power_; }

 private:
  [[nodiscard]] double onset_slack(const Contact& contact, const Vector3d& slip, const Vector3d& stretch,
                                   double length) const;
  [[nodiscard]] Vector3d friction_force(const Contact& contact, const Sliding& sliding) const;
  [[nodiscard]] Vector3d add_friction(const Contact& contact, const Sliding& sliding, Vector3d& force) const;
  [[nodiscard]] BodyMotion& first(const Contact& contact) const { return now_.bodies[contact.slot_a.slot()]; }
  [[nodiscard]] BodyMotion* second(const Contact& contact) const {
    return contact.slot_b == kNone ? nullptr : &now_.bodies[contact.slot_b.slot()];
  }
  [[nodiscard]] const ObstacleState& obstacle(const Contact& contact) {
    return contact.slot_b == kNone ? obstacles_.at(contact.geometry.b, now_.time) : kNoObstacle;
  }
  /// Impulse and damping work of a contact grow by these.
  void write_rates(const Contact& contact, double force, double damping_power) const {
    double* const extra = now_.slope + contact.extra;
    extra[0] = force;
    extra[1] = damping_power;
  }

  const Environment& environment_;
  const GroupInstant now_;
  ObstacleMemory& obstacles_;
  double wall_power_ = 0.0;
};

/// Stretch [m] that a spring which grows is taken to have besides, while its contact is new. From no stretch and no
/// normal force at all the spring would follow the slip at once, and then a part of it ∝ t^¼; so it begins as smoothly
/// as the normal force does.
inline double ContactForces::onset_slack(const Contact& contact, const Vector3d& slip, const Vector3d& stretch,
                                         double length) const {
  const double age = now_.time - contact.began;
  if (!(age < contact.onset)) return 0.0;
  const double left = 1.0 - age / contact.onset;
  const double growing = length > 0.0 ? std::max(stretch.dot(slip) / length, 0.0) : slip.norm();
  return contact.onset * left * left * growing;
}

/// Force of friction on a [N]; of a tangential spring also how its stretch changes.
inline Vector3d ContactForces::friction_force(const Contact& contact, const Sliding& sliding) const {
  const Vector3d& slip = sliding.slip;
  if (!contact.has_spring)
    return -sliding.normal_force * contact.friction.over_speed_of_square(slip.squaredNorm()) * slip;
  // The spring follows the slip in the tangent plane. Where the force is cut to Coulomb's limit it follows a part of
  // the slip alone, the part to which the force is cut: so its energy never grows by more than what friction takes from
  // the bodies. What the limit does not bear of the stretch is given up at the pace of the spring's own oscillation, so
  // that the right-hand side stays a function of the state.
  const double stiffness = contact.friction.spring_stiffness;
  Vector3d stretch = vector_at(now_.y + contact.extra + 6);
  stretch -= sliding.normal.dot(stretch) * sliding.normal;
  const double most = contact.friction.mu * sliding.normal_force;
  const double length = stretch.norm();
  Vector3d force = -stiffness * stretch - contact.friction.spring_damping * slip;
  const double size = force.norm();
  const double uncut = size + stiffness * onset_slack(contact, slip, stretch, length);
  if (size > most) force *= most / size;
  Vector3d rate = uncut > most ? Vector3d((most / uncut) * slip) : slip;
  const double excess = length - most / stiffness;
  if (excess > 0.0) rate -= (contact.giving_up() * excess / length) * stretch;
  put(rate, now_.slope + contact.extra + 6);
  return force;
}

/// Friction and resistance at a contact: adds to the force, returns the torque on a that is not that of the force.
inline Vector3d ContactForces::add_friction(const Contact& contact, const Sliding& sliding, Vector3d& force) const {
  double* const extra = now_.slope + contact.extra;
  const Vector3d friction = friction_force(contact, sliding);
  extra[2] = -friction.dot(sliding.slip);
  put(friction, extra + 3);
  force += friction;
  if (!contact.has_resistance) return Vector3d::Zero();
  Vector3d resisting = resisting_torque(contact.resistance, sliding.normal_force, sliding.normal, sliding.turning);
  extra[2] -= resisting.dot(sliding.turning);
  return resisting;
}

/// Two balls, or a ball and a plane at rest, without friction: the force acts along the line of the centres.
inline void ContactForces::add_plain(const Contact& contact) {
  const PairGeometry& g = contact.geometry;
  BodyMotion& a = first(contact);
  BodyMotion* const b = second(contact);
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
  write_rates(contact, value.force, (value.elastic - value.force) * rate);
  const Vector3d force = value.force * normal;
  a.force += force;
  if (b != nullptr) b->force -= force;
}

/// Whether the contact lies in a dent of one of the two.
bool ContactForces::in_dent(const Contact& contact) {
  const PairGeometry& g = contact.geometry;
  const BodyMotion& a = first(contact);
  const bool axial = g.axial();
  if (!axial && g.form != ContactForm::sphere_sphere) return true;  // a ball's dent on a plane: let the general way see
  const ObstacleState& fixed = obstacle(contact);
  const BodyMotion* const b = second(contact);
  Vector3d apart = a.position - (b != nullptr ? b->position : fixed.place.position);
  if (axial) {
    const Vector3d axis = b != nullptr ? Vector3d(b->attitude * Vector3d::UnitZ()) : fixed.axis;
    apart -= axis.dot(apart) * axis;
  }
  const double distance = apart.norm();
  const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  for (const Dent& dent : environment_.model().dents) {
    if (dent.object == g.b) {
      if (axial && std::abs(dent.direction.z()) > 1e-9) return true;
      const Quaterniond& attitude = b != nullptr ? b->attitude : fixed.place.orientation;
      if (apart.dot(attitude * dent.direction) > std::cos(dent.half_width) * distance * 0.999) return true;
    } else if (dent.object == g.a) {
      if (-sign * apart.dot(a.attitude * dent.direction) > std::cos(dent.half_width) * distance * 0.999) return true;
    }
  }
  return false;
}

/// A ball on anything round or flat, no dent in the way: the normal goes through its centre.
inline void ContactForces::add_round(const Contact& contact) {
  const PairGeometry& g = contact.geometry;
  BodyMotion& a = first(contact);
  BodyMotion* const b = second(contact);
  const ObstacleState& fixed = obstacle(contact);
  const Vector3d& centre_b = b != nullptr ? b->position : fixed.place.position;
  Vector3d normal;
  double gap = 0.0;
  const Vector3d axis = b != nullptr ? Vector3d(b->attitude * Vector3d::UnitZ()) : fixed.axis;
  if (!round_gap(g, a.position - centre_b, axis, gap, normal)) {
    add_general(contact);
    return;
  }
  const Vector3d arm_a = -(g.radius_a + 0.5 * gap) * normal;
  const Vector3d arm_b = a.position + arm_a - centre_b;
  const Vector3d& spin_b = b != nullptr ? b->spin : fixed.angular_velocity;
  const Vector3d velocity_b = (b != nullptr ? b->velocity : fixed.velocity) + spin_b.cross(arm_b);
  const Vector3d relative = a.velocity + a.spin.cross(arm_a) - velocity_b;
  const double rate = normal.dot(relative);
  const NormalValue value = contact.normal.evaluate(-gap, -rate);
  write_rates(contact, value.force, (value.elastic - value.force) * rate);
  Vector3d force = value.force * normal;
  Vector3d torque = Vector3d::Zero();
  if (contact.has_friction)
    torque = add_friction(contact, {normal, relative - rate * normal, a.spin - spin_b, value.force}, force);
  a.force += force;
  a.torque += arm_a.cross(force) + torque;
  if (b != nullptr) {
    b->force -= force;
    b->torque -= arm_b.cross(force) + torque;
  } else if (fixed.moves) {
    wall_power_ += force.dot(velocity_b) + torque.dot(spin_b);
  }
}

/// A ball that keeps its height on a plane at rest: the plane bears what the other forces leave.
void ContactForces::add_held(const Contact& contact) {
  const PairGeometry& g = contact.geometry;
  BodyMotion& a = first(contact);
  const BodyInfo& info = environment_.body(g.a);
  const Vector3d& normal = g.plane_normal;
  const double load = -normal.dot(a.force + info.mass * info.free_acceleration);
  const double push = std::max(load, 0.0);
  write_rates(contact, push, 0.0);
  const Vector3d arm = -g.radius_a * normal;
  Vector3d force = push * normal;
  Vector3d torque = Vector3d::Zero();
  if (contact.has_friction) {
    const Vector3d relative = a.velocity + a.spin.cross(arm);
    const Vector3d slip = relative - normal.dot(relative) * normal;
    torque = add_friction(contact, {normal, slip, a.spin, push}, force);
  }
  a.force += force;
  a.torque += arm.cross(force) + torque;
}

void ContactForces::add_general(const Contact& contact) {
  BodyMotion& a = first(contact);
  BodyMotion* const b = second(contact);
  const ObstacleState& fixed = obstacle(contact);
  const ContactMotion motion = contact_motion(environment_.model(), contact.geometry, {a, b, fixed});
  const NormalValue value = contact.normal.evaluate(motion.touch.depth, -motion.rate);
  write_rates(contact, value.force, (value.elastic - value.force) * motion.rate);
  Vector3d force = value.force * motion.touch.normal;
  Vector3d torque_a = value.force * motion.torque_a;
  Vector3d torque_b = value.force * motion.torque_b;
  const Vector3d spin_b = b != nullptr ? b->spin : fixed.angular_velocity;
  if (contact.has_friction) {
    const Vector3d torque =
        add_friction(contact, {motion.touch.normal, motion.slip, a.spin - spin_b, value.force}, force);
    torque_a += torque;
    torque_b -= torque;
  }
  // At the point, and for dents at the centres.
  const Vector3d pull = value.force * motion.pull;
  a.force += force + pull;
  a.torque += (motion.touch.point - a.position).cross(force) + torque_a;
  if (b != nullptr) {
    b->force -= force + pull;
    b->torque += torque_b - (motion.touch.point - b->position).cross(force);
  } else if (fixed.moves) {
    wall_power_ += force.dot(motion.velocity_b) + pull.dot(fixed.velocity) - torque_b.dot(spin_b);
  }
}

}  // namespace

double add_contact_forces(const Environment& environment, const std::vector<Contact>& contacts, const GroupInstant& now,
                          ObstacleMemory& obstacles) {
  ContactForces forces(environment, now, obstacles);
  bool any_held = false;
  for (const Contact& contact : contacts) {
    if (contact.is_limit()) continue;  // with its joint
    if (contact.plain) {
      forces.add_plain(contact);
    } else if (contact.held) {
      any_held = true;  // when all other forces are known
    } else if (contact.round && !(contact.dented && forces.in_dent(contact))) {
      forces.add_round(contact);
    } else {
      forces.add_general(contact);
    }
  }
  if (any_held) {
    for (const Contact& contact : contacts)
      if (contact.held) forces.add_held(contact);
  }
  return forces.wall_power();
}

}  // namespace carom::smooth
