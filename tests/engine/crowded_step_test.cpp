/// One step of a crowded island: what its forces do to the energy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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

/// Half a cylinder that stands on its end and leans by an angle, over the floor by nothing at its lowest point.
struct LeaningHalfCylinder {
  static constexpr double kRadius = 0.1;
  test::SmallWorld scene;
  double time = 0.0;  ///< that the steps have come to

  /// `lowest`: where that point is on the end, [rad] from one of its corners; the arc is below zero.
  LeaningHalfCylinder(double lean, double lowest) {
    scene.add_floor();
    const BodyIndex body = scene.add_body(HalfCylinder{kRadius, kRadius}, Vector3d::Zero());
    scene.set_rule({});
    scene.model.gravity = {0.0, 0.0, -9.81};
    const Vector3d down(lean * std::cos(lowest), lean * std::sin(lowest), -std::sqrt(1.0 - lean * lean));
    scene.state.bodies[body].orientation = Quaterniond::FromTwoVectors(down, -Vector3d::UnitZ());
    scene.state.bodies[body].position.z() -= gap(scene.state.bodies[body]);
  }
  /// Of the lowest point.
  [[nodiscard]] double gap(const BodyState& state) const {
    const Vector3d down = state.orientation.conjugate() * Vector3d(-Vector3d::UnitZ());
    const Vector3d centre_of_end(0.0, 4.0 * kRadius / (3.0 * std::numbers::pi), -kRadius);  // of the whole disc
    const double across = down.y() < 0.0 ? down.head<2>().norm() : std::abs(down.x());
    return state.position.z() - down.dot(centre_of_end) - kRadius * across;
  }
  /// How deep it is in the floor at most at the ends of so many steps of a crowd, none of them longer than this.
  double deepest(int steps, double longest) {
    World world = scene.world();
    ClosedContacts closed(world.body_count(), 2e-4);
    closed.gather(world, {0});
    Island island;
    island.bodies = {0};
    for (const ContactPoint& contact : closed.contacts())
      island.contacts.push_back({.contact = contact, .undecided = true});
    EXPECT_EQ(island.contacts.size(), 5u);
    write_state(world, island);
    IslandDynamics dynamics(world.model());
    double most = 0.0;
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(dynamics.take_step(island, island.time + longest));
      island.state = island.after;
      island.time = island.end();
      read_state(world, island, island.state.data());
      most = std::max(most, -gap(world.now(0)));
    }
    time = island.time;
    return most;
  }
};

TEST(CrowdedStep, HalfACylinderOnItsEndIsPutBackOntoTheFloor) {
  // It leans over its round side, by 1e-6, and is in the floor by 1e-7 of its radius: it used to sink in by more.
  LeaningHalfCylinder half(1e-6, -1.5);
  half.scene.state.bodies[0].position.z() -= 1e-7 * LeaningHalfCylinder::kRadius;
  EXPECT_LT(half.deepest(40, 1.0), 3e-8 * LeaningHalfCylinder::kRadius);
}

TEST(CrowdedStep, HalfACylinderThatLeansEverMoreStandsOnTheLowestPointOfItsArc) {
  // Where that was far from the corners and from the other points that stand for its end, each step ended as soon as
  // it had sunk in by 1e-7 of its width, and the next one too: 40 of them took 1e-9 s.
  for (const double lowest : {-0.35, -0.2, -1.2, -2.8, -3.0}) {
    LeaningHalfCylinder half(1e-4, lowest);
    half.scene.model.gravity *= 1e-3;
    half.scene.state.bodies[0].angular_velocity = 5e-3 * Vector3d(-std::sin(lowest), std::cos(lowest), 0.0);
    EXPECT_LT(half.deepest(40, 1e-4), 5e-7 * LeaningHalfCylinder::kRadius) << lowest;
    EXPECT_NEAR(half.time, 40 * 1e-4, 1e-12) << lowest;
  }
}

}  // namespace
}  // namespace carom::event
