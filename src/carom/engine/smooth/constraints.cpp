/// How a cluster keeps rods, rolling and planar motion. Every constraint holds one body, so each body has a small
/// system of its own: J M⁻¹ Jᵀ λ = target − J u, u ← u + M⁻¹ Jᵀ λ, for accelerations and for velocities alike.

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/engine/smooth/cluster.h"

namespace carom::smooth {

namespace {

struct Row {
  Vector3d linear, angular;
  double target;
};

/// The rows of one body; at most two rods or planes and a rolling contact make sense.
class Rows {
 public:
  static constexpr int kMost = 8;
  void add(const Row& row) {
    if (count_ < kMost) rows_[static_cast<std::size_t>(count_++)] = row;
  }
  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] const Row& operator[](int i) const { return rows_[static_cast<std::size_t>(i)]; }

 private:
  std::array<Row, kMost> rows_;
  int count_ = 0;
};

/// M⁻¹ applied to a torque.
Vector3d turned_by(const BodyInfo& info, const Quaterniond& attitude, const Vector3d& torque) {
  if (info.round) return torque / info.inertia[0];
  const Quaterniond principal = attitude * info.principal_axes;
  return principal * Vector3d((principal.conjugate() * torque).cwiseQuotient(info.inertia));
}

/// Makes J u = target by the smallest change in the kinetic metric. Rows that depend on earlier ones are left out.
void enforce(const Rows& rows, const BodyInfo& info, const Quaterniond& attitude, bool spins, Vector3d& linear,
             Vector3d& angular) {
  const int n = rows.size();
  Vector3d answer[Rows::kMost];
  double matrix[Rows::kMost][Rows::kMost];
  double right[Rows::kMost];
  for (int i = 0; i < n; ++i) {
    answer[i] = spins ? turned_by(info, attitude, rows[i].angular) : Vector3d(Vector3d::Zero());
    right[i] = rows[i].target - rows[i].linear.dot(linear) - (spins ? rows[i].angular.dot(angular) : 0.0);
    for (int j = 0; j <= i; ++j) {
      matrix[i][j] = info.inverse_mass * rows[i].linear.dot(rows[j].linear) + rows[j].angular.dot(answer[i]);
    }
  }
  // Cholesky, forward, backward.
  bool used[Rows::kMost];
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

/// Writes the rows of a body's constraints: for accelerations (with the method's feedback), or for velocities.
template <class Add>
void Cluster::each_row(const Slot& slot, const Motion& motion, double time, bool velocities, const Add& add) const {
  const Model& model = environment_->model();
  const SmoothOptions& options = environment_->options();
  const bool feedback = options.constraints == ConstraintMethod::baumgarte && !velocities;
  const double rate = options.baumgarte_rate;
  for (const int index : environment_->body(slot.body).constraints) {
    const Constraint& constraint = model.constraints[static_cast<std::size_t>(index)];
    if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
      const Vector3d arm = motion.position - rod->pivot;
      const double length = arm.norm();
      if (length == 0.0) continue;
      const Vector3d n = arm / length;
      const double speed = n.dot(motion.velocity);
      double target = 0.0;
      if (!velocities) target = -(motion.velocity.squaredNorm() - speed * speed) / length;
      if (feedback) target -= 2.0 * rate * speed + rate * rate * (length - rod->length);
      add(Row{n, Vector3d::Zero(), target});
    } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
      add(Row{planar->normal, Vector3d::Zero(), 0.0});
      for (const Vector3d& direction : across(planar->normal)) add(Row{Vector3d::Zero(), direction, 0.0});
    } else {
      const auto& rolling = std::get<RollingConstraint>(constraint);
      const int object = model.body_count() + rolling.plane;
      const Driven plane = environment_->obstacle(object, time);
      const Vector3d n = half_space_normal({plane.place.position, plane.place.orientation});
      const double radius = n.dot(motion.position - plane.place.position);
      const Vector3d arm = -radius * n;
      const Vector3d point = motion.position + arm;
      const Vector3d target = velocities ? plane.velocity_of(point)
                                         : Vector3d(plane.angular_velocity.cross(motion.velocity - plane.velocity));
      const auto [first, second] = across(n);
      for (const Vector3d& direction : {n, first, second}) {
        add(Row{direction, arm.cross(direction), direction.dot(target)});
      }
    }
  }
}

void Cluster::constrain_accelerations(const Slot& slot, const Motion& motion, double time, Vector3d& linear,
                                      Vector3d& angular) const {
  const BodyInfo& info = environment_->body(slot.body);
  Rows rows;
  each_row(slot, motion, time, false, [&rows](const Row& row) { rows.add(row); });
  enforce(rows, info, motion.attitude, slot.rest != kNone, linear, angular);
}

double Cluster::drift(double time, const double* y) const {
  double largest = 0.0;
  const Model& model = environment_->model();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const BodyInfo& info = environment_->body(slots_[i].body);
    if (info.constraints.empty()) continue;
    const Vector3d position(y[3 * i], y[3 * i + 1], y[3 * i + 2]);
    int planes = 0;
    for (const int index : info.constraints) {
      const Constraint& constraint = model.constraints[static_cast<std::size_t>(index)];
      double off = 0.0;
      if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
        off = ((position - rod->pivot).norm() - rod->length) / rod->length;
      } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
        if (planes < 2) off = (planar->normal.dot(position) - slots_[i].plane_offset[planes++]) / info.size;
      } else {
        const auto& rolling = std::get<RollingConstraint>(constraint);
        const Driven plane = environment_->obstacle(model.body_count() + rolling.plane, time);
        const Vector3d n = half_space_normal({plane.place.position, plane.place.orientation});
        off = (n.dot(position - plane.place.position) - slots_[i].rolling_height) / info.size;
      }
      largest = std::max(largest, std::abs(off));
    }
  }
  return largest;
}

void Cluster::project(double time, double* y) const {
  const Model& model = environment_->model();
  const std::size_t count = slots_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Slot& slot = slots_[i];
    const BodyInfo& info = environment_->body(slot.body);
    if (info.constraints.empty()) continue;
    Motion motion;
    read_place(static_cast<int>(i), y, motion);
    int planes = 0;
    for (const int index : info.constraints) {
      const Constraint& constraint = model.constraints[static_cast<std::size_t>(index)];
      if (const auto* const rod = std::get_if<RodConstraint>(&constraint)) {
        const Vector3d arm = motion.position - rod->pivot;
        motion.position = rod->pivot + (rod->length / arm.norm()) * arm;
      } else if (const auto* const planar = std::get_if<PlanarConstraint>(&constraint)) {
        if (planes < 2)
          motion.position += (slot.plane_offset[planes++] - planar->normal.dot(motion.position)) * planar->normal;
      } else {
        const auto& rolling = std::get<RollingConstraint>(constraint);
        const Driven plane = environment_->obstacle(model.body_count() + rolling.plane, time);
        const Vector3d n = half_space_normal({plane.place.position, plane.place.orientation});
        motion.position += (slot.rolling_height - n.dot(motion.position - plane.place.position)) * n;
      }
    }
    Rows rows;
    each_row(slot, motion, time, true, [&rows](const Row& row) { rows.add(row); });
    enforce(rows, info, motion.attitude, slot.rest != kNone, motion.velocity, motion.spin);
    for (int k = 0; k < 3; ++k) {
      y[3 * i + static_cast<std::size_t>(k)] = motion.position[k];
      y[3 * (count + i) + static_cast<std::size_t>(k)] = motion.velocity[k];
      if (slot.rest != kNone) y[slot.rest + 4 + k] = motion.spin[k];
    }
  }
}

}  // namespace carom::smooth
