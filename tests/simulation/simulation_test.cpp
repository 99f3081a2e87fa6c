#include "carom/simulation/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/error.h"
#include "simulation/balls.h"

namespace carom::test {
namespace {

TEST(Simulation, ABallThatFallsOnceIsWhereTheFormulaSays) {
  Simulation simulation(falling_ball(1.0, 0.7));
  const RunResult result = simulation.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_EQ(result.impacts, 1);
  // One metre in √(2h/g) = 0.4472 s, then up again with √(2gh).
  const double after = 0.7 - std::sqrt(0.2), up = std::sqrt(20.0);
  EXPECT_NEAR(simulation.state().bodies[0].position.z(), 0.1 + up * after - 5.0 * after * after, 1e-14);
  EXPECT_EQ(simulation.time(), 0.7);
  EXPECT_EQ(simulation.end_time(), 0.7);
  EXPECT_NEAR(simulation.energy().now.total(), 22.0, 1e-13);  // m g (1 + 0.1)
}

TEST(Simulation, RunningTwiceLeavesItWhereItIs) {
  Simulation simulation(falling_ball(0.9));
  const RunResult first = simulation.run();
  const RunResult second = simulation.run();
  EXPECT_EQ(second.impacts, first.impacts);
  EXPECT_EQ(second.final_state.time, 10.0);
  EXPECT_EQ(second.final_state.bodies[0].position.z(), first.final_state.bodies[0].position.z());
  EXPECT_NEAR(second.final_state.bodies[0].position.z(), 0.1, 1e-12);  // on the floor, not below it
  EXPECT_NEAR(second.energy.error(), 0.0, 1e-12);
}

TEST(Simulation, AskingForTheFirstImpactChangesNothing) {
  Simulation asked(falling_ball(0.9)), plain(falling_ball(0.9));
  for (int k = 0; k < 2; ++k) {
    const std::optional<ImpactProblem> problem = asked.first_impact();
    ASSERT_TRUE(problem);
    ASSERT_EQ(problem->contacts.size(), 1u);
    EXPECT_EQ(problem->contacts[0].name, "ball-floor");
    EXPECT_NEAR(problem->velocity[2], -std::sqrt(20.0), 1e-14);
    EXPECT_EQ(asked.time(), 0.0);
  }
  Witness with, without;
  asked.add(with);
  plain.add(without);
  EXPECT_EQ(asked.run().stop, RunStop::duration);
  plain.run();
  EXPECT_EQ(with.events, without.events);
  EXPECT_EQ(with.samples, without.samples);
}

TEST(Simulation, TheFirstImpactFromHereOnIsTheNextOne) {
  Simulation simulation(falling_ball(0.5));
  simulation.advance_to(0.6);  // after the first
  const std::optional<ImpactProblem> problem = simulation.first_impact();
  ASSERT_TRUE(problem);
  EXPECT_NEAR(problem->velocity[2], -0.5 * std::sqrt(20.0), 1e-13);
  EXPECT_FALSE(Simulation(falling_ball(1.0, 0.1)).first_impact());  // nothing strikes within 0.1 s
}

TEST(Simulation, ASceneWithForcesHasAFirstImpactAsRigidBodies) {
  Simulation simulation(shipped("touching-chain"));
  const std::optional<ImpactProblem> problem = simulation.first_impact();
  ASSERT_TRUE(problem);
  EXPECT_GE(problem->contacts.size(), 2u);
}

TEST(Simulation, EventsComeOneByOne) {
  Simulation simulation(falling_ball(0.9)), other(falling_ball(0.9));
  std::vector<double> seen, told;
  other.on_event([&told](const EventRecord& event) { told.push_back(event.time); });
  other.run();
  double last = 0.0;
  while (const std::optional<Event> event = simulation.next_event()) {
    EXPECT_GE((*event)->time, last);
    last = (*event)->time;
    seen.push_back(last);
    if ((*event)->kind == EventKind::impact) {
      ASSERT_EQ((*event)->jumps.size(), 1u);
      EXPECT_NEAR((*event)->jumps[0].velocity_after.z(), -0.9 * (*event)->jumps[0].velocity_before.z(), 1e-14);
    }
  }
  EXPECT_EQ(seen, told);
  EXPECT_EQ(simulation.time(), 10.0);
  EXPECT_FALSE(simulation.next_event());
}

TEST(Simulation, EventsOfOneInstantAreHandedOutOneAfterTheOther) {
  Simulation simulation(shipped("cradle"));
  int count = 0;
  while (simulation.next_event()) ++count;
  int told = 0;
  Simulation other(shipped("cradle"));
  other.on_event([&told](const EventRecord&) { ++told; });
  other.run();
  EXPECT_EQ(count, told);
}

TEST(Simulation, ThePastHasTheSameBitsAsWhenItWasThePresent) {
  for (const char* const name : {"ellipsoid-in-a-box", "egg-on-its-side", "cradle-smooth"}) {
    SCOPED_TRACE(name);
    Simulation simulation(shipped(name, {"run.duration=1", "run.output_step=0.0625"}));
    std::vector<State> seen;
    simulation.on_sample([&seen](const State& state, const EnergyBook&) { seen.push_back(state); });
    simulation.run();
    ASSERT_EQ(seen.size(), 17u);
    for (const State& then : seen) {
      std::vector<double> expected, again;
      append(expected, then);
      append(again, simulation.state_at(then.time));
      EXPECT_EQ(again, expected) << then.time;
    }
  }
}

TEST(Simulation, TheFutureIsNotKnown) {
  Simulation simulation(falling_ball(0.9));
  simulation.advance_to(0.5);
  EXPECT_NO_THROW((void)simulation.state_at(0.0));
  for (const double time : {0.5000001, -0.1, std::nan("")}) {
    try {
      (void)simulation.state_at(time);
      ADD_FAILURE() << time;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::out_of_range);
    }
  }
}

TEST(Simulation, BodiesAreFoundByName) {
  Simulation simulation(shipped("cradle"));
  EXPECT_EQ(simulation.model().bodies[simulation.body("second")].name, "second");
  try {
    (void)simulation.body("secnd");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unknown_name);
    EXPECT_NE(std::string(error.what()).find("second"), std::string::npos) << error.what();
  }
}

