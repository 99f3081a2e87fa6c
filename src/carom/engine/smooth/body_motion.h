#pragma once
/// A body of a group at one instant, as the right-hand side of its motion works with it, and how vectors stand in the
/// state of a group.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace carom::smooth {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct BodyMotion {
  Vector3d position, velocity, spin;
  Quaterniond attitude;
  Vector3d force, torque;  ///< that act on it, summed up
};

inline Vector3d vector_at(const double* y) {
  return {y[0], y[1], y[2]};
}

inline void put(const Vector3d& value, double* y) {
  for (int k = 0; k < 3; ++k) y[k] = value[k];
}

inline Quaterniond attitude_at(const double* y) {
  return {y[0], y[1], y[2], y[3]};
}

}  // namespace carom::smooth
