/// Random mechanisms of all kinds of joints, trees and loops, in both engines: joints hold at every sample, the energy
/// book closes, and what becomes of them does not depend on the order of the joints, nor on which body a joint names
/// first, but for round-off.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "carom/base/random.h"
#include "scenes/mechanism_text.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

std::string body_name(int body) {
  return fmt::format("'body-{}'", body);
}

/// A joint of a random mechanism; the coordinate is that of the child against its parent.
struct RandomJoint {
  int child, parent;  ///< parent −1: the ground
  std::string kind;
  Vector3d point, axis, across;
  double torque, stiffness, damping, friction;
  double below = 0.0, above = 0.0;  ///< limits of its coordinate, where they are not zero: −below and above
  double driven = 0.0;              ///< coefficient of t² that a motor follows, where it is not zero

  [[nodiscard]] std::string text(int number, bool other_way) const {
    const bool swapped = other_way && parent >= 0;
    std::string bodies = body_name(child);
    if (parent >= 0) bodies = swapped ? body_name(parent) + ", " + bodies : bodies + ", " + body_name(parent);
    std::string keys = fmt::format("[[joint]]\nname = 'joint-{}'\nkind = '{}'\nbodies = [{}]\npoint = [{}, {}, {}]\n",
                                   number, kind, bodies, point.x(), point.y(), point.z());
    // Of a universal joint the first axis is that of the first body.
    const Vector3d &first = swapped ? across : axis, &second = swapped ? axis : across;
    if (kind == "universal")
      return keys + fmt::format("axes = [[{}, {}, {}], [{}, {}, {}]]\n", first.x(), first.y(), first.z(), second.x(),
                                second.y(), second.z());
    if (kind == "spherical" || kind == "fixed") return keys;
    keys += fmt::format("axis = [{}, {}, {}]\n", axis.x(), axis.y(), axis.z());
    if (kind == "cylindrical" && friction == 0.0) return keys;
    if (kind == "cylindrical")
      return keys + fmt::format("friction = [ {{ kinetic = {} }}, {{ kinetic = {} }} ]\n", friction, 0.1 * friction);
    // The other way round the coordinate, and what drives it, has the other sign.
    const bool shift = kind == "prismatic";
    const double sign = swapped ? -1.0 : 1.0;
    if (below > 0.0)
      keys += fmt::format("{} = [{}, {}]\nrestitution = 0.4\n", shift ? "limits" : "limits_deg",
                          swapped ? -above : -below, swapped ? below : above);
    keys += fmt::format("spring = {{ stiffness = {}, damping = {} }}\n", stiffness, damping);
    if (driven != 0.0)
      return keys + fmt::format("motor = {{ {} = {{ kind = 'polynomial', coefficients = [0, 0, {}] }} }}\n",
                                shift ? "position" : "angle_deg", sign * driven);
    keys += fmt::format("motor = {{ {} = {} }}\n", shift ? "force" : "torque", sign * torque);
    if (friction > 0.0) keys += fmt::format("friction = {{ kinetic = {}, static = {} }}\n", friction, 1.2 * friction);
    return keys;
  }
};

/// A rod that closes a loop, between points in the frames of two bodies; the second may be a point of the ground.
struct RandomRod {
  int first, second;
  Vector3d from, to;

  [[nodiscard]] std::string text(int number, bool other_way) const {
    const bool swapped = other_way && second >= 0;
    const Vector3d &one = swapped ? to : from, &two = swapped ? from : to;
    std::string bodies = body_name(swapped ? second : first);
    if (second >= 0) bodies += ", " + body_name(swapped ? first : second);
    return fmt::format(
        "[[joint]]\nname = 'rod-{}'\nkind = 'rod'\nbodies = [{}]\nanchors = [[{}, {}, {}], [{}, {}, {}]]\n", number,
        bodies, one.x(), one.y(), one.z(), two.x(), two.y(), two.z());
  }
};

struct RandomMechanism {
  std::string bodies;
  std::vector<RandomJoint> joints;
  std::vector<RandomRod> rods;
  std::array<int, 2> geared = {-1, -1};  ///< two hinges
  double ratio = 1.0;

