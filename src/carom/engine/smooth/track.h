#pragma once
/// The path of one body's centre between two instants, as a polynomial: what contacts are searched on.
///
///   x(τ) = Σ cₖ τᵏ, k = 0 … 5,   τ = t − start
///
/// Free flight is c₀ + c₁τ + c₂τ², exact. An integrated step is the quintic through position, velocity and acceleration
/// at both ends (Hermite), off by O(h⁶) whatever the method of integration; the instant of a contact found on it is
/// made exact by taking the step again up to it.

#include <Eigen/Core>
#include <array>
#include <limits>

namespace carom::smooth {

using Eigen::Vector3d;

struct alignas(64) Track {
  // What a flight needs comes first: two lines of the cache instead of four.
  double start = 0.0;
  double end = std::numeric_limits<double>::infinity();
  double speed = 0.0;      ///< |ẋ| is at most this from the start to the end
  double reach = 0.0;      ///< no point of the body is farther from its centre [m]
  double variation = 0.0;  ///< |ẍ(τ) − ẍ(τ′)| is at most this on the whole track
  bool curved = false;     ///< c₃ … c₅ are not zero
  std::array<Vector3d, 6> c{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(),
                            Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};

  static constexpr std::size_t kFlightBytes = 128;  ///< at its beginning: what a flight needs

  static Track flight(double start, const Vector3d& position, const Vector3d& velocity, const Vector3d& acceleration) {
    Track track;
    track.start = start;
    track.c[0] = position;
    track.c[1] = velocity;
    track.c[2] = 0.5 * acceleration;
    return track;
  }

  /// One end of a step.
  struct End {
    Vector3d position, velocity, acceleration;
  };
  static Track step(double start, double end, const End& first, const End& last) {
    Track track = flight(start, first.position, first.velocity, first.acceleration);
    track.end = end;
    const double h = end - start;
    if (!(h > 0.0)) return track;
    const Vector3d d = last.position - (first.position + h * (first.velocity + 0.5 * h * first.acceleration));
    const Vector3d e = h * (last.velocity - first.velocity - h * first.acceleration);
    const Vector3d f = (h * h) * (last.acceleration - first.acceleration);
    const double h3 = h * h * h;
    track.c[3] = (10.0 * d - 4.0 * e + 0.5 * f) / h3;
    track.c[4] = (-15.0 * d + 7.0 * e - f) / (h3 * h);
    track.c[5] = (6.0 * d - 3.0 * e + 0.5 * f) / (h3 * h * h);
    track.curved = true;
    track.variation = 6.0 * h * track.c[3].norm() + 12.0 * h * h * track.c[4].norm() + 20.0 * h3 * track.c[5].norm();
    return track;
  }

  /// To be called when the end is known.
  void bound_speed() {
    const double pull = 2.0 * c[2].norm() + variation;
    speed = c[1].norm() + (pull > 0.0 ? pull * (end - start) : 0.0);
  }

  [[nodiscard]] Vector3d position(double tau) const {
    if (!curved) return c[0] + tau * (c[1] + tau * c[2]);
    return c[0] + tau * (c[1] + tau * (c[2] + tau * (c[3] + tau * (c[4] + tau * c[5]))));
  }
  [[nodiscard]] Vector3d velocity(double tau) const {
    if (!curved) return c[1] + (2.0 * tau) * c[2];
    return c[1] + tau * (2.0 * c[2] + tau * (3.0 * c[3] + tau * (4.0 * c[4] + (5.0 * tau) * c[5])));
  }
  [[nodiscard]] Vector3d acceleration(double tau) const {
    if (!curved) return 2.0 * c[2];
    return 2.0 * c[2] + tau * (6.0 * c[3] + tau * (12.0 * c[4] + (20.0 * tau) * c[5]));
  }
};

}  // namespace carom::smooth
