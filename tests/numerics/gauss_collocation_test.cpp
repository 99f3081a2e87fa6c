#include "carom/numerics/gauss_collocation.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace carom::gauss_collocation_test {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// ẋ = v, v̇ = −x − ¼x³.
void oscillator(double /*t*/, const double* y, double* slope) {
  slope[0] = y[1];
  slope[1] = -y[0] - 0.25 * y[0] * y[0] * y[0];
}

/// x(8) of the oscillator in equal steps.
double endpoint(int steps) {
  GaussCollocation method;
  method.resize(2);
  double y[2] = {1.0, 0.5};
  const double h = 8.0 / steps;
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(method.step(oscillator, i * h, y, h, y).converged) << steps;
  return y[0];
}

TEST(GaussCollocation, IsOfOrderSixteenAtTheEnds) {
  const double exact = endpoint(64);
  const double coarse = std::abs(endpoint(6) - exact);
  const double fine = std::abs(endpoint(9) - exact);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(9.0 / 6.0), 16.0, 1.5);
  EXPECT_LT(std::abs(endpoint(24) - exact), 4e-15);
}

TEST(GaussCollocation, DependsOnTimeWhereTheSlopeDoes) {
  GaussCollocation method;
  method.resize(1);
  const auto slope = [](double t, const double*, double* out) { out[0] = std::cos(t); };
  double y = 0.0;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(method.step(slope, 0.5 * i, &y, 0.5, &y).converged);
  EXPECT_NEAR(y, std::sin(5.0), 2e-15);
}

TEST(GaussCollocation, GoesBackToWhereItCameFrom) {
  GaussCollocation method;
  method.resize(2);
  double y[2] = {1.0, 0.5};
  for (int i = 0; i < 100; ++i) method.step(oscillator, 0.0, y, 0.4, y);
  for (int i = 0; i < 100; ++i) method.step(oscillator, 0.0, y, -0.4, y);
  EXPECT_NEAR(y[0], 1.0, 1e-13);
  EXPECT_NEAR(y[1], 0.5, 1e-13);
}

TEST(GaussCollocation, EstimatesTheErrorOfDenseOutputFromAbove) {
  // ẍ = −x from (1, 0): x = cos t. The estimate is extrapolated, so it may be off by a small factor.
  const auto f = [](double, const double* y, double* slope) {
    slope[0] = y[1];
    slope[1] = -y[0];
  };
  GaussCollocation method;
  method.resize(2);
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    method.set_tolerance(tolerance);
    for (const double phase : {0.0, 0.4, 0.8, 1.2}) {
      for (const double h : {0.25, 0.5, 1.0}) {
        const double start[2] = {std::cos(phase), -std::sin(phase)};
        double end[2];
        const CollocationResult result = method.step(f, phase, start, h, end);
        ASSERT_TRUE(result.converged);
        double worst = 0.0;
        for (int k = 0; k <= 50; ++k) {
          double y[2];
          method.dense().value(k / 50.0, 0, 2, y);
          worst = std::max({worst, std::abs(y[0] - std::cos(phase + k * h / 50.0)),
                            std::abs(y[1] + std::sin(phase + k * h / 50.0))});
        }
        EXPECT_LT(worst, 3.0 * result.error * tolerance + 1e-15) << h << ' ' << phase;
        EXPECT_GT(worst + 1e-15, 0.02 * result.error * tolerance) << h << ' ' << phase;
      }
    }
  }
}

TEST(GaussCollocation, ChoosesStepsThatKeepTheTolerance) {
  GaussCollocation method;
  method.resize(2);
  method.set_tolerance(1e-10);
  double y[2] = {1.0, 0.5};
  double t = 0.0;
  double h = 5.0;  // far too large
  int accepted = 0;
  while (t < 100.0 && accepted < 10000) {
    double next[2];
    const CollocationResult result = method.step(oscillator, t, y, h, next);
    if (result.converged && result.error <= 1.0) {
      t += h;
      std::copy(next, next + 2, y);
      ++accepted;
    }
    h *= GaussCollocation::step_factor(result);
  }
  EXPECT_LT(accepted, 300);
  const double energy = 0.5 * y[1] * y[1] + 0.5 * y[0] * y[0] + y[0] * y[0] * y[0] * y[0] / 16.0;
  EXPECT_NEAR(energy, 0.125 + 0.5 + 1.0 / 16.0, 1e-13);
}

