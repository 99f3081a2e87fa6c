#include "common/gnuplot_words.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom::app {

std::string gnuplot_text(const std::string& text, std::size_t most) {
  std::string result = "'";
  for (const char c : printable(text, most)) {
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::string gnuplot_number(double value) {
  return std::isfinite(value) ? format_number(value) : "NaN";
}

std::string curve_colour(int index) {
  // Okabe & Ito, "Color Universal Design" (2008), without the yellow, which is hard to see on white.
  constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
  return kColours[static_cast<std::size_t>(index) % std::size(kColours)];
}

std::string gnuplot_head(PictureFormat format, int width, int height, int dots) {
  std::string text = "set encoding utf8\n";
  switch (format) {
    case PictureFormat::svg:
      text += fmt::format("set terminal svg size {},{} noenhanced font 'sans-serif,12' background rgb 'white'\n", width,
                          height);
      break;
    case PictureFormat::png:
      text += fmt::format("set terminal pngcairo size {},{} noenhanced font 'sans-serif,10' background rgb 'white'",
                          width * dots, height * dots);
      text += dots == 1 ? "\n" : fmt::format(" fontscale {0} linewidth {0} pointscale {0}\n", dots);
      break;
    case PictureFormat::pdf:
      // 96 pixels are an inch.
      text += fmt::format(
          "set terminal pdfcairo size {:.3f}in,{:.3f}in noenhanced font 'sans-serif,9' background rgb 'white'\n",
          width / 96.0, height / 96.0);
      break;
  }
  return text;
}

}  // namespace carom::app
