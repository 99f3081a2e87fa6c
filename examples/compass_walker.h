#pragma once
/// A compass walks down a slope on its own: two straight legs without mass, a point of mass in the middle of each and
/// one at the hip. The straight swing leg has to pass the standing one, so it walks on tiles, as real ones do: the left
/// foot finds ground at every second step length, the right foot in between.
///
/// Coordinates q = (x, z, α_left, α_right): the hip in the frame of the slope, x downhill and z off it, and how far
/// each leg leans forward from the normal of the slope. Contacts: 0 the left foot, 1 the right one; they do not slip
/// and do not rebound. At heel strike the old foot is a closed contact too, and leaves. Source: Goswami, Espiau &
/// Keramane, Limit cycles in a passive compass gait biped, Autonomous Robots 4 (1997); tiles: McGeer, Passive dynamic
/// walking (1990).

#include <carom/carom.h>

#include <cmath>
#include <numbers>
#include <utility>

class CompassWalker : public carom::LagrangianSystem {
 public:
  using Vector = carom::Vector;
  using Matrix = carom::Matrix;

  double leg_mass = 5.0, hip_mass = 10.0;         // kg
  double leg = 1.0, from_hip = 0.5;               // m; from_hip: to the point of mass of a leg
  double slope = 3.0 * std::numbers::pi / 180.0;  // rad
  double gravity = 9.81;                          // m/s²
  double step_length = 0.535445415430009;         // m, between the middles of tiles
  double half_tile = 0.1, pit = 0.2;              // m; pit: depth half-way between two tiles of one foot

  /// Both feet on their tiles just after a heel strike, the left one in front; half the angle between the legs, the
  /// rate of the left (standing) leg and that of the right one.
  [[nodiscard]] carom::LagrangianState stride(double half_angle, double standing, double swinging) const {
    const double s = leg * std::sin(half_angle), c = leg * std::cos(half_angle);
    return {0.0, Vector{{-s, c, -half_angle, half_angle}}, Vector{{c * standing, s * standing, standing, swinging}}};
  }

  [[nodiscard]] int coordinate_count() const override { return 4; }

  // T = ½ m_H |ẋ|² + Σ ½ m |ẋ − b (cos α, −sin α) α̇|²
  void metric(const Vector& q, Matrix& G) const override {
    G(0, 0) = G(1, 1) = hip_mass + 2.0 * leg_mass;
    for (const int i : {2, 3}) {
      G(0, i) = G(i, 0) = -leg_mass * from_hip * std::cos(q[i]);
      G(1, i) = G(i, 1) = leg_mass * from_hip * std::sin(q[i]);
      G(i, i) = leg_mass * from_hip * from_hip;
    }
  }

  void force(double /*time*/, const Vector& q, const Vector& v, Vector& f) const override {
    const double down = gravity * std::sin(slope), into = -gravity * std::cos(slope);
    f[0] = (hip_mass + 2.0 * leg_mass) * down;
    f[1] = (hip_mass + 2.0 * leg_mass) * into;
    for (const int i : {2, 3}) {
      const double s = std::sin(q[i]), c = std::cos(q[i]), moment = leg_mass * from_hip;
      f[0] -= moment * s * v[i] * v[i];
      f[1] -= moment * c * v[i] * v[i];
      f[i] = moment * (into * s - down * c);
    }
  }

  [[nodiscard]] double potential(const Vector& q) const override {
    const double down = gravity * std::sin(slope), into = -gravity * std::cos(slope);
    double energy = -(hip_mass + 2.0 * leg_mass) * (down * q[0] + into * q[1]);
    for (const int i : {2, 3}) energy += leg_mass * from_hip * (down * std::sin(q[i]) + into * std::cos(q[i]));
    return energy;
  }

  [[nodiscard]] int contact_count() const override { return 2; }

  void gaps(const Vector& q, Vector& g) const override {
    for (const int foot : {0, 1}) g[foot] = height(q, foot) + depth(place(q, foot), foot).first;
  }

  void gap_rows(const Vector& q, Matrix& N) const override {
    for (const int foot : {0, 1}) {
      const double alpha = q[2 + foot], fall = depth(place(q, foot), foot).second;
      N(foot, 0) = fall;
      N(foot, 1) = 1.0;
      N(foot, 2 + foot) = leg * (std::sin(alpha) - fall * std::cos(alpha));
    }
  }

  [[nodiscard]] double restitution(int /*contact*/) const override { return 0.0; }
  [[nodiscard]] int tangent_count(int /*contact*/) const override { return 1; }
  void tangent_rows(const Vector& q, int foot, Matrix& T) const override {
    T(0, 0) = 1.0;
    T(0, 2 + foot) = -leg * std::cos(q[2 + foot]);
  }

  [[nodiscard]] double place(const Vector& q, int foot) const { return q[0] - leg * std::sin(q[2 + foot]); }
  [[nodiscard]] double height(const Vector& q, int foot) const { return q[1] - leg * std::cos(q[2 + foot]); }

 private:
  /// How deep the ground of a foot lies at x, and its derivative: flat on the tiles of that foot, at 2k step lengths
  /// for the left one, smooth (a polynomial of degree nine) between them.
  [[nodiscard]] std::pair<double, double> depth(double x, int foot) const {
    const double off = std::remainder(x - foot * step_length, 2.0 * step_length), width = step_length - half_tile;
    const double u = (std::abs(off) - half_tile) / width;
    if (u <= 0.0) return {0.0, 0.0};
    const double u4 = u * u * u * u, rise = u4 * u * (126.0 + u * (-420.0 + u * (540.0 + u * (-315.0 + u * 70.0))));
    const double slope_of_rise = 630.0 * u4 * (1.0 - u) * (1.0 - u) * (1.0 - u) * (1.0 - u);
    return {pit * rise, std::copysign(pit * slope_of_rise / width, off)};
  }
};
