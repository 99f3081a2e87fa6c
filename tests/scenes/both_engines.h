#pragma once
/// The same mechanism in the rigid engine and, by the method of order 8, in the compliant one.

#include "scenes/mechanism_text.h"

namespace carom::test {

inline const Eigen::Vector3d kDown(0.0, -kGravity, 0.0),
    kAlongZ(0.0, 0.0, -kGravity), kWeightless = Eigen::Vector3d::Zero();

/// With the parameter testing::Bool(): whether in the compliant engine.
class BothEngines : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static bool compliant() { return GetParam(); }
  /// How near the two come to what is expected.
  [[nodiscard]] static double within(double rigid, double compliant_one) { return compliant() ? compliant_one : rigid; }
  [[nodiscard]] static std::string head(const Eigen::Vector3d& gravity, double duration, double rtol = 1e-11) {
    return fmt::format("format = 1\n[world]\ngravity = [{}, {}, {}]\n[run]\nduration = {}\noutput_step = {}\n{}\n",
                       gravity.x(), gravity.y(), gravity.z(), duration, duration / 37.0,
                       compliant()
                           ? fmt::format("engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = {}", rtol)
                           : std::string("law = 'newton'"));
  }
  static SceneRun run_held(const std::string& text) {
    const SceneRun run = run_scene(scene_from_text(text));
    expect_held(run);
    return run;
  }
};

inline std::string engine_of(const testing::TestParamInfo<bool>& tested) {
  return tested.param ? "compliant" : "rigid";
}

}  // namespace carom::test
