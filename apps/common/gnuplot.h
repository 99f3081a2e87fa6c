#pragma once
/// Pictures drawn by gnuplot, which is looked for on the PATH when it is needed.
///
/// No shell is involved. Texts stand in single quotes, in which gnuplot expands nothing (in double quotes it would run
/// what stands in backquotes); quotes are doubled and control characters escaped; its markup is switched off.

#include <string>

#include "carom/analysis/picture.h"

namespace carom::app {

enum class PictureFormat { svg, png, pdf };

/// By the ending of the file's name. Throws InputError (usage) for another one.
PictureFormat picture_format(const std::string& path);

/// What gnuplot is told: a script with all data inside that writes the picture to standard output.
std::string gnuplot_script(const Picture& picture, PictureFormat format);

/// Draws into a file, which appears when it is whole. Throws InputError (file): without gnuplot, naming the package;
/// where it fails; where the file cannot be written.
void draw(const Picture& picture, const std::string& path);

}  // namespace carom::app
