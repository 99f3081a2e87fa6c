#pragma once
/// Results as JSON. Doubles are printed so that they read back to the same double; what is not finite becomes null.

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "carom/base/error.h"

namespace carom::app {

/// Keeps the order in which fields are added.
using Json = nlohmann::ordered_json;

/// A number, or null where there is none or it is not finite.
Json json_number(double value);
Json json_number(std::optional<double> value);

/// A list of such numbers.
Json json_numbers(std::span<const double> values);
Json json_numbers(std::span<const std::optional<double>> values);

/// The object as text, indented, lists of plain values on one line; ends with a newline. Strings that are not UTF-8
/// (file names) get replacement characters.
std::string json_text(const Json& object);

/// {"error": {"kind", "message", "where": {"file", "line", "column", "field"}}}, unknown parts of the place null.
Json error_json(const InputError& error);
Json error_json(std::string_view kind, std::string_view message, const Place& place);

}  // namespace carom::app