TEST(GaussCollocation, ReportsASlopeThatIsNotFiniteAndAStepThatIsTooLong) {
  GaussCollocation method;
  method.resize(2);
  const double y[2] = {1.0, 0.5};
  double next[2];
  for (const int broken : {0, 1}) {
    const auto f = [broken](double, const double*, double* slope) {
      slope[broken] = std::numeric_limits<double>::quiet_NaN();
      slope[1 - broken] = 1.0;
    };
    EXPECT_FALSE(method.step(f, 0.0, y, 0.1, next).converged) << broken;
  }
  EXPECT_FALSE(method.step(oscillator, 0.0, y, 50.0, next).converged);
  EXPECT_LT(GaussCollocation::step_factor({}), 1.0);
  EXPECT_TRUE(method.step(oscillator, 0.0, y, 0.1, next).converged);
}

TEST(DensePolynomial, MeetsTheEndsAndItsDerivativesAreDerivatives) {
  GaussCollocation method;
  method.resize(2);
  const double start[2] = {1.0, 0.5};
  double end[2];
  method.step(oscillator, 2.0, start, 0.75, end);
  std::vector<double> storage;
  const DensePolynomial motion = method.dense().copied_to(storage);
  method.step(oscillator, 2.75, end, 0.75, end);  // the copy does not follow

  double y[2];
  motion.value(0.0, 0, 2, y);
  EXPECT_EQ(y[0], start[0]);
  EXPECT_EQ(y[1], start[1]);
  EXPECT_EQ(motion.end(), 2.75);
  double next[2];
  method.dense().value(0.0, 0, 2, next);
  motion.value(1.0, 0, 2, y);
  EXPECT_NEAR(y[0], next[0], 2e-16);
  EXPECT_NEAR(y[1], next[1], 2e-16);
  for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    double slope[2], second[2], low[2], high[2];
    motion.slope(theta, 0, 2, slope);
    motion.value(theta, 0, 2, y);
    EXPECT_NEAR(slope[0], y[1], 1e-8) << theta;  // the collocation error of q̇ = v
    const double d = 1e-3;
    motion.value(theta - d, 0, 2, low);
    motion.value(theta + d, 0, 2, high);
    motion.second_slope(theta, 0, 2, second);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(slope[i], (high[i] - low[i]) / (2 * d * 0.75), 1e-5) << theta;
      EXPECT_NEAR(second[i], (high[i] - 2 * y[i] + low[i]) / (d * d * 0.75 * 0.75), 1e-5) << theta;
    }
  }
}

TEST(DensePolynomial, BoundsHoldAndAreNotWasteful) {
  // A point on a circle at unit angular speed: |y| = |ẏ| = |ÿ| = 1, in a plane that is not a coordinate plane.
  const Eigen::Vector3d first(0.6, 0.0, 0.8);
  const Eigen::Vector3d second(0.0, 1.0, 0.0);
  const auto f = [&](double t, const double*, double* slope) {
    slope[0] = 7.0;
    Eigen::Map<Eigen::Vector3d>(slope + 1) = -std::sin(t) * first + std::cos(t) * second;
  };
  GaussCollocation method;
  method.resize(4);
  for (const double h : {0.1, 0.5, 1.0}) {
    double y[4] = {0.0, first[0], first[1], first[2]};
    ASSERT_TRUE(method.step(f, 0.0, y, h, y).converged);
    const DensePolynomial motion = method.dense();
    EXPECT_GE(motion.value_bound(1, 3), 1.0);
    EXPECT_GE(motion.slope_bound(1, 3), 1.0);
    EXPECT_GE(motion.second_slope_bound(1, 3), 1.0 - 1e-6);  // of the polynomial, whose second slope is off by h⁶
    EXPECT_LE(motion.value_bound(1, 3), 1.0 + 0.2 * h * h);
    EXPECT_LE(motion.slope_bound(1, 3), 1.0 + 0.6 * h);
    EXPECT_LE(motion.second_slope_bound(1, 3), 1.0 + 0.7 * h);
    for (int k = 0; k <= 100; ++k) {
      Eigen::Vector3d value, slope, bend;
      motion.value(0.01 * k, 1, 3, value.data());
      motion.slope(0.01 * k, 1, 3, slope.data());
      motion.second_slope(0.01 * k, 1, 3, bend.data());
      EXPECT_LE(value.norm(), motion.value_bound(1, 3));
      EXPECT_LE(slope.norm(), motion.slope_bound(1, 3));
      EXPECT_LE(bend.norm(), motion.second_slope_bound(1, 3));
    }
  }
}

