#pragma once
/// The sections of the scene format by name, for the reader (section.h says what they are).

#include <cstdint>
#include <span>
#include <string_view>

#include "carom/scene/format/section.h"

namespace carom::scene {

/// Most bodies of one [[fill]].
inline constexpr std::int64_t kMostFillBodies = 1'000'000;

/// Most rows of one [[rack]].
inline constexpr std::int64_t kMostRackRows = 1000;

/// Most balls of one [[cradle]].
inline constexpr std::int64_t kMostCradleBalls = 10'000;

/// `world`, `run`, `material`, `pair`, `body`, `plane`, `obstacle`, `spring`, `load`, `fill`, `rack`, `cradle`, `shot`,
/// `pocket`, `dent`.
const Section& section(std::string_view name);

const Section& orientation_section();

/// The kinds of shape: of obstacles all; of bodies those, a bore with given inertia among them; solid ones, compounds
/// among them; the sphere.
std::span<const Section> obstacle_shapes();
std::span<const Section> body_shapes();
std::span<const Section> solid_shapes();
std::span<const Section> round_shapes();

/// The kinds of shape that a compound can be made of, with their place, and those of a body with their mass.
std::span<const Section> body_parts();
std::span<const Section> obstacle_parts();

/// What a part of a body's compound says beside its shape.
std::span<const Key> part_keys();

/// Most parts of one compound.
inline constexpr std::size_t kMostParts = 1000;

/// The key that says which point a position is that of, and its values.
inline constexpr std::string_view kPositionOf = "position_of";
inline constexpr std::string_view kOfShape = "shape";
inline constexpr std::string_view kOfCentreOfMass = "centre_of_mass";
/// Most rows of a table of driven motion.
inline constexpr int kMostTableRows = 100'000;
/// The kinds of driven motion: `sine`, `polynomial`, `table`.
std::span<const Section> motion_kinds();

/// How a number may differ among many bodies: `range` with `from` and `to`, `random` with `min` and `max`.
std::span<const Section> spread_kinds();
inline constexpr std::string_view kUniform = "uniform";
inline constexpr std::string_view kLogUniform = "log-uniform";

/// The key of a fill, rack or cradle under which single bodies of it are changed.
inline constexpr std::string_view kChangesName = "changes";

/// `rolling`, `rod`, `planar`.
std::span<const Section> constraint_kinds();

/// `spherical`, `revolute`, `universal`, `prismatic`, `cylindrical`, `fixed`, `rod`, `gear`.
std::span<const Section> joint_kinds();
/// How the place changes that a motor keeps.
std::span<const Section> motor_motion_kinds();

/// The friction laws, and how a restitution may depend on the speed: `power`, `table`; the key `law` chooses.
std::span<const Section> friction_kinds();
std::span<const Section> restitution_kinds();

}  // namespace carom::scene
