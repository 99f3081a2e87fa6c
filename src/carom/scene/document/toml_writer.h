#pragma once
/// Values as TOML that reads back to the same: the same type, numbers to the bit.

#include <string>
#include <string_view>

#include "carom/scene/document/node.h"

namespace carom::scene {

/// A value on one line, as it stands behind `=`. A date is written as the source has it. Of a null, which TOML does not
/// have, `null`.
std::string toml_text(const Node& node, const Source& source);

/// A key, quoted where it must be.
std::string toml_key(std::string_view key);

}  // namespace carom::scene
