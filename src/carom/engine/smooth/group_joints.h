#pragma once
/// The joints of a group: what they do to the accelerations of its bodies, and how bodies are put back on them.
///
/// What joints, motors of given motion and constraints of joined bodies keep are rows (mechanics/joint_rows.h), solved
/// with the forces of contacts as forces like any other. Springs, dampers, motors of given force and dry friction of
/// joints are forces. Dry friction has modes that are fixed during a step: a coordinate rises or falls against the
/// kinetic force, or sticks, which is one row more, until it needs more than the static force.
///
/// docs/theory/joints.md

#include <optional>
#include <vector>

#include "carom/engine/singular_search.h"
#include "carom/engine/smooth/body_constraints.h"
#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/group_layout.h"
#include "carom/mechanics/joint_system.h"
#include "carom/mechanics/joint_tree.h"

namespace carom::smooth {

/// Work per time [W].
struct JointPowers {
  double damping = 0.0;   ///< taken by dampers
  double motors = 0.0;    ///< done by motors
  double friction = 0.0;  ///< taken by dry friction
  double walls = 0.0;     ///< done by planes that joined bodies roll on
};

class GroupJoints {
 public:
  using Bodies = Indexed<SlotIndex, BodyMotion>;

  explicit GroupJoints(const Environment& environment) : environment_(&environment) {}

  /// For a group of these bodies, from the turns of all joints of the model at its start; dry joints that do not move
  /// stick for now (release_worst).
  void begin(const Indexed<SlotIndex, BodyIndex>& bodies, const Indexed<SlotIndex, BodyConstraints>& constraints,
             const Indexed<JointIndex, JointTurns>& turns);
  [[nodiscard]] bool empty() const { return joints_.empty(); }
  [[nodiscard]] bool has_dry() const { return !dry_.empty(); }

  // ----- motion
  /// Adds springs, dampers, motors of given force and friction to the forces of the bodies.
  JointPowers add_forces(double time, Bodies& bodies);
  /// Adds what the limits among these contacts push with, after add_forces(), and writes how fast they do so in the
  /// slope of the group's state.
  void add_limit_forces(double time, const std::vector<Contact>& contacts, Bodies& bodies, double* slope);
  /// The limits of its joints.
  [[nodiscard]] const std::vector<LimitIndex>& limits() const { return limits_; }
  /// Where the step began.
  [[nodiscard]] const JointTurns& turns_of(JointIndex joint) const { return held(joint).turns; }
  /// Whether the forces in joints are found too; of trees accelerations alone are found sooner.
  void want_forces(bool wanted) { forces_wanted_ = wanted; }
  /// Changes the accelerations that stand in the slope of the group's state so that all rows hold.
  JointPowers hold(double time, const Bodies& bodies, const GroupLayout& layout, double* slope);
  /// What the joints do at the last add_forces() and hold(), whose forces were wanted, written among those of the
  /// model; those of least norm where others would do as well.
  void write_loads(Indexed<JointIndex, JointLoad>& loads);
  /// Puts places and velocities on the rows; false where that cannot be done, or where rows have become dependent.
  bool project(double time, Bodies& bodies);
  /// The largest residual that the last project() left, relative to the sizes of joints, and the energy [J] that it
  /// took: kinetic energy, and work of free accelerations.
  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double taken() const { return taken_; }

  // ----- singular positions
  /// How far rows are from being dependent (JointSystem::log_volume()), and after places have been put on them; none
  /// where that cannot be done.
  [[nodiscard]] double log_volume(double time, const Bodies& bodies);
  [[nodiscard]] std::optional<double> log_volume_on_joints(double time, Bodies& bodies);
  /// Whether rows have become dependent, as far as steps can tell.
  [[nodiscard]] bool is_singular(double time, const Bodies& bodies);
  /// Of the stages of a step.
  [[nodiscard]] IndependenceWatch& watch() { return watch_; }

  // ----- turns
  /// Takes the turns from these places on, and writes them among those of the model.
  void note_turns(double time, const Bodies& bodies, Indexed<JointIndex, JointTurns>& turns);
  /// How long a step may be from here on: whole turns are counted, and motors' motions are smooth.
  [[nodiscard]] double longest_step(double time, const Bodies& bodies);

  // ----- dry friction
  /// What dry joints do from here on by their rates; those slower than `slow` [m/s] stick for now.
  void choose_modes(double time, const Bodies& bodies, double slow);
  /// Lets go the joint that needs the most beyond its static force at the last hold(), at the same time; false where
  /// there is none. One that joints hold as well, whatever friction does, is left to them.
  bool release_worst(double time);
  /// How far the dry joints are from doing something else, at the last hold(); negative where one does.
  [[nodiscard]] double dry_margin() const;

