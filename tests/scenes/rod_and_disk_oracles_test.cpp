/// Sustained contact with friction against tests/data/sustained_oracles.json: thin rods, disks, bores, rollers and
/// piles. A thin rod is a slender body with pointed ends and the moments of inertia of the rod, so that a single vertex
/// touches.

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/friction_scene.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using nlohmann::json;

constexpr double kAccuracy = 1e-9;

/// Half length a along x, pointed at both ends.
std::string rod(double a, double thickness) {
  return fmt::format(
      "kind = \"convex\", vertices = [[{0}, 0, 0], [-{0}, 0, 0], [0, {1}, 0], [0, -{1}, 0], [0, 0, {1}], [0, 0, -{1}]]",
      a, thickness);
}
std::string rod_inertia(double inertia, const std::string& more = "") {
  return fmt::format("inertia = [{}, {}, {}]\n{}", 0.01 * inertia, inertia, inertia, more);
}

/// A rod in the plane y = 0 at the angle θ to the floor that turns with θ̇, its lower end (towards −x) at the origin and
/// moving along the floor.
FrictionScene::Start rod_start(const json& given, double theta, double rate, double slip) {
  const double a = given["half_length"], c = std::cos(theta), s = std::sin(theta);
  return {.position = {a * c, 0.0, a * s},
          .velocity = {slip - a * s * rate, 0.0, a * c * rate},
          .angular_velocity = {0.0, -rate, 0.0},
          .turned = turned_about_y(-theta),
          .more = rod_inertia(given["inertia"])};
}

