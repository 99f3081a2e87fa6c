#pragma once
/// What the commands that take a scene share: reading it with its settings.

#include <string>

#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"
#include "common/command_line.h"
#include "problem_input.h"

namespace carom::app {

inline constexpr Value kSceneValue{Value::Kind::file, "SCENE|-"};
inline constexpr std::string_view kSceneHelp = "scene file (TOML with a 'format' key); - reads standard input";
inline constexpr Option kSetOption{.name = kSetName,
                                   .value = {Value::Kind::setting, "PATH=VALUE"},
                                   .help =
                                       "change the scene before it is read, as in body.egg.velocity.0=1.5 or "
                                       "run.law=newton; may be given several times",
                                   .repeated = true};
std::vector<std::string_view> engine_names();

/// The settings that are asked for most, with names of their own.
inline constexpr Option kLawOption{
    .name = "--law", .value = kLawValue, .help = "short for --set run.law=NAME", .short_for = "run.law"};
inline constexpr Option kEngineOption{.name = "--engine",
                                      .value = {Value::Kind::choice, "NAME", "engine", &engine_names},
                                      .help = "short for --set run.engine=NAME",
                                      .short_for = "run.engine"};
inline constexpr Option kDurationOption{.name = "--duration",
                                        .value = {Value::Kind::text, "SECONDS"},
                                        .help = "short for --set run.duration=SECONDS",
                                        .short_for = "run.duration"};

/// A scene with its settings, and what it says.
struct SceneInput {
  Scene scene;
  scene::SceneFile file;
};

/// Reads the scene that the arguments name and applies every `--set`. Throws InputError with its place.
SceneInput read_scene(const Arguments& arguments);
/// The same for a scene that has been read.
SceneInput read_scene(Scene scene, const Arguments& arguments);

}  // namespace carom::app
