#pragma once
/// The motion of a ball on a plane in closed form: it slides, rolls, spins or rests.
///
/// A ball (radius R, mass m, moment of inertia J = k m R²) on a plane that does not turn, under a constant force. With
/// the normal n, the free acceleration g = a − P n (a along the plane, P ≥ 0 presses), the plane's velocity w, the slip
/// u = v − w − R ω × n and the resistance to rolling r and to spinning s (laws/friction/resistance.h):
///   slides   v̇ = a − μ_k P ê,  ω̇ = (P/(k R)) (μ_k n × ê − (1+k) r ω̂_t),  u̇ = v̇ − R ω̇ × n     ê = u/|u|
///   rolls    v̇ = a/(1+k) − r P d,  ω̇ = n × v̇/R,  friction/m = v̇ − a                       d = (v − w)/|v − w|
///   rests    where |a|/(1+k) ≤ r P; without resistance where a = 0
///   spins    d(ω·n)/dt = −s P/(k R²) against the spin, in all of these
/// Where rolling would take more friction than μ_s P the ball slides. Accelerations are constant as long as no
/// direction turns: a and, where rolling is resisted, ω_t have to go along with ê or d. Across an incline ê turns where
/// nothing resists the rolling, and d; that has a closed form too where it comes to an end (turning_slip.h). In all
/// other cases there is no stretch, and the motion is integrated.

#include <memory>
#include <optional>

#include "carom/contact/motion.h"
#include "carom/engine/event/island.h"
#include "carom/engine/event/turning_slip.h"

namespace carom::event {

/// What does not change while the ball stays on the plane.
struct BallOnPlane {
  Vector3d normal = Vector3d::UnitZ();        ///< from the plane to the ball
  Vector3d wall_velocity = Vector3d::Zero();  ///< w [m/s]
  Vector3d along = Vector3d::Zero();          ///< a [m/s²]
  double pressing = 0.0;                      ///< P [m/s²]
  double radius = 0.0;
  double mass = 0.0;
  double inertia_factor = 0.4;  ///< k
  Coulomb friction;
  TurningResistance resistance;

  /// Splits the free acceleration; what is round-off of it along the plane is none.
  void set_acceleration(const Vector3d& free);
  [[nodiscard]] Vector3d relative_velocity(const BodyState& state) const;  ///< v − w, along the plane
  [[nodiscard]] Vector3d slip(const BodyState& state) const;               ///< u
};

/// What a contact does, and the direction of its slip where it slides.
struct ContactAction {
  ContactMode mode = ContactMode::smooth;
  Vector3d direction = Vector3d::Zero();
};

/// A stretch of constant accelerations, or of a slip or rolling that turns.
struct BallStretch {
  enum class End { never, slip_ends, turning_ends, rolling_ends, spin_ends, leaves_face };

  ContactAction action;
  Vector3d acceleration = Vector3d::Zero();
  double spread = 0.0;                    ///< |v̇ − acceleration|, not zero where it turns [m/s²]
  Vector3d spin_rate = Vector3d::Zero();  ///< where it turns only that about the normal
  std::shared_ptr<const TurningSlip> turning;
  double duration = contact::kForever;  ///< [s]
  End end = End::never;
  double dissipation = 0.0;         ///< by friction and resistance, at the start [W]
  double dissipation_rate = 0.0;    ///< [W/s]
  double dissipation_by_way = 0.0;  ///< along what turns [N]
  double wall_power = 0.0;          ///< of the plane's forces on the ball [W]

  [[nodiscard]] double dissipated(double tau) const {
    const double way = turning ? turning->at(tau).length : 0.0;
    return tau * (dissipation + 0.5 * tau * dissipation_rate) + dissipation_by_way * way;
  }
};

/// The stretch that begins in a state in which the contact does what `action` says, slides instead where its friction
/// does not suffice to roll; none where a direction turns.
std::optional<BallStretch> stretch_of(const BallOnPlane& ball, const BodyState& state, const ContactAction& action);

/// The state in which a stretch ends, `reached` up to round-off, exactly: no slip, no turning, no velocity or no spin
/// any more.
BodyState ended(const BallOnPlane& ball, const BallStretch& stretch, const BodyState& reached);

/// What the contact does after a stretch: a slip that has ended sticks where μ_s allows it, and turns round otherwise.
ContactAction action_after(const BallOnPlane& ball, const BallStretch& stretch);

}  // namespace carom::event