TEST(SustainedOracles, ABallInAVerticalBoreDoesNotFall) {
  for (const char* const id : {"S08a", "S08b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double R = given["bore_radius"], r = given["radius"], mu = 1.1 * expected["least_mu"].get<double>();
    const json& spin = expected["initial_angular_velocity_cyl"];
    const SceneRun run =
        FrictionScene(expected["height_at"]["time"])
            .material("m")
            .pair("m", "m", mu, mu)
            .body("ball", sphere(r), 1.0,
                  {.position = {R - r, 0.0, given["height"].get<double>()},
                   .velocity = {0.0, given["rate"].get<double>() * (R - r), given["vertical_velocity"].get<double>()},
                   .angular_velocity = vector_of({spin["radial"], spin["tangential"], spin["axial"]})})
            .add(fmt::format("[[obstacle]]\nname = \"bore\"\nshape = {{ kind = \"bore\", radius = {}, half_length = 5 "
                             "}}\nmaterial = \"m\"",
                             R))
            .run();
    EXPECT_NEAR(run.body("ball").position.z(), expected["height_at"]["z"], kAccuracy) << id;
    EXPECT_EQ(run.result.energy.friction, 0.0) << id;
  }
}

TEST(SustainedOracles, ABallInATurningBoreIsAPendulum) {
  const json one = sustained_oracle("S25a");
  const json& given = one["parameters"];
  const json& expected = one["expected"];
  const double R = given["bore_radius"], r = given["radius"], rate = given["bore_rate"];
  const double theta = radians(given["theta0_deg"]), mu = 1.1 * expected["least_mu"].get<double>();
  // θ grows from −z to +x: about −y, and so does the bore turn.
  const SceneRun run =
      FrictionScene(expected["quarter_time"])
          .material("m")
          .pair("m", "m", mu, mu)
          .body("ball", sphere(r), 1.0,
                {.position = (R - r) * Vector3d(std::sin(theta), 0.0, -std::cos(theta)),
                 .angular_velocity = {0.0, -expected["spin_at_start"].get<double>(), 0.0}})
          .add(fmt::format("[[obstacle]]\nname = \"bore\"\nshape = {{ kind = \"bore\", radius = {}, "
                           "half_length = 1 }}\nmaterial = \"m\"\norientation = {{ bryan_deg = [90, 0, "
                           "0] }}\nangular_velocity = [0, {}, 0]",
                           R, -rate))
          .run();
  const BodyState& ball = run.body("ball");
  EXPECT_NEAR(ball.position.x(), 0.0, kAccuracy);
  EXPECT_NEAR(ball.velocity.x() / (R - r), expected["rate_at_bottom"], kAccuracy);
  EXPECT_NEAR(ball.angular_velocity.y(), -expected["spin_at_bottom"].get<double>(), 1e-8);
}

TEST(SustainedOracles, ASmoothThinLadderLeavesTheWall) {
  const json one = sustained_oracle("S09a");
  const json& given = one["parameters"];
  const json& expected = one["expected"];
  const double a = given["half_length"], rate = given["rate0"], theta = radians(given["theta0_deg"]);
  const double c = std::cos(theta), s = std::sin(theta);
  const SceneRun run = FrictionScene(expected["state_after_0p1"]["time"])
                           .material("m")
                           .pair("m", "m", "")
                           .body("ladder", rod(a, 0.01), given["mass"],
                                 {.position = {a * c, 0.0, a * s},
                                  .velocity = {-a * s * rate, 0.0, a * c * rate},
                                  .angular_velocity = {0.0, rate, 0.0},
                                  .turned = turned_about_y(theta),
                                  .more = rod_inertia(given["inertia"])})
                           .floor()
                           .plane("wall", Vector3d::UnitX())
                           .run();
  const json& state = expected["state_after_0p1"];
  EXPECT_NEAR(run.body("ladder").position.x(), state["centre"][0], 1e-8);
  EXPECT_NEAR(run.body("ladder").position.z(), state["centre"][1], 1e-8);
  EXPECT_NEAR(run.body("ladder").angular_velocity.y(), state["rate"], 1e-8);
  const auto releases = run.of_kind(EventKind::release);
  ASSERT_EQ(releases.size(), 1U);
  EXPECT_NEAR(releases[0].record.time, expected["leaves_wall"]["time_leaves_wall"], 1e-8);
}

/// The angle to the vertical at which the foot of a rod slips that has fallen from the vertical.
double angle_of_first_slip(double mu) {
  constexpr double kHalf = 0.5;
  const double start = radians(5.0), rate = std::sqrt(1.5 * kGravity / kHalf * (1.0 - std::cos(start)));
  const auto scene = [&](double duration) {
    return FrictionScene(duration)
        .material("m")
        .pair("m", "m", mu, mu)
        .body("rod", rod(kHalf, 0.005), 1.0,
              {.position = {kHalf * std::sin(start), 0.0, kHalf * std::cos(start)},
               .velocity = kHalf * rate * Vector3d(std::cos(start), 0.0, -std::sin(start)),
               .angular_velocity = {0.0, rate, 0.0},
               .turned = turned_about_y(start - 0.5 * std::numbers::pi),
               .more = rod_inertia(1.0 / 12.0)})
        .floor()
        .run();
  };
  const auto slips = scene(0.8).of_kind(EventKind::slip);
  if (slips.empty()) return 0.0;
  const SceneRun until = scene(slips[0].record.time);
  const Vector3d axis = until.body("rod").orientation * Vector3d::UnitX();
  return std::acos(axis.z()) * 180.0 / std::numbers::pi;
}

TEST(SustainedOracles, AThinRodFromTheVerticalSlipsBackwardOrForward) {
  const json expected = sustained_oracle("S11")["expected"];
  for (const char* const way : {"forward_slip_angle_deg", "backward_slip_angle_deg"})
    for (const auto& [mu, angle] : expected[way].items())
      EXPECT_NEAR(angle_of_first_slip(std::stod(mu)), angle.get<double>(), 1e-6) << way << " " << mu;
}

TEST(SustainedOracles, PainlevesRodSlidesJumpsOrLiftsOff) {
  const json one = sustained_oracle("S12");
  const json& given = one["parameters"];
  for (const json& row : one["expected"]["rows"]) {
    constexpr double kTime = 1e-7;
    const double theta = radians(row["theta_deg"]), rate = row["rate"], slip = row["slip"], mu = row["mu"];
    const FrictionScene::Start start = rod_start(given, theta, rate, slip);
    const SceneRun run = FrictionScene(kTime)
                             .material("m")
                             .pair("m", "m", mu, mu)
                             .body("rod", rod(given["half_length"], 0.01), given["mass"], start)
                             .floor()
                             .run();
    const std::string label = row.dump();
    const auto jumps = run.impacts();
    if (row["class"] == "slides") {
      EXPECT_TRUE(jumps.empty()) << label;
      const double force = (run.body("rod").velocity.z() - start.velocity.z()) / kTime / kGravity + 1.0;
      EXPECT_NEAR(force, row["normal_force_over_weight"], 1e-4) << label;
    } else if (row["class"] == "inconsistent") {
      ASSERT_EQ(jumps.size(), 1U) << label;
      EXPECT_TRUE(jumps[0].record.flags.has(Flag::impact_without_collision)) << label;
      const json& plastic = row["impact_without_collision"]["poisson_e"]["0.0"];
      EXPECT_NEAR(jumps[0].contacts[0].impulse, plastic["normal_impulse"], 1e-8) << label;
      EXPECT_NEAR(jumps[0].contacts[0].tangential_impulse.x(), plastic["tangential_impulse"], 1e-8) << label;
      EXPECT_NEAR(jumps[0].record.energy.change, plastic["energy_change"], 1e-8) << label;
    } else if (row["class"] == "indeterminate") {
      EXPECT_TRUE(jumps.empty()) << label;
      const auto releases = run.of_kind(EventKind::release);
      ASSERT_EQ(releases.size(), 1U) << label;
      EXPECT_TRUE(releases[0].record.flags.has(Flag::painleve_indeterminate)) << label;
    } else {
      EXPECT_EQ(run.of_kind(EventKind::contact_start).size(), 0U) << label;  // lifts off
    }
  }
}

TEST(SustainedOracles, ARunGoesOnThroughPainleve) {
  for (const char* const id : {"S24a", "S24b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const json& state = expected["state_at_end"];
    constexpr double kBefore = 1e-7;  // the other end closes a moment later
    const bool closes = state["why"] == "impact";
    const double end = state["time"].get<double>() - (closes ? kBefore : 0.0);
    const SceneRun run = FrictionScene(end)
                             .material("m")
                             .pair("m", "m", given["mu"], given["mu"])
                             .body("rod", rod(given["half_length"], closes ? 1e-8 : 0.01), given["mass"],
                                   rod_start(given, radians(given["theta_deg"]), given["rate"], given["slip"]))
                             .floor()
                             .run();
    const BodyState& body = run.body("rod");
    const double slack = closes ? 1e-5 : 1e-8;
    EXPECT_NEAR(body.position.x(), state["centre"][0], slack) << id;
    EXPECT_NEAR(body.position.z(), state["centre"][1], slack) << id;
    EXPECT_NEAR(body.velocity.x(), state["velocity"][0], slack) << id;
    EXPECT_NEAR(-body.angular_velocity.y(), state["rate"], slack) << id;
    if (!expected.contains("events")) continue;
    const auto sticks = run.of_kind(EventKind::stick);
    const auto slips = run.of_kind(EventKind::slip);
    ASSERT_EQ(sticks.size(), 1U) << id;
    ASSERT_EQ(slips.size(), 1U) << id;
    EXPECT_NEAR(sticks[0].record.time, expected["events"][0]["time"], 1e-8) << id;
    EXPECT_NEAR(slips[0].record.time, expected["events"][1]["time"], 1e-8) << id;
  }
}

TEST(SustainedOracles, TheTipOfARodSlipsInADirectionOfItsOwn) {
  for (const char* const id : {"S20a", "S20b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    constexpr double kTime = 1e-6;
    const double a = given["half_length"], inertia = given["inertia_transverse"];
    const Vector3d axis = vector_of(given["axis_direction_up"]).normalized();
    const SceneRun run =
        FrictionScene(kTime)
            .material("m")
            .pair("m", "m", given["mu_s"], given["mu_k"])
            .body("rod", rod(a, 0.01), given["mass"],
                  {.position = a * axis,
                   .turned = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), axis),
                   .more = rod_inertia(inertia)})
            .add(fmt::format("[[load]]\nbody = \"rod\"\nforce = {}", list(vector_of(given["force_at_centre"]))))
            .floor()
            .run();
    const BodyState& rod = run.body("rod");
    const Vector3d tip = rod.velocity + rod.angular_velocity.cross(-a * (rod.orientation * Vector3d::UnitX()));
    EXPECT_NEAR(std::atan2(tip.y(), tip.x()) * 180.0 / std::numbers::pi, expected["slip_direction_deg"], 1e-6) << id;
    EXPECT_NEAR(tip.head<2>().norm() / kTime, expected["slip_acceleration"], 1e-6) << id;
    EXPECT_NEAR(rod.velocity.z() / kTime + kGravity, expected["normal_force"], 1e-6) << id;
  }
}

TEST(SustainedOracles, SmoothCylindersPartWhereTheySay) {
  const json one = sustained_oracle("S15a");
  const json& expected = one["expected"];
  const double r = one["parameters"]["radius"], time = expected["time"];
  FrictionScene scene(time + 1e-3);
  scene.material("m").pair("m", "m", "");
  const std::string cylinder = fmt::format("kind = \"cylinder\", radius = {}, half_length = 0.1", r);
  const Eigen::Quaterniond lying(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()));
  scene.body("left", cylinder, 1.0, {.position = {-r, 0.0, r}, .turned = lying});
  scene.body("right", cylinder, 1.0, {.position = {r, 0.0, r}, .turned = lying});
  scene.body("top", cylinder, 1.0, {.position = {0.0, 0.0, (1.0 + std::sqrt(3.0)) * r}, .turned = lying});
  const SceneRun run = scene.floor().run();
  const auto releases = run.of_kind(EventKind::release);
  ASSERT_FALSE(releases.empty());
  EXPECT_NEAR(releases[0].record.time, time, 1e-8);
  EXPECT_NEAR(run.body("right").velocity.x(), expected["speed_bottom"], 1e-8);
  EXPECT_NEAR(run.body("left").velocity.x(), -expected["speed_bottom"].get<double>(), 1e-8);
}

