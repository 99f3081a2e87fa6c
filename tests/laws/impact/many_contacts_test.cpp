/// Impacts of many contacts with friction and without slip, as an engine asks for them: they end, nothing gains energy,
/// and what can be said of the outcome without a law holds.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/property_cases.h"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kRough = std::numeric_limits<double>::infinity();

/// Free bodies of mass 1, six coordinates each, and what touches.
struct Bodies {
  ImpactProblem problem;
  double friction;  ///< infinite: rough

  Bodies(int count, double inertia, double mu) : friction(mu) {
    problem.metric = Matrix::Identity(6 * count, 6 * count);
    for (int b = 0; b < count; ++b) problem.metric.diagonal().segment<3>(6 * b + 3).setConstant(inertia);
    problem.velocity = Vector::Zero(6 * count);
  }

  /// A contact of body a, at `arm_a` from its centre, with body b (below zero: a wall); the normal points to a.
  void touch(int a, const Vector3d& arm_a, int b, const Vector3d& arm_b, const Vector3d& normal) {
    const auto row = [&](const Vector3d& direction) {
      Vector entries = Vector::Zero(problem.velocity.size());
      entries.segment<3>(6 * a) = direction;
      entries.segment<3>(6 * a + 3) = arm_a.cross(direction);
      if (b >= 0) {
        entries.segment<3>(6 * b) = -direction;
        entries.segment<3>(6 * b + 3) = -arm_b.cross(direction);
      }
      return entries;
    };
    Contact contact;
    contact.normal = row(normal);
    contact.rough = std::isinf(friction);
    contact.friction = contact.rough ? 0.0 : friction;
    const Vector3d first = normal.unitOrthogonal();
    contact.tangents.resize(2, problem.velocity.size());
    contact.tangents.row(0) = row(first).transpose();
    contact.tangents.row(1) = row(normal.cross(first)).transpose();
    problem.contacts.push_back(contact);
  }
};

/// A jittered cubic packing of side³ balls between a floor and walls, of which neighbours touch; all fall.
Bodies heap(int side, double friction, Random& random) {
  const int count = side * side * side;
  Bodies bodies(count, 0.4, friction);
  const auto small = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  std::vector<Vector3d> centre;
  for (int k = 0; k < count; ++k)
    centre.push_back(2.0 * Vector3d(k % side, k / side % side, k / side / side) + 0.25 * small());
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < a; ++b) {
      const Vector3d across = centre[a] - centre[b];
      if (across.norm() > 2.3 || random.uniform() > 0.9) continue;
      bodies.touch(a, -across.normalized(), b, across.normalized(), across.normalized());
    }
    if (centre[a].z() < 0.5) bodies.touch(a, -Vector3d::UnitZ(), -1, Vector3d::Zero(), Vector3d::UnitZ());
    for (int axis = 0; axis < 2; ++axis)
      if (centre[a][axis] < 0.0) bodies.touch(a, -Vector3d::Unit(axis), -1, Vector3d::Zero(), Vector3d::Unit(axis));
    bodies.problem.velocity.segment<3>(6 * a) = 0.1 * small() - Vector3d::UnitZ();
    bodies.problem.velocity.segment<3>(6 * a + 3) = 0.1 * small();
  }
  return bodies;
}

TEST(ManyContacts, WithoutReboundThereIsAnAnswerToACoarseAccuracyThatLosesEnergy) {
  Random random(8);
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (int k = 0; k < test::property_cases(40); ++k) {
    const double frictions[] = {0.1, 0.3, 1.0, kRough};
    Bodies bodies = heap(k % 8 == 0 ? 3 : 2, frictions[k % 4], random);
    bodies.problem.restitution = 0.0;
    bodies.problem.options.accuracy = 1e-2;
    solver.solve(bodies.problem, kNewtonLaw, outcome);
    ASSERT_TRUE(finished(outcome.stop)) << k;
    EXPECT_LE(outcome.energy.change, 0.0) << k;
    EXPECT_GE(outcome.audit.min_gap_rate_after, -2e-2 * outcome.reference_speed) << k;
    EXPECT_GE(outcome.audit.min_impulse, 0.0) << k;
  }
}

TEST(ManyContacts, AHeapOfLittleFrictionWithoutReboundHasTheVelocitiesOfTheExactAnswer) {
  Random random(9);
  ImpactSolver solver;
  for (int k = 0; k < test::property_cases(20); ++k) {
    Bodies bodies = heap(2, 0.05, random);
    bodies.problem.restitution = 0.0;
    const ImpactOutcome exact = solver.solve(bodies.problem, kNewtonLaw);
    bodies.problem.options.accuracy = 1e-9;
    const ImpactOutcome swept = solver.solve(bodies.problem, kNewtonLaw);
    ASSERT_TRUE(finished(exact.stop) && finished(swept.stop)) << k;
    for (std::size_t i = 0; i < exact.velocity.size(); ++i)
      EXPECT_NEAR(swept.velocity[i], exact.velocity[i], 1e-6) << k;
  }
}

