/// Contacts that would begin and open without end, or jump from one place to another, under the compliant engine.

#include <gtest/gtest.h>

#include <optional>

#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// A pyramid of equal bricks that touch each other's sides, on a floor.
SmoothScene brick_pyramid(int rows, const Vector3d& half) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -9.81};
  scene.options.rtol = 1e-6;
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero());
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < rows - row; ++k)
      scene.add_body(Box{half}, 8000.0 * half.prod(),
                     {half.x() * (2 * k - (rows - row - 1)), 0.0, half.z() * (2 * row + 1)}, Vector3d::Zero());
  return scene;
}

/// The time that is reached after at most so many events and steps.
double time_after(const SmoothScene& scene, int events, double until) {
  const auto engine = scene.engine();
  engine->start();
  for (int k = 0; k < events; ++k) {
    const std::optional<double> next = engine->next_time();
    if (!next || *next > until) return until;
    engine->handle_next();
  }
  return engine->now();
}

TEST(Chatter, SidesThatTouchByRoundOffDoNotBeginAndOpenWithoutEnd) {
  SmoothScene scene = brick_pyramid(6, {0.039, 0.03729389967607778, 0.029943772190955648});
  scene.set_stiffness(6363460589.858396);
  scene.set_law("tsuji", 0.32);
  EXPECT_EQ(time_after(scene, 600, 0.001), 0.001);  // 300 steps and contacts; 100 000 get to 0.0002 s otherwise
}

}  // namespace
}  // namespace carom::test
