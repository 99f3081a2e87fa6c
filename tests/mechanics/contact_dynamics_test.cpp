#include "carom/mechanics/contact_dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/base/random.h"
#include "mechanics/acceleration_scene.h"
#include "support/property_cases.h"

namespace carom {
namespace {

using namespace test;

Scene block_on_floor(bool rough) {
  Scene scene = Scene::rigid_body(2.0, {0.3, 0.4, 0.5});
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.3, 0.3}) scene.touch({x, y, -0.2}, Vector3d::UnitZ(), rough);
  return scene;
}

TEST(ContactDynamics, ABlockStandsOnItsFourCorners) {
  for (const bool rough : {false, true}) {
    const Scene scene = block_on_floor(rough);
    ContactDynamics dynamics;
    ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
    EXPECT_LT(as_vector(dynamics.acceleration()).norm(), 1e-13);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(dynamics.normal_force()[i], 2.0 * kGravity / 4.0, 1e-12);
      EXPECT_TRUE(dynamics.presses(i));
    }
    expect_balanced(scene, dynamics, 1e-12);
  }
}

TEST(ContactDynamics, ABlockLoadedOffCentreHasTheLeastForcesThatCarryIt) {
  Scene scene = block_on_floor(false);
  // Weight and load act at x = 0.25, the same as the couple m g · 0.25 about y: half the half-width.
  scene.force[4] = 2.0 * kGravity * 0.25;
  ContactDynamics dynamics;
  ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  expect_balanced(scene, dynamics, 1e-12);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(dynamics.normal_force()[i], 2.0 * kGravity / 4.0 * (i < 2 ? 0.5 : 1.5), 1e-12) << i;
}

TEST(ContactDynamics, ASphereLiesInAVGroove) {
  const double slope = 0.6;  // of the walls
  for (const bool rough : {false, true}) {
    Scene scene = Scene::rigid_body(3.0, Vector3d::Constant(0.4 * 3.0 * 0.25));
    for (const double side : {-1.0, 1.0}) {
      const Vector3d normal(side * std::sin(slope), 0.0, std::cos(slope));
      scene.touch(-0.5 * normal, normal, rough);
    }
    ContactDynamics dynamics;
    ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
    EXPECT_LT(as_vector(dynamics.acceleration()).norm(), 1e-13);
    expect_balanced(scene, dynamics, 1e-12);
    // Rough walls share the weight between normal and tangential forces in a way that statics leaves open.
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(dynamics.presses(i)) << rough;
      if (!rough) {
        EXPECT_NEAR(dynamics.normal_force()[i], 3.0 * kGravity / (2.0 * std::cos(slope)), 1e-12);
      }
    }
  }
}

TEST(ContactDynamics, ASphereOnAnInclineSlidesOrRolls) {
  const double alpha = 0.4;
  const double mass = 2.0;
  const double radius = 0.3;
  const Vector3d normal(std::sin(alpha), 0.0, std::cos(alpha));
  const Vector3d downhill(std::cos(alpha), 0.0, -std::sin(alpha));
  for (const bool rough : {false, true}) {
    Scene scene = Scene::rigid_body(mass, Vector3d::Constant(0.4 * mass * radius * radius));
    scene.touch(-radius * normal, normal, rough);
    ContactDynamics dynamics;
    ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
    const double expected = kGravity * std::sin(alpha) * (rough ? 5.0 / 7.0 : 1.0);
    EXPECT_LT((as_vector(dynamics.acceleration()).head<3>() - expected * downhill).norm(), 1e-14);
    EXPECT_NEAR(dynamics.acceleration()[4], rough ? expected / radius : 0.0, 1e-13);
    EXPECT_NEAR(dynamics.normal_force()[0], mass * kGravity * std::cos(alpha), 1e-13);
    if (rough) {
      EXPECT_NEAR(as_vector(dynamics.tangential_force()).norm(), 2.0 / 7.0 * mass * kGravity * std::sin(alpha), 1e-13);
    }
    expect_balanced(scene, dynamics, 1e-13);
  }
}

