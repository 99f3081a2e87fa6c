#pragma once
/// Islands that joints and constraints alone hold together, without contacts: their rows are eliminated joint by joint
/// (mechanics/joint_system.h), in a time linear in the number of bodies of a chain or a tree.

#include <vector>

#include "carom/engine/singular_search.h"
#include "carom/mechanics/joint_system.h"
#include "carom/mechanics/joint_tree.h"

namespace carom::event {

struct Island;
struct VelocityCorrection;

class HeldIsland {
 public:
  /// `tolerance`: of the steps in which it is held.
  HeldIsland(const Model& model, double tolerance) : model_(&model), joints_(model) {
    system_.set_tolerance(tolerance);
  }

  /// Whether nothing but joints, rods and planes holds it.
  [[nodiscard]] static bool fits(const Island& island);
  /// For one step of an island that fits, from a state at its time: its joints, their turns and what dry ones do stay
  /// those of now.
  void prepare(const Island& island, const double* y);
  /// Says which rows depend on others, where that is in doubt, at a state that is on all of them.
  void review(double time, const double* y);
  /// Until release() accelerations, places and velocities are found without the forces in joints where these form a
  /// tree, which is sooner, and less exact in the last digits.
  void hurry();
  void release() { ready_ = hurries_ = false; }
  [[nodiscard]] bool ready() const { return ready_; }

  /// Changes accelerations, six of each body as in the state, so that all rows hold. Returns the power of motors.
  double hold(double time, const double* y, std::vector<double>& acceleration);
  /// What rows do to the joints' first bodies at the last hold(), at the anchors, added to those of the model; of least
  /// norm where others would do as well.
  void add_loads(double time, Indexed<JointIndex, JointLoad>& loads);
  /// How much is left of the row that depends on others the most, squared; 0 where rows have become dependent.
  [[nodiscard]] double independence(double time, const double* y);
  /// Of the stages since prepare().
  [[nodiscard]] const IndependenceWatch& watch() const { return watch_; }
  /// What the other rows leave of that of a coordinate, squared, relative to it: 0 where they do not let it move.
  [[nodiscard]] double freedom(JointIndex joint, int coordinate, double time, const double* y);
  /// Puts places on the rows; false where that cannot be done, or where rows have become dependent or independent.
  bool put_places(double time, double* y);
  /// The velocities, right after the places or at those of the state; what that took.
  VelocityCorrection put_velocities(double* y);
  VelocityCorrection put_velocities(double time, double* y);

 private:
  struct Held {
    JointIndex joint;
    JointSystem::Slots slots;
    JointTurns turns;
    std::array<int, 2> geared;  ///< gear: its joints among held_
  };
  struct Stuck {
    int held;  ///< among held_
    int coordinate;
    double at;
  };
  struct Guided {
    int slot;
    ConstraintIndex constraint;
    double size;
  };
  void read(const double* y);
  void build(double time, const double* y);
  [[nodiscard]] JointStates states(const Held& held, double time) const;
  [[nodiscard]] JointRow stuck_row(const Stuck& stuck, const JointStates& at) const;
  template <class Visit>
  void visit_blocks(double time, const Visit& visit);
  [[nodiscard]] JointTree::Places places() const { return {states_, rotations_, system_.bodies}; }
  /// The largest residual, relative to sizes, at a state; everything else is ready then to put bodies back.
  double set_up(double time, const double* y);
  void factor();
  [[nodiscard]] double motor_power() const;
  /// At the last factors.
  [[nodiscard]] double independence() { return system_.rank() != rank_ ? 0.0 : system_.independence(); }
  [[nodiscard]] double kinetic_energy() const;

  const Model* model_;
  JointKinematics joints_;
  bool ready_ = false;
  bool hurries_ = false;  ///< by tree_
  std::vector<BodyIndex> bodies_;
  std::vector<Held> held_;
  std::vector<Stuck> stuck_;
  std::vector<Guided> guided_;
  std::vector<double> row_size_;  ///< that the residual of each row is small beside [m]
  std::vector<BodyState> states_;
  std::vector<Eigen::Matrix3d> principal_;  ///< frames to body frames
  std::vector<char> is_principal_;          ///< whether the body frame is one
  std::vector<Eigen::Matrix3d> rotations_;  ///< orientations
  std::vector<Twist> twists_, changes_;
  std::vector<JointRow> rows_;  ///< scratch
  JointSystem system_;
  JointTree tree_;                         ///< of the same layout as system_, or of none
  bool tree_is_known_ = false;             ///< whether it was analysed for that layout
  std::vector<int> layout_, last_layout_;  ///< bodies, joints and constraints: of system_, and of the last prepare()
  IndependenceWatch watch_;
  int rank_ = -1;  ///< when the step began
};

}  // namespace carom::event
