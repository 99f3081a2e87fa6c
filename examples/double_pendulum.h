#pragma once
/// A double pendulum between two walls, as a user of the library writes it down. docs/own-system.md goes through it.
///
/// Two points of mass 1 on massless rods of length 1; θ₁ and θ₂ are the angles of the rods with the downward vertical.
/// The walls stand at x = ±`half_width`; either point may hit either wall: four contacts.

#include <carom/mechanics/lagrangian_system.h>

#include <cmath>

struct DoublePendulum : carom::LagrangianSystem {
  using Vector = carom::Vector;
  using Matrix = carom::Matrix;

  double gravity = 9.81;      // [m/s²]
  double half_width = 0.8;    // [m]
  double e = 1.0;             // restitution
  double total_energy = 0.0;  // not less than the energy of the run; for the bound below

  [[nodiscard]] int coordinate_count() const override { return 2; }

  // T = ½(2θ̇₁² + 2 cos(θ₁ − θ₂) θ̇₁θ̇₂ + θ̇₂²)
  void metric(const Vector& q, Matrix& G) const override {
    const double c = std::cos(q[0] - q[1]);
    G << 2.0, c, c, 1.0;
  }

  // Gravity and the Coriolis terms.
  void force(double /*time*/, const Vector& q, const Vector& v, Vector& f) const override {
    const double s = std::sin(q[0] - q[1]);
    f[0] = -2.0 * gravity * std::sin(q[0]) - s * v[1] * v[1];
    f[1] = -gravity * std::sin(q[1]) + s * v[0] * v[0];
  }

  [[nodiscard]] double potential(const Vector& q) const override {
    return -gravity * (2.0 * std::cos(q[0]) + std::cos(q[1]));
  }

  // Contacts 0 and 1: the upper point at the right and the left wall; 2 and 3: the lower one.
  [[nodiscard]] int contact_count() const override { return 4; }

  void gaps(const Vector& q, Vector& g) const override {
    const double upper = std::sin(q[0]);
    const double lower = upper + std::sin(q[1]);
    g << half_width - upper, half_width + upper, half_width - lower, half_width + lower;
  }

  void gap_rows(const Vector& q, Matrix& N) const override {
    const double a = std::cos(q[0]);
    const double b = std::cos(q[1]);
    N << -a, 0.0, a, 0.0, -a, -b, a, b;
  }

  [[nodiscard]] double restitution(int /*contact*/) const override { return e; }

  // |ẍ| of either point, from the energy: T is at most the total energy less the least potential energy. The least
  // eigenvalue of G is at least λ = (3 − √5)/2, so θ̇₁² + θ̇₂² ≤ 2T/λ and |θ̈| ≤ |f|/λ.
  [[nodiscard]] std::optional<double> gap_acceleration_bound(int /*contact*/, double /*time*/, const Vector& /*q*/,
                                                             const Vector& /*v*/, double /*duration*/) const override {
    const double least_eigenvalue = 0.5 * (3.0 - std::sqrt(5.0));
    const double rates = 2.0 * (total_energy + 3.0 * gravity) / least_eigenvalue;
    const double force = std::sqrt(5.0) * gravity + rates;
    return std::sqrt(2.0) * force / least_eigenvalue + rates;
  }
};
