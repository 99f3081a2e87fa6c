#include "carom/mechanics/joint.h"

#include <gtest/gtest.h>

#include "carom/base/error.h"
#include "carom/mechanics/meeting.h"
#include "mechanics/joint_models.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// The error that some work throws.
template <class Work>
InputError error_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error;
  }
  return {Kind::usage, std::string(), "nothing was thrown"};
}

/// A bar on the ground and another at its end, both hinged about y.
struct TwoBars {
  Model model;
  State state;
};

TwoBars two_bars() {
  TwoBars bars;
  bars.model.bodies = {homogeneous_body("upper", Capsule{0.02, 0.5}, 1.0),
                       homogeneous_body("lower", Capsule{0.02, 0.5}, 1.0)};
  const auto hinge = [&](const char* name, const JointEnd& a, const JointEnd& b) {
    Joint joint;
    joint.name = name;
    joint.kind = JointKind::revolute;
    joint.ends = {a, b};
    bars.model.joints.push_back(joint);
  };
  const Eigen::Quaterniond y = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY());
  hinge("shoulder", {0, {0.0, 0.0, 0.5}, y}, {kNone, {0.0, 0.0, 2.0}, y});
  hinge("elbow", {1, {0.0, 0.0, 0.5}, y}, {0, {0.0, 0.0, -0.5}, y});
  bars.state.bodies.resize(2);
  bars.state.bodies[0].position = {0.0, 0.0, 1.5};
  bars.state.bodies[1].position = {0.0, 0.0, 0.5};
  return bars;
}

TEST(Joint, HoldsAtTheStart) {
  TwoBars bars = two_bars();
  EXPECT_NO_THROW(validate(bars.model));
  EXPECT_NO_THROW(validate(bars.model, bars.state));
  bars.state.bodies[1].position.x() += 1e-8;
  EXPECT_NO_THROW(validate(bars.model, bars.state));
}

TEST(Joint, SaysHowFarItsAnchorsAreApart) {
  TwoBars bars = two_bars();
  bars.state.bodies[1].position.x() += 0.03;
  const InputError error = error_of([&] { validate(bars.model, bars.state); });
  EXPECT_EQ(error.kind(), Kind::constraint_violated);
  EXPECT_EQ(error.place().field, "joint.elbow.anchors");
  EXPECT_STREQ(error.what(), "joint.elbow: the anchors of 'lower' and 'upper' are 0.03 m apart, expected them to meet");
}

TEST(Joint, SaysHowFastItsBodiesViolateIt) {
  TwoBars bars = two_bars();
  bars.state.bodies[0].angular_velocity = {0.0, 2.0, 0.0};
  bars.state.bodies[0].velocity = {-1.0, 0.0, 0.0};
  InputError error = error_of([&] { validate(bars.model, bars.state); });
  EXPECT_EQ(error.kind(), Kind::constraint_violated);
  EXPECT_EQ(error.place().field, "joint.elbow");
  EXPECT_STREQ(error.what(),
               "joint.elbow: the anchors of 'lower' and 'upper' move against each other at 2 m/s in a "
               "direction that a revolute joint does not leave");
  bars.state.bodies[1].velocity = {-2.0, 0.0, 0.0};
  EXPECT_NO_THROW(validate(bars.model, bars.state));
  bars.state.bodies[1].angular_velocity = {0.0, 0.0, 0.5};
  error = error_of([&] { validate(bars.model, bars.state); });
  EXPECT_STREQ(error.what(),
               "joint.elbow: 'lower' and 'upper' turn against each other at 0.5 rad/s in a way that a "
               "revolute joint does not leave");
}

TEST(Joint, IsBetweenTwoBodies) {
  TwoBars bars = two_bars();
  bars.model.joints[1].ends[0].body = 0;
  const InputError error = error_of([&] { validate(bars.model); });
  EXPECT_EQ(error.kind(), Kind::usage);
  EXPECT_EQ(error.place().field, "joint.elbow.bodies");
}

TEST(Joint, GearsOnlyJointsThatTurnAboutOneAxis) {
  TwoBars bars = two_bars();
  Joint gear;
  gear.name = "gear";
  gear.kind = JointKind::gear;
  gear.geared = {0, 1};
  bars.model.joints.push_back(gear);
  EXPECT_NO_THROW(validate(bars.model));
  bars.model.joints[0].kind = JointKind::spherical;
  const InputError error = error_of([&] { validate(bars.model); });
  EXPECT_EQ(error.kind(), Kind::wrong_type);
  EXPECT_EQ(error.place().field, "joint.gear.joints");
}

TEST(Joint, KeepsItsBodiesFromMeetingUnlessTheyCollide) {
  TwoBars bars = two_bars();
  EXPECT_FALSE(MeetingRules(bars.model).may_meet(0, 1));
  EXPECT_FALSE(MeetingRules(bars.model).may_meet(1, 0));
  bars.model.joints[1].collide = true;
  EXPECT_TRUE(MeetingRules(bars.model).may_meet(0, 1));
}

}  // namespace
}  // namespace carom::test
