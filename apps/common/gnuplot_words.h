#pragma once
/// The words that all scripts for gnuplot are made of.
///
/// Texts stand in single quotes, in which gnuplot expands nothing (in double quotes it would run what stands in
/// backquotes); quotes are doubled and control characters escaped; its markup is switched off.

#include <cstddef>
#include <string>

#include "common/gnuplot.h"

namespace carom::app {

/// A text in quotes, cut where it has more than `most` characters.
std::string gnuplot_text(const std::string& text, std::size_t most = 110);

/// A number; `NaN` for what is not finite.
std::string gnuplot_number(double value);

/// The colour of a curve, the same in all pictures: #RRGGBB.
std::string curve_colour(int index);

/// The first lines: letters, and how the picture is written. Sizes in pixels; a PNG has `dots` along each of them.
std::string gnuplot_head(PictureFormat format, int width, int height, int dots = 1);

}  // namespace carom::app
