/// Bodies of several parts under the rigid engine, and which objects may meet.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/base/error.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"

namespace carom::compound_test {
namespace {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;

/// Bodies over a floor.
struct OverFloor {
  Model model;
  State state;
  EventOptions options;
  RunSettings settings;

  explicit OverFloor(double restitution) {
    model.gravity = {0.0, 0.0, -kGravity};
    model.materials.resize(1);
    model.materials[0].name = "stuff";
    model.rules.resize(1);
    model.rules[0].restitution = restitution;
    Obstacle floor;
    floor.name = "floor";
    floor.pose = half_space_pose(Vector3d::UnitZ(), Vector3d::Zero());
    floor.material = 0;
    model.obstacles.push_back(floor);
  }
  BodyState& add(Body body, const Vector3d& position) {
    body.name += std::to_string(model.bodies.size());
    body.material = 0;
    model.bodies.push_back(std::move(body));
    state.bodies.emplace_back();
    state.bodies.back().position = position;
    return state.bodies.back();
  }
  RunResult run(Observer* observer = nullptr) const {
    return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options), settings,
                      observer);
  }
};

constexpr double kHalf = 0.5;    // from the middle of a dumbbell to its balls
constexpr double kRadius = 0.1;  // of its balls

/// Two equal balls at ±kHalf on the body's x axis.
Body dumbbell(double mass) {
  Body body;
  body.name = "dumbbell";
  body.parts = {{Sphere{kRadius}, {.position = {kHalf, 0.0, 0.0}}},
                {Sphere{kRadius}, {.position = {-kHalf, 0.0, 0.0}}}};
  body.mass = mass;
  const double own = 0.4 * mass * kRadius * kRadius;
  body.inertia = {own, own + mass * kHalf * kHalf, own + mass * kHalf * kHalf};
  return body;
}

/// A box, and the same one made of two halves.
Body whole_box() {
  return homogeneous_body("box", Box{{0.4, 0.3, 0.2}}, 2.0);
}
Body split_box() {
  Body body = whole_box();
  const Box half{{0.2, 0.3, 0.2}};
  body.parts = {{half, {.position = {0.2, 0.0, 0.0}}}, {half, {.position = {-0.2, 0.0, 0.0}}}};
  return body;
}

TEST(Compound, ADumbbellLeavesTheFloorAsTheImpulseOnOneBallSays) {
  const double e = 0.7, mass = 3.0, height = 1.2;
  for (const double tilt : {0.1, 0.5, 1.2}) {
    OverFloor scene(e);
    BodyState& start = scene.add(dumbbell(mass), {0.0, 0.0, height});
    start.orientation = Eigen::AngleAxisd(tilt, Vector3d::UnitY());  // the ball at +x goes down
    const double fall = height - kHalf * std::sin(tilt) - kRadius;
    const double until = std::sqrt(2.0 * fall / kGravity);
    scene.options.duration = until + 1e-3;
    const RunResult result = scene.run();
    ASSERT_EQ(result.impacts, 1) << tilt;
    const double speed = kGravity * until, arm = kHalf * std::cos(tilt);
    const double moment = scene.model.bodies[0].inertia.y();
    const double impulse = (1.0 + e) * speed / (1.0 / mass + arm * arm / moment);
    const BodyState& after = result.final_state.bodies[0];
    EXPECT_NEAR(after.velocity.z(), -speed + impulse / mass - kGravity * 1e-3, 1e-12) << tilt;
    EXPECT_NEAR(after.angular_velocity.y(), -arm * impulse / moment, 1e-12) << tilt;
    EXPECT_NEAR(after.position.x(), 0.0, 1e-13);
  }
}

TEST(Compound, ABoxOfTwoHalvesBouncesAsTheWholeBox) {
  const auto end_of = [](const Body& body) {
    OverFloor scene(0.8);
    BodyState& start = scene.add(body, {0.0, 0.0, 1.0});
    start.orientation = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
    start.velocity = {0.3, -0.1, 0.5};
    start.angular_velocity = {1.0, -2.0, 3.0};
    scene.options.duration = 1.5;
    return scene.run();
  };
  const RunResult whole = end_of(whole_box()), split = end_of(split_box());
  ASSERT_GE(whole.impacts, 3);
  EXPECT_EQ(split.impacts, whole.impacts);
  EXPECT_EQ(split.guarantee, Guarantee::proven);
  const BodyState& a = whole.final_state.bodies[0];
  const BodyState& b = split.final_state.bodies[0];
  EXPECT_LT((a.position - b.position).norm(), 1e-9);
  EXPECT_LT((a.velocity - b.velocity).norm(), 1e-9);
  EXPECT_LT((a.angular_velocity - b.angular_velocity).norm(), 1e-9);
  EXPECT_LT(a.orientation.angularDistance(b.orientation), 1e-9);
}

