#pragma once
/// The motion of bodies that act on each other, as one system of differential equations.
///
/// The contacts are fixed while a group is integrated, so the right-hand side is a smooth function of the state
/// (friction laws may have kinks, which the error control sees). The state is laid out by GroupLayout.

#include <vector>

#include "carom/engine/smooth/body_constraints.h"
#include "carom/engine/smooth/contact_motion.h"
#include "carom/engine/smooth/group_layout.h"
#include "carom/engine/smooth/obstacle_memory.h"
#include "carom/engine/smooth/other_forces.h"
#include "carom/numerics/stepper/stepper.h"

namespace carom::smooth {

class GroupDynamics final : public OdeSystem {
 public:
  explicit GroupDynamics(const Environment& environment)
      : environment_(&environment), layout_(environment), other_forces_(environment), obstacles_(environment) {}

  Indexed<SlotIndex, BodyIndex> bodies;  ///< in ascending order
  std::vector<Contact> contacts;

  /// Begins with the present bodies and contacts, and writes the state from those of the bodies at `time`.
  void begin(double time, const Indexed<BodyIndex, BodyState>& states, std::vector<double>& y);

  [[nodiscard]] int size() const override { return layout_.size(); }
  [[nodiscard]] int position_count() const override { return 3 * bodies.end_index(); }
  void slope(double time, const double* y, double* slope) override;

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
  /// Done so far by dampers, driven obstacles and torques [J].
  struct Works {
    double damping = 0.0, walls = 0.0, torques = 0.0;
  };
  [[nodiscard]] Works works(const double* y) const;

  /// Whether anything has to be put back onto constraints after a step, and that.
  [[nodiscard]] bool constrained() const { return constrained_; }
  void project(double time, double* y) const;
  /// The largest error of a constraint, relative to the rod's length or the body's size.
  [[nodiscard]] double drift(double time, const double* y) const;

 private:
  /// Reads the bodies from the state, without forces.
  void read_motions(const double* y);

  const Environment* environment_;
  GroupLayout layout_;
  OtherForces other_forces_;
  Indexed<SlotIndex, BodyConstraints> constraints_;
  Indexed<SlotIndex, BodyMotion> motions_;
  bool constrained_ = false;
  mutable ObstacleMemory obstacles_;
};

}  // namespace carom::smooth
