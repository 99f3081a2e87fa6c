#include "carom/engine/smooth/body_constraints.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::smooth {

/// The rows of one body; at most two rods or planes and a rolling contact make sense.
class ConstraintRows {
 public:
  struct Row {
    Vector3d linear, angular;
    double target;
  };
  static constexpr int kMost = 8;
  void add(const Vector3d& linear, const Vector3d& angular, double target) {
    if (count_ == kMost) return;
    Row& row = rows_[static_cast<std::size_t>(count_++)];
    row.linear = linear;
    row.angular = angular;
    row.target = target;
  }
  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] const Row& operator[](int i) const { return rows_[static_cast<std::size_t>(i)]; }

 private:
  std::array<Row, kMost> rows_;
  int count_ = 0;
};

namespace {

/// M⁻¹ applied to a torque.
Vector3d turned_by(const BodyInfo& info, const Quaterniond& attitude, const Vector3d& torque) {
  if (info.round) return torque / info.inertia[0];
  const Quaterniond principal = attitude * info.principal_axes;
  return principal * Vector3d((principal.conjugate() * torque).cwiseQuotient(info.inertia));
}

/// Makes J u = target by the smallest change in the kinetic metric. Rows that depend on earlier ones are left out.
/// `attitude`: null where the angular velocity cannot change.
void enforce(const ConstraintRows& rows, const BodyInfo& info, const Quaterniond* attitude, Vector3d& linear,
             Vector3d& angular) {
  const bool spins = attitude != nullptr;
  const int n = rows.size();
  Vector3d answer[ConstraintRows::kMost];
  double matrix[ConstraintRows::kMost][ConstraintRows::kMost];
  double right[ConstraintRows::kMost];
  for (int i = 0; i < n; ++i) {
    if (spins) answer[i] = turned_by(info, *attitude, rows[i].angular);
    right[i] = rows[i].target - rows[i].linear.dot(linear) - (spins ? rows[i].angular.dot(angular) : 0.0);
    for (int j = 0; j <= i; ++j) {
      matrix[i][j] = info.inverse_mass * rows[i].linear.dot(rows[j].linear);
      if (spins) matrix[i][j] += rows[j].angular.dot(answer[i]);
    }
  }
  // Cholesky, forward, backward.
  bool used[ConstraintRows::kMost];
  for (int j = 0; j < n; ++j) {
    const double diagonal = matrix[j][j];
    double pivot = diagonal;
    for (int k = 0; k < j; ++k)
      if (used[k]) pivot -= matrix[j][k] * matrix[j][k];
    used[j] = pivot > 1e-12 * diagonal && diagonal > 0.0;
    if (!used[j]) continue;
    matrix[j][j] = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double sum = matrix[i][j];
      for (int k = 0; k < j; ++k)
        if (used[k]) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = sum / matrix[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    if (!used[i]) continue;
    for (int k = 0; k < i; ++k)
      if (used[k]) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    if (!used[i]) continue;
    for (int k = i + 1; k < n; ++k)
      if (used[k]) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
    linear += (info.inverse_mass * right[i]) * rows[i].linear;
    if (spins) angular += right[i] * answer[i];
  }
}

std::array<Vector3d, 2> across(const Vector3d& normal) {
  const Vector3d first = normal.unitOrthogonal();
  return {first, normal.cross(first)};
}

}  // namespace

BodyConstraints::BodyConstraints(const Environment& environment, BodyIndex body, const BodyState& state, double time)
    : environment_(&environment), body_(body) {
  int planes = 0;
  for (const ConstraintIndex index : environment.body(body).constraints) {
    const Constraint& constraint = environment.model().constraints[index];
    if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      if (planes < 2) plane_offset_[planes++] = planar->normal.dot(state.position);
    } else if (const auto* const rolling = std::get_if<RollingConstraint>(&constraint)) {
      const ObstacleState plane = plane_of(*rolling, time);
      rolling_height_ = half_space_normal(plane.place).dot(state.position - plane.place.position);
    }
  }
}

bool BodyConstraints::needs_projection() const {
  const BodyInfo& info = environment_->body(body_);
  return std::any_of(info.constraints.begin(), info.constraints.end(), [&](ConstraintIndex index) {
    return !info.round || !std::holds_alternative<PlanarConstraint>(environment_->model().constraints[index]);
  });
}

ObstacleState BodyConstraints::plane_of(const RollingConstraint& rolling, double time) const {
  return environment_->obstacle(environment_->body_count() + rolling.plane, time);
}

BodyConstraints::RollingTargets BodyConstraints::rolling_targets(const RollingConstraint& rolling,
                                                                 const BodyMotion& motion, double time) const {
  const ObstacleState plane = plane_of(rolling, time);
  const Vector3d n = half_space_normal(plane.place);
  const double radius = n.dot(motion.position - plane.place.position);
  const Vector3d arm = -radius * n;
  const Vector3d point = motion.position + arm;
  Vector3d acceleration = plane.angular_velocity.cross(motion.velocity - plane.velocity);
  acceleration += plane.acceleration + plane.angular_acceleration.cross(point - plane.place.position);
  return {n, arm, plane.velocity_of(point), acceleration};
}

