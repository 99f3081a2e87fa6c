#include "soak/record/recorded_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::soak {

namespace {

using Eigen::Vector3d;

const BodySample& ground() {
  static const BodySample kGround{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Eigen::Quaterniond::Identity()};
  return kGround;
}

bool turns(const std::string& kind) {
  return kind == "revolute" || kind == "cylindrical";
}

/// Of a rotation by less than half a turn.
Vector3d rotation_vector(const Eigen::Quaterniond& turn) {
  return (turn.w() < 0.0 ? -2.0 : 2.0) * turn.vec();
}

}  // namespace

RecordedJoints::Ends RecordedJoints::ends(const RecordedJoint& joint) const {
  Ends found;
  std::array<Vector3d, 2> points;
  std::array<const BodySample*, 2> at{};
  for (std::size_t k = 0; k < 2; ++k) {
    at[k] = joint.bodies[k] ? &sample_[static_cast<std::size_t>(*joint.bodies[k])] : &ground();
    points[k] = at[k]->position + at[k]->orientation * joint.points[k];
    found.axes[k] = at[k]->orientation * joint.axes[k];
  }
  found.apart = points[0] - points[1];
  found.turn = (at[1]->orientation * joint.frames[1]).conjugate() * (at[0]->orientation * joint.frames[0]);
  found.angular_velocity = at[0]->angular_velocity - at[1]->angular_velocity;
  return found;
}

void RecordedJoints::move_to(double time, const std::vector<BodySample>& sample) {
  const double passed = time - time_;
  time_ = time;
  sample_ = sample;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!turns(joints_[j].kind)) continue;
    const Ends now = ends(joints_[j]);
    // The axis is z of both frames.
    const double angle = 2.0 * std::atan2(now.turn.z(), now.turn.w()), rate = now.axes[1].dot(now.angular_velocity);
    const double expected = turns_[j].angle + 0.5 * passed * (turns_[j].rate + rate);
    turns_[j] = {expected + std::remainder(angle - expected, 2.0 * std::numbers::pi), rate};
  }
}

double RecordedJoints::error(std::size_t index, double size) const {
  const RecordedJoint& joint = joints_[index];
  if (joint.kind == "gear") {
    const auto turn = [&](int k) {
      return turns_[static_cast<std::size_t>(joint.geared[static_cast<std::size_t>(k)])];
    };
    return std::abs(turn(0).angle - joint.ratio * turn(1).angle);
  }
  const Ends now = ends(joint);
  const Vector3d along = now.axes[1] * now.axes[1].dot(now.apart);
  const bool slides = joint.kind == "prismatic" || joint.kind == "cylindrical";
  double apart = (slides ? Vector3d(now.apart - along) : now.apart).norm() / size;
  if (joint.kind == "rod") apart = std::abs(now.apart.norm() - joint.length) / size;
  double turned = 0.0;
  if (turns(joint.kind)) turned = now.axes[0].cross(now.axes[1]).norm();
  if (joint.kind == "universal") turned = std::abs(now.axes[0].dot(now.axes[1]));
  if (joint.kind == "prismatic" || joint.kind == "fixed") turned = rotation_vector(now.turn).norm();
  return std::max(apart, turned);
}

RecordedJoints::Error RecordedJoints::largest_error(double size) const {
  Error worst;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (const double one = error(j, size); !(one <= worst.relative)) worst = {one, joints_[j].name};
  return worst;
}

double RecordedJoints::energy() const {
  double sum = 0.0;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].stiffness == 0.0) continue;
    double coordinate = turns_[j].angle;
    if (joints_[j].kind == "prismatic") {
      const Ends now = ends(joints_[j]);
      coordinate = now.axes[1].dot(now.apart);
    }
    sum += 0.5 * joints_[j].stiffness * coordinate * coordinate;
  }
  return sum;
}

}  // namespace carom::soak
