#include "carom/mechanics/joint_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// The angle that differs from the given one by whole turns and is nearest to `near`.
double nearest_turn(double angle, double near) {
  return near + std::remainder(angle - near, 2.0 * std::numbers::pi);
}

/// One end of a joint in the world.
struct PlacedEnd {
  Matrix3d rotation;  ///< of its body
  Vector3d lever, point, spin, circling, velocity, centripetal;
  const Matrix3d* frame;  ///< in its body

  PlacedEnd(const JointEnd& end, const Matrix3d& in_body, const BodyState& state, const Matrix3d& of_body)
      : rotation(of_body),
        lever(rotation * end.point),
        point(state.position + lever),
        spin(state.angular_velocity),
        circling(spin.cross(lever)),
        velocity(state.velocity + circling),
        centripetal(spin.cross(circling)),
        frame(&in_body) {}

  [[nodiscard]] Vector3d axis(int k) const { return rotation * frame->col(k); }
};

/// Both ends, and the rows that joints are made of; these are written into rows of zeros.
class PlacedJoint {
 public:
  PlacedJoint(const Joint& joint, const PlacedEnd& a, const PlacedEnd& b)
      : joint_(joint), a_(a), b_(b), apart_(a_.point - b_.point) {}

  /// d along a fixed direction.
  void along(const Vector3d& direction, JointRow& row) const {
    row.sides[0] = {direction, a_.lever.cross(direction)};
    row.sides[1] = {-direction, -b_.lever.cross(direction)};
    row.residual = direction.dot(apart_);
    row.bias = direction.dot(a_.centripetal - b_.centripetal);
  }

  /// d along an axis of b.
  void along_axis(int k, JointRow& row) const {
    const Vector3d axis = b_.axis(k), turning = b_.spin.cross(axis);
    along(axis, row);
    row.sides[1].angular += axis.cross(apart_);
    row.bias += 2.0 * turning.dot(a_.velocity - b_.velocity) + b_.spin.cross(turning).dot(apart_);
  }

  void distance(JointRow& row) const {
    const double length = apart_.norm();
    const Vector3d velocity = a_.velocity - b_.velocity;
    along(length > 0.0 ? Vector3d(apart_.normalized()) : Vector3d(Vector3d::UnitZ()), row);
    row.residual = length - joint_.length;
    const double radial = row.sides[0].linear.dot(velocity);
    if (length > 0.0) row.bias += (velocity.squaredNorm() - radial * radial) / length;
  }

  /// An axis of a stays perpendicular to one of b.
  void perpendicular(int of_a, int of_b, double size, JointRow& row) const {
    const Vector3d f = a_.axis(of_a), p = b_.axis(of_b);
    turning(size * f.cross(p), size * (a_.spin.cross(f).cross(p) + f.cross(b_.spin.cross(p))), row);
    row.residual = size * f.dot(p);
  }

  /// n·(ω_a − ω_b) along a vector that changes at a rate.
  void turning(const Vector3d& direction, const Vector3d& rate, JointRow& row) const {
    row.sides[0].angular = direction;
    row.sides[1].angular = -direction;
    row.bias = rate.dot(a_.spin - b_.spin);
  }

  /// About x_a (the first turn of a universal joint) or z_b.
  void turn(int which, JointRow& row) const {
    const PlacedEnd& turned = joint_.kind == JointKind::universal && which == 0 ? a_ : b_;
    const Vector3d axis = turned.axis(&turned == &a_ ? 0 : 2);
    turning(axis, turned.spin.cross(axis), row);
  }

  /// Frame of b to frame of a: Rz(φ), of a universal joint Rz(φ₂) Rx(φ₁).
  [[nodiscard]] JointTurns turns() const {
    const Matrix3d turn = (b_.rotation * *b_.frame).transpose() * (a_.rotation * *a_.frame);
    if (joint_.kind != JointKind::universal) return {std::atan2(turn(1, 0) - turn(0, 1), turn(0, 0) + turn(1, 1)), 0.0};
    return {std::atan2(turn(2, 1), turn(2, 2)), std::atan2(turn(1, 0), turn(0, 0))};
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

  void coordinate_row(int which, JointRow& row) const {
    if (is_shift(joint_.kind, which)) {
      along_axis(2, row);
    } else {
      turn(turn_of(which), row);
    }
    row.residual = 0.0;
  }

  /// The motor on a coordinate as one more row.
  void motor(int which, const JointStates& states, double size, JointRow& row) const {
    const double scale = is_shift(joint_.kind, which) ? 1.0 : size;
    const Jet wanted = jet_at(*joint_.drives[static_cast<std::size_t>(which)].motor.position, states.time);
    coordinate_row(which, row);
    for (RowSide& side : row.sides) side = {scale * side.linear, scale * side.angular};
    row.residual = scale * (coordinate(which, states.near) - wanted.value);
    row.bias = scale * (row.bias - wanted.acceleration);
    row.drive = -scale * wanted.rate;
    row.motor = true;
  }

 private:
  [[nodiscard]] int turn_of(int which) const { return which - (has_shift(joint_.kind) ? 1 : 0); }

  const Joint& joint_;
  PlacedEnd a_, b_;
  Vector3d apart_;  ///< d
};

/// Of a joint with two ends, whose bodies are the side `first` and the next one.
PlacedJoint placed(const Joint& joint, const std::array<Matrix3d, 2>& frames, const JointStates& states,
                   std::size_t first = 0) {
  return {joint,
          {joint.ends[0], frames[0], *states.sides[first], states.rotation(first)},
          {joint.ends[1], frames[1], *states.sides[first + 1], states.rotation(first + 1)}};
}

}  // namespace

