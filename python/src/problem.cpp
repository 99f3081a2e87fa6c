#include "problem.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "carom/analysis/compare_laws.h"
#include "carom/base/json.h"
#include "carom/laws/impact/registry.h"
#include "carom/scene/document/path.h"
#include "carom/scene/problem_file.h"
#include "interrupts.h"
#include "laws.h"
#include "outcome.h"
#include "problem_arguments.h"
#include "problem_arrays.h"
#include "problem_input.h"
#include "values.h"

namespace carom::python {
namespace {

KeptProblem of_document(scene::Document document) {
  app::ProblemInput input = app::read_problem(std::move(document));
  app::pointing_into(input.document, [&input] {
    validate(input.file.problem);
    return 0;
  });
  return {std::move(input.file.problem), input.file.law, input.document.source.name()};
}

Json list(const Vector& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(value);
  return array;
}

Json rows(const Matrix& matrix) {
  Json array = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) array.push_back(list(matrix.row(i)));
  return array;
}

Json contact_json(const Contact& contact) {
  Json json{{"normal", list(contact.normal)}};
  if (!contact.name.empty()) json["name"] = contact.name;
  json["offset"] = contact.offset;
  if (contact.tangents.rows() > 0) json["tangents"] = rows(contact.tangents);
  if (contact.tangent_offsets.size() > 0) json["tangent_offsets"] = list(contact.tangent_offsets);
  if (contact.restitution) json["restitution"] = *contact.restitution;
  if (contact.tangential_restitution) json["tangential_restitution"] = *contact.tangential_restitution;
  json["stiffness"] = contact.stiffness;
  if (contact.friction > 0.0) json["friction"] = contact.friction;
  if (contact.rough) json["rough"] = true;
  if (contact.tangential_stiffness_ratio) json["tangential_stiffness_ratio"] = *contact.tangential_stiffness_ratio;
  return json;
}

/// An option of a law as its file writes it.
Json option_json(const std::string& name, double value) {
  for (const ImpactLaw* law : impact_laws())
    for (const LawParameter& parameter : law->parameters) {
      if (parameter.name != name) continue;
      if (parameter.is_flag) return Json(value != 0.0);
      if (!parameter.choices.empty()) return Json(std::string(parameter.choices[static_cast<std::size_t>(value)]));
    }
  return Json(value);
}

/// As `carom impact` reads it.
std::string json_of(const KeptProblem& kept) {
  const ImpactProblem& problem = kept.problem;
  Json json;
  if (problem.diagonal || problem.metric.isDiagonal(0.0)) {
    json = Json{{"metric", Json{{"diagonal", list(problem.metric.diagonal())}}}};
  } else {
    json = Json{{"metric", rows(problem.metric)}};
  }
  json["velocity"] = list(problem.velocity);
  if (problem.persistent.rows() > 0) json["persistent"] = rows(problem.persistent);
  if (!problem.supports.empty()) {
    Json supports = Json::array();
    for (const int row : problem.supports) supports.push_back(row);
    json["supports"] = std::move(supports);
  }
  Json contacts = Json::array();
  for (const Contact& contact : problem.contacts) contacts.push_back(contact_json(contact));
  json["contacts"] = std::move(contacts);
  json["restitution"] = problem.restitution;
  if (!kept.law.empty()) json["law"] = kept.law;
  Json options{{"tolerance", problem.options.tolerance},
               {"rest", problem.options.rest},
               {"max_steps", static_cast<std::int64_t>(problem.options.max_steps)}};
  for (const auto& [name, value] : problem.options.by_law) options[name] = option_json(name, value);
  json["options"] = std::move(options);
  return json.dump();
}

KeptProblem parse(const py::object& text, const py::object& name) {
  return of_document(scene::parse_document(to_text(name, "name"), to_text(text, "text")));
}

py::array_t<double> matrix_of(const Matrix& matrix) {
  return copied({matrix.data(), static_cast<std::size_t>(matrix.size())}, {matrix.rows(), matrix.cols()});
}

py::array_t<double> vector_of(const Vector& vector) {
  return copied({vector.data(), static_cast<std::size_t>(vector.size())});
}

py::array_t<double> normals(const KeptProblem& kept) {
  const auto n = static_cast<std::size_t>(kept.problem.velocity.size());
  std::vector<double> numbers;
  for (const Contact& contact : kept.problem.contacts)
    numbers.insert(numbers.end(), contact.normal.data(), contact.normal.data() + n);
  return copied(numbers, {static_cast<py::ssize_t>(kept.problem.contacts.size()), static_cast<py::ssize_t>(n)});
}

std::vector<std::string> names(const KeptProblem& kept) {
  std::vector<std::string> result;
  for (const Contact& contact : kept.problem.contacts) result.push_back(contact.name);
  return result;
}

}  // namespace

