/// Scenes of the compliant engine through file → engine → numbers: chains, cradle, breaks, tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

/// Velocities after a striker of speed 1 has met four touching balls, from an integration with 40 digits.
constexpr std::array kHertzChain = {-0.07108501708609428, -0.03027376409707623, -0.014463629032065614,
                                    0.12704498606786918, 0.9887774241473669};
constexpr std::array kLinearChain = {-0.13227948470970768, -0.0753291698025664, -0.03101082901402906,
                                     0.2962177501414387, 0.9424017333848644};

double chain_error(const SceneRun& run, const std::array<double, 5>& velocities) {
  double error = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    error = std::max(error, std::abs(run.result.final_state.bodies[i].velocity.x() - velocities[i]));
  }
  return error;
}

TEST(TouchingChain, HertzAndLinearContactsGiveTheKnownVelocities) {
  const SceneRun hertz = run_shipped("touching-chain");
  expect_sound(hertz);
  EXPECT_LE(chain_error(hertz, kHertzChain), 1e-9);
  const SceneRun linear =
      run_shipped("touching-chain", {"pair.0.exponent=1", "pair.0.stiffness=1e7", "run.duration=0.01"});
  EXPECT_LE(chain_error(linear, kLinearChain), 1e-9);
}

TEST(TouchingChain, TheLimitsDoNotCommute) {
  // Stiffness first: one impact after the other, the last ball takes all.
  double previous = 1.0;
  for (const char* const stiffness : {"1e10", "1e11", "1e12", "1e13"}) {
    const SceneRun run = run_shipped(
        "touching-chain", {"fill.chain.shape.radius=0.019995", std::string("pair.0.stiffness=") + stiffness});
    const double error = chain_error(run, {0.0, 0.0, 0.0, 0.0, 1.0});
    EXPECT_LT(error, previous);
    previous = error;
  }
  EXPECT_LE(previous, 1e-8);
  // Gap first: the touching chain.
  previous = 1.0;
  for (const char* const radius : {"0.01999995", "0.0199999995", "0.019999999995"}) {
    const SceneRun run = run_shipped("touching-chain", {std::string("fill.chain.shape.radius=") + radius});
    const double error = chain_error(run, kHertzChain);
    EXPECT_LT(error, previous);
    previous = error;
  }
  EXPECT_LE(previous, 1e-6);
}

TEST(TouchingChain, WithLossesTheLawsWithoutApproachSpeedAgreeWithTheReference) {
  // Nominal restitution 0.9 at 1 m/s, six digits.
  const SceneRun run =
      run_shipped("touching-chain", {"pair.0.normal=hunt-crossley-fixed", "pair.0.restitution=0.9",
                                     "pair.0.reference_speed=1", "pair.0.stiffness=15164835164.835165"});
  EXPECT_LE(chain_error(run, {-0.039656, -0.008072, 0.008476, 0.171318, 0.867934}), 1e-6);
  expect_sound(run);
}

TEST(CradleSmooth, HasTheKnownAnglesAfterASecond) {
  constexpr std::array kAngles = {-0.4085593745, -0.0542531147, 0.0048933847, 0.0125705181, 0.0311589234};
  const SceneRun run = run_shipped("cradle-smooth");
  expect_sound(run);
  for (std::size_t i = 0; i < 5; ++i) {
    const Eigen::Vector3d& place = run.result.final_state.bodies[i].position;
    EXPECT_NEAR(std::atan2(place.x() - 0.04 * static_cast<double>(i), -place.z()), kAngles[i], 1e-9) << i;
  }
  EXPECT_LE(run.result.compliant->constraint_drift, 1e-12);
}

TEST(CradleSmooth, TheThreeWaysToKeepTheRodsDifferInDrift) {
  const auto drift = [](const char* method) {
    const SceneRun run = run_shipped(
        "cradle-smooth", {std::string("run.constraint_method=") + method, "run.rtol=1e-6", "run.duration=2"});
    return run.result.compliant->constraint_drift;
  };
  const double projection = drift("projection");
  const double baumgarte = drift("baumgarte");
  const double lagrange = drift("lagrange");
  EXPECT_LE(projection, 1e-14);  // round-off
  EXPECT_GT(baumgarte, 1e-12);
  EXPECT_LT(baumgarte, 0.1 * lagrange);
}

