#pragma once
/// The motion of bodies that act on each other, as one system of differential equations.
///
/// The contacts are fixed while a group is integrated, so the right-hand side is a smooth function of the state
/// (friction laws may have kinks, which the error control sees). The state is laid out by GroupLayout.

#include <memory>
#include <optional>
#include <vector>

#include "carom/base/prefetch.h"
#include "carom/engine/smooth/body_constraints.h"
#include "carom/engine/smooth/contact_motion.h"
#include "carom/engine/smooth/group_joints.h"
#include "carom/engine/smooth/group_layout.h"
#include "carom/engine/smooth/group_stiffness.h"
#include "carom/engine/smooth/obstacle_memory.h"
#include "carom/engine/smooth/other_forces.h"
#include "carom/mechanics/contact_load.h"
#include "carom/numerics/stepper/stepper.h"
#include "carom/record/observer.h"

namespace carom::smooth {

class GroupDynamics final : public OdeSystem, private StiffPart {
 public:
  explicit GroupDynamics(const Environment& environment)
      : environment_(&environment),
        layout_(environment),
        other_forces_(environment),
        joints_(environment),
        obstacles_(environment) {}

  Indexed<SlotIndex, BodyIndex> bodies;  ///< in ascending order
  std::vector<Contact> contacts;

  /// Begins with the present bodies and contacts, and writes the state from those of the bodies and the turns of the
  /// joints at `time`.
  void begin(double time, const Indexed<BodyIndex, BodyState>& states, const Indexed<JointIndex, JointTurns>& turns,
             std::vector<double>& y);

  [[nodiscard]] int size() const override { return layout_.size(); }
  [[nodiscard]] int position_count() const override { return 3 * bodies.end_index(); }
  void slope(double time, const double* y, double* slope) override;
  /// Of groups without constraints.
  [[nodiscard]] StiffPart* stiff_part() override { return linearises_ ? this : nullptr; }

  [[nodiscard]] const Environment& environment() const { return *environment_; }
  [[nodiscard]] const GroupLayout& layout() const { return layout_; }

  /// Gap of a contact and the rate at which it opens.
  struct Gap {
    double gap, rate;
  };
  [[nodiscard]] Gap gap(const Contact& contact, double time, const double* y) const;
  [[nodiscard]] ContactMotion motion_of(const Contact& contact, double time, const double* y) const;
  /// Energy stored in a contact: along its normal, and in its tangential spring [J].
  struct Stored {
    double normal = 0.0, tangential = 0.0;
  };
  [[nodiscard]] Stored stored(const Contact& contact, double time, const double* y) const;
  /// Copies what the contacts have done from the state into them.
  void read_contacts(const double* y) { layout_.read_contacts(y, contacts); }
  /// Done so far by dampers, driven obstacles, torques, motors and dry friction of joints [J].
  struct Works {
    double damping = 0.0, walls = 0.0, torques = 0.0, motors = 0.0, dry = 0.0;
    void add_to(EnergyBook& book) const {
      book.damping += damping;
      book.wall_work += walls;
      book.torque_work += torques;
      book.motor_work += motors;
      book.friction += dry;
    }
  };
  [[nodiscard]] Works works(const double* y) const;

  /// Whether anything has to be put back onto constraints after a step, and that.
  [[nodiscard]] bool constrained() const { return constrained_; }
  /// Whether project() is how: otherwise forces of constraints are all that keeps them.
  [[nodiscard]] bool keeps_places() const {
    return has_joints() || (constrained_ && environment_->options().constraints == ConstraintMethod::projection);
  }
  struct Projected {
    bool kept = true;    ///< false: joints cannot be kept
    double taken = 0.0;  ///< energy [J] that putting bodies on joints took
    double error = 0.0;  ///< the largest that is left of a joint, relative to its size
  };
  Projected project(double time, double* y);
  /// The largest error of a constraint, relative to the rod's length or the body's size.
  [[nodiscard]] double drift(double time, const double* y) const;

