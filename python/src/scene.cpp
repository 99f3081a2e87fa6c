#include "carom/scene/scene.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/scene/schema.h"
#include "carom/simulation/simulation.h"
#include "errors.h"
#include "interrupts.h"
#include "problem.h"
#include "values.h"

namespace carom::python {
namespace {

py::list complaints(const Scene& scene) {
  std::vector<InputError> found;
  const Scene copy = scene;  // another thread may change it
  {
    const FreeInterpreter free;
    found = copy.check();
  }
  py::list list;
  for (const InputError& error : found) list.append(python_error(error));
  return list;
}

Scene restored(const std::string& text, const std::string& name, const std::vector<std::string>& settings) {
  Scene scene = Scene::parse(text, name);
  for (const std::string& setting : settings) scene.set(setting);
  return scene;
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<Scene>(module, "Scene", "A scene; carom.Scene is this with the words of the file.")
      .def(py::init<>())
      .def(py::init<const Scene&>())
      .def_static("_read", &Scene::read)
      .def_static("_parse",
                  [](const py::object& text, const py::object& name) {
                    return Scene::parse(to_text(text, "text"), to_text(name, "name"));
                  })
      .def(
          "get", [](const Scene& scene, const py::object& path) { return to_python(scene.get(to_text(path, "path"))); },
          py::arg("path"), "The value at a dotted path; None where the scene leaves it out.")
      .def(
          "set",
          [](Scene& scene, const py::object& path, const py::object& value) {
            const std::string field = to_text(path, "path");
            scene.set(field, to_value(value, field));
          },
          py::arg("path"), py::arg("value"), "Sets the value at a dotted path; None removes it.")
      .def(
          "apply", [](Scene& scene, const py::object& setting) { scene.set(to_text(setting, "setting")); },
          py::arg("setting"), "Sets a value as the command line does: `run.law=newton`.")
      .def(
          "add",
          [](Scene& scene, const py::object& section, const py::object& entry) {
            const std::string name = to_text(section, "section");
            if (!py::isinstance<py::dict>(entry))
              throw InputError(Kind::wrong_type, name,
                               fmt::format("the entry of {} is no dict, expected its keys", name));
            scene.add(name, to_table(py::reinterpret_borrow<py::dict>(entry), name));
          },
          py::arg("section"), py::arg("entry"), "Adds an entry to a section, [[section]].")
      .def_property_readonly("name", &Scene::name, "The file it was read from; empty for one that was built.")
      .def("check", &complaints, "Everything that is wrong with it, as a list of exceptions; empty: it can be run.")
      .def("to_toml", &Scene::to_toml, "As a scene file in its canonical form.")
      .def(
          "save", [](const Scene& scene, const std::filesystem::path& path) { scene.save(path.string()); },
          py::arg("path"), "Writes that to a file.")
      .def("_text", &Scene::text)
      .def("_settings", &Scene::settings)
      .def("_first_impact",
           [](const Scene& scene) -> std::optional<KeptProblem> {
             const Scene copy = scene;  // another thread may change it
             const FreeInterpreter free;
             std::optional<ImpactProblem> problem = Simulation(copy).first_impact();
             if (!problem) return std::nullopt;
             return KeptProblem{std::move(*problem), {}, scene.name()};
           })
      .def_static("_restored", &restored);
  module.def("scene_schema", &scene::scene_schema);
}

}  // namespace carom::python
