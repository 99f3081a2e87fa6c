/// With many bodies space is divided into cells: nothing that touches is missed for it.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "engine/smooth_models.h"

namespace carom::test {
namespace {

TEST(SmoothCells, BystandersChangeNothing) {
  SmoothScene few = planar_break(1e-4);
  few.options.duration = 0.3;
  SmoothScene many = few;
  for (int i = 0; i < 40; ++i) many.add_ball(0.028575, 0.17, {0.1 + 0.06 * i, 5.0, 0.0});
  many.model.obstacles.pop_back();  // the wall that they stand behind
  few.model.obstacles.pop_back();
  const RunResult one_cell = few.run(), cells = many.run();
  EXPECT_EQ(one_cell.compliant->contacts_started, cells.compliant->contacts_started);
  EXPECT_GT(one_cell.compliant->contacts_started, 20);
  // Flights end at the borders of cells and go on from there: round-off, which a break amplifies some thousand times.
  for (std::size_t i = 0; i < few.state.bodies.size(); ++i) {
    EXPECT_LT((one_cell.final_state.bodies[i].position - cells.final_state.bodies[i].position).norm(), 1e-6) << i;
    EXPECT_LT((one_cell.final_state.bodies[i].velocity - cells.final_state.bodies[i].velocity).norm(), 1e-4) << i;
  }
}

TEST(SmoothCells, AGasOfBallsKeepsItsEnergyAndStaysInItsBox) {
  constexpr double kHalf = 0.5, kRadius = 0.03;
  SmoothScene scene;
  scene.set_stiffness(1e7);
  Random random(5);
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) {
        const auto speed = [&random] { return random.uniform(-2.0, 2.0); };
        scene.add_ball(kRadius, 0.1, 0.18 * Eigen::Vector3d(x - 2, y - 2, z - 2), {speed(), speed(), speed()});
      }
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      scene.add_plane(side * Eigen::Vector3d::Unit(axis), -side * kHalf * Eigen::Vector3d::Unit(axis));
  scene.options.duration = 0.3;
  scene.options.rtol = 1e-7;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::duration);
  EXPECT_GT(result.compliant->contacts_started, 150);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-5 * result.energy.initial);
  // (5/4 m v²/K)^(2/5) with half a ball's mass and the largest v that two balls can have against each other; a contact
  // that is found late would be deeper.
  const double fastest = 4.0 * std::sqrt(3.0);
  EXPECT_LT(result.compliant->deepest, std::pow(1.25 * 0.05 * fastest * fastest / 1e7, 0.4) / kRadius);
  for (const BodyState& body : result.final_state.bodies)
    EXPECT_LT(body.position.cwiseAbs().maxCoeff(), kHalf - 0.9 * kRadius);
}

TEST(SmoothCells, AColumnOfManyBallsThatTouchPassesTheBlowOn) {
  // One group over many cells: an elastic chain of equal balls hands the speed of the first on to the last.
  SmoothScene scene = touching_chain(40, 1.5);
  scene.options.duration = 0.08;
  const RunResult result = scene.run();
  const RunResult few = [] {
    SmoothScene small = touching_chain(30, 1.5);
    small.options.duration = 0.08;
    return small.run();
  }();
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-6 * result.energy.initial);
  // The wave that runs down a long chain keeps its shape: the last ball leaves with the same speed.
  EXPECT_NEAR(result.final_state.bodies.back().velocity.x(), few.final_state.bodies.back().velocity.x(), 1e-5);
}

}  // namespace
}  // namespace carom::test
