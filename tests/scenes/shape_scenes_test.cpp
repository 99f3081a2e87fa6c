/// Bodies of several parts, with their weight off the middle, from files: what their scenes say of them.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/geometry/polyhedron.h"
#include "carom/mechanics/initial_gaps.h"
#include "scenes/scene_run.h"

namespace carom::test::shape_scenes_test {
namespace {

using Eigen::Vector3d;

constexpr double kShapeGravity = 9.81;
constexpr double kPi = std::numbers::pi;

TEST(Dumbbell, BouncesAtTheInstantsOfTheClosedForm) {
  // mechanism_oracles.json, M17a: flights in closed form between the impacts of one ball at a time.
  const SceneRun run = run_shipped("dumbbell");
  expect_sound(run);
  constexpr double kTimes[] = {0.3030419944906073, 0.32372511370994655, 0.8553135493451949, 0.9254554999477358,
                               1.3215717982460642};
  constexpr double kImpulses[] = {5.9510239232421815, 5.750703059895501, 6.221583925192464, 4.2027645929289195,
                                  5.643757871853866};
  constexpr double kSpins[] = {-27.978495578408836, -0.7696698847244576, 22.88659792985048, 10.315062038986765,
                               18.285304897054885};
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(impacts[i].record.time, kTimes[i], 1e-9);
    ASSERT_EQ(impacts[i].contacts.size(), 1u);
    EXPECT_NEAR(impacts[i].contacts[0].impulse, kImpulses[i], 1e-9);
    // The angle of the oracle grows from x to z, which is a turn about −y.
    EXPECT_NEAR(-impacts[i].jumps[0].angular_velocity_after.y(), kSpins[i], 1e-7);
  }
  EXPECT_NEAR(run.body("dumbbell").position.x(), 0.0, 1e-14);
}

/// Times at which a number of the samples goes through zero upwards, by straight lines between them.
template <class Number>
std::vector<double> rising_zeros(const SceneRun& run, const Number& number) {
  std::vector<double> times;
  for (std::size_t i = 1; i < run.samples.size(); ++i) {
    const double before = number(run.samples[i - 1].bodies[0]);
    const double after = number(run.samples[i].bodies[0]);
    if (!(before < 0.0 && after >= 0.0)) continue;
    const double t = run.samples[i - 1].time;
    times.push_back(t + (run.samples[i].time - t) * before / (before - after));
  }
  return times;
}

TEST(HalfCylinder, RocksWithTheFrequencyOfSmallSwings) {
  // ω² = g d/(3R²/2 − 2dR), d = 4R/(3π). A swing of φ₀ is slower by the order φ₀², 1e-3 here and less than 1e-6 at
  // 0.05°.
  const double expected = 2.0 * kPi / std::sqrt(0.6517793 * kShapeGravity / 0.1);
  for (const double angle : {2.0, 0.5}) {
    const SceneRun run = run_shipped(
        "half-cylinder", {setting("body.half.orientation.bryan_deg.2", angle), setting("run.output_step", 0.002)});
    expect_sound(run);
    EXPECT_TRUE(run.impacts().empty());
    const std::vector<double> zeros =
        rising_zeros(run, [](const BodyState& body) { return body.angular_velocity.y(); });
    ASSERT_GE(zeros.size(), 5u);
    const double period = (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
    EXPECT_NEAR(period / expected, 1.0, angle == 2.0 ? 1e-3 : 1e-4) << angle;
  }
}

TEST(EggThatRightsItself, StandsOnItsEndAtLast) {
  const SceneRun run = run_shipped("egg-rights-itself");
  expect_sound(run);
  const BodyState& egg = run.body("egg");
  EXPECT_NEAR(egg.position.z(), 0.016, 1e-5);
  EXPECT_GT((egg.orientation * Vector3d::UnitZ()).z(), 0.999);
  EXPECT_LT(run.samples.front().bodies[0].orientation.toRotationMatrix()(2, 2), 1e-9);
}

TEST(EggThatRightsItself, StaysDownWhereItsWeightIsHigher) {
  // Above the centre of curvature of its end the egg has no rest there: it comes to rest leaning.
  const SceneRun run = run_shipped("egg-rights-itself", {"body.egg.centre_of_mass=[0,0,-0.005]"});
  EXPECT_LT((run.body("egg").orientation * Vector3d::UnitZ()).z(), 0.95);
}

TEST(LShapedBody, StrikesWithBothTipsAtOnceAndRestsOnThem) {
  const SceneRun run = run_shipped("l-shaped-body");
  expect_sound(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_FALSE(impacts.empty());
  // Falls from the corner at ½ m until the tips, 0.44/√2 below it, are at the floor.
  EXPECT_NEAR(impacts[0].record.time, std::sqrt(2.0 * (0.5 - 0.44 / std::sqrt(2.0)) / kShapeGravity), 1e-12);
  EXPECT_EQ(impacts[0].contacts.size(), 4u);
  // The centre of mass is 0.0034/0.0304 m from either back along the other leg.
  const double centre = (0.016 * 0.2 + 0.0144 * 0.02) / 0.0304;
  EXPECT_NEAR(run.body("l").position.z(), (0.44 - 2.0 * centre) / std::sqrt(2.0), 1e-9);
  EXPECT_LT(run.body("l").velocity.norm(), 1e-9);
}

TEST(Die, LiesOnAFaceAtLast) {
  const SceneRun run = run_shipped("die");
  expect_ended(run);
  const auto& die = std::get<Convex>(run.scene.model.bodies[0].parts[0].shape);
  EXPECT_EQ(die.polyhedron->vertices().size(), 24u);
  EXPECT_EQ(die.polyhedron->faces().size(), 26u);
  EXPECT_NEAR(run.body("die").position.z(), 0.008, 1e-9);
  EXPECT_LT(run.body("die").angular_velocity.norm(), 1e-5);
  const Eigen::Matrix3d turn = run.body("die").orientation.toRotationMatrix();
  EXPECT_NEAR(turn.row(2).cwiseAbs().maxCoeff(), 1.0, 1e-9);
}

TEST(RollingCone, ComesBackAfterOneTurn) {
  const SceneRun run = run_shipped("rolling-cone");
  expect_sound(run);
  const BodyState& start = run.samples.front().bodies[0];
  const BodyState& end = run.body("cone");
  EXPECT_LT(difference(end.position, start.position), 1e-7);
  EXPECT_LT(difference(end.velocity, start.velocity), 1e-6);
  // It has rolled by 2π/sin a about its axis, 13/5 turns.
  for (const State& sample : run.samples) {
    const BodyState& cone = sample.bodies[0];
    EXPECT_NEAR(cone.position.z(), start.position.z(), 1e-9);
    EXPECT_NEAR(cone.position.head<2>().norm(), start.position.x(), 1e-7);
  }
}

TEST(DrumWithBoxes, KeepsThemInsideAndBooksItsWork) {
  const SceneRun run = run_shipped("drum-with-boxes", {"run.duration=1"});
  expect_ended(run);
  EXPECT_GT(run.impacts().size(), 20u);
  for (const State& sample : run.samples) {
    for (const InitialGap& gap : initial_gaps(run.scene.model, sample)) EXPECT_GT(gap.nearest.distance, -1e-10);
  }
}

}  // namespace
}  // namespace carom::test::shape_scenes_test
