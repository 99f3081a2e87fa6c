/// Implicit steps of the law `compliant`: closed forms of one contact, and the integration by series where that gets
/// on.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/compliant_integrator.h"
#include "carom/laws/impact/compliant_stepping.h"

namespace carom {
namespace {

/// Contacts with two tangents each, in units of the cluster.
struct Springs {
  explicit Springs(int contacts)
      : count(contacts),
        rows(9 * static_cast<std::size_t>(contacts) * static_cast<std::size_t>(contacts), 0.0),
        matrix(static_cast<std::size_t>(contacts) * static_cast<std::size_t>(contacts), 0.0),
        rate(static_cast<std::size_t>(contacts), -1.0),
        stiffness(rate.size(), 1.0),
        restitution(rate.size(), 1.0),
        slip(2 * rate.size(), 0.0),
        friction(rate.size(), 0.0),
        spring(rate.size(), std::numeric_limits<double>::infinity()),
        tangents(rate.size(), 2) {}

  void set(const Eigen::MatrixXd& all) {
    for (int r = 0; r < 3 * count; ++r)
      for (int q = 0; q < 3 * count; ++q) rows[static_cast<std::size_t>(3 * count * r + q)] = all(r, q);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) matrix[static_cast<std::size_t>(count * i + j)] = all(i, j);
  }
  [[nodiscard]] CompliantSprings springs() const {
    return {.contacts = count,
            .matrix = matrix.data(),
            .rate = rate.data(),
            .stiffness = stiffness.data(),
            .restitution = restitution.data(),
            .threshold = 1e-12,
            .rows = rows.data(),
            .slip = slip.data(),
            .friction = friction.data(),
            .spring = spring.data(),
            .tangents = tangents.data()};
  }
  [[nodiscard]] CompliantMotion start() const {
    const auto m = rate.size();
    CompliantMotion motion{std::vector<double>(m, 0.0), rate, std::vector<double>(3 * m, 0.0),
                           std::vector<double>(m, 0.0)};
    motion.velocity.insert(motion.velocity.end(), slip.begin(), slip.end());
    return motion;
  }

  int count;
  std::vector<double> rows, matrix, rate, stiffness, restitution, slip, friction, spring;
  std::vector<int> tangents;
};

TEST(CompliantStepping, OneContactKeepsItsRestitutionAndSlidesByCoulombsLaw) {
  Springs one(1);
  one.set(Eigen::Vector3d(1.0, 1.0, 1.0).asDiagonal());
  one.restitution = {0.6};
  one.friction = {0.3};
  one.slip = {1.2, -1.6};  // of length 2: too fast to be stopped
  CompliantMotion motion = one.start();
  CompliantStepping stepping;
  ASSERT_TRUE(stepping.run(one.springs(), motion));
  EXPECT_NEAR(motion.velocity[0], 0.6, 2e-3);
  const double left = 2.0 - 0.3 * 1.6;
  EXPECT_NEAR(motion.velocity[1], 0.6 * left, 2e-3);
  EXPECT_NEAR(motion.velocity[2], -0.8 * left, 2e-3);
  EXPECT_EQ(stepping.mode(0), FrictionMode::slip);
  EXPECT_NEAR(motion.work[0], 0.5 * (left * left - 4.0), 1e-2);
}

TEST(CompliantStepping, OneContactWithLittleSlipSticks) {
  Springs one(1);
  one.set(Eigen::Vector3d(1.0, 3.5, 3.5).asDiagonal());
  one.restitution = {0.5};
  one.friction = {0.5};
  one.slip = {0.3, 0.4};
  CompliantMotion motion = one.start();
  CompliantStepping stepping;
  ASSERT_TRUE(stepping.run(one.springs(), motion));
  EXPECT_NEAR(motion.velocity[0], 0.5, 2e-3);
  EXPECT_NEAR(motion.velocity[1], 0.0, 1e-9);
  EXPECT_NEAR(motion.velocity[2], 0.0, 1e-9);
  EXPECT_EQ(stepping.mode(0), FrictionMode::stick);
}

/// The rows of a cube of half edge 1 and mass 1 that lands with one face, its contacts a little apart from the corners,
/// so that they are not redundant along the normal.
Eigen::MatrixXd rows_of_landing_cube(Random& random, int contacts) {
  Eigen::MatrixXd jacobian(3 * contacts, 6);
  for (int i = 0; i < contacts; ++i) {
    const Eigen::Vector3d at(((i & 1) != 0 ? 1.0 : -1.0) + random.uniform(-0.3, 0.3),
                             ((i & 2) != 0 ? 1.0 : -1.0) + random.uniform(-0.3, 0.3), -1.0);
    const Eigen::Vector3d axes[] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()};
    for (int plane = 0; plane < 3; ++plane) {
      jacobian.block<1, 3>(plane * contacts + i, 0) = axes[plane].transpose();
      jacobian.block<1, 3>(plane * contacts + i, 3) = std::sqrt(1.5) * at.cross(axes[plane]).transpose();
    }
    const double root = jacobian.row(i).norm();
    for (int plane = 0; plane < 3; ++plane) jacobian.row(plane * contacts + i) /= root;
  }
  return jacobian;
}

/// The largest difference of velocities where nothing touches any more.
double difference(const CompliantMotion& motion, const CompliantMotion& exact) {
  double off = 0.0;
  for (std::size_t row = 0; row < motion.velocity.size(); ++row)
    off = std::max(off, std::abs(motion.velocity[row] - exact.velocity[row]));
  return off;
}

TEST(CompliantStepping, AgreesWithTheSeriesWhereTheseGetOnAndErrorsFallWithTheStep) {
  Random random(3);
  CompliantMemory memory;
  int compared = 0;
  double coarse = 0.0, fine = 0.0;
  for (int k = 0; k < 60; ++k) {
    Springs cube(3 + k % 2);
    const Eigen::MatrixXd jacobian = rows_of_landing_cube(random, cube.count);
    cube.set(jacobian * jacobian.transpose());
    Eigen::VectorXd velocity(6);
    for (double& entry : velocity) entry = random.uniform(-0.3, 0.3);
    velocity[2] = -1.0;
    const Eigen::VectorXd rates = jacobian * velocity;
    for (int i = 0; i < cube.count; ++i) {
      cube.rate[static_cast<std::size_t>(i)] = rates[i];
      for (int a = 0; a < 2; ++a)
        cube.slip[static_cast<std::size_t>(a * cube.count + i)] = rates[(a + 1) * cube.count + i];
      cube.friction[static_cast<std::size_t>(i)] = random.uniform(0.1, 0.8);
      cube.restitution[static_cast<std::size_t>(i)] = random.uniform(0.2, 1.0);
    }
    CompliantIntegrator<2, 2, true> series(memory);
    series.start(cube.springs());
    if (!series.run(2000) || series.stop() != Stop::separated) continue;
    CompliantMotion exact;
    series.write_motion(exact);
    CompliantStepping stepping;
    CompliantMotion motion = cube.start();
    ASSERT_TRUE(stepping.run(cube.springs(), motion)) << k;
    EXPECT_LT(difference(motion, exact), 0.03) << k;
    coarse += difference(motion, exact);
    motion = cube.start();
    ASSERT_TRUE(stepping.run(cube.springs(), motion, 0.1 * CompliantStepping::kPart)) << k;
    fine += difference(motion, exact);
    ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_LT(coarse / compared, 2e-3);
  EXPECT_LT(fine, 0.2 * coarse);
}

}  // namespace
}  // namespace carom
