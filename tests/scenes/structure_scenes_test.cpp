/// Scenes of contact that lasts: what stands, stands without a tremor, and what has to fall, falls. Where that is
/// decided comes from limit analysis and closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/planar_structure.h"
#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// Largest speed and largest way from the start, over all bodies at the end.
struct Motion {
  double speed = 0.0, way = 0.0;
};

Motion motion_of(const SceneRun& run) {
  Motion most;
  for (std::size_t k = 0; k < run.scene.model.bodies.size(); ++k) {
    const BodyState& now = run.result.final_state.bodies[k];
    most.speed = std::max(most.speed, now.velocity.norm());
    most.way = std::max(most.way, (now.position - run.scene.state.bodies[k].position).norm());
  }
  return most;
}

void expect_still(const SceneRun& run) {
  expect_ended(run);
  const Motion motion = motion_of(run);
  EXPECT_LE(motion.speed, 1e-12);
  EXPECT_LE(motion.way, 1e-12);
  EXPECT_EQ(run.result.impacts, 0);
}

/// The shipped arch with stones of another thickness.
std::vector<std::string> thickness(double thick) {
  const double half = 0.5 * pi / 21.0;
  std::string corners;
  for (const double y : {-0.2, 0.2})
    for (const double radius : {1.0 - 0.5 * thick, 1.0 + 0.5 * thick})
      for (const double side : {-1.0, 1.0})
        corners += fmt::format("{}[{}, {}, {}]", corners.empty() ? "" : ", ", radius * std::cos(half) - 1.0, y,
                               side * radius * std::sin(half));
  std::vector<std::string> settings;
  for (int stone = 0; stone < 21; ++stone)
    settings.push_back(fmt::format("body.{}.shape.vertices=[{}]", stone, corners));
  return settings;
}

TEST(StructureScenes, TheArchStandsWhereTheLineOfThrustHasRoom) {
  expect_still(run_shipped("masonry-arch"));
  EXPECT_TRUE(planar_structure(shipped_scene("masonry-arch"), 0.7).can_rest());
  std::vector<std::string> thin = thickness(0.1);
  EXPECT_FALSE(planar_structure(shipped_scene("masonry-arch", thin), 0.7).can_rest());
  thin.insert(thin.end(), {"run.duration=0.2", "run.output_step=0.1"});
  const SceneRun falls = run_shipped("masonry-arch", thin);
  expect_ended(falls);
  EXPECT_GT(motion_of(falls).speed, 1e-3);
  // The limit that the head of the scene names.
  EXPECT_FALSE(planar_structure(shipped_scene("masonry-arch", thickness(0.1066)), 0.7).can_rest());
  EXPECT_TRUE(planar_structure(shipped_scene("masonry-arch", thickness(0.1068)), 0.7).can_rest());
}

TEST(StructureScenes, TheCardsStandByFriction) {
  expect_still(run_shipped("card-house"));
  EXPECT_TRUE(planar_structure(shipped_scene("card-house"), 0.5).can_rest());
  EXPECT_FALSE(planar_structure(shipped_scene("card-house"), 0.1).can_rest());
}

TEST(StructureScenes, ThePyramidStandsWithAsMuchFrictionAsItNeeds) {
  // tan(β/2) with sin β = 1/√3 between the balls, a quarter of it on the table.
  const double between = std::tan(0.5 * std::asin(1.0 / std::sqrt(3.0))), below = 0.25 * between;
  const auto pyramid = [](double on_balls, double on_table) {
    return run_shipped("pyramid-of-balls",
                       {setting("pair.0.friction.coefficient", on_balls),
                        setting("pair.1.friction.coefficient", on_table), "run.duration=0.2", "run.output_step=0.1"});
  };
  expect_still(run_shipped("pyramid-of-balls"));
  expect_still(pyramid(1.001 * between, 1.001 * below));
  for (const auto& [on_balls, on_table] :
       {std::pair(0.98 * between, 1.02 * below), std::pair(1.02 * between, 0.98 * below)}) {
    const SceneRun falls = pyramid(on_balls, on_table);
    expect_ended(falls);
    EXPECT_LT(falls.body("upper").velocity.z(), -1e-5);
    // The three lower balls leave alike.
    const double speed = falls.body("lower-1").velocity.norm();
    EXPECT_GT(speed, 1e-5);
    EXPECT_NEAR(falls.body("lower-2").velocity.norm(), speed, 1e-9);
    EXPECT_NEAR(falls.body("lower-3").velocity.norm(), speed, 1e-9);
  }
}

TEST(StructureScenes, WithoutFrictionTheUpperBallDrivesTheOthersApart) {
  // While they touch: m v² (3 + tan² …) follows from the geometry. With the angle θ of the lines of centres to the
  // vertical, R = 2r: upper z = R cos θ, lower horizontal R sin θ from the axis; T = ½ m (R sin θ θ̇)² + 3/2 m (R cos θ
  // θ̇)² = m g R (cos θ₀ − cos θ).
  const SceneRun run = run_shipped(
      "pyramid-of-balls",
      {"pair.0.friction.coefficient=0", "pair.1.friction.coefficient=0", "run.duration=0.05", "run.output_step=0.05"});
  expect_ended(run);
  const double radius = 0.1, reach = 2.0 * radius;
  const double cosine = (run.body("upper").position.z() - radius) / reach, sine = std::sqrt(1.0 - cosine * cosine);
  const double rate =
      std::sqrt(2.0 * 9.81 / reach * (std::sqrt(2.0 / 3.0) - cosine) / (sine * sine + 3.0 * cosine * cosine));
  EXPECT_GT(rate, 0.1);
  EXPECT_NEAR(run.body("upper").velocity.z(), -reach * sine * rate, 1e-9);
  EXPECT_NEAR(run.body("lower-1").velocity.x(), reach * cosine * rate, 1e-9);
}

