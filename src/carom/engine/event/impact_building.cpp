/// The cluster of closed contacts as an impact problem: coordinates v (world) and, unless it is a smooth ball, ω
/// (principal frame) of each body.

#include <algorithm>
#include <cmath>

#include "carom/engine/event/event_core.h"

namespace carom {

using namespace event;

void EventEngine::Core::build_metric() {
  coordinate_.assign(static_cast<std::size_t>(bodies_), -1);
  int n = 0;
  for (std::size_t k = 0; k < problem_bodies_.size(); ++k) {
    coordinate_[static_cast<std::size_t>(problem_bodies_[k])] = n;
    n += has_spin_[k] ? 6 : 3;
  }
  problem_.metric = Matrix::Zero(n, n);
  problem_.velocity.resize(n);
  for (std::size_t k = 0; k < problem_bodies_.size(); ++k) {
    const int body = problem_bodies_[k];
    const Object& o = object(body);
    const BodyState& state = now(body);
    const int c = coordinate_[static_cast<std::size_t>(body)];
    for (int i = 0; i < 3; ++i) problem_.metric(c + i, c + i) = o.mass;
    problem_.velocity.segment<3>(c) = state.velocity - carrier_[k];
    if (!has_spin_[k]) continue;
    for (int i = 0; i < 3; ++i) problem_.metric(c + 3 + i, c + 3 + i) = o.inertia[i];
    problem_.velocity.segment<3>(c + 3) =
        (state.orientation * o.principal_axes).conjugate() * (state.angular_velocity - carrier_spin_[k]);
  }
}

void EventEngine::Core::add_velocity_row(int index, const Vector3d& point, const Vector3d& direction, double sign,
                                         Eigen::Ref<Eigen::RowVectorXd> row) {
  const Object& o = object(index);
  const BodyState& state = now(index);
  const Vector6d part = velocity_row(state.position, state.orientation * o.principal_axes, point, direction);
  const int c = coordinate_[static_cast<std::size_t>(index)];
  const auto slot = static_cast<std::size_t>(std::lower_bound(problem_bodies_.begin(), problem_bodies_.end(), index) -
                                             problem_bodies_.begin());
  row.segment<3>(c) += sign * part.head<3>().transpose();
  if (has_spin_[slot]) row.segment<3>(c + 3) += sign * part.tail<3>().transpose();
}

void EventEngine::Core::build_contact(const ContactPoint& contact, bool rough, Contact& row) {
  const int n = static_cast<int>(problem_.velocity.size());
  const bool both = is_body(contact.b);
  Eigen::RowVectorXd entries(n);
  const auto fill = [&](const Vector3d& direction) {
    entries.setZero();
    add_velocity_row(contact.a, contact.point_a, direction, 1.0, entries);
    double offset = 0.0;
    if (both) {
      add_velocity_row(contact.b, contact.point_b, direction, -1.0, entries);
    } else {
      offset = -direction.dot(point_velocity(now(contact.b), contact.point_b));
    }
    // Velocities are relative to the planes that bodies roll on.
    for (const auto& [body, point, sign] :
         {std::tuple(contact.a, contact.point_a, 1.0), std::tuple(contact.b, contact.point_b, both ? -1.0 : 0.0)}) {
      if (sign == 0.0) continue;
      const auto slot = static_cast<std::size_t>(
          std::lower_bound(problem_bodies_.begin(), problem_bodies_.end(), body) - problem_bodies_.begin());
      offset += sign * direction.dot(carrier_[slot] + carrier_spin_[slot].cross(point - now(body).position));
    }
    return offset;
  };
  row.name.clear();
  row.offset = fill(contact.normal);
  row.normal = entries.transpose();
  row.restitution = contact.rule.restitution;
  row.tangential_restitution.reset();
  row.stiffness = 1.0;
  if (!rough || !contact.rule.rough) {
    row.tangents.resize(0, 0);
    row.tangent_offsets.resize(0);
    return;
  }
  row.tangents.resize(2, n);
  row.tangent_offsets.resize(2);
  const std::array<Vector3d, 2> across = tangents_of(contact.normal);
  for (int k = 0; k < 2; ++k) {
    row.tangent_offsets[k] = fill(across[static_cast<std::size_t>(k)]);
    row.tangents.row(k) = entries;
  }
}

void EventEngine::Core::build_constraints() {
  problem_.supports.clear();
  const int n = static_cast<int>(problem_.velocity.size());
  std::vector<Eigen::RowVectorXd> rows;
  const auto add = [&](int body, const Vector3d& point, const Vector3d& direction) {
    rows.push_back(Eigen::RowVectorXd::Zero(n));
    add_velocity_row(body, point, direction, 1.0, rows.back());
  };
  for (const int body : problem_bodies_) {
    for (const int index : object(body).constraints) {
      const Constraint& constraint = model_.constraints[static_cast<std::size_t>(index)];
      if (const auto* rolling = std::get_if<RollingConstraint>(&constraint)) {
        const int plane = bodies_ + rolling->plane;
        const Proximity near =
            pair(body, plane)
                .proximity(*object(body).mover.shape, now(body).pose(), *object(plane).mover.shape, now(plane).pose());
        problem_.supports.push_back(static_cast<int>(rows.size()));
        add(body, near.point_a, near.normal);
        for (const Vector3d& across : tangents_of(near.normal)) add(body, near.point_a, across);
      } else if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
        add(body, now(body).position, (now(body).position - rod->pivot).normalized());
      } else {
        const auto& planar = std::get<PlanarConstraint>(constraint);
        add(body, now(body).position, planar.normal);
        const Quaterniond inverse = (now(body).orientation * object(body).principal_axes).conjugate();
        for (const Vector3d& across : tangents_of(planar.normal)) {
          rows.push_back(Eigen::RowVectorXd::Zero(n));
          rows.back().segment<3>(coordinate_[static_cast<std::size_t>(body)] + 3) = (inverse * across).transpose();
        }
      }
    }
  }
  problem_.persistent.resize(static_cast<Eigen::Index>(rows.size()), rows.empty() ? 0 : n);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // Velocities satisfy the constraints to round-off; the law is owed exactly that.
    problem_.persistent.row(static_cast<Eigen::Index>(r)) = rows[r];
  }
}