TEST(SustainedOracles, CylindersAndBallsRestOnEachOtherFromTheirThresholdsOn) {
  const auto rests = [](FrictionScene& scene) {
    const SceneRun run = scene.floor("floor").run();
    double fastest = 0.0;
    for (const BodyState& body : run.result.final_state.bodies) fastest = std::max(fastest, body.velocity.norm());
    return fastest == 0.0;
  };
  const double r = 0.1;
  const auto scene_with = [](double between, double floor) {
    FrictionScene scene(1e-3);
    scene.material("m").material("floor").pair("m", "m", between, between).pair("m", "floor", floor, floor);
    return scene;
  };
  const json cylinders = sustained_oracle("S14a")["expected"], balls = sustained_oracle("S14b")["expected"];
  const Eigen::Quaterniond lying(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()));
  for (const auto& [between, floor] : {std::pair{1.001, 1.001}, std::pair{0.999, 1.1}, std::pair{1.1, 0.999}}) {
    const bool expected = between > 1.0 && floor > 1.0;
    FrictionScene pile = scene_with(between * cylinders["least_mu_between"].get<double>(),
                                    floor * cylinders["least_mu_floor"].get<double>());
    const std::string cylinder = fmt::format("kind = \"cylinder\", radius = {}, half_length = 0.1", r);
    pile.body("left", cylinder, 1.0, {.position = {-r, 0.0, r}, .turned = lying});
    pile.body("right", cylinder, 1.0, {.position = {r, 0.0, r}, .turned = lying});
    pile.body("top", cylinder, 1.0, {.position = {0.0, 0.0, (1.0 + std::sqrt(3.0)) * r}, .turned = lying});
    EXPECT_EQ(rests(pile), expected) << "cylinders " << between << " " << floor;
    FrictionScene pyramid =
        scene_with(between * balls["least_mu_between"].get<double>(), floor * balls["least_mu_floor"].get<double>());
    const double out = 2.0 * r / std::sqrt(3.0);
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 3.0;
      pyramid.body(fmt::format("ball{}", k), sphere(r), 1.0,
                   {.position = {out * std::cos(angle), out * std::sin(angle), r}});
    }
    pyramid.body("top", sphere(r), 1.0, {.position = {0.0, 0.0, r + std::sqrt(8.0 / 3.0) * r}});
    EXPECT_EQ(rests(pyramid), expected) << "balls " << between << " " << floor;
  }
}

