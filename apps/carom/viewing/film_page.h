#pragma once
/// The viewer's page with films inside: one file that shows them wherever it is opened.

#include <span>
#include <string>
#include <string_view>

#include "carom/film/film.h"

namespace carom::app {

/// The page with these films, in their order. A film goes in as gzip in base64, and so do the names and titles of its
/// scene; the name of its file, which the page shows where a film is damaged, with every special letter escaped.
std::string page_with_films(std::string_view page, std::span<const FilmBuilder* const> films);

/// The viewer's page. Throws InputError (file) where the tool was built without it, and says how to get it.
std::string_view require_viewer_page();

}  // namespace carom::app
