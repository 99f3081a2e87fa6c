#pragma once
/// Chains of touching unit balls on a line, the first one moving.

#include "carom/mechanics/impact_problem.h"

namespace carom::test {

inline ImpactProblem touching_chain(int balls, double restitution) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(balls, balls);
  problem.velocity = Vector::Unit(balls, 0);
  problem.restitution = restitution;
  for (int i = 0; i + 1 < balls; ++i) {
    Contact contact;
    contact.normal = Vector::Unit(balls, i + 1) - Vector::Unit(balls, i);
    problem.contacts.push_back(contact);
  }
  return problem;
}

}  // namespace carom::test
