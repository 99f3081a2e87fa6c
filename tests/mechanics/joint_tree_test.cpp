/// Articulated inertias against the rows of the same joints: random trees of all kinds, on the ground and free.

#include "carom/mechanics/joint_tree.h"

#include <gtest/gtest.h>

#include "mechanics/joint_models.h"

namespace carom::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The same joint with its bodies named the other way round.
Joint named_the_other_way(Joint joint) {
  std::swap(joint.ends[0], joint.ends[1]);
  if (joint.kind == JointKind::universal) {  // the axes x_a and z_b change places
    Matrix3d to_x, to_z;
    to_x << Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY();
    to_z << Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX();
    joint.ends[0].frame = joint.ends[0].frame * Quaterniond(to_x);
    joint.ends[1].frame = joint.ends[1].frame * Quaterniond(to_z);
  }
  return joint;
}

/// Bodies that hang on earlier ones, or on the ground, as their joints allow, solved in both ways.
struct RandomTree {
  Model model;
  std::vector<BodyState> states;
  std::vector<Matrix3d> rotations;
  std::vector<Twist> velocities;
  JointSystem rows;
  JointTree tree;

  RandomTree(RandomMotions& random, int count) {
    for (int k = 0; k < count; ++k) {
      model.bodies.push_back(homogeneous_body("box", Box{{0.3, 0.5 + 0.1 * k, 0.2}}, 1.0 + random.number() * 0.5));
      const bool free = k == 0 && random.number() > 0.0;
      if (free) {
        states.push_back(random.state());
        continue;
      }
      const int parent = k == 0 ? -1 : static_cast<int>((0.5 + 0.499 * random.number()) * k);
      Joint joint;
      joint.kind = kHoldingKinds[static_cast<std::size_t>((0.5 + 0.499 * random.number()) * std::size(kHoldingKinds))];
      joint.ends = {JointEnd{k, random.vector(), random.turn()}, JointEnd{parent, random.vector(), random.turn()}};
      const BodyState on = parent < 0 ? BodyState{} : states[static_cast<std::size_t>(parent)];
      const bool turns = turn_count(joint.kind) > 0;
      BodyState state = placed_first(joint, on, turns ? JointTurns{2.0, -1.0} : JointTurns{},
                                     has_shift(joint.kind) ? random.number() : 0.0);
      if (joint.kind == JointKind::spherical || joint.kind == JointKind::rod) {
        const Quaterniond turned = random.turn() * state.orientation;
        state.position += state.orientation * joint.ends[0].point - turned * joint.ends[0].point;
        state.orientation = turned;
      }
      if (joint.kind == JointKind::rod) {
        const Vector3d way = random.vector();
        state.position += way;
        joint.length = way.norm();
      }
      states.push_back(state);
      if (parent >= 0 && random.number() > 0.0) joint = named_the_other_way(joint);
      model.joints.push_back(joint);
    }
    for (const BodyState& state : states) rotations.push_back(state.orientation.toRotationMatrix());
    velocities.resize(states.size());
    set_up(random);
  }

  void set_up(RandomMotions& random) {
    const JointKinematics kinematics(model);
    rows.clear(static_cast<int>(states.size()));
    std::vector<JointTree::Held> held;
    std::vector<BodyIndex> bodies;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const Body& body = model.bodies[BodyIndex(k)];
      rows.bodies[k] = {1.0 / body.mass, body.inertia.cwiseInverse(),
                        rotations[k] * body.principal_axes.toRotationMatrix()};
      bodies.emplace_back(k);
    }
    std::vector<JointRow> own;
    for (const JointIndex joint : model.joints.indices()) {
      const auto slots = kinematics.bodies(joint);
      own.clear();
      kinematics.append_rows(joint, states_of(kinematics, joint, states), own);
      rows.add_block({slots[0], slots[1], -1, -1}, static_cast<int>(own.size()));
      held.push_back({joint, {slots[0], slots[1]}});
    }
    rows.analyse();
    EXPECT_TRUE(tree.analyse(kinematics, bodies, held));
    // Velocities that the joints allow, without which what they ask of accelerations has no meaning.
    set_rows(kinematics);
    for (Twist& twist : velocities) twist = {random.vector(), random.vector()};
    for (int round = 0; round < 3; ++round) rows.correct(velocities, &JointSystem::Offset::drive);
    for (std::size_t k = 0; k < states.size(); ++k) {
      states[k].velocity = velocities[k].linear;
      states[k].angular_velocity = rows.bodies[k].axes * velocities[k].angular;
    }
    set_rows(kinematics);
    tree.place({states, rotations, rows.bodies});
    tree.factor();
  }

  void set_rows(const JointKinematics& kinematics) {
    std::vector<JointRow> own;
    for (const JointIndex joint : model.joints.indices()) {
      own.clear();
      kinematics.append_rows(joint, states_of(kinematics, joint, states), own);
      rows.set_rows(joint, own);
    }
    rows.factor();
  }

  void expect_same(const std::vector<Twist>& given, double JointSystem::Offset::*offset,
                   void (JointTree::*ask)(std::vector<Twist>&), double accuracy) {
    std::vector<Twist> by_rows = given, by_tree = given;
    for (int round = 0; round < 3; ++round) rows.correct(by_rows, offset);
    (tree.*ask)(by_tree);
    for (std::size_t k = 0; k < given.size(); ++k) {
      EXPECT_NEAR((by_rows[k].linear - by_tree[k].linear).norm(), 0.0, accuracy);
      EXPECT_NEAR((by_rows[k].angular - by_tree[k].angular).norm(), 0.0, accuracy);
    }
  }
};

