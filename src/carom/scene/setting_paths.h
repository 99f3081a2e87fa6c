#pragma once
/// The paths that `--set` can change in a scene, for completion in shells.

#include <string>
#include <vector>

#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// Every value that the document has, numbers of an array not one by one, and every key of `[run]` and `[world]`,
/// sorted: `body.egg.mass`, `pair.0.restitution`, `run.law`. Entries that have names go by them.
std::vector<std::string> setting_paths(const Document& document);

}  // namespace carom::scene
