#include "carom/engine/smooth/other_forces.h"

#include <algorithm>

namespace carom::smooth {

void OtherForces::begin(const Indexed<SlotIndex, BodyIndex>& bodies) {
  springs_.clear();
  loads_.clear();
  const auto slot_of = [&bodies](BodyIndex body) {
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    return found == bodies.end() ? SlotIndex(kNone) : SlotIndex(static_cast<int>(found - bodies.begin()));
  };
  for (const SlotIndex slot : bodies.indices()) {
    const BodyInfo& info = environment_->body(bodies[slot]);
    for (const LoadIndex load : info.loads) loads_.push_back({slot, load});
    for (const SpringIndex index : info.springs) {
      const Spring& spring = environment_->model().springs[index];
      if (spring.body_a != bodies[slot]) continue;
      const bool central = spring.point_a.isZero(0.0) && spring.body_b != kNone && spring.point_b.isZero(0.0);
      springs_.push_back({index, slot, spring.body_b == kNone ? SlotIndex(kNone) : slot_of(spring.body_b), central});
    }
  }
}

double OtherForces::add_springs(Indexed<SlotIndex, BodyMotion>& bodies) const {
  double damping_power = 0.0;
  for (const SpringEnds& ends : springs_) {
    const Spring& spring = environment_->model().springs[ends.spring];
    BodyMotion& a = bodies[ends.slot_a];
    BodyMotion* const b = ends.slot_b == kNone ? nullptr : &bodies[ends.slot_b];
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

OtherPowers OtherForces::add(Indexed<SlotIndex, BodyMotion>& bodies) const {
  OtherPowers powers;
  if (!springs_.empty()) powers.damping = add_springs(bodies);
  for (const LoadOn& on : loads_) {
    BodyMotion& motion = bodies[on.slot];
    const Load& load = environment_->model().loads[on.load];
    motion.force -= load.damping * motion.velocity;
    motion.torque += load.torque - load.angular_damping * motion.spin;
    powers.damping += load.damping * motion.velocity.squaredNorm() + load.angular_damping * motion.spin.squaredNorm();
    powers.torque += load.torque.dot(motion.spin);
  }
  return powers;
}

}  // namespace carom::smooth
