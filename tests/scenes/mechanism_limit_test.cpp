/// Limits of joints: impacts on them, rest, and what leaves them, against closed forms.

#include <gtest/gtest.h>

#include <numbers>

#include "scenes/mechanism_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// A uniform rod of length and mass 1 that hangs from the origin at an angle to the vertical.
Bar hanging(double degrees) {
  const double angle = degrees * pi / 180.0;
  return {"rod", {0.0, 0.0}, {std::sin(angle), -std::cos(angle)}};
}

std::string limited(double degrees, double lower, double upper, double restitution) {
  return text_of(hanging(degrees)) + hinge("hinge", "'rod'", {0.0, 0.0}) +
         fmt::format("start_deg = {}\nlimits_deg = [{}, {}]\nrestitution = {}\n", degrees, lower, upper, restitution);
}

TEST(JointLimit, APendulumBouncesOffALimitBeyondTheVertical) {
  const double times[] = {0.5374653553253494, 1.6237856288449488, 2.8069166221328525, 4.115650532774309};
  const double restitution = 0.6;
  for (const char* law : kLaws) {
    const SceneRun run =
        run_scene(scene_from_text(mechanism(kGravity, 4.5, law) + limited(80.0, -20.0, 170.0, restitution)));
    expect_held(run);
    const std::vector<KeptEvent> impacts = run.impacts();
    ASSERT_EQ(impacts.size(), 4u) << law;
    double rate = 4.7481246783326485;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      EXPECT_NEAR(impacts[k].record.time, times[k], 1e-9) << law;
      const ContactRecord& contact = impacts[k].contacts.at(0);
      ASSERT_TRUE(contact.limit.exists());
      EXPECT_EQ(contact.limit.side, LimitSide::lower);
      EXPECT_EQ(contact.b, kNone);
      EXPECT_NEAR(contact.rate_before, -rate, 1e-9);
      EXPECT_NEAR(contact.rate_after, restitution * rate, 1e-9);
      // J(1 + e)ω about the hinge, and m(L/2)(1 + e)ω across the rod in the bearing.
      EXPECT_NEAR(contact.impulse, (1.0 + restitution) * rate / 3.0, 1e-9);
      const Vector3d across(std::cos(pi / 9.0), -std::sin(pi / 9.0), 0.0);
      EXPECT_NEAR((impacts[k].joints.at(0).force - 0.5 * (1.0 + restitution) * rate * across).norm(), 0.0, 1e-8);
      rate *= restitution;
    }
  }
}

TEST(JointLimit, ALimitAtTheVerticalIsTheStopThere) {
  const double times[] = {0.48333371359331134, 1.3608340994719264, 2.2061991005821007, 3.0376318854882993};
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 3.2) + limited(90.0, 0.0, 180.0, 0.7)));
  expect_held(run);
  ASSERT_EQ(run.impacts().size(), 4u);
  double rate = 5.424942396007538;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(run.impacts()[k].record.time, times[k], 1e-10);
    EXPECT_NEAR(run.impacts()[k].contacts.at(0).rate_before, -rate, 1e-9);
    rate *= 0.7;
  }
}

TEST(JointLimit, NamingTheBodiesTheOtherWayRoundNegatesTheCoordinate) {
  // A pendulum on a heavy base that may slide: the hinge between them has a limit.
  const auto scene = [](const std::string& bodies, double sign) {
    return run_scene(scene_from_text(
        mechanism(kGravity, 2.0) + text_of(hanging(70.0)) +
        "[[body]]\nname = 'base'\nshape = { kind = 'box', half_sizes = [0.2, 0.1, 0.1] }\nmass = 3\n"
        "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['base']\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n" +
        hinge("hinge", bodies, {0.0, 0.0}) +
        fmt::format("start_deg = {}\nlimits_deg = [{}, {}]\nrestitution = 0.5\n", 70.0 * sign,
                    sign > 0.0 ? -10.0 : -90.0, sign > 0.0 ? 90.0 : 10.0)));
  };
  const SceneRun one = scene("'rod', 'base'", 1.0), other = scene("'base', 'rod'", -1.0);
  expect_held(one);
  expect_held(other);
  ASSERT_GE(one.impacts().size(), 2u);
  ASSERT_EQ(one.impacts().size(), other.impacts().size());
  for (std::size_t k = 0; k < one.impacts().size(); ++k) {
    const KeptEvent a = one.impacts()[k], b = other.impacts()[k];
    EXPECT_NEAR(a.record.time, b.record.time, 1e-11);
    EXPECT_NEAR(a.contacts.at(0).impulse, b.contacts.at(0).impulse, 1e-11);
    EXPECT_NE(a.contacts.at(0).limit.side, b.contacts.at(0).limit.side);
    EXPECT_NEAR((a.joints.at(1).force + b.joints.at(1).force).norm(), 0.0, 1e-10);
  }
  EXPECT_NEAR((one.body("rod").position - other.body("rod").position).norm(), 0.0, 1e-10);
}

