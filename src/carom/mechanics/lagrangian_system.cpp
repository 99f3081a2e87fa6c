#include "carom/mechanics/lagrangian_system.h"

namespace carom {

void LagrangianSystem::coordinate_rates(const Vector& /*q*/, const Vector& v, Vector& rates) const {
  rates = v;
}

double LagrangianSystem::potential(const Vector& /*q*/) const {
  return 0.0;
}

double LagrangianSystem::power(double /*time*/, const Vector& /*q*/, const Vector& /*v*/) const {
  return 0.0;
}

void LagrangianSystem::constraint_rows(const Vector& /*q*/, Matrix& /*A*/) const {}

void LagrangianSystem::constraint_bias(const Vector& q, const Vector& v, Vector& bias) const {
  Matrix rows(constraint_count(), speed_count());
  const auto times_v = [&](const Vector& at, Vector& out) {
    rows.setZero();
    constraint_rows(at, rows);
    out.noalias() = rows * v;
  };
  difference_bias(*this, q, v, times_v, bias);
}

bool LagrangianSystem::constraint_values(const Vector& /*q*/, Vector& /*values*/) const {
  return false;
}

void LagrangianSystem::gaps(const Vector& /*q*/, Vector& /*g*/) const {}

void LagrangianSystem::gap_rows(const Vector& /*q*/, Matrix& /*N*/) const {}

void LagrangianSystem::gap_bias(const Vector& q, const Vector& v, Vector& bias) const {
  Matrix rows(contact_count(), speed_count());
  const auto times_v = [&](const Vector& at, Vector& out) {
    rows.setZero();
    gap_rows(at, rows);
    out.noalias() = rows * v;
  };
  difference_bias(*this, q, v, times_v, bias);
}

double LagrangianSystem::restitution(int /*contact*/) const {
  return 1.0;
}

int LagrangianSystem::tangent_count(int /*contact*/) const {
  return 0;
}

Coulomb LagrangianSystem::friction(int /*contact*/) const {
  return {kNoSlip, kNoSlip};
}

void LagrangianSystem::tangent_rows(const Vector& /*q*/, int /*contact*/, Matrix& /*T*/) const {}

std::optional<double> LagrangianSystem::gap_acceleration_bound(int /*contact*/, double /*time*/, const Vector& /*q*/,
                                                               const Vector& /*v*/, double /*duration*/) const {
  return std::nullopt;
}

}  // namespace carom
