#include "carom/engine/event/island_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"
#include "carom/mechanics/attitude.h"
#include "contact/heavy_cases.h"
#include "geometry/random_shapes.h"

namespace carom::event {
namespace {

using test::heavy_cases;

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;

/// One body, with or without an obstacle that it touches.
struct Scene {
  Model model;
  State state;

  Scene(const Shape& shape, double mass) {
    model.gravity = {0.0, 0.0, -kGravity};
    model.materials.resize(1);
    model.materials[0].name = "stuff";
    model.rules.resize(1);
    model.bodies.push_back(homogeneous_body("body", shape, mass));
    model.bodies[0].material = 0;
    state.bodies.resize(1);
  }
  BodyState& body() { return state.bodies[0]; }
  void add_obstacle(const Shape& shape, const Pose& pose = {}) {
    Obstacle obstacle;
    obstacle.name = "obstacle";
    obstacle.parts = one_part(shape);
    obstacle.pose = pose;
    obstacle.material = 0;
    model.obstacles.push_back(obstacle);
  }
  /// The island of the body and its closed contacts.
  [[nodiscard]] Island island() const {
    Island island;
    island.bodies = {0};
    for (const ConstraintIndex k : model.constraints.indices()) island.constraints.push_back(k);
    for (const SpringIndex k : model.springs.indices()) island.springs.push_back(k);
    for (const LoadIndex k : model.loads.indices()) island.loads.push_back(k);
    if (!model.obstacles.empty()) {
      const Obstacle& obstacle = model.obstacles[0];
      std::vector<ContactPoint> closed;
      const Shape& shape = model.bodies[0].parts[0].shape;
      const Shape& other = obstacle.parts[0].shape;
      contact::append_closed_contacts(*find_pair(shape_kind(shape), shape_kind(other)),
                                      {shape, state.bodies[0].pose(), other, obstacle.pose}, 1e-10, closed);
      for (ContactPoint& contact : closed) {
        contact.a = 0;
        contact.b = 1;
        contact.rule = model.rules[0];
        island.contacts.push_back(
            {.contact = contact, .mode = contact.rule.rough ? ContactMode::stick : ContactMode::smooth});
      }
    }
    island.state.assign(static_cast<std::size_t>(island.size()), 0.0);
    write_body_state(state.bodies[0], model.bodies[0].principal_axes, island.state.data());
    return island;
  }
  RunResult run(double duration, Observer* observer = nullptr) const {
    EventOptions options;
    options.duration = duration;
    return run(options, observer);
  }
  RunResult run(const EventOptions& options, Observer* observer) const {
    return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options), {},
                      observer);
  }
};

/// Acceleration of the centre at the scene's start, all contacts as equations.
Vector3d acceleration(const Scene& scene, Vector3d* angular = nullptr, double* force = nullptr) {
  const Island island = scene.island();
  IslandDynamics dynamics(scene.model);
  EXPECT_EQ(dynamics.solve_bilateral(island, 0.0, island.state.data()), AccelerationStatus::solved);
  const double* a = dynamics.answer().acceleration().data();
  if (angular != nullptr) *angular = {a[3], a[4], a[5]};
  if (force != nullptr) *force = dynamics.answer().constraint_force()[0];
  return {a[0], a[1], a[2]};
}

Scene pendulum(double angle, double speed) {
  Scene scene(Sphere{0.1}, 2.0);
  const double length = 1.3;
  scene.model.constraints.emplace_back(RodConstraint{0, Vector3d::Zero(), length});
  scene.body().position = length * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  scene.body().velocity = speed * Vector3d(std::cos(angle), 0.0, std::sin(angle));
  return scene;
}

/// A ball at an angle from the lowest point of a smooth shell.
Scene bead(double angle, double speed) {
  Scene scene(Sphere{0.1}, 2.0);
  scene.add_obstacle(Shell{1.0});
  scene.body().position = 0.9 * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  scene.body().velocity = speed * Vector3d(std::cos(angle), 0.0, std::sin(angle));
  return scene;
}

/// An ellipsoid tilted about y on a plane, at rest.
Scene rocker(double angle, bool rough) {
  const Vector3d axes(0.5, 0.4, 0.3);
  Scene scene(Ellipsoid{axes}, 2.0);
  scene.model.rules[0].rough = rough;
  scene.add_obstacle(HalfSpace{});
  scene.body().orientation = Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitY()));
  scene.body().position.z() = std::hypot(axes.x() * std::sin(angle), axes.z() * std::cos(angle));
  return scene;
}

TEST(IslandDynamics, ARodTurnsTheVelocityOfItsPendulum) {
  const double angle = 0.7, speed = 1.9, length = 1.3;
  const Vector3d outwards(std::sin(angle), 0.0, -std::cos(angle)), along(std::cos(angle), 0.0, std::sin(angle));
  double force = 0.0;
  const Vector3d a = acceleration(pendulum(angle, speed), nullptr, &force);
  EXPECT_NEAR(a.dot(outwards), -speed * speed / length, 1e-11);
  EXPECT_NEAR(a.dot(along), -kGravity * std::sin(angle), 1e-12);
  EXPECT_NEAR(std::abs(force), 2.0 * (speed * speed / length + kGravity * std::cos(angle)), 1e-10);
}

