/// What joints bear between impacts, and in impacts where they share it: closed forms, an independent pseudo-inverse,
/// and agreement of the two engines.

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "scenes/compliant_text.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// The head of a scene with this gravity for either engine.
std::string head(const std::string& engine, const Vector3d& gravity, double duration) {
  const std::string accuracy = engine == "event" ? "law = 'newton'" : "integrator = 'dormand-prince-853'\nrtol = 1e-12";
  return fmt::format(
      "format = 1\n[world]\ngravity = [{}, {}, {}]\n[run]\nengine = '{}'\nduration = {}\noutput_step = {}\n{}\n",
      gravity.x(), gravity.y(), gravity.z(), engine, duration, duration / 10.0, accuracy);
}
const Vector3d kFall(0.0, -kGravity, 0.0);

const JointLoad& load(const State& state, int joint) {
  return state.joint_loads[JointIndex(joint)];
}
const JointLoad& last_load(const SceneRun& run, int joint) {
  return load(run.result.final_state, joint);
}
bool is_flagged(const SceneRun& run) {
  return run.result.flags.has(Flag::joint_forces_not_unique);
}

class JointForce : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] SceneRun run(const Vector3d& gravity, double duration, const std::string& rest) const {
    return run_kept(head(GetParam(), gravity, duration) + rest);
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, JointForce, testing::Values("event", "smooth"));

TEST_P(JointForce, APendulumHangsByItsWeightAndItsCentripetalForce) {
  // A uniform rod of length L, released level; θ from the vertical, ω̇ = −(3g/2L) sin θ. The hinge bears m(a − g).
  const double length = 1.2, mass = 0.7;
  const SceneRun swing =
      run(kFall, 1.0, text_of({"rod", {0.0, 0.0}, {length, 0.0}, mass}) + hinge("hinge", "'rod'", {0.0, 0.0}));
  ASSERT_GE(swing.samples.size(), 11u);
  for (const State& sample : swing.samples) {
    const BodyState& rod = sample.bodies[BodyIndex(0)];
    const Vector3d r = rod.position, w = rod.angular_velocity;
    const Vector3d turning(0.0, 0.0, -1.5 * kGravity / length * r.x() / r.norm());
    const Vector3d needed = mass * (turning.cross(r) + w.cross(w.cross(r)) - kFall);
    EXPECT_LE(difference(load(sample, 0).force, needed), 1e-8);
    EXPECT_LE(load(sample, 0).couple.norm(), 1e-8);
  }
  EXPECT_FALSE(is_flagged(swing));
}

TEST_P(JointForce, EachHingeOfAHangingChainBearsWhatHangsBelow) {
  std::string bodies, joints;
  const int links = 7;
  for (int k = 0; k < links; ++k) {
    bodies += text_of({fmt::format("link-{}", k), {0.0, -0.1 * k}, {0.0, -0.1 * (k + 1)}, 0.2}) + kAlone;
    joints += hinge(fmt::format("hinge-{}", k),
                    k == 0 ? std::string("'link-0'") : fmt::format("'link-{}', 'link-{}'", k, k - 1), {0.0, -0.1 * k});
  }
  const SceneRun chain = run(kFall, 0.2, bodies + joints);
  for (const State& sample : chain.samples)
    for (int k = 0; k < links; ++k) {
      EXPECT_LE(difference(load(sample, k).force, Vector3d(0.0, 0.2 * kGravity * (links - k), 0.0)), 1e-11);
      EXPECT_LE(load(sample, k).couple.norm(), 1e-11);
    }
}

TEST_P(JointForce, AMotorTurnsABeadOnARodWithTheTorqueOfCoriolis) {
  // r = r₀ cosh Ωt, torque 2mΩrṙ; the rod presses the bead with 2mΩṙ.
  const double rate = 2.0, start = 0.3, mass = 0.5, time = 0.6;
  const SceneRun driven =
      run(Vector3d::Zero(), time,
          text_of({"rod", {0.0, 0.0}, {2.0, 0.0}, 1.0, rate, {0.0, rate}}) + kAlone +
              fmt::format("[[body]]\nname = 'bead'\nshape = {{ kind = 'sphere', radius = 0.05 }}\n"
                          "mass = {}\nposition = [{}, 0, 0]\nvelocity = [0, {}, 0]\n"
                          "angular_velocity = [0, 0, {}]\n",
                          mass, start, start * rate, rate) +
              kAlone + hinge("axle", "'rod'", {0.0, 0.0}) +
              fmt::format("motor = {{ speed = {} }}\n[[joint]]\nname = 'slide'\nkind = 'prismatic'\n"
                          "bodies = ['bead', 'rod']\npoint = [{}, 0, 0]\naxis = [1, 0, 0]\n",
                          rate, start));
  for (const State& sample : driven.samples) {
    const double way = start * std::cosh(rate * sample.time), speed = start * rate * std::sinh(rate * sample.time);
    EXPECT_NEAR(load(sample, 0).couple.z(), 2.0 * mass * rate * way * speed, 1e-8);
    EXPECT_NEAR(load(sample, 1).force.norm(), 2.0 * mass * rate * speed, 1e-8);
  }
}

