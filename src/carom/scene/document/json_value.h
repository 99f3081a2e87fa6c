#pragma once
/// JSON that a program wrote (the summary in a record, the replies of a browser) read into a value to be used and
/// written again.

#include <optional>
#include <string>

#include "carom/base/json.h"

namespace carom::scene {

/// The object that the text is; none where it is something else, or no JSON.
std::optional<Json> parse_json_object(std::string text);

}  // namespace carom::scene
