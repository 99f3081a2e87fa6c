#pragma once
/// A scene in a text, run by its engine into a record: for tests of what is made of records.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/record/record_reader.h"
#include "carom/record/record_writer.h"
#include "carom/scene/scene_file.h"
#include "record/fake_run.h"

namespace carom::test {

/// Writes the record and returns the scene.
inline scene::SceneFile record_scene(const std::string& text, const std::string& path) {
  scene::SceneFile scene = scene::read_scene_file(scene::parse_document("scene", text));
  RecordHeader header;
  header.scene = text;
  header.engine = scene.run.engine;
  header.law = scene.run.law;
  RecordWriter writer(path, scene.model, header);
  const RunResult result =
      run_to_end(engine_kind(scene.run.engine).make(std::make_shared<const Model>(scene.model), scene.state, scene.run),
                 {scene.run.output_step, scene.run.stop_at_rest}, &writer);
  writer.finish(result.stop, "{}");
  return scene;
}

}  // namespace carom::test
