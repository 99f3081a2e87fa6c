#pragma once
/// Maps over two parameters as pictures drawn by gnuplot: cells in colours (map_colours.h), axes, a bar of colours or
/// the names of the classes, curves over it.

#include <span>
#include <string>

#include "carom/analysis/map.h"
#include "common/gnuplot.h"

namespace carom::app {

/// The input of gnuplot: one map, or several side by side in a grid of so many columns (0: chosen), `width` pixels wide
/// in all. The cells stand in it as bytes.
std::string maps_script(std::span<const Map> maps, int width, PictureFormat format, std::size_t columns = 0);

/// Draws into a file, as `draw` does. An SVG carries the cells as images within it, one pixel for each.
void draw_maps(std::span<const Map> maps, int width, const std::string& path, std::size_t columns = 0);

}  // namespace carom::app
