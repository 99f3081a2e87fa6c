/// Balls in rows and racks: the digits of π, the cradle under every law, the break, and the bouncing ball.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/laws/impact/registry.h"
#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

TEST(DigitsOfPi, HitsCountThem) {
  const std::int64_t digits[] = {3, 31, 314, 3141, 31415};
  double mass = 1.0;
  for (const std::int64_t count : digits) {
    SCOPED_TRACE(mass);
    if (quick() && count > 5000) break;
    const SceneRun run = run_shipped("digits-of-pi", {setting("body.heavy.mass", mass)});
    EXPECT_EQ(run.result.impacts, count);
    EXPECT_EQ(run.result.stop, RunStop::duration);
    // Each impact rounds the velocity of the heavy ball, which has nearly all the energy.
    EXPECT_LE(std::abs(run.result.energy.error()), (1e-14 + 1.2e-16 * static_cast<double>(count)) * run.energy_scale);
    // All is over: the heavy ball runs away from the wall and the light one does not catch it.
    EXPECT_GE(run.body("light").velocity.x(), 0.0);
    EXPECT_LE(run.body("light").velocity.x(), run.body("heavy").velocity.x());
    mass *= 100.0;
  }
}

std::vector<double> speeds(const SceneRun& run) {
  std::vector<double> result;
  for (const BodyState& body : run.result.final_state.bodies) result.push_back(body.velocity.x());
  return result;
}

double sum(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

TEST(Cradle, EveryLawKeepsMomentumAndTellsWhenItMakesEnergy) {
  for (const ImpactLaw* law : impact_laws()) {
    for (const double restitution : {1.0, 0.7}) {
      SCOPED_TRACE(std::string(law->name) + " " + std::to_string(restitution));
      scene::SceneFile scene = shipped_scene("cradle", {"run.law=" + std::string(law->name)});
      scene.model.materials = {{.name = "one", .young = {}, .poisson = {}}};
      scene.model.rules = {{.restitution = restitution, .rough = false, .stiffness = {}}};
      for (Body& body : scene.model.bodies) body.material = 0;
      const SceneRun run = run_scene(scene);
      expect_sound(run);
      const std::vector<double> after = speeds(run);
      EXPECT_NEAR(sum(after), 1.0, 1e-12);
      bool flagged = false;
      for (const KeptEvent& event : run.events) flagged = flagged || event.record.flags.has(Flag::energy_created);
      if (!flagged) {
        EXPECT_LE(run.result.energy.now.total(), run.result.energy.initial * (1.0 + 1e-12));
      }
      for (std::size_t i = 1; i < after.size(); ++i) EXPECT_GE(after[i] - after[i - 1], -1e-11) << i;
    }
  }
}

TEST(Cradle, AsManyBallsLeaveAsComeUnderTheGeometricLaw) {
  const std::string names[] = {"first", "second", "third", "fourth", "fifth"};
  std::vector<std::string> settings{"run.law=geometric"};
  for (std::size_t coming = 1; coming <= 4; ++coming) {
    if (coming > 1) settings.push_back("body." + names[coming - 1] + ".velocity=[1, 0, 0]");
    const SceneRun run = run_shipped("cradle", settings);
    const std::vector<double> after = speeds(run);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(after[i], i + coming >= 5 ? 1.0 : 0.0, 1e-12) << coming << " " << i;
  }
}

TEST(Cradle, NewtonAndPoissonLetTheFirstBallComeBack) {
  for (const char* law : {"newton", "poisson"}) {
    const std::vector<double> after = speeds(run_shipped("cradle", {std::string("run.law=") + law}));
    EXPECT_NEAR(after[0], -0.6, 1e-12) << law;
    for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(after[i], 0.4, 1e-12) << law;
  }
}

TEST(Cradle, ThreeHertzianBallsMoveAsIsKnown) {
  scene::SceneFile scene = shipped_scene("cradle");
  scene.model.bodies.resize(3);
  scene.state.bodies.resize(3);
  const std::vector<double> after = speeds(run_scene(scene));
  // Known to seven decimals.
  EXPECT_NEAR(after[0], -0.0709524, 1e-7);
  EXPECT_NEAR(after[1], 0.0764030, 1e-7);
  EXPECT_NEAR(after[2], 0.9945493, 1e-7);
}

/// Period of a pendulum of length ℓ and amplitude θ: 4 √(ℓ/g) K(sin ½θ).
double pendulum_period(double length, double amplitude) {
  return 4.0 * std::sqrt(length / 9.81) * std::comp_ellint_1(std::sin(amplitude / 2.0));
}

TEST(CradleOnRods, TheEndBallsSwingInTurn) {
  const SceneRun run = run_shipped("cradle-on-rods");
  expect_sound(run);
  const double period = pendulum_period(0.2, 0.6);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 8u);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    // The middle balls hang still: the motion is integrated to about 1e-13 of a swing.
    EXPECT_NEAR(impacts[i].record.time, period * (0.25 + 0.5 * static_cast<double>(i)), 1e-10) << i;
    EXPECT_EQ(impacts[i].contacts.size(), 4u) << i;
  }
  for (const char* name : {"second", "third", "fourth"}) {
    EXPECT_LE(run.body(name).velocity.norm(), 1e-11) << name;
  }
}

