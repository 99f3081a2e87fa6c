#pragma once
/// How a body stands in the state vector of an island: x (3), attitude q of the principal frame (w, x, y, z), v (3), ω
/// in the principal frame (3).

#include "carom/engine/event/island.h"

namespace carom::event {

inline Eigen::Map<const Vector3d> position_of(const double* y) {
  return Eigen::Map<const Vector3d>(y);
}
inline Quaterniond attitude_of(const double* y) {
  return Quaterniond(y[3], y[4], y[5], y[6]).normalized();
}
inline Eigen::Map<const Vector3d> velocity_of(const double* y) {
  return Eigen::Map<const Vector3d>(y + 7);
}
inline Eigen::Map<const Vector3d> spin_of(const double* y) {
  return Eigen::Map<const Vector3d>(y + 10);
}
inline void write_attitude(const Quaterniond& attitude, double* y) {
  y[3] = attitude.w();
  y[4] = attitude.x();
  y[5] = attitude.y();
  y[6] = attitude.z();
}

}  // namespace carom::event
