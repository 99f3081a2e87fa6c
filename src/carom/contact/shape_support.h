#pragma once
/// Upper bounds of the support functions of the solid shapes (geometry/support.h) while the body turns.
///
/// h(u) = max of u·x over the shape, in its frame, about its origin. While the body turns with |ω| ≤ w, |ω̇| ≤ ẇ the
/// direction u of a fixed world vector obeys |u(τ) − u₀ − τu̇₀| ≤ ½τ²(w² + ẇ), so that, h being convex and Lipschitz
/// with the bounding radius R,
///   h(u(τ)) ≤ h(u₀ + τu̇₀) + ½τ²(w² + ẇ)R.
/// For an ellipsoid the sharper h(u(τ)) ≤ h + ḣτ + ½Hτ², H = w²(a_max² − a_min²)/a_min + ẇ(a_max − a_min), holds
/// (theory: rigid-body, "time of impact"); for a sphere h = r. A radius that is added all around (capsule) adds itself
/// and is not multiplied by the turn. A shape that is placed by (o, Q) in the frame that turns has the support
/// h(Qᵀu) + u·o about that frame's origin, and |o| + R takes the place of R.

#include <Eigen/Core>
#include <cmath>

#include "carom/geometry/part.h"
#include "carom/geometry/support.h"

namespace carom::contact {

using Eigen::Vector3d;

using carom::shape_vertices;
using carom::support;

/// Calls visit(centre, radius) for each of the balls (or points, of radius 0) whose convex hull the shape is: ends of
/// capsules and rods, vertices of polyhedra. False where it is none: cylinders, cones, ellipsoids.
template <class Visit>
bool for_each_ball(const Shape& shape, const Visit& visit) {
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
    visit(Vector3d(Vector3d::Zero()), sphere->radius);
    return true;
  }
  if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    for (const double end : {-1.0, 1.0}) visit(Vector3d(0.0, 0.0, end * capsule->half_length), capsule->radius);
    return true;
  }
  const std::vector<Vector3d> vertices = shape_vertices(shape);
  for (const Vector3d& vertex : vertices) visit(vertex, 0.0);
  return !vertices.empty();
}

/// A direction seen from a turning body: u₀, u̇₀ and the bounds of its rotation.
struct TurningDirection {
  Vector3d direction;       ///< u₀
  Vector3d direction_rate;  ///< u̇₀
  double max_spin = 0.0;
  double max_spin_rate = 0.0;
};

/// An upper bound of h(u(τ)), as a function of τ ≥ 0: h_lin(τ) + ½ curvature τ². `smooth` ones (sphere, ellipsoid) have
/// h_lin = h + ḣτ, the others h_lin = h(u₀ + τu̇₀), which is convex. What it grows by is known better than the sizes
/// are: a gap far below their round-off still tells how long it lasts.
class SupportBound {
 public:
  /// The shape is placed in the turning frame; null: it is that frame's own.
  SupportBound(const Shape& shape, const TurningDirection& turning, const Pose* placement = nullptr);

  [[nodiscard]] bool smooth() const { return smooth_; }
  [[nodiscard]] double value() const { return value_; }  ///< h(u₀)
  [[nodiscard]] double rate() const { return rate_; }    ///< ḣ at 0 of the smooth ones
  [[nodiscard]] double curvature() const { return curvature_; }
  /// By how much the bound is above h(u₀).
  [[nodiscard]] double growth(double tau) const {
    const double linear = smooth_ ? rate_ : offset_rate_;
    return (smooth_ ? 0.0 : growth_of_direction(tau * seen_.direction_rate)) + tau * (linear + 0.5 * curvature_ * tau);
  }

 private:
  /// Of h as the direction turns; of a capsule, whose radius is added all around, that of its segment.
  [[nodiscard]] double growth_of_direction(const Vector3d& change) const {
    const Capsule* capsule = std::get_if<Capsule>(shape_);
    if (capsule == nullptr) return support_growth(*shape_, seen_.direction, change);
    return support_growth(Rod{capsule->half_length}, seen_.direction, change);
  }

  const Shape* shape_;
  TurningDirection seen_;
  bool smooth_ = true;
  double value_ = 0.0, rate_ = 0.0, curvature_ = 0.0;
  double offset_rate_ = 0.0;  ///< u̇₀·o of a placed shape
};

}  // namespace carom::contact
