/// Impact problems of single balls, row by row against numbers computed by hand.

#include "carom/engine/event/impact_building.h"

#include <gtest/gtest.h>

#include "carom/base/error.h"
#include "engine/small_world.h"

namespace carom::event {
namespace {

using test::closed_around;
using test::SmallWorld;

constexpr double kInertia = 0.4 * 2.0 * 0.25;  // ⅖ m r² of the ball

/// A ball on a plane that comes up with 2 m/s and moves sideways.
SmallWorld ball_on_driven_plane(bool rough) {
  SmallWorld scene;
  scene.add_ball({0.0, 0.0, 0.5}, {1.0, -4.0, -3.0});
  scene.state.bodies[0].angular_velocity = {0.1, 0.2, 0.3};
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero(), {0.25, 0.5, 2.0});
  scene.set_rule({.restitution = 0.75, .rough = rough, .stiffness = {}});
  return scene;
}

TEST(ImpactBuilder, ASmoothBallOnADrivenPlaneHasThreeCoordinates) {
  World world = ball_on_driven_plane(false).world();
  ImpactBuilder builder({});
  builder.build(world, closed_around(world, {0}).contacts(), SlipRows::none);
  const ImpactProblem& problem = builder.problem();
  EXPECT_EQ(builder.bodies(), Bodies{0});
  EXPECT_FALSE(builder.moves_with_planes());
  EXPECT_EQ(problem.metric, Matrix(2.0 * Matrix::Identity(3, 3)));
  EXPECT_EQ(problem.velocity, (Vector{{1.0, -4.0, -3.0}}));
  ASSERT_EQ(problem.contacts.size(), 1u);
  const Contact& contact = problem.contacts[0];
  EXPECT_EQ(contact.normal, (Vector{{0.0, 0.0, 1.0}}));
  EXPECT_EQ(contact.offset, -2.0);
  EXPECT_EQ(contact.normal.dot(problem.velocity) + contact.offset, -5.0);  // the gap rate
  EXPECT_EQ(contact.restitution, 0.75);
  EXPECT_EQ(contact.stiffness, 1.0);
  EXPECT_EQ(contact.tangents.rows(), 0);
  EXPECT_EQ(problem.persistent.rows(), 0);
  EXPECT_NO_THROW(validate(problem));
}

TEST(ImpactBuilder, ARoughOneHasItsSpinAndTwoRowsOfSlip) {
  World world = ball_on_driven_plane(true).world();
  ImpactBuilder builder({});
  const std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  builder.build(world, contacts, SlipRows::rough);
  const ImpactProblem& problem = builder.problem();
  const Vector diagonal{{2.0, 2.0, 2.0, kInertia, kInertia, kInertia}};
  EXPECT_LT((problem.metric - Matrix(diagonal.asDiagonal())).norm(), 1e-15);
  EXPECT_LT((problem.velocity - Vector{{1.0, -4.0, -3.0, 0.1, 0.2, 0.3}}).norm(), 1e-15);
  const Contact& contact = problem.contacts[0];
  EXPECT_EQ(contact.normal, (Vector{{0.0, 0.0, 1.0, 0.0, 0.0, 0.0}}));
  EXPECT_EQ(contact.offset, -2.0);
  // Slip u = v + ω × r − plane with r = (0, 0, −0.5): ω × r = (−0.5 ω_y, 0.5 ω_x, 0).
  ASSERT_EQ(contact.tangents.rows(), 2);
  const std::array<Vector3d, 2> across = contact::tangents_of(Vector3d::UnitZ());
  for (int k = 0; k < 2; ++k) {
    const Vector3d& t = across[static_cast<std::size_t>(k)];
    const Vector expected{{t.x(), t.y(), t.z(), 0.5 * t.y(), -0.5 * t.x(), 0.0}};
    EXPECT_LT((contact.tangents.row(k).transpose() - expected).norm(), 1e-15) << k;
    EXPECT_EQ(contact.tangent_offsets[k], -t.dot(Vector3d(0.25, 0.5, 2.0))) << k;
  }
  // The same contact as a smooth one has none, whatever the law.
  std::vector<ContactPoint> smooth = contacts;
  smooth[0].rule.rough = false;
  builder.build(world, smooth, SlipRows::rough);
  EXPECT_EQ(builder.problem().contacts[0].tangents.rows(), 0);
}

TEST(ImpactBuilder, TwoBallsHaveRowsOfOppositeSign) {
  SmallWorld scene;
  scene.add_ball({0.0, 0.0, 0.0}, {3.0, 0.0, 0.0});
  scene.add_ball({0.0, 9.0, 0.0});  // not in it
  scene.add_ball({1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0});
  World world = scene.world();
  ImpactBuilder builder({});
  builder.build(world, closed_around(world, {2}).contacts(), SlipRows::none);
  EXPECT_EQ(builder.bodies(), (Bodies{0, 2}));
  const Contact& contact = builder.problem().contacts.at(0);
  EXPECT_EQ(contact.normal, (Vector{{-1.0, 0.0, 0.0, 1.0, 0.0, 0.0}}));
  EXPECT_EQ(contact.offset, 0.0);
  EXPECT_EQ(contact.normal.dot(builder.problem().velocity), -4.0);

  ImpactOutcome outcome;
  outcome.velocity = {-1.0, 0.0, 0.5, 3.0, 0.0, 0.0};
  builder.apply(world, outcome);
  EXPECT_EQ(world.now(0).velocity, Vector3d(-1.0, 0.0, 0.5));
  EXPECT_EQ(world.now(2).velocity, Vector3d(3.0, 0.0, 0.0));
  EXPECT_EQ(world.now(1).velocity, Vector3d::Zero());
}

TEST(ImpactBuilder, ABallThatRollsOnAMovingPlaneIsDescribedRelativeToIt) {
  // It rolls on a belt and strikes a wall at rest with 1.5 m/s, of which 0.5 m/s are the belt's.
  SmallWorld scene;
  scene.add_ball({0.0, 0.0, 0.5}, {1.5, 0.0, 0.0});
  scene.state.bodies[0].angular_velocity = {0.0, 2.0, 0.0};  // (1.5 − 0.5)/0.5
  scene.add_plane(Vector3d::UnitZ(), Vector3d::Zero(), {0.5, 0.0, 0.0});
  scene.add_plane(-Vector3d::UnitX(), {0.5, 0.0, 0.0});
  scene.model.constraints.emplace_back(RollingConstraint{.body = 0, .plane = 0});
  World world = scene.world();
  std::vector<ContactPoint> contacts = closed_around(world, {0}).contacts();
  std::erase_if(contacts, [](const ContactPoint& contact) { return contact.b != 2; });
  ASSERT_EQ(contacts.size(), 1u);
  ImpactBuilder builder({});
  builder.build(world, contacts, SlipRows::none);
  const ImpactProblem& problem = builder.problem();
  EXPECT_TRUE(builder.moves_with_planes());
  EXPECT_LT((problem.velocity - Vector{{1.0, 0.0, 0.0, 0.0, 2.0, 0.0}}).norm(), 1e-15);
  EXPECT_EQ(problem.contacts[0].offset, -0.5);
  EXPECT_NEAR(problem.contacts[0].normal.dot(problem.velocity) + problem.contacts[0].offset, -1.5, 1e-15);
  ASSERT_EQ(problem.persistent.rows(), 3);
  EXPECT_EQ(problem.supports, std::vector<int>{0});
  EXPECT_EQ(problem.persistent.row(0), (Eigen::RowVectorXd{{0.0, 0.0, 1.0, 0.0, 0.0, 0.0}}));
  EXPECT_LT((problem.persistent * problem.velocity).norm(), 1e-15);  // it rolls

  ImpactOutcome outcome;
  outcome.velocity = {-2.0, 0.0, 0.0, 0.0, -4.0, 0.0};
  builder.apply(world, outcome);
  EXPECT_EQ(world.now(0).velocity, Vector3d(-1.5, 0.0, 0.0));
  EXPECT_LT((world.now(0).angular_velocity - Vector3d(0.0, -4.0, 0.0)).norm(), 1e-15);
}

}  // namespace
}  // namespace carom::event
