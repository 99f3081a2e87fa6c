#pragma once
/// The field `scene` of a film: what is shown, as JSON. docs/film-format.md

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/film/nearest_pairs.h"
#include "carom/scene/scene_file.h"

namespace carom {

/// What a film says about its run that the scene does not.
struct FilmLabel {
  std::string name;     ///< of the file, without folder
  std::string version;  ///< of carom that made the run
  std::vector<std::string> settings;
  int run = 0;  ///< rises when a scene that is watched is run again
};

/// One JSON object. Texts that are not UTF-8 get replacement characters.
std::string film_scene_json(const scene::SceneFile& scene, const FilmLabel& label, std::span<const ObjectPair> gaps);

/// A text as a JSON string, likewise.
std::string json_string(std::string_view text);

/// The text itself where it is one JSON object, else `null`.
std::string json_object_or_null(std::string_view text);

}  // namespace carom
