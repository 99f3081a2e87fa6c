#pragma once
/// Contacts of a cluster as an impact problem, and its outcome as velocities of the bodies.
///
/// Coordinates of the problem: of each body v (world) and, unless it is a smooth ball, ω (principal frame), so that the
/// metric is diagonal. Bodies with a rolling constraint are described relative to the plane that they roll on, which
/// may be driven. Bodies that joints connect with those of the contacts take part.

#include <vector>

#include "carom/engine/event/world.h"
#include "carom/engine/event_draft.h"
#include "carom/mechanics/impact_outcome.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/joint_system.h"
#include "carom/numerics/row_space.h"

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
  /// What each coordinate of the problem is: `ball vx`, `box ω1` (about its first principal axis).
  [[nodiscard]] std::vector<std::string> coordinate_names(const World& world) const;
  /// What motors do in the outcome of an impact.
  [[nodiscard]] double motor_work(const ImpactOutcome& outcome);
  /// Whether a body is described relative to a plane that moves, or to a motion that motors prescribe: then the
  /// problem's energies are not those of the world.
  [[nodiscard]] bool moves_with_planes() const;
  /// Whether one of the bodies moved as one of a crowd.
  [[nodiscard]] bool crowded() const { return crowded_; }
  [[nodiscard]] bool rattles() const { return rattles_; }

  /// What the outcome does in the joints of the problem.
  void report_joints(const ImpactOutcome& outcome, EventDraft& draft);

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
  bool crowded_ = false;
  bool rattles_ = false;
  [[nodiscard]] std::size_t part_of(BodyIndex body) const;
  void collect_bodies(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds);
  void build_metric(World& world);
  void build_contacts(World& world, const std::vector<ContactPoint>& contacts, SlipRows kinds);
  void build_contact(World& world, const ContactPoint& contact, SlipRows kinds, Contact& row);
  [[nodiscard]] std::array<CoordinateRange, 2> known_coordinates(const World& world, const ContactPoint& contact) const;
  /// The row of the relative velocity of a contact along a direction, into entries_; returns its offset.
  double fill_row(World& world, const ContactPoint& contact, const Vector3d& direction);
  double fill_limit_row(World& world, const ContactPoint& contact);
  void build_constraints(World& world);
  void add_rolling(World& world, const RollingConstraint& rolling);
  void add_joint(World& world, JointIndex joint);
  /// Adds what a row has of a body's velocities to entries_.
  void add_side(World& world, BodyIndex body, const RowSide& side);
  void add_velocity_row(World& world, BodyIndex body, const Vector3d& point, const Vector3d& direction, double sign);
  void keep_row();
  void carry_drives();
  // Mechanisms of many joints (impact_reduced.cpp).
  void collect_joints(World& world);
  void eliminate_joints(World& world);
  void answer_freely(const Eigen::RowVectorXd& row);
  bool leave_row();
  [[nodiscard]] std::vector<double> joint_impulses(const ImpactOutcome& outcome, bool& unique);

  ImpactProblem problem_;
  Bodies bodies_;  ///< ascending
  std::vector<Part> parts_;
  Eigen::RowVectorXd entries_;
  std::vector<Eigen::RowVectorXd> constraint_rows_;
  /// The rows of a joint and where they are among those of the problem.
  struct HeldJoint {
    JointIndex joint;
    std::size_t first;
    Vector3d lever;  ///< from the centre of its first body to its anchor
    std::vector<JointRow> rows;
  };
  std::vector<HeldJoint> joints_;
  Eigen::RowVectorXd driven_;       ///< velocity that the problem is posed relative to; empty where no motor turns
  std::vector<JointIndex> joined_;  ///< all joints of the bodies
  bool may_eliminate_ = true;       ///< none of the contacts is fixed by the joints
  bool eliminates_ = false;         ///< the rows of joints stand in system_ instead of the problem
  JointSystem system_;
  std::vector<Twist> twists_;
  std::vector<Eigen::RowVectorXd> contact_rows_;  ///< normal and tangents as they are without the joints
  RowSpace row_space_;
  std::vector<JointRow> persistent_;
};

/// Bodies of these contacts, ascending.
Bodies bodies_of(const World& world, const std::vector<ContactPoint>& contacts);

}  // namespace carom::event
