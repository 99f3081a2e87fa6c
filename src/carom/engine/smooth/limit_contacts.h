#pragma once
/// Limits of the coordinates of joints (mechanics/joint_limit.h) as contacts that give way: a spring and a damper on
/// the gap, F = max(0, k δ + 2ζ √(k m) δ̇), the law `kelvin-voigt`, whose restitution is the joint's at every speed.
///
/// m is what the gap's row feels through all joints, 1/(l W lᵀ); where a motor prescribes the coordinate nothing
/// yields, and m is that of the bodies alone. k is the joint's `limit_stiffness`. Without one it is such that the limit
/// yields by a thousandth of the joint's size, or of the way between its two limits where that is shorter:
///   k = m (V/d)²,   V = max(v₀, √(a d₀), d₀/s),   d = d₀/1000,
/// v₀ the speed at which it is met, a the weight of its bodies per mass, d₀ that length.

#include <optional>

#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/contact_maker.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

class LimitContacts {
 public:
  LimitContacts(const Environment& environment, const ContactLaws& laws, const Paths& paths)
      : environment_(environment), laws_(laws), paths_(paths) {}

  /// The limit as a contact that begins now, where the stretches of its bodies begin.
  [[nodiscard]] Contact make(const LimitIndex& limit, double now) const;
  /// Gives a contact its law anew for the speed that it has.
  void prepare(Contact& contact, double now) const;
  /// How it stands then: the depth, the coordinate's direction as normal and the anchor as point; and its rate.
  [[nodiscard]] Meeting standing(const LimitIndex& limit, double now) const;

 private:
  [[nodiscard]] double stiffness(const Contact& contact) const;

  const Environment& environment_;
  const ContactLaws& laws_;
  const Paths& paths_;
};

/// What of a contact that is a limit names the two: `a` its first body, `b` the second, or behind all obstacles the
/// ground.
PairGeometry limit_geometry(const Model& model, const LimitIndex& limit);

/// The motion of a limit with its joint in these states.
ContactMotion limit_motion(const JointKinematics& kinematics, const LimitIndex& limit, const JointStates& states);

/// Shortens the step of a group to where the first of its open limits is met.
void find_limits(const Motions& motions, Group& group);

}  // namespace carom::smooth
