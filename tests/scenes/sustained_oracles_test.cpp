/// Sustained contact with friction against tests/data/sustained_oracles.json, each case through a scene of the rigid
/// engine: the general path, whatever the bodies are.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/friction_scene.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using nlohmann::json;

/// Of the times of events and of what has been reached at them.
constexpr double kTolerance = 1e-9;

TEST(SustainedOracles, ABlockThrownUpASlopeStaysOrReturns) {
  for (const char* const id : {"S01a", "S01b", "S01c"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const bool stays = expected["stays"];
    const double end = stays ? 1.0 : expected["time_back_at_start"].get<double>();
    const SceneRun run =
        FrictionScene(end, gravity_on_slope(given["alpha_deg"]))
            .material("m")
            .pair("m", "m", given["mu_s"], given["mu_k"])
            .body("block", box(0.2, 0.2, 0.05), given["mass"],
                  {.position = {0.0, 0.0, 0.05}, .velocity = {-given["speed"].get<double>(), 0.0, 0.0}})
            .floor()
            .run();
    const BodyState& block = run.body("block");
    if (stays) {
      EXPECT_NEAR(block.position.x(), -expected["distance_up"].get<double>(), kTolerance) << id;
      EXPECT_EQ(block.velocity.norm(), 0.0) << id;
      EXPECT_NEAR(run.result.energy.friction, expected["friction_work_up"], kTolerance) << id;
    } else {
      EXPECT_NEAR(block.position.x(), 0.0, kTolerance) << id;
      EXPECT_NEAR(block.velocity.x(), expected["speed_back_at_start"], kTolerance) << id;
      EXPECT_NEAR(run.result.energy.friction, expected["friction_work_total"], kTolerance) << id;
    }
    const auto stops = run.of_kind(EventKind::stick);
    const auto starts = run.of_kind(EventKind::slip);
    ASSERT_EQ(stays ? stops.size() : starts.size(), 1U) << id;
    EXPECT_NEAR((stays ? stops : starts)[0].record.time, expected["time_stop"], kTolerance) << id;
  }
}

TEST(SustainedOracles, ABallSlidesUntilItRolls) {
  for (const char* const id : {"S02a", "S02b", "S02c", "S02d", "S02e"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double radius = given["radius"], mass = given["mass"];
    const double inertia = given["inertia_factor"].get<double>() * mass * radius * radius;
    const SceneRun run = FrictionScene(expected["position_at"]["time"])
                             .material("m")
                             .pair("m", "m", given["mu"], given["mu"])
                             .body("ball", sphere(radius), mass,
                                   {.position = {0.0, 0.0, radius},
                                    .velocity = vector_of(given["velocity"]),
                                    .angular_velocity = vector_of(given["angular_velocity"]),
                                    .more = fmt::format("inertia = [{0}, {0}, {0}]", inertia)})
                             .floor()
                             .run();
    const BodyState& ball = run.body("ball");
    EXPECT_LT(difference(ball.position - radius * Vector3d::UnitZ(), vector_of(expected["position_at"]["value"])),
              kTolerance)
        << id;
    EXPECT_LT(difference(ball.velocity, vector_of(expected["velocity_rolling"])), kTolerance) << id;
    EXPECT_LT(difference(ball.angular_velocity, vector_of(expected["angular_velocity_rolling"])), 1e-8) << id;
    EXPECT_NEAR(run.result.energy.friction, expected["friction_work"], kTolerance) << id;
    const auto sticks = run.of_kind(EventKind::stick);
    ASSERT_EQ(sticks.size(), 1U) << id;
    EXPECT_NEAR(sticks[0].record.time, expected["time_rolling"], kTolerance) << id;
  }
}

TEST(SustainedOracles, TheSlipOfABallOnASlopeTurnsUntilItRolls) {
  for (const char* const id : {"S03a", "S03b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double radius = given["radius"];
    const SceneRun run = FrictionScene(expected["time_rolling"], gravity_on_slope(given["alpha_deg"]))
                             .material("m")
                             .pair("m", "m", given["mu"], given["mu"])
                             .body("ball", sphere(radius), 1.0,
                                   {.position = {0.0, 0.0, radius},
                                    .velocity = vector_of(given["velocity"]),
                                    .angular_velocity = vector_of(given["angular_velocity"])})
                             .floor()
                             .run();
    const BodyState& ball = run.body("ball");
    EXPECT_LT(difference(ball.position - radius * Vector3d::UnitZ(), vector_of(expected["position_at_rolling"])),
              kTolerance)
        << id;
    EXPECT_LT(difference(ball.velocity, vector_of(expected["velocity_at_rolling"])), kTolerance) << id;
  }
}

TEST(SustainedOracles, ABallLetGoOnASlopeRollsOrSlides) {
  for (const char* const id : {"S04a", "S04b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const SceneRun run = FrictionScene(1.0, gravity_on_slope(given["alpha_deg"]))
                             .material("m")
                             .pair("m", "m", given["mu"], given["mu"])
                             .body("ball", sphere(0.1), 1.0, {.position = {0.0, 0.0, 0.1}})
                             .floor()
                             .run();
    EXPECT_NEAR(run.body("ball").velocity.x(), expected["acceleration"], kTolerance) << id;
    EXPECT_NEAR(run.body("ball").angular_velocity.y(), expected["angular_acceleration"], kTolerance) << id;
    const char* const work = expected["mode"] == "rolls" ? "friction_work" : "friction_work_in_1s_per_kg";
    EXPECT_NEAR(run.result.energy.friction, expected[work], kTolerance) << id;
  }
}

TEST(SustainedOracles, ABlockOnABeltSticksAndSlipsByTurns) {
  for (const char* const id : {"S05a", "S05b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double belt = given["belt_speed"], first = expected["first_slip_from_relaxed_spring_moving_with_belt"];
    constexpr int kPeriods = 20;
    const SceneRun run = FrictionScene(first + kPeriods * expected["period"].get<double>() + 1e-7)
                             .material("m")
                             .pair("m", "m", given["mu_s"], given["mu_k"])
                             .body("block", box(0.5, 0.5, 0.05), given["mass"],
                                   {.position = {0.0, 0.0, 0.05}, .velocity = {belt, 0.0, 0.0}})
                             .plane("belt", Vector3d::UnitZ(), "m", fmt::format("velocity = [{}, 0, 0]", belt))
                             .add(fmt::format("[[spring]]\nbodies = [\"block\"]\npoints = [[0, 0, -0.05], [-1, 0, 0]]\n"
                                              "stiffness = {}\nrest_length = 1.0",
                                              given["stiffness"].get<double>()))
                             .run();
    const auto slips = run.of_kind(EventKind::slip);
    const auto sticks = run.of_kind(EventKind::stick);
    ASSERT_EQ(slips.size(), kPeriods + 1U) << id;
    ASSERT_EQ(sticks.size(), kPeriods + 0U) << id;
    for (std::size_t k = 0; k < slips.size(); ++k)
      EXPECT_NEAR(slips[k].record.time, first + static_cast<double>(k) * expected["period"].get<double>(), kTolerance);
    EXPECT_NEAR(sticks[0].record.time - slips[0].record.time, expected["slip_time"], kTolerance);
    EXPECT_NEAR(run.result.energy.friction, kPeriods * expected["friction_work_per_period"].get<double>(), 1e-6) << id;
  }
}

TEST(SustainedOracles, ABallOnASphereRollsSlipsAndLeaves) {
  for (const char* const id : {"S06a", "S06b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double R = given["sphere_radius"], r = given["ball_radius"], speed = given["rate"].get<double>() * (R + r);
    const SceneRun run =
        FrictionScene(expected["time_leave"].get<double>() + 0.01)
            .material("m")
            .pair("m", "m", given["mu"], given["mu"])
            .body("ball", sphere(r), 1.0,
                  {.position = {0.0, 0.0, R + r},
                   .velocity = {speed, 0.0, 0.0},
                   .angular_velocity = {0.0, speed / r, 0.0}})
            .add(fmt::format("[[obstacle]]\nname = \"dome\"\nshape = {{ {} }}\nmaterial = \"m\"", sphere(R)))
            .run();
    const auto slips = run.of_kind(EventKind::slip);
    const auto releases = run.of_kind(EventKind::release);
    ASSERT_EQ(slips.size(), 1U) << id;
    ASSERT_EQ(releases.size(), 1U) << id;
    EXPECT_NEAR(slips[0].record.time, expected["time_slip"], kTolerance) << id;
    EXPECT_NEAR(releases[0].record.time, expected["time_leave"], kTolerance) << id;
    EXPECT_NEAR(run.body("ball").angular_velocity.y(), expected["spin_at_leave"], 1e-8) << id;
    EXPECT_NEAR(run.result.energy.friction, expected["friction_work_per_kg"], kTolerance) << id;
  }
}

TEST(SustainedOracles, ABallOnATurntableGoesRoundInACircle) {
  for (const char* const id : {"S07a", "S07b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double r = given["radius"], inertia = given["inertia_factor"].get<double>() * r * r;
    const SceneRun run = FrictionScene(expected["state_at"]["time"])
                             .material("m")
                             .pair("m", "m", 0.5, 0.5)
                             .body("ball", sphere(r), 1.0,
                                   {.position = vector_of(given["position_xy"]) + r * Vector3d::UnitZ(),
                                    .velocity = vector_of(given["velocity_xy"]),
                                    .angular_velocity = vector_of(expected["initial_angular_velocity"]),
                                    .more = fmt::format("inertia = [{0}, {0}, {0}]", inertia)})
                             .plane("table", Vector3d::UnitZ(), "m",
                                    fmt::format("angular_velocity = [0, 0, {}]", given["table_rate"].get<double>()))
                             .run();
    const BodyState& ball = run.body("ball");
    EXPECT_LT(difference(ball.position - r * Vector3d::UnitZ(), vector_of(expected["state_at"]["position"])),
              kTolerance);
    EXPECT_LT(difference(ball.velocity, vector_of(expected["state_at"]["velocity"])), kTolerance) << id;
  }
}

TEST(SustainedOracles, ALadderSlidesDownAndLeavesTheWall) {
  for (const char* const id : {"S09b", "S09c"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double a = given["half_length"], h = given["half_thickness"], rate = given["rate0"];
    const double theta = radians(given["theta0_deg"]), c = std::cos(theta), s = std::sin(theta);
    const SceneRun run = FrictionScene(expected["state_after_0p1"]["time"])
                             .material("m")
                             .material("f")
                             .material("w")
                             .pair("m", "f", given["mu_floor"], given["mu_floor"])
                             .pair("m", "w", given["mu_wall"], given["mu_wall"])
                             .body("ladder", box(a, 0.3, h), given["mass"],
                                   {.position = {a * c + h * s, 0.0, a * s + h * c},
                                    .velocity = {(-a * s + h * c) * rate, 0.0, (a * c - h * s) * rate},
                                    .angular_velocity = {0.0, rate, 0.0},
                                    .turned = turned_about_y(std::numbers::pi + theta)})
                             .floor("f")
                             .plane("wall", Vector3d::UnitX(), "w")
                             .run();
    const BodyState& ladder = run.body("ladder");
    const json& state = expected["state_after_0p1"];
    EXPECT_NEAR(ladder.position.x(), state["centre"][0], 1e-8) << id;
    EXPECT_NEAR(ladder.position.z(), state["centre"][1], 1e-8) << id;
    EXPECT_NEAR(ladder.velocity.x(), state["velocity_x"], 1e-8) << id;
    EXPECT_NEAR(ladder.angular_velocity.y(), state["rate"], 1e-8) << id;
    const auto releases = run.of_kind(EventKind::release);
    ASSERT_EQ(releases.size(), 1U) << id;
    EXPECT_NEAR(releases[0].record.time, expected["leaves_wall"]["time_leaves_wall"], 1e-8) << id;
    EXPECT_NEAR(run.result.energy.friction, expected["energy_lost"], 1e-8) << id;
  }
}

TEST(SustainedOracles, AFallingBoxSlipsOffItsEdge) {
  for (const char* const id : {"S10a", "S10b", "S10c", "S10d"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double a = given["half_length"], h = given["half_thickness"], psi = radians(given["psi0_deg"]);
    const json& landing = expected["events_after"].back();
    const SceneRun run = FrictionScene(landing["time"].get<double>() - 1e-9)
                             .material("m")
                             .pair("m", "m", given["mu_s"], given["mu_k"])
                             .body("box", box(h, 0.3, a), given["mass"],
                                   {.position = std::hypot(a, h) * Vector3d(std::sin(psi), 0.0, std::cos(psi)),
                                    .turned = turned_about_y(psi + std::atan2(h, a))})
                             .floor()
                             .run();
    EXPECT_NEAR(run.body("box").angular_velocity.y(), landing["rate"], 5e-8) << id;
    const auto slips = run.of_kind(EventKind::slip);
    ASSERT_EQ(slips.size(), expected["events_after"].size()) << id;  // the last of the oracle's is the landing
    EXPECT_NEAR(slips[0].record.time, expected["slip_time"], 1e-8) << id;
    if (slips.size() > 1) {
      EXPECT_NEAR(slips[1].record.time, expected["events_after"][0]["time"], 1e-8) << id;
    }
  }
}

TEST(SustainedOracles, ABoxOnASlopeRestsTipsOrSlides) {
  for (const char* const id : {"S13a", "S13b", "S13c", "S13d", "S13e"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    constexpr double kTime = 1e-5;
    const double height = given["half_height"];
    const SceneRun run =
        FrictionScene(kTime, gravity_on_slope(given["alpha_deg"]))
            .material("m")
            .pair("m", "m", given["mu_s"], given["mu_k"])
            .body("box", box(given["half_base"], 0.1, height), given["mass"], {.position = {0.0, 0.0, height}})
            .floor()
            .run();
    const BodyState& box = run.body("box");
    // Accelerations change along with the motion by less than this part in such a short time.
    EXPECT_NEAR(box.velocity.x() / kTime, expected["acceleration_along_slope"], 1e-8) << id;
    EXPECT_NEAR(box.velocity.z() / kTime, expected["acceleration_normal"], 1e-8) << id;
    EXPECT_NEAR(box.angular_velocity.y() / kTime, expected["angular_acceleration_forward"], 1e-8) << id;
  }
}

TEST(SustainedOracles, ABlockSlidesOnAMovableWedge) {
  for (const char* const id : {"S16a", "S16b", "S16c"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double angle = radians(given["alpha_deg"]), length = 2.0, height = length * std::tan(angle), d = 0.1;
    constexpr double kTime = 0.01;
    const SceneRun run =
        FrictionScene(kTime)
            .material("wedge")
            .material("block")
            .material("floor")
            .pair("wedge", "block", given["mu_between"], given["mu_between"])
            .pair("wedge", "floor", given["mu_floor"], given["mu_floor"])
            .pair("block", "floor", "")
            .body("wedge",
                  fmt::format("kind = \"convex\", vertices = [[0, -1, 0], [{0}, -1, 0], [0, -1, {1}], [0, 1, 0], "
                              "[{0}, 1, 0], [0, 1, {1}]]",
                              length, height),
                  given["wedge_mass"], {.material = "wedge"})
            .body("block", box(0.3, 0.3, d), given["block_mass"],
                  {.position = {0.5 * length + d * std::sin(angle), 0.0, 0.5 * height + d * std::cos(angle)},
                   .turned = turned_about_y(angle),
                   .material = "block"})
            .floor("floor")
            .run();
    const double wedge = run.body("wedge").velocity.x();
    const Vector3d relative = run.body("block").velocity - Vector3d(wedge, 0.0, 0.0);
    EXPECT_NEAR(wedge / kTime, expected["wedge_acceleration"], 1e-9) << id;
    EXPECT_NEAR((relative.x() * std::cos(angle) - relative.z() * std::sin(angle)) / kTime,
                expected["relative_acceleration"], 1e-9)
        << id;
  }
}

TEST(SustainedOracles, APlankTakesABallAlongUntilItRolls) {
  const json one = sustained_oracle("S18a");
  const json& given = one["parameters"];
  const json& expected = one["expected"];
  const SceneRun run =
      FrictionScene(0.3)
          .material("plank")
          .material("ball")
          .material("floor")
          .pair("plank", "ball", given["mu"], given["mu"])
          .pair("plank", "floor", "")
          .pair("ball", "floor", "")
          .body("plank", box(3.0, 1.0, 0.1), given["plank_mass"],
                {.position = {0.0, 0.0, 0.1}, .velocity = {given["plank_velocity"], 0.0, 0.0}, .material = "plank"})
          .body("ball", sphere(0.1), given["ball_mass"], {.position = {0.0, 0.0, 0.3}, .material = "ball"})
          .floor("floor")
          .run();
  EXPECT_NEAR(run.body("ball").velocity.x(), expected["ball_velocity"], kTolerance);
  EXPECT_NEAR(run.body("plank").velocity.x(), expected["plank_velocity"], kTolerance);
  EXPECT_NEAR(run.result.energy.friction, expected["friction_work"], kTolerance);
  const auto sticks = run.of_kind(EventKind::stick);
  ASSERT_EQ(sticks.size(), 1U);
  EXPECT_NEAR(sticks[0].record.time, expected["time_rolling"], kTolerance);
}

TEST(SustainedOracles, ABoxThatSlidesAndSpinsHasTheLeastNormalForces) {
  for (const char* const id : {"S21a", "S21b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    constexpr double kTime = 1e-6;
    const json& sizes = given["half_sizes"];
    const Vector3d velocity = vector_of(given["velocity"]);
    const double spin = given["spin_z"];
    const SceneRun run =
        FrictionScene(kTime)
            .material("m")
            .pair("m", "m", given["mu"], given["mu"])
            .body("box", box(sizes[0], sizes[1], sizes[2]), given["mass"],
                  {.position = {0.0, 0.0, sizes[2]}, .velocity = velocity, .angular_velocity = {0.0, 0.0, spin}})
            .floor()
            .run();
    const BodyState& box = run.body("box");
    EXPECT_NEAR((box.angular_velocity.z() - spin) / kTime, expected["angular_acceleration_least_norm"], 1e-4) << id;
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR((box.velocity[k] - velocity[k]) / kTime,
                  expected["acceleration_least_norm"][static_cast<std::size_t>(k)].get<double>(), 1e-4)
          << id;
  }
}

}  // namespace
}  // namespace carom::test