TEST(JointLimit, BouncesOnALimitComeToAnEnd) {
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 4.0) + limited(80.0, 30.0, 170.0, 0.5)));
  expect_held(run);
  const std::vector<KeptEvent> rests = run.of_kind(EventKind::rest);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_TRUE(rests[0].contacts.at(0).limit.exists());
  EXPECT_GT(run.impacts().size(), 10u);
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], pi / 6.0, 1e-11);
  EXPECT_EQ(run.body("rod").angular_velocity.norm(), 0.0);
}

TEST(JointLimit, ASliderBouncesAsABallDoes) {
  // Falls from 1 m: impacts at t₁, t₁(1 + 2e), t₁(1 + 2e + 2e²), …; rest at t₁(1 + e)/(1 − e).
  const double e = 0.6, first = std::sqrt(2.0 / kGravity);
  const SceneRun run = run_scene(scene_from_text(
      mechanism(kGravity, 2.0) +
      "[[body]]\nname = 'block'\nshape = { kind = 'box', half_sizes = [0.1, 0.1, 0.1] }\nmass = 2\n"
      "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['block']\npoint = [0.3, 0, 0]\naxis = [0, 1, 0]\n"
      "start = 1\nlimits = [0, 1.5]\nrestitution = 0.6\n"));
  expect_held(run);
  ASSERT_GT(run.impacts().size(), 10u);
  double time = first, speed = kGravity * first;
  for (std::size_t k = 0; k < 6; ++k) {
    const KeptEvent impact = run.impacts()[k];
    EXPECT_NEAR(impact.record.time, time, 1e-11);
    EXPECT_NEAR(impact.contacts.at(0).rate_before, -speed, 1e-10);
    EXPECT_NEAR(impact.contacts.at(0).impulse, 2.0 * (1.0 + e) * speed, 1e-10);
    EXPECT_NEAR(impact.contacts.at(0).normal.y(), 1.0, 1e-12);
    EXPECT_NEAR(impact.joints.at(0).force.norm(), 0.0, 1e-12);  // the rail bears nothing
    time += 2.0 * first * std::pow(e, static_cast<double>(k + 1));
    speed *= e;
  }
  ASSERT_EQ(run.of_kind(EventKind::rest).size(), 1u);
  EXPECT_NEAR(run.of_kind(EventKind::rest)[0].record.time, first * (1.0 + e) / (1.0 - e), 1e-7);
}

TEST(JointLimit, WhatRestsOnALimitLeavesItWhenNothingPressesAnyMore) {
  // An arm turned at constant speed carries a rod that leans on a limit of its hinge until the rod's weight and what
  // the moving hinge does to it balance about the hinge.
  const double speed = 1.5, arm = 0.4;
  const SceneRun run = run_scene(scene_from_text(
      mechanism(kGravity, 3.0) +
      text_of(
          {.name = "arm", .from = {0.0, 0.0}, .to = {arm, 0.0}, .rate = speed, .velocity = {0.0, 0.5 * arm * speed}}) +
      text_of({.name = "rod",
               .from = {arm, 0.0},
               .to = {arm + 1.0, 0.0},
               .rate = speed,
               .velocity = {0.0, speed * (arm + 0.5)}}) +
      hinge("drive", "'arm'", {0.0, 0.0}) + fmt::format("motor = {{ speed = {} }}\n", speed) +
      hinge("elbow", "'rod', 'arm'", {arm, 0.0}) + "limits_deg = [0, 160]\nrestitution = 0\n"));
  expect_held(run);
  ASSERT_EQ(run.of_kind(EventKind::contact_start).size(), 1u);
  ASSERT_GE(run.of_kind(EventKind::release).size(), 1u);
  const KeptEvent release = run.of_kind(EventKind::release)[0];
  EXPECT_TRUE(release.contacts.at(0).limit.exists());
  const double angle = speed * release.record.time;
  EXPECT_GT(angle, 0.5);
  // Held, the rod turns evenly about the hinge: r × (g − a) = 0 at the instant at which it leaves.
  const Vector3d along(std::cos(angle), std::sin(angle), 0.0);
  const Vector3d push = Vector3d(0.0, -kGravity, 0.0) + speed * speed * arm * along;
  EXPECT_NEAR(along.cross(push).z(), 0.0, 1e-8);
}

