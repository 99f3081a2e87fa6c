#pragma once
/// What the commands that take a scene share: reading it with its settings, and giving errors their place.

#include <string>

#include "carom/scene/scene_file.h"
#include "common/command_line.h"

namespace carom::app {

inline constexpr Value kSceneValue{Value::Kind::file, "SCENE|-"};
inline constexpr std::string_view kSceneHelp = "scene file (TOML with a 'format' key); - reads standard input";
inline constexpr Option kSetOption{.name = "--set",
                                   .value = {Value::Kind::text, "PATH=VALUE"},
                                   .help =
                                       "change the scene before it is read, as in body.egg.velocity.0=1.5 or "
                                       "run.law=newton; may be given several times",
                                   .repeated = true};

/// A scene and the text it came from, settings included.
struct SceneInput {
  scene::Document document;
  scene::SceneFile file;
};

/// Reads the scene that the arguments name and applies every `--set`. Throws InputError with its place.
SceneInput read_scene(const Arguments& arguments);
/// The same for a document that has been read.
SceneInput read_scene(scene::Document document, const Arguments& arguments);

/// Runs `work`; an InputError that it throws about the model gets its place in the file.
template <class Work>
auto pointing_into_scene(const scene::Document& document, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw scene::with_scene_place(error, document);
  }
}

}  // namespace carom::app