TEST_P(JointForce, ASpringAndAMotorOfGivenTorqueCountWithTheirJoint) {
  // At rest: a level bar held by a spring that is stretched by 0.5 rad and a motor; together m g L/2.
  const double length = 0.8, mass = 1.5, torque = 0.4, weight = mass * kGravity;
  const double stiffness = (0.5 * weight * length - torque) / 0.5;
  const SceneRun bar = run(kFall, 0.1,
                           text_of({"bar", {0.0, 0.0}, {length, 0.0}, mass}) + hinge("hinge", "'bar'", {0.0, 0.0}) +
                               fmt::format("spring = {{ stiffness = {}, rest_deg = {} }}\nmotor = {{ torque = {} }}\n",
                                           stiffness, 0.5 * 180.0 / M_PI, torque));
  EXPECT_LE(difference(last_load(bar, 0).force, Vector3d(0.0, weight, 0.0)), 1e-9);
  EXPECT_LE(difference(last_load(bar, 0).couple, Vector3d(0.0, 0.0, 0.5 * weight * length)), 1e-9);
}

// ------------------------------------------------------------------------------------------ shared forces

/// A door of 30 kg on three hinges about z at heights −h, 0, h; it reaches from 0 to `wide` along x.
constexpr double kWide = 1.0, kThick = 0.04, kTall = 2.0, kHinge = 0.8, kDoorMass = 30.0;
const double kDoorSize = 0.5 * std::sqrt(kWide * kWide + kThick * kThick + kTall * kTall);

std::string door(const std::vector<double>& heights) {
  std::string text = fmt::format(
      "[[body]]\nname = 'door'\nshape = {{ kind = 'box', half_sizes = [{}, {}, {}] }}\nmass = {}\n"
      "position = [{}, 0, 0]\n",
      0.5 * kWide, 0.5 * kThick, 0.5 * kTall, kDoorMass, 0.5 * kWide);
  for (const double height : heights)
    text += fmt::format(
        "[[joint]]\nname = 'hinge at {}'\nkind = 'revolute'\nbodies = ['door']\npoint = [0, 0, {}]\naxis = [0, 0, 1]\n",
        height, height);
  return text;
}
const std::vector<double> kHeights = {-kHinge, 0.0, kHinge};

TEST_P(JointForce, ThreeHingesOfADoorShareItsWeightByTheLeastSquares) {
  // Least Σ F² + (M/s)² under Σ F = m g z and Σ z F + Σ M = −m g w/2 about y: F_z = m g/3, F_x = λ z, M = λ s².
  const auto hang = [](const std::vector<double>& heights) {
    return run_scene(scene_from_text(head(GetParam(), {0.0, 0.0, -kGravity}, 0.1) + door(heights)));
  };
  const SceneRun still = hang(kHeights);
  const double share = -0.5 * kDoorMass * kGravity * kWide / (2.0 * kHinge * kHinge + 3.0 * kDoorSize * kDoorSize);
  for (int k = 0; k < 3; ++k) {
    const double height = kHeights[static_cast<std::size_t>(k)];
    EXPECT_LE(difference(last_load(still, k).force, Vector3d(share * height, 0.0, kDoorMass * kGravity / 3.0)), 1e-9);
    EXPECT_LE(difference(last_load(still, k).couple, Vector3d(0.0, share * kDoorSize * kDoorSize, 0.0)), 1e-9);
    EXPECT_FALSE(last_load(still, k).unique);
  }
  EXPECT_TRUE(is_flagged(still));
  EXPECT_FALSE(is_flagged(hang({0.0})));
}

