#pragma once
/// Two objects in motion, for the tests of the time of impact.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "carom/contact/shape_support.h"
#include "carom/contact/time_of_impact.h"
#include "geometry/random_shapes.h"

namespace carom::test {

/// Keeps what a Mover points at.
struct MovingObject {
  Shape shape;
  contact::Motion motion;
  Pose placement = {};  ///< of the shape in the frame that moves

  [[nodiscard]] contact::Mover mover() const {
    const bool plane = std::holds_alternative<HalfSpace>(shape);
    const Eigen::Vector3d normal =
        plane ? half_space_normal({motion.position, motion.attitude}) : Eigen::Vector3d(Eigen::Vector3d::Zero());
    return {&shape, shape_kind(shape), &motion, radius(), normal, is_identity(placement) ? nullptr : &placement};
  }
  [[nodiscard]] double radius() const { return bounding_radius(Part{shape, placement}); }
  [[nodiscard]] Pose pose(double time, double carry) const {
    return placed_in(motion.at(time, carry).pose(), placement);
  }
};

struct MovingPair {
  MovingObject a, b;

  [[nodiscard]] const PairFunction& function() const { return *find_pair(shape_kind(a.shape), shape_kind(b.shape)); }
  [[nodiscard]] double size() const { return std::min(a.radius(), b.radius()); }
  /// The gap at time + carry.
  [[nodiscard]] Proximity near(double time, double carry = 0.0) const {
    return function().proximity(a.shape, a.pose(time, carry), b.shape, b.pose(time, carry));
  }
  [[nodiscard]] double gap(double time, double carry = 0.0) const { return near(time, carry).distance; }
  /// Gap rate from the velocities of the nearest points.
  [[nodiscard]] double rate(double time, double carry = 0.0) const {
    const Proximity close = near(time, carry);
    const BodyState first = a.motion.at(time, carry), second = b.motion.at(time, carry);
    return close.normal.dot(first.velocity + first.angular_velocity.cross(close.point_a - first.position) -
                            second.velocity - second.angular_velocity.cross(close.point_b - second.position));
  }
  /// What the search calls zero (time_of_impact.h), with the iteration's residual.
  [[nodiscard]] double roundoff(double time) const {
    const double coordinates = a.motion.at(time).position.norm() + b.motion.at(time).position.norm();
    return contact::gap_roundoff(size(), coordinates) + near(time).residual;
  }
  /// The search, asked again where it was long.
  [[nodiscard]] contact::Advance first_contact(double from, double horizon) const {
    contact::Advance found{from, 0.0, false};
    for (int k = 0; k < 100 && !found.hit && found.time < horizon; ++k)
      found = contact::first_contact(function(), a.mover(), b.mover(), {found.time, found.carry, horizon});
    return found;
  }
};

/// Free tumbling with an inertia of no particular shape.
inline void tumble(contact::Motion& motion, const Eigen::Vector3d& spin, Random& random) {
  const double a = random.uniform(0.3, 2.0), b = random.uniform(0.3, 2.0), c = random.uniform(0.3, 2.0);
  const Eigen::Vector3d inertia(b * b + c * c, c * c + a * a, a * a + b * b);
  motion.turning = contact::Turning::free;
  motion.spin = spin;
  motion.principal_axes = random_rotation(random);
  const Eigen::Quaterniond principal = motion.attitude * motion.principal_axes;
  motion.rotation =
      std::make_shared<const FreeRotation>(inertia, RotationState{principal, principal.conjugate() * spin});
  motion.max_spin = motion.rotation->max_angular_speed();
  motion.max_spin_rate = motion.rotation->max_angular_acceleration();
}

/// A constant spin, as a driven obstacle has it.
inline void spin_steadily(contact::Motion& motion, const Eigen::Vector3d& spin) {
  motion.turning = contact::Turning::uniform;
  motion.spin = spin;
  motion.max_spin = spin.norm();
}

/// No gap before `until` may be below zero by more than round-off.
inline void expect_apart(const MovingPair& pair, double until) {
  const int samples = property_cases(200);
  for (int k = 0; k < samples; ++k) {
    const double time = until * k / samples;
    ASSERT_GT(pair.gap(time), -(1e-12 * pair.size() + 10.0 * pair.roundoff(time))) << "at " << time << " of " << until;
  }
}

}  // namespace carom::test
