#pragma once
/// The normal force laws by name. From a law's line here follow its name in a scene's [[pair]], the check of its
/// parameters, its entry in `carom laws` with the effective restitutions, and its contract test.

#include <span>
#include <string_view>

#include "carom/laws/normal_force/normal_law.h"
#include "carom/mechanics/restitution.h"

namespace carom {

extern const NormalLaw kExactLaw;
extern const NormalLaw kFloresLaw;
extern const NormalLaw kGharibHurmuzluLaw;
extern const NormalLaw kGonthierLaw;
extern const NormalLaw kHerbertMcwhannellLaw;
extern const NormalLaw kHertzLaw;
extern const NormalLaw kHuGuoLaw;
extern const NormalLaw kHuntCrossleyFixedLaw;
extern const NormalLaw kHuntCrossleyLaw;
extern const NormalLaw kKelvinVoigtLaw;
extern const NormalLaw kKuwabaraKonoLaw;
extern const NormalLaw kLankaraniNikraveshLaw;
extern const NormalLaw kLeeWangLaw;
extern const NormalLaw kTsujiLaw;

/// Every law: hertz, the laws with an approach speed, the laws without.
std::span<const NormalLaw* const> normal_laws();

/// Makes a law of one's own known by its name; it lives as long as the program. Throws InputError (duplicate_name).
void add_normal_law(const NormalLaw& law);

/// The law of that name. Throws InputError (unknown_name) with the nearest known one; `field` is its place in the
/// input.
const NormalLaw& normal_law(std::string_view name, const std::string& field = "normal");

/// The law that really gives the restitution asked for: `exact`.
const NormalLaw& default_normal_law();

/// The law for bodies that touch from the start: `hunt-crossley-fixed`.
const NormalLaw& touching_normal_law();

/// Checks the parameters of a law and makes the input of its contacts: restitution, exponent, … and the calibrated
/// constant; stiffness (where the pair gives none), reduced mass and approach speed are left to the contact. `field` is
/// the path of the table that holds them. Throws InputError.
NormalInput normal_input(const NormalLaw& law, const LawParameters& given, const std::string& field = {});

/// What a restitution of 0 means to contacts with forces: a thousandth of the speed comes back, a millionth of the
/// energy.
inline constexpr double kNoRebound = 1e-3;

/// The same with the restitution of a pair, which may depend on the speed of approach: every value that it can take is
/// checked, and the input has that of the slowest approach. A law whose own restitution depends on the speed refuses
/// one that does. `restitution` is a parameter of the law, or ignored where the law has none. No rebound at all would
/// take infinite damping: 0 means kNoRebound where the law cannot have 0.
NormalInput normal_input(const NormalLaw& law, LawParameters given, const Restitution& restitution,
                         const std::string& field);

/// The input of a contact with this restitution, calibrated anew; one below what the law can have is raised to that.
NormalInput at_restitution(const NormalLaw& law, NormalInput input, double restitution);

/// Whether a law has a parameter of that name.
bool knows(const NormalLaw& law, std::string_view parameter);

/// Refuses laws that need an approach speed for two bodies that touch from the start, with advice. Throws InputError
/// (unsupported); `who` names the two bodies.
void check_touching_start(const NormalLaw& law, std::string_view who, const std::string& field);

}  // namespace carom
