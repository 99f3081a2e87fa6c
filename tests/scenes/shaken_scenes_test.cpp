/// Planes and obstacles that are driven by functions of time: a vibrating table, shaking plates, a paddle.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scenes/scene_run.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// A ball on a table z = A sin ωt with Γ = Aω²/g: where one bounce per period is born, where it doubles, and its phase.
/// From the map of bounces: the flight of one period needs the speed gπ/ω after the impact, the impact gives it,
/// (1 + e) A ω cos φ = (1 − e) π g/ω; the Jacobian at the fixed point has the determinant e² and an eigenvalue −1 where
/// Γ sin φ = 2(1 + e²)/(1 + e)².
struct VibratingTable {
  double e = 0.5;
  double gravity = 9.81;
  double frequency = 10.0;

  [[nodiscard]] double birth() const { return pi * (1.0 - e) / (1.0 + e); }
  [[nodiscard]] double doubling() const { return std::hypot(birth(), 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e))); }
  [[nodiscard]] double omega() const { return 2.0 * pi * frequency; }
  [[nodiscard]] double amplitude(double gamma) const { return gamma * gravity / (omega() * omega()); }
  [[nodiscard]] double phase(double gamma) const { return std::acos(birth() / gamma); }

  /// The ball just above the place of the impact, a little faster than it should be.
  [[nodiscard]] std::string scene(double gamma, double periods) const {
    const double a = amplitude(gamma), at = phase(std::max(gamma, 1.0001 * birth()));
    return fmt::format(R"(format = 1
[world]
gravity = [0, 0, {}]
[run]
duration = {}
[[material]]
name = "steel"
[[pair]]
materials = ["steel", "steel"]
restitution = {}
[[body]]
name = "ball"
shape = {{ kind = "sphere", radius = 0.02 }}
mass = 0.1
material = "steel"
position = [0, 0, {}]
velocity = [0, 0, {}]
[[plane]]
name = "table"
normal = [0, 0, 1]
material = "steel"
motion = {{ kind = "sine", axis = [0, 0, 3], amplitude = {}, frequency = {}, phase_deg = {} }}
)",
                       -gravity, periods / frequency, e, 0.02 + a * std::sin(at) + 1e-6 * a,
                       1.01 * gravity * pi / omega(), a, frequency, at * 180.0 / pi);
  }
};

/// Phases of the last impacts of a run that began with the phase `start`, in (−π, π].
std::vector<double> last_phases(const SceneRun& run, const VibratingTable& table, double start, std::size_t count) {
  std::vector<double> phases;
  const std::vector<KeptEvent> impacts = run.impacts();
  for (std::size_t i = impacts.size() - std::min(count, impacts.size()); i < impacts.size(); ++i)
    phases.push_back(std::remainder(table.omega() * impacts[i].record.time + start, 2.0 * pi));
  return phases;
}

TEST(VibratingTable, IsBornAndDoublesWhereTheTheorySays) {
  EXPECT_NEAR(VibratingTable{.e = 0.5}.birth(), 1.0471975511965976, 1e-15);
  EXPECT_NEAR(VibratingTable{.e = 0.5}.doubling(), 1.5268237005190608, 1e-15);
  EXPECT_NEAR(VibratingTable{.e = 0.8}.birth(), 0.34906585039886584, 1e-15);
  EXPECT_NEAR(VibratingTable{.e = 0.8}.doubling(), 1.070836468247907, 1e-15);
}

TEST(VibratingTable, LocksIntoOneBouncePerPeriod) {
  const VibratingTable tables[] = {{0.5, 9.81, 10.0}, {0.8, 9.81, 31.0}, {0.3, 1.62, 0.7}};
  for (const VibratingTable& table : tables) {
    for (const double part : {0.15, 0.5, 0.85}) {
      const double gamma = table.birth() + part * (table.doubling() - table.birth());
      SCOPED_TRACE(fmt::format("e = {}, gamma = {}", table.e, gamma));
      const double phase = table.phase(gamma);
      const SceneRun run = run_scene(scene_from_text(table.scene(gamma, 400.5)));
      EXPECT_EQ(run.result.guarantee, Guarantee::proven);
      ASSERT_EQ(run.impacts().size(), 400u);
      for (const double found : last_phases(run, table, phase, 20)) EXPECT_NEAR(found, phase, 1e-9);
      const ContactRecord last = run.impacts().back().contacts.at(0);
      EXPECT_NEAR(last.rate_after * table.omega() / table.gravity, 2.0 * pi * table.e / (1.0 + table.e), 1e-9);
      // What is lost in every impact the table puts in, over and over: 400 times as much as there ever is.
      EXPECT_LE(std::abs(run.result.energy.error()), 1e-12 * run.result.energy.wall_work);
    }
  }
}

