/// Rings that move: a body whose shape is a bore, with what runs in it, in the rigid engine.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

std::string ring_head(double gravity, double duration, const std::string& pair = "restitution = 1\n") {
  return mechanism(gravity, duration) + "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\n" +
         pair;
}

/// A ring about z, and a ball in it; the ring is named first or last.
struct BallInRing {
  double ring_mass = 2.0, ball_mass = 0.5;
  double ring_radius = 0.3, ball_radius = 0.1;
  Vector2d ball = Vector2d::Zero(), ball_velocity = Vector2d::Zero(), ring_velocity = Vector2d::Zero();
  double ring_rate = 0.0;
  bool ring_first = true;

  [[nodiscard]] std::string text() const {
    const std::string ring = fmt::format(
        "[[body]]\nname = 'ring'\nshape = {{ kind = 'bore', radius = {0}, half_length = 0.2 }}\nmass = {1}\n"
        "inertia = [{2}, {2}, {2}]\nvelocity = [{3}, {4}, 0]\nangular_velocity = [0, 0, {5}]\nmaterial = 'steel'\n",
        ring_radius, ring_mass, ring_mass * ring_radius * ring_radius, ring_velocity.x(), ring_velocity.y(), ring_rate);
    const std::string inside = fmt::format(
        "[[body]]\nname = 'ball'\nshape = {{ kind = 'sphere', radius = {} }}\nmass = {}\nposition = [{}, {}, 0]\n"
        "velocity = [{}, {}, 0]\nmaterial = 'steel'\n",
        ball_radius, ball_mass, ball.x(), ball.y(), ball_velocity.x(), ball_velocity.y());
    return ring_first ? ring + inside : inside + ring;
  }
};

TEST(MovingRing, IsStruckByABallThatRunsToAndFroInIt) {
  // The way between two impacts is 2(R − r); the rate of parting is that of approach.
  for (const bool ring_first : {true, false}) {
    BallInRing scene;
    scene.ball_velocity = {3.0, 0.0};
    scene.ring_velocity = {0.0, 1.0};
    scene.ball_velocity.y() = 1.0;
    scene.ring_first = ring_first;
    const SceneRun run = run_scene(scene_from_text(ring_head(0.0, 1.0) + scene.text()));
    expect_ended(run);
    const std::vector<KeptEvent> impacts = run.impacts();
    ASSERT_EQ(impacts.size(), 7u);
    const double way = scene.ring_radius - scene.ball_radius, reduced = 0.4;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      EXPECT_NEAR(impacts[k].record.time, (2.0 * static_cast<double>(k) + 1.0) * way / 3.0, 1e-12);
      EXPECT_NEAR(impacts[k].contacts.at(0).impulse, 2.0 * reduced * 3.0, 1e-12);
    }
    EXPECT_NEAR(run.body("ring").velocity.x(), 2.0 * 0.5 * 3.0 / 2.5, 1e-12);  // after an odd number of impacts
  }
}

TEST(MovingRing, SwingsAgainstABallThatSlidesInItAsACartDoes) {
  // The ring slides along x without friction, the ball in it: a pendulum of length ℓ = R − r on a cart. Momentum along
  // x is kept, and ½m(ẋ + ℓθ̇cos θ)² + ½m(ℓθ̇ sin θ)² + ½Mẋ² − mgℓ cos θ with it.
  for (const bool ring_first : {true, false}) {
    BallInRing scene;
    const double length = scene.ring_radius - scene.ball_radius, start = 0.5 * pi - 0.3;
    scene.ball = length * Vector2d(std::sin(start), -std::cos(start));
    scene.ring_first = ring_first;
    const SceneRun run = run_scene(scene_from_text(
        ring_head(kGravity, 0.9, "restitution = 0\n") + scene.text() +
        "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['ring']\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n"));
    expect_held(run);
    EXPECT_TRUE(run.of_kind(EventKind::release).empty());
    const std::size_t ring = ring_first ? 0 : 1;
    const double middle = 0.5 / 2.5 * scene.ball.x();
    for (const State& sample : run.samples) {
      const BodyState &wall = sample.bodies[ring], &ball = sample.bodies[1 - ring];
      EXPECT_NEAR((ball.position - wall.position).norm(), length, 1e-11);
      EXPECT_NEAR((2.0 * wall.position.x() + 0.5 * ball.position.x()) / 2.5, middle, 1e-11);
      const double kinetic = 0.5 * 2.0 * wall.velocity.squaredNorm() + 0.5 * 0.5 * ball.velocity.squaredNorm();
      EXPECT_NEAR(kinetic, 0.5 * kGravity * (scene.ball.y() - ball.position.y()), 1e-10);
    }
  }
}

TEST(MovingRing, ThatTurnsTakesABallAlongByFriction) {
  // Weightless ball on the wall of a ring that a motor turns evenly: it rolls on as a planet once it slips no more.
  BallInRing scene;
  scene.ball = {0.2, 0.0};
  scene.ball_velocity = {0.0, 1.0};
  scene.ring_rate = 8.0;
  const SceneRun run = run_scene(
      scene_from_text(ring_head(0.0, 4.0, "restitution = 0\nfriction = { law = 'coulomb', coefficient = 0.2 }\n") +
                      scene.text() + hinge("axle", "'ring'", {0.0, 0.0}) + "motor = { speed = 8 }\n"));
  expect_held(run);
  const BodyState& ball = run.body("ball");
  EXPECT_NEAR(ball.position.norm(), 0.2, 1e-11);
  // No slip: v + ω r = Ω R.
  EXPECT_NEAR(ball.velocity.norm() + ball.angular_velocity.z() * 0.1, 8.0 * 0.3, 1e-10);
}

