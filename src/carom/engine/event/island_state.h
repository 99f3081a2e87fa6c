#pragma once
/// How a body stands in the state vector of an island: x (3), attitude q of the principal frame (w, x, y, z), v (3), ω
/// in the principal frame (3).

#include <algorithm>
#include <span>

#include "carom/engine/event/island.h"
#include "carom/mechanics/attitude.h"

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

/// Six numbers for each of the bodies whose states stand at y, one after the other: new velocities, or by how much they
/// are moved and turned.
inline void write_velocities(std::span<const double> velocities, double* y) {
  for (std::size_t k = 0; k < velocities.size(); ++k) y[Island::kPerBody * (k / 6) + 7 + k % 6] = velocities[k];
}
inline void move_bodies(std::span<const double> moves, double* y) {
  for (std::size_t k = 0; k < moves.size(); k += 6, y += Island::kPerBody) {
    const double* const move = moves.data() + k;
    Eigen::Map<Vector3d>(y) += Eigen::Map<const Vector3d>(move);
    write_attitude(attitude_of(y) * rotation_by(Vector3d(move[3], move[4], move[5])), y);
  }
}
/// The same bodies at a stand.
inline void stop_bodies(double* y, std::size_t count) {
  for (; count > 0; --count, y += Island::kPerBody) std::fill_n(y + 7, 6, 0.0);
}

}  // namespace carom::event
