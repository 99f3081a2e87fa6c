#include "scene_input.h"

#include "carom/scene/settings.h"

namespace carom::app {

SceneInput read_scene(const Arguments& arguments) {
  scene::Document document = scene::read_document(*arguments.argument());
  scene::apply_settings(document, arguments.all(kSetOption.name));
  scene::SceneFile file = scene::read_scene_file(document);
  return {std::move(document), std::move(file)};
}

}  // namespace carom::app