TEST(JointForceShared, ADoorThatIsStruckSharesTheImpulseTheSameWay) {
  const double height = 0.5, at = 0.7;
  const SceneRun run = run_scene(
      scene_from_text(head("event", Vector3d::Zero(), 0.2) + door(kHeights) +
                      fmt::format("[[body]]\nname = 'ball'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 2\n"
                                  "position = [{}, 0.2, {}]\nvelocity = [0, -2, 0]\n",
                                  at, height)));
  ASSERT_EQ(run.impacts().size(), 1u);
  const KeptEvent impact = run.impacts()[0];
  ASSERT_EQ(impact.joints.size(), 3u);
  EXPECT_TRUE(impact.record.flags.has(Flag::joint_forces_not_unique));
  const double push = -std::abs(impact.contacts[0].impulse);  // along y on the door
  const double about_hinge = kDoorMass * (kWide * kWide / 3.0 + kThick * kThick / 12.0);
  const double rate = push * at / about_hinge;
  const double reaction = kDoorMass * rate * 0.5 * kWide - push;
  const double share = height * push / (2.0 * kHinge * kHinge + 3.0 * kDoorSize * kDoorSize);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LE(difference(impact.joints[k].force, Vector3d(0.0, reaction / 3.0 - share * kHeights[k], 0.0)), 1e-12);
    EXPECT_LE(difference(impact.joints[k].couple, Vector3d(share * kDoorSize * kDoorSize, 0.0, 0.0)), 1e-12);
  }
}

