#pragma once
/// What toml11 says about a wrong text, in our words. Internal to the TOML reader.

#include <string>

#include "carom/base/error.h"
#include "carom/scene/document/source.h"
#include "carom/scene/document/toml_guard.h"

namespace carom::scene {

/// Name under which the text is given to toml11; it heads the excerpts of its messages.
inline constexpr const char* kTomlSourceName = "carom-input";

/// Turns the several lines of a toml11 message (a sentence, then excerpts of the guarded text with carets, the last
/// of which is where the trouble is) into one sentence at one place of the source.
InputError translate_toml_complaint(const std::string& what, const GuardedToml& guarded, const Source& source);

}  // namespace carom::scene
