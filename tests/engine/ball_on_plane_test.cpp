/// Stretches of a ball on a plane, against closed forms.

#include "carom/engine/event/ball_on_plane.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"
#include "carom/contact/motion.h"
#include "carom/engine/event/turning_ball.h"

namespace carom::event {
namespace {

constexpr double kWeight = 9.81;

BallOnPlane pool_ball() {
  BallOnPlane ball;
  ball.set_acceleration({0.0, 0.0, -kWeight});
  ball.radius = 0.028575;
  ball.mass = 0.17;
  ball.friction = {0.2, 0.2};
  return ball;
}

/// A ball on a slope of this tangent, x downwards.
BallOnPlane on_slope(double tangent) {
  BallOnPlane ball = pool_ball();
  const double cosine = 1.0 / std::hypot(1.0, tangent);
  ball.set_acceleration({kWeight * tangent * cosine, 0.0, -kWeight * cosine});
  return ball;
}

BodyState moving(const Vector3d& velocity, const Vector3d& spin) {
  BodyState state;
  state.velocity = velocity;
  state.angular_velocity = spin;
  return state;
}

ContactAction sliding(const BallOnPlane& ball, const BodyState& state) {
  return {ContactMode::slide, ball.slip(state).normalized()};
}

/// The state after a part of a stretch.
BodyState after(const BallStretch& stretch, const BodyState& state, double tau) {
  contact::Motion motion;
  motion.position = state.position;
  motion.velocity = state.velocity;
  motion.acceleration = stretch.acceleration;
  motion.attitude = state.orientation;
  motion.spin = state.angular_velocity;
  motion.spin_rate = stretch.spin_rate;
  motion.turning = contact::Turning::accelerated;
  return motion.after(tau);
}

double energy(const BallOnPlane& ball, const BodyState& state) {
  const double inertia = ball.inertia_factor * ball.mass * ball.radius * ball.radius;
  return 0.5 * ball.mass * state.velocity.squaredNorm() + 0.5 * inertia * state.angular_velocity.squaredNorm();
}

TEST(BallOnPlane, SlidesForTwoSeventhsOfItsSlip) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    BallOnPlane ball = pool_ball();
    ball.inertia_factor = random.uniform(0.1, 0.7);
    ball.wall_velocity = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0};
    const BodyState state =
        moving({random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), 0.0},
               {random.uniform(-90.0, 90.0), random.uniform(-90.0, 90.0), random.uniform(-90.0, 90.0)});
    const auto stretch = stretch_of(ball, state, sliding(ball, state));
    ASSERT_TRUE(stretch);
    EXPECT_EQ(stretch->end, BallStretch::End::slip_ends);
    const Vector3d slip = ball.slip(state);
    const double share = 1.0 / (1.0 + 1.0 / ball.inertia_factor);
    EXPECT_NEAR(stretch->duration, slip.norm() * share / (0.2 * kWeight), 1e-13 * stretch->duration);
    const BodyState rolls = ended(ball, *stretch, after(*stretch, state, stretch->duration));
    EXPECT_LT((rolls.velocity - (state.velocity - share * slip)).norm(), 1e-14 * (1.0 + slip.norm()));
    EXPECT_LT(ball.slip(rolls).norm(), 1e-15 * (1.0 + slip.norm()));
    EXPECT_NEAR(rolls.angular_velocity.z(), state.angular_velocity.z(), 1e-13);
    EXPECT_NEAR(stretch->dissipated(stretch->duration), 0.5 * ball.mass * slip.squaredNorm() * share, 1e-13);
    const double work = stretch->wall_power * stretch->duration;
    EXPECT_NEAR(energy(ball, rolls) - energy(ball, state), work - stretch->dissipated(stretch->duration), 1e-13);
    EXPECT_EQ(action_after(ball, *stretch).mode, ContactMode::stick);
  }
}

