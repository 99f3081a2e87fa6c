#pragma once
/// A scene as TOML in its canonical form: sections and keys in the order of the format, each value on one line.

#include <string>

#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// Reads back to the same scene. Keys that the format does not know stand behind those that it knows. Comments are
/// lost.
std::string scene_toml(const Document& document);

}  // namespace carom::scene
