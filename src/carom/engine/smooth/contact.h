#pragma once
/// A place where two objects press on each other: who, where, by which laws, and what has happened there so far. One
/// contact is one point.

#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/smooth/contact_geometry.h"
#include "carom/laws/friction/friction.h"
#include "carom/laws/friction/resistance.h"
#include "carom/laws/normal_force/normal_force.h"
#include "carom/mechanics/joint_limit.h"

namespace carom::smooth {

/// A body within its group: the group's first one is 0.
using SlotIndex = Index<struct SlotKind>;

/// Of the size of a body: a gap, or an overlap, that is round-off.
inline constexpr double kRoundoffGap = 1e-12;

/// A contact that is closed.
struct Contact {
  PairGeometry geometry;
  SlotIndex slot_a;  ///< in its group
  SlotIndex slot_b;  ///< in its group; kNone: an obstacle
  LimitIndex limit;  ///< of a joint that it is; none where objects touch
  double arm = 1.0;  ///< of the limit of a turn [m]: what the turn is multiplied by to get the gap
  NormalForce normal;
  Friction friction;
  Resistance resistance;
  bool plain = false;  ///< balls, or a ball and a plane at rest, without friction and dents: central forces alone
  bool held = false;   ///< quasi-static: the normal force follows from balance
  bool round = false;  ///< a ball on anything round or flat
  bool dented = false;
  bool has_friction = false;
  bool has_resistance = false;
  bool has_spring = false;    ///< the friction is a tangential spring
  bool ever_clamped = false;  ///< the law would have pulled at some time
  bool pressed = false;       ///< has been deeper than round-off since it began
  int law_pair = 0;           ///< index of the laws, for the works
  double reduced_mass = 0.0;
  double share = 1.0;     ///< of the stiffness of one point, where a face spreads it over several
  double approach = 0.0;  ///< v₀ [m/s]
  double onset = 0.0;     ///< time from its beginning on in which a tangential spring comes to follow all slip [s]
  double began = 0.0;
  double first_rate = 0.0;     ///< gap rate when it began
  double energy_before = 0.0;  ///< kinetic, of the two [J]
  double deepest = 0.0;
  double gap = 0.0, rate = 0.0;  ///< where the present step of its group begins
  // What it has done so far.
  double impulse = 0.0;
  double damping_work = 0.0;
  double friction_work = 0.0;
  Vector3d tangential_impulse = Vector3d::Zero();
  Vector3d stretch = Vector3d::Zero();  ///< of the tangential spring [m]
  int extra = 0;                        ///< where that stands in the group's state
  double peak_force = 0.0;              ///< along the normal, the greatest so far [N]
  double peak_time = 0.0;               ///< when [s]

  void note_force(double force, double time) {
    if (!(force > peak_force)) return;
    peak_force = force;
    peak_time = time;
  }
  [[nodiscard]] bool is_limit() const { return limit.exists(); }
  /// Numbers in the group's state: impulse, damping work; friction: work, impulse (3); spring: stretch (3).
  [[nodiscard]] int extras() const { return 2 + (has_friction ? 4 : 0) + (has_spring ? 3 : 0); }

  /// Its spring and damper along the normal times `change` and, as the tangential ones, times `part`.
  void scale(double change, double part) {
    share *= part;
    normal.stiffness *= change * part;
    normal.damping *= change * part;
    friction.spring_stiffness *= part;
    friction.spring_damping *= part;
  }
  /// What it has done so far is told by another one.
  void forget_works() {
    impulse = damping_work = friction_work = peak_force = 0.0;
    tangential_impulse.setZero();
  }
  /// The pace at which a tangential spring gives up what Coulomb's limit does not bear of its stretch [1/s]: four times
  /// that of its own oscillation.
  [[nodiscard]] double giving_up() const { return 4.0 * std::sqrt(friction.spring_stiffness / reduced_mass); }
  /// Takes over another contact of the same pair.
  void add(const Contact& other) {
    share += other.share;
    normal.stiffness += other.normal.stiffness;
    normal.damping += other.normal.damping;
    const double together = friction.spring_stiffness + other.friction.spring_stiffness;
    if (together > 0.0) {
      stretch = (friction.spring_stiffness * stretch + other.friction.spring_stiffness * other.stretch) / together;
      friction.spring_stiffness = together;
      friction.spring_damping += other.friction.spring_damping;
    }
    impulse += other.impulse;
    damping_work += other.damping_work;
    friction_work += other.friction_work;
    tangential_impulse += other.tangential_impulse;
    note_force(other.peak_force, other.peak_time);
  }
};

}  // namespace carom::smooth
