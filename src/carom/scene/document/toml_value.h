#pragma once
/// A single TOML value, outside of any file.

#include <string_view>

#include "carom/scene/document/node.h"

namespace carom::scene {

/// Reads a value that stands at `whole` in some source; all its marks lie within that. Throws InputError as read_toml
/// does, without a place.
Node read_toml_value(std::string_view text, Mark whole);

}  // namespace carom::scene
