#include "carom/engine/smooth/contact_motion.h"

namespace carom::smooth {

namespace {

/// Dents widen the gap by f(θ), θ the angle between the direction u to the contact and the dent's middle. With
/// p = −f′e, e the tangent at u towards the middle, the gap opens by p·u̇ − ω·(u × p) more than the shapes say, and
/// energy is kept by the forces and torques that belong to these rates.
void add_dents(const Model& model, const PairGeometry& g, const ContactSides& sides, ContactMotion& motion) {
  const BodyMotion& a = sides.a;
  const BodyMotion* const b = sides.b;
  const Pose place_b = b != nullptr ? Pose{b->position, b->attitude} : sides.obstacle.place;
  const Vector3d velocity_b = b != nullptr ? b->velocity : sides.obstacle.velocity;
  const Vector3d spin_b = b != nullptr ? b->spin : sides.obstacle.angular_velocity;
  const bool axial = g.axial();
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
    const DentAt dent = dent_at(model, g.b, place_b, u, axial);
    motion.touch.depth -= dent.depth;
    motion.pull += dent.pull / distance;
    motion.torque_b -= u.cross(dent.pull);
  }
  if (g.dented_a) {
    const double sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
    const Vector3d u = flat ? Vector3d(-motion.touch.normal) : Vector3d(-sign * apart / distance);
    const DentAt dent = dent_at(model, g.a, {a.position, a.attitude}, u, false);
    motion.touch.depth -= dent.depth;
    if (!flat) motion.pull -= sign * dent.pull / distance;
    motion.torque_a -= u.cross(dent.pull);
  }
  motion.rate += motion.pull.dot(a.velocity - velocity_b) + motion.torque_a.dot(a.spin) + motion.torque_b.dot(spin_b);
}

}  // namespace

ContactMotion contact_motion(const Model& model, const PairGeometry& g, const ContactSides& sides) {
  const BodyMotion& a = sides.a;
  const BodyMotion* const b = sides.b;
  const Pose place_a{a.position, a.attitude};
  const Pose place_b = b != nullptr ? Pose{b->position, b->attitude} : sides.obstacle.place;
  ContactMotion motion;
  motion.touch = g.touch(place_a, place_b);
  const Vector3d velocity_a = a.velocity + a.spin.cross(motion.touch.point - a.position);
  motion.velocity_b = b != nullptr ? Vector3d(b->velocity + b->spin.cross(motion.touch.point - b->position))
                                   : sides.obstacle.velocity_of(motion.touch.point);
  const Vector3d relative = velocity_a - motion.velocity_b;
  motion.rate = motion.touch.normal.dot(relative);
  motion.slip = relative - motion.rate * motion.touch.normal;
  if (g.dented_a || g.dented_b) add_dents(model, g, sides, motion);
  return motion;
}

}  // namespace carom::smooth
