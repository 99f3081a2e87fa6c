#include "carom/mechanics/initial_gaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/base/error.h"
#include "carom/base/random.h"

namespace carom::initial_gaps_test {
namespace {

using Eigen::Vector3d;

struct Scene {
  Model model;
  State state;

  void add(const std::string& name, const Shape& shape, const Vector3d& position) {
    model.bodies.push_back(homogeneous_body(name, shape, 1.0));
    state.bodies.emplace_back();
    state.bodies.back().position = position;
  }
  void add_obstacle(const std::string& name, const Shape& shape, const Pose& pose = {}) {
    model.obstacles.emplace_back();
    model.obstacles.back().name = name;
    model.obstacles.back().parts = one_part(shape);
    model.obstacles.back().pose = pose;
  }
};

InputError refusal_of(const Scene& scene) {
  try {
    require_no_overlap(scene.model, scene.state);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "the scene was accepted";
  return {Kind::usage, "", ""};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(InitialGaps, ListsEveryPairThatCanMeet) {
  Scene scene;
  scene.add("first", Sphere{0.5}, {0.0, 0.0, 1.0});
  scene.add("second", Sphere{0.5}, {3.0, 0.0, 1.0});
  scene.add_obstacle("floor", HalfSpace{});
  scene.add_obstacle("post", Box{{0.5, 0.5, 5.0}}, {.position = {-2.0, 0.0, 0.0}});
  const std::vector<InitialGap> gaps = initial_gaps(scene.model, scene.state);
  ASSERT_EQ(gaps.size(), 5u);  // two obstacles do not meet each other
  EXPECT_EQ(gaps[0].a, 0);
  EXPECT_EQ(gaps[0].b, 1);
  EXPECT_NEAR(gaps[0].nearest.distance, 2.0, 1e-15);
  EXPECT_TRUE(gaps[0].nearest.normal.isApprox(Vector3d(-1.0, 0.0, 0.0), 1e-15));  // from b to a
  EXPECT_NEAR(gaps[1].nearest.distance, 0.5, 1e-15);                              // first, floor
  EXPECT_NEAR(gaps[2].nearest.distance, 1.0, 1e-15);                              // first, post
  EXPECT_EQ(gaps[4].a, 1);
  EXPECT_EQ(gaps[4].b, 3);
}

TEST(InitialGaps, ObstaclesAreWhereTheTimeHasTakenThem) {
  Scene scene;
  scene.add("ball", Sphere{0.5}, {0.0, 0.0, 3.0});
  scene.add_obstacle("lift", HalfSpace{});
  scene.model.obstacles[0].velocity = {0.0, 0.0, 1.0};
  scene.state.time = 2.0;
  EXPECT_NEAR(initial_gaps(scene.model, scene.state)[0].nearest.distance, 0.5, 1e-15);
}

TEST(InitialGaps, AnyTwoConvexShapesAndAnyInAHollowHaveOne) {
  Scene scene;
  scene.add("egg", Ellipsoid{{1.0, 1.0, 2.0}}, {0.0, 0.0, 0.0});
  scene.add("crate", Box{{1.0, 1.0, 1.0}}, {4.0, 0.0, 0.0});
  scene.add("can", Cylinder{1.0, 1.0}, {0.0, 4.0, 0.0});
  scene.add_obstacle("pipe", Bore{20.0, 5.0});
  EXPECT_NO_THROW(require_supported_pairs(scene.model));
  const std::vector<InitialGap> gaps = initial_gaps(scene.model, scene.state);
  ASSERT_EQ(gaps.size(), 6u);
  EXPECT_NEAR(gaps[0].nearest.distance, 2.0, 1e-10);             // egg and crate: 4 − 1 − 1
  EXPECT_NEAR(gaps[1].nearest.distance, 2.0, 1e-10);             // egg and can
  EXPECT_NEAR(gaps.back().nearest.distance, 20.0 - 5.0, 1e-10);  // can and pipe
}

TEST(Overlap, OfTwoBodiesIsToldWithDepthAndPlace) {
  Scene scene;
  scene.add("left", Sphere{1.0}, {0.0, 0.0, 0.0});
  scene.add("right", Sphere{1.0}, {1.75, 0.0, 0.0});
  const InputError error = refusal_of(scene);
  EXPECT_EQ(error.kind(), Kind::overlap);
  EXPECT_EQ(error.place().field, "body.right.position");
  EXPECT_TRUE(contains(error.what(), "body 'left' and body 'right' overlap by 0.25 m at (1, 0, 0)")) << error.what();
}

TEST(Overlap, ABodyBehindAPlaneHasItsOwnWords) {
  Scene scene;
  scene.add("ball", Sphere{0.5}, {0.0, 0.0, 0.25});
  scene.add_obstacle("floor", HalfSpace{});
  EXPECT_EQ(refusal_of(scene).place().field, "body.ball.position");
  EXPECT_TRUE(contains(refusal_of(scene).what(), "lies partly behind the plane 'floor' by 0.25 m"));
  scene.state.bodies[0].position.z() = -2.0;
  EXPECT_TRUE(contains(refusal_of(scene).what(), "lies behind the plane 'floor' by 2.5 m"));
}

TEST(Overlap, TheToleranceIsRelativeToTheSmallerBody) {
  Scene scene;
  scene.add("small", Sphere{1e-3}, {0.0, 0.0, 0.0});
  scene.add("large", Sphere{1.0}, {0.0, 0.0, 1.001 - 0.5e-12});
  EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state));
  scene.state.bodies[1].position.z() = 1.001 - 2e-12;
  EXPECT_EQ(refusal_of(scene).kind(), Kind::overlap);
  EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state, 1e-2));
}