TEST(IslandDynamics, AShellPressesABeadAsMuchAsItsWayBends) {
  const double angle = 0.7, speed = 1.9, radius = 0.9;
  const Vector3d outwards(std::sin(angle), 0.0, -std::cos(angle)), along(std::cos(angle), 0.0, std::sin(angle));
  double force = 0.0;
  const Vector3d a = acceleration(bead(angle, speed), nullptr, &force);
  EXPECT_NEAR(a.dot(outwards), -speed * speed / radius, 1e-11);
  EXPECT_NEAR(a.dot(along), -kGravity * std::sin(angle), 1e-12);
  EXPECT_NEAR(force, 2.0 * (speed * speed / radius + kGravity * std::cos(angle)), 1e-10);
}

TEST(IslandDynamics, ASpringPullsAlongItself) {
  Scene scene(Box{{0.1, 0.2, 0.3}}, 2.0);
  Spring spring;
  spring.body_a = 0;
  spring.point_a = {0.1, 0.0, 0.0};
  spring.point_b = {0.1, 0.0, 2.0};
  spring.stiffness = 30.0;
  spring.rest_length = 1.5;
  spring.damping = 4.0;
  scene.model.springs.push_back(spring);
  scene.body().velocity = {0.0, 0.0, -1.0};
  Vector3d angular;
  const Vector3d a = acceleration(scene, &angular);
  const double tension = 30.0 * 0.5 + 4.0 * 1.0;
  EXPECT_NEAR(a.z(), tension / 2.0 - kGravity, 1e-13);
  EXPECT_NEAR(angular.y(), -0.1 * tension / scene.model.bodies[0].inertia.y(), 1e-10);  // r × F about y
}

TEST(IslandDynamics, AnEllipsoidRocksAtItsFrequency) {
  // Height √(c² cos² θ + a² sin² θ): ω² = g (a² − c²)/(c k²), k² = (a² + c²)/5, and c² more where it rolls.
  const double angle = 1e-4, a2 = 0.25, c2 = 0.09, c = 0.3;
  for (const bool rough : {false, true}) {
    const double k2 = (a2 + c2) / 5.0 + (rough ? c2 : 0.0);
    Vector3d angular;
    acceleration(rocker(angle, rough), &angular);
    EXPECT_NEAR(angular.y() / angle, -kGravity * (a2 - c2) / (c * k2), 1e-5) << rough;
  }
}

TEST(IslandDynamics, ProjectionTakesTheEnergyThatItSays) {
  Scene scene = rocker(0.3, true);
  scene.body().velocity = {0.4, 0.3, -0.2};
  scene.body().angular_velocity = {1.0, -2.0, 0.5};
  Island island = scene.island();
  IslandDynamics dynamics(scene.model);
  const double before = energy(scene.model, scene.state).kinetic;
  const double taken = dynamics.project_velocities(island, 0.0, island.state.data(), island.contacts.size())->cut_off;
  State after = scene.state;
  after.bodies[0] = body_state(island.state.data(), scene.model.bodies[0].principal_axes);
  EXPECT_NEAR(before - energy(scene.model, after).kinetic, taken, 1e-14);
  EXPECT_GT(taken, 0.0);
  const Vector3d& point = island.contacts[0].contact.point_a;
  EXPECT_LT(contact::point_velocity(after.bodies[0], point).norm(), 1e-14);
}

// ------------------------------------------------------------------------------- integrated motion

/// 1000 periods, or fewer where the build is slow.
double periods() {
  return static_cast<double>(heavy_cases(1000));
}

/// What moves without loss keeps its energy, and the book says so.
void expect_energy_kept(const Scene& scene, double duration, double scale) {
  const RunResult result = scene.run(duration);
  ASSERT_EQ(result.stop, RunStop::duration);
  EXPECT_EQ(result.guarantee, Guarantee::bounded);
  EXPECT_GT(result.steps_accepted, 0);
  // A rounding of the energy per step, at worst always to the same side: 3e-12 of it after a thousand periods. The end
  // lies within a step, where the motion is known to 1e-13.
  const double rounding = (2.3e-16 * static_cast<double>(result.steps_accepted) + 1e-13) * scale;
  EXPECT_NEAR(result.energy.now.total(), result.energy.initial, rounding);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-12 * scale);
}

TEST(IntegratedMotion, APendulumKeepsItsEnergyOverAThousandPeriods) {
  const double period = 2.0 * kPi * std::sqrt(1.3 / kGravity);
  expect_energy_kept(pendulum(1.0, 0.5), periods() * period, 2.0 * kGravity * 1.3);
}

