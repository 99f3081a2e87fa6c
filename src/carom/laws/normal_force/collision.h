#pragma once
/// A collision of two bodies under a prepared normal force, by integration: m δ̈ = −F(δ, δ̇), δ(0) = 0, δ̇(0) = v.
///
/// What has no closed form is found so, and what has one is tested against it. In the variable δ = L s⁴ with time
/// dt = 4 s³ (L/v) dτ the equations s' = u, u' = −4 s³ F L/(m v²) are smooth at first contact for all laws of this
/// folder (their exponents are multiples of ¼), so that the eighth-order method keeps its order. The collision is over
/// when δ returns to zero or the force would pull; the force is zero there, so that the rebound does not depend on how
/// sharply that instant is found.

#include "carom/laws/normal_force/normal_force.h"

namespace carom {

struct CollisionInput {
  double reduced_mass = 1.0;  ///< [kg]
  double speed = 1.0;         ///< v > 0 [m/s], of approach
};

struct CollisionOutcome {
  double restitution = 0.0;     ///< rebound/approach
  double duration = 0.0;        ///< [s], while there is force
  double greatest_depth = 0.0;  ///< [m]
  bool clamped = false;         ///< ended by the clamp, with δ > 0
  bool finished = true;         ///< false: step limit (damping out of all proportion)
};

/// Integrates to about 1e-13 of the approach speed.
CollisionOutcome two_body_collision(const NormalForce& force, const CollisionInput& input);

}  // namespace carom