JointRow distance_row(const Joint& rod, const BodyState& first, const BodyState& second) {
  static const std::array<Matrix3d, 2> kAny = {Matrix3d::Identity(), Matrix3d::Identity()};
  JointStates states;
  states.sides = {&first, &second, nullptr, nullptr};
  JointRow row;
  placed(rod, kAny, states).distance(row);
  return row;
}

const BodyState& JointKinematics::ground() {
  static const BodyState kGround;
  return kGround;
}

JointKinematics::JointKinematics(const Model& model) : model_(&model) {
  for (const Joint& joint : model.joints) {
    Prepared& prepared = prepared_.emplace_back();
    prepared.sides = joint.kind == JointKind::gear ? 4 : 2;
    for (std::size_t k = 0; k < 2; ++k) prepared.frames[k] = joint.ends[k].frame.toRotationMatrix();
    for (std::size_t k = 0; k < prepared.sides; ++k) {
      const Joint& turned = joint.kind == JointKind::gear ? model.joints[joint.geared[k / 2]] : joint;
      const BodyIndex body = turned.ends[k % 2].body;
      prepared.bodies[k] = body;
      if (body != kNone) prepared.size = std::max(prepared.size, body_radius(model.bodies[body].parts));
    }
  }
}

void JointKinematics::append_rows(JointIndex index, const JointStates& states, std::vector<JointRow>& rows) const {
  const Joint& joint = model_->joints[index];
  const double size = prepared_[index].size;
  if (joint.kind == JointKind::gear) {
    JointRow& row = rows.emplace_back();
    for (std::size_t k = 0; k < 2; ++k) {
      const JointIndex other = joint.geared[k];
      const PlacedJoint turned = placed(model_->joints[other], prepared_[other].frames, states, 2 * k);
      const double weight = size * (k == 0 ? 1.0 : -joint.ratio);
      JointRow turn;
      turned.turn(0, turn);
      for (std::size_t side = 0; side < 2; ++side) row.sides[2 * k + side].angular = weight * turn.sides[side].angular;
      row.residual += weight * (turned.turns_near({states.near[k], 0.0})[0] - model_->joints[other].start[0]);
      row.bias += weight * turn.bias;
    }
    return;
  }
  const PlacedJoint at = placed(joint, prepared_[index].frames, states);
  if (joint.kind == JointKind::rod) {
    at.distance(rows.emplace_back());
    return;
  }
  if (has_shift(joint.kind)) {
    for (const int k : {0, 1}) at.along_axis(k, rows.emplace_back());
  } else {
    for (const int k : {0, 1, 2}) at.along(Vector3d::Unit(k), rows.emplace_back());
  }
  switch (joint.kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
      for (const int k : {0, 1}) at.perpendicular(2, k, size, rows.emplace_back());
      break;
    case JointKind::universal: at.perpendicular(0, 2, size, rows.emplace_back()); break;
    case JointKind::prismatic:
    case JointKind::fixed:
      for (const int k : {0, 1, 2}) at.perpendicular(k, (k + 1) % 3, size, rows.emplace_back());
      break;
    default: break;
  }
  for (int k = 0; k < coordinate_count(joint.kind); ++k)
    if (joint.drives[static_cast<std::size_t>(k)].motor.position) at.motor(k, states, size, rows.emplace_back());
}

Vector3d JointKinematics::lever(JointIndex index, const JointStates& states) const {
  const Joint& joint = model_->joints[index];
  const Joint& held = joint.kind == JointKind::gear ? model_->joints[joint.geared[0]] : joint;
  return states.rotation(0) * held.ends[0].point;
}

JointTurns JointKinematics::turns(JointIndex index, const JointStates& states) const {
  const Joint& joint = model_->joints[index];
  if (turn_count(joint.kind) == 0) return {};
  return placed(joint, prepared_[index].frames, states).turns_near(states.near);
}

double JointKinematics::coordinate(JointIndex index, int which, const JointStates& states) const {
  return placed(model_->joints[index], prepared_[index].frames, states).coordinate(which, states.near);
}

JointRow JointKinematics::coordinate_row(JointIndex index, int which, const JointStates& states) const {
  JointRow row;
  placed(model_->joints[index], prepared_[index].frames, states).coordinate_row(which, row);
  return row;
}

}  // namespace carom
