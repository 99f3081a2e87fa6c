#pragma once
/// What joints ask of velocities, and how far they are from what they keep, in closed form.
///
/// A joint is a set of rows: quantities e of the poses of its two bodies (of a gear: of four) that stay zero,
///   ė = Σ linear·v + angular·ω + drive  over its sides,    ë = Σ linear·v̇ + angular·ω̇ + bias,
/// v the velocity of a centre of mass and ω the angular velocity, all in the world frame. Since ω × ω = 0, ω̇ is also
/// the derivative that a body sees, turned into the world. Angles are multiplied by the size of the joint, which is
/// that of the larger of its bodies: residuals are lengths [m], the forces of rows forces [N].
///
/// With r = P − x the lever of an end, u = v + ω × r the velocity of its point and c = ω × (ω × r):
///   d along a fixed n        n·d,            rate n·(u_a − u_b),           bias n·(c_a − c_b)
///   d along p, a vector of b p·d,            bias p·(c_a − c_b) + 2(ω_b × p)·(u_a − u_b) + (ω_b × (ω_b × p))·d
///   f of a against p of b    f·p,            rate (ω_a − ω_b)·(f × p),     bias (ω_a − ω_b)·((ω_a × f) × p + f × (ω_b
///   × p)) distance                 |d| − ℓ,        rate n·(u_a − u_b), n = d/|d|
/// Parallel frames are x_a ⟂ y_b, y_a ⟂ z_b, z_a ⟂ x_b: to first order the vector of the rotation between them.
/// A joint's turn about an axis n has the rate n·(ω_a − ω_b), which holds where the other rows do.

#include <array>
#include <span>
#include <vector>

#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom {

/// One side of a row: what it has of the velocities of one body.
struct RowSide {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};

struct JointRow {
  std::array<RowSide, 4> sides{};  ///< in the order of JointKinematics::bodies
  double residual = 0.0;           ///< e
  double bias = 0.0;               ///< ë but for what accelerations add
  double drive = 0.0;              ///< part of ė that a motor adds by itself, −ḟ, which no velocity has
  bool motor = false;
};

/// Motion of the bodies on the sides of one joint at a time, and turns that the present ones are within half a turn of:
/// its own, or those of the two joints of a gear.
struct JointStates {
  std::array<const BodyState*, 4> sides{};
  std::array<const Eigen::Matrix3d*, 4> rotations{};  ///< their orientations as matrices, where these are at hand
  JointTurns near{};
  double time = 0.0;

  [[nodiscard]] Eigen::Matrix3d rotation(std::size_t side) const {
    return rotations[side] != nullptr ? *rotations[side] : sides[side]->orientation.toRotationMatrix();
  }
};

/// The kinematics of all joints of a model.
class JointKinematics {
 public:
  explicit JointKinematics(const Model& model);

  /// Two, of a gear four; kNone is the ground.
  [[nodiscard]] std::span<const BodyIndex> bodies(JointIndex joint) const {
    return {prepared_[joint].bodies.data(), prepared_[joint].sides};
  }
  /// Bounding radius of its largest body [m].
  [[nodiscard]] double size(JointIndex joint) const { return prepared_[joint].size; }
  [[nodiscard]] const Model& model() const { return *model_; }

  /// The states that a joint depends on: `state_of(body)` lives as long as they are used; `turns_of(joint)` are turns
  /// that the present ones are within half a turn of.
  template <class StateOf, class TurnsOf>
  [[nodiscard]] JointStates states(JointIndex joint, double time, const StateOf& state_of,
                                   const TurnsOf& turns_of) const {
    JointStates states;
    states.time = time;
    states.near = turns_of(joint);
    const std::span<const BodyIndex> held = bodies(joint);
    for (std::size_t k = 0; k < held.size(); ++k) states.sides[k] = held[k] == kNone ? &ground() : &state_of(held[k]);
    if (const Joint& gear = model_->joints[joint]; gear.kind == JointKind::gear)
      for (std::size_t k = 0; k < 2; ++k) states.near[k] = turns_of(gear.geared[k])[0];
    return states;
  }

  /// What the joint keeps.
  void append_rows(JointIndex joint, const JointStates& states, std::vector<JointRow>& rows) const;

  /// From the centre of its first body to its anchor there; of a gear that of its first joint.
  [[nodiscard]] Eigen::Vector3d lever(JointIndex joint, const JointStates& states) const;

  /// Its turns, those that are nearest to `near`.
  [[nodiscard]] JointTurns turns(JointIndex joint, const JointStates& states) const;
  /// One of its coordinates, and the rate of that as a row without residual, in m/s or rad/s.
  [[nodiscard]] double coordinate(JointIndex joint, int which, const JointStates& states) const;
  [[nodiscard]] JointRow coordinate_row(JointIndex joint, int which, const JointStates& states) const;

 private:
  struct Prepared {
    std::array<BodyIndex, 4> bodies = {kNone, kNone, kNone, kNone};
    std::size_t sides = 2;
    double size = 0.0;
    std::array<Eigen::Matrix3d, 2> frames;  ///< of its ends
  };
  static const BodyState& ground();

  const Model* model_;
  Indexed<JointIndex, Prepared> prepared_;
};

/// The row of a rod between two bodies in these states.
JointRow distance_row(const Joint& rod, const BodyState& first, const BodyState& second);

/// The rate of a row, ė.
inline double rate_of(const JointRow& row, const JointStates& states) {
  double rate = row.drive;
  for (std::size_t k = 0; k < 4 && states.sides[k] != nullptr; ++k)
    rate += row.sides[k].linear.dot(states.sides[k]->velocity) +
            row.sides[k].angular.dot(states.sides[k]->angular_velocity);
  return rate;
}

}  // namespace carom
