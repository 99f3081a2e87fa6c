/// carom._carom: the C++ side of the Python module. The Python side, python/carom, is what people see.

#include <stdexcept>

#include "bindings.h"
#include "carom/base/version.h"

namespace carom::python {
namespace {

/// An object whose __init__ was not called has no content yet; pybind11 would hand out raw memory for it.
void refuse_unmade_objects(const py::module_& module) {
  for (const auto& [name, member] : py::dict(module.attr("__dict__"))) {
    if (!py::isinstance<py::type>(member)) continue;
    py::detail::type_info* const info = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(member.ptr()));
    if (info == nullptr) continue;
    info->operator_new = [](std::size_t) -> void* {
      throw std::runtime_error(
          "the object was not made: a class of one's own calls super().__init__() before it asks anything of it");
    };
  }
}

}  // namespace
}  // namespace carom::python

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
  refuse_unmade_objects(module);
}