/// The forces of rows that a sample's loads stand for: κ of each joint from its force and couple.
Eigen::VectorXd row_forces(const scene::SceneFile& scene, const State& sample, Eigen::MatrixXd& pushes) {
  const JointKinematics kinematics(scene.model);
  std::vector<double> forces;
  std::vector<JointRow> rows;
  std::vector<Eigen::VectorXd> columns;
  for (const JointIndex joint : scene.model.joints.indices()) {
    const JointStates states = kinematics.states(
        joint, sample.time, [&](BodyIndex body) -> const BodyState& { return sample.bodies[body]; },
        [&](JointIndex other) -> const JointTurns& { return sample.turns[other]; });
    rows.clear();
    kinematics.append_rows(joint, states, rows);
    Eigen::MatrixXd on_first(6, rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto column = static_cast<Eigen::Index>(r);
      on_first.col(column) << rows[r].sides[0].linear, rows[r].sides[0].angular;
      Eigen::VectorXd& whole = columns.emplace_back(Eigen::VectorXd::Zero(6 * scene.model.body_count()));
      for (std::size_t side = 0; side < 2; ++side) {
        const BodyIndex body = kinematics.bodies(joint)[side];
        if (body == kNone) continue;
        whole.segment<3>(6 * body) += rows[r].sides[side].linear;
        whole.segment<3>(6 * body + 3) += rows[r].sides[side].angular;
      }
    }
    const JointLoad& borne = sample.joint_loads[joint];
    Eigen::VectorXd wrench(6);
    wrench << borne.force, borne.couple + kinematics.lever(joint, states).cross(borne.force);
    const Eigen::VectorXd own = on_first.colPivHouseholderQr().solve(wrench);
    EXPECT_LE((on_first * own - wrench).norm(), 1e-9) << "a load that its rows do not have";
    forces.insert(forces.end(), own.begin(), own.end());
  }
  pushes.resize(6 * scene.model.body_count(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t r = 0; r < columns.size(); ++r) pushes.col(static_cast<Eigen::Index>(r)) = columns[r];
  return Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
}

/// A four-bar linkage in the plane z = 0, under a gravity that is not in it.
std::string four_bar() {
  const Vector2d a(0.0, 0.0), b(0.1, 0.3), c(0.9, 0.5), d(0.8, 0.0);
  return text_of({"crank", a, b, 1.0}) + kAlone + text_of({"coupler", b, c, 2.0}) + kAlone +
         text_of({"rocker", c, d, 1.5}) + kAlone + hinge("axle", "'crank'", a) +
         hinge("crankpin", "'coupler', 'crank'", b) + hinge("knee", "'rocker', 'coupler'", c) +
         hinge("base", "'rocker'", d);
}

TEST_P(JointForce, ForcesInAFourBarLinkageAreThoseOfThePseudoInverse) {
  const SceneRun linkage = run({1.0, -kGravity, 3.0}, 0.5, four_bar());
  EXPECT_TRUE(is_flagged(linkage));
  for (const State& sample : linkage.samples) {
    Eigen::MatrixXd pushes;
    const Eigen::VectorXd forces = row_forces(linkage.scene, sample, pushes);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse(pushes.rows(), pushes.cols());
    inverse.setThreshold(1e-8);  // axes are parallel to 1e-10
    inverse.compute(pushes);
    EXPECT_EQ(inverse.rank(), 17);  // of 20: 18 ways less one
    EXPECT_LE((inverse.solve(pushes * forces) - forces).norm(), 1e-9 * forces.norm());
  }
}

TEST(JointForceShared, BothEnginesSayTheSameOfAFourBarLinkage) {
  const auto run = [](const char* engine) { return run_kept(head(engine, {1.0, -kGravity, 3.0}, 0.5) + four_bar()); };
  const SceneRun rigid = run("event"), smooth = run("smooth");
  ASSERT_EQ(rigid.samples.size(), smooth.samples.size());
  for (std::size_t i = 0; i < rigid.samples.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      EXPECT_LE(difference(load(rigid.samples[i], k).force, load(smooth.samples[i], k).force), 1e-7);
      EXPECT_LE(difference(load(rigid.samples[i], k).couple, load(smooth.samples[i], k).couple), 1e-7);
    }
}

// ------------------------------------------------------------------------------------------- with contacts

TEST(JointForceContact, AHingeAndAFloorBearABarHalfAndHalf) {
  const SceneRun run =
      run_kept(head("event", kFall, 0.2) + text_of({"bar", {0.0, 0.01}, {1.0, 0.01}, 2.0}) +
               hinge("hinge", "'bar'", {0.0, 0.01}) +
               "[[obstacle]]\nname = 'step'\nshape = { kind = 'sphere', radius = 0.1 }\nposition = [1, -0.1, 0]\n");
  EXPECT_LE(difference(last_load(run, 0).force, Vector3d(0.0, kGravity, 0.0)), 1e-9);
  EXPECT_LE(difference(load(run.samples[0], 0).force, Vector3d(0.0, kGravity, 0.0)), 1e-9);
}

TEST(JointForceContact, WhatTwoSupportsAndAHingeBearIsNotUnique) {
  const auto bar_on = [](const std::string& supports) {
    return run_kept(head("event", kFall, 0.2) + text_of({"bar", {0.0, 0.01}, {1.0, 0.01}, 2.0}) +
                    hinge("hinge", "'bar'", {0.0, 0.01}) + supports);
  };
  const auto support = [](const std::string& name, double x) {
    return fmt::format(
        "[[obstacle]]\nname = '{}'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nposition = [{}, -0.1, 0]\n", name, x);
  };
  const SceneRun one = bar_on(support("step", 0.9));
  EXPECT_FALSE(is_flagged(one));
  EXPECT_TRUE(last_load(one, 0).unique);
  const SceneRun two = bar_on(support("step", 0.9) + support("other step", 0.4));
  EXPECT_TRUE(is_flagged(two));
  EXPECT_FALSE(last_load(two, 0).unique);
}

TEST(JointForceContact, ALimitTakesTheCoupleAndLeavesTheWeightToTheHinge) {
  const SceneRun run = run_kept(head("event", kFall, 0.2) + text_of({"bar", {0.0, 0.0}, {1.0, 0.0}, 2.0}) +
                                hinge("hinge", "'bar'", {0.0, 0.0}) + "limits_deg = [0, 90]\n");
  EXPECT_LE(difference(last_load(run, 0).force, Vector3d(0.0, 2.0 * kGravity, 0.0)), 1e-9);
  EXPECT_LE(last_load(run, 0).couple.norm(), 1e-9);
}

TEST(JointForceContact, ABarOnAHingeThatSlidesOverASlopeFeelsItsFriction) {
  // A slider on a rail pulls a block along a floor by a rod's end: prismatic joint to the ground with a motor of given
  // speed, block on the floor with μ: the rail's force along the way is μ times what the floor bears.
  const double friction = 0.3, mass = 2.0;
  const SceneRun run = run_kept(
      head("event", kFall, 0.3) +
      fmt::format(
          "[[material]]\nname = 'wood'\n[[pair]]\nmaterials = ['wood', 'wood']\nrestitution = 0\n"
          "friction = {{ law = 'coulomb', coefficient = {} }}\n"
          "[[plane]]\nname = 'floor'\nnormal = [0, 1, 0]\npoint = [0, 0, 0]\nmaterial = 'wood'\n"
          "[[body]]\nname = 'block'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = {}\nmaterial = 'wood'\n"
          "position = [0, 0.1, 0]\nvelocity = [1, 0, 0]\n"
          "[[body]]\nname = 'hand'\nshape = {{ kind = 'sphere', radius = 0.1 }}\nmass = 1\nmaterial = 'wood'\n"
          "position = [1, 0.5, 0]\nvelocity = [1, 0, 0]\n"
          "[[joint]]\nname = 'rail'\nkind = 'prismatic'\nbodies = ['hand']\npoint = [1, 0.5, 0]\n"
          "axis = [1, 0, 0]\nmotor = {{ speed = 1 }}\n"
          "[[joint]]\nname = 'lift'\nkind = 'prismatic'\nbodies = ['block', 'hand']\npoint = [0, 0.1, 0]\n"
          "axis = [0, 1, 0]\n",
          friction, mass));
  EXPECT_LE(difference(last_load(run, 1).force, Vector3d(friction * mass * kGravity, 0.0, 0.0)), 1e-9);
  EXPECT_LE(difference(last_load(run, 0).force, Vector3d(friction * mass * kGravity, kGravity, 0.0)), 1e-9);
}

// -------------------------------------------------------------------------------------------- many joints

/// A chain of 11 links from the ground to a ball that slides on a floor against friction; it is struck by another ball
/// on its way. `times`: how often each of its hinges is there. Held twice they are so many that their rows are
/// eliminated before the contacts are asked, and half of them depend on the others.
std::string long_chain(int times) {
  const int links = 11;
  const double slope = 0.5;
  std::string bodies, joints;
  const auto node = [&](int k) {
    return Vector2d(0.1 * k * std::cos(slope), 0.05 + 0.1 * (links - k) * std::sin(slope));
  };
  for (int k = 0; k < links; ++k) bodies += text_of({fmt::format("link-{}", k), node(k), node(k + 1), 0.1}) + kAlone;
  const auto ball = [](const char* name, const Vector2d& at, double mass, double speed, const std::string& rest) {
    return fmt::format(
               "[[body]]\nname = '{}'\nshape = {{ kind = 'sphere', radius = 0.05 }}\nmass = {}\nposition = [{}, {}, "
               "0]\n"
               "velocity = [{}, 0, 0]\nmaterial = 'wood'\n",
               name, mass, at.x(), at.y(), speed) +
           rest;
  };
  bodies += ball("weight", node(links), 3.0, 0.0, kAlone);
  bodies += ball("stone", node(links) + Vector2d(0.13, 0.0), 1.0, -2.0, "");
  for (int i = 0; i < times; ++i)
    for (int k = 0; k <= links; ++k)
      joints += hinge(fmt::format("hinge-{}-{}", i, k),
                      k == 0       ? std::string("'link-0'")
                      : k == links ? fmt::format("'weight', 'link-{}'", k - 1)
                                   : fmt::format("'link-{}', 'link-{}'", k, k - 1),
                      node(k));
  return "[[material]]\nname = 'wood'\n[[pair]]\nmaterials = ['wood', 'wood']\nrestitution = 0.5\n"
         "friction = { law = 'coulomb', coefficient = 0.2 }\n"
         "[[plane]]\nname = 'floor'\nnormal = [0, 1, 0]\npoint = [0, 0, 0]\nmaterial = 'wood'\n" +
         bodies + joints;
}

TEST(ManyJoints, AChainWhoseHingesAreThereTwiceMovesAsWithEachOnce) {
  const auto run = [](int times) {
    return run_scene(
        scene_from_text(head("event", kFall, 0.06) + "integration_tolerance = 1e-10\n" + long_chain(times)));
  };
  const SceneRun once = run(1), twice = run(2);
  expect_held(twice);
  EXPECT_FALSE(is_flagged(once));
  EXPECT_TRUE(is_flagged(twice));
  ASSERT_EQ(once.samples.size(), twice.samples.size());
  for (std::size_t i = 0; i < once.samples.size(); ++i)
    for (const BodyIndex body : once.scene.model.bodies.indices())
      EXPECT_LE(difference(once.samples[i].bodies[body].velocity, twice.samples[i].bodies[body].velocity), 1e-7);
  // What two bear together one bears alone, between impacts and in them.
  const int count = static_cast<int>(once.scene.model.joints.size());
  for (int k = 0; k < count; ++k) {
    EXPECT_LE(difference(2.0 * last_load(twice, k).force, last_load(once, k).force), 1e-5);
    EXPECT_LE(difference(last_load(twice, k).force, last_load(twice, k + count).force), 1e-9);
  }
  ASSERT_EQ(once.impacts().size(), twice.impacts().size());
  ASSERT_GE(once.impacts().size(), 1u);
  const KeptEvent alone = once.impacts()[0], shared = twice.impacts()[0];
  ASSERT_EQ(alone.joints.size(), static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < alone.joints.size(); ++k)
    EXPECT_LE(difference(2.0 * shared.joints[k].force, alone.joints[k].force), 1e-8);
}

}  // namespace
}  // namespace carom::test