  /// The gear, with its joints in the other order and their turns counted the other way where they are.
  [[nodiscard]] std::string gear_text(bool other_way) const {
    if (geared[0] < 0) return {};
    double wanted = ratio;
    for (const int joint : geared)
      if (other_way && joints[static_cast<std::size_t>(joint)].parent >= 0) wanted = -wanted;
    const std::size_t first = other_way ? 1 : 0;
    return fmt::format("[[joint]]\nname = 'gear'\nkind = 'gear'\njoints = ['joint-{}', 'joint-{}']\nratio = {}\n",
                       geared[first], geared[1 - first], other_way ? 1.0 / wanted : wanted);
  }
};

/// `struck`: with limits, and with motors of given motion where there are no loops.
RandomMechanism random_mechanism(Random& random, bool struck = false) {
  const auto vector = [&] {
    return Vector3d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
  };
  const char* const kinds[] = {"revolute", "spherical", "universal", "prismatic", "cylindrical", "fixed", "revolute"};
  RandomMechanism made;
  const int count = 2 + random.integer(0, 3);
  std::vector<Vector3d> at;
  for (int k = 0; k < count; ++k) {
    const int parent = k == 0 ? -1 : random.integer(0, k - 1);
    at.push_back((parent < 0 ? Vector3d(Vector3d::Zero()) : at[static_cast<std::size_t>(parent)]) + 0.4 * vector());
    const double mass = random.uniform(0.5, 2.0);
    made.bodies += fmt::format(
        "[[body]]\nname = 'body-{}'\nshape = {{ kind = 'sphere', radius = 0.2 }}\nmass = {}\ninertia = [{}, {}, {}]\n"
        "position = [{}, {}, {}]\ngroups = ['apart']\navoid = ['apart']\n",
        k, mass, mass * random.uniform(0.02, 0.03), mass * random.uniform(0.02, 0.03),
        mass * random.uniform(0.02, 0.03), at.back().x(), at.back().y(), at.back().z());
    const Vector3d axis = vector().normalized(), across = axis.cross(vector()).normalized();
    // The first one always turns, so that something moves.
    const char* const kind = k == 0 ? "revolute" : kinds[random.integer(0, 6)];
    made.joints.push_back({k, parent, kind, at.back() + 0.3 * vector(), axis, across, random.uniform(-1.0, 1.0),
                           random.uniform(0.0, 5.0), random.uniform(0.0, 0.1),
                           random.uniform(0.0, 1.0) < 0.3 ? random.uniform(0.05, 0.3) : 0.0});
  }
  // Loops: a rod between two bodies, or to the ground, and a gear between two hinges.
  if (random.uniform(0.0, 1.0) < 0.4) {
    const int first = random.integer(0, count - 1), second = random.integer(-1, first - 1);
    const Vector3d far = at[static_cast<std::size_t>(first)] + 2.0 * vector();
    made.rods.push_back({first, second, 0.2 * vector(), second < 0 ? far : Vector3d(0.2 * vector())});
  }
  std::vector<int> hinges;
  for (int k = 0; k < count; ++k)
    if (made.joints[static_cast<std::size_t>(k)].kind == "revolute") hinges.push_back(k);
  if (hinges.size() > 1 && random.uniform(0.0, 1.0) < 0.4) {
    made.geared = {hinges.front(), hinges.back()};
    made.ratio = random.uniform(0.5, 2.0) * (random.integer(0, 1) == 0 ? 1.0 : -1.0);
  }
  if (!struck) return made;
  const bool loops = !made.rods.empty() || made.geared[0] >= 0;
  for (RandomJoint& joint : made.joints) {
    if (joint.kind != "revolute" && joint.kind != "prismatic") continue;
    const double unit = joint.kind == "revolute" ? 1.0 : 0.005;
    if (!loops && random.uniform(0.0, 1.0) < 0.2) {
      joint.driven = unit * random.uniform(20.0, 90.0);
    } else if (random.uniform(0.0, 1.0) < 0.5) {
      joint.below = unit * random.uniform(3.0, 20.0);
      joint.above = unit * random.uniform(3.0, 20.0);
    }
  }
  return made;
}

