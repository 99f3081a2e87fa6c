/// Bodies of every shape come to rest on a plane, on an obstacle and on another body, where their shape says.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "carom/geometry/mass_properties.h"

namespace carom::resting_shapes_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
const Quaterniond kLying(AngleAxisd(0.5 * kPi, Vector3d::UnitX()));  // the axis z along −y

struct Scene {
  Model model;
  State state;

  explicit Scene(bool rough = false) {
    model.gravity = {0.0, 0.0, -9.81};
    model.materials.resize(1);
    model.materials[0].name = "stuff";
    model.rules.resize(1);
    model.rules[0].restitution = rough ? 0.0 : 0.4;
    model.rules[0].rough = rough;
  }
  void add_floor() {
    Obstacle floor;
    floor.name = "floor";
    floor.pose = half_space_pose(Vector3d::UnitZ(), Vector3d::Zero());
    floor.material = 0;
    model.obstacles.push_back(floor);
  }
  void add_obstacle(const Shape& shape, const Vector3d& position, const Quaterniond& turn = Quaterniond::Identity()) {
    Obstacle obstacle;
    obstacle.name = "obstacle" + std::to_string(model.obstacles.size());
    obstacle.parts = one_part(shape);
    obstacle.pose = {position, turn};
    obstacle.material = 0;
    model.obstacles.push_back(obstacle);
  }
  /// A homogeneous body; `origin` is that of the shape's frame.
  BodyState& add(const Shape& shape, const Vector3d& origin, const Quaterniond& turn = Quaterniond::Identity()) {
    Body body = homogeneous_body("body" + std::to_string(model.bodies.size()), shape, 1.5);
    body.material = 0;
    if (is_identity(body.parts[0].placement) && !std::holds_alternative<Prism>(shape))
      body.parts[0].placement.position = -mass_properties(shape).centroid;
    state.bodies.emplace_back();
    state.bodies.back().orientation = turn;
    state.bodies.back().position = origin - turn * body.parts[0].placement.position;
    model.bodies.push_back(std::move(body));
    return state.bodies.back();
  }
  [[nodiscard]] RunResult run(double duration = 10.0) const {
    EventOptions options;
    options.duration = duration;
    options.max_events = 2000;
    options.law = model.rules[0].rough ? &kRoughLaw : &kPoissonLaw;
    RunSettings settings;
    settings.stop_at_rest = true;
    return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options), settings);
  }
};

struct Resting {
  std::string name;
  std::function<void(Scene&)> make;
  double height;  ///< of the last body's centre of mass at rest
};

/// On a table of height 1, the top face of a box.
void on_table(Scene& scene) {
  scene.add_obstacle(Box{{2.0, 2.0, 0.5}}, {0.0, 0.0, 0.5});
}

