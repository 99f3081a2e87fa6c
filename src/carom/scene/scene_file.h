#pragma once
/// A scene file (TOML with `format = 1`) as a model, its state at the start, and how to run it.
///
/// The keys stand in format/; docs/scene-file.md is the same for users. One file serves every engine: keys
/// that only another engine uses are checked all the same and listed as unused; unknown keys are errors.

#include <span>
#include <string_view>
#include <vector>

#include "carom/base/error.h"
#include "carom/scene/document/read_document.h"
#include "carom/scene/scene_contents.h"

namespace carom::scene {

/// Throws `unsupported` where the document is JSON.
void require_toml(const Document& document);

/// Reads a scene. Throws InputError with its place: types, ranges, names, everything that the validate functions of
/// mechanics check, and pairs of shapes whose distance is not known. Overlap at the start is left to the caller
/// (mechanics/initial_gaps.h), because a compliant engine allows more of it.
SceneFile read_scene_file(const Document& document);

/// The same of a document that could be read before numbers below these keys of its root (`body`, `run`) were changed:
/// what stands below the others is not checked again, what engines check when they are made is left to them, and
/// `unused` stays empty.
SceneFile read_scene_file_again(const Document& document, std::span<const std::string_view> changed);

/// What keeps a scene that could be read from running: all that its engine says against it. Throws
/// InputError without a place.
void require_runnable(const SceneFile& scene);

/// Everything that is wrong with a scene, errors of require_runnable included: those in the file by their place, then
/// the others. Empty where the scene can be run. What depends on something wrong is not judged, and a whole that
/// consists of wrong parts neither; at most Complaints::kMost are listed.
std::vector<InputError> check_scene(const Document& document);

/// An error about the model of a scene (`body.egg.position`) with its place in the file. A body that a [[fill]] made
/// has the place of the fill.
InputError with_scene_place(const InputError& error, const Document& document);

}  // namespace carom::scene