TEST(VibratingTable, DoublesItsPeriod) {
  const VibratingTable table{};
  const double gamma = 1.02 * table.doubling(), start = table.phase(gamma);
  const SceneRun run = run_scene(scene_from_text(table.scene(gamma, 1000.0)));
  const std::vector<double> phases = last_phases(run, table, start, 6);
  ASSERT_EQ(phases.size(), 6u);
  for (std::size_t i = 2; i < phases.size(); ++i) {
    EXPECT_NEAR(phases[i], phases[i - 2], 1e-8);
    EXPECT_GT(std::abs(phases[i] - phases[i - 1]), 0.05);
  }
}

TEST(VibratingTable, BelowBirthTheBallComesToRestOnTheTableTimeAndAgain) {
  const VibratingTable table{};
  const SceneRun run = run_scene(scene_from_text(table.scene(0.98 * table.birth(), 100.0)));
  EXPECT_EQ(run_stop_name(run.result.stop), "duration");
  // Γ > 1: in every period it leaves where the table falls away faster than it, at sin φ = 1/Γ, and lands again.
  const std::vector<KeptEvent> releases = run.of_kind(EventKind::release);
  ASSERT_GE(releases.size(), 50u);
  const double start = table.phase(1.0001 * table.birth());
  for (const KeptEvent& release : releases) {
    const double phase = std::remainder(table.omega() * release.record.time + start, 2.0 * pi);
    EXPECT_NEAR(std::sin(phase), 1.0 / (0.98 * table.birth()), 1e-9);
  }
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-11 * run.result.energy.wall_work);
}

TEST(VibratingTable, AsShippedIsLockedAfterAHundredBounces) {
  const SceneRun run = run_shipped("ball-on-a-vibrating-table");
  expect_sound(run);
  const VibratingTable table{};
  const double gamma = 0.0032 * table.omega() * table.omega() / 9.81;
  for (const double phase : last_phases(run, table, 0.0, 5)) EXPECT_NEAR(phase, table.phase(gamma), 1e-9);
}

TEST(VibratingTable, ForcesConvergeToImpactsAsTheBallGetsStiffer) {
  const SceneRun rigid = run_shipped("ball-on-a-vibrating-table", {"run.duration=0.97"});
  double last = 1.0;
  for (const double young : {1e8, 1e10, 1e12}) {
    const SceneRun soft = run_shipped("ball-on-a-vibrating-table",
                                      {"run.duration=0.97", "run.engine=smooth", "run.rtol=1e-10",
                                       setting("material.ball.young", young), setting("material.table.young", young)});
    expect_sound(soft);
    // The contact time of Hertz's law goes with the power −2/5 of the stiffness, by 6.3 from one to the next.
    const double off = std::abs(soft.body("ball").position.z() - rigid.body("ball").position.z());
    EXPECT_LT(off, 0.25 * last);
    last = off;
  }
  EXPECT_LT(last, 2e-5);
}

/// A block of 2 kg on a plate, g = 10, driven as `motion` says.
std::string block_on_plate(const std::string& motion, double duration, const std::string& rule = "restitution = 0.2") {
  return fmt::format(R"(format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = {}
[[material]]
name = "wood"
[[pair]]
materials = ["wood", "wood"]
{}
[[body]]
name = "block"
shape = {{ kind = "box", half_sizes = [0.1, 0.2, 0.05] }}
mass = 2
material = "wood"
position = [0, 0, 0.05]
[[plane]]
name = "plate"
normal = [0, 0, 1]
material = "wood"
motion = {}
)",
                     duration, rule, motion);
}

