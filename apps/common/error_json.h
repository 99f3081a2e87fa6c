#pragma once
/// An error as JSON.

#include <string_view>

#include "carom/base/error.h"
#include "carom/base/json.h"

namespace carom::app {

/// {"error": {"kind", "message", "where": {"file", "line", "column", "field"}}}, unknown parts of the place null.
Json error_json(const InputError& error);
Json error_json(std::string_view kind, std::string_view message, const Place& place);

}  // namespace carom::app
