#include "carom/laws/corner/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "laws/corner/corner_cases.h"

namespace carom::corner {
namespace {

void expect_predicted(const CornerProblem& p) {
  const CornerOutcome outcome = solve(p);
  const Prediction prediction = predict(p);
  EXPECT_TRUE(prediction.steps == outcome.steps && prediction.stop == outcome.stop)
      << "alpha " << p.alpha << " restitution " << p.restitution << " velocity " << p.velocity.x << ", " << p.velocity.y
      << ": " << outcome.steps << " " << stop_name(outcome.stop) << ", predicted " << prediction.steps << " "
      << stop_name(prediction.stop);
}

TEST(CornerPrediction, ForetellsRandomProblems) {
  CornerCases random(21);
  for (int i = 0; i < 100000; ++i) {
    CornerProblem p = random.problem();
    const double speed = std::pow(10.0, random.uniform(-3.0, 3.0));
    p.velocity = {speed * p.velocity.x, speed * p.velocity.y};
    expect_predicted(p);
  }
}

TEST(CornerPrediction, ForetellsNearlyDoubleRoots) {
  CornerCases random(22);
  for (int i = 0; i < 20000; ++i) {
    CornerProblem p = random.problem();
    const double critical = (1.0 - p.restitution) / (1.0 + p.restitution);
    const double sine = critical * (1.0 + random.uniform(-0.5, 0.5) * std::pow(10.0, random.uniform(-15.0, 0.0)));
    if (sine < 0.02 || sine >= 1.0) continue;
    p.alpha = 0.5 * std::asin(sine);
    expect_predicted(p);
  }
}

TEST(CornerPrediction, KnowsThatNothingRestsWithoutAThreshold) {
  CornerCases random(23);
  for (int i = 0; i < 5000; ++i) {
    CornerProblem p = random.problem();
    p.thresholds.rest = 0.0;
    expect_predicted(p);
    if (p.restitution == 0.0) continue;  // TA then decides by round-off alone
    p.thresholds = Thresholds::theoretical(300);
    expect_predicted(p);
  }
}

TEST(CornerPrediction, KeepsToTheStepLimit) {
  CornerCases random(24);
  for (int i = 0; i < 20000; ++i) {
    CornerProblem p = random.problem();
    p.thresholds.max_steps = static_cast<std::int64_t>(random.uniform(0.0, 12.0));
    expect_predicted(p);
  }
}

TEST(CornerPrediction, SaysWhichCornersAreAlwaysLeft) {
  CornerCases random(25);
  for (int i = 0; i < 5000; ++i) {
    CornerProblem p = random.problem();
    p.thresholds.rest = 0.0;
    p.thresholds.approach = 0.0;
    p.thresholds.max_steps = 1000000;
    const double margin = (1.0 + p.restitution) * std::sin(2.0 * p.alpha) - (1.0 - p.restitution);
    if (std::abs(margin) < 1e-6 || p.restitution == 0.0) continue;
    const bool left = always_exits(p.alpha, p.restitution);
    if (p.alpha < std::numbers::pi / 4) {
      EXPECT_EQ(left, margin > 0.0);
    }
    p.velocity = {1.0, p.alpha < 0.7 ? 0.3 * std::tan(p.alpha) : 0.1};
    if (left) {
      EXPECT_EQ(predict(p).stop, Stop::z0);
    }
  }
}

TEST(CornerPrediction, GivesTheSpectralRadiusOfTwoImpacts) {
  EXPECT_NEAR(spectral_radius(std::numbers::pi / 64, 0.0), 0.99039, 5e-6);
  EXPECT_NEAR(spectral_radius(std::numbers::pi / 64, 0.75), 0.92491, 5e-6);
  EXPECT_DOUBLE_EQ(spectral_radius(0.6, 0.8), 0.8);
  EXPECT_DOUBLE_EQ(spectral_radius(0.3, 1.0), 1.0);
  EXPECT_THROW(spectral_radius(0.0, 0.5), InputError);
  EXPECT_THROW(spectral_radius(0.5, 1.5), InputError);
}

TEST(CornerPrediction, TheSpectralRadiusIsTheRateOfFading) {
  CornerProblem p;
  p.alpha = std::numbers::pi / 64;
  p.restitution = 0.75;
  p.velocity = {1.0, 0.0163};
  p.trace = true;
  const CornerOutcome outcome = solve(p);
  ASSERT_GT(outcome.trace.size(), 300U);
  const Velocity a = outcome.trace[298].velocity;
  const Velocity b = outcome.trace[300].velocity;
  EXPECT_NEAR(std::hypot(b.x, b.y) / std::hypot(a.x, a.y), spectral_radius(p.alpha, p.restitution), 1e-9);
}

}  // namespace
}  // namespace carom::corner
