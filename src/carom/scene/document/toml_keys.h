#pragma once
/// Finds keys in a TOML text that is known to be valid. Internal to the TOML reader.

#include <cstddef>
#include <optional>
#include <string_view>

#include "carom/scene/document/source.h"

namespace carom::scene {

/// The last part of the key whose value begins at `value`: the `b` of `a . b = 1`.
std::optional<Mark> key_before_value(std::string_view text, std::size_t value);

/// Part number `index` (from 0) of the dotted key or the table header (`[a.b]`, `[[a.b]]`) that `key` covers.
std::optional<Mark> key_part(std::string_view text, Mark key, std::size_t index);

}  // namespace carom::scene
