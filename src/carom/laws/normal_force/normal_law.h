#pragma once
/// What a normal force law is: a name, its parameters, and how to prepare the force of a contact.
///
/// Two stages. `normal_input` (registry.h) checks the parameters of a pair of materials and calibrates the law's one
/// constant, once for a scene. When a contact closes, the engine writes stiffness, reduced mass and approach speed into
/// a copy of that input, and `prepare` makes the NormalForce of it, which is evaluated until the contact opens.
/// To add a law: one file beside this one that defines a NormalLaw, and one line in registry.cpp.

#include <optional>
#include <span>
#include <string_view>

#include "carom/laws/normal_force/normal_force.h"
#include "carom/mechanics/law_parameters.h"

namespace carom {

/// What a law may need to know. The first part belongs to the pair of materials, the second to the contact.
struct NormalInput {
  double restitution = 1.0;      ///< c, the nominal one; what a law makes of it: NormalLaw::effective_restitution
  double exponent = 1.5;         ///< n
  double reference_speed = 0.0;  ///< [m/s], at which the restitution holds where `restitution_at_reference_speed`
  std::optional<double> given_stiffness;  ///< K where the pair gives one; otherwise Hertz's (contact_stiffness.h)
  std::optional<double> relaxation_time;  ///< [s], kuwabara-kono
  double constant = 0.0;                  ///< what `calibrate` made of the above: λ, λ/v, ζ, β or A

  double stiffness = 0.0;       ///< K [N/mⁿ]
  double reduced_mass = 0.0;    ///< [kg], of the two bodies along the normal
  double approach_speed = 0.0;  ///< v₀ > 0 [m/s], −(gap rate) at first contact; used where `needs_approach_speed`
};

struct NormalLaw {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view formula;
  std::string_view source;  ///< citation
  std::span<const LawParameter> parameters;

  /// The force depends on the speed of approach: undefined for bodies that touch from the start, and refused there.
  bool needs_approach_speed = false;
  /// The restitution is that at `reference_speed`, and another at other speeds.
  bool restitution_at_reference_speed = false;
  /// Meant for impact speeds below validity_speed() only.
  bool low_speed_only = false;

  /// Further checks of parameters whose names and ranges are right; may be null. Throws InputError.
  void (*check)(const LawPlace& place, const LawParameters& given) = nullptr;
  /// The law's constant from the first part of the input.
  double (*calibrate)(const NormalInput& input) = nullptr;
  /// The force of a contact. stiffness > 0; reduced_mass > 0; approach_speed > 0 where needed.
  NormalForce (*prepare)(const NormalInput& input) = nullptr;
  /// e of a collision of two bodies for the nominal c (at reference_speed where it depends on the speed), the same for
  /// all K, m and n.
  double (*effective_restitution)(double nominal) = nullptr;
  /// The force of a law that a program brings; `prepare` then gives K and p only.
  const OwnNormalForce* own = nullptr;
};

/// Impact speed [m/s] up to which laws with `low_speed_only` are meant to be used: 1e-5 √(E/ρ). Above it metals deform
/// permanently. Lankarani & Nikravesh 1994; [Gismeros Moreno 2021].
double validity_speed(double young, double density);

}  // namespace carom
