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

std::string gnuplot_head(PictureFormat format, const PageSize& page) {
  // Rounded: mitred corners of lines would reach beyond the values.
  std::string text = "set encoding utf8\nset minussign\n";
  const double pixels = page.letters * 96.0 / 72.0;
  switch (format) {
    case PictureFormat::svg:
      text += fmt::format(
          "set terminal svg size {:.0f},{:.0f} noenhanced rounded font 'sans-serif,{:.4g}' background rgb 'white'\n",
          page.width, page.height, pixels);
      break;
    case PictureFormat::png:
      text += fmt::format(
          "set terminal pngcairo size {:.0f},{:.0f} noenhanced rounded font 'sans-serif,{:.4g}' background rgb 'white'",
          page.width * page.dots, page.height * page.dots, page.letters);
      text += page.dots == 1 ? "\n" : fmt::format(" fontscale {0} linewidth {0} pointscale {0}\n", page.dots);
      break;
    case PictureFormat::pdf:
      text += fmt::format(
          "set terminal pdfcairo size {:.3f}in,{:.3f}in noenhanced rounded font 'sans-serif,{:.4g}' background rgb "
          "'white'\n",
          page.width / 96.0, page.height / 96.0, page.letters);
      break;
  }
  return text;
}

}  // namespace carom::app
