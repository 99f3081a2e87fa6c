#pragma once
/// Maps over two parameters as pictures: cells in colours, axes, a bar of colours or the names of the classes, curves
/// over it. Numbers are shown in viridis, classes in the colours of Okabe and Ito, cells without a value in grey; all
/// three can be told apart also by the colour-blind.

#include <span>
#include <string>

#include "carom/analysis/map.h"
#include "common/drawing.h"

namespace carom::app {

/// Colour of a share from 0 to 1: viridis (van der Walt and Smith 2015), between ten of its colours.
Colour viridis(double share);

/// One map, or several side by side in a grid, `width` pixels wide in all.
Drawing map_drawing(std::span<const Map> maps, int width);

/// The SVG carries the cells as a PNG within it, one pixel for each.
std::string map_svg(const Map& map, int width = 640);
std::string maps_svg(std::span<const Map> maps, int width);

std::string map_png(const Map& map, int width = 640);
std::string maps_png(std::span<const Map> maps, int width);

}  // namespace carom::app
