#include "carom/mechanics/joint_rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The angle that differs from the given one by whole turns and is nearest to `near`.
double nearest_turn(double angle, double near) {
  return near + std::remainder(angle - near, 2.0 * std::numbers::pi);
}

/// One end of a joint in the world.
struct PlacedEnd {
  Vector3d lever, point, velocity, centripetal, spin;
  Quaterniond frame;
  Eigen::Matrix3d axes;  ///< of the frame

  PlacedEnd(const JointEnd& end, const BodyState& state)
      : lever(state.orientation * end.point),
        point(state.position + lever),
        velocity(state.velocity + state.angular_velocity.cross(lever)),
        centripetal(state.angular_velocity.cross(state.angular_velocity.cross(lever))),
        spin(state.angular_velocity),
        frame(state.orientation * end.frame),
        axes(frame.toRotationMatrix()) {}

  [[nodiscard]] Vector3d axis(int k) const { return axes.col(k); }
};

/// Both ends, and the rows that joints are made of.
class PlacedJoint {
 public:
  PlacedJoint(const Joint& joint, const BodyState& first, const BodyState& second)
      : joint_(joint), a_(joint.ends[0], first), b_(joint.ends[1], second), apart_(a_.point - b_.point) {}

  /// d along a fixed direction.
  [[nodiscard]] JointRow along(const Vector3d& direction) const {
    JointRow row;
    row.sides[0] = {direction, a_.lever.cross(direction)};
    row.sides[1] = {-direction, -b_.lever.cross(direction)};
    row.residual = direction.dot(apart_);
    row.bias = direction.dot(a_.centripetal - b_.centripetal);
    return row;
  }

  /// d along an axis of b.
  [[nodiscard]] JointRow along_axis(int k) const {
    const Vector3d axis = b_.axis(k), turning = b_.spin.cross(axis);
    JointRow row = along(axis);
    row.sides[1].angular += axis.cross(apart_);
    row.bias += 2.0 * turning.dot(a_.velocity - b_.velocity) + b_.spin.cross(turning).dot(apart_);
    return row;
  }

  [[nodiscard]] JointRow distance() const {
    const double length = apart_.norm();
    const Vector3d velocity = a_.velocity - b_.velocity;
    JointRow row = along(length > 0.0 ? Vector3d(apart_.normalized()) : Vector3d(Vector3d::UnitZ()));
    row.residual = length - joint_.length;
    const double radial = row.sides[0].linear.dot(velocity);
    if (length > 0.0) row.bias += (velocity.squaredNorm() - radial * radial) / length;
    return row;
  }

  /// An axis of a stays perpendicular to one of b.
  [[nodiscard]] JointRow perpendicular(int of_a, int of_b, double size) const {
    const Vector3d f = a_.axis(of_a), p = b_.axis(of_b);
    JointRow row = turning(size * f.cross(p), size * (a_.spin.cross(f).cross(p) + f.cross(b_.spin.cross(p))));
    row.residual = size * f.dot(p);
    return row;
  }

  /// n·(ω_a − ω_b) along a vector that changes at a rate.
  [[nodiscard]] JointRow turning(const Vector3d& direction, const Vector3d& rate) const {
    JointRow row;
    row.sides[0].angular = direction;
    row.sides[1].angular = -direction;
    row.bias = rate.dot(a_.spin - b_.spin);
    return row;
  }

  /// About x_a (the first turn of a universal joint) or z_b.
  [[nodiscard]] JointRow turn(int which) const {
    if (joint_.kind == JointKind::universal && which == 0) {
      const Vector3d axis = a_.axis(0);
      return turning(axis, a_.spin.cross(axis));
    }
    const Vector3d axis = b_.axis(2);
    return turning(axis, b_.spin.cross(axis));
  }

  /// Frame of b to frame of a: Rz(φ), of a universal joint Rz(φ₂) Rx(φ₁).
  [[nodiscard]] JointTurns turns() const {
    const Quaterniond turn = b_.frame.conjugate() * a_.frame;
    if (joint_.kind != JointKind::universal) return {2.0 * std::atan2(turn.z(), turn.w()), 0.0};
    const Eigen::Matrix3d matrix = turn.toRotationMatrix();
    return {std::atan2(matrix(2, 1), matrix(2, 2)), std::atan2(matrix(1, 0), matrix(0, 0))};
  }

  [[nodiscard]] JointTurns turns_near(const JointTurns& near) const {
    JointTurns all = turns();
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = nearest_turn(all[k], near[k]);
    return all;
  }

  [[nodiscard]] double coordinate(int which, const JointTurns& near) const {
    if (is_shift(joint_.kind, which)) return joint_.shift + b_.axis(2).dot(apart_);
    return turns_near(near)[static_cast<std::size_t>(turn_of(which))];
  }

  [[nodiscard]] JointRow coordinate_row(int which) const {
    JointRow row = is_shift(joint_.kind, which) ? along_axis(2) : turn(turn_of(which));
    row.residual = 0.0;
    return row;
  }