TEST(ContactDynamics, ARollingConstraintUnderARoughContactCarriesTheLoadOnce) {
  Scene scene = Scene::rigid_body(2.0, Vector3d::Constant(0.2));
  const Vector3d arm(0.0, 0.0, -0.5);
  for (int axis = 0; axis < 3; ++axis) scene.constrain(Scene::point_row(arm, Vector3d::Unit(axis)));
  scene.touch(arm, Vector3d::UnitZ(), true);
  scene.force[0] = 7.0;
  ContactDynamics dynamics;
  ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  EXPECT_NEAR(dynamics.acceleration()[0], 7.0 / (2.0 + 0.2 / 0.25), 1e-13);
  expect_balanced(scene, dynamics, 1e-13);
}

/// A smooth rod of length L against a wall x = 0 and a floor y = 0, at angle θ to the floor, from rest at θ₀:
/// v = (ẋ, ẏ, θ̇) of its centre; the gaps are x − ½L cos θ and y − ½L sin θ.
Scene rod(double theta, double rate) {
  const double L = 2.0;
  Scene scene(3);
  const double mass = 1.5;
  scene.metric.diagonal() << mass, mass, mass * L * L / 12.0;
  scene.force[1] = -mass * kGravity;
  scene.contact(Eigen::Vector3d(1.0, 0.0, 0.5 * L * std::sin(theta)), 0.5 * L * std::cos(theta) * rate * rate);
  scene.contact(Eigen::Vector3d(0.0, 1.0, -0.5 * L * std::cos(theta)), 0.5 * L * std::sin(theta) * rate * rate);
  return scene;
}

TEST(ContactDynamics, ASlidingRodLeavesTheWallAtTwoThirdsOfItsHeight) {
  const double start = 1.1;
  const auto rate_at = [&](double theta) { return -std::sqrt(1.5 * kGravity * (std::sin(start) - std::sin(theta))); };
  ContactDynamics dynamics;
  const double leaving = std::asin(2.0 / 3.0 * std::sin(start));
  for (const double theta : {1.1, 1.0, 0.9, leaving + 1e-6}) {
    const Scene scene = rod(theta, rate_at(theta));
    ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
    EXPECT_NEAR(dynamics.acceleration()[2], -0.75 * kGravity * std::cos(theta), 1e-13);  // −(3g/2L) cos θ
    EXPECT_TRUE(dynamics.presses(0) && dynamics.presses(1)) << theta;
    // The wall's force is m ẍ = ¾ m g cos θ (3 sin θ − 2 sin θ₀).
    EXPECT_NEAR(dynamics.normal_force()[0],
                0.75 * 1.5 * kGravity * std::cos(theta) * (3.0 * std::sin(theta) - 2.0 * std::sin(start)), 1e-13);
    expect_balanced(scene, dynamics, 1e-13);
  }
  const Scene beyond = rod(leaving - 1e-6, rate_at(leaving - 1e-6));
  ASSERT_EQ(dynamics.solve(beyond.problem()), AccelerationStatus::solved);
  EXPECT_TRUE(dynamics.opens(0) && dynamics.presses(1));
  EXPECT_EQ(dynamics.normal_force()[0], 0.0);
  expect_balanced(beyond, dynamics, 1e-13);
}

TEST(ContactDynamics, ABlockPushedBeyondTheEdgeTips) {
  // The table ends under x = −0.1 as seen from the centre; half height 0.2. It turns about the edge.
  const double mass = 2.0;
  const double Jy = 0.4;
  Scene scene = Scene::rigid_body(mass, {0.3, Jy, 0.5});
  for (const double x : {-0.5, -0.1})
    for (const double y : {-0.3, 0.3}) scene.touch({x, y, -0.2}, Vector3d::UnitZ(), true);
  ContactDynamics dynamics;
  ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  const double turning = mass * kGravity * 0.1 / (Jy + mass * (0.1 * 0.1 + 0.2 * 0.2));
  EXPECT_NEAR(dynamics.acceleration()[4], turning, 1e-12);
  EXPECT_TRUE(dynamics.opens(0) && dynamics.opens(1));
  EXPECT_TRUE(dynamics.presses(2) && dynamics.presses(3));
  expect_balanced(scene, dynamics, 1e-12);
}

