#pragma once
/// Velocity Verlet: kick, drift, kick with a fixed step; one evaluation a step. Second order; without velocities in the
/// forces it is symplectic and reversible, so that the energy error of an oscillation stays bounded for ever.
///
///     v½ = v + ½h a,   x⁺ = x + h v½,   a⁺ = a(t + h, x⁺, v + h a, r + h ṙ),   v⁺ = v½ + ½h a⁺
///
/// Forces that depend on velocities (damping, friction) see the predicted velocity v + h a, which is off by O(h²), so
/// that v⁺ is off by O(h³) in a step and the order is two with damping as well. The rest r follows the matching rule,
/// predicted r + h ṙ and then the trapezium r⁺ = r + ½h(ṙ + ṙ⁺), from the same evaluation. That evaluation also serves
/// as the slope of the new point, with x's replaced by v⁺: exact where f does not depend on v and r, off by O(h²)
/// otherwise. Stable for oscillations with ωh < 2.
///
/// Source: Swope, Andersen, Berens & Wilson, J. Chem. Phys. 76 (1982) 637; Hairer, Lubich & Wanner, Geometric Numerical
/// Integration, section I.1.

#include "carom/numerics/stepper/stepper.h"

namespace carom {

class VelocityVerlet final : public Stepper {
 public:
  /// `step`: the size it proposes [s]. It takes any size that is attempted, and never estimates an error.
  explicit VelocityVerlet(double step) : step_(step) {}

  [[nodiscard]] double proposed_step() const override { return step_; }
  [[nodiscard]] int order() const override { return 2; }

 private:
  [[nodiscard]] std::unique_ptr<Stepper> copy() const override { return std::make_unique<VelocityVerlet>(*this); }
  void transfer_history(Archive& archive) override;
  void begin() override;
  double try_step(double h) override;

  double step_;
  std::vector<double> predicted_;
};

}  // namespace carom
