/// carom._carom: the C++ side of the Python module. The Python side, python/carom, is what people see.

#include "bindings.h"
#include "carom/base/version.h"

PYBIND11_MODULE(_carom, module) {
  using namespace carom::python;
  module.doc() = "The C++ side of carom; import carom instead.";
  module.attr("__version__") = std::string(carom::kVersion);
  bind_errors(module);
  bind_outcome(module);
  bind_problem(module);
  bind_own_laws(module);
  bind_own_forces(module);
  bind_impact(module);
  bind_batch(module);
  bind_comparison(module);
  bind_corner(module);
  bind_scene(module);
  bind_simulation(module);
  bind_record(module);
  bind_sweep(module);
  bind_own_system(module);
}
