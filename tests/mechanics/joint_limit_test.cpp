#include "carom/mechanics/joint_limit.h"

#include <gtest/gtest.h>

#include <numbers>

#include "mechanics/joint_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

constexpr LimitIndex kLower{0, 0, LimitSide::lower}, kUpper{0, 0, LimitSide::upper};

Model limited_pair(JointKind kind, RandomMotions& random) {
  Model model = joined_pair(kind, random);
  model.joints[0].ranges[0] = {-0.4, 0.9};
  if (coordinate_count(kind) > 1) model.joints[0].ranges[1].upper = 2.0;
  return model;
}

MotionBounds bounds_of(const BodyState& state) {
  return {.speed = state.velocity.norm(), .spin = state.angular_velocity.norm()};
}

TEST(JointLimit, AreThoseThatAreFinite) {
  RandomMotions random(21);
  EXPECT_EQ(limits_of(limited_pair(JointKind::revolute, random), 0), (std::vector<LimitIndex>{kLower, kUpper}));
  const std::vector<LimitIndex> sleeve = limits_of(limited_pair(JointKind::cylindrical, random), 0);
  EXPECT_EQ(sleeve, (std::vector<LimitIndex>{kLower, kUpper, {0, 1, LimitSide::upper}}));
  EXPECT_TRUE(limits_of(joined_pair(JointKind::prismatic, random), 0).empty());
}

TEST(JointLimit, OfATurnHasAnArcForItsGap) {
  RandomMotions random(22);
  const Model model = limited_pair(JointKind::revolute, random);
  const JointKinematics kinematics(model);
  const BodyState second = random.state();
  std::vector<BodyState> bodies{placed_first(model.joints[0], second, {0.3, 0.0}, 0.0), second};
  // The first body turns about the axis at 2 rad/s against the second.
  const Vector3d axis = second.orientation * model.joints[0].ends[1].frame * Vector3d(Vector3d::UnitZ());
  bodies[0].angular_velocity = second.angular_velocity + 2.0 * axis;
  const JointStates states = states_of(kinematics, 0, bodies);
  const double arm = kinematics.size(0);
  EXPECT_EQ(limit_arm(kinematics, kLower), arm);
  EXPECT_NEAR(limit_row(kinematics, kLower, states).residual, 0.7 * arm, 1e-14);
  EXPECT_NEAR(limit_row(kinematics, kUpper, states).residual, 0.6 * arm, 1e-14);
  EXPECT_NEAR(rate_of(limit_row(kinematics, kLower, states), states), 2.0 * arm, 1e-14);
  EXPECT_NEAR(rate_of(limit_row(kinematics, kUpper, states), states), -2.0 * arm, 1e-14);
}

TEST(JointLimit, RowOfAShiftIsTheRateOfItsGap) {
  RandomMotions random(23);
  for (int k = 0; k < 20; ++k) {
    const Model model = limited_pair(JointKind::prismatic, random);
    const JointKinematics kinematics(model);
    const std::vector<BodyState> bodies{random.state(), random.state()};
    const auto gap = [&](double time) {
      const std::vector<BodyState> later{moved(bodies[0], time), moved(bodies[1], time)};
      return limit_row(kinematics, kUpper, states_of(kinematics, 0, later)).residual;
    };
    const JointStates states = states_of(kinematics, 0, bodies);
    const JointRow row = limit_row(kinematics, kUpper, states);
    EXPECT_NEAR(rate_of(row, states), (gap(1e-5) - gap(-1e-5)) / 2e-5, 1e-8);
    EXPECT_NEAR(row.bias, (gap(1e-3) - 2.0 * gap(0.0) + gap(-1e-3)) / 1e-6, 1e-4);
  }
}

TEST(JointLimit, TheBoundHoldsAllAlongTheMotion) {
  RandomMotions random(24);
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    for (int k = 0; k < 50; ++k) {
      const Model model = limited_pair(kind, random);
      const JointKinematics kinematics(model);
      const std::vector<BodyState> bodies{random.state(), random.state()};
      const double duration = 0.5;
      const double bound = limit_acceleration_bound(kinematics, kLower, states_of(kinematics, 0, bodies),
                                                    bounds_of(bodies[0]), bounds_of(bodies[1]), duration);
      for (int look = 0; look <= 10; ++look) {
        const double time = duration * look / 10.0;
        const std::vector<BodyState> later{moved(bodies[0], time), moved(bodies[1], time)};
        const JointRow row = limit_row(kinematics, kLower, states_of(kinematics, 0, later));
        EXPECT_LE(std::abs(row.bias), bound * (1.0 + 1e-12));
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
