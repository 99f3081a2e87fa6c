/// Somebody changes velocities on the way.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/simulation/simulation.h"
#include "simulation/balls.h"

namespace carom::test {
namespace {

/// Goes on to the k-th impact.
void advance_to_impact(Simulation& simulation, int k) {
  while (k > 0) {
    const std::optional<Event> event = simulation.next_event();
    ASSERT_TRUE(event);
    if ((*event)->kind == EventKind::impact) --k;
  }
}

TEST(Changes, AtTheThirdImpactTheBallIsThrownUp) {
  Simulation simulation(falling_ball(0.5));
  advance_to_impact(simulation, 3);
  const double fall = std::sqrt(0.2);
  // Flights of 2·fall/2 and 2·fall/4 follow the fall.
  EXPECT_NEAR(simulation.time(), fall * (1.0 + 1.0 + 0.5), 1e-13);
  const double energy_before = simulation.energy().now.total();
  State state = simulation.state();
  state.bodies[simulation.body("ball")].velocity = {0.0, 0.0, 2.0};
  simulation.set_state(state);
  const double thrown = simulation.time();
  simulation.advance_to(thrown + 0.3);
  EXPECT_NEAR(simulation.state().bodies[0].position.z(), 0.1 + 2.0 * 0.3 - 5.0 * 0.09, 1e-12);
  simulation.advance_to(thrown + 0.5);  // it has come down again after 0.4 s, and bounced with half its speed
  EXPECT_NEAR(simulation.state().bodies[0].velocity.z(), 1.0 - 10.0 * 0.1, 1e-11);
  EXPECT_EQ(simulation.result().impacts, 4);
  // What was put in counts as initial energy: 2 kg from the speed it had to 2 m/s.
  const EnergyBook book = simulation.energy();
  EXPECT_NEAR(book.initial, 22.0 + (0.5 * 2.0 * 4.0 + 2.0 * 10.0 * 0.1 - energy_before), 1e-12);
  EXPECT_NEAR(book.error(), 0.0, 1e-12);
}

TEST(Changes, ThePastBeforeAndAfterAChangeIsKnown) {
  Simulation simulation(falling_ball(1.0));
  simulation.advance_to(0.2);
  State state = simulation.state();
  state.bodies[0].velocity = {1.0, 0.0, 0.0};
  simulation.set_state(state);
  simulation.advance_to(2.0);
  EXPECT_NEAR(simulation.state_at(0.1).bodies[0].position.z(), 1.1 - 0.05, 1e-14);
  EXPECT_NEAR(simulation.state_at(0.1).bodies[0].position.x(), 0.0, 0.0);
  EXPECT_NEAR(simulation.state_at(0.3).bodies[0].position.x(), 0.1, 1e-14);
  EXPECT_NEAR(simulation.state_at(0.3).bodies[0].position.z(), 1.1 - 0.2 - 0.05, 1e-14);
}

TEST(Changes, ForcesGoOnFromAChangedStateToo) {
  Simulation simulation(shipped("cradle-smooth", {"run.duration=0.4"}));
  simulation.advance_to(0.1);
  State state = simulation.state();
  const double speed = state.bodies[0].velocity.norm();
  for (BodyState& body : state.bodies) body.velocity *= 0.5;
  simulation.set_state(state);
  EXPECT_NEAR(simulation.state().bodies[0].velocity.norm(), 0.5 * speed, 1e-15);
  EXPECT_EQ(simulation.run().stop, RunStop::duration);
  EXPECT_LE(simulation.summary().balance_error(), 1e-6);
}

/// A rod on an axle that is driven faster from 0.1 s on and let go at 0.3 s; the run stops when its middle has moved.
Scene scripted_rod(const char* engine) {
  Scene scene;
  scene.set("run.duration", 1.0);
  scene.set("run.engine", engine);
  scene.add_body({{"name", "rod"},
                  {"shape", {{"kind", "capsule"}, {"radius", 0.01}, {"half_length", 0.5}}},
                  {"mass", 1.0},
                  {"angular_velocity", {0, 2, 0}}});
  scene.add_joint(
      {{"name", "axle"}, {"kind", "revolute"}, {"bodies", {"rod"}}, {"point", {0, 0, 0}}, {"axis", {0, 1, 0}}});
  scene.add_when({{"time", 0.1}, {"motor", {{"joint", "axle"}, {"speed", 4.0}}}});
  scene.add_when({{"time", 0.3}, {"release", {"axle"}}});
  scene.add_when({{"quantity", "position.rod.x"}, {"value", 0.05}, {"stop", true}});
  return scene;
}

TEST(Changes, AScriptGoesOnFromWhereItIs) {
  for (const char* engine : {"event", "smooth"}) {
    Simulation simulation(scripted_rod(engine));
    simulation.advance_to(0.2);
    EXPECT_NEAR(simulation.state().bodies[0].angular_velocity.y(), 4.0, 1e-9);
    simulation.set_state(simulation.state());  // the motor stays switched
    simulation.advance_to(0.25);
    EXPECT_NEAR(simulation.state().bodies[0].angular_velocity.y(), 4.0, 1e-9);
    EXPECT_NEAR(simulation.state().turns[JointIndex(0)][0], 2.0 * 0.1 + 4.0 * 0.15, 1e-8);
    simulation.advance_to(0.4);
    State state = simulation.state();
    state.bodies[0].velocity = {0.1, 0.0, 0.0};
    simulation.set_state(state);  // the joint does not hold it any more
    EXPECT_EQ(simulation.run().stop, RunStop::scripted);
    EXPECT_NEAR(simulation.time(), 0.4 + 0.5, 1e-9);
  }
}

TEST(Changes, WhatTheModelDoesNotAllowIsRefusedAndChangesNothing) {
  Simulation simulation(falling_ball(0.9)), untouched(falling_ball(0.9));
  simulation.advance_to(0.2);
  State below = simulation.state();
  below.bodies[0].position.z() = -1.0;
  EXPECT_THROW(simulation.set_state(below), InputError);
  State too_many = simulation.state();
  too_many.bodies.emplace_back();
  EXPECT_THROW(simulation.set_state(too_many), InputError);
  simulation.run();
  untouched.run();
  EXPECT_EQ(simulation.state().bodies[0].position.z(), untouched.state().bodies[0].position.z());
  EXPECT_THROW(simulation.set_state(simulation.state()), InputError);  // the run is over
}

TEST(Changes, AnExceptionOfAnObserverPassesThroughAndTheRunGoesOn) {
  Simulation simulation(falling_ball(0.9)), plain(falling_ball(0.9));
  int events = 0;
  simulation.on_event([&events](const EventRecord&) {
    if (++events == 5) throw std::runtime_error("enough");
  });
  EXPECT_THROW(simulation.run(), std::runtime_error);
  EXPECT_EQ(simulation.run().stop, RunStop::duration);
  EXPECT_NEAR(simulation.state().bodies[0].position.z(), plain.run().final_state.bodies[0].position.z(), 1e-12);
}

}  // namespace
}  // namespace carom::test