/// vx and vy of the sixteen balls at t = 0.03 s, nine digits.
constexpr std::array kHertzBreak = {
    -1.0574570319, 0.1262743199,  -0.2632020926, -0.0489375779, -0.5928950881, -0.5572170929, -0.5573874371,
    0.5227755814,  -0.5955701905, -0.5709388004, 0.1696069545,  -0.0074669773, -0.5652881332, 0.5418896222,
    -0.5216484856, -0.5887206963, 0.1679578399,  -0.1260130126, 0.1604932203,  0.1134088075,  -0.5009636124,
    0.5614492954,  3.1455934657,  -1.8146575898, 1.1677297695,  -0.1444412466, 1.5873936275,  0.022631996,
    1.2113257908,  0.2136738995,  3.0443114031,  1.7562894718,
};
constexpr std::array kLossyBreak = {
    -0.6101847392, 0.1178683169,  -0.1884765196, -0.0456090258, -0.3590072302, -0.5783319171, -0.3352694341,
    0.5434684762,  -0.3499148756, -0.5606718958, 0.182234461,   -0.0062205948, -0.3311541567, 0.5329975995,
    -0.2726021527, -0.5466020613, 0.1759299428,  -0.1086443076, 0.167757665,   0.0981744767,  -0.2634031698,
    0.5216718723,  2.533753591,   -1.4620002735, 0.9285253638,  -0.0991229438, 1.2952087946,  0.018675033,
    0.9702099772,  0.1569485666,  2.4563924825,  1.4173986786,
};

double break_error(const SceneRun& run, const std::array<double, 32>& velocities) {
  double error = 0.0;
  for (std::size_t i = 0; i < 16; ++i) {
    const Eigen::Vector3d& v = run.result.final_state.bodies[i].velocity;
    error = std::max({error, std::abs(v.x() - velocities[2 * i]), std::abs(v.y() - velocities[2 * i + 1])});
  }
  return error;
}

TEST(PoolBreakInThePlane, HasTheKnownVelocities) {
  const SceneRun hertz = run_shipped("pool-break-2d", {"run.duration=0.03", "run.rtol=1e-12"});
  expect_sound(hertz);
  EXPECT_LE(break_error(hertz, kHertzBreak), 1e-8);
  const SceneRun lossy = run_shipped(
      "pool-break-2d", {"run.duration=0.03", "run.rtol=1e-12", "pair.0.normal=lankarani-nikravesh",
                        "pair.0.restitution=0.93", "pair.1.normal=lankarani-nikravesh", "pair.1.restitution=0.85"});
  expect_sound(lossy);
  EXPECT_LE(break_error(lossy, kLossyBreak), 1e-8);
  ASSERT_EQ(lossy.result.compliant->warnings.size(), 1u);
  EXPECT_NE(lossy.result.compliant->warnings[0].find("meant for impact speeds below 0.018 m/s"), std::string::npos);
}

TEST(PoolBreakInThePlane, TighterTolerancesComeCloser) {
  const auto error = [](const char* rtol) {
    return break_error(run_shipped("pool-break-2d", {"run.duration=0.03", std::string("run.rtol=") + rtol}),
                       kHertzBreak);
  };
  const double coarse = error("1e-4");
  const double middle = error("1e-7");
  EXPECT_LE(coarse, 0.1);
  EXPECT_LE(middle, 0.02 * coarse);
  EXPECT_LE(error("1e-10"), 0.02 * middle);
}

TEST(BounceInCylinder, IsBackAtItsHeightAfterEachBounce) {
  // Samples at the tops: T = 2√(2h/g) and the time in contact. Between contacts the height of the top follows from the
  // energy of the flight.
  const SceneRun run = run_shipped("bounce-in-cylinder");
  expect_sound(run);
  const double weight = 9.81 * run.scene.model.bodies[0].mass;
  for (const State& sample : run.samples) {
    const BodyState& ball = sample.bodies[0];
    if (ball.position.z() < -0.0399) continue;  // pressed in
    const double energy =
        0.5 * run.scene.model.bodies[0].mass * ball.velocity.squaredNorm() + weight * (ball.position.z() + 0.01);
    EXPECT_LE(std::abs(energy), 1e-8 * weight * 0.03) << sample.time;
  }
  EXPECT_GE(run.of_kind(EventKind::contact_start).size(), 11u);
}

TEST(BounceInCylinder, GoesAsDeepAsHertzsEllipticalContactSays) {
  // m g (h + δ) = (2/5) K δ^{5/2} with K = 1.605149189701113e10, the elliptical contact's.
  const SceneRun run = run_shipped("bounce-in-cylinder", {"run.duration=0.1"});
  const double mass = run.scene.model.bodies[0].mass;
  double depth = 1e-5;
  for (int i = 0; i < 50; ++i) depth = std::pow(2.5 * mass * 9.81 * (0.03 + depth) / 1.605149189701113e10, 0.4);
  EXPECT_NEAR(run.result.compliant->deepest * 0.01, depth, 1e-5 * depth);
}

