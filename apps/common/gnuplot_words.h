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

/// How large a picture is, and its letters.
struct PageSize {
  double width, height;  ///< [px], 96 of which are an inch
  double letters = 9.0;  ///< [pt]
  int dots = 1;          ///< of a PNG, along each px
};

/// The first lines: letters, the same in all formats, and how the picture is written.
std::string gnuplot_head(PictureFormat format, const PageSize& page);

}  // namespace carom::app
