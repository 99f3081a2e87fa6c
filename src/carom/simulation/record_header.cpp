#include "carom/simulation/record_header.h"

#include "carom/base/json.h"
#include "carom/engine/engine_registry.h"
#include "carom/scene/format/sections.h"

namespace carom {
namespace {

Json option_json(bool value) {
  return value;
}
Json option_json(std::int64_t value) {
  return value;
}
Json option_json(double value) {
  return json_number(value);
}
Json option_json(const std::optional<double>& value) {
  return value ? json_number(*value) : Json();
}
Json option_json(const std::string& value) {
  return value;
}
Json option_json(ConstraintMethod value) {
  return constraint_method_name(value);
}

/// The options that the engine of the run uses.
std::string options_json(const RunOptions& run) {
  const EngineSet engine = engine_kind(run.engine).bit;
  Json json = Json::object();
  for (const RunOption& option : run_option_table()) {
    if ((scene::find_key(scene::section("run"), option.name)->engines & engine) == 0) continue;
    std::visit([&](const auto member) { json[std::string(option.name)] = option_json(run.*member); }, option.member);
  }
  return json.dump();
}

}  // namespace

RecordHeader record_header(const Scene& scene, const scene::SceneFile& contents) {
  const RunOptions& run = contents.run;
  return {.scene = scene.text(),
          .settings = scene.settings(),
          .engine = run.engine,
          .law = engine_kind(run.engine).has_forces ? std::string() : run.law,
          .options = options_json(run),
          .seed = run.seed};
}

}  // namespace carom
