#pragma once
/// Legal scenes that once failed or stalled (tests/data/hard-scenes), run with settings.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/scene/settings.h"
#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {

inline scene::SceneFile hard_scene(const std::string& name, const std::vector<std::string>& settings = {}) {
  scene::Document document = scene::read_document(test_data("hard-scenes/" + name + ".toml"));
  scene::apply_settings(document, settings);
  return scene::read_scene_file(document);
}

inline SceneRun run_hard(const std::string& name, const std::vector<std::string>& settings = {}) {
  return run_scene(hard_scene(name, settings));
}

/// Ended in time or, where the scene asks for that, at rest; with its energy accounted for.
inline void expect_good_end(const SceneRun& run) {
  EXPECT_NE(run.result.stop, RunStop::failed) << (run.result.failure ? run.result.failure->reason : std::string());
  const double tolerance = run.scene.run.engine == "smooth" ? 100.0 * run.scene.run.rtol : 1e-9;
  EXPECT_LE(std::abs(run.result.energy.error()), tolerance * run.energy_scale);
}

inline double greatest_speed(const State& state) {
  double most = 0.0;
  for (const BodyState& body : state.bodies)
    most = std::max({most, body.velocity.norm(), body.angular_velocity.norm()});
  return most;
}

}  // namespace carom::test
