#pragma once
/// The report of `carom reproduce`: chapters as one HTML page, as Markdown and as JSON.

#include <map>
#include <string>
#include <vector>

#include "carom/base/json.h"
#include "reproduce/chapters/chapter.h"

namespace carom::app {

/// How many items of each verdict, in the order of the enumerators.
std::vector<std::size_t> count_verdicts(const reproduce::Chapter& chapter);

/// Pictures by their name: SVG.
using ReportPictures = std::map<std::string, std::string>;

/// One page with everything inside: pictures as data, no script, nothing fetched.
std::string report_html(const std::vector<reproduce::Chapter>& chapters, const ReportPictures& pictures);

/// Pictures are files `figures/NAME.svg` beside it.
std::string report_markdown(const std::vector<reproduce::Chapter>& chapters);

Json report_json(const std::vector<reproduce::Chapter>& chapters);

/// The table of verdicts for the terminal, and every item that differs.
std::string report_text(const std::vector<reproduce::Chapter>& chapters);

}  // namespace carom::app