TEST(ShakenPlate, ABlockLeavesWhereThePlateWouldHaveToPull) {
  // z = −½t³, so that z̈ = −3t = −g at 10/3 s.
  const SceneRun run = run_scene(
      scene_from_text(block_on_plate("{ kind = \"polynomial\", axis = [0, 0, 1], position = [0, 0, 0, -0.5] }", 4.0)));
  const std::vector<KeptEvent> releases = run.of_kind(EventKind::release);
  ASSERT_EQ(releases.size(), 1u);
  const double time = 10.0 / 3.0;
  EXPECT_NEAR(releases[0].record.time, time, 1e-12);
  // What the plate did till then: ΔT + ΔV of the block, that it moves with.
  const double z = -0.5 * time * time * time, v = -1.5 * time * time;
  EXPECT_NEAR(run.result.energy.wall_work, 0.5 * 2.0 * v * v + 2.0 * 10.0 * z, 1e-10);
  const double rest = 4.0 - time;
  EXPECT_LE(difference(run.body("block").position, Vector3d(0, 0, 0.05 + z + v * rest - 5.0 * rest * rest)), 1e-11);
}

TEST(ShakenPlate, ABlockOnASineLeavesAtTheInverseOfGamma) {
  // z = −A cos ωt: from rest, upwards first. It leaves where Aω² cos ωt = −g.
  for (const double gamma : {1.0001, 1.3, 5.0}) {
    SCOPED_TRACE(gamma);
    const double w = 2.0 * pi * 4.0;
    const std::string motion =
        fmt::format("{{ kind = \"sine\", axis = [0, 0, 1], amplitude = {}, frequency = 4, phase_deg = -90 }}",
                    gamma * 10.0 / (w * w));
    scene::SceneFile scene = scene_from_text(block_on_plate(motion, 0.25));
    scene.state.bodies[0].position.z() -= gamma * 10.0 / (w * w);
    const SceneRun run = run_scene(scene);
    ASSERT_FALSE(run.of_kind(EventKind::release).empty());
    EXPECT_NEAR(run.of_kind(EventKind::release)[0].record.time, std::acos(-1.0 / gamma) / w,
                1e-13 / std::sqrt(gamma - 1.0));
    EXPECT_LE(std::abs(run.result.energy.error()), 1e-12);
  }
}

TEST(ShakenPlate, ABlockStaysWhereThePlateNeverPulls) {
  const double w = 2.0 * pi * 4.0, amplitude = 0.9999 * 10.0 / (w * w);
  const std::string motion =
      fmt::format("{{ kind = \"sine\", axis = [0, 0, 1], amplitude = {}, frequency = 4, phase_deg = -90 }}", amplitude);
  scene::SceneFile scene = scene_from_text(block_on_plate(motion, 5.0));
  scene.state.bodies[0].position.z() -= amplitude;
  const SceneRun run = run_scene(scene);
  EXPECT_TRUE(run.of_kind(EventKind::release).empty());
  EXPECT_EQ(run.result.impacts, 0);
  EXPECT_NEAR(run.body("block").position.z(), 0.05 - amplitude * std::cos(w * 5.0), 1e-12);
}

TEST(ShakenPlate, AfterATableThatEndsAtRestTheBlockRests) {
  scene::SceneFile scene =
      scene_from_text(block_on_plate("{ kind = \"table\", axis = [0, 0, 1], time = [0.5, 0.6, 0.7, 0.9], "
                                     "position = [0, 0.03, -0.03, 0.01], ends = \"rest\" }",
                                     5.0));
  scene.run.stop_at_rest = true;
  const SceneRun run = run_scene(scene);
  EXPECT_EQ(run_stop_name(run.result.stop), "at-rest");
  EXPECT_GT(run.result.impacts, 0);
  EXPECT_NEAR(run.body("block").position.z(), 0.06, 1e-12);
  EXPECT_LE(std::abs(run.result.energy.error()), 1e-12);
}

