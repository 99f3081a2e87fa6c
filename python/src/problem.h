#pragma once
/// An impact problem that Python keeps.

#include <string>

#include "carom/mechanics/impact_problem.h"

namespace carom::python {

struct KeptProblem {
  ImpactProblem problem;
  std::string law;   ///< that its file names; empty: none
  std::string name;  ///< of the file; empty: none
};

}  // namespace carom::python