TEST(JointTree, FindsTheAccelerationsAndVelocitiesThatRowsFind) {
  RandomMotions random(11);
  for (int round = 0; round < 200; ++round) {
    RandomTree made(random, 1 + round % 8);
    std::vector<Twist> given(made.states.size());
    for (Twist& twist : given) twist = {5.0 * random.vector(), 5.0 * random.vector()};
    made.expect_same(given, &JointSystem::Offset::bias, &JointTree::accelerate, 1e-8);
    // Velocities that joints do not allow, set right.
    for (std::size_t k = 0; k < given.size(); ++k) {
      made.states[k].velocity = given[k].linear;
      made.states[k].angular_velocity = made.rows.bodies[k].axes * given[k].angular;
    }
    made.tree.place({made.states, made.rotations, made.rows.bodies});
    std::vector<Twist> by_rows = given, changes(given.size());
    for (int again = 0; again < 3; ++again) made.rows.correct(by_rows, &JointSystem::Offset::drive);
    made.tree.find_changes(changes);
    for (std::size_t k = 0; k < given.size(); ++k) {
      EXPECT_NEAR((given[k].linear + changes[k].linear - by_rows[k].linear).norm(), 0.0, 1e-8);
      EXPECT_NEAR((given[k].angular + changes[k].angular - by_rows[k].angular).norm(), 0.0, 1e-8);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(JointTree, PutsBodiesBackOnTheirJointsAsRowsDo) {
  RandomMotions random(12);
  for (int round = 0; round < 200; ++round) {
    RandomTree made(random, 1 + round % 8);
    for (std::size_t k = 0; k < made.states.size(); ++k) {
      made.states[k].position += 1e-6 * random.vector();
      made.states[k].orientation = rotation_by(1e-6 * random.vector()) * made.states[k].orientation;
      made.rotations[k] = made.states[k].orientation.toRotationMatrix();
      made.rows.bodies[k].axes = made.rotations[k] * made.model.bodies[BodyIndex(k)].principal_axes.toRotationMatrix();
    }
    made.set_rows(JointKinematics(made.model));
    made.tree.place({made.states, made.rotations, made.rows.bodies});
    EXPECT_EQ(made.tree.measure_residuals() > 0.0, !made.model.joints.empty());
    made.tree.factor();
    // To first order in what they are off.
    made.expect_same(std::vector<Twist>(made.states.size()), &JointSystem::Offset::residual, &JointTree::find_moves,
                     1e-9);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(JointTree, LeavesLoopsGearsAndMotorsOfGivenMotionToTheRows) {
  RandomMotions random(13);
  Model model = joined_pair(JointKind::revolute, random);
  const std::vector<BodyIndex> bodies = {0, 1};
  std::vector<JointTree::Held> held = {{0, {0, 1}}};
  JointTree tree;
  EXPECT_TRUE(tree.analyse(JointKinematics(model), bodies, held));
  model.joints.push_back(model.joints[0]);
  held.push_back({1, {0, 1}});
  EXPECT_FALSE(tree.analyse(JointKinematics(model), bodies, held));
  EXPECT_FALSE(tree.ready());
  held.pop_back();
  model.joints[0].drives[0].motor.position = PolynomialProfile{{0.0, 1.0}};
  EXPECT_FALSE(tree.analyse(JointKinematics(model), bodies, held));
  model.joints[0].drives = {};
  model.bodies[0].inertia[2] = 1e-9;
  EXPECT_FALSE(tree.analyse(JointKinematics(model), bodies, held));
}

}  // namespace
}  // namespace carom::test
