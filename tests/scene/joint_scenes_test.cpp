/// Joints in scenes: what is read, and everything that can be wrong with them.

#include <gtest/gtest.h>

#include <numbers>

#include "carom/engine/engine_registry.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"

namespace carom::scene {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

SceneFile read_joined(const std::string& text) {
  return read_scene_file(parse_document("scene.toml", text));
}

/// Two bars end to end along x from the origin, 13 lines, and joints.
std::string bars_with(const std::string& joints) {
  return "format = 1\n[run]\nduration = 1\n"
         "[[body]]\nname = 'upper'\nshape = { kind = 'box', half_sizes = [0.5, 0.1, 0.1] }\nmass = 1\n"
         "position = [0.5, 0, 0]\n"
         "[[body]]\nname = 'lower'\nshape = { kind = 'box', half_sizes = [0.5, 0.1, 0.1] }\nmass = 1\n"
         "position = [1.5, 0, 0]\n" +
         joints;
}

const std::string kHinge =
    "[[joint]]\nname = 'elbow'\nkind = 'revolute'\nbodies = ['lower', 'upper']\npoint = [1, 0, 0]\naxis = [0, 2, 0]\n";

/// The hinge of the bars with one piece of its text replaced.
std::string changed_hinge(const std::string& from, const std::string& to) {
  std::string text = kHinge;
  text.replace(text.find(from), from.size(), to);
  return bars_with(text);
}

std::string joint_error(const std::string& text) {
  return test::error_of([&text] { read_joined(text); });
}

std::string joint_message(const std::string& text) {
  return test::message_of([&text] { read_joined(text); });
}

TEST(JointScenes, PointAndAxisBecomePointsAndFramesOfTheBodies) {
  const SceneFile scene = read_joined(changed_hinge("axis = [0, 2, 0]", "axis = [0, 2, 0]\nstart_deg = 450"));
  ASSERT_EQ(scene.model.joints.size(), 1u);
  const Joint& joint = scene.model.joints[JointIndex(0)];
  EXPECT_EQ(joint.kind, JointKind::revolute);
  EXPECT_EQ(joint.ends[0].body, 1);
  EXPECT_EQ(joint.ends[1].body, 0);
  EXPECT_NEAR((joint.ends[0].point - Vector3d(-0.5, 0.0, 0.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((joint.ends[1].point - Vector3d(0.5, 0.0, 0.0)).norm(), 0.0, 1e-15);
  for (const JointEnd& end : joint.ends)
    EXPECT_NEAR((end.frame * Vector3d::UnitZ() - Vector3d::UnitY()).norm(), 0.0, 1e-15);
  EXPECT_NEAR(joint.start[0], 2.5 * pi, 1e-14);
  const Eigen::Quaterniond turn = joint.ends[1].frame.conjugate() * joint.ends[0].frame;
  EXPECT_NEAR(std::remainder(2.0 * std::atan2(turn.z(), turn.w()) - 0.5 * pi, 2.0 * pi), 0.0, 1e-14);
}

TEST(JointScenes, TheOtherBodyIsTheGroundWhereOneIsNamed) {
  const Joint joint = read_joined(changed_hinge("'lower', 'upper'", "'lower'")).model.joints[JointIndex(0)];
  EXPECT_EQ(joint.ends[1].body, kNone);
  EXPECT_EQ(joint.ends[1].point, Vector3d(1.0, 0.0, 0.0));
}

TEST(JointScenes, AShiftIsAsTheAnchorsLieOrAsTheFileSays) {
  const std::string slider =
      "[[joint]]\nname = 's'\nkind = 'prismatic'\nbodies = ['lower', 'upper']\n"
      "anchors = [[0, 0, 0], [0, 0, 0]]\naxis = [1, 0, 0]\n";
  EXPECT_EQ(read_joined(bars_with(slider)).model.joints[JointIndex(0)].shift, 0.0);
  EXPECT_NEAR(read_joined(bars_with(slider + "start = 0.25\n")).model.joints[JointIndex(0)].shift, -0.75, 1e-15);
}

TEST(JointScenes, ARodIsAsLongAsItIsPlaced) {
  const std::string rod =
      "[[joint]]\nname = 'r'\nkind = 'rod'\nbodies = ['lower', 'upper']\n"
      "anchors = [[0.5, 0, 0], [-0.5, 0, 0]]\n";
  EXPECT_EQ(read_joined(bars_with(rod)).model.joints[JointIndex(0)].length, 2.0);
  EXPECT_EQ(joint_message(bars_with(rod + "length = 1.5\n")),
            "joint.r: the distance of the anchors of 'lower' and 'upper' is off its length of 1.5 m by 0.5 m");
}

TEST(JointScenes, GearsMayNameJointsThatFollow) {
  const SceneFile scene = read_joined(
      bars_with("[[joint]]\nname = 'gear'\nkind = 'gear'\njoints = ['elbow', 'wrist']\nratio = -2\n" + kHinge +
                "[[joint]]\nname = 'wrist'\nkind = 'revolute'\nbodies = ['lower']\npoint = [2, 0, 0]\n"
                "axis = [0, 1, 0]\n"));
  EXPECT_EQ(scene.model.joints[JointIndex(0)].geared[0], 1);
  EXPECT_EQ(scene.model.joints[JointIndex(0)].geared[1], 2);
  EXPECT_EQ(scene.model.joints[JointIndex(0)].ratio, -2.0);
}

TEST(JointScenes, MistakesAreFoundWhereTheyStand) {
  struct Mistake {
    const char* from;
    const char* to;
    const char* error;
  };
  const Mistake mistakes[] = {
      {"['lower', 'upper']", "[]", "usage 17:10 joint.elbow.bodies"},
      {"['lower', 'upper']", "['lower', 'upper', 'lower']", "usage 17:10 joint.elbow.bodies"},
      {"['lower', 'upper']", "['lower', 'lower']", "usage 17:20 joint.elbow.bodies.1"},
      {"['lower', 'upper']", "['lower', 'uper']", "unknown-name 17:20 joint.elbow.bodies.1"},
      {"kind = 'revolute'", "kind = 'revolut'", "unknown-name 16:8 joint.elbow.kind"},
      {"axis = [0, 2, 0]", "axis = [0, 0, 0]", "zero-normal 19:8 joint.elbow.axis"},
      {"axis = [0, 2, 0]", "", "missing-field 14:1 joint.elbow.axis"},
      {"axis = [0, 2, 0]", "axis = [0, 2, 0]\nlength = 1", "unknown-name 20:1 joint.elbow.length"},
      {"point = [1, 0, 0]", "anchors = [[-0.5, 0, 0], [0.4, 0, 0]]", "constraint-violated 18:11 joint.elbow.anchors"},
      {"point = [1, 0, 0]\n", "", "missing-field 14:1 joint.elbow.point"},
      {"point = [1, 0, 0]", "point = [1, 0, 0]\nanchors = [[0, 0, 0], [0, 0, 0]]",
       "duplicate-name 19:11 joint.elbow.anchors"},
      {"name = 'elbow'", "name = 'upper'", "duplicate-name 15:8 joint.upper.name"},
      {"name = 'elbow'\n", "", "missing-field 14:1 joint.0.name"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string text = changed_hinge(mistake.from, mistake.to);
    EXPECT_EQ(joint_error(text), mistake.error) << mistake.to << "\n" << joint_message(text);
  }
}

TEST(JointScenes, MistakesOfOtherKindsToo) {
  const auto joint = [](const std::string& rest) { return bars_with("[[joint]]\nname = 'j'\n" + rest); };
  const std::string universal = "kind = 'universal'\nbodies = ['lower', 'upper']\npoint = [1, 0, 0]\n";
  EXPECT_EQ(joint_error(joint(universal + "axes = [[0, 1, 0], [0, 1e-3, 1]]\n")), "out-of-range 19:8 joint.j.axes");
  EXPECT_EQ(joint_error(joint(universal + "axes = [[0, 1, 0], [0, 0, 0]]\n")), "zero-normal 19:20 joint.j.axes.1");
  EXPECT_EQ(joint_error(joint(universal + "axes = [[0, 1, 0]]\n")), "size-mismatch 19:8 joint.j.axes");
  const std::string rod = "kind = 'rod'\nbodies = ['lower', 'upper']\n";
  EXPECT_EQ(joint_error(joint(rod + "anchors = [[0, 0, 0], [0, 0, 0]]\nlength = 0\n")),
            "out-of-range 19:10 joint.j.length");
  EXPECT_EQ(joint_error(joint(rod + "anchors = [[-0.5, 0, 0], [0.5, 0, 0]]\n")), "out-of-range 18:11 joint.j.anchors");
  const std::string gear = "kind = 'gear'\n";
  EXPECT_EQ(joint_error(joint(gear + "joints = ['elbow', 'wrist']\nratio = 2\n" + kHinge)),
            "unknown-name 17:20 joint.j.joints.1");
  EXPECT_EQ(joint_error(joint(gear + "joints = ['elbow', 'elbow']\nratio = 2\n" + kHinge)),
            "usage 17:20 joint.j.joints.1");
  EXPECT_EQ(joint_error(joint(gear + "joints = ['elbow', 'j']\nratio = 2\n" + kHinge)),
            "wrong-type 17:20 joint.j.joints.1");
  EXPECT_EQ(joint_error(joint(gear + "joints = ['elbow', 'upper']\nratio = 2\n" + kHinge)),
            "wrong-type 17:20 joint.j.joints.1");
}

TEST(JointScenes, AMisspeltJointOfAQuantityIsNamedWithTheNearest) {
  EXPECT_EQ(joint_message(bars_with(kHinge + "[[when]]\nquantity = 'coordinate.elbw'\nstop = true\n")),
            "when.0.quantity: unknown joint 'elbw'; did you mean 'elbow'? known: elbow");
  EXPECT_EQ(joint_message(bars_with(kHinge + "[[when]]\nquantity = 'position.uper.x'\nstop = true\n")),
            "when.0.quantity: unknown body 'uper'; did you mean 'upper'? known: upper, lower");
}

TEST(JointScenes, WhatActsOnAUniversalJointIsGivenForBothAxes) {
  const auto cross = [](const std::string& keys) {
    return bars_with(
        "[[joint]]\nname = 'j'\nkind = 'universal'\nbodies = ['lower', 'upper']\npoint = [1, 0, 0]\n"
        "axes = [[0, 1, 0], [0, 0, 1]]\n" +
        keys);
  };
  const SceneFile scene = read_joined(
      cross("spring = [ { stiffness = 5, rest_deg = 90 }, { stiffness = 0 } ]\n"
            "motor = [ { torque = 2 }, { torque = -3 } ]\nfriction = [ { kinetic = 0 }, { kinetic = 0.1 } ]\n"));
  const std::array<JointDrive, 2>& drives = scene.model.joints[JointIndex(0)].drives;
  EXPECT_EQ(drives[0].spring.stiffness, 5.0);
  EXPECT_NEAR(drives[0].spring.rest, 0.5 * pi, 1e-15);
  EXPECT_EQ(drives[1].spring.stiffness, 0.0);
  EXPECT_EQ(drives[0].motor.force, 2.0);
  EXPECT_EQ(drives[1].motor.force, -3.0);
  EXPECT_EQ(drives[1].friction.static_force, 0.1);
  EXPECT_EQ(joint_error(cross("spring = [ { stiffness = 5 } ]\n")).substr(0, 13), "size-mismatch");
  EXPECT_EQ(joint_error(cross("spring = { stiffness = 5 }\n")).substr(0, 10), "wrong-type");
  EXPECT_EQ(joint_error(cross("motor = [ { force = 5 }, { torque = 1 } ]\n")).substr(0, 11), "unsupported");
}

TEST(JointScenes, SpringsAndMotorsActOnCoordinatesThatThereAre) {
  const auto hinge = [](const std::string& keys) { return bars_with(kHinge + keys); };
  const SceneFile scene =
      read_joined(hinge("spring = { stiffness = 5, damping = 0.1, rest_deg = 90 }\nmotor = { torque = 2 }\n"));
  const JointDrive& drive = scene.model.joints[JointIndex(0)].drives[0];
  EXPECT_EQ(drive.spring.stiffness, 5.0);
  EXPECT_EQ(drive.spring.damping, 0.1);
  EXPECT_NEAR(drive.spring.rest, 0.5 * pi, 1e-15);
  EXPECT_EQ(drive.motor.force, 2.0);
  EXPECT_EQ(joint_error(hinge("spring = { stiffness = -5 }\n")), "out-of-range 20:24 joint.elbow.spring.stiffness");
  EXPECT_EQ(joint_error(hinge("spring = { stiffness = 5, rest = 0.1 }\n")), "unsupported 20:10 joint.elbow.spring");
  EXPECT_EQ(joint_error(hinge("friction = { kinetic = 0.3, static = 0.2 }\n")),
            "out-of-range 20:24 joint.elbow.friction.kinetic");
  EXPECT_EQ(joint_error(hinge("friction = { kinetic = -1 }\n")), "out-of-range 20:24 joint.elbow.friction.kinetic");
  EXPECT_EQ(
      read_joined(hinge("friction = { kinetic = 0.3 }\n")).model.joints[JointIndex(0)].drives[0].friction.static_force,
      0.3);
  EXPECT_EQ(joint_error(hinge("motor = { force = 5 }\n")), "unsupported 20:9 joint.elbow.motor");
  EXPECT_EQ(joint_error(hinge("motor = {}\n")), "missing-field 20:9 joint.elbow.motor.torque");
  EXPECT_EQ(joint_error(hinge("motor = { speed = 1, angle_deg = 0 }\n")), "unsupported 20:9 joint.elbow.motor");
  EXPECT_EQ(joint_error(hinge("motor = { torqe = 1 }\n")), "unknown-name 20:11 joint.elbow.motor.torqe");
  EXPECT_EQ(joint_error(hinge("motor = { speed = 1 }\n")), "constraint-violated 20:9 joint.elbow.motor");
  EXPECT_EQ(joint_error(bars_with("[[joint]]\nname = 'j'\nkind = 'spherical'\nbodies = ['lower', 'upper']\n"
                                  "point = [1, 0, 0]\nmotor = { speed = 1 }\n")),
            "unsupported 19:9 joint.j.motor");
  const std::string sleeve =
      "[[joint]]\nname = 'j'\nkind = 'cylindrical'\nbodies = ['lower', 'upper']\n"
      "point = [1, 0, 0]\naxis = [1, 0, 0]\n";
  EXPECT_EQ(joint_error(bars_with(sleeve + "spring = { stiffness = 1 }\n")), "usage 20:10 joint.j.spring");
  EXPECT_EQ(
      read_joined(bars_with(sleeve + "motor = { torque = 3 }\n")).model.joints[JointIndex(0)].drives[1].motor.force,
      3.0);
  const SceneFile both = read_joined(bars_with(
      sleeve +
      "friction = [ { kinetic = 2 }, { kinetic = 0.1, static = 0.2 } ]\nmotor = [ { force = 5 }, { torque = 3 } "
      "]\nspring = [ { stiffness = 7, rest = 1 }, { stiffness = 9 } ]\n"));
  const std::array<JointDrive, 2>& drives = both.model.joints[JointIndex(0)].drives;
  EXPECT_EQ(drives[0].friction.static_force, 2.0);
  EXPECT_EQ(drives[1].friction.kinetic_force, 0.1);
  EXPECT_EQ(drives[0].motor.force, 5.0);
  EXPECT_EQ(drives[1].motor.force, 3.0);
  EXPECT_EQ(drives[0].spring.rest, 1.0);
  EXPECT_EQ(drives[1].spring.stiffness, 9.0);
  EXPECT_EQ(joint_error(bars_with(sleeve + "friction = { kinetic = 2 }\n")), "wrong-type 20:12 joint.j.friction");
  EXPECT_EQ(joint_error(bars_with(sleeve + "motor = [ { torque = 3 }, { force = 5 } ]\n")),
            "unsupported 20:11 joint.j.motor.0");
  EXPECT_EQ(joint_error(bars_with(sleeve + "spring = [ { stiffness = 7 } ]\n")), "size-mismatch 20:10 joint.j.spring");
}

TEST(JointScenes, TheCompliantEngineTakesThem) {
  std::string text = bars_with(kHinge);
  text.replace(text.find("duration = 1"), 12, "duration = 1\nengine = 'smooth'");
  const SceneFile scene = read_joined(text);
  EXPECT_NO_THROW(require_runnable(scene));
}

}  // namespace
}  // namespace carom::scene
