#pragma once
/// A ball on a floor as programs integrate it that notice a contact inside the right-hand side: what [Gismeros Moreno
/// 2021], figure 7, calls the collapse of the simulation, and why.
///
/// m z̈ = −m g + K δ^{3/2}(1 + λ δ̇/v₀), δ = −z. The speed of approach v₀ is δ̇ at the first evaluation with δ > 0 after
/// one without. That evaluation is a trial stage: it need not be near the instant of contact, it may be moving up, and
/// the step may be rejected, but v₀ stays. The engine never does so; this is its counter-example.

#include <string_view>
#include <vector>

namespace carom::reproduce::smooth {

struct LatchedInput {
  double drop = 0.03;           ///< [m], of the lowest point
  double tolerance = 1e-6;      ///< of a step, relative to the drop and to the speed that it gives
  double least_approach = 0.0;  ///< v₀ is kept at or above this [m/s]; 0: as it comes
  double duration = 2.0;        ///< [s]
};

struct LatchedDrop {
  bool collapsed = false;            ///< fell through the floor by twice the ball's radius, or steps shrank to nothing
  std::vector<double> time, height;  ///< a millisecond or less apart
};

/// Lankarani–Nikravesh with c = 0.7 and the ball of the bore, under the integrator of that name.
LatchedDrop latched_drop(const LatchedInput& input, std::string_view integrator);

}  // namespace carom::reproduce::smooth
