#pragma once
/// How one object moves between two events: position and attitude as functions of time, with bounds that hold for the
/// whole stretch and that the time of impact rests on.
///
///   centre    x(t) = x₀ + v₀τ + ½aτ², τ = t − start      exact; or the polynomial of an integrated step
///   attitude  fixed, uniform (ω constant), accelerated (ω = ω₀ + ατ, a sphere that rolls), free (exact, from
///             mechanics/free_rotation.h), or the polynomial of an integrated step
///   both      of an obstacle that is driven as functions of time say: exact, with bounds for a while (driven_path.h)
///   bounds    |ẍ − a| ≤ acceleration_spread, |ω| ≤ max_spin, |ω̇| ≤ max_spin_rate on [start, end]

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <memory>

#include "carom/geometry/shape.h"
#include "carom/mechanics/free_rotation.h"
#include "carom/mechanics/state.h"

namespace carom::contact {

using Eigen::Quaterniond;
using Eigen::Vector3d;

inline constexpr double kForever = std::numeric_limits<double>::infinity();

/// A motion that is known at every time but by no formula above: of one body within an integrated step of its island,
/// of a driven obstacle.
class IntegratedMotion {
 public:
  IntegratedMotion() = default;
  IntegratedMotion(const IntegratedMotion&) = delete;
  IntegratedMotion& operator=(const IntegratedMotion&) = delete;
  virtual ~IntegratedMotion() = default;
  /// The state this long after the start.
  [[nodiscard]] virtual BodyState after(double tau) const = 0;
};

enum class Turning { fixed, uniform, accelerated, free, integrated, driven };

/// Time is kept in two parts, time + carry, so that an instant is known beyond the last digit of a large time: a gap
/// closes to round-off of its own size after hours of model time too.
struct Motion {
  double start = 0.0;
  double start_carry = 0.0;
  double end = kForever;  ///< exclusive for integrated motions: another stretch follows
  Vector3d position = Vector3d::Zero();
  Vector3d velocity = Vector3d::Zero();
  Vector3d acceleration = Vector3d::Zero();
  double acceleration_spread = 0.0;

  Turning turning = Turning::fixed;
  Quaterniond attitude = Quaterniond::Identity();  ///< at start
  Vector3d spin = Vector3d::Zero();                ///< ω at start, world
  Vector3d spin_rate = Vector3d::Zero();           ///< α, world; of `accelerated`
  double max_spin = 0.0;
  double max_spin_rate = 0.0;

  Quaterniond principal_axes = Quaterniond::Identity();  ///< principal frame to body frame; of `free`
  std::shared_ptr<const FreeRotation> rotation;          ///< of the principal frame; of `free`
  std::shared_ptr<const IntegratedMotion> integrated;    ///< centre and attitude; of `integrated` and `driven`

  [[nodiscard]] bool in_closed_form() const { return turning < Turning::integrated; }

  /// Time since the start.
  [[nodiscard]] double since(double time, double carry = 0.0) const { return (time - start) + (carry - start_carry); }

  [[nodiscard]] Vector3d position_after(double tau) const {
    if (!in_closed_form()) return integrated->after(tau).position;
    return position + tau * (velocity + (0.5 * tau) * acceleration);
  }
  [[nodiscard]] Vector3d velocity_after(double tau) const {
    if (!in_closed_form()) return integrated->after(tau).velocity;
    return velocity + tau * acceleration;
  }
  [[nodiscard]] BodyState after(double tau) const;
  [[nodiscard]] BodyState at(double time, double carry = 0.0) const { return after(since(time, carry)); }
};

/// The attitude of a body whose angular velocity (world) is ω₀ + ατ: q̇ = ½ω(τ)q from q₀ at τ = 0. Exact where ω₀ and α
/// are parallel, otherwise by Taylor series over parts of a few radians, up to round-off of each.
Quaterniond accelerated_attitude(const Quaterniond& first, const Vector3d& spin, const Vector3d& rate, double tau);

}  // namespace carom::contact
