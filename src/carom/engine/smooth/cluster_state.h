#pragma once
/// How a cluster's state is read and written, and what several of its sources share. For those sources alone.

#include <cmath>
#include <limits>

#include "carom/engine/smooth/cluster.h"

namespace carom::smooth {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

inline Vector3d vector_at(const double* y) {
  return {y[0], y[1], y[2]};
}

inline void put(const Vector3d& value, double* y) {
  for (int k = 0; k < 3; ++k) y[k] = value[k];
}

inline Quaterniond attitude_at(const double* y) {
  return {y[0], y[1], y[2], y[3]};
}

/// Gap and normal of a ball (its centre at `d` from b's) with anything round or flat; false beyond the ends of a bore
/// or cylinder with that axis.
inline bool round_gap(const PairGeometry& g, const Vector3d& d, const Vector3d& axis, double& gap, Vector3d& normal) {
  if (g.form == ContactForm::sphere_plane) {
    gap = g.plane_normal.dot(d) - g.radius_a;
    normal = g.plane_normal;
    return true;
  }
  if (g.form == ContactForm::sphere_sphere) {
    const double squared = d.squaredNorm(), length = std::sqrt(squared), reach = g.radius_a + g.radius_b;
    gap = (squared - reach * reach) / (length + reach);
    normal = (1.0 / length) * d;
    return true;
  }
  const double along = axis.dot(d);
  if (std::abs(along) > g.half_length) return false;
  const Vector3d out = d - along * axis;
  const double distance = out.norm(), sign = g.form == ContactForm::sphere_bore ? -1.0 : 1.0;
  gap = sign * (distance - g.radius_b) - g.radius_a;
  normal = distance > 0.0 ? Vector3d((sign / distance) * out) : axis.unitOrthogonal();  // in the middle: any
  return true;
}

}  // namespace carom::smooth
