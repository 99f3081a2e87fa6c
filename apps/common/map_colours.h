#pragma once
/// The colours of a map's cells. Numbers are shown in viridis, those of both signs in blue and red with white at zero,
/// directions in colours that close to a circle, classes in the colours of Okabe and Ito, cells without a
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

/// Colour of a share from 0 to 1: viridis (van der Walt and Smith 2015), "RdBu" of ColorBrewer (Brewer 2003) from blue
/// to red, or a circle of four hues (blue, white, red, dark), each between some of its colours; of counts the darker
/// part of viridis, the darker the more.
Colour value_colour(Hues hues, double share);

Colour class_colour(std::size_t index);

/// Colour of cells without a value.
Colour no_value_colour(const Map& map);

/// Three bytes for each cell, in the order of the values.
std::string cell_colours(const Map& map, const ValueScale& scale);

}  // namespace carom::app
