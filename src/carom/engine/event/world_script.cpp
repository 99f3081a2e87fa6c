/// What the script of a model asks of the world: joints that change on the way, and numbers of states to come.

#include <algorithm>

#include "carom/contact/driven_path.h"
#include "carom/engine/event/world.h"

namespace carom::event {

using contact::Turning;

void World::change_joints(std::shared_ptr<const Model> model) {
  model_ = std::move(model);
  meeting_ = MeetingRules(*model_);
  joints_ = JointKinematics(*model_);
  for (const JointIndex joint : model_->joints.indices()) {
    if (!model_->joints[joint].released) continue;
    limits_[joint].clear();
    for (const BodyIndex body : joints_.bodies(joint)) {
      if (body == kNone) continue;
      Object& o = objects_[body];
      std::erase(o.joints, joint);
      const bool loaded = std::any_of(o.loads.begin(), o.loads.end(), [&](LoadIndex index) {
        const Load& load = model_->loads[index];
        return load.damping > 0.0 || load.angular_damping > 0.0 || !load.torque.isZero(0.0);
      });
      const bool on_rod = std::any_of(o.constraints.begin(), o.constraints.end(), [&](ConstraintIndex index) {
        return std::holds_alternative<RodConstraint>(model_->constraints[index]);
      });
      o.integrated = loaded || on_rod || !o.springs.empty() || !o.joints.empty();
    }
  }
}

double World::level_after(const Level& level, double tau) const {
  return ask(&value_of, level, tau);
}

double World::level_roundoff(const Level& level) const {
  return ask(&roundoff_of, level, 0.0);
}

double World::ask(LevelQuestion question, const Level& level, double tau) const {
  Indexed<BodyIndex, BodyState> states;
  states.resize(model_->bodies.size());
  for (const std::optional<StateQuantity>& quantity : {std::optional(level.first), level.second}) {
    if (!quantity) continue;
    for (const BodyIndex body : bodies_of(*model_, *quantity)) {
      const Motion& motion = objects_[body].motion;
      states[body] = tau == 0.0 && state_instant_[body] == instant_ ? states_[body]
                                                                    : motion.after(motion.since(time_, carry_) + tau);
    }
  }
  StateView view;
  view.time = time_ + tau;
  view.state_of = [&](BodyIndex body) -> const BodyState& { return states[body]; };
  view.turns_of = [&](JointIndex joint) -> const JointTurns& { return turns_[joint]; };
  return question(level, joints_, view);
}

contact::GapSample World::distance_after(ObjectIndex a, ObjectIndex b, double tau) const {
  const auto state_of = [&](ObjectIndex object) {
    const Motion& motion = objects_[object].motion;
    if (motion.turning == Turning::driven)
      return contact::DrivenPath(model_->obstacle(object), time_ + tau, carry_).after(0.0);
    return motion.after(motion.since(time_, carry_) + tau);
  };
  const BodyState first = state_of(a), second = state_of(b);
  const Proximity near = proximity(model_->parts(a), first.pose(), model_->parts(b), second.pose());
  return {near.distance, near.normal.dot(contact::point_velocity(first, near.point_a) -
                                         contact::point_velocity(second, near.point_b))};
}

}  // namespace carom::event
