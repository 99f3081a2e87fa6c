#pragma once
/// How the state of a group stands in one array of numbers:
///
/// y = [positions 3n | velocities 3n | of each body that spins: attitude (4), angular velocity, world (3) | of each
/// contact what it has done so far (Contact::extras) | works of dampers, of driven obstacles, of load torques; where
/// there are joints also of motors and of dry friction].

#include <vector>

#include "carom/base/archive.h"
#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/mechanics/state.h"

namespace carom::smooth {

class GroupLayout {
 public:
  static constexpr int kWorks = 3;       ///< dampers, driven obstacles, torques
  static constexpr int kJointWorks = 2;  ///< motors, dry friction of joints

  explicit GroupLayout(const Environment& environment) : environment_(&environment) {}

  struct Slot {
    BodyIndex body;
    int rest = kNone;  ///< where its attitude and spin stand in the state; kNone: it does not spin
    double began = 0.0;
    Quaterniond attitude = Quaterniond::Identity();  ///< at `began`, of one that does not spin
    Vector3d spin = Vector3d::Zero();

    [[nodiscard]] bool spins() const { return rest != kNone; }
  };

  /// For these bodies and contacts from `time` on; the contacts learn where they stand. Attitudes of bodies that do not
  /// spin go on uniformly from the given states (of all bodies of the model).
  void begin(double time, const Indexed<SlotIndex, BodyIndex>& bodies, const Indexed<BodyIndex, BodyState>& states,
             std::vector<Contact>& contacts);
  /// The state from those of the bodies and of the contacts.
  void write(const Indexed<BodyIndex, BodyState>& states, const std::vector<Contact>& contacts,
             std::vector<double>& y) const;
  /// Copies what the contacts have done from the state into them.
  void read_contacts(const double* y, std::vector<Contact>& contacts) const;

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const Indexed<SlotIndex, Slot>& slots() const { return slots_; }
  [[nodiscard]] int position(SlotIndex slot) const { return 3 * slot; }
  [[nodiscard]] int velocity(SlotIndex slot) const { return 3 * (count_ + slot); }

  /// Place and velocities of a body, without its forces. The attitude of one that does not spin is that of the
  /// beginning: it acts on nothing.
  void read(SlotIndex slot, const double* y, BodyMotion& motion) const;
  [[nodiscard]] BodyState body_state(SlotIndex slot, double time, const double* y) const;
  /// Where the works of dampers, driven obstacles and torques, of motors and of dry friction stand in the state; kNone:
  /// nothing of the kind works.
  [[nodiscard]] int works() const { return environment_->others_work() ? size_ - work_count() : kNone; }
  [[nodiscard]] int work_count() const { return kWorks + (environment_->has_joints() ? kJointWorks : 0); }

  /// What a run goes on from, into an archive or back (group_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  const Environment* environment_;
  Indexed<SlotIndex, Slot> slots_;
  int count_ = 0;  ///< of bodies
  int size_ = 0;
};

}  // namespace carom::smooth