  /// What a run goes on from, into an archive or back into joints that have begun (group_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  struct HeldJoint {
    JointIndex joint;
    JointSystem::Slots slots;   ///< among held_
    JointTurns turns;           ///< where the step begins
    std::array<int, 2> geared;  ///< gear: its joints, among joints_
    int first_row = 0, rows = 0;
    Twist pushed{};  ///< force and torque of springs, motors and friction on its first body
  };
  struct DryCoordinate {
    enum class Mode { rises, falls, stick };
    int joint;  ///< among joints_
    int coordinate;
    Mode mode = Mode::stick;
    bool driven = false;   ///< a motor prescribes its motion: friction follows from that, and never sticks by itself
    bool blocked = false;  ///< other joints keep it from moving: its friction has nothing to do
    double held = 0.0;     ///< the coordinate where it sticks
    int row = -1;          ///< of the system where it sticks

    [[nodiscard]] bool sticks() const { return mode == Mode::stick && !driven && !blocked; }
    [[nodiscard]] double sign() const { return mode == Mode::rises ? 1.0 : -1.0; }
  };
  struct HeldBody {
    SlotIndex slot;
    BodyIndex body;
    BodyConstraints constraints;
    std::vector<int> row_counts;  ///< of its constraints
    Eigen::Matrix3d principal;    ///< frame to body frame
    bool is_principal;            ///< they are the same
  };

  [[nodiscard]] const JointKinematics& kinematics() const { return environment_->kinematics(); }
  [[nodiscard]] const Model& model() const { return environment_->model(); }
  [[nodiscard]] double size(const HeldJoint& held) const { return kinematics().size(held.joint); }
  /// Of a turn the size of the joint, of a shift 1: what a row of the coordinate is scaled by.
  [[nodiscard]] double unit_of(const DryCoordinate& dry) const;
  [[nodiscard]] const DryFriction& friction_of(const DryCoordinate& dry) const;
  [[nodiscard]] const HeldJoint& held(JointIndex joint) const;
  void lay_out();
  void read(const Bodies& bodies);
  /// Whether the bodies are where they were read last.
  [[nodiscard]] bool reads_same(const Bodies& bodies) const;
  [[nodiscard]] JointStates states(const HeldJoint& held, double time) const;
  /// Fills the rows of the system for the bodies that were read.
  void build(double time);
  [[nodiscard]] JointRow stick_row(const DryCoordinate& dry, const JointStates& at) const;
  /// Whether rows of joints keep this coordinate from moving where nothing else sticks.
  bool joints_hold(const DryCoordinate& dry, double time);
  void push(HeldJoint& held, const JointRow& row, double force, Bodies& bodies) const;
  /// Whether the bodies are held as a tree, whose rows are not needed.
  [[nodiscard]] bool hangs() const { return tree_.ready() && !forces_wanted_; }
  [[nodiscard]] JointTree::Places places() const { return {states_, rotations_, system_.bodies}; }
  /// Makes everything ready for the bodies that were read; returns the largest residual.
  double set_up(double time);
  /// Of the bodies that were read, with twists_ as their velocities.
  [[nodiscard]] double energy() const;
  void take_velocities();
  void factor();
  bool put_places(double time, Bodies& bodies);
  /// Of the rows that were built, relative to the sizes of joints.
  [[nodiscard]] double largest_residual() const;

  const Environment* environment_;
  std::vector<HeldJoint> joints_;
  std::vector<HeldBody> held_;
  std::vector<DryCoordinate> dry_;
  std::vector<LimitIndex> limits_;
  std::vector<BodyState> states_;           ///< of held_
  std::vector<Eigen::Matrix3d> rotations_;  ///< their orientations
  std::vector<Twist> twists_, changes_;
  std::vector<JointRow> rows_;  ///< scratch
  JointSystem system_;
  JointTree tree_;          ///< ready where the joints are one, and nothing but joints holds the bodies
  bool tree_fits_ = false;  ///< it stands where bodies were read last, with factors of that place
  bool forces_wanted_ = false;
  bool pushes_ = false;  ///< whether a spring, a damper, a motor of given force, friction or a limit acts on one
  double residual_ = 0.0, taken_ = 0.0;
  IndependenceWatch watch_;
  int rank_ = -1;  ///< of the rows when the group began; −1: not known yet
};

}  // namespace carom::smooth