TEST(Simulation, ASceneThatCannotRunIsRefusedWithItsPlace) {
  Scene scene = Scene::parse(
      "format = 1\n[run]\nduration = 1\n[[body]]\nname = \"egg\"\nmass = 1\nposition = [0, 0, 0.5]\n"
      "shape = { kind = \"sphere\", radius = 1 }\n[[plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\n",
      "nest.toml");
  try {
    const Simulation simulation(scene);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::overlap);
    EXPECT_EQ(error.place().file, "nest.toml");
    EXPECT_EQ(error.place().line, 7);
  }
}

TEST(Simulation, TheSummaryOfAFailureNamesTheJointsOfItsBodies) {
  const auto wheel = [](const std::string& name, double x) {
    return "[[body]]\nname = '" + name + "'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nposition = [" +
           std::to_string(x) + ", 0, 0]\nangular_velocity = [0, 0, 1]\n[[joint]]\nname = '" + name +
           " bearing'\nkind = 'revolute'\nbodies = ['" + name + "']\npoint = [" + std::to_string(x) +
           ", 0, 0]\naxis = [0, 0, 1]\nmotor = { speed = 1 }\n";
  };
  Simulation simulation(Scene::parse(
      "format = 1\n[run]\nduration = 1\n" + wheel("free", 0.0) + wheel("blocked", 1.0) + "limits_deg = [-10, 10]\n",
      "wheels.toml"));
  simulation.run();
  const RunSummary summary = simulation.summary("wheels.toml");
  ASSERT_TRUE(summary.result.failure.has_value());
  EXPECT_EQ(summary.failed_joints(), std::vector<std::string>{"blocked bearing"});
  EXPECT_NE(summary.to_json().dump().find("\"joints\":[\"blocked bearing\"]"), std::string::npos);
}

TEST(Simulation, TheSummaryIsThatOfTheTool) {
  Simulation simulation(shipped("bouncing-ball"));
  simulation.run();
  const RunSummary summary = simulation.summary("ball.toml");
  EXPECT_EQ(summary.engine, "event");
  EXPECT_EQ(summary.law, "compliant");
  EXPECT_EQ(summary.result.impacts, 153);
  EXPECT_LT(summary.balance_error(), 1e-15);
  const std::string text = summary.to_json().dump();
  EXPECT_NE(text.find("\"stop\":\"duration\""), std::string::npos) << text;
}

}  // namespace
}  // namespace carom::test
