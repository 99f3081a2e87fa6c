#pragma once
/// The colours of a map's cells. Numbers are shown in viridis, classes in the colours of Okabe and Ito, cells without a
/// value in grey; all three can be distinguished by the colour-blind.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "carom/analysis/map.h"
#include "common/map_scale.h"

namespace carom::app {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

inline constexpr Colour kNoValueColour{200, 200, 200};

/// Colour of a share from 0 to 1: viridis (van der Walt and Smith 2015), between ten of its colours.
Colour viridis(double share);

Colour class_colour(std::size_t index);

/// Colour of a share of the scale of a map whose values are numbers: viridis, and of counts its darker part, the darker
/// the more.
Colour share_colour(const Map& map, double share);

/// Colour of cells without a value.
Colour no_value_colour(const Map& map);

/// Three bytes for each cell, in the order of the values.
std::string cell_colours(const Map& map, const ValueScale& scale);

}  // namespace carom::app
