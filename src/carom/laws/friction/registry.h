#pragma once
/// The friction laws by name, and the resistance to rolling and spinning that may stand beside each. From a law's line
/// here follow its name in a scene, the check of its parameters, its entry in `carom laws` and its contract test.

#include <span>
#include <string_view>

#include "carom/laws/friction/friction_law.h"
#include "carom/mechanics/model.h"

namespace carom {

extern const FrictionLaw kAlciatoreLaw;
extern const FrictionLaw kAmbrosioLaw;
extern const FrictionLaw kBengisuAkayLaw;
extern const FrictionLaw kCoulombLaw;
extern const FrictionLaw kTangentialSpringLaw;
extern const FrictionLaw kThrelfallLaw;

/// Every law.
std::span<const FrictionLaw* const> friction_laws();

/// Makes a law of one's own known by its name; it lives as long as the program. Throws InputError (duplicate_name).
void add_friction_law(const FrictionLaw& law);

/// The law of that name. Throws InputError (unknown_name) with the nearest known one; `field` is its place in the
/// input.
const FrictionLaw& friction_law(std::string_view name, const std::string& field = "friction.law");

/// `rolling`, `spinning` and `rolling_speed`: accepted beside the parameters of every friction law.
std::span<const LawParameter> resistance_parameters();

/// Checks the parameters, those of the resistance included, and prepares the friction. `field` is the path of the table
/// that holds them. Throws InputError.
Friction prepare_friction(const FrictionLaw& law, const LawParameters& given, const std::string& field = "friction");

/// The coefficients of the law `coulomb` from checked parameters: `coefficient` for both, or `static` and `kinetic`.
Coulomb coulomb_coefficients(const LawParameters& given);

/// The body that rolls: of two bodies the smaller, of a ball on a plane the ball.
struct RollingBody {
  double radius = 0.0;   ///< at the contact [m]
  double mass = 0.0;     ///< [kg]
  double inertia = 0.0;  ///< about the axis of rolling, through the centre [kg m²]
};

/// `rolling`, `spinning` and `rolling_speed` from checked parameters.
TurningResistance turning_resistance(const LawParameters& given);
/// The resistance of one contact.
Resistance prepare_resistance(const TurningResistance& given, const RollingBody& body);

}  // namespace carom