TEST(StructureScenes, TheTowerOfCylindersStandsAtItsLimit) {
  // The centre of the upper five is 3 d beyond the middle of the lowest, which reaches 0.1 m.
  expect_still(run_shipped("tower-of-cylinders"));
  const auto shifted = [](double shift) {
    std::vector<std::string> settings{"run.duration=0.1", "run.output_step=0.05"};
    for (int k = 0; k < 6; ++k) settings.push_back(setting(fmt::format("body.{}.position.0", k), shift * k));
    return run_shipped("tower-of-cylinders", settings);
  };
  expect_still(shifted(0.03333));
  const SceneRun falls = shifted(0.03337);
  expect_ended(falls);
  EXPECT_GT(motion_of(falls).speed, 1e-4);
}

TEST(StructureScenes, TheShakenStackGoesWithTheTable) {
  const double amplitude = 0.0112, rate = 4.0 * pi;
  const SceneRun run = run_shipped("shaken-stack", {"run.duration=0.6", "run.output_step=0.1"});
  expect_ended(run);
  for (const State& sample : run.samples)
    for (const BodyState& box : sample.bodies) {
      EXPECT_NEAR(box.position.x(), amplitude * (std::cos(rate * sample.time) - 1.0), 1e-10);
      EXPECT_NEAR(box.velocity.x(), -amplitude * rate * std::sin(rate * sample.time), 1e-10);
    }
  EXPECT_EQ(run.result.energy.friction, 0.0);
}

/// How far a body has turned from upright [rad].
double tilt(const BodyState& state) {
  return std::acos(std::clamp((state.orientation * Eigen::Vector3d::UnitZ()).z(), -1.0, 1.0));
}

TEST(StructureScenes, DominoesFallToTheLastInAWaveOfItsOwnSpeed) {
  if (quick()) GTEST_SKIP() << "takes long in this build";
  const SceneRun run = run_shipped("fifty-dominoes");
  expect_ended(run);
  for (std::size_t k = 1; k <= 50; ++k) EXPECT_GT(tilt(run.result.final_state.bodies[k]), 1.0) << k;
  // When dominoes 20 and 45 pass 20 degrees, between samples.
  const double passed = pi / 9.0;
  const auto when = [&](std::size_t body) {
    for (std::size_t k = 1; k < run.samples.size(); ++k) {
      const double before = tilt(run.samples[k - 1].bodies[body]), after = tilt(run.samples[k].bodies[body]);
      if (after < passed) continue;
      const double part = (passed - before) / (after - before);
      return (1.0 - part) * run.samples[k - 1].time + part * run.samples[k].time;
    }
    return HUGE_VAL;
  };
  // The compliant engine gives 0.9327 m/s, for stiffnesses from 1e7 on the same to four digits.
  EXPECT_NEAR(25 * 0.03 / (when(46) - when(21)), 0.9327, 0.05 * 0.9327);
  // A step that ends where new points come together is not taken again for what these would overlap after that: 1318
  // of 4809 are, for other overlaps; 3140 of 6789 were.
  EXPECT_LT(3 * run.result.steps_rejected, run.result.steps_accepted);
}

TEST(StructureScenes, TheWallStandsUntilTheBallComes) {
  const SceneRun run = run_shipped("brick-wall", {"run.duration=0.04", "run.output_step=0.005"});
  expect_ended(run);
  const double strikes = 0.05 / 4.0;  // the ball flies 5 cm at 4 m/s
  for (const State& sample : run.samples)
    for (std::size_t k = 1; k <= 60 && sample.time < strikes; ++k)
      EXPECT_EQ(sample.bodies[k].velocity.norm(), 0.0) << k << " at " << sample.time;
  const auto way = [&](std::size_t row, std::size_t column) {
    const std::size_t brick = 6 * row + column - 6;
    return (run.result.final_state.bodies[brick].position - run.scene.state.bodies[brick].position).norm();
  };
  EXPECT_GT(way(5, 3) + way(5, 4) + way(6, 3), 0.03);
  for (const std::size_t column : {1u, 6u}) EXPECT_LT(way(1, column), 1e-4);
}

TEST(StructureScenes, BallsOfThePitComeToRestWithinIt) {
  const SceneRun run = run_shipped("ball-pit", {"run.duration=4", "run.stop_at_rest=true"});
  expect_ended(run);
  double kinetic = 0.0;
  for (const BodyState& ball : run.result.final_state.bodies) {
    kinetic += ball.velocity.squaredNorm();
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(ball.position[k] > 0.0499 && ball.position[k] < 0.3501) << ball.position[k];
    EXPECT_TRUE(ball.position.z() > 0.0499 && ball.position.z() < 0.5) << ball.position.z();
  }
  EXPECT_LT(kinetic, 0.01);
}

TEST(StructureScenes, TheBallsOfTheGaltonBoardEndInItsBins) {
  const SceneRun run = run_shipped("galton-board");
  expect_ended(run);
  // Nine bins of 36 mm between walls of 0.18 m; a ball beside a wall is at least its radius off.
  for (const BodyState& ball : run.result.final_state.bodies) {
    EXPECT_LT(ball.position.z(), 0.18);
    EXPECT_LT(ball.velocity.norm(), 0.01);
    const double place = std::abs(std::remainder(ball.position.x(), 0.036));
    EXPECT_LE(place, 0.018 - 0.001 - 0.01 + 1e-9);
    EXPECT_LT(std::abs(ball.position.x()), 0.162);
  }
}

}  // namespace
}  // namespace carom::test