SceneRun run_in_order(const RandomMechanism& mechanism, const std::string& engine, const std::vector<int>& order,
                      bool swapped) {
  std::string text =
      fmt::format("format = 1\n[world]\ngravity = [0, 0, -9.81]\n[run]\nduration = 0.4\noutput_step = 0.1\n{}\n{}",
                  engine, mechanism.bodies);
  if (swapped) text += mechanism.gear_text(true);
  for (const int k : order) text += mechanism.joints[static_cast<std::size_t>(k)].text(k, swapped);
  for (std::size_t k = 0; k < mechanism.rods.size(); ++k) text += mechanism.rods[k].text(static_cast<int>(k), swapped);
  if (!swapped) text += mechanism.gear_text(false);
  return run_scene(scene_from_text(text));
}

/// Between the ends of steps joints hold as well as these are accurate: `held` where that is to the last digits.
void expect_independent_of_order(const std::string& engine, double accuracy, bool held = true, bool struck = false) {
  Random random(20261);
  for (int round = 0; round < property_cases(40); ++round) {
    const RandomMechanism mechanism = random_mechanism(random, struck);
    std::vector<int> order(mechanism.joints.size());
    std::iota(order.begin(), order.end(), 0);
    const SceneRun given = run_in_order(mechanism, engine, order, false);
    held ? expect_held(given) : expect_ended(given);
    std::reverse(order.begin(), order.end());
    for (const bool swapped : {false, true}) {
      const SceneRun other = run_in_order(mechanism, engine, order, swapped);
      held ? expect_held(other) : expect_ended(other);
      for (std::size_t k = 0; k < given.result.final_state.bodies.size(); ++k) {
        const BodyState &a = given.result.final_state.bodies[k], &b = other.result.final_state.bodies[k];
        EXPECT_NEAR((a.position - b.position).norm(), 0.0, accuracy) << "round " << round;
        EXPECT_NEAR(a.orientation.angularDistance(b.orientation), 0.0, 1e-7 + accuracy) << "round " << round;
        EXPECT_NEAR((a.angular_velocity - b.angular_velocity).norm(), 0.0, 100.0 * accuracy) << "round " << round;
      }
    }
  }
}

TEST(MechanismOrder, OfJointsAndBodiesDoesNotMatterInTheRigidEngine) {
  expect_independent_of_order("law = 'newton'", 1e-10);
}

TEST(MechanismOrder, OfJointsAndBodiesDoesNotMatterToImpactsOnLimits) {
  expect_independent_of_order("law = 'newton'", 1e-9, true, true);
  expect_independent_of_order("law = 'poisson'", 1e-9, true, true);
}

TEST(MechanismOrder, OfJointsAndBodiesDoesNotMatterWhereTheRigidEngineIsAskedForLess) {
  expect_independent_of_order("law = 'newton'\nintegration_tolerance = 1e-9", 1e-7, false);
}

TEST(MechanismOrder, OfJointsAndBodiesDoesNotMatterInTheCompliantEngine) {
  expect_independent_of_order("engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = 1e-10", 1e-9);
}

TEST(MechanismOrder, BothEnginesMoveRandomMechanismsAlike) {
  Random random(7);
  for (int round = 0; round < property_cases(40); ++round) {
    const RandomMechanism mechanism = random_mechanism(random);
    std::vector<int> order(mechanism.joints.size());
    std::iota(order.begin(), order.end(), 0);
    const SceneRun rigid = run_in_order(mechanism, "law = 'newton'", order, false);
    const SceneRun compliant =
        run_in_order(mechanism, "engine = 'smooth'\nintegrator = 'dormand-prince-853'\nrtol = 1e-12", order, false);
    ASSERT_EQ(rigid.samples.size(), compliant.samples.size());
    for (std::size_t i = 0; i < rigid.samples.size(); ++i) {
      for (std::size_t k = 0; k < rigid.samples[i].bodies.size(); ++k) {
        const BodyState &a = rigid.samples[i].bodies[k], &b = compliant.samples[i].bodies[k];
        EXPECT_NEAR((a.position - b.position).norm(), 0.0, 1e-8) << "round " << round;
        EXPECT_NEAR((a.angular_velocity - b.angular_velocity).norm(), 0.0, 1e-6) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