TEST(IntegratedMotion, ABeadInAShellKeepsItsEnergy) {
  const double period = 2.0 * kPi * std::sqrt(0.9 / kGravity);
  expect_energy_kept(bead(0.8, 0.3), 0.25 * periods() * period, 2.0 * kGravity * 0.9);
}

TEST(IntegratedMotion, ARockingEllipsoidKeepsItsEnergy) {
  for (const bool rough : {false, true}) expect_energy_kept(rocker(0.4, rough), 0.1 * periods(), 2.0 * kGravity * 0.5);
}

TEST(IntegratedMotion, AMassOnASpringSwingsAsTheCosine) {
  Scene scene(Sphere{0.1}, 2.0);
  scene.model.gravity.setZero();
  Spring spring;
  spring.body_a = 0;
  spring.point_b = {0.0, 0.0, 1.0};
  spring.stiffness = 50.0;
  spring.rest_length = 1.0;
  scene.model.springs.push_back(spring);
  scene.body().position = {0.0, 0.0, -0.3};  // 0.3 m longer than at rest
  const double omega = 5.0;
  for (const double time : {0.1, 1.0, 20.0}) {
    const RunResult result = scene.run(time);
    EXPECT_NEAR(result.final_state.bodies[0].position.z(), -0.3 * std::cos(omega * time), 1e-12 * (1.0 + 10.0 * time));
    EXPECT_NEAR(result.final_state.bodies[0].velocity.z(), 1.5 * std::sin(omega * time), 1e-11 * (1.0 + 10.0 * time));
  }
}

TEST(IntegratedMotion, ResistanceSlowsDownAsTheExponential) {
  Scene scene(Sphere{0.1}, 2.0);
  scene.model.gravity.setZero();
  Load load;
  load.body = 0;
  load.damping = 3.0;
  load.angular_damping = 0.01;
  scene.model.loads.push_back(load);
  scene.body().velocity = {1.0, 2.0, 0.0};
  scene.body().angular_velocity = {0.0, 0.0, 5.0};
  const RunResult result = scene.run(1.0);
  const double inertia = scene.model.bodies[0].inertia.x();
  EXPECT_NEAR((result.final_state.bodies[0].velocity - std::exp(-1.5) * Vector3d(1.0, 2.0, 0.0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(result.final_state.bodies[0].angular_velocity.z(), 5.0 * std::exp(-0.01 / inertia), 1e-12);
  EXPECT_NEAR(result.energy.damping, result.energy.initial - result.energy.now.total(), 1e-12);
}

/// Notes the events of a kind and where the body was.
class Openings final : public Observer {
 public:
  void sample(const State& /*state*/, const EnergyBook& /*book*/) override {}
  void event(const EventRecord& event) override {
    if (event.kind == EventKind::release) normals.push_back(event.contacts[0].normal), times.push_back(event.time);
  }
  void progress(double /*time*/, long /*events*/) override {}
  std::vector<Vector3d> normals;
  std::vector<double> times;
};

TEST(IntegratedMotion, ABallLeavesABallWhereTheForceEnds) {
  // m v²/R = m g cos θ with v² = v₀² + 2 g R (1 − cos θ)/(1 + k): cos θ = 2/3 smooth, 10/17 rolling, and a little more
  // for the push v₀ at the top. R is the distance of the centres.
  const double push = 0.05, distance = 1.25;
  for (const bool rough : {false, true}) {
    Scene scene(Sphere{0.25}, 2.0);
    scene.model.rules[0].rough = rough;
    scene.add_obstacle(Sphere{1.0});
    scene.body().position = {0.0, 0.0, distance};
    scene.body().velocity = {push, 0.0, 0.0};
    if (rough) scene.body().angular_velocity = {0.0, push / 0.25, 0.0};
    Openings openings;
    EventOptions options;
    options.duration = 3.0;
    options.max_events = 100;
    const RunResult result = scene.run(options, &openings);
    EXPECT_EQ(result.stop, RunStop::duration);
    ASSERT_EQ(openings.times.size(), 1u);
    const double extra = push * push / (kGravity * distance);
    const double cosine = rough ? (10.0 + 7.0 * extra) / 17.0 : (2.0 + extra) / 3.0;
    // Where it opens as the motion has it, and as the event tells it.
    const RunResult there = scene.run(openings.times[0]);
    const Vector3d centre = there.final_state.bodies[0].position;
    EXPECT_NEAR(centre.z() / centre.norm(), cosine, 1e-10) << rough;  // a force of 1e-10 of the weight is none
    EXPECT_NEAR(centre.norm(), distance, 1e-12);
    EXPECT_NEAR(openings.normals[0].z(), cosine, 1e-10) << "the record tells where it opened";
    EXPECT_LT(std::abs(result.energy.error()), 1e-12 * 2.0 * kGravity * distance);
  }
}

}  // namespace
}  // namespace carom::event
