/// carom.impact: one problem under one law.

#include "bindings.h"
#include "carom/analysis/compare_laws.h"
#include "carom/laws/impact/impact_solver.h"
#include "interrupts.h"
#include "laws.h"
#include "outcome.h"
#include "problem_arguments.h"
#include "problem_arrays.h"

namespace carom::python {
namespace {

/// Memory of a thread, so that a call allocates nothing but its outcome.
struct Workbench {
  ImpactSolver solver;
  ImpactProblem problem;
  bool busy = false;  ///< a law in Python may ask about another impact
};

Workbench& workbench() {
  thread_local Workbench bench;
  return bench;
}

Outcome solve(Workbench& bench, const ProblemArrays& arrays, const ImpactLaw& law, AuditDepth depth) {
  arrays.write(0, bench.problem, true);
  ImpactOutcome outcome = solve_audited(bench.solver, bench.problem, law, depth);
  return Outcome(std::vector<int>(bench.problem.contacts.size(), arrays.tangents()), std::move(outcome));
}

Outcome impact(CAROM_PROBLEM_PARAMETERS, const py::object& law, const std::string& audit) {
  const ProblemArrays arrays(CAROM_PROBLEM_VALUES, ProblemArrays::Batch::one);
  const AskedLaw asked = asked_law(law);
  const AuditDepth depth = audit_depth(audit);
  Workbench& bench = workbench();
  if (bench.busy) {
    Workbench another;
    return solve(another, arrays, *asked.law, depth);
  }
  struct Busy {
    bool& flag;
    explicit Busy(bool& which) : flag(which) { flag = true; }
    ~Busy() { flag = false; }
  };
  const Busy busy(bench.busy);
  // Small problems take less time than handing the lock of the interpreter over and back.
  constexpr int kMany = 64;
  if (arrays.coordinates() <= kMany) return solve(bench, arrays, *asked.law, depth);
  const FreeInterpreter free;
  return solve(bench, arrays, *asked.law, depth);
}

}  // namespace

void bind_impact(py::module_& module) {
  // Parameters that are given by their place take half the time of those given by name.
  module.def("impact", &impact, CAROM_PROBLEM_FIRST_NAMES, CAROM_PROBLEM_OTHER_NAMES, py::arg("law") = py::none(),
             py::arg("audit") = "basic", "carom.impact, with all of its parameters in their order.");
}

}  // namespace carom::python
