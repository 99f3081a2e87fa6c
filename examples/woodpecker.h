#pragma once
/// The woodpecker toy: a sleeve with play on a pole, a torsional spring, a bird whose beak strikes the pole. Friction
/// of the sleeve holds it by turns, and it climbs down in jumps.
///
/// Coordinates q = (y, φ_M, φ_S): height of the sleeve, its angle, the angle of the bird; linear in the angles.
/// Contacts: 0 the beak, 1 and 2 the lower and the upper end of the sleeve, each with Coulomb friction. Source:
/// Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts, 1996; Leine & van Campen 2003.

#include <carom/carom.h>

class Woodpecker : public carom::LagrangianSystem {
 public:
  double sleeve_mass = 0.0003, sleeve_inertia = 5e-9;  // kg, kg m²
  double bird_mass = 0.0045, bird_inertia = 7e-7;
  double pole_radius = 0.0025, sleeve_radius = 0.0031, sleeve_height = 0.0058;  // m
  double spring_lever = 0.01, bird_lever = 0.015, beak_height = 0.02, beak_lever = 0.0201;
  double stiffness = 0.0056;  // N m
  double coefficient = 0.3;
  double gravity = 9.81;

  [[nodiscard]] int coordinate_count() const override { return 3; }
  void metric(const carom::Vector& /*q*/, carom::Matrix& G) const override {
    const double m = bird_mass, l = spring_lever, b = bird_lever;
    G << sleeve_mass + m, m * l, m * b,                //
        m * l, sleeve_inertia + m * l * l, m * l * b,  //
        m * b, m * l * b, bird_inertia + m * b * b;
  }
  void force(double /*time*/, const carom::Vector& q, const carom::Vector& /*v*/, carom::Vector& f) const override {
    const double torque = stiffness * (q[1] - q[2]);
    f << -(sleeve_mass + bird_mass) * gravity, -torque - bird_mass * gravity * spring_lever,
        torque - bird_mass * gravity * bird_lever;
  }
  [[nodiscard]] double potential(const carom::Vector& q) const override {
    return (sleeve_mass + bird_mass) * gravity * q[0] +
           bird_mass * gravity * (spring_lever * q[1] + bird_lever * q[2]) +
           0.5 * stiffness * (q[1] - q[2]) * (q[1] - q[2]);
  }

  [[nodiscard]] int contact_count() const override { return 3; }
  void gaps(const carom::Vector& q, carom::Vector& g) const override {
    const double play = sleeve_radius - pole_radius;
    g << spring_lever + bird_lever - beak_lever - pole_radius - beak_height * q[2], play + sleeve_height * q[1],
        play - sleeve_height * q[1];
  }
  void gap_rows(const carom::Vector& /*q*/, carom::Matrix& N) const override {
    N(0, 2) = -beak_height;
    N(1, 1) = sleeve_height;
    N(2, 1) = -sleeve_height;
  }
  void gap_bias(const carom::Vector& /*q*/, const carom::Vector& /*v*/, carom::Vector& /*bias*/) const override {}
  [[nodiscard]] double restitution(int contact) const override { return contact == 0 ? 0.5 : 0.0; }
  [[nodiscard]] int tangent_count(int /*contact*/) const override { return 1; }
  void tangent_rows(const carom::Vector& /*q*/, int contact, carom::Matrix& T) const override {
    T << 1.0, contact == 0 ? spring_lever : sleeve_radius, contact == 0 ? bird_lever - beak_lever : 0.0;
  }
  [[nodiscard]] carom::Coulomb friction(int /*contact*/) const override { return {coefficient, coefficient}; }
  [[nodiscard]] double size() const override { return 0.1; }
};