TEST(BallOnPlane, SlipAcrossASlopeTurnsUntilItEnds) {
  // t* = (b|u| + a·u)/(b² − a²), and Newton's equations hold on the way.
  const BallOnPlane ball = on_slope(0.2);
  const BodyState state = moving({-0.3, 1.0, 0.0}, {2.0, -3.0, 5.0});
  const auto stretch = stretch_of(ball, state, sliding(ball, state));
  ASSERT_TRUE(stretch);
  ASSERT_TRUE(stretch->turning);
  EXPECT_EQ(stretch->end, BallStretch::End::slip_ends);
  const double a = ball.along.norm(), b = 0.2 * ball.pressing * 3.5;
  const Vector3d slip = ball.slip(state);
  EXPECT_NEAR(stretch->duration, (b * slip.norm() + a * slip.x()) / (b * b - a * a), 1e-14);
  const TurningBall path(ball, *stretch, state);
  for (const double part : {0.1, 0.5, 0.9}) {
    const double tau = part * stretch->duration, h = 1e-4 * stretch->duration;
    const BodyState now = path.after(tau), before = path.after(tau - h), after = path.after(tau + h);
    const Vector3d direction = ball.slip(now).normalized();
    const Vector3d force = ball.along - 0.2 * ball.pressing * direction;
    EXPECT_LT(((after.velocity - before.velocity) / (2.0 * h) - force).norm(), 1e-6) << part;
    EXPECT_LT(((after.position - before.position) / (2.0 * h) - now.velocity).norm(), 1e-8) << part;
    const Vector3d turning = (after.angular_velocity - before.angular_velocity) / (2.0 * h);
    const Vector3d torque = 0.2 * ball.pressing / (0.4 * ball.radius) * ball.normal.cross(direction);
    EXPECT_LT((turning - torque).norm(), 1e-4) << part;
    const double lost = energy(ball, state) + ball.mass * ball.along.dot(now.position) - energy(ball, now);
    EXPECT_NEAR(stretch->dissipated(tau), lost, 1e-15) << part;
  }
  const BodyState rolls = ended(ball, *stretch, path.after(stretch->duration));
  EXPECT_LT((rolls.angular_velocity - path.after(stretch->duration).angular_velocity).norm(), 1e-12);
}

TEST(BallOnPlane, RollingAcrossASlopeAgainstResistanceTurnsUntilItEnds) {
  BallOnPlane ball = on_slope(0.005);
  ball.resistance = {.rolling = 0.01, .spinning = 0.0};
  const BodyState state = moving({0.0, 1.0, 0.0}, {-1.0 / ball.radius, 0.0, 0.0});
  const auto stretch = stretch_of(ball, state, {ContactMode::stick});
  ASSERT_TRUE(stretch);
  ASSERT_TRUE(stretch->turning);
  const double a = ball.along.norm() / 1.4, b = 0.01 * ball.pressing;
  EXPECT_NEAR(stretch->duration, b / (b * b - a * a), 1e-12);
  const TurningBall path(ball, *stretch, state);
  const BodyState rests = ended(ball, *stretch, path.after(stretch->duration));
  EXPECT_EQ(rests.velocity.norm() + rests.angular_velocity.norm(), 0.0);
  const double lost = energy(ball, state) + ball.mass * ball.along.dot(rests.position);
  EXPECT_NEAR(stretch->dissipated(stretch->duration), lost, 1e-13);
}

TEST(BallOnPlane, ThrownUpASlipperySlopeItSlidesOnDownwards) {
  // Rolls iff μ ≥ (2/7) tan α.
  for (const double tangent : {0.6, 0.8}) {
    const BallOnPlane ball = on_slope(tangent);
    const BodyState state = moving({-1.0, 0.0, 0.0}, Vector3d::Zero());
    const auto up = stretch_of(ball, state, sliding(ball, state));
    ASSERT_TRUE(up);
    const ContactAction next = action_after(ball, *up);
    EXPECT_EQ(next.mode, tangent < 0.7 ? ContactMode::stick : ContactMode::slide);
    if (next.mode == ContactMode::stick) continue;
    EXPECT_EQ(next.direction.x(), 1.0);
    const auto down = stretch_of(ball, ended(ball, *up, after(*up, state, up->duration)), next);
    ASSERT_TRUE(down);
    EXPECT_EQ(down->end, BallStretch::End::never);
    EXPECT_NEAR(down->acceleration.x(), kWeight * (tangent - 0.2) / std::hypot(1.0, tangent), 1e-14);
  }
}

TEST(BallOnPlane, ResistanceStopsWhatRolls) {
  BallOnPlane ball = pool_ball();
  ball.resistance = {.rolling = 0.01, .spinning = 0.0};
  const BodyState state = moving({0.6, 0.8, 0.0}, {-0.8 / ball.radius, 0.6 / ball.radius, 3.0});
  const auto stretch = stretch_of(ball, state, {ContactMode::stick});
  ASSERT_TRUE(stretch);
  EXPECT_EQ(stretch->end, BallStretch::End::rolling_ends);
  EXPECT_NEAR(stretch->duration, 1.0 / (0.01 * kWeight), 1e-12);
  const BodyState rests = ended(ball, *stretch, after(*stretch, state, stretch->duration));
  EXPECT_EQ(rests.velocity.norm(), 0.0);
  EXPECT_EQ(rests.angular_velocity.x(), 0.0);
  EXPECT_NEAR(rests.angular_velocity.z(), 3.0, 1e-14);  // nothing resists its spin
  EXPECT_NEAR(rests.position.norm(), 0.5 / (0.01 * kWeight), 1e-11);
  EXPECT_NEAR(stretch->dissipated(stretch->duration), energy(ball, state) - energy(ball, rests), 1e-14);
}