TEST(Overlap, TheFirstPairIsTold) {
  Scene scene;
  scene.add("a", Sphere{1.0}, {9.0, 0.0, 0.0});
  scene.add("b", Sphere{1.0}, {0.0, 0.0, 0.0});
  scene.add("c", Sphere{1.0}, {0.5, 0.0, 0.0});
  scene.add("d", Sphere{1.0}, {9.5, 0.0, 0.0});
  EXPECT_TRUE(contains(refusal_of(scene).what(), "body 'a' and body 'd'"));
}

TEST(Overlap, TheSearchAgreesWithLookingAtEveryPair) {
  Random random(7);
  int overlapping = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Scene scene;
    for (int i = 0; i < 12; ++i) {
      const Vector3d place(random.uniform(0, 12), random.uniform(0, 3), random.uniform(0, 3));
      const double size = random.uniform(0.05, 0.6);
      if (i % 2 == 0) scene.add(std::to_string(i), Sphere{size}, place);
      if (i % 2 == 1) scene.add(std::to_string(i), Ellipsoid{{size, 0.5 * size, size}}, place);
    }
    scene.add_obstacle("floor", HalfSpace{}, {.position = {0.0, 0.0, -0.4}});
    bool any = false;
    for (const InitialGap& gap : initial_gaps(scene.model, scene.state)) any = any || gap.nearest.distance < -1e-6;
    overlapping += any ? 1 : 0;
    if (any) {
      EXPECT_EQ(refusal_of(scene).kind(), Kind::overlap);
    } else {
      EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state));
    }
  }
  EXPECT_GT(overlapping, 20);
  EXPECT_LT(overlapping, 180);
}

TEST(Overlap, TenThousandBodiesInOnePlaceAreRefusedWithoutLookingAtAllPairs) {
  Scene scene;
  for (int i = 0; i < 10'000; ++i) scene.add(std::to_string(i), Ellipsoid{{1.0, 1.1, 1.2}}, {0.0, 0.0, 0.0});
  EXPECT_EQ(refusal_of(scene).kind(), Kind::overlap);
}

TEST(Overlap, ALatticeOfTenThousandIsAccepted) {
  Scene scene;
  for (int i = 0; i < 10'000; ++i) {
    scene.add(std::to_string(i), Sphere{0.5}, Vector3d(i % 22, (i / 22) % 22, i / 484));
  }
  EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state));
  scene.state.bodies[5000].position.x() += 1e-6;
  EXPECT_EQ(refusal_of(scene).kind(), Kind::overlap);
}

}  // namespace
}  // namespace carom::initial_gaps_test