TEST(ContactDynamics, ARoughBallPulledUpLetsGo) {
  Scene scene = Scene::rigid_body(1.0, Vector3d::Constant(0.1));
  scene.touch({0.0, 0.0, -0.5}, Vector3d::UnitZ(), true);
  scene.force += (Vector(6) << 3.0, 0.0, 12.0, 0.0, 0.0, 0.0).finished();
  ContactDynamics dynamics;
  ASSERT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  EXPECT_NEAR(dynamics.acceleration()[0], 3.0, 1e-15);
  EXPECT_NEAR(dynamics.acceleration()[2], 12.0 - kGravity, 1e-14);
  EXPECT_EQ(dynamics.acceleration()[4], 0.0);
  EXPECT_TRUE(dynamics.opens(0));
  expect_balanced(scene, dynamics, 1e-13);
}

TEST(ContactDynamics, ABlockThatSpinsFastOnARoughCornerSlides) {
  // Planar block (x, y, φ) with J = (a² + b²)/3, corner at (−a, −b) from its centre. If it sticks the gap opens, with
  // −g + bω² + (a²b/J)ω²/(1 + b²/J) > 0; once it lets go it falls back, with −g + bω² < 0.
  const double a = 0.5;
  const double b = 0.3;
  const double rate = 4.5;
  Scene scene(3);
  scene.metric(2, 2) = (a * a + b * b) / 3.0;
  scene.force[1] = -kGravity;
  scene.contact(Eigen::Vector3d(0.0, 1.0, -a), b * rate * rate);
  scene.stick(0, Eigen::Vector3d(1.0, 0.0, b), a * rate * rate);
  ContactDynamics dynamics;
  EXPECT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::undecided);
  EXPECT_TRUE(dynamics.slides(0) && dynamics.presses(0));
  EXPECT_NEAR(dynamics.normal_force()[0], (kGravity - b * rate * rate) / (1.0 + a * a / scene.metric(2, 2)), 1e-13);
  expect_balanced(scene, dynamics, 1e-13);

  // Slower it sticks, faster it leaves.
  scene.normal_bias *= 0.5;
  scene.tangent_bias *= 0.5;
  EXPECT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  EXPECT_TRUE(dynamics.presses(0) && !dynamics.slides(0));
  scene.normal_bias *= 4.0;
  scene.tangent_bias *= 4.0;
  EXPECT_EQ(dynamics.solve(scene.problem()), AccelerationStatus::solved);
  EXPECT_TRUE(dynamics.opens(0));
}

TEST(ContactDynamics, ABlockThatSpinsFastOnARoughEdgeSlides) {
  // The same in space, on the two corners of an edge at y = ± d: first the one then the other is held without being
  // pressed, and neither gets its friction back. Together they press as one does in the plane.
  const double a = 0.5, b = 0.3, d = 0.4, rate = 4.5, inertia = (a * a + b * b) / 3.0;
  Scene scene = Scene::rigid_body(1.0, {0.1, inertia, 0.1});
  for (const double y : {-d, d}) {
    const Vector3d arm(a, y, -b);
    const int index = scene.contact(Scene::point_row(arm, Vector3d::UnitZ()), b * rate * rate);
    scene.stick(index, Scene::point_row(arm, Vector3d::UnitX()), -a * rate * rate);
    scene.stick(index, Scene::point_row(arm, Vector3d::UnitY()));
  }
  const std::vector<ContactFriction> friction(2);
  for (const double couple : {0.0, 1e-3, 1e-2, 0.1}) {  // about the way: the two are not pressed alike
    scene.force[3] = couple;
    AccelerationProblem problem = scene.problem();
    problem.friction = friction.data();
    ContactDynamics dynamics;
    ASSERT_EQ(dynamics.solve(problem), AccelerationStatus::undecided) << couple;
    EXPECT_TRUE(dynamics.slides(0) && dynamics.slides(1)) << couple;
    EXPECT_NEAR(dynamics.normal_force()[0] + dynamics.normal_force()[1],
                (kGravity - b * rate * rate) / (1.0 + a * a / inertia), 1e-12)
        << couple;
    EXPECT_NEAR(dynamics.normal_force()[0] - dynamics.normal_force()[1], couple / d, 1e-12) << couple;
    expect_balanced(scene, dynamics, 1e-12);
  }
}