TEST(JointLimit, MomentumIsKeptWhenTwoFreeRodsComeToALimit) {
  for (const char* law : kLaws) {
    const SceneRun run = run_scene(scene_from_text(
        mechanism(0.0, 1.0, law) +
        text_of({.name = "one", .from = {0.0, 0.0}, .to = {1.0, 0.0}, .rate = 2.0, .velocity = {0.0, -1.0}}) +
        text_of(
            {.name = "two", .from = {1.0, 0.0}, .to = {2.0, 0.0}, .mass = 0.5, .rate = -3.0, .velocity = {0.0, -1.5}}) +
        hinge("knee", "'two', 'one'", {1.0, 0.0}) + "limits_deg = [-90, 10]\nrestitution = 0.8\n"));
    expect_held(run);
    ASSERT_GE(run.impacts().size(), 1u);
    const KeptEvent impact = run.impacts()[0];
    EXPECT_NEAR(impact.contacts.at(0).rate_after, -0.8 * impact.contacts.at(0).rate_before, 1e-11);
    const auto momentum = [](const State& state) {
      return Vector3d(state.bodies[std::size_t{0}].velocity + 0.5 * state.bodies[std::size_t{1}].velocity);
    };
    const auto spin = [](const State& state) {
      double sum = 0.0;
      for (const auto& [body, mass] : {std::pair(std::size_t{0}, 1.0), std::pair(std::size_t{1}, 0.5)})
        sum += mass * (state.bodies[body].position.cross(state.bodies[body].velocity).z() +
                       state.bodies[body].angular_velocity.z() / 12.0);
      return sum;
    };
    EXPECT_NEAR((momentum(run.samples.front()) - momentum(run.samples.back())).norm(), 0.0, 1e-11);
    EXPECT_NEAR(spin(run.samples.front()), spin(run.samples.back()), 1e-10);
  }
}

TEST(JointLimit, AngleOfALimitCountsWholeTurns) {
  // A wheel turns twice and comes back.
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 3.0) + text_of({.name = "wheel", .from = {-0.5, 0.0}, .to = {0.5, 0.0}, .rate = 10.0}) +
      hinge("axle", "'wheel'", {0.0, 0.0}) + "limits_deg = [-400, 720]\nrestitution = 0.5\n"));
  expect_held(run);
  ASSERT_EQ(run.impacts().size(), 1u);
  EXPECT_NEAR(run.impacts()[0].record.time, 4.0 * pi / 10.0, 1e-12);
  EXPECT_EQ(run.impacts()[0].contacts.at(0).limit.side, LimitSide::upper);
  EXPECT_NEAR(run.body("wheel").angular_velocity.z(), -5.0, 1e-12);
}

