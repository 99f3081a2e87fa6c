/// One step of a crowded island: what its forces do to the energy.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/rest.h"
#include "engine/small_world.h"

namespace carom::event {
namespace {

/// A cube of half a metre on the floor as an island that moves as a crowd.
Island cube_on_the_floor(World& world) {
  const ClosedContacts closed = test::closed_around(world, {0});
  Island island;
  island.bodies = {0};
  for (const ContactPoint& contact : closed.contacts())
    island.contacts.push_back({.contact = contact, .undecided = true});
  write_state(world, island);
  return island;
}

TEST(CrowdedStep, ForcesDoNoWorkOnContactsThatOpenAndCloseAgain) {
  // Thrown up with 1 mm/s it is back after 0.2 ms, long before the step of 0.01 of its time scale ends.
  constexpr double kSpeed = 1e-3;
  test::SmallWorld scene;
  scene.add_floor();
  scene.add_body(Box{{0.25, 0.25, 0.25}}, {0.0, 0.0, 0.25}, {0.0, 0.0, kSpeed});
  scene.set_rule({});
  scene.model.gravity = {0.0, 0.0, -9.81};
  World world = scene.world();
  Island island = cube_on_the_floor(world);
  ASSERT_EQ(island.contacts.size(), 4u);
  ASSERT_TRUE(island.is_crowded());
  IslandDynamics dynamics(world.model());
  ASSERT_TRUE(dynamics.take_step(island, 1.0));
  ASSERT_GT(island.step, 2.0 * kSpeed / 9.81);
  const double mass = scene.model.bodies[0].mass;
  EXPECT_NEAR(island.correction.cut_off, 0.0, 1e-6 * 0.5 * mass * kSpeed * kSpeed);
  // It comes down as fast as it went up, and the next step begins with its approach: what it had is cut off there.
  island.state = island.after;
  island.time = island.end();
  ASSERT_TRUE(dynamics.take_step(island, 1.0));
  EXPECT_NEAR(island.jump.cut_off, 0.5 * mass * kSpeed * kSpeed, 1e-6 * mass * kSpeed * kSpeed);
}

TEST(CrowdedStep, NothingIsBorneAcrossAGap) {
  // A cube that leans against a wall stands there on the floor, and not a hundredth of a millimetre above it.
  for (const double gap : {0.0, 1e-5}) {
    test::SmallWorld scene;
    scene.add_floor();
    scene.add_plane(Vector3d::UnitX(), {-0.25, 0.0, 0.0});
    scene.add_body(Box{{0.25, 0.25, 0.25}}, {0.0, 0.0, 0.25 + gap});
    scene.set_rule({});
    scene.model.gravity = {-1.0, 0.0, -9.81};
    World world = scene.world();
    ClosedContacts closed(world.body_count(), 1e-4);
    closed.gather(world, {0});
    Island island;
    island.bodies = {0};
    for (const ContactPoint& contact : closed.contacts())
      island.contacts.push_back({.contact = contact, .undecided = true});
    ASSERT_EQ(island.contacts.size(), 8u);
    write_state(world, island);
    IslandDynamics dynamics(world.model());
    const double unbalanced = dynamics.unbalanced(island, 0.0, island.state.data());
    if (gap == 0.0) {
      EXPECT_LT(unbalanced, 1e-5);
    } else {
      EXPECT_GT(unbalanced, 1.0);
    }
  }
}

}  // namespace
}  // namespace carom::event
