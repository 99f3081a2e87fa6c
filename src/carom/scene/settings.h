#pragma once
/// `--set path=value`: changes to a scene before it is read.

#include <span>
#include <string>

#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// Applies settings such as `body.egg.velocity.0=1.5` or `run.law=newton` to the tree of a scene, in their order, each
/// by set_value (change.h). The value is TOML, and a bare word a string. What is set is checked by the reader, whose
/// errors point at the setting. Throws InputError that points at the setting: `usage` for what is no path of the scene,
/// `syntax` and `not_finite` for the value.
void apply_settings(Document& document, std::span<const std::string> settings);

}  // namespace carom::scene
