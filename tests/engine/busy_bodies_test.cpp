#include "carom/engine/event/busy_bodies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/small_world.h"

namespace carom::event {
namespace {

/// Two balls of radius 0.5 at speed 1: they cover their size in half a second.
test::SmallWorld two_flying_balls() {
  test::SmallWorld scene;
  scene.model.gravity = Vector3d::Zero();
  scene.add_ball({0.0, 0.0, 2.0}, {1.0, 0.0, 0.0});
  scene.add_ball({5.0, 0.0, 2.0}, {1.0, 0.0, 0.0});
  return scene;
}

TEST(BusyBodies, SixEventsSharedWithinTheTimeOfTheirSizeMakeThemBusy) {
  World world = two_flying_balls().world();
  BusyBodies busy(world);
  for (int k = 0; k < 5; ++k) busy.note_settled(world, {0, 1});
  EXPECT_FALSE(busy.is_busy(world, 0));
  busy.note_settled(world, {0, 1});
  EXPECT_TRUE(busy.is_busy(world, 0));
  EXPECT_TRUE(busy.any_busy(world, {1}));
}

TEST(BusyBodies, TheyAreCalmAgainWhenThatTimeHasPassed) {
  World world = two_flying_balls().world();
  BusyBodies busy(world);
  for (int k = 0; k < 8; ++k) busy.note_settled(world, {0, 1});
  // Eight events have faded to five after T ln(8/5), T = 0.5 s.
  world.move_to(0.5 * std::log(8.0 / 5.0) - 1e-6, 0.0);
  EXPECT_TRUE(busy.is_busy(world, 0));
  world.move_to(0.5 * std::log(8.0 / 5.0) + 1e-6, 0.0);
  EXPECT_FALSE(busy.is_busy(world, 0));
}

TEST(BusyBodies, EventsOfABodyAloneCountOnlyWhereTheyLeaveNoTime) {
  World world = two_flying_balls().world();
  BusyBodies busy(world);
  for (int k = 0; k < 100; ++k) {
    world.move_to(1e-3 * k, 0.0);
    busy.note_settled(world, {0});
    EXPECT_FALSE(busy.is_busy(world, 0)) << k;
  }
  for (int k = 0; k < 21; ++k) busy.note_step(world, {0});
  EXPECT_TRUE(busy.is_busy(world, 0));
  EXPECT_FALSE(busy.is_busy(world, 1));
}

TEST(BusyBodies, SoAreHundredsOfThemWithinTheTimeOfItsSize) {
  World world = two_flying_balls().world();
  BusyBodies busy(world);
  // At 1 kHz up to 500 of the last half second are remembered: 200 after T ln(5/3).
  const double known = 0.5 * std::log(5.0 / 3.0);
  for (int k = 0; 1e-3 * k < known - 2e-3; ++k) {
    world.move_to(1e-3 * k, 0.0);
    busy.note_settled(world, {0});
    EXPECT_FALSE(busy.is_busy(world, 0)) << k;
  }
  for (const double later : {0.0, 1e-3, 2e-3, 3e-3}) {
    world.move_to(known + later, 0.0);
    busy.note_settled(world, {0});
  }
  EXPECT_TRUE(busy.is_busy(world, 0));
  EXPECT_FALSE(busy.is_busy(world, 1));
}

TEST(BusyBodies, ABodyThatIsStruckHundredsOfTimesWithinTheTimeOfItsSizeRattles) {
  World world = two_flying_balls().world();
  BusyBodies busy(world);
  for (int k = 0; k < 200; ++k) busy.note_struck(world, {0, 1});
  EXPECT_FALSE(world.object(0).rattles);
  busy.note_struck(world, {0});
  EXPECT_TRUE(world.object(0).rattles);
  EXPECT_FALSE(world.object(1).rattles);
  EXPECT_FALSE(busy.is_busy(world, 0));
  // 201 strikes have faded to a few after five times T = 0.5 s; the next one tells.
  world.move_to(2.5, 0.0);
  busy.note_struck(world, {0});
  EXPECT_FALSE(world.object(0).rattles);
}

}  // namespace
}  // namespace carom::event