TEST(GaussCollocation, KeepsEnergyAndMomentumOfAKeplerOrbitOverAThousandRevolutions) {
  // Eccentricity 0.3, period 2π, 60 steps a revolution.
  const auto f = [](double, const double* y, double* slope) {
    const double r2 = y[0] * y[0] + y[1] * y[1];
    const double factor = -1.0 / (r2 * std::sqrt(r2));
    slope[0] = y[2];
    slope[1] = y[3];
    slope[2] = factor * y[0];
    slope[3] = factor * y[1];
  };
  GaussCollocation method;
  method.resize(4);
  const double e = 0.3;
  double y[4] = {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))};
  const double h = kTwoPi / 60.0;
  const double momentum = y[0] * y[3] - y[1] * y[2];
  double worst_energy = 0.0;
  double worst_momentum = 0.0;
  for (int i = 0; i < 60000; ++i) {
    ASSERT_TRUE(method.step(f, i * h, y, h, y).converged) << i;
    const double energy = 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / std::hypot(y[0], y[1]);
    worst_energy = std::max(worst_energy, std::abs(energy + 0.5));
    worst_momentum = std::max(worst_momentum, std::abs(y[0] * y[3] - y[1] * y[2] - momentum));
  }
  EXPECT_LT(worst_energy, 5e-14);
  EXPECT_LT(worst_momentum, 5e-14);
  // Back at the start: the phase error is that of the energy times 3π times the revolutions.
  EXPECT_NEAR(y[0], 1.0 - e, 1e-9);
  EXPECT_NEAR(y[1], 0.0, 1e-9);
}

TEST(GaussCollocation, KeepsTheEnergyOfAPendulumOverAThousandSwings) {
  const auto f = [](double, const double* y, double* slope) {
    slope[0] = y[1];
    slope[1] = -std::sin(y[0]);
  };
  GaussCollocation method;
  method.resize(2);
  double y[2] = {2.0, 0.0};
  const double energy = -std::cos(2.0);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(method.step(f, 0.0, y, 0.4, y).converged);
    ASSERT_NEAR(0.5 * y[1] * y[1] - std::cos(y[0]), energy, 5e-14) << i;
  }
}

TEST(GaussCollocation, KeepsEnergyMomentumAndUnitLengthOfAFreeTopOverAThousandRevolutions) {
  const Eigen::Vector3d J(1.0, 2.0, 3.0);
  const auto f = [&](double, const double* y, double* slope) {
    const Eigen::Quaterniond attitude(y[0], y[1], y[2], y[3]);
    const Eigen::Map<const Eigen::Vector3d> spin(y + 4);
    const Eigen::Quaterniond turn = attitude * Eigen::Quaterniond(0.0, 0.5 * spin[0], 0.5 * spin[1], 0.5 * spin[2]);
    slope[0] = turn.w();
    Eigen::Map<Eigen::Vector3d>(slope + 1) = turn.vec();
    Eigen::Map<Eigen::Vector3d>(slope + 4) = (J.cwiseProduct(spin).cross(spin)).cwiseQuotient(J);
  };
  GaussCollocation method;
  method.resize(7);
  double y[7] = {1.0, 0.0, 0.0, 0.0, 0.5, 0.8, 0.3};
  const auto momentum = [&] {
    const Eigen::Quaterniond attitude(y[0], y[1], y[2], y[3]);
    const Eigen::Map<const Eigen::Vector3d> spin(y + 4);
    return Eigen::Vector3d(attitude.toRotationMatrix() * J.cwiseProduct(spin));
  };
  const auto energy = [&] {
    const Eigen::Map<const Eigen::Vector3d> spin(y + 4);
    return 0.5 * spin.dot(J.cwiseProduct(spin));
  };
  const Eigen::Vector3d momentum_before = momentum();
  const double energy_before = energy();
  const double h = 0.3;
  for (int i = 0; i < 21000; ++i) {  // 6300 s at about one revolution in 2π s
    ASSERT_TRUE(method.step(f, i * h, y, h, y).converged);
    ASSERT_NEAR(energy(), energy_before, 1e-13) << i;
    ASSERT_LT((momentum() - momentum_before).norm(), 1e-13) << i;
    ASSERT_NEAR(Eigen::Vector4d(y).norm(), 1.0, 5e-14) << i;
  }
}

}  // namespace
}  // namespace carom::gauss_collocation_test
