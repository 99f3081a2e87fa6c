#pragma once
/// A scene file (TOML with `format = 1`) as a model, its state at the start, and how to run it.
///
/// The keys stand in format/sections.cpp; docs/scene-file.md is the same for users. One file serves every engine: keys
/// that only another engine uses are checked all the same and listed as unused; unknown keys are errors.

#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"
#include "carom/scene/document/read_document.h"
#include "carom/scene/run_options.h"

namespace carom::scene {

struct SceneFile {
  std::string title;
  Model model;
  State state;  ///< at time 0
  RunOptions run;
  std::string text;                 ///< of the file as it was read
  std::vector<std::string> unused;  ///< paths of the keys that the chosen engine does not use
};

/// Reads a scene. Throws InputError with its place: types, ranges, names, everything that the validate functions of
/// mechanics check, and pairs of shapes whose distance is not known. Overlap at the start is left to the caller
/// (mechanics/initial_gaps.h), because a compliant engine allows more of it.
SceneFile read_scene_file(const Document& document);

/// An error about the model of a scene (`body.egg.position`) with its place in the file. A body that a [[fill]] made
/// has the place of the fill.
InputError with_scene_place(const InputError& error, const Document& document);

}  // namespace carom::scene
