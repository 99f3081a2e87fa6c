#pragma once
/// Springs, resistance and torques on the bodies of a group.

#include <vector>

#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"

namespace carom::smooth {

/// What dampers take and torques give [W].
struct OtherPowers {
  double damping = 0.0;
  double torque = 0.0;
};

class OtherForces {
 public:
  explicit OtherForces(const Environment& environment) : environment_(&environment) {}

  /// For a group of these bodies.
  void begin(const Indexed<SlotIndex, BodyIndex>& bodies);
  [[nodiscard]] bool empty() const { return springs_.empty() && loads_.empty(); }
  /// Adds them to the bodies' forces.
  OtherPowers add(Indexed<SlotIndex, BodyMotion>& bodies) const;

 private:
  struct SpringEnds {
    SpringIndex spring;
    SlotIndex slot_a, slot_b;  ///< slot_b kNone: a fixed point
    bool central = false;      ///< between the centres
  };
  struct LoadOn {
    SlotIndex slot;
    LoadIndex load;
  };
  [[nodiscard]] double add_springs(Indexed<SlotIndex, BodyMotion>& bodies) const;

  const Environment* environment_;
  std::vector<SpringEnds> springs_;
  std::vector<LoadOn> loads_;
};

}  // namespace carom::smooth