AuditDepth audit_depth(const std::string& audit) {
  if (audit == "basic") return AuditDepth::basic;
  if (audit == "full") return AuditDepth::full;
  throw InputError(Kind::unknown_name, "audit", fmt::format("audit is '{}', expected 'basic' or 'full'", audit));
}

void bind_problem(py::module_& module) {
  py::class_<KeptProblem>(module, "ImpactProblem",
                          R"(One impact with the configuration frozen, to be asked about under any law.

The parameters are those of `carom.impact`.

>>> import carom
>>> problem = carom.ImpactProblem([1, 1], [1, 0], [[-1, 1]], restitution=0.5)
>>> problem.solve("newton").velocity
array([0.25, 0.75])
)")
      .def(py::init([](CAROM_PROBLEM_PARAMETERS) {
             const ProblemArrays arrays(CAROM_PROBLEM_VALUES, ProblemArrays::Batch::one);
             KeptProblem kept;
             arrays.write(0, kept.problem, true);
             validate(kept.problem);
             return kept;
           }),
           CAROM_PROBLEM_NAMES)
      .def_static(
          "read", [](const std::filesystem::path& path) { return of_document(scene::read_document(path.string())); },
          py::arg("path"), "Of a file, JSON or TOML, as `carom impact` takes it.")
      .def_static("parse", &parse, py::arg("text"), py::arg("name") = "problem", "The same of a text.")
      .def("to_json", &json_of, "As JSON, which `parse` reads back to the same numbers.")
      .def(
          "solve",
          [](const KeptProblem& kept, const py::object& law, const std::string& audit) {
            const AskedLaw asked = asked_law(law.is_none() && !kept.law.empty() ? py::object(py::str(kept.law)) : law);
            ImpactSolver solver;
            const FreeInterpreter free;
            return Outcome(kept.problem, solve_audited(solver, kept.problem, *asked.law, audit_depth(audit)));
          },
          py::arg("law") = py::none(), py::arg("audit") = "basic",
          "The outcome under a law, by name or as a function; None: that of its file, or `compliant`.")
      .def_readonly("law", &KeptProblem::law, "That its file names; empty: none.")
      .def_property_readonly(
          "metric", [](const KeptProblem& k) { return matrix_of(k.problem.metric); }, "Kinetic metric, (n, n).")
      .def_property_readonly(
          "velocity", [](const KeptProblem& k) { return vector_of(k.problem.velocity); }, "Before the impact, (n,).")
      .def_property_readonly("normals", &normals, "Rows of the gap rates, (contacts, n).")
      .def_property_readonly(
          "persistent", [](const KeptProblem& k) { return matrix_of(k.problem.persistent); },
          "Rows of the persistent constraints, (k, n).")
      .def_property_readonly("contact_names", &names, "May be empty texts.")
      .def_property_readonly(
          "coordinates", [](const KeptProblem& k) { return k.problem.coordinates; },
          "What each velocity is; empty: they have numbers only.")
      .def("__repr__",
           [](const KeptProblem& k) {
             return fmt::format("ImpactProblem({} coordinates, {} contacts)", k.problem.velocity.size(),
                                k.problem.contacts.size());
           })
      .def(py::pickle(
          [](const KeptProblem& kept) { return py::make_tuple(json_of(kept), kept.name, kept.problem.coordinates); },
          [](const py::tuple& state) {
            KeptProblem kept = parse(state[0], state[1]);
            kept.problem.coordinates = state[2].cast<std::vector<std::string>>();
            return kept;
          }));
}

}  // namespace carom::python