  /// The motor on a coordinate as one more row.
  [[nodiscard]] JointRow motor(int which, const JointStates& states, double size) const {
    const double scale = is_shift(joint_.kind, which) ? 1.0 : size;
    const Jet wanted = jet_at(*joint_.drives[static_cast<std::size_t>(which)].motor.position, states.time);
    JointRow row = coordinate_row(which);
    for (RowSide& side : row.sides) side = {scale * side.linear, scale * side.angular};
    row.residual = scale * (coordinate(which, states.near) - wanted.value);
    row.bias = scale * (row.bias - wanted.acceleration);
    row.drive = -scale * wanted.rate;
    row.motor = true;
    return row;
  }

 private:
  [[nodiscard]] int turn_of(int which) const { return which - (has_shift(joint_.kind) ? 1 : 0); }

  const Joint& joint_;
  PlacedEnd a_, b_;
  Vector3d apart_;  ///< d
};

PlacedJoint placed(const Joint& joint, const JointStates& states, std::size_t first = 0) {
  return {joint, *states.sides[first], *states.sides[first + 1]};
}

}  // namespace

JointRow distance_row(const Joint& rod, const BodyState& first, const BodyState& second) {
  return PlacedJoint(rod, first, second).distance();
}

const BodyState& JointKinematics::ground() {
  static const BodyState kGround;
  return kGround;
}

JointKinematics::JointKinematics(const Model& model) : model_(&model) {
  for (const Joint& joint : model.joints) {
    Prepared& prepared = prepared_.emplace_back();
    prepared.sides = joint.kind == JointKind::gear ? 4 : 2;
    for (std::size_t k = 0; k < prepared.sides; ++k) {
      const Joint& turned = joint.kind == JointKind::gear ? model.joints[joint.geared[k / 2]] : joint;
      const BodyIndex body = turned.ends[k % 2].body;
      prepared.bodies[k] = body;
      if (body != kNone) prepared.size = std::max(prepared.size, bounding_radius(model.bodies[body].parts));
    }
  }
}

void JointKinematics::append_rows(JointIndex index, const JointStates& states, std::vector<JointRow>& rows) const {
  const Joint& joint = model_->joints[index];
  const double size = prepared_[index].size;
  if (joint.kind == JointKind::gear) {
    JointRow row;
    for (std::size_t k = 0; k < 2; ++k) {
      const PlacedJoint turned = placed(model_->joints[joint.geared[k]], states, 2 * k);
      const Joint& other = model_->joints[joint.geared[k]];
      const double weight = size * (k == 0 ? 1.0 : -joint.ratio);
      const JointRow turn = turned.turn(0);
      for (std::size_t side = 0; side < 2; ++side) row.sides[2 * k + side].angular = weight * turn.sides[side].angular;
      row.residual += weight * (turned.turns_near({states.near[k], 0.0})[0] - other.start[0]);
      row.bias += weight * turn.bias;
    }
    rows.push_back(row);
    return;
  }
  const PlacedJoint at = placed(joint, states);
  if (joint.kind == JointKind::rod) {
    rows.push_back(at.distance());
    return;
  }
  if (has_shift(joint.kind)) {
    for (const int k : {0, 1}) rows.push_back(at.along_axis(k));
  } else {
    for (const int k : {0, 1, 2}) rows.push_back(at.along(Vector3d::Unit(k)));
  }
  switch (joint.kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
      for (const int k : {0, 1}) rows.push_back(at.perpendicular(2, k, size));
      break;
    case JointKind::universal: rows.push_back(at.perpendicular(0, 2, size)); break;
    case JointKind::prismatic:
    case JointKind::fixed:
      for (const int k : {0, 1, 2}) rows.push_back(at.perpendicular(k, (k + 1) % 3, size));
      break;
    default: break;
  }
  for (int k = 0; k < coordinate_count(joint.kind); ++k)
    if (joint.drives[static_cast<std::size_t>(k)].motor.position) rows.push_back(at.motor(k, states, size));
}

Vector3d JointKinematics::lever(JointIndex index, const JointStates& states) const {
  const Joint& joint = model_->joints[index];
  const Joint& held = joint.kind == JointKind::gear ? model_->joints[joint.geared[0]] : joint;
  return states.sides[0]->orientation * held.ends[0].point;
}

JointTurns JointKinematics::turns(JointIndex index, const JointStates& states) const {
  const Joint& joint = model_->joints[index];
  return turn_count(joint.kind) > 0 ? placed(joint, states).turns_near(states.near) : JointTurns{};
}

double JointKinematics::coordinate(JointIndex index, int which, const JointStates& states) const {
  return placed(model_->joints[index], states).coordinate(which, states.near);
}

JointRow JointKinematics::coordinate_row(JointIndex index, int which, const JointStates& states) const {
  return placed(model_->joints[index], states).coordinate_row(which);
}

}  // namespace carom
