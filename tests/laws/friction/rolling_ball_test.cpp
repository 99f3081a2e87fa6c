/// A ball on cloth under the friction laws and the resistance to rolling and spinning, integrated in time.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "carom/laws/friction/registry.h"
#include "carom/numerics/dormand_prince_853.h"

namespace carom {
namespace {

constexpr double kMass = 0.17;
constexpr double kRadius = 0.028575;
constexpr double kInertia = 0.4 * kMass * kRadius * kRadius;
constexpr double kGravity = 9.81;

/// x, v, the angular velocity of rolling (v = Rω rolls) and of spinning about the vertical.
using Ball = std::array<double, 4>;

struct BallOnCloth {
  Friction friction;
  Resistance resistance;

  void operator()(const double* y, double* slope) const {
    const double normal = kMass * kGravity;
    const double slip = y[1] - kRadius * y[2];
    const double force = -normal * friction.over_speed(std::abs(slip)) * slip;
    slope[0] = y[1];
    slope[1] = force / kMass;
    slope[2] = (-kRadius * force - normal * resistance.rolling_over_rate(std::abs(y[2])) * y[2]) / kInertia;
    slope[3] = -normal * resistance.spinning_over_rate(std::abs(y[3])) * y[3] / kInertia;
  }
};

Ball integrate(const BallOnCloth& system, Ball ball, double duration) {
  DormandPrince853 stepper;
  stepper.resize(4);
  double time = 0.0;
  double h = 1e-5;
  while (time < duration) {
    h = std::min(h, duration - time);
    system(ball.data(), stepper.first_slope());
    Ball next{};
    const double error = stepper.step(system, ball.data(), h, next.data(), 1e-11);
    if (error <= 1.0) {
      ball = next;
      time += h;
    }
    h *= std::min(DormandPrince853::step_factor(error), error <= 1.0 ? 5.0 : 0.9);
  }
  return ball;
}

LawParameters cloth(double coefficient, double regularisation) {
  LawParameters given;
  given.set("coefficient", coefficient);
  given.set("vr", regularisation);
  return given;
}

TEST(RollingBall, ASlidingBallRollsAfterTheTimeOfTheTextbooks) {
  // t = 2v₀/(7μg), x = 12v₀²/(49μg), v = 5v₀/7 for a ball that does not turn at first. The regularisation delays the
  // last bit of slip: relative error of order v_r/v₀ · ln, here below 1e-4.
  const double mu = 0.2, speed = 2.0;
  const BallOnCloth system{prepare_friction(kCoulombLaw, cloth(mu, 1e-5)), Resistance{}};
  const double time = 2.0 * speed / (7.0 * mu * kGravity);
  EXPECT_NEAR(time, 0.291247997670016, 1e-15);
  const Ball ball = integrate(system, {0.0, speed, 0.0, 0.0}, time);
  EXPECT_NEAR(ball[1], 1.4285714285714286, 1e-4);
  EXPECT_NEAR(ball[0], 0.4992822817200275, 1e-4);
  EXPECT_NEAR(ball[1] - kRadius * ball[2], 0.0, 1e-4);
  const Ball later = integrate(system, {0.0, speed, 0.0, 0.0}, 2.0 * time);
  EXPECT_NEAR(later[1], 1.4285714285714286, 1e-6);  // rolls on without loss
}

TEST(RollingBall, ARollingBallSlowsDownAtItsCoefficientTimesGravity) {
  for (const double rolling : {0.005, 0.015}) {
    LawParameters given = cloth(0.2, 1e-4);
    given.set("rolling", rolling);
    given.set("rolling_speed", 1e-4);
    const Resistance resistance = prepare_resistance(turning_resistance(given), {kRadius, kMass, kInertia});
    EXPECT_NEAR(resistance.rolling, 1.4 * rolling * kRadius, 1e-18);
    const BallOnCloth system{prepare_friction(kCoulombLaw, given), resistance};
    const double speed = 1.0, time = 2.0;
    const Ball ball = integrate(system, {0.0, speed, speed / kRadius, 0.0}, time);
    // It starts without the slip of −v_r artanh(μ_roll/μ) that carries the friction force: error of that order, 1e-5.
    EXPECT_NEAR(ball[1], speed - rolling * kGravity * time, 1e-5) << rolling;
    EXPECT_NEAR(ball[0], speed * time - 0.5 * rolling * kGravity * time * time, 2e-5) << rolling;
    // It comes to rest at v₀²/(2μg) and stays there.
    const double stop = speed / (rolling * kGravity);
    const Ball rest = integrate(system, {0.0, speed, speed / kRadius, 0.0}, stop + 1.0);
    EXPECT_NEAR(rest[0], 0.5 * speed * stop, 1e-3) << rolling;
    EXPECT_LT(std::abs(rest[1]), 1e-4) << rolling;
  }
}

TEST(RollingBall, ASpinningBallSlowsDownAtItsCoefficientTimesTheLoadOverItsInertia) {
  LawParameters given = cloth(0.2, 1e-4);
  const double spinning = 10.0 * kInertia / (kMass * kGravity);  // 10 rad/s²
  EXPECT_GT(spinning, 1.7e-4);
  EXPECT_LT(spinning, 5e-4);
  given.set("spinning", spinning);
  const BallOnCloth system{prepare_friction(kCoulombLaw, given),
                           prepare_resistance(turning_resistance(given), {kRadius, kMass, kInertia})};
  const Ball ball = integrate(system, {0.0, 0.0, 0.0, 30.0}, 2.0);
  EXPECT_NEAR(ball[3], 10.0, 1e-9);
  EXPECT_NEAR(integrate(system, {0.0, 0.0, 0.0, 30.0}, 4.0)[3], 0.0, 1e-3);
}

TEST(RollingBall, ResistanceIsSmoothAtRest) {
  const Resistance resistance{.rolling = 2.0, .spinning = 3.0, .rate = 0.5};
  EXPECT_DOUBLE_EQ(resistance.rolling_over_rate(0.0), 4.0);
  EXPECT_DOUBLE_EQ(resistance.spinning_over_rate(0.0), 6.0);
  EXPECT_NEAR(resistance.rolling_over_rate(1e-9), 4.0, 1e-15);
  EXPECT_NEAR(resistance.rolling_over_rate(100.0), 0.02, 1e-17);
  EXPECT_FALSE(Resistance{}.any());
  EXPECT_TRUE(resistance.any());
}

}  // namespace
}  // namespace carom