TEST(ContactDynamics, SaysWhatDoesNotWorkOut) {
  ContactDynamics dynamics;
  Scene closing(1);  // two walls that both move in
  closing.contact(Vector::Constant(1, 1.0), -1.0);
  closing.contact(Vector::Constant(1, -1.0), -1.0);
  EXPECT_EQ(dynamics.solve(closing.problem()), AccelerationStatus::infeasible);

  Scene contradiction(2);
  contradiction.constrain(Eigen::Vector2d(1.0, 1.0), 0.0);
  contradiction.constrain(Eigen::Vector2d(2.0, 2.0), 1.0);
  EXPECT_EQ(dynamics.solve(contradiction.problem()), AccelerationStatus::inconsistent);

  Scene driven_in(1);  // a constraint that moves into the wall
  driven_in.constrain(Vector::Constant(1, 1.0), 1.0);
  driven_in.contact(Vector::Constant(1, 3.0), 0.0);
  EXPECT_EQ(dynamics.solve(driven_in.problem()), AccelerationStatus::infeasible);

  Scene massless(2);
  massless.metric(1, 1) = 0.0;
  EXPECT_EQ(dynamics.solve(massless.problem()), AccelerationStatus::metric_not_positive_definite);

  Scene broken(2);
  broken.force[0] = std::nan("");
  EXPECT_EQ(dynamics.solve(broken.problem()), AccelerationStatus::failed);

  const Scene nothing(3);
  EXPECT_EQ(dynamics.solve(nothing.problem()), AccelerationStatus::solved);
  EXPECT_EQ(as_vector(dynamics.acceleration()).norm(), 0.0);
}

TEST(ContactDynamics, RandomSystemsAreBalancedWhateverTheScaleOfTheirRows) {
  ContactDynamics dynamics;
  int pressing = 0;
  int opening = 0;
  int undecided = 0;
  const int cases = test::property_cases(2000);
  for (int seed = 0; seed < cases; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto vector = [&](int size) {
      Vector v(size);
      for (double& x : v) x = random.uniform(-1.0, 1.0);
      return v;
    };
    const int n = random.integer(2, 8);
    Scene scene(n);
    for (int i = 0; i < n; ++i) {
      const Vector v = vector(n);
      scene.metric += v * v.transpose();
    }
    scene.force = vector(n);
    // A velocity that opens every contact keeps the problem feasible.
    const Vector out = vector(n);
    const bool rough = seed % 2 == 0;
    for (int k = random.integer(0, n / 3); k > 0; --k) {
      Vector row = vector(n);
      row -= out * (row.dot(out) / out.squaredNorm());
      scene.constrain(row, 0.1 * random.uniform(-1.0, 1.0));
    }
    for (int i = random.integer(1, 4); i > 0; --i) {
      Vector row = vector(n);
      if (row.dot(out) < 0.0) row = -row;
      const int index = scene.contact(row, random.uniform(-1.0, 1.0));
      if (rough && i == 1) {
        Vector tangent = vector(n);
        tangent -= out * (tangent.dot(out) / out.squaredNorm());
        scene.stick(index, tangent, 0.1 * random.uniform(-1.0, 1.0));
      }
    }
    const AccelerationStatus status = dynamics.solve(scene.problem());
    undecided += status == AccelerationStatus::undecided;
    ASSERT_TRUE(status == AccelerationStatus::solved || (rough && status == AccelerationStatus::undecided)) << seed;
    expect_balanced(scene, dynamics, 1e-7);
    ASSERT_FALSE(HasFailure()) << seed;
    for (int i = 0; i < scene.normals.rows(); ++i) {
      pressing += dynamics.presses(i);
      opening += dynamics.opens(i);
    }
    const Vector acceleration = as_vector(dynamics.acceleration());
    const double force = dynamics.normal_force()[0];
    scene.normals.row(0) *= 1000.0;
    scene.normal_bias[0] *= 1000.0;
    ASSERT_EQ(dynamics.solve(scene.problem()), status) << seed;
    EXPECT_LT((as_vector(dynamics.acceleration()) - acceleration).norm(), 1e-8 * (1.0 + acceleration.norm())) << seed;
    EXPECT_NEAR(1000.0 * dynamics.normal_force()[0], force, 1e-7 * (1.0 + force)) << seed;
  }
  EXPECT_GT(pressing, cases / 4);
  EXPECT_GT(opening, cases / 4);
  EXPECT_LE(undecided, cases / 20);
}

}  // namespace
}  // namespace carom
