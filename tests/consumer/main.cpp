// A program outside the project: a ball of 2 kg meets a wall at 3 m/s with restitution ½.
#include <cstdio>

#include "carom/base/version.h"
#include "carom/laws/impact/impact_solver.h"

int main() {
  carom::ImpactProblem problem;
  problem.metric = carom::Matrix::Constant(1, 1, 2.0);
  problem.velocity = carom::Vector::Constant(1, -3.0);
  problem.restitution = 0.5;
  problem.contacts.resize(1);
  problem.contacts[0].normal = carom::Vector::Constant(1, 1.0);
  const carom::ImpactOutcome outcome = carom::ImpactSolver{}.solve(problem, carom::impact_law("newton"));
  std::printf("carom %s: velocity %g, impulse %g\n", carom::kVersion, outcome.velocity[0], outcome.impulses[0]);
}
