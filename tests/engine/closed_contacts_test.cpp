#include "carom/engine/event/closed_contacts.h"

#include <gtest/gtest.h>

#include "engine/small_world.h"

namespace carom::event {
namespace {

using test::closed_around;
using test::SmallWorld;

/// Balls of radius 0.5 in a row along x, each touching the next.
SmallWorld row(int balls) {
  SmallWorld scene;
  for (int k = 0; k < balls; ++k) scene.add_ball({static_cast<double>(k), 0.0, 2.0});
  return scene;
}

TEST(ClosedContacts, ARowOfTouchingBallsIsOneCluster) {
  SmallWorld scene = row(4);
  scene.add_ball({4.1, 0.0, 2.0});  // touches nobody
  World world = scene.world();
  for (const BodyIndex seed : {0, 1, 3}) {
    const ClosedContacts closed = closed_around(world, {seed});
    EXPECT_EQ(closed.bodies(), (Bodies{0, 1, 2, 3}));
    ASSERT_EQ(closed.contacts().size(), 3u);
    for (int k = 0; k < 3; ++k) {
      const ContactPoint& contact = closed.contacts()[static_cast<std::size_t>(k)];
      EXPECT_EQ(contact.a, k);
      EXPECT_EQ(contact.b, k + 1);
      EXPECT_EQ(contact.normal, -Vector3d::UnitX());
      EXPECT_EQ(contact.gap, 0.0);
      EXPECT_EQ(contact.point(), Vector3d(k + 0.5, 0.0, 2.0));
    }
  }
}

TEST(ClosedContacts, AGapAboveTheToleranceIsNotClosed) {
  SmallWorld scene = row(2);
  scene.add_floor();
  const auto contacts_with_gap = [&scene](double gap) {
    scene.state.bodies[0].position.z() = 0.5 + gap;                      // over the floor
    scene.state.bodies[1].position = {1.0 + 2.0 * gap, 0.0, 0.5 + gap};  // beside the first
    World world = scene.world();
    return closed_around(world, {0}).contacts().size();
  };
  // The tolerance is 1e-10 of a radius of 0.5.
  EXPECT_EQ(contacts_with_gap(2.4e-11), 3u);  // two on the floor, and one another
  EXPECT_EQ(contacts_with_gap(2.6e-11), 1u);  // the second ball is not reached any more
  EXPECT_EQ(contacts_with_gap(5.1e-11), 0u);
}

TEST(ClosedContacts, CoupledBodiesJoinWithAllThatTouchesThem) {
  SmallWorld scene = row(2);
  const BodyIndex far = scene.add_ball({10.0, 0.0, 2.0});
  const BodyIndex beside = scene.add_ball({10.0, 1.0, 2.0});
  scene.add_ball({20.0, 0.0, 2.0});
  World world = scene.world();
  ClosedContacts closed(world.body_count(), 1e-10);
  closed.gather(world, {1}, [far](BodyIndex body, const ClosedContacts::AddBody& add) {
    if (body == 0) add(far);
  });
  EXPECT_EQ(closed.bodies(), (Bodies{0, 1, far, beside}));
  ASSERT_EQ(closed.contacts().size(), 2u);
  EXPECT_EQ(closed.contacts()[1].a, far);
  EXPECT_EQ(closed.contacts()[1].b, beside);
}

TEST(ClosedContacts, ABallIsNamedBeforeABodyWithFaces) {
  SmallWorld scene;
  scene.add_body(Box{{0.5, 0.5, 0.5}}, {0.0, 0.0, 0.0});
  scene.add_ball({0.0, 0.0, 1.0});
  World world = scene.world();
  const ClosedContacts closed = closed_around(world, {0});
  ASSERT_EQ(closed.contacts().size(), 1u);
  EXPECT_EQ(closed.contacts()[0].a, 1);
  EXPECT_EQ(closed.contacts()[0].b, 0);
  EXPECT_TRUE(std::holds_alternative<contact::BallOnFace>(closed.contacts()[0].feature));
}

TEST(ClosedContacts, WhatIsSlowBesideTheFastestPointIsNoApproach) {
  SmallWorld scene = row(1);
  scene.add_plane(Vector3d::UnitZ(), {0.0, 0.0, 1.5}, {0.0, 0.0, 7.0});
  scene.state.bodies[0].velocity = {3.0, 0.0, 4.0};
  scene.state.bodies[0].angular_velocity = {0.0, 2.0, 0.0};
  World world = scene.world();
  ClosedContacts closed = closed_around(world, {0});
  closed.measure_speed(world);
  EXPECT_EQ(closed.speed(), 7.0);  // of the plane; the ball's points have at most 5 + 2·0.5
  EXPECT_EQ(closed.approach_threshold(), 7.0 * kApproach);
  scene.model.obstacles[0].velocity.setZero();
  World resting = scene.world();
  closed = closed_around(resting, {0});
  closed.measure_speed(resting);
  EXPECT_EQ(closed.speed(), 6.0);
}

TEST(ClosedContacts, OnlyTheClusterOfTheInstantHasTheNoiseOfItsLaw) {
  SmallWorld scene = row(2);
  const BodyIndex far = scene.add_ball({10.0, 0.0, 2.0});
  scene.add_floor();
  scene.state.bodies[0].velocity = {5.0, 0.0, 0.0};
  World world = scene.world();
  ClosedContacts closed = closed_around(world, {0});
  closed.measure_speed(world);
  const ObjectIndex floor = world.body_count();
  EXPECT_EQ(closed.velocity_noise(world, 0, 1), 5.0 * kApproach);
  EXPECT_EQ(closed.velocity_noise(world, 0, floor), 5.0 * kApproach);
  EXPECT_EQ(closed.velocity_noise(world, 0, far), 0.0);
  EXPECT_EQ(closed.velocity_noise(world, far, floor), 0.0);
  world.move_to(0.1, 0.0);
  EXPECT_EQ(closed.velocity_noise(world, 0, 1), 0.0);
}

}  // namespace
}  // namespace carom::event
