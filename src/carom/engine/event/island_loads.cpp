/// What joints bear between impacts.
///
/// Once the forces λ and τ of contacts are known those of joints follow: their rows hold under all other forces,
///   A G⁻¹Aᵀ κ = −(A G⁻¹(f + Nᵀλ + Tᵀτ) + bias),
/// which moves the bodies as the whole problem does. Where κ is not unique the least is looked for among the forces of
/// joints and constraints, those of contacts being what ContactDynamics says (joint_system.h).

#include <algorithm>
#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_state.h"

namespace carom::event {

namespace {

/// A contact that pushes with less than this part of the largest force does not.
constexpr double kIdle = 1e-9;

}  // namespace

/// Adds to acceleration_, that of free bodies, what contacts and planes that bodies roll on do; false where that is not
/// known.
bool IslandDynamics::add_contact_accelerations(const Island& island, double time, const double* y) {
  const AccelerationStatus status = solve_unilateral(island, time, y);
  if (status != AccelerationStatus::solved && status != AccelerationStatus::inconsistent) return false;
  std::vector<double> pushed(force_.size(), 0.0), column(force_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (!row.touching) continue;
    std::fill(column.begin(), column.end(), 0.0);
    row.add_to(column.data(), 1.0);
    if (row.owner >= 0 && row.normal) add_resistance(r, column.data());
    for (std::size_t k = 0; k < pushed.size(); ++k) pushed[k] += answer_force_[r] * column[k];
  }
  for (std::size_t k = 0; k < pushed.size(); ++k) acceleration_[k] += inverse_mass_[k] * pushed[k];
  return true;
}

/// Each row by itself, but friction of sliding contacts with what presses them.
std::vector<HeldIsland::ContactPush> IslandDynamics::contact_pushes() const {
  std::vector<HeldIsland::ContactPush> pushes;
  double largest = 0.0, pressed = 0.0;
  for (const double force : answer_force_) largest = std::max(largest, std::abs(force));
  std::size_t normal = 0;  // the push of the last normal row
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (!row.touching) continue;
    if (row.owner >= 0 && !row.normal && !row.equation) {
      if (pressed > 0.0) row.add_to(pushes[normal].load.data(), answer_force_[r] / pressed);
      continue;
    }
    const bool one_sided = row.owner >= 0 && row.normal;
    HeldIsland::ContactPush& push = pushes.emplace_back();
    push.load.assign(force_.size(), 0.0);
    push.idle = one_sided && !(answer_force_[r] > kIdle * largest);
    row.add_to(push.load.data(), 1.0);
    if (!one_sided) continue;
    add_resistance(r, push.load.data());
    normal = pushes.size() - 1;
    pressed = push.idle ? 0.0 : answer_force_[r];
  }
  return pushes;
}

void IslandDynamics::write_joint_loads(const Island& island, double time, const double* y,
                                       Indexed<JointIndex, JointLoad>& loads) {
  build_forces(island, y);
  acceleration_.resize(force_.size());
  for (std::size_t k = 0; k < force_.size(); ++k) acceleration_[k] = force_[k] * inverse_mass_[k];
  const bool touches = !island.contacts.empty() || island.rolls;
  const bool known = !touches || add_contact_accelerations(island, time, y);
  for (const JointIndex joint : island.joints) loads[joint] = known ? JointLoad{} : JointLoad::unknown();
  if (!known) return;
  held_.prepare(island, y);
  (void)held_.hold(time, y, acceleration_);
  held_.add_loads(time, loads);
  if (touches) held_.mark_shared_with(contact_pushes(), loads);
  held_.release();
  read_members(island, y);
  for (const JointPush& push : pushes_) {
    const Vector3d lever = joints_.lever(push.joint, joint_states(island, push.joint, time));
    loads[push.joint].force += push.load.linear;
    loads[push.joint].couple += push.load.angular - lever.cross(push.load.linear);
  }
}

double IslandDynamics::potential(const Island& island, double time, const double* y) {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < island.bodies.size(); ++slot)
    sum -= model_->bodies[island.bodies[slot]].mass *
           model_->gravity.dot(position_of(y + kPerBody * static_cast<int>(slot)));
  for (const LoadIndex index : island.loads) {
    const Load& load = model_->loads[index];
    sum -= load.force.dot(position_of(y + kPerBody * island.slot(load.body)));
  }
  for (const SpringIndex index : island.springs) {
    const Spring& spring = model_->springs[index];
    const Vector3d from = object_state(island, spring.body_a, time, y).pose().to_world(spring.point_a);
    const Vector3d to = spring.body_b == kNone
                            ? spring.point_b
                            : object_state(island, spring.body_b, time, y).pose().to_world(spring.point_b);
    const double longer = (from - to).norm() - spring.rest_length;
    sum += 0.5 * spring.stiffness * longer * longer;
  }
  if (!island.pushed) return sum;
  read_members(island, y);
  for (const JointIndex index : island.joints) {
    const Joint& joint = model_->joints[index];
    for (int k = 0; k < coordinate_count(joint.kind); ++k) {
      const JointSpring& spring = joint.drives[static_cast<std::size_t>(k)].spring;
      if (spring.stiffness == 0.0) continue;
      const double away = joints_.coordinate(index, k, joint_states(island, index, time)) - spring.rest;
      sum += 0.5 * spring.stiffness * away * away;
    }
  }
  return sum;
}

std::optional<VelocityCorrection> IslandDynamics::hold_velocities(const Island& island, double time, double* y,
                                                                  Indexed<JointIndex, JointLoad>& impulses) {
  std::vector<double> state(y, y + island.size());
  answer_force_.clear();
  const std::optional<VelocityCorrection> correction = project_velocities(island, time, y, 0);
  if (!correction || island.joints.empty()) return correction;
  if (!HeldIsland::fits(island)) {
    if (answer_force_.empty()) return correction;  // nothing had to be held
    // What the planes that bodies roll on do comes first; the rest is left to the joints.
    std::vector<double> pushed(mass_.size(), 0.0), velocity = velocity_;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (rows_[r].touching) rows_[r].add_to(pushed.data(), answer_force_[r]);
    for (std::size_t k = 0; k < pushed.size(); ++k) velocity[k] += inverse_mass_[k] * pushed[k];
    write_velocities(velocity, state.data());
  }
  held_.prepare(island, state.data());
  (void)held_.put_velocities(time, state.data());
  held_.add_loads(time, impulses);
  held_.release();
  return correction;
}

}  // namespace carom::event
