#pragma once
/// The tables of the format, one function each, and the lines that several of them share. Internal to the format:
/// others ask for a section by its name (sections.h).

#include <array>

#include "carom/scene/format/key_builders.h"
#include "carom/scene/format/section.h"

namespace carom::scene {

const Section& world_section();
const Section& run_section();
const Section& material_section();
const Section& pair_section();
const Section& body_section();
const Section& plane_section();
const Section& obstacle_section();
const Section& spring_section();
const Section& load_section();
const Section& fill_section();
const Section& rack_section();
const Section& cradle_section();
const Section& shot_section();
const Section& when_section();
const Section& pocket_section();
const Section& dent_section();
const Section& camera_section();

inline constexpr Bounds kSeed{0.0, 9007199254740992.0, false, false};  // 2⁵³: every TOML reader keeps it

inline constexpr Key kObjectNameKey = required(plain_key("name", ValueType::name, "unique among all objects"));
inline constexpr Key kMaterialKey =
    plain_key("material", ValueType::name, "name of a [[material]]", "(smooth and elastic)");
inline constexpr Key kColourKey =
    plain_key("colour", ValueType::name, "in pictures: `#rrggbb`, red, green and blue in hexadecimal", "(chosen)");
inline constexpr int kMostGroups = 64;  ///< that one object may name
inline constexpr Key kGroupsKey = optional_names_key("groups", kMostGroups, "names of groups that it belongs to");
inline constexpr Key kAvoidKey = optional_names_key(
    "avoid", kMostGroups, "names of groups that it does not meet, whichever of the two names the other");
inline constexpr Key kMassKey = with_unit(number_key("mass", kPositive, "mass; this or density"), "kg");
inline constexpr Key kDensityKey =
    with_unit(number_key("density", kPositive, "mass per volume; this or mass"), "kg/m³");

inline constexpr std::array kOrientationKeys = {
    numbers_key("bryan_deg", 3, "Bryan angles ψ, θ, φ in degrees: A = Rx(ψ) Ry(θ) Rz(φ)"),
    with_unit(numbers_key("bryan_rad", 3, "the same in radians"), "rad"),
    numbers_key("quaternion", 4, "unit quaternion [w, x, y, z]"),
};
inline constexpr Section kOrientation{"orientation", "turns body vectors into world vectors; one of the keys below",
                                      kOrientationKeys};
inline constexpr Key kOrientationKey = table_key("orientation", ValueType::table, kOrientation, "(not turned)");

}  // namespace carom::scene