TEST(ManyContacts, SpringsThatAreClosedEarlyLoseEnergyAndLeaveNothingApproaching) {
  Random random(10);
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (int k = 0; k < test::property_cases(6); ++k) {
    Bodies bodies = heap(2, k % 2 == 0 ? 0.3 : kRough, random);
    bodies.problem.restitution = 0.5;
    bodies.problem.options.accuracy = 1e-9;
    bodies.problem.options.closing_energy = 1e-2;
    solver.solve(bodies.problem, kCompliantLaw, outcome);
    if (!finished(outcome.stop)) continue;  // an engine has other links then
    EXPECT_LE(outcome.energy.change, 0.0) << k;
    EXPECT_GE(outcome.audit.min_gap_rate_after, -1e-3 * outcome.reference_speed) << k;
  }
}

TEST(ManyContacts, ARoughBoxThatStrikesFloorAndWallWithItsFacesComesToRest) {
  // Six corners, eighteen rows, six freedoms: redundant, and consistent to round-off only.
  Bodies box(1, 2.0 / 3.0, kRough);
  for (const double y : {-1.0, 1.0}) {
    for (const double x : {-1.0, 1.0}) box.touch(0, {x, y, -1.0}, -1, Vector3d::Zero(), Vector3d::UnitZ());
    box.touch(0, {-1.0, y, 1.0}, -1, Vector3d::Zero(), Vector3d::UnitX());
  }
  box.problem.restitution = 0.0;
  box.problem.velocity << -1.0, 0.3, -2.0, 0.2, -0.1, 0.4;
  const ImpactOutcome outcome = ImpactSolver().solve(box.problem, kNewtonLaw);
  ASSERT_TRUE(finished(outcome.stop));
  for (const double component : outcome.velocity) EXPECT_NEAR(component, 0.0, 1e-9);
}

/// Contacts far from each other are left out of each other's answers; with a trace of mass that all bodies share none
/// are, and the answer is the same but for that trace.
TEST(ManyContacts, UnderTheLawCompliantAreTheSameWhetherOrNotAllFeelEachOther) {
  constexpr int kBalls = 16;
  constexpr double kTrace = 1e-13;
  for (const double friction : {0.1, 0.5}) {
    Bodies row(kBalls, 0.4, friction);  // of radius 1, on a floor; the first one comes in with spin
    row.problem.velocity.head<6>() << 1.0, 0.1, -0.3, 0.2, 0.5, -0.1;
    row.problem.restitution = 0.6;
    for (int b = 0; b < kBalls; ++b) row.touch(b, -Vector3d::UnitZ(), -1, Vector3d::Zero(), Vector3d::UnitZ());
    for (int b = 0; b + 1 < kBalls; ++b) row.touch(b, Vector3d::UnitX(), b + 1, -Vector3d::UnitX(), -Vector3d::UnitX());
    const ImpactOutcome few = ImpactSolver().solve(row.problem);
    row.problem.metric.array() += kTrace;
    const ImpactOutcome all = ImpactSolver().solve(row.problem);
    EXPECT_EQ(few.stop, Stop::separated);
    EXPECT_GT(few.velocity[6 * kBalls - 6], 0.05) << "the last ball is pushed";
    for (std::size_t i = 0; i < few.velocity.size(); ++i) EXPECT_NEAR(few.velocity[i], all.velocity[i], 1e-8);
  }
}

TEST(ManyContacts, HitsWithoutEndComeToRestAtTheAccuracyThatIsAskedFor) {
  // A point in a narrow wedge of plastic walls: after the first hit the approach is sin 0.05, and every hit leaves
  // cos 0.05 of it.
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.restitution = 0.0;
  problem.contacts.resize(2);
  problem.contacts[0].normal = Vector{{1.0, 0.0}};
  problem.contacts[1].normal = Vector{{-std::cos(0.05), std::sin(0.05)}};
  problem.velocity = Vector{{-1.0, -1.0}};
  const auto steps_to = [](double part) {
    return std::log(part * std::sqrt(2.0) / std::sin(0.05)) / std::log(std::cos(0.05));
  };
  const ImpactOutcome exact = ImpactSolver().solve(problem, kSequentialLaw);
  EXPECT_EQ(exact.stop, Stop::at_rest);
  EXPECT_NEAR(static_cast<double>(exact.steps), steps_to(problem.options.rest), 10.0);
  problem.options.accuracy = 1e-6;
  const ImpactOutcome outcome = ImpactSolver().solve(problem, kSequentialLaw);
  EXPECT_EQ(outcome.stop, Stop::at_rest);
  EXPECT_NEAR(static_cast<double>(outcome.steps), steps_to(1e-6), 10.0);
  EXPECT_GE(outcome.audit.min_gap_rate_after, -1e-6 * outcome.reference_speed);
}

}  // namespace
}  // namespace carom
