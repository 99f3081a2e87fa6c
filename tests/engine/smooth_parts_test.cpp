/// Parts of the compliant engine by themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"
#include "carom/engine/smooth/group_list.h"
#include "carom/engine/smooth/motions.h"
#include "carom/engine/smooth/near_pairs.h"
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
  const GroupIndex first = groups.make(false), second = groups.make(false);
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

TEST(SmoothTimeline, KeepsItsOrderWhileThousandsOfEventsAreOvertaken) {
  SmoothScene scene;
  scene.add_ball(0.1, 1.0, {0.0, 0.0, 0.0});
  GroupList groups(environment_of(scene));
  std::vector<GroupIndex> made;
  for (int k = 0; k < 500; ++k) made.push_back(groups.make(false));
  Timeline timeline;
  Random random(3);
  std::vector<std::pair<double, GroupIndex>> expected;
  for (int round = 0; round < 20; ++round) {  // each group gets a new stretch in each
    expected.clear();
    for (const GroupIndex group : made) {
      const double time = random.uniform(0.0, 1.0);
      timeline.add({.time = time, .group = group, .version = ++groups[group].version, .other = {}, .a = {}, .b = {}});
      expected.emplace_back(time, group);
    }
    ASSERT_NE(timeline.next(groups), nullptr);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& [time, group] : expected) {
    ASSERT_NE(timeline.next(groups), nullptr);
    EXPECT_EQ(timeline.next(groups)->time, time);
    EXPECT_EQ(timeline.next(groups)->group, group);
    timeline.pop();
  }
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

TEST(SmoothMotions, TheStateOfAllIsThatOfEachOnItsFlightAndAfterIt) {
  SmoothScene scene;
  scene.model.gravity = {0.0, 0.0, -10.0};
  scene.add_ball(0.1, 1.0, {0.0, 0.0, 1.0}, {3.0, 0.0, 4.0});
  scene.add_ball(0.1, 1.0, {5.0, 0.0, 1.0});
  Motions motions(environment_of(scene), scene.state);
  motions.paths.begin_flight(0, 0.0, 0.8);
  EXPECT_TRUE(motions.paths.flies(0));
  EXPECT_FALSE(motions.paths.flies(1));
  State all = motions.state_at(0.4);
  EXPECT_NEAR((all.bodies[0].position - Eigen::Vector3d(1.2, 0.0, 1.8)).norm(), 0.0, 1e-14);
  EXPECT_EQ(all.bodies[1].position, scene.state.bodies[1].position);
  motions.paths.end_flight(0, 0.4);  // before it goes on the state is that, whatever its last track was
  EXPECT_FALSE(motions.paths.flies(0));
  const State arrived = motions.state_at(0.4);
  EXPECT_EQ(arrived.bodies[0].position, all.bodies[0].position);
  EXPECT_EQ(arrived.bodies[0].velocity, all.bodies[0].velocity);
  EXPECT_TRUE(motions.integrated_groups().empty());
}

TEST(SmoothEnvironment, ARimThatLiesAlmostFlatHasTheDepthOfItsLowestPoint) {
  // Inclined by θ its lowest point is at z − h cos θ − r sin θ. The direction to that point is found to round-off over
  // θ, which must not reach the depth: noise of 1e-10 m there made steps of 1e-6 s of a body that stood still.
  const double radius = 0.1, half_length = 0.05;
  SmoothScene scene;
  scene.add_body(Cylinder{radius, half_length}, 1.0, {0.0, 0.0, half_length}, Eigen::Vector3d::Zero());
  scene.add_plane(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::Zero());
  const auto environment = environment_of(scene);
  const Pose floor = scene.model.obstacles[0].pose;
  for (int k = 0; k < 1000; ++k) {
    const double tilt = std::pow(10.0, -10.0 + 0.005 * k), about = 0.37 * k, turn = 1.7 * k;
    const Eigen::Vector3d hinge(std::cos(about), std::sin(about), 0.0);
    Pose pose;
    pose.orientation = (Eigen::AngleAxisd(tilt, hinge) * Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()));
    pose.orientation.normalize();
    pose.position = {0.3, -0.2, half_length};
    double depth = -1.0;
    environment->for_each_place(0, 1, [&](FeatureCode place) {
      depth = std::max(depth, environment->geometry(0, 1, place).touch(pose, floor).depth);
    });
    EXPECT_NEAR(depth, radius * std::sin(tilt) - half_length * (1.0 - std::cos(tilt)), 1e-15) << tilt;
  }
}

