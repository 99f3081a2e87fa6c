#include "viewing/film_page.h"

#include <fmt/format.h>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "common/compression.h"
#include "viewing/page.h"

namespace carom::app {
namespace {

constexpr std::string_view kMarker = "<!-- films -->";

/// Letters, digits, dots, hyphens and underscores as they are, all others as numbers: safe anywhere in HTML.
std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const char letter = text.front();
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || letter == '.' || letter == '-' || letter == '_';
    if (plain) {
      result += letter;
    } else {
      constexpr char32_t kReplacement = 0xFFFD;
      const char32_t code = character.valid && character.code != 0 ? character.code : kReplacement;
      result += fmt::format("&#{};", static_cast<std::uint32_t>(code));
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string page_with_films(std::string_view page, std::span<const FilmBuilder* const> films) {
  // The last one: scripts before it may mention it.
  const std::size_t place = page.rfind(kMarker);
  CAROM_ASSERT(place != std::string_view::npos);
  std::string result(page.substr(0, place));
  for (std::size_t i = 0; i < films.size(); ++i) {
    result += fmt::format("<script type=\"application/octet-stream;base64\" id=\"film-{}\" data-name=\"{}\">", i,
                          escaped(films[i]->name()));
    result += base64(gzip(films[i]->part(), GzipEffort::thorough));
    result += "</script>\n";
  }
  result += page.substr(place);
  return result;
}

std::string_view require_viewer_page() {
  if (!viewer_page().empty()) return viewer_page();
  throw InputError(Kind::file, "",
                   "this carom was built without its viewer; install Node (Debian: nodejs npm), run 'npm ci --prefix "
                   "viewer' in its source folder and build again");
}

}  // namespace carom::app