TEST(BounceInCylinder, TheLossyLawReboundsAtItsEffectiveRestitution) {
  const SceneRun run = run_shipped(
      "bounce-in-cylinder", {"pair.0.normal=lankarani-nikravesh", "pair.0.restitution=0.7", "run.duration=0.15"});
  const std::vector<KeptEvent> ends = run.of_kind(EventKind::contact_end);
  ASSERT_GE(ends.size(), 1u);
  const ContactRecord& first = ends[0].contacts[0];
  EXPECT_NEAR(-first.rate_after / first.rate_before, 0.795972595365329, 1e-3);  // gravity acts meanwhile
}

TEST(EventScenesWithForces, TheCradleGivesTheTouchingChain) {
  const SceneRun run = run_shipped("cradle", {"run.engine=smooth", "run.rtol=1e-11"});
  EXPECT_LE(chain_error(run, kHertzChain), 1e-8);
}

TEST(EventScenesWithForces, TheSuperballTurnsBack) {
  // The spring along the surface is chosen so that it reverses within one contact.
  const SceneRun run = run_shipped("superball-pendulum", {"run.engine=smooth", "run.duration=0.5"});
  EXPECT_NEAR(run.body("superball").velocity.x(), -1.0, 0.01);
  EXPECT_NEAR(run.body("superball").angular_velocity.y(), 50.0, 0.5);
}

TEST(EventScenesWithForces, TheBeltTakesTheBallAlong) {
  // It ends rolling with 2/7 of the belt's speed, as with impacts: the angular momentum about a point of the belt
  // stays.
  const SceneRun run = run_shipped("conveyor-belt", {"run.engine=smooth"});
  EXPECT_NEAR(run.body("ball").velocity.x(), 1.4 * 2.0 / 7.0, 1e-3);
}

TEST(PoolTable, TheBooksCloseAndNobodyLeavesTheTable) {
  const SceneRun run = run_shipped("pool-table", {quick() ? "run.duration=0.3" : "run.duration=1.5"});
  expect_sound(run);
  const CompliantReport& report = *run.result.compliant;
  EXPECT_EQ(report.settled, 16);
  EXPECT_GE(report.contacts_started, 30);
  double works = 0.0;
  for (const CompliantReport::LawWork& work : report.works) works += work.dissipated;
  EXPECT_NEAR(works, run.result.energy.contacts + run.result.energy.friction, 1e-9);
  for (const BodyState& ball : run.result.final_state.bodies) {
    EXPECT_GT(ball.position.z(), 0.0275);
    EXPECT_LT(ball.position.z(), 0.3);
    EXPECT_LT(std::abs(ball.position.x() - 1.27), 1.3);
    EXPECT_LT(std::abs(ball.position.y() - 0.635), 0.67);
  }
}

TEST(PoolTable, TheBallsComeToRest) {
  const SceneRun run = run_shipped("pool-table", {"pair.1.quasi_static=true"});
  EXPECT_EQ(run_stop_name(run.result.stop), "at-rest");
  for (const BodyState& ball : run.result.final_state.bodies) EXPECT_LT(ball.velocity.norm(), 1e-3);
  EXPECT_LE(run.result.energy.now.kinetic, 16 * 0.17 * 1e-6);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-5 * run.energy_scale);
}

TEST(PoolTable, ABallPlayedAtAPocketFallsIn) {
  // Without the rack's help: from the middle of the table straight at the pocket of the long side.
  const SceneRun run = run_shipped("pool-table", {"body.cue.position=[1.27, 0.635, 0.028575]", "shot.0.speed=2",
                                                  "shot.0.direction_deg=90", "run.duration=1"});
  ASSERT_EQ(run.result.compliant->swallowed.size(), 1u);
  const auto [body, pocket] = run.result.compliant->swallowed[0];
  EXPECT_EQ(run.scene.model.name(body), "cue");
  EXPECT_EQ(run.scene.model.pockets[static_cast<std::size_t>(pocket)].name, "middle-left");
  EXPECT_EQ(run.of_kind(EventKind::swallowed).size(), 1u);
  EXPECT_GT(run.result.energy.swallowed, 0.0);
}

TEST(PoolTable, TheClothMakesASlidingBallRoll) {
  // A central shot along the table: rolls after 2v/(7μg) with 5v/7 (rolling resistance off).
  const std::string cloth = "pair.1.friction={law='ambrosio', coefficient=0.2, v0=1e-6, v1=1e-5}";
  const SceneRun run =
      run_shipped("pool-table", {cloth, "body.cue.position=[0.3, 0.3, 0.028575]", "shot.0.speed=1.4",
                                 "shot.0.direction_deg=0", "shot.0.tip_offset=[0, 0]", "run.duration=0.25"});
  const BodyState& ball = run.body("cue");
  EXPECT_GT(0.25, 2.0 * 1.4 / (7.0 * 0.2 * 9.81));
  EXPECT_NEAR(ball.velocity.x(), 1.0, 1e-3);
  EXPECT_NEAR(ball.angular_velocity.y() * 0.028575, 1.0, 1e-3);
}

}  // namespace
}  // namespace carom::test
