#include "scene_input.h"

#include "carom/scene/settings.h"

namespace carom::app {

SceneInput read_scene(const Arguments& arguments) {
  return read_scene(scene::read_document(*arguments.argument()), arguments);
}

SceneInput read_scene(scene::Document document, const Arguments& arguments) {
  scene::apply_settings(document, arguments.all(kSetOption.name));
  scene::SceneFile file = scene::read_scene_file(document);
  return {std::move(document), std::move(file)};
}

}  // namespace carom::app
