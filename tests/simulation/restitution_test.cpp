/// Restitution by the speed of approach, in runs.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/laws/impact/registry.h"
#include "carom/scene/scene_contents.h"
#include "carom/simulation/record.h"
#include "simulation/balls.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

constexpr double kGravity = 10.0;

const Value kPower{{"law", "power"}, {"e0", 0.9}, {"v0", 0.5}, {"exponent", 0.25}};
const Restitution kPowerLaw(PowerRestitution{0.9, 0.5, 0.25});
const Value kLossless{{"law", "table"}, {"speeds", {1.0, 2.0}}, {"values", {1.0, 0.5}}};

Scene ball_with(const Value& restitution, double duration = 10.0) {
  Scene scene = falling_ball(0.0, duration);
  scene.set("pair.0.restitution", restitution);
  return scene;
}

/// All contacts of all impacts of a run.
std::vector<ContactRecord> contacts_of(const Scene& scene) {
  Simulation simulation(scene);
  std::vector<ContactRecord> contacts;
  simulation.on_event([&contacts](const EventRecord& event) {
    if (event.kind == EventKind::impact) contacts.insert(contacts.end(), event.contacts.begin(), event.contacts.end());
  });
  const RunResult result = simulation.run();
  EXPECT_LE(std::abs(result.energy.error()), 1e-12 * result.energy.initial);
  return contacts;
}

TEST(SpeedRestitution, EachBounceHasThatOfItsOwnSpeedUnderEveryLaw) {
  for (const ImpactLaw* const law : impact_laws()) {
    Scene scene = ball_with(kPower, 2.0);
    scene.set("run.law", law->name);
    const std::vector<ContactRecord> contacts = contacts_of(scene);
    ASSERT_GT(contacts.size(), 5u) << law->name;
    double speed = std::sqrt(2.0 * kGravity);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(contacts[i].rate_before, -speed, 1e-12) << law->name;
      EXPECT_NEAR(*contacts[i].restitution, kPowerLaw.at(speed), 1e-12) << law->name;
      speed *= kPowerLaw.at(speed);
      EXPECT_NEAR(contacts[i].rate_after, speed, 1e-12) << law->name;
    }
  }
}

TEST(SpeedRestitution, EveryContactOfOneImpactHasItsOwn) {
  // A ball flies into the corner of three walls, and meets each at another speed.
  for (const ImpactLaw* const law : impact_laws()) {
    Scene scene;
    scene.set("run.duration", 2.0);
    scene.set("run.law", law->name);
    scene.add_material({{"name", "m"}});
    scene.add_pair({{"materials", {"m", "m"}}, {"restitution", kPower}});
    scene.add_body({{"name", "ball"},
                    {"shape", {{"kind", "sphere"}, {"radius", 1.0}}},
                    {"mass", 1.0},
                    {"material", "m"},
                    {"position", {2, 3, 5}},
                    {"velocity", {-1, -2, -4}}});
    scene.add_plane({{"name", "x"}, {"normal", {1, 0, 0}}, {"material", "m"}});
    scene.add_plane({{"name", "y"}, {"normal", {0, 1, 0}}, {"material", "m"}});
    scene.add_plane({{"name", "z"}, {"normal", {0, 0, 1}}, {"material", "m"}});
    const std::vector<ContactRecord> contacts = contacts_of(scene);
    ASSERT_EQ(contacts.size(), 3u) << law->name;
    for (const ContactRecord& contact : contacts) {
      const double speed = -contact.rate_before;
      EXPECT_NEAR(*contact.restitution, kPowerLaw.at(speed), 1e-12) << law->name;
      // Walls at right angles do not feel each other, but for the law that gives all approaching ones one answer.
      if (law->name != "geometric") {
        EXPECT_NEAR(contact.rate_after, kPowerLaw.at(speed) * speed, 1e-12) << law->name;
      }
    }
  }
}

TEST(SpeedRestitution, AMovingWallCountsWithItsSpeed) {
  Scene scene = ball_with(kPower, 0.5);
  scene.set("world.gravity", {0, 0, 0});
  scene.set("body.ball.velocity", {0, 0, -3});
  scene.set("plane.floor.velocity", {0, 0, 2});
  const std::vector<ContactRecord> contacts = contacts_of(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].rate_before, -5.0, 1e-12);
  EXPECT_NEAR(contacts[0].rate_after, 5.0 * 0.9 * std::pow(10.0, -0.25), 1e-12);
}

