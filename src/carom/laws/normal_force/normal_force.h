#pragma once
/// The normal force of one contact, prepared: F = max(0, K δᵖ + C δ^q δ̇) for the depth δ > 0 and its rate δ̇.
///
/// Every law of this folder has this form; a law says what K, p, C and q are (normal_law.h), once, when the contact
/// closes. Evaluation is inline and takes a square root or two for the usual exponents. The clamp: surfaces without
/// adhesion only push; where the damping would pull (a third body drives the two apart quickly) the force is zero.
/// docs/theory/compliant-contact.md

#include <cmath>

namespace carom {

/// The force at one instant.
struct NormalValue {
  double force = 0.0;    ///< F ≥ 0 [N]
  double elastic = 0.0;  ///< K δᵖ [N]; F − elastic is the part that does not come back
  bool clamped = false;  ///< K δᵖ + C δ^q δ̇ was negative
};

/// A normal force that a program brings (NormalLaw::own), as any function of depth and rate. At rate zero it is the
/// spring, whose energy comes back.
class OwnNormalForce {
 public:
  /// The contact that it is asked about.
  struct Contact {
    double stiffness = 0.0;       ///< K of the pair or of the materials [N/mᵖ]
    double reduced_mass = 0.0;    ///< [kg]
    double approach_speed = 0.0;  ///< [m/s]; zero where bodies touch from the start
    double restitution = 1.0;     ///< nominal
  };

  OwnNormalForce() = default;
  OwnNormalForce(const OwnNormalForce&) = delete;
  OwnNormalForce& operator=(const OwnNormalForce&) = delete;
  virtual ~OwnNormalForce() = default;
  /// [N] at depth δ > 0 and rate δ̇; what is below zero is cut.
  [[nodiscard]] virtual double force(double depth, double rate, const Contact& contact) const = 0;
};

struct NormalForce {
  double stiffness = 0.0;         ///< K [N/mᵖ]
  double exponent = 1.5;          ///< p ≥ 1
  double damping = 0.0;           ///< C ≥ 0 [N s/m^{q+1}]
  double damping_exponent = 1.5;  ///< q ≥ 0
  /// Where there is one it takes the place of the formula; K and p tell how stiff it is about, to choose steps.
  const OwnNormalForce* own = nullptr;
  OwnNormalForce::Contact own_contact{};  ///< its stiffness is K before a face shared it among points

  /// The force at depth δ and rate δ̇ (positive: getting deeper); all zero for δ ≤ 0.
  [[nodiscard]] NormalValue evaluate(double depth, double rate) const {
    if (!(depth > 0.0)) return {};
    if (own != nullptr) return evaluate_own(depth, rate);
    const double power = depth_to(exponent, depth);
    const double damping_power = damping_exponent == exponent ? power : depth_to(damping_exponent, depth);
    const double elastic = stiffness * power;
    const double sum = elastic + damping * damping_power * rate;
    return sum < 0.0 ? NormalValue{0.0, elastic, true} : NormalValue{sum, elastic, false};
  }

  /// Energy of the spring at this depth, ∫K xᵖ dx = K δ^{p+1}/(p+1) [J].
  [[nodiscard]] double stored(double depth) const {
    if (own != nullptr) return stored_by_own(depth);
    return depth > 0.0 ? stiffness * depth_to(exponent, depth) * depth / (exponent + 1.0) : 0.0;
  }

  /// Depth at which the spring alone bears this load, (N/K)^{1/p} [m]: where resting bodies start.
  [[nodiscard]] double static_depth(double load) const {
    const double depth = std::pow(load / stiffness, 1.0 / exponent);
    return own != nullptr ? static_depth_of_own(load, depth) : depth;
  }

  /// ∂F/∂δ̇ at this depth [N s/m].
  [[nodiscard]] double damping_at(double depth, double rate) const {
    if (own != nullptr) return damping_of_own(depth, rate);
    return damping > 0.0 ? damping * std::pow(depth, damping_exponent) : 0.0;
  }

 private:
  // own_normal_force.cpp
  [[nodiscard]] double share() const { return stiffness / own_contact.stiffness; }
  [[nodiscard]] NormalValue evaluate_own(double depth, double rate) const;
  [[nodiscard]] double stored_by_own(double depth) const;
  [[nodiscard]] double static_depth_of_own(double load, double about) const;
  [[nodiscard]] double damping_of_own(double depth, double rate) const;

  static double depth_to(double power, double depth) {
    if (power == 1.5) return depth * std::sqrt(depth);
    if (power == 1.0) return depth;
    if (power == 0.5) return std::sqrt(depth);
    if (power == 0.25) return std::sqrt(std::sqrt(depth));
    if (power == 0.0) return 1.0;
    return std::pow(depth, power);
  }
};

}  // namespace carom