TEST(Compound, ComesToRestOnTheFloorAndOnAnother) {
  OverFloor scene(0.4);
  Body ell = split_box();  // an L of two boxes, its centre of mass where they say
  ell.parts = {{Box{{0.4, 0.2, 0.1}}, {.position = {-0.1, 0.0, -0.15}}},
               {Box{{0.1, 0.2, 0.3}}, {.position = {0.2, 0.0, 0.25}}}};
  scene.add(ell, {0.0, 0.0, 0.5});
  scene.add(dumbbell(1.0), {2.0, 0.0, 0.4});
  scene.add(split_box(), {4.0, 0.0, 0.2});
  scene.add(split_box(), {4.05, 0.02, 0.7});
  scene.settings.stop_at_rest = true;
  scene.options.law = &kPoissonLaw;
  scene.options.duration = 20.0;
  scene.options.max_events = 2000;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::at_rest) << (result.failure ? result.failure->reason : "");
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 0.25, 1e-9);
  EXPECT_NEAR(result.final_state.bodies[1].position.z(), kRadius, 1e-9);
  EXPECT_NEAR(result.final_state.bodies[2].position.z(), 0.2, 1e-9);
  EXPECT_NEAR(result.final_state.bodies[3].position.z(), 0.6, 1e-9);
}

TEST(Compound, ABodyNeverMeetsItself) {
  OverFloor scene(1.0);
  Body body = dumbbell(1.0);
  body.parts.push_back({Box{{0.5, 0.05, 0.05}}, {}});  // through both balls
  BodyState& start = scene.add(body, {0.0, 0.0, 10.0});
  start.angular_velocity = {3.0, 2.0, 1.0};
  scene.options.duration = 1.0;
  const RunResult result = scene.run();
  EXPECT_EQ(result.impacts, 0);
  EXPECT_NEAR(result.final_state.bodies[0].position.z(), 10.0 - 0.5 * kGravity, 1e-12);
}

/// Two balls on their way to each other, without weight.
OverFloor two_balls() {
  OverFloor scene(1.0);
  scene.model.gravity.setZero();
  for (const double side : {-1.0, 1.0}) {
    const Body ball = homogeneous_body("ball", Sphere{0.25}, 1.0);
    scene.add(ball, {side, 0.0, 1.0}).velocity = {-side, 0.0, 0.0};
  }
  scene.options.duration = 3.0;
  return scene;
}

TEST(Groups, ThoseThatAvoidEachOtherPassThrough) {
  EXPECT_EQ(two_balls().run().impacts, 1);
  for (const std::size_t who : {0u, 1u}) {  // it is enough that one of the two says so
    OverFloor scene = two_balls();
    scene.model.bodies[who].groups.avoided = {"ghosts"};
    scene.model.bodies[1 - who].groups.names = {"others", "ghosts"};
    const RunResult result = scene.run();
    EXPECT_EQ(result.impacts, 0);
    EXPECT_NEAR(result.final_state.bodies[0].position.x(), 2.0, 1e-12);
  }
  OverFloor apart = two_balls();
  apart.model.bodies[0].groups.avoided = {"others"};
  apart.model.obstacles[0].groups.names = {"others"};
  EXPECT_EQ(apart.run().impacts, 1);  // the floor is avoided, the ball is not
}

TEST(Groups, MayOverlapWhatTheyAvoid) {
  OverFloor scene(1.0);
  scene.add(homogeneous_body("ball", Sphere{0.5}, 1.0), {0.0, 0.0, 0.1});
  scene.model.bodies[0].groups.avoided = {"ground"};
  EXPECT_THROW(scene.run(), InputError);  // nobody is of that group
  scene.model.obstacles[0].groups.names = {"ground"};
  const RunResult result = scene.run();
  EXPECT_EQ(result.impacts, 0);
  EXPECT_LT(result.final_state.bodies[0].position.z(), 0.1);
}

TEST(Groups, AnUnknownOneIsRefusedWithTheNearest) {
  OverFloor scene = two_balls();
  scene.model.bodies[0].groups.names = {"walls"};
  scene.model.bodies[1].groups.avoided = {"wals"};
  try {
    validate(scene.model);
    ADD_FAILURE() << "it was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unknown_name);
    EXPECT_EQ(error.place().field, "body.ball1.avoid.0");
    EXPECT_NE(std::string(error.what()).find("did you mean 'walls'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom::compound_test
