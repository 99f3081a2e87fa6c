/// Limits of joints that give way: their restitution, their forces and the rigid limit, against closed forms.

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/error.h"
#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// A rod of length and mass 1 on a hinge at its end, free of weight, that turns towards a limit.
std::string turning_rod(double rate, const std::string& keys) {
  return text_of({.name = "rod", .from = {0.0, 0.0}, .to = {1.0, 0.0}, .rate = rate, .velocity = {0.0, 0.5 * rate}}) +
         hinge("hinge", "'rod'", {0.0, 0.0}) + keys;
}

TEST(CompliantLimit, HasTheRestitutionOfTheJointWhateverItsBodiesAreJoinedTo) {
  // The couple of the limit feels 1/3 kg m² through the hinge, not the 1/12 about the centre.
  for (const double e : {0.3, 0.8, 1.0}) {
    const SceneRun run = run_kept(smooth_head(0.0, 1.0) +
                                  turning_rod(2.0, fmt::format("limits_deg = [-90, 30]\nrestitution = {}\n", e)));
    const std::vector<KeptEvent> begun = run.of_kind(EventKind::contact_start);
    const std::vector<KeptEvent> ended = run.of_kind(EventKind::contact_end);
    ASSERT_EQ(begun.size(), 1u);
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_NEAR(begun[0].record.time, pi / 12.0, 1e-11);
    const ContactRecord& contact = ended[0].contacts.at(0);
    EXPECT_EQ(contact.limit.side, LimitSide::upper);
    EXPECT_EQ(contact.b, kNone);
    EXPECT_NEAR(contact.normal.z(), -1.0, 1e-12);
    EXPECT_NEAR(contact.rate_before, -2.0, 1e-10);
    EXPECT_NEAR(contact.rate_after, 2.0 * e, 1e-8);
    EXPECT_NEAR(contact.impulse, 2.0 * (1.0 + e) / 3.0, 1e-8);
    EXPECT_NEAR(run.body("rod").angular_velocity.z(), -2.0 * e, 1e-8);
    EXPECT_NEAR(run.result.energy.contacts, 0.5 / 3.0 * 4.0 * (1.0 - e * e), 1e-8);
  }
}

TEST(CompliantLimit, LastsAsLongAsItsSpringAndDamperSay) {
  // Without damping half a period, π√(I/k).
  const double stiffness = 1e4;
  const SceneRun run =
      run_kept(smooth_head(0.0, 1.0) +
               turning_rod(2.0, fmt::format("limits_deg = [-90, 30]\nlimit_stiffness = {}\n", stiffness)));
  const double began = run.of_kind(EventKind::contact_start).at(0).record.time;
  EXPECT_NEAR(run.of_kind(EventKind::contact_end).at(0).record.time - began, pi * std::sqrt(1.0 / (3.0 * stiffness)),
              1e-11);
}

TEST(CompliantLimit, BecomesTheRigidOneAsItStiffens) {
  // Each contact takes a time ∝ k^(−1/2): four times the stiffness, half the distance from rigid impacts.
  const auto pendulum = [](const std::string& head, const std::string& more) {
    return run_scene(scene_from_text(head + text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) +
                                     hinge("hinge", "'rod'", {0.0, 0.0}) +
                                     "start_deg = 90\nlimits_deg = [-20, 170]\nrestitution = 0.6\n" + more));
  };
  const SceneRun rigid = pendulum(mechanism(kGravity, 4.0), "");
  ASSERT_GE(rigid.impacts().size(), 3u);
  double before = 0.0;
  for (const double stiffness : {1e6, 4e6, 1.6e7}) {
    const SceneRun run = pendulum(smooth_head(kGravity, 4.0, 1e-10), fmt::format("limit_stiffness = {}\n", stiffness));
    expect_held(run);
    const std::vector<KeptEvent> begun = run.of_kind(EventKind::contact_start);
    ASSERT_GE(begun.size(), 3u);
    // The first is met at the same instant.
    EXPECT_NEAR(begun[0].record.time, rigid.impacts()[0].record.time, 1e-9);
    const double off = begun[2].record.time - rigid.impacts()[2].record.time;
    EXPECT_NEAR(begun[2].contacts.at(0).rate_before, rigid.impacts()[2].contacts.at(0).rate_before, std::abs(off));
    if (before != 0.0) {
      EXPECT_NEAR(before / off, 2.0, 0.05);
    }
    before = off;
  }
}