TEST(SpeedRestitution, ARoughWallTakesItForTheSlipToo) {
  Scene scene = ball_with(kPower, 1.0);
  scene.set("pair.0.rough", true);
  scene.set("body.ball.velocity", {1, 0, 0});
  const std::vector<ContactRecord> contacts = contacts_of(scene);
  ASSERT_GE(contacts.size(), 1u);
  const double speed = std::sqrt(2.0 * kGravity);
  EXPECT_NEAR(contacts[0].rate_after, kPowerLaw.at(speed) * speed, 1e-12);
}

TEST(SpeedRestitution, SlowBouncesEndAsThoseOfANumberDo) {
  Simulation simulation(ball_with(kPower, 30.0));
  double rest = 0.0;
  simulation.on_event([&rest](const EventRecord& event) {
    if (event.kind == EventKind::rest) rest = event.time;
  });
  const RunResult result = simulation.run();
  double speed = std::sqrt(2.0 * kGravity);
  double time = speed / kGravity;
  while (speed > 0.5) {
    speed *= kPowerLaw.at(speed);
    time += 2.0 * speed / kGravity;
  }
  time += 2.0 * 0.9 * speed / (kGravity * (1.0 - 0.9));
  EXPECT_NEAR(rest, time, 1e-9);
  EXPECT_LE(std::abs(result.energy.error()), 1e-12 * result.energy.initial);
}

TEST(SpeedRestitution, ABallThatLosesNothingWhenSlowNeverRests) {
  const std::vector<ContactRecord> contacts = contacts_of(ball_with(kLossless, 20.0));
  ASSERT_GT(contacts.size(), 50u);
  double speed = std::sqrt(2.0 * kGravity);
  const Restitution e(RestitutionTable{{1.0, 2.0}, {1.0, 0.5}});
  for (const ContactRecord& contact : contacts) {
    EXPECT_NEAR(*contact.restitution, e.at(speed), 1e-9);
    speed *= e.at(speed);
    EXPECT_NEAR(contact.rate_after, speed, 1e-9);
  }
  EXPECT_GT(contacts.back().rate_after, 0.9);
}

TEST(SpeedRestitution, ACompliantContactTakesItWhenItCloses) {
  // The law `exact` really gives the restitution it is asked for; without gravity nothing else acts.
  for (const double speed : {0.25, 1.0, 8.0}) {
    Scene scene = ball_with(kPower, 1.0 / speed);
    scene.set("world.gravity", {0, 0, 0});
    scene.set("run.engine", "smooth");
    scene.set("run.rtol", 1e-11);
    scene.set("pair.0.normal", "exact");
    scene.set("pair.0.stiffness", 1e9);
    scene.set("body.ball.position", {0, 0, 0.2});
    scene.set("body.ball.velocity", {0, 0, -speed});
    Simulation simulation(scene);
    std::vector<double> given;
    simulation.on_event([&given](const EventRecord& event) {
      for (const ContactRecord& contact : event.contacts) given.push_back(contact.restitution.value_or(-1.0));
    });
    simulation.run();
    EXPECT_NEAR(simulation.state().bodies[0].velocity.z(), kPowerLaw.at(speed) * speed, 1e-6 * speed) << speed;
    ASSERT_EQ(given.size(), 2u);
    EXPECT_NEAR(given[0], kPowerLaw.at(speed), 1e-12);
    EXPECT_EQ(given[0], given[1]);
  }
}

TEST(SpeedRestitution, IsKeptInRecords) {
  const ScratchFolder folder;
  Simulation simulation(ball_with(kPower, 3.0));
  simulation.record(folder.file("ball.h5"));
  simulation.run();
  const Record record(folder.file("ball.h5"));
  const Event first = record.event(0);
  ASSERT_EQ(first->contacts.size(), 1u);
  EXPECT_EQ(first->contacts[0].restitution, kPowerLaw.at(-first->contacts[0].rate_before));
  EXPECT_EQ(record.scene().build().model.rule(0, 0).restitution, kPowerLaw);
}

}  // namespace
}  // namespace carom::test