/// Largest deviation from mirror symmetry: the ball at place j of row i has its image at place i − j.
double asymmetry(const std::vector<BodyState>& bodies) {
  double worst = 0.0;
  const auto compare = [&bodies, &worst](std::size_t a, std::size_t b) {
    const Vector3d mirror(1, -1, 1);
    worst = std::max({worst, difference(bodies[a].position, bodies[b].position.cwiseProduct(mirror)),
                      difference(bodies[a].velocity, bodies[b].velocity.cwiseProduct(mirror))});
  };
  compare(0, 0);
  std::size_t first = 1;
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t place = 0; place <= row; ++place) compare(first + place, first + row - place);
    first += row + 1;
  }
  return worst;
}

TEST(PoolBreak, StaysMirrorSymmetricUnderEveryLaw) {
  for (const ImpactLaw* law : impact_laws()) {
    SCOPED_TRACE(law->name);
    const SceneRun run = run_shipped("pool-break", {"run.law=" + std::string(law->name)});
    expect_sound(run);
    for (const State& sample : run.samples) ASSERT_LE(asymmetry(sample.bodies), 1e-12) << sample.time;
    for (const BodyState& body : run.result.final_state.bodies) EXPECT_NEAR(body.position.z(), 0.028575, 1e-14);
  }
}

TEST(PoolBreak, TheCueBallStrikesTheWholeRackAtOnce) {
  const SceneRun run = run_shipped("pool-break");
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  // (0.3 − 2 × 0.028575)/8.
  EXPECT_NEAR(impacts[0].record.time, 0.03035625, 1e-15);
  int between_balls = 0;
  for (const ContactRecord& contact : impacts[0].contacts) {
    if (run.scene.model.is_body(contact.a) && run.scene.model.is_body(contact.b)) ++between_balls;
  }
  EXPECT_EQ(between_balls, 31);  // 30 in the rack, and the cue ball's
}

TEST(BouncingBall, ImpactsAndTheirAccumulationComeWhenTheyShould) {
  const SceneRun run = run_shipped("bouncing-ball");
  expect_sound(run);
  const double fall = std::sqrt(2.0 / 9.81);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 50u);
  double time = fall, hop = 2.0 * fall;
  for (const KeptEvent& impact : impacts) {
    EXPECT_NEAR(impact.record.time, time, 1e-13 * time);
    hop *= 0.9;
    time += hop;
  }
  EXPECT_NEAR(impacts[0].record.time, 0.451523641, 5e-10);
  EXPECT_NEAR(impacts[1].record.time, 1.264266, 5e-7);
  ASSERT_EQ(run.events.back().record.kind, EventKind::rest);
  EXPECT_NEAR(run.events.back().record.time, 8.578949179, 5e-10);
  EXPECT_NEAR(run.events.back().record.time, fall * 1.9 / 0.1, 1e-12);
  EXPECT_EQ(run.body("ball").velocity, Vector3d::Zero());
  EXPECT_NEAR(run.body("ball").position.z(), 0.1, 1e-15);
}

TEST(BouncingBall, KeepsItsHeightForAHundredElasticBounces) {
  const double to_and_fro = 2.0 * std::sqrt(2.0 / 9.81);
  const SceneRun run = run_shipped("bouncing-ball", {"pair.0.restitution=1", setting("run.output_step", to_and_fro),
                                                     setting("run.duration", 100.0 * to_and_fro)});
  EXPECT_EQ(run.result.impacts, 100);
  ASSERT_GE(run.samples.size(), 101u);
  for (const State& peak : run.samples) EXPECT_NEAR(peak.bodies[0].position.z(), 1.1, 1e-12) << peak.time;
}

}  // namespace
}  // namespace carom::test
