/// The tippe top against its equations of motion, integrated apart by a Runge-Kutta method with the ball held on the
/// table, and against what friction at a ball's point of contact keeps (Jellett 1872).

#include <gtest/gtest.h>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kTopRadius = 0.015, kOffCentre = 0.003;  // radius; centre of mass below the middle [m]
const Vector3d kTopMoments(5.022e-07, 5.022e-07, 5.4e-07);

Vector3d axis(const BodyState& top) {
  return top.orientation * Vector3d::UnitZ();
}

/// R (L·z) − a (L·e), with L about the centre of mass.
double jellett(const BodyState& top) {
  const Vector3d turning = top.orientation.conjugate() * top.angular_velocity;
  const Vector3d momentum = top.orientation * Vector3d(kTopMoments.cwiseProduct(turning));
  return kTopRadius * momentum.z() - kOffCentre * momentum.dot(axis(top));
}

TEST(TippeTop, TurnsOverAndSpinsOnItsStem) {
  const SceneRun run = run_shipped("tippe-top", {"run.output_step=0.1"});
  expect_sound(run);
  ASSERT_FALSE(run.impacts().empty());
  const double touched = run.impacts()[0].record.time;  // by the stem
  EXPECT_NEAR(touched, 1.276, 1e-3);
  const double start = jellett(run.samples.front().bodies[std::size_t{0}]);
  for (const State& sample : run.samples) {
    const BodyState& top = sample.bodies[std::size_t{0}];
    if (sample.time < touched) {
      EXPECT_NEAR(jellett(top), start, 1e-12 * start) << sample.time;
      EXPECT_NEAR(top.position.z(), kTopRadius - kOffCentre * axis(top).z(), 1e-11) << sample.time;
    }
    if (sample.time > 1.5) {
      EXPECT_LT(axis(top).z(), -0.98) << sample.time;
    }
  }
  EXPECT_GT(axis(run.samples.front().bodies[std::size_t{0}]).z(), 0.99);
  EXPECT_NEAR(axis(run.samples[4].bodies[std::size_t{0}]).z(), 0.823256792673, 1e-9);
  EXPECT_NEAR(axis(run.samples[8].bodies[std::size_t{0}]).z(), 0.330307379133, 1e-9);
  EXPECT_NEAR(axis(run.samples[12].bodies[std::size_t{0}]).z(), -0.479050348270, 1e-9);
  EXPECT_NEAR(run.samples[12].bodies[std::size_t{0}].velocity.x(), -0.0081867351, 1e-9);
}

TEST(TippeTop, TurnsOverWithForcesToo) {
  const SceneRun run = run_shipped("tippe-top", {"run.engine=smooth", "pair.0.restitution=0.3", "run.duration=1.6"});
  expect_ended(run);
  EXPECT_LT(axis(run.body("top")).z(), -0.98);
  const SceneRun part = run_shipped("tippe-top", {"run.engine=smooth", "pair.0.restitution=0.3", "run.duration=0.8"});
  EXPECT_NEAR(axis(part.body("top")).z(), 0.330307379133, 1e-3);
}

TEST(TippeTop, StaysUprightWithoutFriction) {
  const SceneRun run = run_shipped("tippe-top", {"pair.0.friction.coefficient=0"});
  expect_ended(run);
  for (const State& sample : run.samples) EXPECT_GT(axis(sample.bodies[std::size_t{0}]).z(), 0.99);
}

}  // namespace
}  // namespace carom::test
