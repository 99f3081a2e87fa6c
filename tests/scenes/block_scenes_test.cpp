/// Blocks: one that rocks to rest, one that slides off a table.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/mechanics/state.h"
#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;
constexpr double kHalfWidth = 0.2, kHalfHeight = 0.5;

/// Housner's block about its edge: θ̇² = 3g/2R · (cos(α − θ₀) − cos(α − θ)) where it turns back at θ₀.
struct RockingBlock {
  double alpha = std::atan2(kHalfWidth, kHalfHeight);
  double radius = std::hypot(kHalfWidth, kHalfHeight);
  double ratio = 1.0 - 1.5 * std::sin(alpha) * std::sin(alpha);

  /// Angular velocity when the face comes down from θ₀.
  [[nodiscard]] double speed(double top) const {
    return std::sqrt(1.5 * kGravity / radius * (std::cos(alpha - top) - std::cos(alpha)));
  }
  /// The tilt that a block leaving its face with angular velocity ω reaches.
  [[nodiscard]] double top(double omega) const {
    return alpha - std::acos(std::cos(alpha) + omega * omega * radius / (1.5 * kGravity));
  }
  /// Time from θ₀ down to 0, by Simpson's rule in s, θ = θ₀ − s² (the integrand is smooth).
  [[nodiscard]] double time(double top) const {
    const int steps = 2000;
    const double width = std::sqrt(top) / steps;
    const auto integrand = [this, top](double s) {
      // cos(α − θ₀) − cos(α − θ) = 2 sin(α − θ₀ + s²/2) sin(s²/2), over s².
      const double half = 0.5 * s * s;
      const double sinc = s == 0.0 ? 0.5 : std::sin(half) / (s * s);
      return 2.0 / std::sqrt(1.5 * kGravity / radius * 2.0 * std::sin(alpha - top + half) * sinc);
    };
    double sum = integrand(0.0) + integrand(std::sqrt(top));
    for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * integrand(i * width);
    return sum * width / 3.0;
  }
};

TEST(RockingBlock, LosesTheKnownPartOfItsTurningAtEachImpact) {
  const SceneRun run = run_shipped("rocking-block");
  expect_sound(run);
  const RockingBlock block;
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 20u);
  double top = 0.2, time = block.time(top);
  for (std::size_t i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const double omega = block.speed(top);
    EXPECT_NEAR(impacts[i].record.time, time, 1e-9);
    const JumpRecord& jump = impacts[i].jumps.at(0);
    EXPECT_NEAR(std::abs(jump.angular_velocity_before.y()), omega, 1e-9);
    EXPECT_NEAR(jump.angular_velocity_after.y(), block.ratio * jump.angular_velocity_before.y(), 1e-12);
    // Only the edge that comes down takes an impulse.
    EXPECT_EQ(impacts[i].contacts.size(), 2u);
    top = block.top(block.ratio * omega);
    time += 2.0 * block.time(top);
  }
}

TEST(RockingBlock, ClattersToRestOnItsFace) {
  const SceneRun run = run_shipped("rocking-block");
  const RockingBlock block;
  double top = 0.2, end = block.time(top);
  for (int i = 0; i < 200 && top > 1e-15; ++i) {
    top = block.top(block.ratio * block.speed(top));
    if (!(top > 1e-13)) break;
    end += 2.0 * block.time(top);
  }
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events.back().record.kind, EventKind::rest);
  // The impacts below 1e-6 m/s are left out: half a dozen microseconds.
  EXPECT_NEAR(run.events.back().record.time, end, 1e-5);
  const BodyState& body = run.body("block");
  EXPECT_LE(difference(body.position, Vector3d(0, 0, kHalfHeight)), 1e-9);
  EXPECT_LE(body.orientation.angularDistance(Eigen::Quaterniond::Identity()), 1e-9);
  EXPECT_LE(body.velocity.norm() + body.angular_velocity.norm(), 1e-12);
}

TEST(BlockSlidesOffATable, TipsWhenItsCentreHasPassedTheEdge) {
  const SceneRun run = run_shipped("block-slides-off-a-table", {"run.duration=0.6", "run.output_step=0.005"});
  expect_sound(run);
  // The contacts at the rear open when the centre is over the edge; the steps of integration find that to 1e-9 s.
  bool tipped = false;
  for (const KeptEvent& event : run.of_kind(EventKind::release)) {
    tipped = tipped || std::abs(event.record.time - 0.5) < 1e-9;
  }
  EXPECT_TRUE(tipped);
  // Inertia about the axis along the edge, per mass.
  const double inertia = (0.2 * 0.2 + 0.1 * 0.1) / 3.0;
  double last_tilt = 0.0;
  for (const State& sample : run.samples) {
    SCOPED_TRACE(sample.time);
    const BodyState& block = sample.bodies[0];
    const double tilt = 2.0 * std::asin(block.orientation.y());
    const double past = sample.time - 0.5;
    if (past <= 0.0) {
      EXPECT_LE(std::abs(tilt), 1e-12);
      EXPECT_LE(difference(block.position, Vector3d(past, 0, 1.1)), 1e-12);
      EXPECT_LE(difference(block.velocity, Vector3d(1, 0, 0)), 1e-12);
    } else {
      EXPECT_GT(tilt, last_tilt);
      // The weight acts vt behind the edge: θ = g v t³/6J, less what the falling centre takes off the force (t² more).
      if (past < 0.011) {
        EXPECT_NEAR(tilt, kGravity * past * past * past / (6.0 * inertia), 0.02 * tilt + 1e-12);
      }
    }
    last_tilt = tilt;
  }
}

TEST(BlockSlidesOffATable, KeepsItsEnergyUntilItHitsSomething) {
  const SceneRun run = run_shipped("block-slides-off-a-table");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  const double before = energy(run.scene.model, run.scene.state).total();
  for (const State& sample : run.samples) {
    if (sample.time >= impacts[0].record.time) break;
    EXPECT_NEAR(energy(run.scene.model, sample).total(), before, 1e-10 * before) << sample.time;
  }
  EXPECT_EQ(run.scene.model.name(impacts[0].contacts.at(0).b), "floor");
}

}  // namespace
}  // namespace carom::test