void EventEngine::Core::build_problem(bool rough) {
  problem_bodies_ = bodies_of_chosen();
  has_spin_.assign(problem_bodies_.size(), 0);
  carrier_.assign(problem_bodies_.size(), Vector3d::Zero());
  carrier_spin_.assign(problem_bodies_.size(), Vector3d::Zero());
  for (std::size_t k = 0; k < problem_bodies_.size(); ++k) {
    const Object& o = object(problem_bodies_[k]);
    has_spin_[k] = !o.round || rough || !o.constraints.empty();
    for (const int index : o.constraints) {
      const auto* rolling = std::get_if<RollingConstraint>(&model_.constraints[static_cast<std::size_t>(index)]);
      if (rolling == nullptr) continue;
      const BodyState& plane = now(bodies_ + rolling->plane);
      carrier_[k] = point_velocity(plane, now(problem_bodies_[k]).position);
      carrier_spin_[k] = plane.angular_velocity;
    }
  }
  build_metric();
  problem_.contacts.resize(chosen_.size());
  bool stiff = true;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const ContactPoint& contact = closed_[static_cast<std::size_t>(chosen_[i])];
    build_contact(contact, rough, problem_.contacts[i]);
    stiff = stiff && contact.rule.stiffness.has_value();
  }
  // Relative stiffness counts only where all contacts have one.
  for (std::size_t i = 0; i < chosen_.size() && stiff; ++i)
    problem_.contacts[i].stiffness = *closed_[static_cast<std::size_t>(chosen_[i])].rule.stiffness;
  build_constraints();
  problem_.options = options_.impact;
}

void EventEngine::Core::read_velocities() {
  for (std::size_t k = 0; k < problem_bodies_.size(); ++k) {
    const int body = problem_bodies_[k];
    const Object& o = object(body);
    BodyState& state = now_state_[static_cast<std::size_t>(body)];
    const double* v = outcome_.velocity.data() + coordinate_[static_cast<std::size_t>(body)];
    state.velocity = Vector3d(v[0], v[1], v[2]) + carrier_[k];
    if (has_spin_[k])
      state.angular_velocity = (state.orientation * o.principal_axes) * Vector3d(v[3], v[4], v[5]) + carrier_spin_[k];
  }
}

}  // namespace carom