  // ----- joints
  [[nodiscard]] bool has_joints() const { return joints_ && !joints_->empty(); }
  [[nodiscard]] bool has_limits() const { return joints_ && !joints_->limits().empty(); }
  /// The limits of its joints that are no contacts now.
  [[nodiscard]] std::vector<LimitIndex> open_limits() const;
  [[nodiscard]] bool has_dry_joints() const { return joints_ && joints_->has_dry(); }
  /// Writes the turns of its joints, now at this state, among those of the model.
  void note_turns(double time, const double* y, Indexed<JointIndex, JointTurns>& turns);
  /// Writes what its joints do at this state among the loads of the model's joints.
  void write_joint_loads(double time, const double* y, Indexed<JointIndex, JointLoad>& loads);
  /// Adds what its contacts do at this state (contact_loads.cpp).
  void append_contact_loads(double time, const double* y, std::vector<ContactLoad>& loads);
  /// How long a step may be from this state on.
  [[nodiscard]] double longest_step(double time, const double* y);
  /// How far what joints keep is from being dependent: at the stages of a step, at a state, and after that has been put
  /// on the joints.
  [[nodiscard]] IndependenceWatch& independence_watch() { return joints_->watch(); }
  [[nodiscard]] double log_volume_of_joints(double time, const double* y) {
    read_motions(y);
    return joints_->log_volume(time, motions_);
  }
  [[nodiscard]] std::optional<double> log_volume_on_joints(double time, const double* y) {
    read_motions(y);
    return joints_->log_volume_on_joints(time, motions_);
  }
  [[nodiscard]] bool has_singular_joints(double time, const double* y) {
    read_motions(y);
    return joints_->is_singular(time, motions_);
  }
  /// How far dry joints are from doing something else; negative where one does.
  [[nodiscard]] double dry_margin(double time, const double* y);

  /// Asks for the memory that a step reads.
  void prefetch() const {
    prefetch_elements(contacts);
    prefetch_elements(motions_);
    prefetch_elements(layout_.slots());
    prefetch_elements(constraints_);
  }

  /// What a run goes on from, into an archive or back (group_checkpoint.cpp). `integrated`: it has begun with its
  /// present bodies.
  void transfer(Archive& archive, bool integrated);

 private:
  double quickest_rate(double time, const double* y) override;
  void factor(double time, const double* y, double c) override;
  void solve(double* r) override { linear_.stiffness->solve(r); }
  void linearise(double time, const double* y);

  /// Reads the bodies from the state, without forces.
  void read_motions(const double* y);
  void choose_dry_modes(double time, const double* y);
  [[nodiscard]] SlipMode slip_mode(const Contact& contact, const ContactMotion& motion, const ContactLoad& load,
                                   const Vector3d& turning) const;

  const Environment* environment_;
  GroupLayout layout_;
  OtherForces other_forces_;
  /// Of a model that has joints; elsewhere nothing: most bodies of a gas fly, and what is near in memory is near in
  /// time.
  struct Joints : std::unique_ptr<GroupJoints> {
    explicit Joints(const Environment& environment) {
      if (environment.has_joints()) reset(new GroupJoints(environment));
    }
    Joints(const Joints& other) : unique_ptr(other ? std::make_unique<GroupJoints>(*other) : nullptr) {}
    Joints& operator=(const Joints& other) {
      if (this != &other) reset(other ? new GroupJoints(*other) : nullptr);
      return *this;
    }
    Joints(Joints&&) = default;
    Joints& operator=(Joints&&) = default;
    ~Joints() = default;
  };
  Joints joints_;
  Indexed<SlotIndex, BodyConstraints> constraints_;
  Indexed<SlotIndex, BodyMotion> motions_;
  bool constrained_ = false;
  /// Scratch that most groups never need; not copied with a group.
  struct Linear {
    std::unique_ptr<GroupStiffness> stiffness;
    std::optional<double> at;  ///< the time of what it knows

    Linear() = default;
    Linear(const Linear&) {}
    Linear& operator=(const Linear&) {
      at.reset();
      return *this;
    }
    Linear(Linear&&) = default;
    Linear& operator=(Linear&&) = default;
    ~Linear() = default;
  };
  Linear linear_;
  bool linearises_ = false;
  std::vector<double> scratch_;
  mutable ObstacleMemory obstacles_;
};

}  // namespace carom::smooth