TEST(SmoothEnvironment, EqualBodiesShareWhatIsConstant) {
  SmoothScene scene;
  for (int k = 0; k < 3; ++k) scene.add_ball(0.1, 1.0, {1.0 * k, 0.0, 0.0});
  scene.add_ball(0.2, 1.0, {4.0, 0.0, 0.0});
  scene.add_ball(0.1, 1.0, {5.0, 0.0, 0.0});
  scene.model.loads.push_back({1, {0.0, 2.0, 0.0}});
  const auto environment = environment_of(scene);
  EXPECT_EQ(&environment->body(BodyIndex(0)), &environment->body(BodyIndex(2)));
  EXPECT_EQ(&environment->body(BodyIndex(0)), &environment->body(BodyIndex(4)));
  EXPECT_EQ(environment->body(BodyIndex(1)).free_acceleration.y(), 2.0);
  EXPECT_EQ(environment->body(BodyIndex(2)).free_acceleration.y(), 0.0);
  EXPECT_EQ(environment->body(BodyIndex(3)).size, 0.2);
}

TEST(SmoothGroups, AGroupKnowsItsBodiesAndACopyIsIndependent) {
  SmoothScene scene = touching_chain(3, 1.5);
  GroupList groups(environment_of(scene));
  const GroupIndex group = groups.make(false);
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
  EXPECT_EQ(groups.make(false), group);  // used again
}

/// Balls that move about at random: whoever overlap stand in each other's lists, on steps short and long.
TEST(NearPairs, BodiesWhoseBoundsOverlapAreKnownToEachOther) {
  constexpr int kBalls = 200;
  constexpr double kRadius = 0.05;
  Random random(7);
  const auto place = [&] { return Eigen::Vector3d(random.uniform(), random.uniform(), random.uniform()); };
  std::vector<Eigen::Vector3d> positions;
  for (int k = 0; k < kBalls; ++k) positions.push_back(place());
  contact::CellGrid grid(std::vector<double>(kBalls, kRadius), positions);
  ASSERT_FALSE(grid.single());
  NearPairs pairs(kBalls);
  std::vector<Bounds> bounds(kBalls);
  const auto cover = [&](int k) {
    const BodyIndex body(k);
    if (grid.move(body, positions[k]) != grid.cell(body)) pairs.forget(body);
    const Eigen::Vector3d reach = Eigen::Vector3d::Constant(kRadius);
    bounds[k] = {positions[k] - reach, positions[k] + reach};
    pairs.cover(body, bounds[k], kRadius, grid);
  };
  for (int k = 0; k < kBalls; ++k) {
    grid.insert(BodyIndex(k), positions[k]);
    cover(k);
  }
  int overlaps = 0;
  for (int step = 0; step < 2000; ++step) {
    const int k = random.integer(0, kBalls - 1);
    positions[k] = step % 10 == 0 ? place() : Eigen::Vector3d(positions[k] + 0.003 * (place() - place()));
    cover(k);
    const NearList& near = pairs.of(BodyIndex(k));
    for (int other = 0; other < kBalls; ++other) {
      if (other == k || bounds[k].apart_from(bounds[other])) continue;
      ++overlaps;
      EXPECT_EQ(std::count(near.begin(), near.end(), BodyIndex(other)), 1);
      const NearList& back = pairs.of(BodyIndex(other));
      EXPECT_EQ(std::count(back.begin(), back.end(), BodyIndex(k)), 1);
    }
    EXPECT_LT(near.size(), 30u);  // of 200
  }
  EXPECT_GT(overlaps, 1000);
}

}  // namespace
}  // namespace carom::test
