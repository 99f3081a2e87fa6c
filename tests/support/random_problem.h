#pragma once
/// Random impact problems for property tests: reproducible, and nasty on purpose (duplicate rows, dependent rows, zero
/// rates, persistent constraints, moving walls, every size).

#include <cstdint>

#include "carom/base/random.h"
#include "carom/mechanics/impact_problem.h"
#include "support/property_cases.h"

namespace carom::test {

struct Taste {
  int max_dof = 12;
  int max_contacts = 8;
  bool dependent_rows = true;  ///< duplicates, sums, opposite rows, more contacts than degrees of freedom
  bool traps = true;           ///< opposite rows, and more rows than a cone with an interior can have
  bool constraints = true;     ///< persistent rows
  bool moving_walls = true;    ///< offsets
  bool tangents = false;
  bool friction = false;      ///< one or two tangents at every contact, most of them with friction, some without slip
  bool all_approach = false;  ///< every contact approaches (walls at rest)
  bool equal_restitution = false;
  double row_decades = 2.0;  ///< rows are scaled by up to this power of ten, up and down
};

/// Case number `seed` of the family described by `taste`.
ImpactProblem random_problem(std::uint64_t seed, const Taste& taste = {});

Vector random_vector(Random& random, int n);
Matrix random_matrix(Random& random, int rows, int columns);

}  // namespace carom::test