/// The rows of all constraints: for accelerations (with the method's feedback), or for velocities.
template <bool velocities>
void BodyConstraints::write_rows(const BodyMotion& motion, double time, ConstraintRows& rows) const {
  const SmoothOptions& options = environment_->options();
  const bool feedback = options.constraints == ConstraintMethod::baumgarte && !velocities;
  const double rate = options.baumgarte_rate;
  for (const ConstraintIndex index : environment_->body(body_).constraints) {
    const Constraint& constraint = environment_->model().constraints[index];
    if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
      const Vector3d arm = motion.position - rod->pivot;
      const double length = arm.norm();
      if (length == 0.0) continue;
      const Vector3d n = arm / length;
      const double speed = n.dot(motion.velocity);
      double target = 0.0;
      if (!velocities) target = -(motion.velocity.squaredNorm() - speed * speed) / length;
      if (feedback) target -= 2.0 * rate * speed + rate * rate * (length - rod->length);
      rows.add(n, Vector3d::Zero(), target);
    } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      rows.add(planar->normal, Vector3d::Zero(), 0.0);
      for (const Vector3d& direction : across(planar->normal)) rows.add(Vector3d::Zero(), direction, 0.0);
    } else {
      const RollingTargets rolling = rolling_targets(std::get<RollingConstraint>(constraint), motion, time);
      const Vector3d& target = velocities ? rolling.velocity : rolling.acceleration;
      const Vector3d& n = rolling.normal;
      const auto tangents = across(n);
      for (const Vector3d& direction : {n, tangents[0], tangents[1]})
        rows.add(direction, rolling.arm.cross(direction), direction.dot(target));
    }
  }
}

void BodyConstraints::constrain(const BodyMotion& motion, double time, bool spins, Vector3d& linear,
                                Vector3d& angular) const {
  ConstraintRows rows;
  write_rows<false>(motion, time, rows);
  enforce(rows, environment_->body(body_), spins ? &motion.attitude : nullptr, linear, angular);
}

double BodyConstraints::drift(const Vector3d& position, double time) const {
  const BodyInfo& info = environment_->body(body_);
  double largest = 0.0;
  int planes = 0;
  for (const ConstraintIndex index : info.constraints) {
    const Constraint& constraint = environment_->model().constraints[index];
    double off = 0.0;
    if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
      off = ((position - rod->pivot).norm() - rod->length) / rod->length;
    } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      if (planes < 2) off = (planar->normal.dot(position) - plane_offset_[planes++]) / info.size;
    } else {
      const ObstacleState plane = plane_of(std::get<RollingConstraint>(constraint), time);
      off = (half_space_normal(plane.place).dot(position - plane.place.position) - rolling_height_) / info.size;
    }
    largest = std::max(largest, std::abs(off));
  }
  return largest;
}

std::vector<int> BodyConstraints::row_counts() const {
  std::vector<int> counts;
  for (const ConstraintIndex index : environment_->body(body_).constraints)
    counts.push_back(std::holds_alternative<RodConstraint>(environment_->model().constraints[index]) ? 1 : 3);
  return counts;
}

void BodyConstraints::append_rows(const BodyState& state, double time, std::vector<JointRow>& rows) const {
  const BodyMotion motion{state.position,    state.velocity,   state.angular_velocity,
                          state.orientation, Vector3d::Zero(), Vector3d::Zero()};
  int planes = 0;
  for (const ConstraintIndex index : environment_->body(body_).constraints) {
    const Constraint& constraint = environment_->model().constraints[index];
    if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
      Joint joint;
      joint.kind = JointKind::rod;
      joint.ends[1].point = rod->pivot;
      joint.length = rod->length;
      rows.push_back(distance_row(joint, state, BodyState{}));
    } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      JointRow& out = rows.emplace_back();
      out.sides[0].linear = planar->normal;
      if (planes < 2) out.residual = planar->normal.dot(state.position) - plane_offset_[planes++];
      for (const Vector3d& direction : across(planar->normal)) rows.emplace_back().sides[0].angular = direction;
    } else {
      const RollingTargets rolling = rolling_targets(std::get<RollingConstraint>(constraint), motion, time);
      const auto tangents = across(rolling.normal);
      for (const Vector3d& direction : {rolling.normal, tangents[0], tangents[1]}) {
        JointRow& row = rows.emplace_back();
        row.sides[0] = {direction, rolling.arm.cross(direction)};
        row.bias = -direction.dot(rolling.acceleration);
        row.drive = -direction.dot(rolling.velocity);
      }
      rows[rows.size() - 3].residual = rolling.arm.norm() - rolling_height_;
    }
  }
}

void BodyConstraints::project(BodyMotion& motion, double time, bool spins) const {
  const BodyInfo& info = environment_->body(body_);
  int planes = 0;
  for (const ConstraintIndex index : info.constraints) {
    const Constraint& constraint = environment_->model().constraints[index];
    if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
      const Vector3d arm = motion.position - rod->pivot;
      motion.position = rod->pivot + (rod->length / arm.norm()) * arm;
    } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      if (planes < 2)
        motion.position += (plane_offset_[planes++] - planar->normal.dot(motion.position)) * planar->normal;
    } else {
      const ObstacleState plane = plane_of(std::get<RollingConstraint>(constraint), time);
      const Vector3d n = half_space_normal(plane.place);
      motion.position += (rolling_height_ - n.dot(motion.position - plane.place.position)) * n;
    }
  }
  ConstraintRows rows;
  write_rows<true>(motion, time, rows);
  enforce(rows, info, spins ? &motion.attitude : nullptr, motion.velocity, motion.spin);
}

}  // namespace carom::smooth
