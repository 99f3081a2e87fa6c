#pragma once
/// The sections of the scene format by name, for the reader (section.h says what they are).

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "carom/scene/format/section.h"

namespace carom::scene {

inline constexpr std::array<std::string_view, 4> kEngineNames = {"event", "smooth", "gas", "grains"};

/// Most bodies of one [[fill]].
inline constexpr std::int64_t kMostFillBodies = 1'000'000;

/// `world`, `run`, `material`, `pair`, `body`, `plane`, `obstacle`, `spring`, `load`, `fill`.
const Section& section(std::string_view name);

const Section& orientation_section();

/// The kinds of shape; those that can be bodies stand first.
std::span<const Section> obstacle_shapes();

/// `rolling`, `rod`, `planar`.
std::span<const Section> constraint_kinds();

}  // namespace carom::scene