TEST(CompliantLimit, KeepsMomentumBetweenTwoFreeRods) {
  const SceneRun run = run_kept(
      smooth_head(0.0, 1.0) +
      text_of({.name = "one", .from = {0.0, 0.0}, .to = {1.0, 0.0}, .rate = 2.0, .velocity = {0.0, -1.0}}) +
      text_of(
          {.name = "two", .from = {1.0, 0.0}, .to = {2.0, 0.0}, .mass = 0.5, .rate = -3.0, .velocity = {0.0, -1.5}}) +
      hinge("knee", "'two', 'one'", {1.0, 0.0}) + "limits_deg = [-90, 10]\nrestitution = 0.8\n");
  const std::vector<KeptEvent> ended = run.of_kind(EventKind::contact_end);
  ASSERT_GE(ended.size(), 1u);
  // Turning during the contact takes the third digit of a restitution that is exact for one at an instant.
  EXPECT_NEAR(ended[0].contacts.at(0).rate_after, -0.8 * ended[0].contacts.at(0).rate_before, 5e-3);
  const auto momentum = [](const State& state) {
    return Vector3d(state.bodies[std::size_t{0}].velocity + 0.5 * state.bodies[std::size_t{1}].velocity);
  };
  EXPECT_NEAR((momentum(run.samples.front()) - momentum(run.samples.back())).norm(), 0.0, 1e-10);
}

TEST(CompliantLimit, BearsWhatLeansOnIt) {
  // A level rod on a stop begins on it and comes to rest where the stop's couple is that of its weight.
  const double stiffness = 1e4, sag = 0.5 * kGravity / stiffness;
  const SceneRun run =
      run_kept(smooth_head(kGravity, 3.0, 1e-9) + text_of({"rod", {0.0, 0.0}, {1.0, 0.0}}) +
               hinge("hinge", "'rod'", {0.0, 0.0}) +
               fmt::format("limits_deg = [0, 90]\nrestitution = 0.2\nlimit_stiffness = {}\n", stiffness));
  EXPECT_NEAR(turn_at_end(run, 0), -sag, 1e-3 * sag);
  EXPECT_NEAR(run.result.final_state.joint_loads[JointIndex(0)].couple.z(), 0.5 * kGravity, 1e-2);
}

TEST(CompliantLimit, YieldsToAMotorThatDrivesIntoIt) {
  // Past 40° an elastic limit stores ½ k δ², which is what the motor does.
  const double stiffness = 50.0, past = 2.0 * 1.0 - 40.0 * pi / 180.0;
  const SceneRun run =
      run_kept(smooth_head(0.0, 1.0) + text_of({.name = "arm", .from = {-0.5, 0.0}, .to = {0.5, 0.0}, .rate = 2.0}) +
               hinge("drive", "'arm'", {0.0, 0.0}) +
               fmt::format("motor = {{ speed = 2 }}\nlimits_deg = [-10, 40]\nlimit_stiffness = {}\n", stiffness));
  EXPECT_NEAR(run.result.energy.motor_work, 0.5 * stiffness * past * past, 1e-8);
  EXPECT_NEAR(run.result.energy.now.contacts, 0.5 * stiffness * past * past, 1e-8);
}

TEST(CompliantLimit, OfATurnAndOfAShiftAreMetAtTheSameInstantsAsRigidOnes) {
  const std::string sleeve =
      "[[body]]\nname = 'sleeve'\nshape = { kind = 'cylinder', radius = 0.1, half_length = 0.2 }\nmass = 1\n"
      "velocity = [0, 0, 2]\nangular_velocity = [0, 0, 3]\n"
      "[[joint]]\nname = 'shaft'\nkind = 'cylindrical'\nbodies = ['sleeve']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "limits = [-0.1, 0.5]\nlimits_deg = [-30, 60]\nrestitution = 0.5\n";
  const SceneRun run = run_kept(smooth_head(0.0, 0.4) + sleeve);
  const std::vector<KeptEvent> begun = run.of_kind(EventKind::contact_start);
  ASSERT_EQ(begun.size(), 2u);
  EXPECT_NEAR(begun[0].record.time, 0.25, 1e-12);
  EXPECT_EQ(begun[0].contacts.at(0).limit.coordinate, 0);
  EXPECT_NEAR(begun[1].record.time, pi / 9.0, 1e-11);
  EXPECT_EQ(begun[1].contacts.at(0).limit.coordinate, 1);
  EXPECT_NEAR(run.body("sleeve").velocity.z(), -1.0, 1e-8);
  EXPECT_NEAR(run.body("sleeve").angular_velocity.z(), -1.5, 1e-8);
}

