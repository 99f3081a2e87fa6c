/// carom.compare: one problem under several laws.

#include "carom/analysis/compare_laws.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "carom/laws/impact/registry.h"
#include "interrupts.h"
#include "laws.h"
#include "outcome.h"
#include "problem.h"
#include "problem_arguments.h"

namespace carom::python {
namespace {

/// `laws`: names and functions, or None for all that answer the problem.
std::vector<Outcome> compare(const KeptProblem& kept, const py::object& laws, const std::string& audit) {
  const AuditDepth depth = audit_depth(audit);
  std::vector<AskedLaw> asked;
  std::vector<const ImpactLaw*> pointers;
  if (laws.is_none()) {
    pointers = laws_that_answer(kept.problem);
  } else {
    for (const py::handle law : laws) {
      asked.push_back(asked_law(py::reinterpret_borrow<py::object>(law)));
      pointers.push_back(asked.back().law);
    }
  }
  std::vector<ImpactOutcome> found;
  {
    const FreeInterpreter free;
    found = compare_laws(kept.problem, pointers, depth);
  }
  std::vector<Outcome> outcomes;
  for (ImpactOutcome& outcome : found) outcomes.emplace_back(kept.problem, std::move(outcome));
  return outcomes;
}

}  // namespace

void bind_comparison(py::module_& module) {
  module.def("compare", &compare, py::arg("problem"), py::arg("laws") = py::none(), py::arg("audit") = "basic");
}

}  // namespace carom::python
