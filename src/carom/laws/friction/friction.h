#pragma once
/// Friction of one contact, prepared: F_t = −N μ(v) v̂ for the sliding velocity v of length v = |v|.
///
/// All laws but `tangential-spring` are functions of the sliding speed, regularised so that the force is continuous and
/// zero at v = 0; the engine takes F_t = −N · over_speed(v) · v, in which nothing is divided by a small v. Evaluation
/// is inline: a switch on the kind, no virtual call. docs/theory/compliant-contact.md

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"

namespace carom {

/// tanh(x)/x from x²: 1 at 0, and by its series where a contact sticks, which is most of the time.
inline double tanh_over_root(double square) {
  if (square > 4e-4) {
    const double x = std::sqrt(square);
    return std::tanh(x) / x;
  }
  return 1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0 - square * (17.0 / 315.0)));
}
inline double tanh_over(double x) {
  return tanh_over_root(x * x);
}

enum class FrictionKind { none, threlfall, ambrosio, bengisu_akay, coulomb, alciatore, tangential_spring, own };

/// Friction that a program brings (FrictionLaw::own), as any function of the sliding speed.
class OwnFriction {
 public:
  OwnFriction() = default;
  OwnFriction(const OwnFriction&) = delete;
  OwnFriction& operator=(const OwnFriction&) = delete;
  virtual ~OwnFriction() = default;
  /// μ(v) for v > 0, continuous and zero at v = 0.
  [[nodiscard]] virtual double coefficient(double speed) const = 0;
};

struct Friction {
  FrictionKind kind = FrictionKind::none;
  double mu = 0.0;          ///< coefficient; the static one of bengisu-akay; the part 0.108 of alciatore that decays
  double kinetic = 0.0;     ///< μ_k of bengisu-akay; the lasting part 9.951e-3 of alciatore
  double speed = 1.0;       ///< [m/s]: v_r, or v₀ of ambrosio and bengisu-akay
  double end_speed = 1.0;   ///< v₁ of ambrosio [m/s]
  double decay = 0.0;       ///< ξ of bengisu-akay, 1.088 of alciatore [s/m]
  double saturation = 1.0;  ///< of threlfall: c beyond v_r

  /// tangential-spring: the engine keeps the spring's elongation and limits its force to μN.
  double spring_stiffness = 0.0;  ///< [N/m]
  double spring_damping = 0.0;    ///< [N s/m]

  const OwnFriction* own = nullptr;  ///< of the kind `own`

  /// Whether the engine has to keep an elongation for this contact.
  [[nodiscard]] bool has_spring() const { return kind == FrictionKind::tangential_spring; }

  /// μ(v) = |F_t|/N for v ≥ 0; of the tangential spring the limit μ.
  [[nodiscard]] double coefficient(double v) const {
    switch (kind) {
      case FrictionKind::none: return 0.0;
      case FrictionKind::threlfall: return v <= speed ? -mu * std::expm1(-3.0 * v / speed) : mu * saturation;
      case FrictionKind::ambrosio:
        if (v <= speed) return 0.0;
        return v >= end_speed ? mu : mu * (v - speed) / (end_speed - speed);
      case FrictionKind::bengisu_akay:
        if (v < speed) return mu * v * (2.0 * speed - v) / (speed * speed);  // 1 − (v − v₀)²/v₀²
        return kinetic + (mu - kinetic) * std::exp(-decay * (v - speed));
      case FrictionKind::coulomb: return mu * std::tanh(v / speed);
      case FrictionKind::alciatore: return (kinetic + mu * std::exp(-decay * v)) * std::tanh(v / speed);
      case FrictionKind::tangential_spring: return mu;
      case FrictionKind::own: return v > 0.0 ? own->coefficient(v) : 0.0;
    }
    return 0.0;
  }

  /// The same from v²; some laws need no root of it.
  [[nodiscard]] double over_speed_of_square(double square) const {
    if (kind == FrictionKind::coulomb) return mu / speed * tanh_over_root(square / (speed * speed));
    return over_speed(std::sqrt(square));
  }

  /// μ(v)/v for v ≥ 0, finite and accurate down to v = 0 [s/m]. Not for the tangential spring.
  [[nodiscard]] double over_speed(double v) const {
    CAROM_ASSERT(!has_spring());
    if (kind == FrictionKind::bengisu_akay && v < speed) return mu * (2.0 * speed - v) / (speed * speed);
    if (kind == FrictionKind::coulomb) return mu / speed * tanh_over(v / speed);
    if (kind == FrictionKind::own) return coefficient(std::max(v, kSlow * speed)) / std::max(v, kSlow * speed);
    if (v > kTiny * speed) return coefficient(v) / v;
    switch (kind) {  // the limit; the next term is of relative size v/v_r
      case FrictionKind::threlfall: return 3.0 * mu / speed;
      case FrictionKind::ambrosio: return speed == 0.0 ? mu / end_speed : 0.0;
      case FrictionKind::alciatore: return (kinetic + mu) / speed;
      default: return 0.0;
    }
  }

 private:
  static constexpr double kTiny = 1e-17;
  static constexpr double kSlow = 1e-6;  ///< below this part of `speed` a program's function counts as linear
};

}  // namespace carom
