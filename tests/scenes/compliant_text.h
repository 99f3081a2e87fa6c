#pragma once
/// Texts of scenes with joints for the compliant engine.

#include "scenes/mechanism_text.h"

namespace carom::test {

/// The head of a scene with gravity −y, by the method of order 8.
inline std::string smooth_head(double gravity, double duration, double rtol = 1e-11) {
  return fmt::format(
      "format = 1\n[world]\ngravity = [0, {}, 0]\n[run]\nengine = 'smooth'\nintegrator = 'dormand-prince-853'\n"
      "rtol = {}\nduration = {}\noutput_step = {}\n",
      -gravity, rtol, duration, duration / 37.0);
}

inline SceneRun run_kept(const std::string& text) {
  const SceneRun run = run_scene(scene_from_text(text));
  expect_held(run);
  return run;
}

}  // namespace carom::test