TEST(SustainedOracles, ABarOnRollersThatTurnInwardsSwings) {
  for (const char* const id : {"S17a", "S17b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    constexpr double kRoller = 0.1, kHalf = 0.05;
    const double d = given["half_distance"], height = given["height"], turning = 5.0 / kRoller;
    FrictionScene scene(0.25 * expected["period"].get<double>());
    scene.material("m").pair("m", "m", given["mu"], given["mu"]);
    scene.body("bar", box(1.0, 0.1, kHalf), given["mass"],
               {.position = {given["x0"].get<double>(), 0.0, kHalf},
                .more = fmt::format("centre_of_mass = [0, 0, {}]\ninertia = [0.01, 0.3, 0.3]", height - kHalf)});
    for (const double side : {-1.0, 1.0})
      scene.add(fmt::format(
          "[[obstacle]]\nname = \"roller{}\"\nshape = {{ kind = \"cylinder\", radius = {}, half_length = 0.2 }}\n"
          "material = \"m\"\nposition = [{}, 0, {}]\norientation = {{ bryan_deg = [90, 0, 0] }}\n"
          "angular_velocity = [0, {}, 0]",
          side, kRoller, side * d, -kRoller, -side * turning));
    const SceneRun run = scene.run();
    EXPECT_NEAR(run.body("bar").position.x(), 0.0, 1e-8) << id;
    EXPECT_NEAR(run.body("bar").velocity.x(), -expected["max_speed"].get<double>(), 1e-8) << id;
    // Friction's power is μ m g V + m ω² x ẋ.
    const double swing = given["mass"].get<double>() * std::pow(expected["max_speed"].get<double>(), 2);
    const double work = 0.25 * expected["dissipation_per_period"].get<double>() - 0.5 * swing;
    EXPECT_NEAR(run.result.energy.friction, work, 1e-7) << id;
  }
}

TEST(SustainedOracles, APulledPlankTakesItsBallAlong) {
  for (const char* const id : {"S19a", "S19b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    constexpr double kTime = 0.1;
    const SceneRun run =
        FrictionScene(kTime)
            .material("plank")
            .material("ball")
            .material("floor")
            .pair("plank", "ball", given["mu"], given["mu"])
            .pair("plank", "floor", "")
            .pair("ball", "floor", "")
            .body("plank", box(3.0, 1.0, 0.1), given["plank_mass"], {.position = {0.0, 0.0, 0.1}, .material = "plank"})
            .body("ball", sphere(0.1), given["ball_mass"], {.position = {0.0, 0.0, 0.3}, .material = "ball"})
            .add(fmt::format("[[load]]\nbody = \"plank\"\nforce = [{}, 0, 0]", given["force"].get<double>()))
            .floor("floor")
            .run();
    EXPECT_NEAR(run.body("plank").velocity.x() / kTime, expected["plank_acceleration"], kAccuracy) << id;
    EXPECT_NEAR(run.body("ball").velocity.x() / kTime, expected["ball_acceleration"], kAccuracy) << id;
  }
}

TEST(SustainedOracles, ADiskRollsRoundOnItsRim) {
  for (const char* const id : {"S22a", "S22b"}) {
    const json one = sustained_oracle(id);
    const json& given = one["parameters"];
    const json& expected = one["expected"];
    const double half = std::max(given["half_length"].get<double>(), 1e-10), J1 = given["J_axis"];
    const double Jt = given["J_transverse"], mu = 1.2 * expected["friction_needed"].get<double>();
    const Vector3d start(given["circle_radius"].get<double>(), 0.0, expected["height"].get<double>());
    const SceneRun run = FrictionScene(expected["period"])
                             .material("m")
                             .pair("m", "m", mu, mu)
                             .body("disk",
                                   fmt::format("kind = \"cylinder\", radius = {}, half_length = {}",
                                               given["radius"].get<double>(), half),
                                   given["mass"],
                                   {.position = start,
                                    .velocity = vector_of(expected["velocity"]),
                                    .angular_velocity = vector_of(expected["angular_velocity"]),
                                    .turned = turned_about_y(radians(given["alpha_deg"])),
                                    .more = fmt::format("inertia = [{}, {}, {}]", Jt, Jt, J1)})
                             .floor()
                             .run();
    EXPECT_LT(difference(run.body("disk").position, start), 1e-8) << id;
    EXPECT_LT(difference(run.body("disk").velocity, vector_of(expected["velocity"])), 1e-7) << id;
    EXPECT_TRUE(run.of_kind(EventKind::slip).empty()) << id;
  }
}

TEST(SustainedOracles, ADiskThatWobblesRollsOn) {
  const json one = sustained_oracle("S23a");
  const json& given = one["parameters"];
  const json& expected = one["expected"];
  const double r = given["radius"], alpha = radians(given["alpha_deg"]), J1 = given["J_axis"];
  const double Jt = given["J_transverse"];
  const SceneRun run =
      FrictionScene(expected["time"])
          .material("m")
          .pair("m", "m", "rough = true")
          .body("disk", fmt::format("kind = \"cylinder\", radius = {}, half_length = 1e-10", r), given["mass"],
                {.position = {0.0, 0.0, r * std::sin(alpha)},
                 .velocity = vector_of(given["velocity"]),
                 .angular_velocity = vector_of(given["angular_velocity"]),
                 .turned = turned_about_y(alpha),
                 .more = fmt::format("inertia = [{}, {}, {}]", Jt, Jt, J1)})
          .floor()
          .run();
  const BodyState& disk = run.body("disk");
  EXPECT_LT(difference(disk.position, vector_of(expected["centre"])), 1e-8);
  EXPECT_LT(difference(disk.velocity, vector_of(expected["velocity"])), 1e-7);
  EXPECT_LT(difference(disk.angular_velocity, vector_of(expected["angular_velocity"])), 1e-6);
  EXPECT_LT(difference(disk.orientation * Vector3d::UnitZ(), vector_of(expected["axis"])), 1e-7);
}

}  // namespace
}  // namespace carom::test
