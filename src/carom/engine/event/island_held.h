#pragma once
/// Islands that joints and constraints alone hold together, without contacts: their rows are eliminated joint by joint
/// (mechanics/joint_system.h), in a time linear in the number of bodies of a chain or a tree.

#include <optional>
#include <vector>

#include "carom/engine/singular_search.h"
#include "carom/mechanics/joint_system.h"
#include "carom/mechanics/joint_tree.h"

namespace carom::event {

struct Island;
struct VelocityCorrection;

class HeldIsland {
 public:
  explicit HeldIsland(const Model& model) : model_(&model), joints_(model) {}

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
  /// A way in which a contact can push: what a unit of its force does to the bodies, six components of each as in the
  /// state. `idle`: it pushes with nothing now, and cannot pull.
  struct ContactPush {
    std::vector<double> load;
    bool idle;
  };
  /// Marks the loads of joints that would be others if these contacts shared what they bear in another way, which the
  /// motion does not tell. After hold() and add_loads().
  void mark_shared_with(const std::vector<ContactPush>& pushes, Indexed<JointIndex, JointLoad>& loads);
  /// How far rows are from being dependent at a state (JointSystem::log_volume()), and after its places have been put
  /// on the rows; none where that cannot be done.
  [[nodiscard]] double log_volume(double time, const double* y);
  [[nodiscard]] std::optional<double> log_volume_on_joints(double time, double* y);
  /// Whether rows have become dependent at a state, as far as steps can tell.
  [[nodiscard]] bool is_singular(double time, const double* y);
  /// Of the stages since prepare().
  [[nodiscard]] const IndependenceWatch& watch() const { return watch_; }
  /// What the other rows leave of that of a coordinate, squared, relative to it: 0 where they do not let it move.
  [[nodiscard]] double freedom(JointIndex joint, int coordinate, double time, const double* y);
  /// The largest residual of a row at a state, relative to the size of its joint.
  [[nodiscard]] double residual(double time, const double* y) { return set_up(time, y); }
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
  /// By Newton's method; false where that does not succeed.
  bool put_on_rows(double time, double* y);
  [[nodiscard]] double motor_power() const;
  /// What joints leave of a push that would be of unit length in the metric without them; the forces in joints that it
  /// takes are those of system_ then. Empty where a push does nothing.
  [[nodiscard]] std::vector<double> left_of(const ContactPush& push);
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