TEST(BallOnPlane, ResistanceToSpinningWorksInEveryMode) {
  BallOnPlane ball = pool_ball();
  ball.resistance = {.rolling = 0.0, .spinning = 3e-4};
  const double slowing = 3e-4 * kWeight / (0.4 * ball.radius * ball.radius);
  for (const ContactMode mode : {ContactMode::smooth, ContactMode::slide, ContactMode::stick}) {
    const BodyState state = moving(Vector3d::Zero(), {0.0, mode == ContactMode::slide ? 9.0 : 0.0, -1.0});
    const ContactAction action = mode == ContactMode::slide ? sliding(ball, state) : ContactAction{mode};
    const auto stretch = stretch_of(ball, state, action);
    ASSERT_TRUE(stretch);
    EXPECT_NEAR(stretch->spin_rate.z(), slowing, 1e-13 * slowing);
    if (mode == ContactMode::slide) continue;
    EXPECT_EQ(stretch->end, BallStretch::End::spin_ends);
    EXPECT_NEAR(stretch->duration, 1.0 / slowing, 1e-13);
    EXPECT_EQ(ended(ball, *stretch, after(*stretch, state, stretch->duration)).angular_velocity.norm(), 0.0);
  }
}

TEST(BallOnPlane, ResistanceHoldsABallOnAGentleSlope) {
  // Without it the ball rolls with (5/7) g sin α.
  for (const double tangent : {0.0139, 0.0141}) {
    BallOnPlane ball = on_slope(tangent);
    ball.resistance = {.rolling = 0.01, .spinning = 0.0};
    const auto stretch = stretch_of(ball, BodyState{}, {ContactMode::stick});
    ASSERT_TRUE(stretch);
    const double expected = tangent < 0.014 ? 0.0 : kWeight / std::hypot(1.0, tangent) * (tangent / 1.4 - 0.01);
    EXPECT_NEAR(stretch->acceleration.x(), expected, 1e-15);
    EXPECT_EQ(stretch->end, BallStretch::End::never);
  }
}

TEST(BallOnPlane, ResistanceThatFrictionCannotCarryLetsItSlide) {
  BallOnPlane ball = pool_ball();
  ball.resistance = {.rolling = 0.5, .spinning = 0.0};
  const BodyState state = moving({1.0, 0.0, 0.0}, {0.0, 1.0 / ball.radius, 0.0});
  const auto stretch = stretch_of(ball, state, {ContactMode::stick});
  ASSERT_TRUE(stretch);
  EXPECT_EQ(stretch->action.mode, ContactMode::slide);
  EXPECT_NEAR(stretch->acceleration.x(), -0.2 * kWeight, 1e-15);
  EXPECT_EQ(stretch->end, BallStretch::End::turning_ends);  // it stops turning and slides on
  const BodyState slides = ended(ball, *stretch, after(*stretch, state, stretch->duration));
  const auto next = stretch_of(ball, slides, action_after(ball, *stretch));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->spin_rate.norm(), 0.0);
  EXPECT_NEAR(next->duration, slides.velocity.x() / (0.2 * kWeight), 1e-14);
}

TEST(BallOnPlane, ResistanceSlowsDownWhatTurnsWhileItSlides) {
  // Draw: friction and resistance first both work against the back spin, then against each other.
  BallOnPlane ball = pool_ball();
  ball.resistance = {.rolling = 0.01, .spinning = 0.0};
  const double per_radius = kWeight / (0.4 * ball.radius);
  const BodyState state = moving({1.0, 0.0, 0.0}, {0.0, -20.0, 0.0});
  const auto first = stretch_of(ball, state, sliding(ball, state));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->end, BallStretch::End::turning_ends);
  EXPECT_NEAR(first->spin_rate.y(), (0.2 + 0.014) * per_radius, 1e-11);
  const BodyState still = ended(ball, *first, after(*first, state, first->duration));
  EXPECT_NEAR(energy(ball, state) - energy(ball, still), first->dissipated(first->duration), 1e-15);
  const auto second = stretch_of(ball, still, action_after(ball, *first));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->end, BallStretch::End::slip_ends);
  EXPECT_NEAR(second->spin_rate.y(), (0.2 - 0.014) * per_radius, 1e-11);
  const BodyState rolls = ended(ball, *second, after(*second, still, second->duration));
  EXPECT_NEAR(energy(ball, still) - energy(ball, rolls), second->dissipated(second->duration), 1e-15);
  // A slip whose axis is not that of the turning has no closed form.
  const BodyState masse = moving({1.0, 0.0, 0.0}, {5.0, -20.0, 0.0});
  EXPECT_FALSE(stretch_of(ball, masse, sliding(ball, masse)));
}

}  // namespace
}  // namespace carom::event
