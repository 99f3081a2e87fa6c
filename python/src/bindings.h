#pragma once
/// The parts of the module carom._carom, one for each source of the same name.

#include <pybind11/pybind11.h>

namespace carom::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_outcome(py::module_& module);
void bind_problem(py::module_& module);
void bind_impact(py::module_& module);
void bind_batch(py::module_& module);
void bind_comparison(py::module_& module);
void bind_corner(py::module_& module);
void bind_scene(py::module_& module);
void bind_simulation(py::module_& module);
void bind_record(py::module_& module);
void bind_sweep(py::module_& module);
void bind_own_laws(py::module_& module);
void bind_own_forces(py::module_& module);
void bind_own_system(py::module_& module);

}  // namespace carom::python
