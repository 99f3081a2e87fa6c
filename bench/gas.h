#pragma once
/// The gas of elastic spheres in a unit box that the event engine and the other engines (others/) run alike.

#include <Eigen/Core>
#include <vector>

#include "carom/base/random.h"

namespace carom::bench {

inline constexpr double kGravity = 9.81;  ///< [m/s²]

struct Gas {
  int along_x = 10, along_y = 10, along_z = 10;
  double small = 1.0;  ///< radius of every second sphere, relative
  double gravity = kGravity;
  double duration = 2.0;  ///< [s]
};

/// What the figures of the gas are called in all engines, so that `carom bench` sets them side by side.
inline constexpr const char* kGasName = "1000 elastic spheres in a box";
inline constexpr const char* kGasEnergyName = "its energy, relative change";

struct GasBall {
  double radius;  ///< [m]
  double mass;    ///< [kg]
  Eigen::Vector3d position, velocity;
};

/// Spheres of radius 0.02 and mass 0.1 on a grid in a unit box, velocities uniform in ±1.
inline std::vector<GasBall> gas_balls(const Gas& gas) {
  Random random(2026);
  const Eigen::Vector3d cells(gas.along_x, gas.along_y, gas.along_z);
  std::vector<GasBall> balls;
  for (int x = 0; x < gas.along_x; ++x)
    for (int y = 0; y < gas.along_y; ++y)
      for (int z = 0; z < gas.along_z; ++z) {
        const Eigen::Vector3d position =
            (Eigen::Vector3d(x, y, z) + Eigen::Vector3d::Constant(0.5)).cwiseQuotient(cells);
        const double part = balls.size() % 2 == 0 ? 1.0 : gas.small;
        const double vx = random.uniform(-1.0, 1.0), vy = random.uniform(-1.0, 1.0);
        balls.push_back({0.02 * part, 0.1 * part * part * part, position, {vx, vy, random.uniform(-1.0, 1.0)}});
      }
  return balls;
}

/// Σ ½ m v² + m g z: spheres of such a gas do not spin.
inline double energy_of(const GasBall& ball, double gravity) {
  return ball.mass * (0.5 * ball.velocity.squaredNorm() + gravity * ball.position.z());
}

}  // namespace carom::bench
