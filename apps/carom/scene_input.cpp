#include "scene_input.h"

namespace carom::app {

SceneInput read_scene(const Arguments& arguments) {
  return read_scene(Scene::read(*arguments.argument()), arguments);
}

SceneInput read_scene(Scene scene, const Arguments& arguments) {
  for (const std::string& setting : arguments.all(kSetOption.name)) scene.set(setting);
  scene::SceneFile file = scene.build();
  return {std::move(scene), std::move(file)};
}

}  // namespace carom::app
