#include "scene_input.h"

#include "carom/engine/engine_registry.h"

namespace carom::app {

std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const EngineKind& kind : engine_kinds()) names.push_back(kind.name);
  return names;
}

SceneInput read_scene(const Arguments& arguments) {
  return read_scene(Scene::read(*arguments.argument()), arguments);
}

SceneInput read_scene(Scene scene, const Arguments& arguments) {
  for (const std::string& setting : arguments.all(kSetOption.name)) scene.set(setting);
  scene::SceneFile file = scene.build();
  return {std::move(scene), std::move(file)};
}

}  // namespace carom::app
