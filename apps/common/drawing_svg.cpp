#include <fmt/format.h>

#include "carom/base/utf8.h"
#include "common/compression.h"
#include "common/drawing.h"

namespace carom::app {
namespace {

std::string escaped(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  std::string result;
  for (const char letter : printable(text, kLongest)) {
    switch (letter) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      default: result += letter;
    }
  }
  return result;
}

std::string hex(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

struct Writer {
  std::string& out;

  void operator()(const FilledBox& box) const {
    out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", box.x,
                       box.y, box.width, box.height, hex(box.colour));
  }
  void operator()(const PolyLine& line) const {
    out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" points=\"", hex(line.colour),
                       line.width);
    for (const auto& point : line.points) out += fmt::format("{:.2f},{:.2f} ", point.first, point.second);
    out += "\"/>\n";
  }
  void operator()(const DrawnText& text) const {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    const std::string turn =
        text.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", text.x, text.y) : "";
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" dy=\"0.35em\" text-anchor=\"{}\"{}>{}</text>\n", text.x, text.y,
                       kAnchors[static_cast<int>(text.anchor)], turn, escaped(text.text));
  }
  void operator()(const PlacedImage& placed) const {
    out += fmt::format(
        "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" preserveAspectRatio=\"none\" "
        "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        placed.x, placed.y, placed.width, placed.height, base64(png(placed.image)));
  }
};

}  // namespace

std::string svg(const Drawing& drawing) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      drawing.width, drawing.height);
  for (const auto& item : drawing.items) std::visit(Writer{out}, item);
  return out + "</svg>\n";
}

}  // namespace carom::app
