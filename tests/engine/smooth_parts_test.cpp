/// Parts of the compliant engine by themselves.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/smooth/group_list.h"
#include "carom/engine/smooth/paths.h"
#include "carom/engine/smooth/timeline.h"
#include "engine/smooth_models.h"

namespace carom::test {
namespace {

using namespace carom::smooth;

std::shared_ptr<const Environment> environment_of(const SmoothScene& scene) {
  return std::make_shared<const Environment>(std::make_shared<const Model>(scene.model), scene.options);
}

TEST(SmoothTimeline, GivesTheFirstEventThatStillHolds) {
  SmoothScene scene;
  scene.add_ball(0.1, 1.0, {0.0, 0.0, 0.0});
  scene.add_ball(0.1, 1.0, {1.0, 0.0, 0.0});
  GroupList groups(environment_of(scene));
  const GroupIndex first = groups.make(), second = groups.make();
  Timeline timeline;
  const auto add = [&](double time, GroupIndex group) {
    timeline.add({.time = time, .group = group, .version = groups[group].version, .other = {}, .a = {}, .b = {}});
  };
  add(2.0, first);
  add(1.0, second);
  add(1.0, first);
  ASSERT_NE(timeline.next(groups), nullptr);
  EXPECT_EQ(timeline.next(groups)->group, second);  // of two at one time the one that was found first
  ++groups[second].version;                         // it has got another stretch
  EXPECT_EQ(timeline.next(groups)->group, first);
  EXPECT_EQ(timeline.next(groups)->time, 1.0);
  timeline.pop();
  EXPECT_EQ(timeline.next(groups)->time, 2.0);
  groups.dissolve(first);
  EXPECT_EQ(timeline.next(groups), nullptr);
}

TEST(SmoothPaths, AFlightIsAParabolaAndItsBoxHoldsIt) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -10.0};
  scene.add_ball(0.1, 1.0, {0.0, 0.0, 1.0}, {3.0, 0.0, 4.0});
  scene.add_ball(0.1, 1.0, {1.2, 0.0, 1.95});  // the top of the flight is at (1.2, 0, 1.8)
  scene.add_ball(0.1, 1.0, {1.2, 0.0, 2.3});
  Paths paths(environment_of(scene), scene.state);
  paths.begin_flight(0, 0.0, 0.8);
  paths.stand_still(1);
  paths.stand_still(2);
  const BodyState top = paths.flight_state(0, 0.4);
  EXPECT_NEAR((top.position - Eigen::Vector3d(1.2, 0.0, 1.8)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((top.velocity - Eigen::Vector3d(3.0, 0.0, 0.0)).norm(), 0.0, 1e-14);
  EXPECT_FALSE(paths.apart(0, 1));
  EXPECT_TRUE(paths.apart(0, 2));
  paths.shorten_flight(0, 0.1);
  EXPECT_TRUE(paths.apart(0, 1));
}

TEST(SmoothGroups, AGroupKnowsItsBodiesAndACopyIsIndependent) {
  SmoothScene scene = touching_chain(3, 1.5);
  GroupList groups(environment_of(scene));
  const GroupIndex group = groups.make();
  groups.add(group, 0);
  groups.add(group, 2);
  GroupList copy(groups);
  groups.leave(2);
  EXPECT_EQ(groups.of(2), kNone);
  EXPECT_EQ(groups.of(1), kNone);
  EXPECT_EQ(copy.of(2), group);
  EXPECT_EQ(copy[group].slot_of(2), 1);
  EXPECT_EQ(copy[group].slot_of(1), kNone);
  groups.dissolve(group);
  EXPECT_TRUE(copy[group].alive);
  EXPECT_EQ(groups.make(), group);  // used again
}

}  // namespace
}  // namespace carom::test