std::vector<Resting> resting_scenes() {
  const double slope = std::atan2(0.2, 0.5);  // of a cone of radius 0.2 and height 0.5 against its axis
  const Quaterniond on_side(AngleAxisd(0.5 * kPi + slope, Vector3d::UnitY()));
  // The centre of mass is a quarter up the axis; the side line is where the axis' distance from it grows as sin(slope).
  const double cone_height = 0.75 * 0.5 * std::sin(slope);
  const Vector3d fallen(0.02, 0.01, 0.0);
  return {
      {"box_on_box",
       [=](Scene& s) {
         s.add_floor();
         s.add(Box{{0.4, 0.3, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Box{{0.4, 0.3, 0.2}}, {0.05, 0.02, 0.7});
       },
       0.6},
      {"cylinder_standing_on_box",
       [=](Scene& s) {
         s.add_floor();
         s.add(Box{{0.4, 0.4, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Cylinder{0.2, 0.3}, {0.05, 0.02, 0.8});
       },
       0.7},
      {"cylinder_tilted_over_table",
       [=](Scene& s) {
         on_table(s);
         s.add(Cylinder{0.3, 0.2}, {0.05, 0.02, 1.6}, Quaterniond(AngleAxisd(0.3, Vector3d::UnitX())));
       },
       1.2},
      {"cylinder_lying_on_table",
       [=](Scene& s) {
         on_table(s);
         s.add(Cylinder{0.2, 0.3}, {0.05, 0.02, 1.4}, kLying);
       },
       1.2},
      {"cylinder_lying_across_a_narrow_wall",
       [=](Scene& s) {
         s.add_obstacle(Box{{2.0, 0.2, 0.5}}, {0.0, 0.0, 0.5});
         s.add(Cylinder{0.2, 0.3}, {0.05, 0.02, 1.4}, kLying);
       },
       1.2},
      {"cone_on_its_side_on_a_plane",
       [=](Scene& s) {
         s.add_floor();
         s.add(Cone{0.2, 0.5}, {0.0, 0.0, 0.3}, on_side);
       },
       cone_height},
      {"cone_on_its_side_on_a_table",
       [=](Scene& s) {
         on_table(s);
         s.add(Cone{0.2, 0.5}, {0.0, 0.0, 1.3}, on_side);
       },
       1.0 + cone_height},
      {"cone_on_its_base_on_a_box",
       [=](Scene& s) {
         s.add_floor();
         s.add(Box{{0.4, 0.4, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Cone{0.2, 0.5}, fallen + Vector3d(0.0, 0.0, 0.5));
       },
       0.4 + 0.125},
      {"capsule_tilted_over_a_plane",
       [=](Scene& s) {
         s.add_floor();
         s.add(Capsule{0.2, 0.3}, {0.0, 0.0, 0.5}, Quaterniond(AngleAxisd(1.2, Vector3d::UnitX())));
       },
       0.2},
      {"capsule_lying_on_a_box",
       [=](Scene& s) {
         s.add_floor();
         s.add(Box{{0.6, 0.6, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Capsule{0.2, 0.3}, {0.0, 0.0, 0.7}, kLying);
       },
       0.6},
      {"capsule_longer_than_what_it_lies_on",
       [=](Scene& s) {
         s.add_obstacle(Box{{0.6, 0.2, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Capsule{0.2, 0.3}, {0.0, 0.0, 0.7}, kLying);
       },
       0.6},
      {"half_cylinder_on_its_flat_face",
       [=](Scene& s) {
         s.add_floor();
         s.add(HalfCylinder{0.3, 0.4}, {0.0, 0.0, 0.1}, Quaterniond(AngleAxisd(-0.5 * kPi, Vector3d::UnitX())));
       },
       4.0 * 0.3 / (3.0 * kPi)},
      {"half_cylinder_on_its_round_side",
       [=](Scene& s) {
         s.add_floor();
         s.add(HalfCylinder{0.3, 0.4}, {0.0, 0.0, 0.5}, kLying);
       },
       0.3 - 4.0 * 0.3 / (3.0 * kPi)},
      {"prism_on_a_box",
       [=](Scene& s) {
         s.add_floor();
         s.add(Box{{0.6, 0.6, 0.2}}, {0.0, 0.0, 0.2});
         s.add(Prism{{Eigen::Vector2d(-0.3, -0.2), Eigen::Vector2d(0.3, -0.2), Eigen::Vector2d(0.0, 0.4)}, 0.3},
               {0.0, 0.0, 0.7}, kLying);
       },
       0.6},
      {"box_on_a_standing_cylinder",
       [=](Scene& s) {
         s.add_obstacle(Cylinder{0.5, 0.5}, {0.0, 0.0, 0.5});
         s.add(Box{{0.3, 0.3, 0.2}}, {0.1, 0.0, 1.4});
       },
       1.2},
      {"ellipsoid_on_a_table",
       [=](Scene& s) {
         on_table(s);
         s.add(Ellipsoid{{0.3, 0.25, 0.2}}, {0.0, 0.0, 1.4});
       },
       1.2},
  };
}

class RestingShapes : public testing::TestWithParam<Resting> {};

TEST_P(RestingShapes, ComeToRestWhereTheirShapeSays) {
  Scene scene;
  GetParam().make(scene);
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::at_rest) << (result.failure ? result.failure->reason : "");
  EXPECT_NEAR(result.final_state.bodies.back().position.z(), GetParam().height, 1e-9);
  EXPECT_LT(std::abs(result.energy.error()), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(EventEngine, RestingShapes, testing::ValuesIn(resting_scenes()),
                         [](const auto& scene) { return scene.param.name; });

/// Small oscillations of a half cylinder that rolls: ω² = 0.65178 g/R, from ½(J_c + m(R − c)²)θ̇² + ½mgcθ² with the
/// centre of mass c = 4R/3π from the axis and J_c = mR²/2 − mc².
TEST(RollingShapes, AHalfCylinderRocksAtItsFrequency) {
  const double radius = 0.3, start = 1e-3;
  Scene scene(true);
  scene.add_floor();
  scene.add(HalfCylinder{radius, 0.4}, {0.0, 0.0, radius}, Quaterniond(AngleAxisd(start, Vector3d::UnitY())) * kLying);
  const double frequency = std::sqrt(0.6517834 * 9.81 / radius);
  const RunResult half = scene.run(kPi / frequency);  // half a period: the other side
  ASSERT_NE(half.stop, RunStop::failed) << half.failure->reason;
  const Vector3d up = half.final_state.bodies[0].orientation * Vector3d::UnitY();  // across the flat face
  EXPECT_NEAR(std::atan2(up.x(), up.z()), -start, 1e-6 * start + 2.0 * start * start * start);
  EXPECT_NEAR(half.final_state.bodies[0].angular_velocity.norm(), 0.0, 1e-4 * start * frequency);
}

/// A cylinder that rolls down a tilted table: a = ⅔ g sin α, and the contact line stays where it is under the axis.
TEST(RollingShapes, ACylinderRollsDownATiltedTableWithTwoThirdsOfG) {
  const double tilt = 0.2, radius = 0.1;
  Scene scene(true);
  const Quaterniond turn(AngleAxisd(tilt, Vector3d::UnitY()));
  scene.add_obstacle(Box{{3.0, 1.0, 0.5}}, {0.0, 0.0, 0.0}, turn);
  scene.add(Cylinder{radius, 0.4}, turn * Vector3d(-2.0, 0.0, 0.5 + radius), turn * kLying);
  const RunResult result = scene.run(1.0);
  ASSERT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
  const double way = 0.5 * (2.0 / 3.0) * 9.81 * std::sin(tilt);
  const Vector3d expected = turn * Vector3d(-2.0 + way, 0.0, 0.5 + radius);
  EXPECT_LT((result.final_state.bodies[0].position - expected).norm(), 1e-9);
  EXPECT_NEAR(result.final_state.bodies[0].angular_velocity.norm(), 2.0 * way / radius, 1e-8);
}

}  // namespace
}  // namespace carom::resting_shapes_test
