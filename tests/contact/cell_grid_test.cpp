#include "carom/contact/cell_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "contact/heavy_cases.h"
#include "geometry/random_shapes.h"

namespace carom::contact {
namespace {

using namespace test;

/// Bodies on their ways, and the grid that follows them.
struct Swarm {
  std::vector<double> radii;
  std::vector<Motion> motions;

  [[nodiscard]] std::vector<Vector3d> positions(double time) const {
    std::vector<Vector3d> at;
    for (const Motion& motion : motions) at.push_back(motion.position_after(motion.since(time)));
    return at;
  }
};

Swarm random_swarm(int bodies, Random& random) {
  Swarm swarm;
  const double spread = random.uniform(0.5, 5.0);
  const Vector3d far = (random.uniform() < 0.3 ? 1e4 : 0.0) * random_direction(random);
  for (int k = 0; k < bodies; ++k) {
    swarm.radii.push_back(random.uniform(0.02, 0.15));
    Motion motion;
    motion.position = far + random.uniform() * spread * random_direction(random);
    motion.velocity = random.uniform(0.0, 3.0) * random_direction(random);
    if (k % 5 == 0) motion.velocity.setZero();
    if (random.uniform() < 0.7) motion.acceleration = {0.0, 0.0, -9.81};
    swarm.motions.push_back(motion);
  }
  return swarm;
}

std::set<int> neighbours(const CellGrid& grid, int body) {
  std::set<int> found;
  grid.neighbours(body, [&](int other) { found.insert(other); });
  return found;
}

TEST(CellGrid, BodiesThatTouchAreAlwaysNeighbours) {
  Random random(51);
  for (int k = 0; k < heavy_cases(12); ++k) {
    const int bodies = 40 + 10 * k;
    const Swarm swarm = random_swarm(bodies, random);
    CellGrid grid(swarm.radii, swarm.positions(0.0));
    ASSERT_FALSE(grid.single());
    for (int body = 0; body < bodies; ++body) grid.insert(body, swarm.positions(0.0)[static_cast<std::size_t>(body)]);
    std::vector<double> exits;
    for (int body = 0; body < bodies; ++body)
      exits.push_back(grid.exit_time(body, swarm.motions[static_cast<std::size_t>(body)], 0.0));
    for (double time = 0.0; time < 1.0; time += 0.02) {
      // All crossings until then, in their order.
      for (;;) {
        const auto first = std::min_element(exits.begin(), exits.end());
        if (*first > time) break;
        const auto body = static_cast<int>(first - exits.begin());
        const Motion& motion = swarm.motions[static_cast<std::size_t>(body)];
        const double at = *first;
        grid.move(body, motion.position_after(motion.since(at)));
        *first = grid.exit_time(body, motion, at);
        ASSERT_GT(*first, at);  // a body that has moved over is inside again
      }
      const std::vector<Vector3d> at = swarm.positions(time);
      for (int a = 0; a < bodies; ++a) {
        const std::set<int> near = neighbours(grid, a);
        EXPECT_EQ(near.count(a), 0u);
        for (int b = 0; b < bodies; ++b) {
          const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
          if (a == b || (at[i] - at[j]).norm() > swarm.radii[i] + swarm.radii[j]) continue;
          EXPECT_EQ(near.count(b), 1u) << a << " and " << b << " at " << time;
        }
      }
    }
  }
}

TEST(CellGrid, ABodyIsInsideItsCellUntilItsExitTime) {
  Random random(52);
  for (int k = 0; k < heavy_cases(20); ++k) {
    const int bodies = 64;
    const Swarm swarm = random_swarm(bodies, random);
    CellGrid grid(swarm.radii, swarm.positions(0.0));
    for (int body = 0; body < bodies; ++body) {
      const Motion& motion = swarm.motions[static_cast<std::size_t>(body)];
      grid.insert(body, motion.position);
      EXPECT_TRUE(grid.inside(body, motion.position));
      const double exit = grid.exit_time(body, motion, 0.0);
      if (!(exit < 1e3)) continue;
      for (int j = 0; j < 50; ++j)
        EXPECT_TRUE(grid.inside(body, motion.position_after(exit * (j / 50.0) * (1.0 - 1e-9))));
      // In closed form the time is exact: a little later it is out.
      const double later = exit + 1e-6;
      EXPECT_FALSE(grid.inside(body, motion.position_after(later))) << body;
    }
  }
}

TEST(CellGrid, ASpreadOfTheAccelerationMakesTheExitEarly) {
  Random random(53);
  Swarm swarm = random_swarm(64, random);
  CellGrid grid(swarm.radii, swarm.positions(0.0));
  for (int body = 0; body < 64; ++body) {
    Motion motion = swarm.motions[static_cast<std::size_t>(body)];
    grid.insert(body, motion.position);
    const double exact = grid.exit_time(body, motion, 0.0);
    motion.acceleration_spread = 2.0;
    const double early = grid.exit_time(body, motion, 0.0);
    EXPECT_LE(early, exact);
    // Any acceleration within the spread is still inside then.
    motion.acceleration += 2.0 * random_direction(random);
    EXPECT_TRUE(grid.inside(body, motion.position_after(early * (1.0 - 1e-9)))) << body;
  }
}

TEST(CellGrid, NewNeighboursAreThoseThatWereNotAroundBefore) {
  Random random(54);
  const Swarm swarm = random_swarm(300, random);
  CellGrid grid(swarm.radii, swarm.positions(0.0));
  for (int body = 0; body < 300; ++body) grid.insert(body, swarm.motions[static_cast<std::size_t>(body)].position);
  for (int k = 0; k < heavy_cases(200); ++k) {
    const int body = random.integer(0, 299);
    const std::set<int> before = neighbours(grid, body);
    const Motion& motion = swarm.motions[static_cast<std::size_t>(body)];
    const Cell left = grid.move(body, motion.position + 0.5 * random_direction(random));
    const std::set<int> after = neighbours(grid, body);
    std::set<int> fresh;
    grid.new_neighbours(body, left, [&](int other) { fresh.insert(other); });
    for (const int other : after) {
      EXPECT_TRUE(before.count(other) == 1 || fresh.count(other) == 1) << "nobody looked at " << other;
    }
    for (const int other : fresh) EXPECT_EQ(after.count(other), 1u);
  }
}

TEST(CellGrid, FewBodiesShareOneCell) {
  const std::vector<double> radii(5, 1.0);
  const std::vector<Vector3d> positions(5, Vector3d(1e9, 0.0, 0.0));
  CellGrid grid(radii, positions);
  EXPECT_TRUE(grid.single());
  for (int body = 0; body < 5; ++body) grid.insert(body, positions[0]);
  EXPECT_EQ(neighbours(grid, 2), (std::set<int>{0, 1, 3, 4}));
  EXPECT_EQ(grid.exit_time(1, Motion{}, 0.0), kForever);
}

}  // namespace
}  // namespace carom::contact
