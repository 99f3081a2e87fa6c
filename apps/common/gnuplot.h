#pragma once
/// Pictures drawn by gnuplot, which is looked for on the PATH when it is needed.
///
/// No shell is involved; how texts are kept from being anything else: gnuplot_words.h.

#include <string>

#include "carom/analysis/picture.h"

namespace carom::app {

enum class PictureFormat { svg, png, pdf };

/// By the ending of the file's name. Throws InputError (usage) for another one.
PictureFormat picture_format(const std::string& path);

/// The input of gnuplot: a script with all data inside that writes the picture to standard output.
std::string gnuplot_script(const Picture& picture, PictureFormat format);

/// Draws into a file, which appears when it is whole. Throws InputError (file): without gnuplot, naming the package;
/// where it fails; where the file cannot be written.
void draw(const Picture& picture, const std::string& path);
/// The same for a script that writes the picture in the format of the file's name.
void draw_script(const std::string& script, const std::string& path);

}  // namespace carom::app
