/// Positions in which rigid mechanics does not say how a mechanism goes on: passed at many speeds and tolerances, in
/// both engines, against closed forms; and mechanisms that only come near to one. Samples of coarse steps.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

using std::numbers::pi;

/// Cranks of a parallelogram, which turn evenly; the second may be a little longer than the first.
struct Parallelogram {
  double angle, rate, crank, ground;
  double longer = 0.0;
};

std::string text_of(const Parallelogram& linkage) {
  const Vector2d along(std::cos(linkage.angle), std::sin(linkage.angle)), across(-along.y(), along.x());
  const Vector2d base(linkage.ground, 0.0), pin = linkage.crank * along;
  const Vector2d far = base + pin * (1.0 + linkage.longer);
  const Vector2d velocity = linkage.crank * linkage.rate * across;
  // A longer second crank turns so that the coupler, which turns too, keeps its length.
  const Vector2d coupler = far - pin;
  const double far_rate = linkage.rate / (1.0 + linkage.longer);
  const Vector2d far_velocity = (far - base).norm() * far_rate * across;
  const double coupler_rate =
      (coupler.x() * (far_velocity - velocity).y() - coupler.y() * (far_velocity - velocity).x()) /
      coupler.squaredNorm();
  return text_of(Bar{"crank", {0.0, 0.0}, pin, 0.3, linkage.rate, 0.5 * velocity}) + kAlone +
         text_of(Bar{"coupler", pin, far, 1.5, coupler_rate, 0.5 * (velocity + far_velocity)}) + kAlone +
         text_of(Bar{"rocker", base, far, 0.3, far_rate, 0.5 * far_velocity}) + kAlone +
         hinge("axle", "'crank'", {0.0, 0.0}) + hinge("pin", "'crank', 'coupler'", pin) +
         hinge("far pin", "'rocker', 'coupler'", far) + hinge("pivot", "'rocker'", base);
}

std::string rigid_head(double duration, double tolerance) {
  return mechanism(0.0, duration) + fmt::format("integration_tolerance = {}\n", tolerance);
}

void expect_singular(const SceneRun& run, double time, double coarse) {
  ASSERT_EQ(run.result.stop, RunStop::failed);
  EXPECT_TRUE(run.result.failure->reason.starts_with("singular-mechanism")) << run.result.failure->reason;
  EXPECT_NEAR(run.result.failure->time, time, coarse * time);
}

TEST(SingularPosition, OfAParallelogramIsPassedByAtNoToleranceInNoEngine) {
  const Parallelogram linkages[] = {{1.1996812, 8.526368, 0.4150953, 0.9}, {0.7356237, 6.302862, 0.2359838, 1.1},
                                    {1.1655239, 7.438357, 0.4121487, 0.9}, {1.1663485, 0.762409, 0.2764274, 0.7},
                                    {1.4350105, 9.695971, 0.2404464, 1.0}, {1.3897885, 8.935435, 0.1058242, 0.6}};
  for (const Parallelogram& linkage : linkages) {
    const double time = (pi - linkage.angle) / linkage.rate;
    for (const double tolerance : {1e-12, 1e-8, 1e-6, 1e-5}) {
      SCOPED_TRACE(fmt::format("rate {} at {}", linkage.rate, tolerance));
      expect_singular(run_scene(scene_from_text(rigid_head(3.0 * time, tolerance) + text_of(linkage))), time, 1e-4);
    }
    for (const double tolerance : {1e-10, 1e-6}) {
      SCOPED_TRACE(fmt::format("compliant, rate {} at {}", linkage.rate, tolerance));
      expect_singular(run_scene(scene_from_text(smooth_head(0.0, 3.0 * time, tolerance) + text_of(linkage))), time,
                      1e-4);
    }
  }
}

TEST(SingularPosition, ThatIsOnlyComeNearToIsPassed) {
  // The second crank is longer by a ten-thousandth: the coupler is never quite in line with both cranks.
  // So is one that is longer by 1e-9: what it comes near to goes with the square root of that.
  for (const double longer : {1e-4, 1e-9}) {
    const Parallelogram linkage{1.2, 3.0, 0.3, 0.7, longer};
    for (const double tolerance : {1e-12, 1e-8}) {
      const SceneRun run = run_scene(scene_from_text(rigid_head(1.0, tolerance) + text_of(linkage)));
      EXPECT_EQ(run.result.stop, RunStop::duration) << tolerance << ", longer by " << longer;
    }
  }
  const SceneRun away = run_scene(scene_from_text(rigid_head(0.3, 1e-8) + text_of(Parallelogram{0.02, 3.0, 0.3, 0.7})));
  EXPECT_EQ(away.result.stop, RunStop::duration);
}

/// Where steps are long bodies are off their joints within them; samples are not.
TEST(CoarseSteps, LeaveEverySampleOnTheJoints) {
  for (const double tolerance : {1e-9, 1e-6, 1e-4}) {
    const SceneRun run = run_scene(scene_from_text(
        mechanism(kGravity, 2.0) + fmt::format("integration_tolerance = {}\n", tolerance) +
        text_of(Bar{"upper", {0.0, 0.0}, {1.0, 0.0}, 1.0}) + text_of(Bar{"lower", {1.0, 0.0}, {1.7, 0.4}, 0.6}) +
        hinge("shoulder", "'upper'", {0.0, 0.0}) + hinge("elbow", "'lower', 'upper'", {1.0, 0.0})));
    EXPECT_EQ(run.result.stop, RunStop::duration);
    EXPECT_LE(largest_joint_error(run), 1e-10) << tolerance;
  }
}

}  // namespace
}  // namespace carom::test