TEST(MovingRing, ThatIsHeavyIsAWallThatStands) {
  const std::string ball =
      "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nposition = [0.05, 0.02, 0]\n"
      "velocity = [1.3, 0.4, 0]\nmaterial = 'steel'\n";
  const std::string shape = "shape = { kind = 'bore', radius = 0.4, half_length = 0.5 }\nmaterial = 'steel'\n";
  const std::string pair = "restitution = 0.8\nfriction = { law = 'coulomb', coefficient = 0.3 }\n";
  const SceneRun wall =
      run_scene(scene_from_text(ring_head(0.0, 2.0, pair) + ball + "[[obstacle]]\nname = 'ring'\n" + shape));
  const SceneRun body =
      run_scene(scene_from_text(ring_head(0.0, 2.0, pair) + ball +
                                "[[body]]\nname = 'ring'\nmass = 1e12\ninertia = [1e12, 1e12, 1e12]\n" + shape));
  ASSERT_GE(wall.impacts().size(), 3u);
  ASSERT_EQ(body.impacts().size(), wall.impacts().size());
  EXPECT_NEAR((wall.body("ball").position - body.body("ball").position).norm(), 0.0, 1e-9);
  EXPECT_NEAR((wall.body("ball").angular_velocity - body.body("ball").angular_velocity).norm(), 0.0, 1e-8);
}

TEST(MovingRing, KeepsItsEnergyWithWhateverIsInIt) {
  for (const char* const engine :
       {"law = 'newton'", "engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = 1e-11"}) {
    for (const char* const shape :
         {"'box', half_sizes = [0.05, 0.08, 0.03]", "'capsule', radius = 0.03, half_length = 0.05",
          "'cylinder', radius = 0.06, half_length = 0.06", "'ellipsoid', semi_axes = [0.05, 0.07, 0.09]"}) {
      const SceneRun run = run_scene(scene_from_text(
          fmt::format("format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 0.6\n{}\n"
                      "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nstiffness = 1e8\n"
                      "[[body]]\nname = 'inside'\nshape = {{ kind = {} }}\nmass = 0.5\nposition = [0.05, 0, -0.05]\n"
                      "orientation = {{ bryan_deg = [0, 20, 0] }}\nmaterial = 'steel'\n",
                      engine, shape) +
          "[[body]]\nname = 'ring'\nshape = { kind = 'bore', radius = 0.3, half_length = 0.2 }\nmass = 2\n"
          "inertia = [0.1, 0.1, 0.2]\norientation = { bryan_deg = [90, 0, 0] }\nangular_velocity = [0, 1, 0]\n"
          "material = 'steel'\n[[joint]]\nname = 'rail'\nkind = 'cylindrical'\nbodies = ['ring']\n"
          "point = [0, 0, 0]\naxis = [0, 1, 0]\nspring = [ { stiffness = 5 }, { stiffness = 2 } ]\n"));
      EXPECT_EQ(run.result.stop, RunStop::duration) << engine << shape;
      EXPECT_NEAR(run.result.energy.now.total(), run.result.energy.initial, 1e-7) << engine << shape;
      EXPECT_LT((run.body("inside").position - run.body("ring").position).norm(), 0.3) << engine << shape;
    }
  }
}

/// A pin with play in the ring at the end of a rod, in both engines: the ring is welded to the rod.
TEST(MovingRing, OfARodHoldsAPinWithPlay) {
  for (const char* const engine :
       {"law = 'newton'", "engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = 1e-11"}) {
    const std::string text =
        fmt::format(
            "format = 1\n[world]\ngravity = [0, -9.81, 0]\n[run]\nduration = 1\noutput_step = 0.01\n{}\n"
            "[[material]]\nname = 'steel'\n[[pair]]\nmaterials = ['steel', 'steel']\nrestitution = 0.5\n"
            "normal = 'tsuji'\nstiffness = 1e10\n",
            engine) +
        text_of(Bar{"rod", {0.0, 0.0}, {0.5, 0.0}, 1.0}) + kAlone +
        "[[body]]\nname = 'eye'\nshape = { kind = 'bore', radius = 0.021, half_length = 0.05 }\nmass = 0.1\n"
        "inertia = [1e-4, 1e-4, 1e-4]\nmaterial = 'steel'\ngroups = ['eye']\n"
        "[[joint]]\nname = 'weld'\nkind = 'fixed'\nbodies = ['eye', 'rod']\npoint = [0, 0, 0]\n"
        "[[obstacle]]\nname = 'pin'\nshape = { kind = 'sphere', radius = 0.02 }\nposition = [0, 0.001, 0]\n"
        "material = 'steel'\navoid = ['apart']\n"
        "[[constraint]]\nkind = 'planar'\nbody = 'rod'\nnormal = [0, 0, 1]\n";
    const SceneRun run = run_scene(scene_from_text(text));
    expect_held(run);
    for (const State& sample : run.samples)
      EXPECT_LE((sample.bodies[1].position - Vector3d(0.0, 0.001, 0.0)).norm(), 0.001 + 2e-5) << engine;
    // It swings as a pendulum does whose hinge is where the pin is: from level on, for about half a period.
    EXPECT_LT(run.body("rod").position.x(), 0.1) << engine;
  }
}

}  // namespace
}  // namespace carom::test
