/// One impact under every law: a ball of 1 kg that comes down into a groove of two walls, smooth and with restitution
/// ½. Prints the velocity after, the change of energy and what the audit has to say.

#include <carom/carom.h>

#include <cmath>
#include <cstdio>

int main() {
  carom::ImpactProblem problem;
  problem.metric = carom::Matrix::Identity(2, 2);  // T = ½(ẋ² + ż²)
  problem.velocity = carom::Vector::Zero(2);
  problem.velocity << 0.2, -1.0;
  problem.restitution = 0.5;
  for (const double side : {-1.0, 1.0}) {
    carom::Contact wall;
    wall.name = side < 0 ? "left" : "right";
    wall.normal = carom::Vector::Zero(2);
    wall.normal << -side * std::sqrt(0.75), 0.5;  // both walls rise at 60°
    problem.contacts.push_back(wall);
  }

  carom::ImpactSolver solver;
  carom::ImpactOutcome outcome;  // reused: the second law allocates nothing
  for (const carom::ImpactLaw* law : carom::impact_laws()) {
    if (law->needs.single_contact) continue;  // two walls are struck at once
    solver.solve(problem, *law, outcome);
    std::printf("%-14s %9.5f %9.5f   energy %+.5f ", outcome.law.data(), outcome.velocity[0], outcome.velocity[1],
                outcome.energy.change);
    for (const carom::Flag flag : carom::all_flags())
      if (outcome.audit.flags.has(flag)) std::printf(" %s", carom::flag_name(flag).data());
    std::printf("\n");
  }
}
