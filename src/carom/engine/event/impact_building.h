#pragma once
/// Contacts of a cluster as an impact problem, and its outcome as velocities of the bodies.
///
/// Coordinates of the problem: of each body v (world) and, unless it is a smooth ball, ω (principal frame), so that the
/// metric is diagonal. Bodies with a rolling constraint are described relative to the plane that they roll on, which
/// may be driven.

#include <vector>

#include "carom/engine/event/world.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"

namespace carom::event {

/// Which contacts have rows of slip: those that a law knows to deal with.
enum class SlipRows {
  none,     ///< every contact is smooth
  rough,    ///< those without slip
  friction  ///< and those with friction
};

class ImpactBuilder {
 public:
  explicit ImpactBuilder(const ImpactOptions& options) { problem_.options = options; }

  /// The problem of these contacts, those of `kinds` with their rows of slip.
  void build(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds);
  [[nodiscard]] ImpactProblem& problem() { return problem_; }
  [[nodiscard]] const ImpactProblem& problem() const { return problem_; }
  [[nodiscard]] const Bodies& bodies() const { return bodies_; }
  /// Whether a body is described relative to a plane that moves: then the problem's energies are not those of the
  /// world.
  [[nodiscard]] bool moves_with_planes() const;

  /// Gives the bodies the velocities of the outcome.
  void apply(World& world, const ImpactOutcome& outcome) const;

 private:
  /// What a body contributes.
  struct Part {
    int coordinate = 0;  ///< its first one
    bool has_spin = false;
    Vector3d carrier = Vector3d::Zero();       ///< velocity, at its centre, of the plane it rolls on
    Vector3d carrier_spin = Vector3d::Zero();  ///< angular velocity of that plane
  };
  [[nodiscard]] std::size_t part_of(BodyIndex body) const;
  void collect_bodies(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds);
  void build_metric(World& world);
  void build_contact(World& world, const ContactPoint& contact, SlipRows kinds, Contact& row);
  /// The row of the relative velocity of a contact along a direction, into entries_; returns its offset.
  double fill_row(World& world, const ContactPoint& contact, const Vector3d& direction);
  void build_constraints(World& world);
  void add_rolling(World& world, const RollingConstraint& rolling);
  void add_velocity_row(World& world, BodyIndex body, const Vector3d& point, const Vector3d& direction, double sign);
  void keep_row();

  ImpactProblem problem_;
  Bodies bodies_;  ///< ascending
  std::vector<Part> parts_;
  Eigen::RowVectorXd entries_;
  std::vector<Eigen::RowVectorXd> constraint_rows_;
};

/// Bodies of these contacts, ascending.
Bodies bodies_of(const World& world, const std::vector<ContactPoint>& contacts);

}  // namespace carom::event