TEST(ShakenPlate, ARoughPlateCarriesTheBlockAlong) {
  // Sideways, rough: the block keeps up with the plate, and its kinetic energy is what the plate has done.
  const double w = 2.0 * pi * 1.5;
  const SceneRun run = run_scene(scene_from_text(
      block_on_plate("{ kind = \"sine\", axis = [1, 0, 0], amplitude = 0.02, frequency = 1.5, phase_deg = 90 }", 0.9,
                     "restitution = 0\nrough = true")));
  EXPECT_LE(difference(run.body("block").position, Vector3d(0.02 * (std::cos(w * 0.9) - 1.0), 0, 0.05)), 1e-11);
  const double v = -0.02 * w * std::sin(w * 0.9);
  EXPECT_NEAR(run.result.energy.wall_work, v * v, 1e-11);
}

TEST(DrivenPaddle, BatsTheBallWithTheSpeedThatItHasGot) {
  // Turns by ½·3t²; the ball, 0.8 m from the axis, is struck when its centre is 0.15 m from the middle plane.
  scene::SceneFile scene = shipped_scene("paddle");
  for (Obstacle& obstacle : scene.model.obstacles) {
    if (!obstacle.turns()) continue;
    obstacle.angular_velocity.setZero();
    obstacle.motion.emplace();
    obstacle.motion->angle = PolynomialProfile{{0.0, 0.0, 1.5}};
  }
  const SceneRun run = run_scene(scene);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_EQ(impacts.size(), 1u);
  const double ahead = std::asin(0.15 / 0.8), turned = std::acos(0.0) - ahead;
  const double time = std::sqrt(turned / 1.5);
  EXPECT_NEAR(impacts[0].record.time, time, 1e-13);
  const double speed = 2.0 * 3.0 * time * 0.8 * std::cos(ahead);
  EXPECT_LE(difference(run.body("ball").velocity, speed * Vector3d(-std::sin(turned), std::cos(turned), 0)), 1e-12);
}

TEST(DrivenTable, ASplineThroughASineDoesAsTheSineDoes) {
  const auto phases_with = [](int rows) {
    std::string time, position;
    for (int i = 0; i <= rows; ++i) {
      time += fmt::format("{}{}", i > 0 ? ", " : "", 0.1 * i / rows);
      position += fmt::format("{}{}", i > 0 ? ", " : "", i % rows == 0 ? 0.0 : 0.0032 * std::sin(2.0 * pi * i / rows));
    }
    scene::SceneFile scene = shipped_scene(
        "ball-on-a-vibrating-table",
        {"run.duration=2", fmt::format("plane.table.motion={{ kind = \"table\", axis = [0, 0, 1], time = [{}], "
                                       "position = [{}], ends = \"periodic\" }}",
                                       time, position)});
    return last_phases(run_scene(scene), VibratingTable{}, 0.0, 1).at(0);
  };
  const double exact =
      last_phases(run_shipped("ball-on-a-vibrating-table", {"run.duration=2"}), VibratingTable{}, 0.0, 1).at(0);
  const double coarse = std::abs(phases_with(16) - exact), fine = std::abs(phases_with(64) - exact);
  // The rate of a cubic spline is off by the third power of the distance of its knots.
  EXPECT_LT(coarse, 1e-2);
  EXPECT_LT(fine, coarse / 40.0);
}

TEST(ShakenBox, KeepsItsShapesApartAndItsBooksClosed) {
  const SceneRun run = run_shipped("shapes-in-a-shaken-box");
  expect_sound(run);
  EXPECT_GT(run.result.impacts, 50);
  // The walls put in many times what there is, and the impacts take it out again.
  EXPECT_GT(run.result.energy.wall_work, 3.0 * run.energy_scale);
  const Model& model = run.scene.model;
  for (const State& sample : run.samples) {
    const auto pose = [&](ObjectIndex object) {
      return model.is_body(object) ? sample.bodies[object.slot()].pose() : model.obstacle(object).pose_at(sample.time);
    };
    for (ObjectIndex a = 0; a < model.body_count(); ++a)
      for (ObjectIndex b = a + 1; b < model.object_count(); ++b)
        EXPECT_GT(proximity(model.parts(a), pose(a), model.parts(b), pose(b)).distance, -1e-12)
            << model.name(a) << " and " << model.name(b) << " at " << sample.time;
  }
}

}  // namespace
}  // namespace carom::test