TEST(CompliantLimit, WithoutReboundTakesAllButAThousandthOfTheSpeed) {
  // A damper that takes all of it would be infinite: e = 0 is e = 0.001 there.
  const SceneRun run = run_kept(smooth_head(0.0, 1.0) + turning_rod(2.0, "limits_deg = [-9, 30]\nrestitution = 0\n"));
  EXPECT_NEAR(run.body("rod").angular_velocity.z(), -2e-3, 1e-8);
  EXPECT_NEAR(run.result.energy.contacts, 0.5 / 3.0 * 4.0 * (1.0 - 1e-6), 1e-8);
  EXPECT_NEAR(turn_at_end(run, 0), pi / 6.0, 5e-3);
}

TEST(CompliantLimit, WithoutReboundBearsWhatComesToRestOnIt) {
  // The rigid rod falls on its limit and stays; so does this one, a thousandth of its size lower at most.
  for (const std::string& head : {mechanism(kGravity, 2.0), smooth_head(kGravity, 2.0)}) {
    const SceneRun run = run_kept(head + turning_rod(0.0, "limits_deg = [-40, 30]\nrestitution = 0\n"));
    EXPECT_NEAR(turn_at_end(run, 0), -40.0 * pi / 180.0, 1e-3);
    EXPECT_NEAR(run.body("rod").angular_velocity.z(), 0.0, 1e-3);
  }
}

TEST(CompliantMechanism, AParallelogramInLineStopsTheRunThere) {
  // Turning evenly from 60° it is in line after π/3ω, where it could go on in two ways.
  const double rate = -2.0, crank = 0.3, ground = 0.5;
  const Vector2d along(0.5, std::sqrt(0.75)), across(-along.y(), along.x()), base(ground, 0.0);
  const Vector2d pin = crank * along, velocity = crank * rate * across;
  const std::string rigid = mechanism(0.0, 2.0);
  const std::pair<std::string, double> runs[] = {{rigid, 1e-7},
                                                 {rigid + "integration_tolerance = 1e-9\n", 1e-7},
                                                 {rigid + "integration_tolerance = 1e-6\n", 1e-5},
                                                 {smooth_head(0.0, 2.0, 1e-9), 1e-7},
                                                 {smooth_head(0.0, 2.0, 1e-6), 1e-5}};
  for (const auto& [head, coarse] : runs) {
    const SceneRun run = run_scene(
        scene_from_text(head + text_of({"crank", {0.0, 0.0}, pin, 0.1, rate, 0.5 * velocity}) + kAlone +
                        text_of({"coupler", pin, base + pin, 0.2, 0.0, velocity}) + kAlone +
                        text_of({"rocker", base, base + pin, 0.1, rate, 0.5 * velocity}) + kAlone +
                        hinge("axle", "'crank'", {0.0, 0.0}) + hinge("pin", "'crank', 'coupler'", pin) +
                        hinge("far pin", "'rocker', 'coupler'", base + pin) + hinge("pivot", "'rocker'", base)));
    ASSERT_EQ(run.result.stop, RunStop::failed);
    EXPECT_TRUE(run.result.failure->reason.starts_with("singular-mechanism")) << run.result.failure->reason;
    EXPECT_NEAR(run.result.failure->time, pi / 6.0, coarse);
    EXPECT_EQ(run.result.final_state.time, run.result.failure->time);
    EXPECT_NEAR(run.body("crank").position.x(), 0.5 * crank, coarse);
    EXPECT_NEAR(run.body("crank").position.y(), 0.0, coarse);
  }
}

}  // namespace
}  // namespace carom::test
