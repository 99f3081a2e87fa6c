/// Points of a sweep over a scene against simulations of the scene with the same values, bit for bit: whether numbers
/// are set, parts of the scene are read again, or all of it.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "carom/analysis/sweep/sweep.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

constexpr const char* kSlidingBall = R"(format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = 1
[[material]]
name = "rubber"
[[pair]]
materials = ["rubber", "rubber"]
restitution = 0.8
friction = { law = "coulomb", coefficient = 0.2 }
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 1.1]
velocity = [1, 0, 0]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "rubber"
)";

constexpr const char* kPushedBox = R"(
[[body]]
name = "box"
shape = { kind = "box", half_sizes = [0.1, 0.07, 0.05] }
density = 300
material = "rubber"
position = [2, 0, 0.13]
orientation = { bryan_deg = [10, 20, 30] }
centre_of_mass = [0, 0, 0.01]
angular_velocity_body = [1, 0, 0]
[[obstacle]]
name = "post"
shape = { kind = "sphere", radius = 0.1 }
position = [0.35, 0, 0.1]
velocity = [0, 0, 0.1]
material = "rubber"
[[load]]
body = "ball"
force = [0.5, 0, 0]
damping = 0.1
)";
constexpr const char* kSpring = R"(
[[spring]]
bodies = ["ball"]
points = [[0, 0, 0], [0, 0, 2]]
stiffness = 10
)";

/// A ball just above the floor beside a box, a moving obstacle and a load: some impacts in a short time.
std::string pushed_box() {
  std::string text = std::string(kSlidingBall) + kPushedBox;
  text.replace(text.find("duration = 1"), 12, "duration = 0.08");
  text.replace(text.find("[0, 0, 1.1]"), 11, "[0, 0, 0.102]");
  return text;
}

/// Every point of the sweep against a simulation of the scene with that value.
void expect_own_runs(const std::string& text, const char* path, const char* values) {
  SweepOptions options;
  options.vary = {std::string(path) + "=" + values};
  options.measures = {"events.impacts", "position.ball.z", "velocity.ball.x", "angular_velocity.ball.y"};
  const bool has_box = text.find("box") != std::string::npos;
  if (has_box) options.measures.emplace_back("angular_velocity.box.y");
  const Sweep sweep(Scene::parse(text), options);
  Sweep::Worker worker = sweep.worker();
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    Scene scene = Scene::parse(text);
    scene.set(path, sweep.values(i)[0]);
    Simulation simulation(scene);
    const RunResult result = simulation.run();
    const Sweep::Row row = worker.run(i).at(0);
    const BodyState& ball = result.final_state.bodies[BodyIndex(0)];
    const BodyState& last = result.final_state.bodies.back();
    EXPECT_EQ(row.at(1).number(), static_cast<double>(result.impacts)) << path << " point " << i;
    EXPECT_EQ(row.at(2).number(), ball.position.z()) << path << " point " << i;
    EXPECT_EQ(row.at(3).number(), ball.velocity.x()) << path << " point " << i;
    EXPECT_EQ(row.at(4).number(), ball.angular_velocity.y()) << path << " point " << i;
    if (has_box) {
      EXPECT_EQ(row.at(5).number(), last.angular_velocity.y()) << path << " point " << i;
    }
  }
}

TEST(Sweep, NumbersThatAreSetDirectlyGiveTheBitsOfAScenesOwnRun) {
  const std::pair<const char*, const char*> varied[] = {
      {"pair.0.restitution", "0,0.5,1"},     {"pair.0.friction.coefficient", "0.05,0.1,0.7"},
      {"body.ball.mass", "0.5,1,3"},         {"body.ball.shape.radius", "0.05,0.1,0.3"},
      {"world.gravity.2", "-9.81,-1.6,-20"}, {"run.duration", "0.5,1,2"},
      {"body.ball.velocity.0", "-1,0,2"},    {"body.ball.position.2", "1.1,1.2,0.5"},
  };
  for (const auto& [path, values] : varied) expect_own_runs(kSlidingBall, path, values);
}

