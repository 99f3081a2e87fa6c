#include "carom/engine/event/timeline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/small_world.h"

namespace carom::event {
namespace {

using test::closed_around;
using test::SmallWorld;
using What = UpcomingEvent::What;

constexpr double kGravity = 9.81;

/// Balls over a floor that have just been let go, and a timeline that looks an hour ahead.
struct Falling {
  World world;
  HeldContacts held{world};
  ClosedContacts closed{world.body_count(), 1e-10};
  Timeline timeline{0.0, 3600.0};

  explicit Falling(const SmallWorld& scene) : world(scene.world()) {
    for (const BodyIndex body : world.bodies()) world.fly(body);
  }
  [[nodiscard]] Situation situation() { return {world, held, closed}; }
  void predict(BodyIndex body) { timeline.predict(situation(), {body}); }
  /// The next event, taken.
  UpcomingEvent take() {
    EXPECT_NE(timeline.next(situation()), nullptr);
    return timeline.take();
  }
  [[nodiscard]] bool nothing_ahead() { return timeline.next(situation()) == nullptr; }
};

SmallWorld balls_at(const std::vector<double>& heights) {
  SmallWorld scene;
  scene.model.gravity = {0.0, 0.0, -kGravity};
  for (const double height : heights)
    scene.add_ball({3.0 * static_cast<double>(scene.model.bodies.size()), 0.0, 0.5 + height});
  scene.add_floor();
  return scene;
}

TEST(Timeline, ABallReachesTheFloorAfterItsFall) {
  Falling run(balls_at({2.0}));
  run.predict(0);
  const UpcomingEvent event = run.take();
  EXPECT_EQ(event.what, What::contact);
  EXPECT_EQ(event.a, 0);
  EXPECT_EQ(event.b, 1);
  EXPECT_NEAR(event.time + event.carry, std::sqrt(4.0 / kGravity), 1e-15);
  EXPECT_TRUE(run.nothing_ahead());
  EXPECT_FALSE(run.timeline.sampled());
}

TEST(Timeline, EarlierEventsComeFirstAndTiesInTheOrderOfTheBodies) {
  // Predicted from the last body to the first: the order of the queue does not depend on that.
  Falling run(balls_at({2.0, 1.0, 2.0, 1.0}));
  for (const BodyIndex body : {3, 2, 1, 0}) run.predict(body);
  for (const BodyIndex expected : {1, 3, 0, 2}) EXPECT_EQ(run.take().a, expected);
  EXPECT_TRUE(run.nothing_ahead());
}

TEST(Timeline, TheEndOfAStepComesBeforeAReportOfTheSameInstant) {
  Falling run(balls_at({0.0, 2.0}));
  const HeldIndex held = run.held.keep(run.world, {.contact = closed_around(run.world, {0}).contacts().at(0)}).value();
  run.timeline.add_report(run.held, held, 0.25);
  run.timeline.add_step_end(run.world, 1, 0.25);
  run.timeline.add_step_end(run.world, 0, 0.25);
  const UpcomingEvent first = run.take(), second = run.take(), third = run.take();
  EXPECT_EQ(first.what, What::step_end);
  EXPECT_EQ(first.a, 0);
  EXPECT_EQ(second.what, What::step_end);
  EXPECT_EQ(second.a, 1);
  EXPECT_EQ(third.what, What::report_rest);
  EXPECT_EQ(third.a, held);
}

TEST(Timeline, EventsOfBodiesThatMoveOnOtherwiseAreDropped) {
  Falling run(balls_at({2.0, 1.0}));
  run.predict(0);
  run.predict(1);
  BodyState state = run.world.now(1);
  state.velocity = {0.0, 0.0, 1.0};
  run.world.set_now(1, state);
  run.world.fly(1);
  EXPECT_EQ(run.take().a, 0);  // that of body 1, which was earlier, is gone
  EXPECT_TRUE(run.nothing_ahead());
  run.predict(1);
  const UpcomingEvent event = run.take();
  EXPECT_EQ(event.a, 1);
  EXPECT_NEAR(event.time + event.carry, (1.0 + std::sqrt(1.0 + 2.0 * kGravity)) / kGravity, 1e-15);
}

TEST(Timeline, AReportOfAContactThatHasOpenedIsDropped) {
  Falling run(balls_at({0.0}));
  const ContactPoint contact = closed_around(run.world, {0}).contacts().at(0);
  const HeldIndex held = run.held.keep(run.world, {.contact = contact}).value();
  run.timeline.add_report(run.held, held, 0.25);
  run.held.loosen({0});
  EXPECT_TRUE(run.held.opened().empty());
  EXPECT_EQ(run.held.keep(run.world, {.contact = contact}), held);  // another contact under the same number
  EXPECT_TRUE(run.nothing_ahead());
}

TEST(Timeline, WhatComesAfterTheEndIsFoundAndWaits) {
  Falling run(balls_at({2.0}));
  run.timeline.extend(0.1);
  run.predict(0);
  EXPECT_TRUE(run.nothing_ahead());
  run.timeline.add_step_end(run.world, 0, 0.2);
  EXPECT_TRUE(run.nothing_ahead());
  run.timeline.extend(0.3);
  EXPECT_EQ(run.take().what, What::step_end);
  EXPECT_TRUE(run.nothing_ahead());
  run.timeline.extend(3600.0);
  EXPECT_EQ(run.take().what, What::contact);
}

TEST(Timeline, ABallThatIsHeldByTheFloorDoesNotStrikeIt) {
  Falling run(balls_at({0.0}));
  run.held.keep(run.world, {.contact = closed_around(run.world, {0}).contacts().at(0)});
  run.predict(0);
  EXPECT_TRUE(run.nothing_ahead());
}

}  // namespace
}  // namespace carom::event
