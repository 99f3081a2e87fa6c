#pragma once
/// The parameters of an impact problem, which `impact`, `impacts` and `ImpactProblem` have alike.

#include <pybind11/pybind11.h>

#include <string>

#include "carom/analysis/compare_laws.h"

// Lists of parameters cannot be shared otherwise.
#define CAROM_PROBLEM_PARAMETERS                                                                                  \
  const py::object &metric, const py::object &velocity, const py::object &normals, const py::object &restitution, \
      const py::object &offsets, const py::object &tangents, const py::object &tangent_offsets,                   \
      const py::object &friction, const py::object &rough, const py::object &tangential_restitution,              \
      const py::object &stiffness, const py::object &tangential_stiffness_ratio, const py::object &persistent,    \
      const py::object &supports, const py::object &options
#define CAROM_PROBLEM_VALUES                                                                         \
  ProblemArguments {                                                                                 \
    metric, velocity, normals, restitution, offsets, tangents, tangent_offsets, friction, rough,     \
        tangential_restitution, stiffness, tangential_stiffness_ratio, persistent, supports, options \
  }
#define CAROM_PROBLEM_FIRST_NAMES py::arg("metric"), py::arg("velocity"), py::arg("normals")
#define CAROM_PROBLEM_OTHER_NAMES                                                                           \
  py::arg("restitution") = py::none(), py::arg("offsets") = py::none(), py::arg("tangents") = py::none(),   \
  py::arg("tangent_offsets") = py::none(), py::arg("friction") = py::none(), py::arg("rough") = py::none(), \
  py::arg("tangential_restitution") = py::none(), py::arg("stiffness") = py::none(),                        \
  py::arg("tangential_stiffness_ratio") = py::none(), py::arg("persistent") = py::none(),                   \
  py::arg("supports") = py::none(), py::arg("options") = py::none()
#define CAROM_PROBLEM_NAMES CAROM_PROBLEM_FIRST_NAMES, py::kw_only(), CAROM_PROBLEM_OTHER_NAMES

namespace carom::python {

/// `basic` or `full`. Throws InputError.
AuditDepth audit_depth(const std::string& audit);

}  // namespace carom::python
