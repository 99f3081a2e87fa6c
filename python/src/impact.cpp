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
  module.def("impact", &impact, CAROM_PROBLEM_NAMES, py::arg("law") = py::none(), py::arg("audit") = "basic",
             R"(Puts one impact problem through a law and audits the outcome.

Parameters: n coordinates, m contacts.

metric : (n, n), or (n,) for a diagonal one. Kinetic energy is v @ metric @ v / 2.
velocity : (n,), just before the impact.
normals : (m, n). The gap rate of contact i is normals[i] @ velocity + offsets[i]; negative approaches.
restitution : from 0 to 1, one number or (m,). Default 1.
offsets : gap rates of contacts at rest against moving walls, one number or (m,). Default 0.
tangents : (m, n) or (m, t, n), rows of slip; with friction one row, or two that are orthonormal.
tangent_offsets : (m,) or (m, t).
friction : Coulomb's coefficient, one number or (m,). Default 0.
rough : True where a contact does not slip.
tangential_restitution, stiffness, tangential_stiffness_ratio : one number or (m,).
persistent : (k, n), rows that stay zero. supports : which of them only push.
options : a dict such as {"max_steps": 1000}, see `carom laws`.
law : a name, or a function from LawContacts to impulses (m,). Default compliant.
audit : "basic" or "full".

>>> import carom
>>> carom.impact([1, 1, 1], [1, 0, 0], [[-1, 1, 0], [0, -1, 1]], law="newton").velocity.round(6)
array([-0.333333,  0.666667,  0.666667])
)");
}

}  // namespace carom::python
