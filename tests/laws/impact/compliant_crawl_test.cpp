/// The law `compliant` where redundant contacts with friction hold every step back (implicit steps go on), and where
/// bodies ring (it is left early and closed).

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>

#include "carom/base/random.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom {
namespace {

using Eigen::Vector3d;

/// A cube of half edge 1 and mass 1 on another one on the floor; each touches with its four lower corners.
ImpactProblem two_cubes(double friction) {
  constexpr int kBodies = 2, kCoordinates = 6 * kBodies;
  ImpactProblem problem;
  problem.metric = Matrix::Identity(kCoordinates, kCoordinates);
  problem.restitution = 0.5;
  for (int body = 0; body < kBodies; ++body) {
    problem.metric.diagonal().segment<3>(6 * body + 3).setConstant(2.0 / 3.0);
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d below((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, -1.0);
      const Vector3d above(below.x(), below.y(), 1.0);
      const auto row = [&](const Vector3d& direction) {
        Vector entries = Vector::Zero(kCoordinates);
        entries.segment<3>(6 * body) = direction;
        entries.segment<3>(6 * body + 3) = below.cross(direction);
        if (body == 0) return entries;
        entries.segment<3>(6 * body - 6) = -direction;
        entries.segment<3>(6 * body - 3) = -above.cross(direction);
        return entries;
      };
      Contact contact;
      contact.name = std::to_string(body) + "-" + std::to_string(corner);
      contact.normal = row(Vector3d::UnitZ());
      contact.tangents = Matrix(2, kCoordinates);
      contact.tangents.row(0) = row(Vector3d::UnitX()).transpose();
      contact.tangents.row(1) = row(Vector3d::UnitY()).transpose();
      contact.friction = friction;
      problem.contacts.push_back(contact);
    }
  }
  return problem;
}

TEST(CompliantFriction, OfRedundantContactsThatHoldEveryStepBackIsFollowedToTheEnd) {
  Random random(7);
  ImpactSolver solver;
  for (int k = 0; k < 30; ++k) {
    ImpactProblem problem = two_cubes(0.84);
    problem.velocity = Vector::Zero(problem.metric.rows());
    for (double& entry : problem.velocity) entry = random.uniform(-0.3, 0.3);
    problem.velocity[2] = -1.0;
    const ImpactOutcome outcome = solver.solve(problem, kCompliantLaw);
    EXPECT_TRUE(finished(outcome.stop)) << k;
    EXPECT_LE(outcome.steps, 2000) << k;
    EXPECT_LE(outcome.energy.change, 1e-12) << k;
    EXPECT_GE(outcome.audit.min_gap_rate_after, -1e-9) << k;
    EXPECT_FALSE(outcome.audit.flags.has(Flag::closed_by_impulses)) << k;
  }
}

TEST(Compliant, ElasticBodiesThatRingInARowAreLeftWhereEnergyMayBeLeft) {
  // Between two walls, hardly askew: every other one is squeezed out, but not before long.
  constexpr int kBodies = 9;
  constexpr double kAskew = 1e-3;
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2 * kBodies, 2 * kBodies);
  problem.velocity = Vector::Zero(2 * kBodies);
  problem.restitution = 1.0;
  problem.options.closing_energy = 1e-2;
  Random random(3);
  for (int k = 0; k < kBodies; ++k) problem.velocity[2 * k] = random.uniform(-1.0, 1.0);
  for (int k = 0; k <= kBodies; ++k) {
    Vector normal = Vector::Zero(2 * kBodies);
    if (k > 0) normal[2 * k - 2] = -1.0;
    if (k < kBodies) normal[2 * k] = 1.0;
    if (k > 0 && k < kBodies) normal[2 * (k % 2 == 1 ? k : k - 1) + 1] = kAskew;
    problem.contacts.push_back({.name = std::to_string(k), .normal = normal});
  }
  ImpactSolver solver;
  const ImpactOutcome outcome = solver.solve(problem, kCompliantLaw);
  EXPECT_TRUE(finished(outcome.stop));
  EXPECT_LE(outcome.steps, 1000);
  EXPECT_LE(outcome.energy.change, 1e-12);
  EXPECT_GE(outcome.audit.min_gap_rate_after, -1e-9);
}

}  // namespace
}  // namespace carom