TEST(JointLimit, ASleeveHasLimitsOfItsTurnAndOfItsShift) {
  const SceneRun run = run_scene(scene_from_text(
      "format = 1\n[run]\nduration = 1\nlaw = 'newton'\n"
      "[[body]]\nname = 'sleeve'\nshape = { kind = 'cylinder', radius = 0.1, half_length = 0.2 }\nmass = 1\n"
      "velocity = [0, 0, 2]\nangular_velocity = [0, 0, 3]\n"
      "[[joint]]\nname = 'shaft'\nkind = 'cylindrical'\nbodies = ['sleeve']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "limits = [-0.1, 0.5]\nlimits_deg = [-30, 60]\nrestitution = 0.5\n"));
  expect_held(run);
  const std::vector<KeptEvent> impacts = run.impacts();
  ASSERT_GE(impacts.size(), 3u);
  EXPECT_NEAR(impacts[0].record.time, 0.25, 1e-12);
  EXPECT_EQ(impacts[0].contacts.at(0).limit.coordinate, 0);
  EXPECT_NEAR(impacts[0].contacts.at(0).impulse, 3.0, 1e-12);
  EXPECT_NEAR(impacts[1].record.time, pi / 9.0, 1e-12);
  EXPECT_EQ(impacts[1].contacts.at(0).limit.coordinate, 1);
  EXPECT_NEAR(impacts[1].contacts.at(0).impulse, 0.5 * 0.01 * 4.5, 1e-12);
}

TEST(JointLimit, ACrossHasLimitsAboutBothAxes) {
  const SceneRun run = run_scene(scene_from_text(
      "format = 1\n[run]\nduration = 0.5\nlaw = 'newton'\n"
      "[[body]]\nname = 'ball'\nshape = { kind = 'sphere', radius = 0.1 }\nmass = 1\nangular_velocity = [4, 0, 0]\n"
      "[[joint]]\nname = 'cross'\nkind = 'universal'\nbodies = ['ball']\npoint = [0, 0, 0]\n"
      "axes = [[1, 0, 0], [0, 0, 1]]\nlimits_deg = [[-20, 30], [-10, 10]]\nrestitution = 0.5\n"));
  expect_held(run);
  ASSERT_GE(run.impacts().size(), 1u);
  EXPECT_NEAR(run.impacts()[0].record.time, pi / 6.0 / 4.0, 1e-12);
  EXPECT_EQ(run.impacts()[0].contacts.at(0).limit.coordinate, 0);
  EXPECT_EQ(run.impacts()[0].contacts.at(0).limit.side, LimitSide::upper);
  EXPECT_NEAR(run.body("ball").angular_velocity.x(), -2.0, 1e-12);
}

TEST(JointLimit, DryFrictionTakesNoPartInAnImpactOnALimit) {
  // As with a stop at the vertical, it sticks before it has come down to the limit again.
  const double times[] = {0.46965709076923723, 1.3285586161737613, 2.170069638034612, 3.0153769515978515,
                          3.9686502167530766};
  const double rates[] = {4.143094534814854, 2.8301059275718874, 1.7858400686608031, 0.9479152036285264,
                          0.22352934709048972};
  const SceneRun run = run_scene(scene_from_text(mechanism(kGravity, 5.0) + limited(70.0, 0.0, 120.0, 0.8) +
                                                 "friction = { kinetic = 0.3, static = 0.4 }\n"));
  expect_held(run);
  ASSERT_EQ(run.impacts().size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(run.impacts()[k].record.time, times[k], 1e-9);
    EXPECT_NEAR(run.impacts()[k].contacts.at(0).rate_before, -rates[k], 1e-9);
    EXPECT_NEAR(run.impacts()[k].contacts.at(0).impulse, 1.8 * rates[k] / 3.0, 1e-9);
  }
  EXPECT_NEAR(run.result.final_state.turns[JointIndex(0)][0], 0.015740134984348463, 1e-10);
}

/// A slider of mass 1 on a vertical rail, at the upper end of it.
std::string slider_at_its_upper_limit(double static_force, double kinetic_force) {
  return fmt::format(
      "[[body]]\nname = 'low'\nshape = {{ kind = 'box', half_sizes = [0.1, 0.1, 0.1] }}\nmass = 1\n"
      "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['low']\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n"
      "limits = [-1, 0]\nrestitution = 0.3\nfriction = {{ kinetic = {}, static = {} }}\n",
      kinetic_force, static_force);
}

TEST(JointLimit, FrictionHoldsWhatItsWeightWouldTakeOffALimit) {
  const SceneRun held = run_scene(scene_from_text(mechanism(kGravity, 0.5) + slider_at_its_upper_limit(10.0, 8.0)));
  expect_held(held);
  EXPECT_EQ(held.result.stop, RunStop::duration);
  EXPECT_EQ(held.body("low").position, Vector3d::Zero());
  EXPECT_EQ(held.body("low").velocity, Vector3d::Zero());
  const SceneRun leaves = run_scene(scene_from_text(mechanism(kGravity, 0.5) + slider_at_its_upper_limit(9.0, 8.0)));
  expect_held(leaves);
  EXPECT_NEAR(leaves.body("low").position.y(), -0.5 * (kGravity - 8.0) * 0.25, 1e-12);
}

TEST(JointLimit, FrictionHoldsASliderAtItsLimitUntilAnotherOneStrikes) {
  // The other one falls in a rail of its own on the first until its lower limit, 0.2 m below.
  const double restitution = 0.4, fall = std::sqrt(2.0 * 0.2 / kGravity), speed = kGravity * fall;
  for (const char* law : kLaws) {
    const SceneRun run = run_scene(scene_from_text(
        mechanism(kGravity, 1.0, law) + slider_at_its_upper_limit(40.0, 12.0) +
        "[[body]]\nname = 'high'\nshape = { kind = 'box', half_sizes = [0.1, 0.1, 0.1] }\nmass = 2\n"
        "position = [0, 1, 0]\n[[joint]]\nname = 'rider'\nkind = 'prismatic'\nbodies = ['high', 'low']\n"
        "point = [0, 1, 0]\naxis = [0, 1, 0]\nlimits = [-0.2, 0.5]\n" +
        fmt::format("restitution = {}\n", restitution)));
    expect_held(run);
    EXPECT_EQ(run.result.stop, RunStop::duration) << law;
    ASSERT_GE(run.impacts().size(), 1u);
    const KeptEvent first = run.impacts()[0];
    EXPECT_NEAR(first.record.time, fall, 1e-12) << law;
    EXPECT_NEAR(first.contacts.back().impulse, (1.0 + restitution) * speed * 2.0 / 3.0, 1e-11) << law;
    // Both have come down as far as their rails go.
    EXPECT_NEAR(run.body("low").position.y(), -1.0, 1e-10) << law;
    EXPECT_NEAR(run.body("high").position.y(), -0.2, 1e-10) << law;
  }
}

TEST(JointLimit, AMotorThatDrivesIntoALimitStopsTheRunAndSaysSo) {
  const SceneRun run = run_scene(scene_from_text(
      mechanism(0.0, 1.0) + text_of({.name = "arm", .from = {-0.5, 0.0}, .to = {0.5, 0.0}, .rate = 2.0}) +
      hinge("drive", "'arm'", {0.0, 0.0}) + "motor = { speed = 2 }\nlimits_deg = [-10, 40]\n"));
  ASSERT_EQ(run.result.stop, RunStop::failed);
  EXPECT_NEAR(run.result.failure->time, 40.0 * pi / 180.0 / 2.0, 1e-9);
  EXPECT_NE(run.result.failure->reason.find("contact-fixed-by-constraint"), std::string::npos)
      << run.result.failure->reason;
}

TEST(JointLimit, WhatMakesNoSenseIsRefused) {
  const auto refusal = [](const std::string& limits) {
    try {
      (void)run_scene(scene_from_text(mechanism(0.0, 1.0) + text_of(hanging(10.0)) +
                                      hinge("hinge", "'rod'", {0.0, 0.0}) + "start_deg = 10\n" + limits));
    } catch (const InputError& error) {
      return std::string(kind_name(error.kind())) + ": " + error.what();
    }
    return std::string();
  };
  EXPECT_EQ(refusal("limits_deg = [-20, 20]\n"), "");
  EXPECT_EQ(refusal("limits_deg = [10, 20]\n"), "");  // on it
  EXPECT_NE(refusal("limits_deg = [20, -20]\n").find("out-of-range"), std::string::npos);
  EXPECT_NE(refusal("limits_deg = [20, 20]\n").find("expected the lower one first"), std::string::npos);
  EXPECT_NE(refusal("limits_deg = [15, 20]\n").find("beyond its lower limit"), std::string::npos);
  EXPECT_NE(refusal("limits_deg = [-20, 5]\n").find("beyond its upper limit"), std::string::npos);
  EXPECT_NE(refusal("limits_deg = [-20, 20]\nrestitution = 1.2\n").find("out-of-range"), std::string::npos);
  EXPECT_NE(refusal("limits = [-20, 20]\n").find("limits"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
