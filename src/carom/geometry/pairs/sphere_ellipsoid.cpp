/// A ball and an ellipsoid. The nearest point q to x satisfies x = q + t ∇/2 of Σ (q_i/e_i)² = 1, that is
///   q_i = e_i² x_i / (t + e_i²),   Σ (e_i x_i / (t + e_i²))² = 1,   t > −min e_i²,
/// with t the largest root; t > 0 outside. With the smallest axis e_m, z_i = |x_i|/e_i, r_i = (e_i/e_m)², unknown
/// u = t/e_m² + 1 > 0:
///   g(u) = Σ (r_i z_i / (u + r_i − 1))² − 1 = 0,
/// convex and decreasing, so Newton's method from the left climbs to the root and cannot pass it. Taking u, not t, as
/// the unknown keeps its relative precision near the pole u = 0 (points near the middle plane, deep inside); t itself
/// is needed to round-off of the size only, since the distance is t |w| with w_i = x_i/(t + e_i²), and w has the
/// direction of the normal. If x lies on the middle plane (x_m = 0) and g(0) < 0, then u = 0 and q_m follows from the
/// surface. Sources: Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid, 2013; the unknown
/// u and the start are ours.

#include <algorithm>
#include <cmath>

#include "carom/geometry/pairs/nearest_point.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// Below this a numerator has lost digits to the end of the number range and is taken for zero.
constexpr double kNoPole = 1e-290;

/// The multiplier equation in the unknown u.
struct Multiplier {
  Vector3d rz;        // r_i z_i
  Vector3d r_less_1;  // r_i − 1 ≥ 0, zero for the smallest axes

  /// The largest lower bound of the root that single terms give: r_i z_i / (u + r_i − 1) = 1, and that of the terms
  /// of the smallest axes together.
  [[nodiscard]] double start() const { return std::max((rz - r_less_1).maxCoeff(), pole()); }

  /// g(0) without the terms that have their pole there.
  [[nodiscard]] double regular_part_at_zero() const {
    double sum = -1.0;
    for (int i = 0; i < 3; ++i) {
      if (r_less_1[i] > 0.0) sum += rz[i] / r_less_1[i] * (rz[i] / r_less_1[i]);
    }
    return sum;
  }

  [[nodiscard]] double root() const {
    double u = start();
    // Next to the pole a step multiplies u by 3/2, near the root it doubles the digits; the limit is beyond reach.
    for (int step = 0; step < 4000; ++step) {
      double value = -1.0;
      double slope = 0.0;
      for (int i = 0; i < 3; ++i) {
        if (rz[i] == 0.0) continue;
        const double denominator = u + r_less_1[i];
        const double ratio = rz[i] / denominator;
        value += ratio * ratio;
        slope += 2.0 * ratio * ratio / denominator;
      }
      const double next = u + value / slope;
      if (!(next > u)) break;
      u = next;
    }
    return u;
  }

  /// Numerator of the terms with their pole at u = 0 (those of the smallest axes), taken together.
  [[nodiscard]] double pole() const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      if (r_less_1[i] == 0.0) sum = std::hypot(sum, rz[i]);
    }
    return sum;
  }
};

}  // namespace

NearestPoint nearest_point(const Ellipsoid& ellipsoid, const Vector3d& from) {
  const Vector3d& e = ellipsoid.semi_axes;
  int m = 0;
  const double smallest = e.minCoeff(&m);
  Multiplier multiplier;
  for (int i = 0; i < 3; ++i) {
    const double ratio = e[i] / smallest;
    multiplier.r_less_1[i] = (e[i] - smallest) / smallest * (ratio + 1.0);
    multiplier.rz[i] = ratio * std::abs(from[i]) / smallest;
  }

  // w_i = x_i / (t + e_i²), which is along the normal; e_m² (u + r_i − 1) = t + e_i².
  Vector3d w = Vector3d::Zero();
  const double square = smallest * smallest;
  const bool no_pole = multiplier.pole() < kNoPole;
  double u = 0.0;
  if (no_pole && multiplier.regular_part_at_zero() <= 0.0) {
    double left = 1.0;
    for (int i = 0; i < 3; ++i) {
      if (multiplier.r_less_1[i] == 0.0) continue;
      w[i] = from[i] / (square * multiplier.r_less_1[i]);
      left -= (w[i] * e[i]) * (w[i] * e[i]);
    }
    w[m] = (from[m] < 0.0 ? -1.0 : 1.0) * std::sqrt(std::max(left, 0.0)) / smallest;
  } else {
    u = multiplier.root();
    for (int i = 0; i < 3; ++i) w[i] = from[i] / (square * (u + multiplier.r_less_1[i]));
  }
  // q_i = e_i² w_i, put on the surface to the last digit by its own length in units of the axes.
  const Vector3d in_axes = w.cwiseProduct(e);
  const double w_length = length(w);
  return {square * (u - 1.0) * w_length, w / w_length, in_axes.cwiseProduct(e) / length(in_axes)};
}

Proximity sphere_ellipsoid(const Sphere& a, const Pose& pose_a, const Ellipsoid& b, const Pose& pose_b) {
  return sphere_against(a, pose_a.position, b, pose_b);
}

}  // namespace carom
