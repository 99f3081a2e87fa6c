/// Balls that fall into a heap and come to rest: many contacts that close, open and persist together.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/base/random.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/run.h"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.1;
constexpr double kSpacing = 0.25;

/// Smooth balls, up to side³, over the floor of a box that is just wide enough for them.
struct Heap {
  Model model;
  State state;
  EventOptions options;

  Heap(int side, int balls, double restitution) {
    model.gravity = {0.0, 0.0, -9.81};
    model.materials.resize(1);
    model.rules = {PairRule{.restitution = restitution, .rough = false, .stiffness = {}}};
    Random random(7);
    for (int k = 0; k < balls; ++k) {
      const Vector3d cell(k % side, (k / side) % side, k / (side * side));
      const double x = random.uniform(-0.02, 0.02), y = random.uniform(-0.02, 0.02);
      Body ball = homogeneous_body("ball" + std::to_string(k), Sphere{kRadius}, 1.0);
      ball.material = 0;
      model.bodies.push_back(ball);
      BodyState where;
      where.position = {kSpacing * (cell.x() + 0.5) + x, kSpacing * (cell.y() + 0.5) + y, 0.2 + 0.3 * cell.z()};
      state.bodies.push_back(where);
    }
    for (int axis = 0; axis < 3; ++axis) {
      add_plane(Vector3d::Unit(axis), Vector3d::Zero());
      if (axis < 2) add_plane(-Vector3d::Unit(axis), Vector3d::Constant(kSpacing * side));
    }
    options.law = &kPoissonLaw;
  }
  void add_plane(const Vector3d& normal, const Vector3d& point) {
    Obstacle plane;
    plane.name = "plane" + std::to_string(model.obstacles.size());
    plane.pose = half_space_pose(normal, point);
    plane.material = 0;
    model.obstacles.push_back(plane);
  }
  [[nodiscard]] RunResult run() const {
    return run_to_end(std::make_unique<EventEngine>(std::make_shared<const Model>(model), state, options), {});
  }
  [[nodiscard]] double deepest_overlap(const State& now) const {
    double deepest = 0.0;
    for (std::size_t a = 0; a < now.bodies.size(); ++a)
      for (std::size_t b = a + 1; b < now.bodies.size(); ++b)
        deepest = std::max(deepest, 2.0 * kRadius - (now.bodies[a].position - now.bodies[b].position).norm());
    return deepest;
  }
};

/// Steps of crowds let bodies overlap by at most this part of half their least width (docs/theory/event-engine.md).
constexpr double kCrowdOverlap = 5e-7;

void expect_rest(double restitution, double until) {
  Heap heap(2, 8, restitution);
  heap.options.duration = until;
  const RunResult result = heap.run();
  ASSERT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : std::string());
  for (const BodyState& ball : result.final_state.bodies) EXPECT_EQ(ball.velocity, Vector3d::Zero());
  EXPECT_LT(heap.deepest_overlap(result.final_state), kCrowdOverlap * kRadius);
  EXPECT_LT(std::abs(result.energy.error()), 1e-12 * result.energy.initial);
  // Seconds at rest move nothing.
  heap.options.duration = until + 2.0;
  const RunResult later = heap.run();
  for (std::size_t i = 0; i < later.final_state.bodies.size(); ++i)
    EXPECT_EQ(later.final_state.bodies[i].position, result.final_state.bodies[i].position);
}

TEST(Heap, EightPlasticBallsComeToRestAndStayThere) {
  expect_rest(0.0, 3.0);
}

TEST(Heap, EightBouncingBallsComeToRestAndStayThere) {
  expect_rest(0.3, 3.0);
}

// Rates that contact forces and laws leave as zero are not approaches to the search for the next contact: it would find
// one and the same contact closing for ever.
TEST(Heap, TwentySevenBallsFallTogether) {
  for (const double restitution : {0.0, 0.3}) {
    Heap heap(3, 27, restitution);
    heap.options.duration = 0.35;
    const RunResult result = heap.run();
    EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : std::string());
    EXPECT_GT(result.impacts, 20);
    EXPECT_LT(heap.deepest_overlap(result.final_state), kCrowdOverlap * kRadius);
    EXPECT_LT(std::abs(result.energy.error()), 1e-12 * result.energy.initial);
  }
}

}  // namespace
}  // namespace carom
