#include "carom/analysis/sweep/run_moment.h"

#include <limits>
#include <string_view>

#include "carom/record/record_layout.h"

namespace carom::sweep {

RecordInfo record_info(const Model& model) {
  RecordInfo info;
  info.bodies = model.bodies.size();
  for (const Body& body : model.bodies) info.objects.push_back(body.name);
  for (const Obstacle& obstacle : model.obstacles) info.objects.push_back(obstacle.name);
  for (const Joint& joint : model.joints) {
    info.joints.push_back(joint.name);
    info.joint_kinds.emplace_back(joint_kind_name(joint.kind));
  }
  return info;
}

Eigen::Vector3d RunMoment::acceleration(int /*body*/) const {
  return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

Eigen::Vector3d RunMoment::joint_vector(const char* path, int joint) const {
  const JointLoad load = state_.joint_loads.empty() ? JointLoad::unknown() : state_.joint_loads[joint];
  return std::string_view(path) == kJointForce ? load.force : load.couple;
}

const JointKinematics& RunMoment::joints() const {
  if (!joints_) joints_.emplace(*model());
  return *joints_;
}

JointTurns RunMoment::turns_near(JointIndex joint) const {
  return state_.turns.empty() ? model()->joints[joint].start : state_.turns[joint];
}

}  // namespace carom::sweep