TEST(Sweep, PartsThatAreReadAgainGiveTheBitsOfAScenesOwnRun) {
  const std::string scene = pushed_box();
  const std::pair<const char*, const char*> varied[] = {
      {"plane.floor.point.2", "0,0.001,-0.003"},
      {"plane.floor.normal.0", "0,0.01,0.02"},
      {"plane.floor.velocity.2", "0,0.2,-0.1"},
      {"obstacle.post.shape.radius", "0.1,0.2,0.15"},
      {"obstacle.post.velocity.2", "0,0.1,-0.3"},
      {"body.box.shape.half_sizes.2", "0.05,0.06,0.09"},
      {"body.box.centre_of_mass.2", "0.01,0,0.02"},
      {"body.box.angular_velocity_body.1", "0,1,3"},
      {"body.box.position.0", "2,1.5,1"},
      {"pair.0.friction.rolling", "0,0.01,0.02"},
      {"run.contact_tolerance", "1e-10,1e-9,1e-8"},
      {"run.law", "newton,poisson,compliant"},
      {"load.0.force.0", "0,1,2"},
      {"load.0.damping", "0,0.1,0.2"},
  };
  for (const auto& [path, values] : varied) expect_own_runs(scene, path, values);
  // A spring is made from several parts: all of the scene is read again.
  for (const char* const path : {"spring.0.stiffness", "spring.0.points.1.0", "body.ball.mass", "plane.floor.point.2"})
    expect_own_runs(std::string(kSlidingBall) + kSpring, path, "0.05,0.2,0.3");
}

TEST(Sweep, SeveralNumbersOfOnePartAreReadTogether) {
  const std::string text = pushed_box();
  SweepOptions options;
  const char* const paths[] = {"body.box.position.0", "body.box.shape.half_sizes.0", "run.duration"};
  options.vary = {"body.box.position.0=2,1.5", "body.box.shape.half_sizes.0=0.1,0.2", "run.duration=0.05,0.07"};
  options.measures = {"position.box.x", "position.box.z", "run.duration"};
  const Sweep sweep(Scene::parse(text), options);
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    Scene scene = Scene::parse(text);
    for (const std::size_t v : {0u, 1u, 2u}) scene.set(paths[v], sweep.values(i)[v]);
    Simulation simulation(scene);
    const RunResult result = simulation.run();
    const Sweep::Row row = sweep.run(i).at(0);
    EXPECT_EQ(row.at(3).number(), result.final_state.bodies[BodyIndex(1)].position.x()) << i;
    EXPECT_EQ(row.at(4).number(), result.final_state.bodies[BodyIndex(1)].position.z()) << i;
    EXPECT_EQ(row.at(5).number(), sweep.values(i)[2].number()) << i;
  }
}

TEST(Sweep, APointThatIsNotLegalSaysWhyAndHarmsNoOther) {
  const std::string text = pushed_box();
  for (const char* const path :
       {"body.box.shape.half_sizes.2", "obstacle.post.shape.radius", "body.ball.mass", "run.duration"}) {
    SweepOptions options;
    options.vary = {std::string(path) + "=0.05,-1,0.06"};
    options.measures = {"position.ball.z"};
    const Sweep sweep(Scene::parse(text), options);
    Sweep::Worker worker = sweep.worker();
    const Sweep::Row first = worker.run(0).at(0);
    const Sweep::Row bad = worker.run(1).at(0);
    EXPECT_NE(bad.back().text().find(path), std::string::npos) << bad.back().text();
    const Sweep::Row again = worker.run(0).at(0);
    EXPECT_EQ(first.at(1).number(), again.at(1).number()) << path;
  }
}

TEST(Sweep, APlaneWithoutADirectionIsRefusedAndHarmsNoOther) {
  SweepOptions options;
  options.vary = {"plane.floor.normal.2=1,0,0.5"};
  options.measures = {"position.ball.z"};
  const Sweep sweep(Scene::parse(kSlidingBall), options);
  Sweep::Worker worker = sweep.worker();
  const double height = worker.run(0).at(0).at(1).number();
  EXPECT_NE(worker.run(1).at(0).back().text().find("plane.floor.normal is all zeros"), std::string::npos);
  // The same direction, twice as long.
  EXPECT_EQ(worker.run(2).at(0).at(1).number(), height);
}

TEST(Sweep, LinesOfAPointAreItsRows) {
  for (const char* const each : {"", "impact", "impact:post", "period:0.03"}) {
    SweepOptions options;
    options.vary = {"body.ball.mass=1,-1,2", "run.law=newton,poisson"};
    options.measures = {"energy.final", "law", "height=position.ball.z/2", "energy-created"};
    options.each = each;
    const Sweep sweep(Scene::parse(pushed_box()), options);
    Sweep::Worker worker = sweep.worker();
    std::string lines, expected;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
      EXPECT_EQ(worker.append_lines({&i, 1}, lines), 1u);
      for (const Sweep::Row& row : sweep.run(i)) {
        for (const Value& value : row) {
          sweep::append_cell_of(expected, value);
          expected += ',';
        }
        expected.back() = '\n';
      }
    }
    EXPECT_EQ(lines, expected);
    EXPECT_NE(lines.find("poisson,"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom
